//! SQL of tags and their links to workflows.

pub(in crate::workflows) mod editing;

use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::tag::Tag;
use crate::ids::{WorkflowId, WorkflowTagId};

pub(in crate::workflows) async fn all(db: &PgPool) -> sqlx::Result<Vec<Tag>> {
    sqlx::query_as!(
        Tag,
        r#"SELECT id AS "id: WorkflowTagId", name, name_ko, depth, parent_id AS "parent: WorkflowTagId", created_at
           FROM workflow_tags ORDER BY depth, position, created_at, id"#
    )
    .fetch_all(db)
    .await
}

pub(in crate::workflows) async fn of(db: &PgPool, ids: &[WorkflowId]) -> sqlx::Result<Vec<(WorkflowId, Tag)>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let rows = sqlx::query!(
        "SELECT l.workflow_id, t.id, t.name, t.name_ko, t.depth, t.parent_id, t.created_at
         FROM workflow_tag_links l JOIN workflow_tags t ON t.id = l.tag_id
         WHERE l.workflow_id = ANY($1) AND l.position IS NOT NULL ORDER BY l.workflow_id, l.position",
        &ids,
    )
    .fetch_all(db)
    .await?;
    let tags = rows.into_iter().map(|row| {
        let tag = Tag {
            id: WorkflowTagId(row.id),
            name: row.name,
            name_ko: row.name_ko,
            depth: row.depth,
            parent: row.parent_id.map(WorkflowTagId),
            created_at: row.created_at,
        };
        (WorkflowId(row.workflow_id), tag)
    });
    Ok(tags.collect())
}

/// Replaces the tags of a workflow and the links to their parents; returns how many of the tags exist.
pub(in crate::workflows) async fn replace(
    tx: &mut PgConnection,
    workflow: WorkflowId,
    tags: &[WorkflowTagId],
) -> sqlx::Result<usize> {
    let ids: Vec<Uuid> = tags.iter().map(|tag| tag.0).collect();
    sqlx::query!("DELETE FROM workflow_tag_links WHERE workflow_id = $1", workflow.0).execute(&mut *tx).await?;
    let chosen = sqlx::query!(
        "INSERT INTO workflow_tag_links (workflow_id, tag_id, position)
         SELECT $1, chosen.id, chosen.place::smallint
         FROM UNNEST($2::uuid[]) WITH ORDINALITY AS chosen(id, place) JOIN workflow_tags t ON t.id = chosen.id
         FOR KEY SHARE OF t",
        workflow.0,
        &ids,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "INSERT INTO workflow_tag_links (workflow_id, tag_id)
         SELECT DISTINCT $1::uuid, parent_id FROM workflow_tags WHERE id = ANY($2) AND parent_id IS NOT NULL
         ON CONFLICT DO NOTHING",
        workflow.0,
        &ids,
    )
    .execute(tx)
    .await?;
    Ok(usize::try_from(chosen.rows_affected()).unwrap_or(usize::MAX))
}

/// Copies to the links whether and since when the workflow is listed.
pub(in crate::workflows) async fn relist(tx: &mut PgConnection, workflow: WorkflowId) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE workflow_tag_links l
         SET listed_at = CASE WHEN w.is_private OR w.deleted_at IS NOT NULL THEN NULL ELSE w.published_at END,
             is_nsfw = w.is_nsfw
         FROM workflows w WHERE w.id = $1 AND l.workflow_id = w.id",
        workflow.0
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Names of a workflow's tags and of their parents in both languages, for its search words.
pub(in crate::workflows) async fn names(tx: &mut PgConnection, workflow: WorkflowId) -> sqlx::Result<Vec<String>> {
    let rows = sqlx::query!(
        "SELECT t.name, t.name_ko FROM workflow_tag_links l JOIN workflow_tags t ON t.id = l.tag_id
         WHERE l.workflow_id = $1",
        workflow.0
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().flat_map(|row| [row.name, row.name_ko]).collect())
}
