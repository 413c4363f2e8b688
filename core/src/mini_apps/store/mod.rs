//! SQL of mini apps.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::value::RawValue;
use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::form::compiled::{AppAccess, CompiledApp, Stored};
use super::form::entries::{Inputs, Outputs};
use super::form::field::Field;
use crate::graph::{PromptText, WrittenPrompt};
use crate::ids::{UserId, WorkflowApiId, WorkflowApiVersionId, WorkflowId};
use crate::users::WritePermit;
use crate::{Error, Result};

/// The row of an app, without its version.
pub(super) struct App {
    pub id: WorkflowApiId,
    pub workflow: WorkflowId,
    pub current: WorkflowApiVersionId,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// The content of a new version.
pub(super) struct NewVersion<'a> {
    pub id: WorkflowApiVersionId,
    pub prompt: &'a PromptText,
    pub inputs: &'a Inputs,
    pub outputs: &'a Outputs,
    pub fields: &'a [Field],
}

/// Whether these users may run these mini apps, without deleted apps and workflows. Workflows that moderators hid are
/// not shared.
pub(super) async fn access(
    db: &PgPool,
    ids: &[WorkflowApiId],
    askers: &[UserId],
) -> sqlx::Result<Vec<(WorkflowApiId, AppAccess)>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let askers: Vec<Uuid> = askers.iter().map(|asker| asker.0).collect();
    let rows = sqlx::query!(
        r#"SELECT a.id, a.current_version_id, w.user_id, w.is_private,
                  CASE WHEN w.is_private AND w.locked_at IS NULL THEN ARRAY(
                    SELECT s.user_id FROM workflow_api_shares s WHERE s.workflow_api_id = a.id AND s.user_id = ANY($2)
                  ) ELSE '{}' END AS "shared_with!"
           FROM workflow_apis a JOIN workflows w ON w.id = a.workflow_id
           WHERE a.id = ANY($1) AND a.deleted_at IS NULL AND w.deleted_at IS NULL"#,
        &ids,
        &askers,
    )
    .map(|row| {
        let access = AppAccess {
            version: WorkflowApiVersionId(row.current_version_id),
            owner: UserId(row.user_id),
            is_private: row.is_private,
            shared_with: row.shared_with.into_iter().map(UserId).collect(),
        };
        (WorkflowApiId(row.id), access)
    })
    .fetch_all(db)
    .await?;
    Ok(rows)
}

pub(super) async fn find(db: &PgPool, id: WorkflowApiId) -> sqlx::Result<Option<App>> {
    let row = sqlx::query!(
        "SELECT id, workflow_id, current_version_id, created_at, updated_at
         FROM workflow_apis WHERE id = $1 AND deleted_at IS NULL",
        id.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| App {
        id: WorkflowApiId(row.id),
        workflow: WorkflowId(row.workflow_id),
        current: WorkflowApiVersionId(row.current_version_id),
        created_at: row.created_at,
        updated_at: row.updated_at,
    }))
}

/// The workflows of these apps, without deleted apps and workflows.
pub(super) async fn workflows_of(db: &PgPool, ids: &[WorkflowApiId]) -> sqlx::Result<Vec<(WorkflowApiId, WorkflowId)>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let rows = sqlx::query!(
        "SELECT a.id, a.workflow_id FROM workflow_apis a JOIN workflows w ON w.id = a.workflow_id
         WHERE a.id = ANY($1) AND a.deleted_at IS NULL AND w.deleted_at IS NULL",
        &ids,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (WorkflowApiId(row.id), WorkflowId(row.workflow_id))).collect())
}

