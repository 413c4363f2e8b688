//! SQL of workflows.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::types::Json;
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use super::{Graph, Place, Sort, Workflow};
use crate::graph::Prompt;
use crate::ids::{AssetId, UserId, WorkflowApiId, WorkflowId};

/// A row as it is read; [`Workflow`] has the ids' types.
struct Row {
    id: Uuid,
    user_id: Uuid,
    name: String,
    description: String,
    is_private: bool,
    is_nsfw: bool,
    cover_asset_id: Option<Uuid>,
    workflow_api_id: Option<Uuid>,
    version: i32,
    like_count: i64,
    view_count: i64,
    launch_count: i64,
    created_at: DateTime<Utc>,
    edited_at: DateTime<Utc>,
    published_at: Option<DateTime<Utc>>,
}

impl From<Row> for Workflow {
    fn from(row: Row) -> Self {
        Self {
            id: WorkflowId(row.id),
            user: UserId(row.user_id),
            name: row.name,
            description: row.description,
            is_private: row.is_private,
            is_nsfw: row.is_nsfw,
            cover: row.cover_asset_id.map(AssetId),
            workflow_api: row.workflow_api_id.map(WorkflowApiId),
            version: row.version,
            like_count: row.like_count,
            view_count: row.view_count,
            launch_count: row.launch_count,
            created_at: row.created_at,
            edited_at: row.edited_at,
            published_at: row.published_at,
        }
    }
}

/// `SELECT` of whole rows; the texts are everything behind `FROM workflows`.
macro_rules! select {
    ($($rest:literal)+ $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            Row,
            "SELECT id, user_id, name, description, is_private, is_nsfw, cover_asset_id, workflow_api_id, version,
                    like_count, view_count, launch_count, created_at, edited_at, published_at
             FROM workflows " $(+ $rest)+,
            $($argument),*
        )
    };
}

/// One piece of the published mini apps; the index of the order serves it.
macro_rules! published {
    ($db:expr, $order:literal, $after:literal, $key:expr, $id:expr, $limit:expr) => {
        match $id {
            Some(id) => {
                select!(
                    "WHERE deleted_at IS NULL AND NOT is_private AND NOT is_nsfw AND workflow_api_id IS NOT NULL
                       AND " $after " ORDER BY " $order " LIMIT $3",
                    $key, id, $limit,
                )
                .fetch_all($db)
                .await
            }
            None => {
                select!(
                    "WHERE deleted_at IS NULL AND NOT is_private AND NOT is_nsfw AND workflow_api_id IS NOT NULL
                     ORDER BY " $order " LIMIT $1",
                    $limit,
                )
                .fetch_all($db)
                .await
            }
        }
    };
}

pub(super) async fn find(db: &PgPool, id: WorkflowId) -> sqlx::Result<Option<Workflow>> {
    let row = select!("WHERE id = $1 AND deleted_at IS NULL", id.0).fetch_optional(db).await?;
    Ok(row.map(Into::into))
}

pub(super) async fn lock(tx: &mut PgConnection, id: WorkflowId) -> sqlx::Result<Option<Workflow>> {
    let row = select!("WHERE id = $1 AND deleted_at IS NULL FOR UPDATE", id.0).fetch_optional(tx).await?;
    Ok(row.map(Into::into))
}

