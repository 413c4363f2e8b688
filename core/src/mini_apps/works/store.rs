//! SQL of the checks of apps.

use chrono::{DateTime, Utc};
use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};

use super::verdict::Missing;
use crate::ids::{WorkflowApiId, WorkflowApiVersionId};

/// The result of a check.
pub(super) struct Note<'a> {
    pub found: Option<bool>,
    pub missing: Option<&'a Missing>,
    pub now: DateTime<Utc>,
    pub due_at: DateTime<Utc>,
}

pub(super) async fn due(
    db: &PgPool,
    now: DateTime<Utc>,
    limit: i64,
) -> sqlx::Result<Vec<(WorkflowApiId, WorkflowApiVersionId)>> {
    let rows = sqlx::query!(
        "SELECT id, current_version_id FROM workflow_apis
         WHERE deleted_at IS NULL AND works_due_at <= $1 ORDER BY works_due_at LIMIT $2",
        now,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (WorkflowApiId(row.id), WorkflowApiVersionId(row.current_version_id))).collect())
}

/// Writes the result for this version, and returns whether the app worked since its author was last notified; `None`
/// where the app has another version now, or is deleted.
pub(super) async fn note(
    tx: &mut PgConnection,
    app: WorkflowApiId,
    version: WorkflowApiVersionId,
    note: &Note<'_>,
) -> sqlx::Result<Option<bool>> {
    sqlx::query_scalar!(
        "WITH before AS (SELECT id, has_worked FROM workflow_apis WHERE id = $1 FOR UPDATE)
           UPDATE workflow_apis a
           SET works_checked_at = $4, works_due_at = $5, missing = $6, has_worked = COALESCE($3, a.has_worked)
           FROM before
           WHERE a.id = before.id AND a.current_version_id = $2 AND a.deleted_at IS NULL
           RETURNING before.has_worked",
        app.0,
        version.0,
        note.found,
        note.now,
        note.due_at,
        note.missing.map(Json) as _,
    )
    .fetch_optional(tx)
    .await
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
