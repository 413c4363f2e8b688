//! SQL of the checks of apps.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::due_app::DueApp;
use super::verdict::Missing;
use crate::ids::{WorkflowApiId, WorkflowApiVersionId, WorkflowId};

/// The result of a check.
pub(super) struct Note {
    pub app: WorkflowApiId,
    pub version: WorkflowApiVersionId,
    pub works: Option<bool>,
    pub missing: Option<Missing>,
    pub due_at: DateTime<Utc>,
}

/// Writes the digest of the fleet unless it changed after `settled`; returns the number of the fleet.
pub(super) async fn note_fleet(
    db: &PgPool,
    digest: &str,
    now: DateTime<Utc>,
    settled: DateTime<Utc>,
) -> sqlx::Result<i64> {
    let known = sqlx::query!("SELECT digest, number FROM workflow_api_fleet").fetch_optional(db).await?;
    if let Some(known) = known.filter(|known| known.digest == digest) {
        return Ok(known.number);
    }
    let number = sqlx::query_scalar!(
        "INSERT INTO workflow_api_fleet AS f (digest, number, changed_at) VALUES ($1, 1, $2)
         ON CONFLICT (id) DO UPDATE SET digest = $1, number = f.number + 1, changed_at = $2
           WHERE f.digest <> $1 AND f.changed_at <= $3
         RETURNING number",
        digest,
        now,
        settled,
    )
    .fetch_optional(db)
    .await?;
    match number {
        Some(number) => Ok(number),
        None => sqlx::query_scalar!("SELECT number FROM workflow_api_fleet").fetch_one(db).await,
    }
}

struct Row {
    id: Uuid,
    version: Uuid,
    workflow: Uuid,
    works: Option<bool>,
    missing: Option<Json<Missing>>,
    has_worked: bool,
}

impl From<Row> for DueApp {
    fn from(row: Row) -> Self {
        Self {
            id: WorkflowApiId(row.id),
            version: WorkflowApiVersionId(row.version),
            workflow: WorkflowId(row.workflow),
            works: row.works,
            missing: row.missing.map(|missing| missing.0),
            has_worked: row.has_worked,
        }
    }
}

pub(super) async fn due(db: &PgPool, now: DateTime<Utc>, fleet: i64, limit: i64) -> sqlx::Result<Vec<DueApp>> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT a.id, a.current_version_id AS version, a.workflow_id AS workflow, w.app_works AS "works?",
                  a.missing AS "missing: Json<Missing>", a.has_worked
           FROM (
             (SELECT id FROM workflow_apis WHERE deleted_at IS NULL AND works_due_at <= $1
              ORDER BY works_due_at LIMIT $3)
             UNION
             (SELECT id FROM workflow_apis WHERE deleted_at IS NULL AND works_fleet < $2
              ORDER BY works_fleet LIMIT $3)
             LIMIT $3
           ) due
           JOIN workflow_apis a ON a.id = due.id LEFT JOIN workflows w ON w.id = a.workflow_id"#,
        now,
        fleet,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(DueApp::from).collect())
}

pub(super) async fn in_version(
    db: &PgPool,
    app: WorkflowApiId,
    version: WorkflowApiVersionId,
) -> sqlx::Result<Option<DueApp>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT a.id, a.current_version_id AS version, a.workflow_id AS workflow, w.app_works AS "works?",
                  a.missing AS "missing: Json<Missing>", a.has_worked
           FROM workflow_apis a LEFT JOIN workflows w ON w.id = a.workflow_id
           WHERE a.id = $1 AND a.current_version_id = $2 AND a.deleted_at IS NULL"#,
        app.0,
        version.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(DueApp::from))
}

/// Writes results against this fleet; returns the apps that still have the checked version, and whether each worked
/// before.
pub(super) async fn note(
    tx: &mut PgConnection,
    notes: &[Note],
    fleet: i64,
    now: DateTime<Utc>,
) -> sqlx::Result<HashMap<WorkflowApiId, bool>> {
    let apps: Vec<Uuid> = notes.iter().map(|note| note.app.0).collect();
    let versions: Vec<Uuid> = notes.iter().map(|note| note.version.0).collect();
    let works: Vec<Option<bool>> = notes.iter().map(|note| note.works).collect();
    let due_at: Vec<DateTime<Utc>> = notes.iter().map(|note| note.due_at).collect();
    let missing: Vec<Option<serde_json::Value>> = notes
        .iter()
        .map(|note| note.missing.as_ref().map(serde_json::to_value).transpose())
        .collect::<Result<_, _>>()
        .map_err(|error| sqlx::Error::Encode(Box::new(error)))?;
    let noted = sqlx::query!(
        "WITH found AS (
           SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::timestamptz[], $5::jsonb[])
             AS found (app, version, works, due_at, missing)
         ), locked AS (
           SELECT a.id, a.has_worked FROM workflow_apis a JOIN found ON found.app = a.id ORDER BY a.id FOR UPDATE OF a
         )
         UPDATE workflow_apis a
         SET works_checked_at = $7, works_due_at = found.due_at, works_fleet = $6, missing = found.missing,
             has_worked = coalesce(found.works, a.has_worked)
         FROM locked JOIN found ON found.app = locked.id
         WHERE a.id = locked.id AND a.current_version_id = found.version AND a.deleted_at IS NULL
         RETURNING a.id, locked.has_worked",
        &apps,
        &versions,
        &works as &[Option<bool>],
        &due_at,
        &missing as &[Option<serde_json::Value>],
        fleet,
        now,
    )
    .fetch_all(tx)
    .await?;
    Ok(noted.into_iter().map(|row| (WorkflowApiId(row.id), row.has_worked)).collect())
}

/// When an app was last checked, and what was missing then.
pub(in crate::mini_apps) async fn find(
    db: &PgPool,
    app: WorkflowApiId,
) -> sqlx::Result<(Option<DateTime<Utc>>, Option<Missing>)> {
    let row = sqlx::query!(
        r#"SELECT works_checked_at, missing AS "missing: Json<Missing>" FROM workflow_apis WHERE id = $1"#,
        app.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map_or((None, None), |row| (row.works_checked_at, row.missing.map(|missing| missing.0))))
}

/// Makes an app with a new version due at once.
pub(in crate::mini_apps) async fn reset(
    tx: &mut PgConnection,
    app: WorkflowApiId,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE workflow_apis SET works_checked_at = NULL, missing = NULL, works_due_at = $2 WHERE id = $1",
        app.0,
        now,
    )
    .execute(tx)
    .await?;
    Ok(())
}
