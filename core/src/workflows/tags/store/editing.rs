//! SQL of changes to the tree of tags.

use std::collections::HashMap;

use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::ids::WorkflowTagId;
use crate::workflows::tags::tag::{Tag, TagUse};

/// Deleted workflows do not count.
pub(in crate::workflows) async fn uses(db: &PgPool) -> sqlx::Result<HashMap<WorkflowTagId, TagUse>> {
    let rows = sqlx::query!(
        r#"SELECT l.tag_id, count(*) AS "workflows!", count(l.listed_at) AS "published!"
           FROM workflow_tag_links l JOIN workflows w ON w.id = l.workflow_id
           WHERE w.deleted_at IS NULL GROUP BY l.tag_id"#
    )
    .fetch_all(db)
    .await?;
    let uses = rows
        .into_iter()
        .map(|row| (WorkflowTagId(row.tag_id), TagUse { workflows: row.workflows, published: row.published }));
    Ok(uses.collect())
}

/// All tags, locked against changes until the transaction ends. Workflows can still be tagged.
pub(in crate::workflows) async fn lock(tx: &mut PgConnection) -> sqlx::Result<Vec<Tag>> {
    sqlx::query!("LOCK TABLE workflow_tags IN SHARE ROW EXCLUSIVE MODE").execute(&mut *tx).await?;
    sqlx::query_as!(
        Tag,
        r#"SELECT id AS "id: WorkflowTagId", name, name_ko, depth, parent_id AS "parent: WorkflowTagId", created_at
           FROM workflow_tags ORDER BY position, created_at, id"#
    )
    .fetch_all(tx)
    .await
}

/// Inserts the tag as the last child of its parent.
pub(in crate::workflows) async fn insert(tx: &mut PgConnection, tag: &Tag) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO workflow_tags (id, parent_id, depth, name, name_ko, created_at, position)
         SELECT $1, $2, $3, $4, $5, $6, coalesce(max(position), 0) + 1
         FROM workflow_tags WHERE parent_id IS NOT DISTINCT FROM $2",
        tag.id.0,
        tag.parent.map(|id| id.0),
        tag.depth,
        tag.name,
        tag.name_ko,
        tag.created_at,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Writes the tag, as the last child if its parent changes.
pub(in crate::workflows) async fn update(tx: &mut PgConnection, tag: &Tag, moves: bool) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE workflow_tags t SET parent_id = $2, depth = $3, name = $4, name_ko = $5,
           position = CASE WHEN $6 THEN
             (SELECT coalesce(max(o.position), 0) + 1 FROM workflow_tags o WHERE o.parent_id IS NOT DISTINCT FROM $2)
           ELSE t.position END
         WHERE t.id = $1",
        tag.id.0,
        tag.parent.map(|id| id.0),
        tag.depth,
        tag.name,
        tag.name_ko,
        moves,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(in crate::workflows) async fn place(tx: &mut PgConnection, ids: &[WorkflowTagId]) -> sqlx::Result<()> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    sqlx::query!(
        "UPDATE workflow_tags t SET position = placed.place::integer
         FROM UNNEST($1::uuid[]) WITH ORDINALITY AS placed(id, place) WHERE t.id = placed.id",
        &ids
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Removes the search words of all workflows with the tag, or with one below it, so that they are indexed again.
pub(in crate::workflows) async fn forget_words(tx: &mut PgConnection, tag: WorkflowTagId) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE workflows SET search = NULL, search_name = NULL
         WHERE id IN (SELECT workflow_id FROM workflow_tag_links WHERE tag_id = $1)",
        tag.0
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Moves the children of one root to another, behind its own.
pub(in crate::workflows) async fn adopt(
    tx: &mut PgConnection,
    from: WorkflowTagId,
    into: WorkflowTagId,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE workflow_tags SET parent_id = $2,
           position = position + (SELECT coalesce(max(position), 0) FROM workflow_tags WHERE parent_id = $2)
         WHERE parent_id = $1",
        from.0,
        into.0,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Replaces `from` by `into` on all workflows, at the position of `from` unless the workflow has `into` already.
pub(in crate::workflows) async fn hand_over(
    tx: &mut PgConnection,
    from: WorkflowTagId,
    into: WorkflowTagId,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO workflow_tag_links (workflow_id, tag_id, position, is_nsfw, listed_at)
         SELECT workflow_id, $2, position, is_nsfw, listed_at FROM workflow_tag_links WHERE tag_id = $1
         ON CONFLICT ON CONSTRAINT workflow_tag_links_pkey
         DO UPDATE SET position = coalesce(workflow_tag_links.position, excluded.position)",
        from.0,
        into.0,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!("DELETE FROM workflow_tag_links WHERE tag_id = $1", from.0).execute(tx).await?;
    Ok(())
}

/// Rewrites the derived links to parents of all workflows with the tag.
pub(in crate::workflows) async fn imply_again(tx: &mut PgConnection, tag: WorkflowTagId) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH concerned AS (SELECT workflow_id FROM workflow_tag_links WHERE tag_id = $1),
         implied AS (
           SELECT DISTINCT l.workflow_id, t.parent_id, l.is_nsfw, l.listed_at
           FROM workflow_tag_links l JOIN workflow_tags t ON t.id = l.tag_id
           WHERE l.workflow_id IN (SELECT workflow_id FROM concerned) AND l.position IS NOT NULL
             AND t.parent_id IS NOT NULL
         ),
         gone AS (
           DELETE FROM workflow_tag_links l
           WHERE l.workflow_id IN (SELECT workflow_id FROM concerned) AND l.position IS NULL
             AND NOT EXISTS (SELECT FROM implied i WHERE i.workflow_id = l.workflow_id AND i.parent_id = l.tag_id)
         )
         INSERT INTO workflow_tag_links (workflow_id, tag_id, is_nsfw, listed_at)
         SELECT workflow_id, parent_id, is_nsfw, listed_at FROM implied
         ON CONFLICT ON CONSTRAINT workflow_tag_links_pkey DO NOTHING",
        tag.0
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Counts the workflows with the tag, without deleted ones.
pub(in crate::workflows) async fn users_of(tx: &mut PgConnection, tag: WorkflowTagId) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM workflow_tag_links l JOIN workflows w ON w.id = l.workflow_id
           WHERE l.tag_id = $1 AND w.deleted_at IS NULL"#,
        tag.0
    )
    .fetch_one(tx)
    .await
}

/// Removes the tag from deleted workflows.
pub(in crate::workflows) async fn forget_deleted(tx: &mut PgConnection, tag: WorkflowTagId) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM workflow_tag_links l USING workflows w
         WHERE l.tag_id = $1 AND w.id = l.workflow_id AND w.deleted_at IS NOT NULL",
        tag.0
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(in crate::workflows) async fn delete(tx: &mut PgConnection, tag: WorkflowTagId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM workflow_tags WHERE id = $1", tag.0).execute(tx).await?;
    Ok(())
}
