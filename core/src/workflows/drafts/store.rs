//! SQL of drafts.

use chrono::{DateTime, Utc};
use serde_json::value::RawValue;
use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::draft::Draft;
use crate::ids::{UserId, WorkflowId};
use crate::users::WritePermit;

struct Row {
    workflow_id: Option<Uuid>,
    name: String,
    ui: Json<Box<RawValue>>,
    base_version: Option<i32>,
    revision: Uuid,
    updated_at: DateTime<Utc>,
}

impl From<Row> for Draft {
    fn from(row: Row) -> Self {
        let Row { workflow_id: _, name, ui, base_version, revision, updated_at } = row;
        Self { name, ui: ui.0.into(), base_version, revision, updated_at }
    }
}

pub(super) async fn find(db: &PgPool, user: UserId, id: Option<WorkflowId>) -> sqlx::Result<Option<Draft>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT workflow_id, name, ui_graph AS "ui: Json<Box<RawValue>>", base_version, revision, updated_at
           FROM workflow_drafts WHERE user_id = $1 AND workflow_id IS NOT DISTINCT FROM $2"#,
        user.0,
        id.map(|id| id.0),
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(Into::into))
}

pub(super) async fn after(
    db: &PgPool,
    user: UserId,
    after: Option<Uuid>,
    most: i64,
) -> sqlx::Result<Vec<(Option<WorkflowId>, Draft)>> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT workflow_id, name, ui_graph AS "ui: Json<Box<RawValue>>", base_version, revision, updated_at
           FROM workflow_drafts
           WHERE user_id = $1 AND ($2::uuid IS NULL OR revision > $2) ORDER BY revision LIMIT $3"#,
        user.0,
        after,
        most,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.workflow_id.map(WorkflowId), row.into())).collect())
}

/// Stores a draft. `false`: another page has stored one, and this page does not know its revision. A page whose last
/// answer was lost does not know the revision that it wrote itself.
pub(super) async fn put(
    tx: &mut PgConnection,
    _: &WritePermit,
    (user, id): (UserId, Option<WorkflowId>),
    draft: &Draft,
    (page, known): (&str, Option<Uuid>),
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO workflow_drafts (user_id, workflow_id, name, ui_graph, base_version, revision, page, updated_at)
         VALUES ($1, $2, $3, $4::text::json, $5, $6, $7, $8)
         ON CONFLICT (user_id, workflow_id) DO UPDATE
         SET name = excluded.name, ui_graph = excluded.ui_graph, base_version = excluded.base_version,
             revision = excluded.revision, page = excluded.page, updated_at = excluded.updated_at
         WHERE workflow_drafts.page = excluded.page OR workflow_drafts.revision = $9",
        user.0,
        id.map(|id| id.0),
        draft.name,
        // As text, because sqlx sends JSON as jsonb, which would lose order and digits.
        draft.ui.as_str(),
        draft.base_version,
        draft.revision,
        page,
        draft.updated_at,
        known,
    )
    .execute(tx)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Deletes the oldest drafts of a user beyond this count.
pub(super) async fn trim(tx: &mut PgConnection, user: UserId, most: i64) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM workflow_drafts WHERE user_id = $1 AND revision IN (
             SELECT revision FROM workflow_drafts WHERE user_id = $1 ORDER BY updated_at DESC, revision DESC OFFSET $2)",
        user.0,
        most,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(in crate::workflows) async fn delete(
    tx: &mut PgConnection,
    user: UserId,
    id: Option<WorkflowId>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM workflow_drafts WHERE user_id = $1 AND workflow_id IS NOT DISTINCT FROM $2",
        user.0,
        id.map(|id| id.0),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes the drafts of all users of a deleted workflow.
pub(in crate::workflows) async fn delete_of(tx: &mut PgConnection, id: WorkflowId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM workflow_drafts WHERE workflow_id = $1", id.0).execute(tx).await?;
    Ok(())
}

pub(super) async fn delete_all(db: &PgPool, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM workflow_drafts WHERE user_id = $1", user.0).execute(db).await?;
    Ok(())
}
