//! SQL of files and assets.

pub(super) mod sources;

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use super::asset::{Asset, FileKey, StoredFile};
use super::embedded::EmbeddedMetadata;
use super::media::{AssetKind, MediaType};
use super::storage::content_hash::ContentHash;
use crate::database;
use crate::error::{Error, Result};
use crate::ids::{AssetId, UserId};
use crate::users::WritePermit;

struct Row {
    id: Uuid,
    user_id: Uuid,
    content: String,
    media: String,
    size_bytes: i64,
    width: Option<i32>,
    height: Option<i32>,
    blur_hash: Option<String>,
    duration_ms: Option<i64>,
    is_clean: bool,
    name: String,
    kind: String,
    is_private: bool,
    created_at: DateTime<Utc>,
    expires_at: Option<DateTime<Utc>>,
}

impl From<Row> for Asset {
    fn from(row: Row) -> Self {
        Self {
            id: AssetId(row.id),
            user: UserId(row.user_id),
            stored: StoredFile {
                content: ContentHash(row.content),
                media: MediaType::from_word(&row.media),
                size_bytes: row.size_bytes,
                width: row.width,
                height: row.height,
                blur_hash: row.blur_hash,
                duration_ms: row.duration_ms,
                embedded: if row.is_clean { EmbeddedMetadata::None } else { EmbeddedMetadata::InFile },
                pixels: None,
            },
            name: row.name,
            kind: AssetKind::from_word(&row.kind),
            is_private: row.is_private,
            created_at: row.created_at,
            expires_at: row.expires_at,
        }
    }
}

/// Inserts the file, or locks its row until the transaction ends so that it is not deleted in between. Marks it as
/// clean if that was unknown. Only its owner sees an uncleaned file until it is cleaned.
async fn insert_file(connection: &mut PgConnection, stored: &StoredFile, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO files (content, media, size_bytes, width, height, blur_hash, created_at, is_clean, duration_ms,
                            clean_tries)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, CASE WHEN $8 THEN 0 ELSE 3 END)
         ON CONFLICT (content) DO UPDATE
         SET media = EXCLUDED.media, is_clean = files.is_clean OR EXCLUDED.is_clean",
        stored.content.as_str(),
        stored.media.word(),
        stored.size_bytes,
        stored.width,
        stored.height,
        stored.blur_hash,
        now,
        stored.embedded.columns().0,
        stored.duration_ms,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Claims uncleaned files and counts the attempt. Nodes never claim the same files. Sounds and videos only if they can
/// be cleaned.
pub(super) async fn claim_unclean(db: &PgPool, includes_media: bool, most: i64) -> sqlx::Result<Vec<ContentHash>> {
    let rows = sqlx::query_scalar!(
        "UPDATE files SET clean_tries = clean_tries + 1
         WHERE content IN (SELECT f.content FROM files f
                           WHERE NOT f.is_clean AND f.clean_tries < 6
                           AND EXISTS (SELECT FROM assets a WHERE a.content = f.content AND a.deleted_at IS NULL
                                       AND (a.kind = 'Image' OR (a.kind IN ('Video', 'Audio') AND $1)))
                           ORDER BY f.clean_tries, f.content LIMIT $2 FOR UPDATE SKIP LOCKED)
         RETURNING content",
        includes_media,
        most,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(ContentHash).collect())
}

/// Whether it is an uploaded file that was not cleaned yet.
pub(super) async fn is_unclean(db: &PgPool, content: &ContentHash) -> sqlx::Result<bool> {
    let query = sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM files WHERE content = $1 AND NOT is_clean) AS "there!""#,
        content.as_str()
    );
    query.fetch_one(db).await
}

