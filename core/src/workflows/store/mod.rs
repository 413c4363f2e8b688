//! SQL of workflows.

pub(super) mod basics;
pub(super) mod traits;

use chrono::{DateTime, Utc};
use serde_json::value::RawValue;
use sqlx::types::Json;
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use super::app_traits::AppTraits;
use super::app_traits::kind::WorkflowKind;
use super::translations::Translations;
use super::words::SearchWords;
use super::workflow::{Graph, Workflow};
use crate::graph::{JsonText, WrittenPrompt};
use crate::ids::{AssetId, UserId, WorkflowApiId, WorkflowId};
use crate::users::WritePermit;

/// A row as sqlx reads it; [`Workflow`] has typed ids.
pub(in crate::workflows) struct Row {
    pub id: Uuid,
    pub user_id: Uuid,
    pub name: String,
    pub description: String,
    pub translations: Json<Translations>,
    pub is_private: bool,
    pub is_nsfw: bool,
    pub cover_asset_id: Option<Uuid>,
    pub workflow_api_id: Option<Uuid>,
    pub version: i32,
    pub like_count: i64,
    pub view_count: i64,
    pub launch_count: i64,
    pub created_at: DateTime<Utc>,
    pub edited_at: DateTime<Utc>,
    pub published_at: Option<DateTime<Utc>>,
    pub basic_at: Option<DateTime<Utc>>,
    pub marked_kind: Option<String>,
    pub app_takes: Option<Vec<String>>,
    pub app_makes: Option<Vec<String>>,
    pub app_works: Option<bool>,
}

impl From<Row> for Workflow {
    fn from(row: Row) -> Self {
        Self {
            id: WorkflowId(row.id),
            user: UserId(row.user_id),
            name: row.name,
            description: row.description,
            translations: row.translations.0,
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
            basic_at: row.basic_at,
            marked_kind: row.marked_kind.and_then(|word| word.parse().ok()),
            app: AppTraits::of_row(row.app_takes, row.app_makes, row.app_works),
        }
    }
}

/// `SELECT` of whole rows: the expressions for description and translations, and what follows `FROM workflows`.
macro_rules! columns {
    ($description:literal, $translations:literal, $rest:literal $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            Row,
            "SELECT id, user_id, name, " + $description + ", " + $translations
                + " AS \"translations!: Json<Translations>\",
                    is_private, is_nsfw, cover_asset_id, workflow_api_id, version,
                    like_count, view_count, launch_count, created_at, edited_at, published_at, basic_at, marked_kind,
                    app_takes, app_makes, app_works
             FROM workflows " + $rest,
            $($argument),*
        )
    };
}
pub(in crate::workflows) use columns;

pub(super) async fn find(db: &PgPool, id: WorkflowId) -> sqlx::Result<Option<Workflow>> {
    let row = columns!("description", "translations", "WHERE id = $1 AND deleted_at IS NULL", id.0)
        .fetch_optional(db)
        .await?;
    Ok(row.map(Into::into))
}

pub(super) async fn lock(tx: &mut PgConnection, id: WorkflowId) -> sqlx::Result<Option<Workflow>> {
    let row = columns!("description", "translations", "WHERE id = $1 AND deleted_at IS NULL FOR UPDATE", id.0)
        .fetch_optional(tx)
        .await?;
    Ok(row.map(Into::into))
}

pub(super) async fn insert(tx: &mut PgConnection, _: &WritePermit, workflow: &Workflow) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO workflows (id, user_id, name, description, is_private, is_nsfw, cover_asset_id, version,
                                like_count, view_count, launch_count, created_at, edited_at, published_at, translations)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
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
        Json(&workflow.translations) as _,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Writes the fields that users change. Counters and the mini app have statements of their own.
