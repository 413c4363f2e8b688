//! SQL of the uploads that texts show.

use std::collections::HashSet;

use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use crate::assets::storage::content_hash::ContentHash;
use crate::ids::{AssetId, UserId};

/// The uploads that a text of these authors references by these contents, one each: preferably one that the text
/// already shows, then a public one. Contents that were cleaned since are also found by their old hash.
pub(in crate::assets) async fn pictures(
    tx: &mut PgConnection,
    text: Uuid,
    authors: &[UserId],
    contents: &[ContentHash],
) -> sqlx::Result<Vec<AssetId>> {
    if contents.is_empty() {
        return Ok(Vec::new());
    }
    let contents: Vec<&str> = contents.iter().map(ContentHash::as_str).collect();
    let authors: Vec<Uuid> = authors.iter().map(|author| author.0).collect();
    let query = "SELECT DISTINCT ON (a.content) a.id
                 FROM UNNEST($1::text[]) AS given(content)
                 LEFT JOIN file_moves m ON m.old_content = given.content
                 JOIN assets a ON a.content = coalesce(m.new_content, given.content)
                 LEFT JOIN text_pictures t ON t.text_id = $3 AND t.asset_id = a.id
                 WHERE a.deleted_at IS NULL AND a.expires_at IS NULL
                   AND (a.user_id = ANY($2) OR t.asset_id IS NOT NULL)
                 ORDER BY a.content, t.asset_id IS NULL, a.is_private, a.id";
    let found: Vec<Uuid> = sqlx::query_scalar(query).bind(contents).bind(authors).bind(text).fetch_all(tx).await?;
    Ok(assets(found))
}

/// Saves the pictures of a text that is not public.
pub(in crate::assets) async fn insert_hidden(tx: &mut PgConnection, text: Uuid, ids: &[AssetId]) -> sqlx::Result<()> {
    let query = "INSERT INTO text_pictures (text_id, asset_id, is_shown)
                 SELECT $1, id, false FROM UNNEST($2::uuid[]) AS given(id) ON CONFLICT DO NOTHING";
    sqlx::query(query).bind(text).bind(uuids(ids)).execute(tx).await?;
    Ok(())
}

/// Saves the pictures of a public text, and makes them public.
pub(in crate::assets) async fn insert_shown(tx: &mut PgConnection, text: Uuid, ids: &[AssetId]) -> sqlx::Result<()> {
    let query = "INSERT INTO text_pictures AS t (text_id, asset_id, is_shown, is_revealed)
                 SELECT $1, id, true, is_private FROM assets WHERE id = ANY($2)
                 ON CONFLICT (text_id, asset_id) DO UPDATE
                 SET is_shown = true, is_revealed = t.is_revealed OR EXCLUDED.is_revealed";
    sqlx::query(query).bind(text).bind(uuids(ids)).execute(&mut *tx).await?;
    let query = "UPDATE assets SET is_private = false WHERE id = ANY($1) AND is_private AND deleted_at IS NULL";
    sqlx::query(query).bind(uuids(ids)).execute(tx).await?;
    Ok(())
}

/// Removes all other pictures from a text; returns those that were public because of it.
pub(in crate::assets) async fn delete_others(
    tx: &mut PgConnection,
    text: Uuid,
    stay: &[AssetId],
) -> sqlx::Result<Vec<AssetId>> {
    let query = "WITH gone AS (
                     DELETE FROM text_pictures WHERE text_id = $1 AND asset_id <> ALL($2)
                     RETURNING asset_id, is_shown AND is_revealed AS is_released
                 )
                 SELECT asset_id FROM gone WHERE is_released";
    let released: Vec<Uuid> = sqlx::query_scalar(query).bind(text).bind(uuids(stay)).fetch_all(tx).await?;
    Ok(assets(released))
}

/// Marks a text as not public; returns the pictures that were public because of it.
pub(in crate::assets) async fn hide(tx: &mut PgConnection, text: Uuid) -> sqlx::Result<Vec<AssetId>> {
    let query = "WITH was AS (
                     SELECT asset_id, is_revealed FROM text_pictures WHERE text_id = $1 AND is_shown FOR UPDATE
                 ), hidden AS (
                     UPDATE text_pictures t SET is_shown = false, is_revealed = false FROM was
                     WHERE t.text_id = $1 AND t.asset_id = was.asset_id
                 )
                 SELECT asset_id FROM was WHERE is_revealed";
    Ok(assets(sqlx::query_scalar(query).bind(text).fetch_all(tx).await?))
}

/// Marks a text as public again, and shows its pictures except locked ones.
pub(in crate::assets) async fn show(tx: &mut PgConnection, text: Uuid) -> sqlx::Result<()> {
    let query = "WITH shown AS (
                     UPDATE text_pictures t SET is_shown = true, is_revealed = a.is_private FROM assets a
                     WHERE t.text_id = $1 AND a.id = t.asset_id AND NOT t.is_shown
                     RETURNING t.asset_id
                 )
                 UPDATE assets a SET is_private = false FROM shown
                 WHERE a.id = shown.asset_id AND a.deleted_at IS NULL
                   AND NOT EXISTS (SELECT FROM content_locks l WHERE l.content = a.content)";
    sqlx::query(query).bind(text).execute(tx).await?;
    Ok(())
}

/// Those of these that a text shows; marks them as public because of texts.
pub(in crate::assets) async fn keep(tx: &mut PgConnection, ids: &[AssetId]) -> sqlx::Result<HashSet<AssetId>> {
    let query = "UPDATE text_pictures SET is_revealed = true WHERE asset_id = ANY($1) AND is_shown RETURNING asset_id";
    let kept: Vec<Uuid> = sqlx::query_scalar(query).bind(uuids(ids)).fetch_all(tx).await?;
    Ok(kept.into_iter().map(AssetId).collect())
}

/// Marks these as public for a reason other than a text.
pub(in crate::assets) async fn forget_revealed(tx: &mut PgConnection, ids: &[AssetId]) -> sqlx::Result<()> {
    let query = "UPDATE text_pictures SET is_revealed = false WHERE asset_id = ANY($1) AND is_revealed";
    sqlx::query(query).bind(uuids(ids)).execute(tx).await?;
    Ok(())
}

/// Those of these that a text references.
pub(in crate::assets) async fn among(db: impl PgExecutor<'_>, ids: &[AssetId]) -> sqlx::Result<HashSet<AssetId>> {
    let query = "SELECT DISTINCT asset_id FROM text_pictures WHERE asset_id = ANY($1)";
    let found: Vec<Uuid> = sqlx::query_scalar(query).bind(uuids(ids)).fetch_all(db).await?;
    Ok(found.into_iter().map(AssetId).collect())
}

pub(in crate::assets) async fn of(tx: &mut PgConnection, text: Uuid) -> sqlx::Result<Vec<AssetId>> {
    let query = "SELECT asset_id FROM text_pictures WHERE text_id = $1";
    Ok(assets(sqlx::query_scalar(query).bind(text).fetch_all(tx).await?))
}

fn uuids(ids: &[AssetId]) -> Vec<Uuid> {
    ids.iter().map(|id| id.0).collect()
}

fn assets(ids: Vec<Uuid>) -> Vec<AssetId> {
    ids.into_iter().map(AssetId).collect()
}