/// Replaces the old file with the clean one in all assets.
pub(super) async fn replace(
    tx: &mut PgConnection,
    old: &ContentHash,
    clean: &StoredFile,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    insert_file(tx, clean, now).await?;
    sqlx::query!(
        "UPDATE assets SET content = $2 WHERE content = $1 AND content <> $2",
        old.as_str(),
        clean.content.as_str()
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Records the new hash of a file.
pub(super) async fn record_move(
    tx: &mut PgConnection,
    old: &ContentHash,
    clean: &StoredFile,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO file_moves (old_content, new_content, new_media, moved_at)
         SELECT $1, $2, $3, $4 WHERE $1 <> $2 ON CONFLICT (old_content) DO NOTHING",
        old.as_str(),
        clean.content.as_str(),
        clean.media.word(),
        now,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The new hash of a file that was cleaned later.
pub(super) async fn moved_to(db: &PgPool, old: &ContentHash) -> sqlx::Result<Option<FileKey>> {
    let found = sqlx::query!("SELECT new_content, new_media FROM file_moves WHERE old_content = $1", old.as_str());
    let found = found.fetch_optional(db).await?;
    Ok(found.map(|row| FileKey { content: ContentHash(row.new_content), media: MediaType::from_word(&row.new_media) }))
}

/// Inserts or locks the file, and inserts the asset. The same file under the same name returns the existing asset, which
/// does not expire any more.
pub(super) async fn insert(
    db: &PgPool,
    _: &WritePermit,
    user: UserId,
    stored: &StoredFile,
    name: &str,
    now: DateTime<Utc>,
) -> Result<Asset> {
    let mut transaction = database::begin(db).await?;
    insert_file(&mut transaction, stored, now).await?;
    let id = sqlx::query_scalar!(
        "WITH known AS (
             SELECT id FROM assets WHERE user_id = $2 AND content = $3 AND name = $4 AND deleted_at IS NULL
             AND (expires_at IS NULL OR expires_at > $6) ORDER BY expires_at NULLS FIRST, id LIMIT 1
         ), kept AS (
             UPDATE assets SET expires_at = NULL
             WHERE id IN (SELECT id FROM known) AND expires_at IS NOT NULL AND deleted_at IS NULL
         ), made AS (
             INSERT INTO assets (id, user_id, content, name, kind, created_at)
             SELECT $1, $2, $3, $4, $5, $6 WHERE NOT EXISTS (SELECT FROM known) RETURNING id
         )
         SELECT id FROM known UNION ALL SELECT id FROM made",
        AssetId::new().0,
        user.0,
        stored.content.as_str(),
        name,
        stored.media.kind().as_str(),
        now,
    )
    .fetch_one(&mut *transaction)
    .await?;
    transaction.commit().await?;
    let id = id.ok_or_else(|| Error::Internal("an asset was inserted without an id".to_owned()))?;
    find(db, &[AssetId(id)], now).await?.pop().ok_or(Error::NotFound { what: "asset" })
}

pub(super) async fn find(db: &PgPool, ids: &[AssetId], now: DateTime<Utc>) -> sqlx::Result<Vec<Asset>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let rows = sqlx::query_as!(
        Row,
        "SELECT a.id, a.user_id, a.content, f.media, f.size_bytes, f.width, f.height, f.blur_hash,
                f.duration_ms, f.is_clean, a.name, a.kind, a.is_private, a.created_at, a.expires_at
         FROM assets a JOIN files f ON f.content = a.content
         WHERE a.id = ANY($1) AND a.deleted_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > $2)",
        &ids,
        now,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Asset::from).collect())
}

pub(super) async fn set_private(
    db: impl PgExecutor<'_>,
    ids: &[AssetId],
    owner: Option<UserId>,
    is_private: bool,
) -> sqlx::Result<()> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    sqlx::query!(
        "UPDATE assets SET is_private = $3
         WHERE id = ANY($1) AND ($2::uuid IS NULL OR user_id = $2) AND deleted_at IS NULL",
        &ids,
        owner.map(|user| user.0),
        is_private,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes those of these assets that `owner` has, and returns their contents.
pub(super) async fn delete(
    tx: &mut PgConnection,
    owner: UserId,
    ids: &[AssetId],
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<ContentHash>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let contents = sqlx::query_scalar!(
        "UPDATE assets SET deleted_at = $3 WHERE id = ANY($1) AND user_id = $2 AND deleted_at IS NULL RETURNING content",
        &ids,
        owner.0,
        now,
    )
    .fetch_all(tx)
    .await?;
    Ok(contents.into_iter().map(ContentHash).collect())
}

/// Total size of a user's assets, counting each content once.
pub(super) async fn used_bytes(db: &PgPool, owner: UserId) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT coalesce(sum(f.size_bytes), 0)::bigint AS "bytes!" FROM files f
           WHERE f.content IN (SELECT a.content FROM assets a WHERE a.user_id = $1 AND a.deleted_at IS NULL)"#,
        owner.0,
    )
    .fetch_one(db)
    .await
}