pub(super) async fn update(tx: &mut PgConnection, workflow: &Workflow) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE workflows
         SET name = $2, description = $3, is_private = $4, cover_asset_id = $5, version = $6, edited_at = $7,
             published_at = $8, is_nsfw = $9, basic_at = $10, translations = $11,
             marked_kind = $12,
             basic_rank = CASE WHEN $10::timestamptz IS NOT NULL
               THEN coalesce(basic_rank, (extract(epoch FROM $10::timestamptz) * 1000000)::bigint) END
         WHERE id = $1 AND deleted_at IS NULL",
        workflow.id.0,
        workflow.name,
        workflow.description,
        workflow.is_private,
        workflow.cover.map(|id| id.0),
        workflow.version,
        workflow.edited_at,
        workflow.published_at,
        workflow.is_nsfw,
        workflow.basic_at,
        Json(&workflow.translations) as _,
        workflow.marked_kind.map(WorkflowKind::name),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The row stays for references to it; texts and graphs are removed.
pub(super) async fn delete(tx: &mut PgConnection, id: WorkflowId, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE workflows SET deleted_at = $2, name = '-', description = '', translations = '{}', search = NULL,
                              search_name = NULL
         WHERE id = $1 AND deleted_at IS NULL",
        id.0,
        now
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!("DELETE FROM workflow_versions WHERE workflow_id = $1", id.0).execute(&mut *tx).await?;
    super::drafts::store::delete_of(tx, id).await
}

/// Some workflows that were deleted before this time and that only their author could run, of one author or of all,
/// locked until the transaction ends.
pub(super) async fn to_forget(
    tx: &mut PgConnection,
    author: Option<UserId>,
    before: DateTime<Utc>,
    most: i64,
) -> sqlx::Result<Vec<WorkflowId>> {
    let found = sqlx::query_scalar!(
        "SELECT id FROM workflows
         WHERE deleted_at <= $2 AND forgotten_at IS NULL AND published_at IS NULL AND ($1::uuid IS NULL OR user_id = $1)
         ORDER BY deleted_at LIMIT $3 FOR UPDATE SKIP LOCKED",
        author.map(|author| author.0),
        before,
        most,
    )
    .fetch_all(tx)
    .await?;
    Ok(found.into_iter().map(WorkflowId).collect())
}

/// Records that nothing else is stored because of them.
pub(super) async fn set_forgotten(tx: &mut PgConnection, ids: &[WorkflowId], now: DateTime<Utc>) -> sqlx::Result<()> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    sqlx::query!("UPDATE workflows SET forgotten_at = $2 WHERE id = ANY($1)", &ids, now).execute(tx).await?;
    Ok(())
}

/// Sets whether only admins may publish the workflow.
pub(super) async fn set_locked(
    tx: &mut PgConnection,
    id: WorkflowId,
    since: Option<DateTime<Utc>>,
) -> sqlx::Result<()> {
    sqlx::query!("UPDATE workflows SET locked_at = $2 WHERE id = $1", id.0, since).execute(tx).await?;
    Ok(())
}

/// Locks the graphs of all versions for the author. Empty graphs are never locked.
pub(super) async fn lock_graphs(tx: &mut PgConnection, id: WorkflowId) -> sqlx::Result<()> {
    let query = "INSERT INTO workflow_graph_locks (holder, content_hash)
                 SELECT DISTINCT workflow_id, content_hash FROM workflow_versions
                 WHERE workflow_id = $1 AND (ui_graph IS NOT NULL OR api_prompt IS NOT NULL)
                 ON CONFLICT DO NOTHING";
    sqlx::query(query).bind(id.0).execute(tx).await?;
    Ok(())
}

/// Unlocks its graphs, and detaches it from the workflow that it was copied from.
pub(super) async fn unlock_graphs(tx: &mut PgConnection, id: WorkflowId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM workflow_graph_locks WHERE holder = $1", id.0).execute(&mut *tx).await?;
    sqlx::query!("UPDATE workflows SET copied_from = NULL WHERE id = $1 AND copied_from IS NOT NULL", id.0)
        .execute(tx)
        .await?;
    Ok(())
}