pub(super) async fn insert(tx: &mut PgConnection, app: &App, user: UserId) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO workflow_apis (id, workflow_id, user_id, current_version_id, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        app.id.0,
        app.workflow.0,
        user.0,
        app.current.0,
        app.created_at,
        app.updated_at,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(super) async fn insert_version(
    tx: &mut PgConnection,
    _: &WritePermit,
    app: WorkflowApiId,
    version: &NewVersion<'_>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO workflow_api_versions (id, workflow_api_id, template, inputs, outputs, fields, created_at)
         VALUES ($1, $2, $3::text::json, $4::text::json, $5::text::json, $6::text::json, $7)",
        version.id.0,
        app.0,
        version.prompt.as_str(),
        text(version.inputs)?,
        text(version.outputs)?,
        text(version.fields)?,
        now,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// JSON as text, because sqlx sends JSON as jsonb, which would lose the order.
fn text(value: &(impl Serialize + ?Sized)) -> sqlx::Result<String> {
    serde_json::to_string(value).map_err(|error| sqlx::Error::Encode(Box::new(error)))
}

/// Sets the current version; returns when the app was made.
pub(super) async fn set_current(
    tx: &mut PgConnection,
    id: WorkflowApiId,
    version: WorkflowApiVersionId,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar!(
        "UPDATE workflow_apis SET current_version_id = $2, updated_at = $3 WHERE id = $1 AND deleted_at IS NULL
         RETURNING created_at",
        id.0,
        version.0,
        now,
    )
    .fetch_optional(tx)
    .await
}

pub(super) async fn delete(tx: &mut PgConnection, id: WorkflowApiId, now: DateTime<Utc>) -> sqlx::Result<bool> {
    let done = sqlx::query!("UPDATE workflow_apis SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL", id.0, now)
        .execute(tx)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// All versions of the mini apps of these workflows.
pub(super) async fn versions_of(
    tx: &mut PgConnection,
    workflows: &[Uuid],
) -> sqlx::Result<Vec<(WorkflowApiVersionId, WorkflowId)>> {
    let rows = sqlx::query!(
        "SELECT v.id, a.workflow_id FROM workflow_api_versions v JOIN workflow_apis a ON a.id = v.workflow_api_id
         WHERE a.workflow_id = ANY($1)",
        workflows
    );
    let rows = rows.fetch_all(tx).await?;
    Ok(rows.into_iter().map(|row| (WorkflowApiVersionId(row.id), WorkflowId(row.workflow_id))).collect())
}

pub(super) async fn delete_versions(tx: &mut PgConnection, ids: &[Uuid]) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM workflow_api_versions WHERE id = ANY($1)", ids).execute(tx).await?;
    Ok(())
}

/// The saved entries of a version.
pub(super) async fn entries(db: &PgPool, version: WorkflowApiVersionId) -> sqlx::Result<Option<(Inputs, Outputs)>> {
    let row = sqlx::query!(
        r#"SELECT inputs AS "inputs: Json<Inputs>", outputs AS "outputs: Json<Outputs>"
           FROM workflow_api_versions WHERE id = $1"#,
        version.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| (row.inputs.0, row.outputs.0)))
}

/// Versions to compile, including those of deleted apps, because jobs outlive them.
pub(super) async fn all_compiled(
    db: &PgPool,
    versions: &[WorkflowApiVersionId],
) -> Result<Vec<(WorkflowApiVersionId, CompiledApp)>> {
    if versions.is_empty() {
        return Ok(Vec::new());
    }
    let versions: Vec<Uuid> = versions.iter().map(|version| version.0).collect();
    let rows = sqlx::query!(
        r#"SELECT v.id AS version, v.template AS "prompt: Json<Box<RawValue>>", v.fields AS "fields: Json<Vec<Field>>",
                  v.outputs AS "outputs: Json<Outputs>", a.id, a.workflow_id, a.user_id
           FROM workflow_api_versions v JOIN workflow_apis a ON a.id = v.workflow_api_id WHERE v.id = ANY($1)"#,
        &versions,
    )
    .fetch_all(db)
    .await?;
    let compiled = rows.into_iter().map(|row| {
        let version = WorkflowApiVersionId(row.version);
        let outputs = row.outputs.0.into_values().collect();
        let prompt = WrittenPrompt::read(&row.prompt.0);
        let prompt = prompt.map_err(|refusal| {
            Error::Internal(format!("version {version} of a mini app: {}", refusal.error.message))
        })?;
        let stored = Stored { prompt, fields: row.fields.0, outputs };
        CompiledApp::new(WorkflowApiId(row.id), version, WorkflowId(row.workflow_id), UserId(row.user_id), stored)
            .map(|app| (version, app))
            .map_err(|gone| Error::Internal(format!("version {version} of a mini app: {gone}")))
    });
    compiled.collect()
}
