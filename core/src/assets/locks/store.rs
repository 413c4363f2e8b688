//! SQL of contents that moderators have hidden.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use crate::assets::storage::content_hash::ContentHash;
use crate::ids::{AssetId, UserId};

pub(in crate::assets) async fn any(db: impl PgExecutor<'_>, contents: &[ContentHash]) -> sqlx::Result<bool> {
    let query = "SELECT EXISTS (SELECT FROM content_locks WHERE content = ANY($1))
                     OR EXISTS (SELECT FROM content_pixels p JOIN content_pixels twin USING (pixels)
                                JOIN content_locks l ON l.content = twin.content WHERE p.content = ANY($1))";
    sqlx::query_scalar(query).bind(texts(contents)).fetch_one(db).await
}

pub(in crate::assets) async fn among(
    db: impl PgExecutor<'_>,
    contents: &[ContentHash],
) -> sqlx::Result<HashSet<ContentHash>> {
    let query = "SELECT content FROM content_locks WHERE content = ANY($1)
                 UNION SELECT p.content FROM content_pixels p JOIN content_pixels twin USING (pixels)
                       JOIN content_locks l ON l.content = twin.content WHERE p.content = ANY($1)";
    let found: Vec<String> = sqlx::query_scalar(query).bind(texts(contents)).fetch_all(db).await?;
    Ok(found.into_iter().map(ContentHash).collect())
}

pub(in crate::assets) async fn insert(
    tx: &mut PgConnection,
    holder: Uuid,
    contents: &[ContentHash],
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let query = "INSERT INTO content_locks (content, holder, locked_at)
                 SELECT DISTINCT content, $2, $3 FROM UNNEST($1::text[]) AS given(content) ON CONFLICT DO NOTHING";
    sqlx::query(query).bind(texts(contents)).bind(holder).bind(now).execute(tx).await?;
    Ok(())
}

pub(in crate::assets) async fn record_pixels(
    db: impl PgExecutor<'_>,
    content: &ContentHash,
    pixels: &ContentHash,
) -> sqlx::Result<()> {
    let query = "INSERT INTO content_pixels (content, pixels) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    sqlx::query(query).bind(content.as_str()).bind(pixels.as_str()).execute(db).await?;
    Ok(())
}

/// Deletes pixel digests of deleted files, except locked ones: their pixels may be uploaded again.
pub(in crate::assets) async fn forget_pixels(db: impl PgExecutor<'_>, gone: &[ContentHash]) -> sqlx::Result<()> {
    let query = "DELETE FROM content_pixels p WHERE content = ANY($1)
                 AND NOT EXISTS (SELECT FROM content_locks l WHERE l.content = p.content)";
    sqlx::query(query).bind(texts(gone)).execute(db).await?;
    Ok(())
}

/// Those of these without a pixel digest.
pub(in crate::assets) async fn without_pixels(
    db: impl PgExecutor<'_>,
    contents: &[ContentHash],
) -> sqlx::Result<Vec<ContentHash>> {
    let query = "SELECT DISTINCT content FROM UNNEST($1::text[]) AS given(content)
                 WHERE NOT EXISTS (SELECT FROM content_pixels p WHERE p.content = given.content)";
    let found: Vec<String> = sqlx::query_scalar(query).bind(texts(contents)).fetch_all(db).await?;
    Ok(found.into_iter().map(ContentHash).collect())
}

/// Pairs of a given file and another file with the same pixels.
pub(in crate::assets) async fn twins(
    tx: &mut PgConnection,
    contents: &[ContentHash],
) -> sqlx::Result<Vec<(ContentHash, ContentHash)>> {
    let query = "SELECT p.content, twin.content FROM content_pixels p JOIN content_pixels twin USING (pixels)
                 WHERE p.content = ANY($1) AND twin.content <> p.content";
    let found: Vec<(String, String)> = sqlx::query_as(query).bind(texts(contents)).fetch_all(tx).await?;
    Ok(found.into_iter().map(|(of, twin)| (ContentHash(of), ContentHash(twin))).collect())
}

/// Copies the locks of one file to another.
pub(in crate::assets) async fn copy(tx: &mut PgConnection, from: &ContentHash, to: &ContentHash) -> sqlx::Result<()> {
    let query = "INSERT INTO content_locks (content, holder, locked_at)
                 SELECT $2, holder, locked_at FROM content_locks WHERE content = $1 ON CONFLICT DO NOTHING";
    sqlx::query(query).bind(from.as_str()).bind(to.as_str()).execute(tx).await?;
    Ok(())
}

pub(in crate::assets) async fn delete(tx: &mut PgConnection, holder: Uuid) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM content_locks WHERE holder = $1").bind(holder).execute(tx).await?;
    Ok(())
}

/// Includes deleted assets, whose bytes may be uploaded again.
pub(in crate::assets) async fn contents_of(db: impl PgExecutor<'_>, ids: &[AssetId]) -> sqlx::Result<Vec<ContentHash>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let query = "SELECT DISTINCT content FROM assets WHERE id = ANY($1)";
    let found: Vec<String> = sqlx::query_scalar(query).bind(ids).fetch_all(db).await?;
    Ok(found.into_iter().map(ContentHash).collect())
}

pub(in crate::assets) async fn hide(tx: &mut PgConnection, contents: &[ContentHash]) -> sqlx::Result<()> {
    let query = "UPDATE assets SET is_private = true WHERE content = ANY($1) AND NOT is_private";
    sqlx::query(query).bind(texts(contents)).execute(tx).await?;
    Ok(())
}

pub(in crate::assets) async fn shown_by_others(
    tx: &mut PgConnection,
    contents: &[ContentHash],
    author: UserId,
) -> sqlx::Result<Vec<ContentHash>> {
    let query = "SELECT DISTINCT content FROM assets
                 WHERE content = ANY($1) AND user_id <> $2 AND NOT is_private AND deleted_at IS NULL";
    let found: Vec<String> = sqlx::query_scalar(query).bind(texts(contents)).bind(author.0).fetch_all(tx).await?;
    Ok(found.into_iter().map(ContentHash).collect())
}

pub(in crate::assets) async fn is_there(tx: &mut PgConnection, id: AssetId) -> sqlx::Result<bool> {
    let query = "SELECT true FROM assets WHERE id = $1 AND deleted_at IS NULL FOR SHARE";
    Ok(sqlx::query_scalar::<_, bool>(query).bind(id.0).fetch_optional(tx).await?.is_some())
}

pub(in crate::assets) async fn delete_asset(
    tx: &mut PgConnection,
    id: AssetId,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let query = "UPDATE assets SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL";
    Ok(sqlx::query(query).bind(id.0).bind(now).execute(tx).await?.rows_affected() > 0)
}

fn texts(contents: &[ContentHash]) -> Vec<String> {
    contents.iter().map(|content| content.0.clone()).collect()
}