pub(super) async fn set_origin(tx: &mut PgConnection, id: WorkflowId, origin: WorkflowId) -> sqlx::Result<()> {
    sqlx::query!("UPDATE workflows SET copied_from = $2 WHERE id = $1", id.0, origin.0).execute(tx).await?;
    Ok(())
}

/// Whether only admins may publish it: it is locked itself, it is a copy (of a copy) of a locked one, or another
/// workflow of its author with the same graph is locked.
pub(super) async fn is_locked(tx: &mut PgConnection, id: WorkflowId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"WITH RECURSIVE line (id, copied_from, locked_at, depth) AS (
             SELECT id, copied_from, locked_at, 0 FROM workflows WHERE id = $1
             UNION ALL
             SELECT w.id, w.copied_from, w.locked_at, line.depth + 1
             FROM line JOIN workflows w ON w.id = line.copied_from WHERE line.depth < 1000)
           SELECT EXISTS (SELECT FROM line WHERE locked_at IS NOT NULL)
               OR EXISTS (SELECT FROM workflows own JOIN workflow_versions v ON v.workflow_id = own.id AND v.version = own.version
                          JOIN workflow_graph_locks l ON l.content_hash = v.content_hash
                          JOIN workflows holder ON holder.id = l.holder AND holder.user_id = own.user_id
                          WHERE own.id = $1) AS "locked!""#,
        id.0,
    )
    .fetch_one(tx)
    .await
}

pub(super) async fn attach_api(tx: &mut PgConnection, id: WorkflowId, api: Option<WorkflowApiId>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE workflows SET workflow_api_id = $2 WHERE id = $1", id.0, api.map(|api| api.0))
        .execute(tx)
        .await?;
    Ok(())
}

/// Counts the tags and the pictures of a workflow.
pub(super) async fn readiness(tx: &mut PgConnection, id: WorkflowId) -> sqlx::Result<(usize, usize)> {
    let row = sqlx::query!(
        r#"SELECT (SELECT count(*) FROM workflow_tag_links WHERE workflow_id = $1 AND position IS NOT NULL) AS "tags!",
                  (SELECT count(*) FROM workflow_thumbnails WHERE workflow_id = $1) AS "thumbnails!""#,
        id.0
    )
    .fetch_one(tx)
    .await?;
    Ok((usize::try_from(row.tags).unwrap_or(0), usize::try_from(row.thumbnails).unwrap_or(0)))
}

/// Writes the search words.
pub(super) async fn set_words(tx: &mut PgConnection, id: WorkflowId, words: &SearchWords) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE workflows SET search = array_to_tsvector($2::text[]), search_name = array_to_tsvector($3::text[])
         WHERE id = $1",
        id.0,
        &words.all,
        &words.name,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Workflows without search words.
pub(super) async fn without_words(db: &PgPool, limit: i64) -> sqlx::Result<Vec<WorkflowId>> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM workflows WHERE deleted_at IS NULL AND search IS NULL ORDER BY id LIMIT $1",
        limit
    )
    .fetch_all(db)
    .await?;
    Ok(ids.into_iter().map(WorkflowId).collect())
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
        // As text, because sqlx sends JSON as jsonb, which would lose order and digits.
        graph.ui.as_ref().map(JsonText::as_str),
        graph.prompt.as_ref().map(|prompt| prompt.text.as_str()),
        hash,
        now,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(super) async fn graph(db: impl PgExecutor<'_>, id: WorkflowId, version: i32) -> sqlx::Result<Option<Graph>> {
    let row = sqlx::query!(
        r#"SELECT ui_graph AS "ui: Json<Box<RawValue>>", api_prompt AS "prompt: Json<Box<RawValue>>"
           FROM workflow_versions WHERE workflow_id = $1 AND version = $2"#,
        id.0,
        version,
    )
    .fetch_optional(db)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let prompt = row.prompt.map(|text| WrittenPrompt::read(&text.0)).transpose();
    let prompt = prompt.map_err(|refusal| sqlx::Error::Decode(refusal.error.message.into()))?;
    Ok(Some(Graph { ui: row.ui.map(|ui| ui.0.into()), prompt }))
}
