//! SQL of galleries.

use std::collections::HashSet;

use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::ids::{AssetId, WorkflowId};

pub(in crate::workflows) async fn of(db: &PgPool, ids: &[WorkflowId]) -> sqlx::Result<Vec<(WorkflowId, AssetId)>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let rows = sqlx::query!(
        "SELECT workflow_id, asset_id FROM workflow_thumbnails WHERE workflow_id = ANY($1) ORDER BY workflow_id, position",
        &ids,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (WorkflowId(row.workflow_id), AssetId(row.asset_id))).collect())
}

pub(in crate::workflows) async fn locked(tx: &mut PgConnection, id: WorkflowId) -> sqlx::Result<Vec<AssetId>> {
    let ids =
        sqlx::query_scalar!("SELECT asset_id FROM workflow_thumbnails WHERE workflow_id = $1 ORDER BY position", id.0)
            .fetch_all(tx)
            .await?;
    Ok(ids.into_iter().map(AssetId).collect())
}

pub(in crate::workflows) async fn replace(
    tx: &mut PgConnection,
    id: WorkflowId,
    assets: &[AssetId],
) -> sqlx::Result<()> {
    let assets: Vec<Uuid> = assets.iter().map(|asset| asset.0).collect();
    sqlx::query!("DELETE FROM workflow_thumbnails WHERE workflow_id = $1", id.0).execute(&mut *tx).await?;
    sqlx::query!(
        "INSERT INTO workflow_thumbnails (workflow_id, position, asset_id)
         SELECT $1, place::smallint, asset FROM UNNEST($2::uuid[]) WITH ORDINALITY AS given(asset, place)",
        id.0,
        &assets,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The pictures among these that are on no published workflow.
pub(in crate::workflows) async fn not_on_show(
    tx: &mut PgConnection,
    pictures: &[AssetId],
) -> sqlx::Result<Vec<AssetId>> {
    let pictures: Vec<Uuid> = pictures.iter().map(|asset| asset.0).collect();
    let ids = sqlx::query_scalar!(
        r#"SELECT DISTINCT id AS "id!" FROM UNNEST($1::uuid[]) AS given(id)
           WHERE NOT EXISTS (SELECT FROM workflows w
                             WHERE w.cover_asset_id = given.id AND NOT w.is_private AND w.deleted_at IS NULL)
             AND NOT EXISTS (SELECT FROM workflow_thumbnails t JOIN workflows w ON w.id = t.workflow_id
                             WHERE t.asset_id = given.id AND NOT w.is_private AND w.deleted_at IS NULL)"#,
        &pictures,
    )
    .fetch_all(tx)
    .await?;
    Ok(ids.into_iter().map(AssetId).collect())
}

/// Cover and gallery of a workflow, deleted or not.
pub(in crate::workflows) async fn of_any(tx: &mut PgConnection, id: WorkflowId) -> sqlx::Result<Vec<AssetId>> {
    let query = "SELECT cover_asset_id FROM workflows WHERE id = $1 AND cover_asset_id IS NOT NULL
                 UNION SELECT asset_id FROM workflow_thumbnails WHERE workflow_id = $1";
    let ids: Vec<Uuid> = sqlx::query_scalar(query).bind(id.0).fetch_all(tx).await?;
    Ok(ids.into_iter().map(AssetId).collect())
}

/// The pictures among these that are on any workflow.
pub(in crate::workflows) async fn in_use(db: &PgPool, pictures: &[AssetId]) -> sqlx::Result<HashSet<AssetId>> {
    let pictures: Vec<Uuid> = pictures.iter().map(|asset| asset.0).collect();
    let ids = sqlx::query_scalar!(
        r#"SELECT DISTINCT id AS "id!" FROM UNNEST($1::uuid[]) AS given(id)
           WHERE EXISTS (SELECT FROM workflows w WHERE w.cover_asset_id = given.id AND w.deleted_at IS NULL)
              OR EXISTS (SELECT FROM workflow_thumbnails t JOIN workflows w ON w.id = t.workflow_id
                         WHERE t.asset_id = given.id AND w.deleted_at IS NULL)"#,
        &pictures,
    )
    .fetch_all(db)
    .await?;
    Ok(ids.into_iter().map(AssetId).collect())
}
