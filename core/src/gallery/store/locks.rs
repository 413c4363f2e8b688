//! SQL of the contents of outputs and inputs, for moderators' actions.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::assets::ContentHash;
use crate::ids::{OutputAssetId, UserId};

/// Also of deleted outputs, whose content may come back.
pub(in super::super) async fn contents_of(
    tx: &mut PgConnection,
    ids: &[OutputAssetId],
) -> sqlx::Result<Vec<ContentHash>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let query = "SELECT DISTINCT content FROM output_assets WHERE id = ANY($1)";
    let found: Vec<String> = sqlx::query_scalar(query).bind(ids).fetch_all(tx).await?;
    Ok(found.into_iter().map(ContentHash).collect())
}

/// The contents of outputs that exist, of one owner or of any.
pub(in super::super) async fn own_contents(
    db: &PgPool,
    ids: &[OutputAssetId],
    owner: Option<UserId>,
) -> sqlx::Result<Vec<ContentHash>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let query = "SELECT DISTINCT content FROM output_assets
                 WHERE id = ANY($1) AND deleted_at IS NULL AND ($2::uuid IS NULL OR user_id = $2)";
    let found: Vec<String> = sqlx::query_scalar(query).bind(ids).bind(owner.map(|owner| owner.0)).fetch_all(db).await?;
    Ok(found.into_iter().map(ContentHash).collect())
}

pub(in super::super) async fn hide(
    tx: &mut PgConnection,
    contents: &[ContentHash],
    expires_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    let outputs = "UPDATE output_assets SET is_private = true, expires_at = $2
                   WHERE content = ANY($1) AND NOT is_private AND deleted_at IS NULL";
    sqlx::query(outputs).bind(texts(contents)).bind(expires_at).execute(&mut *tx).await?;
    let inputs = "UPDATE input_assets i SET is_private = true FROM assets a
                  WHERE a.id = i.asset_id AND a.content = ANY($1) AND NOT i.is_private";
    sqlx::query(inputs).bind(texts(contents)).execute(tx).await?;
    Ok(())
}

pub(in super::super) async fn shown_by_others(
    tx: &mut PgConnection,
    contents: &[ContentHash],
    author: UserId,
) -> sqlx::Result<Vec<ContentHash>> {
    let query = "SELECT DISTINCT content FROM output_assets
                 WHERE content = ANY($1) AND user_id <> $2 AND NOT is_private AND deleted_at IS NULL";
    let found: Vec<String> = sqlx::query_scalar(query).bind(texts(contents)).bind(author.0).fetch_all(tx).await?;
    Ok(found.into_iter().map(ContentHash).collect())
}

fn texts(contents: &[ContentHash]) -> Vec<String> {
    contents.iter().map(|content| content.0.clone()).collect()
}