/// Assets of a user after this one, in order of ids.
pub(super) async fn ids_of(
    db: &PgPool,
    owner: UserId,
    after: Option<AssetId>,
    most: i64,
) -> sqlx::Result<Vec<AssetId>> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM assets WHERE user_id = $1 AND deleted_at IS NULL AND ($2::uuid IS NULL OR id > $2)
         ORDER BY id LIMIT $3",
        owner.0,
        after.map(|id| id.0),
        most,
    )
    .fetch_all(db)
    .await?;
    Ok(ids.into_iter().map(AssetId).collect())
}

/// Those of these contents that an asset references.
pub(super) async fn named(
    db: &PgPool,
    contents: &[ContentHash],
    now: DateTime<Utc>,
) -> sqlx::Result<HashSet<ContentHash>> {
    let found = sqlx::query_scalar!(
        "SELECT DISTINCT content FROM assets
         WHERE content = ANY($1) AND deleted_at IS NULL AND (expires_at IS NULL OR expires_at > $2)",
        &texts(contents),
        now,
    )
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().map(ContentHash).collect())
}

/// Contents that assets reference, after this one and in order.
pub(super) async fn all(db: &PgPool, after: &str, most: i64, now: DateTime<Utc>) -> sqlx::Result<Vec<ContentHash>> {
    let found = sqlx::query_scalar!(
        "SELECT DISTINCT content FROM assets
         WHERE content > $1 AND deleted_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
         ORDER BY content LIMIT $2",
        after,
        most,
        now,
    )
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().map(ContentHash).collect())
}

/// Deletes the rows of deleted assets of these contents, and files without any asset.
pub(super) async fn forget(db: &PgPool, contents: &[ContentHash]) -> sqlx::Result<()> {
    let contents = texts(contents);
    let mut tx = database::begin(db).await?;
    // A concurrent upload holds the row until its asset exists; the next statements then see it.
    sqlx::query!("SELECT content FROM files WHERE content = ANY($1) ORDER BY content FOR UPDATE", &contents)
        .fetch_all(&mut *tx)
        .await?;
    sqlx::query!("DELETE FROM assets WHERE content = ANY($1) AND deleted_at IS NOT NULL", &contents)
        .execute(&mut *tx)
        .await?;
    sqlx::query!(
        "DELETE FROM files f WHERE content = ANY($1) AND NOT EXISTS (SELECT FROM assets a WHERE a.content = f.content)",
        &contents
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await
}

pub(in crate::assets) fn texts(contents: &[ContentHash]) -> Vec<String> {
    contents.iter().map(|content| content.as_str().to_owned()).collect()
}

/// Whether the user may see this file as an asset. Unless `includes_media` (ffmpeg is available), only their owner sees
/// sounds and videos that were not cleaned.
pub(super) async fn visible(
    db: &PgPool,
    content: &ContentHash,
    user: Option<UserId>,
    admin: bool,
    includes_media: bool,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (
             SELECT FROM assets a JOIN files f ON f.content = a.content
             WHERE a.content = $1 AND a.deleted_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > $4)
             AND ((NOT a.is_private AND (f.is_clean OR (f.clean_tries < 3 AND (a.kind = 'Image' OR $5))))
                  OR $3 OR a.user_id = $2)
           ) AS "visible!""#,
        content.as_str(),
        user.map(|user| user.0),
        admin,
        now,
        includes_media,
    )
    .fetch_one(db)
    .await
}

/// One page of a user's assets, newest first, and the total count.
pub(super) async fn of_user(
    db: &PgPool,
    user: UserId,
    now: DateTime<Utc>,
    limit: i64,
    offset: i64,
) -> sqlx::Result<(Vec<AssetId>, i64)> {
    let count = "SELECT count(*) FROM assets WHERE user_id = $1 AND deleted_at IS NULL AND (expires_at IS NULL OR expires_at > $2)";
    let count: i64 = sqlx::query_scalar(count).bind(user.0).bind(now).fetch_one(db).await?;
    let page =
        "SELECT id FROM assets WHERE user_id = $1 AND deleted_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
                ORDER BY id DESC LIMIT $3 OFFSET $4";
    let ids: Vec<Uuid> = sqlx::query_scalar(page).bind(user.0).bind(now).bind(limit).bind(offset).fetch_all(db).await?;
    Ok((ids.into_iter().map(AssetId).collect(), count))
}