pub(super) async fn mine(
    db: &PgPool,
    user: UserId,
    before: Option<WorkflowId>,
    limit: i64,
) -> sqlx::Result<Vec<Workflow>> {
    // The largest uuid stands for "from the start": one statement, one plan.
    let before = before.map_or(Uuid::max(), |id| id.0);
    let rows = select!(
        "WHERE user_id = $1 AND deleted_at IS NULL AND id < $2 ORDER BY id DESC LIMIT $3",
        user.0,
        before,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

pub(super) async fn published_apps(
    db: &PgPool,
    sort: Sort,
    after: Option<Place>,
    limit: i64,
) -> sqlx::Result<Vec<Workflow>> {
    let id = after.map(|place| place.id.0);
    let at = after.map(|place| place.at());
    let key = after.map(|place| place.key);
    let rows = match sort {
        Sort::Newest => published!(db, "published_at DESC, id DESC", "(published_at, id) < ($1, $2)", at, id, limit),
        Sort::Oldest => published!(db, "published_at, id", "(published_at, id) > ($1, $2)", at, id, limit),
        Sort::Like => published!(db, "like_count DESC, id DESC", "(like_count, id) < ($1, $2)", key, id, limit),
        Sort::View => published!(db, "view_count DESC, id DESC", "(view_count, id) < ($1, $2)", key, id, limit),
    }?;
    Ok(rows.into_iter().map(Into::into).collect())
}

pub(super) async fn insert(tx: &mut PgConnection, workflow: &Workflow) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO workflows (id, user_id, name, description, is_private, is_nsfw, cover_asset_id, version,
                                like_count, view_count, launch_count, created_at, edited_at, published_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        workflow.id.0,
        workflow.user.0,
        workflow.name,
        workflow.description,
        workflow.is_private,
        workflow.is_nsfw,
        workflow.cover.map(|id| id.0),
        workflow.version,
        workflow.like_count,
        workflow.view_count,
        workflow.launch_count,
        workflow.created_at,
        workflow.edited_at,
        workflow.published_at,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Writes what people change; counters and the mini app have statements of their own.
pub(super) async fn update(tx: &mut PgConnection, workflow: &Workflow) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE workflows
         SET name = $2, description = $3, is_private = $4, cover_asset_id = $5, version = $6, edited_at = $7,
             published_at = $8
         WHERE id = $1 AND deleted_at IS NULL",
        workflow.id.0,
        workflow.name,
        workflow.description,
        workflow.is_private,
        workflow.cover.map(|id| id.0),
        workflow.version,
        workflow.edited_at,
        workflow.published_at,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(super) async fn delete(tx: &mut PgConnection, id: WorkflowId, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE workflows SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL", id.0, now)
        .execute(tx)
        .await?;
    Ok(())
}

pub(super) async fn attach_api(tx: &mut PgConnection, id: WorkflowId, api: Option<WorkflowApiId>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE workflows SET workflow_api_id = $2 WHERE id = $1", id.0, api.map(|api| api.0))
        .execute(tx)
        .await?;
    Ok(())
}

pub(super) async fn count_launches(db: &PgPool, launches: &[(WorkflowId, i64)]) -> sqlx::Result<()> {
    let ids: Vec<Uuid> = launches.iter().map(|(id, _)| id.0).collect();
    let counts: Vec<i64> = launches.iter().map(|(_, count)| *count).collect();
    sqlx::query!(
        "UPDATE workflows SET launch_count = launch_count + added.count
         FROM (SELECT id, sum(count)::bigint AS count FROM UNNEST($1::uuid[], $2::bigint[]) AS one(id, count) GROUP BY id) added
         WHERE workflows.id = added.id",
        &ids,
        &counts,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub(super) async fn insert_version(
    tx: &mut PgConnection,
    id: WorkflowId,
    version: i32,
    graph: &Graph,
    hash: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO workflow_versions (workflow_id, version, ui_graph, api_prompt, content_hash, created_at)
         VALUES ($1, $2, $3::text::json, $4::text::json, $5, $6)",
        id.0,
        version,
        // As text, because sqlx sends JSON as jsonb, which would lose the order.
        graph.ui.as_ref().map(Value::to_string),
        graph.prompt.as_ref().map(|prompt| prompt.to_value().to_string()),
        hash,
        now,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(super) async fn version_hash(tx: &mut PgConnection, id: WorkflowId, version: i32) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        "SELECT content_hash FROM workflow_versions WHERE workflow_id = $1 AND version = $2",
        id.0,
        version
    )
    .fetch_optional(tx)
    .await
}

pub(super) async fn graph(db: impl PgExecutor<'_>, id: WorkflowId, version: i32) -> sqlx::Result<Option<Graph>> {
    let row = sqlx::query!(
        r#"SELECT ui_graph AS "ui: Json<Value>", api_prompt AS "prompt: Json<Prompt>"
           FROM workflow_versions WHERE workflow_id = $1 AND version = $2"#,
        id.0,
        version,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| Graph { ui: row.ui.map(|ui| ui.0), prompt: row.prompt.map(|prompt| prompt.0) }))
}
