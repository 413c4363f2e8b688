//! SQL of the hashes of uploads as they were sent.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use crate::assets::storage::blake3_hash::Blake3Hash;
use crate::assets::storage::content_hash::ContentHash;
use crate::ids::{AssetId, UserId};

/// Records which upload the bytes with these hashes became.
pub(in crate::assets) async fn record(
    db: &PgPool,
    user: UserId,
    (source, blake3): (&ContentHash, &Blake3Hash),
    asset: AssetId,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO asset_sources (user_id, source, asset_id, blake3) VALUES ($1, $2, $3, $4)
         ON CONFLICT (user_id, source) DO UPDATE SET asset_id = EXCLUDED.asset_id, blake3 = EXCLUDED.blake3",
        user.0,
        source.as_str(),
        asset.0,
        blake3.digits(),
    )
    .execute(db)
    .await?;
    Ok(())
}

/// An upload of the user from bytes with this hash.
pub(in crate::assets) async fn find(
    db: &PgPool,
    user: UserId,
    hash: &ContentHash,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<AssetId>> {
    let found = sqlx::query_scalar!(
        r#"SELECT id AS "id!" FROM (
             SELECT a.id FROM assets a
             WHERE a.content = $2 AND a.user_id = $1 AND a.deleted_at IS NULL
               AND (a.expires_at IS NULL OR a.expires_at > $3)
             UNION ALL
             SELECT a.id FROM asset_sources s JOIN assets a ON a.id = s.asset_id
             WHERE s.user_id = $1 AND s.source = $2 AND a.deleted_at IS NULL
               AND (a.expires_at IS NULL OR a.expires_at > $3)
           ) found ORDER BY id LIMIT 1"#,
        user.0,
        hash.as_str(),
        now,
    )
    .fetch_optional(db)
    .await?;
    Ok(found.map(AssetId))
}

/// An upload of the user from bytes with this BLAKE3.
pub(in crate::assets) async fn find_blake3(
    db: &PgPool,
    user: UserId,
    hash: &Blake3Hash,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<AssetId>> {
    let found = sqlx::query_scalar!(
        "SELECT a.id FROM asset_sources s JOIN assets a ON a.id = s.asset_id
         WHERE s.user_id = $1 AND s.blake3 = $2 AND a.deleted_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > $3)
         ORDER BY a.id LIMIT 1",
        user.0,
        hash.digits(),
        now,
    )
    .fetch_optional(db)
    .await?;
    Ok(found.map(AssetId))
}

/// The BLAKE3 of bytes that became this file of the user; of some of them if several did.
pub(in crate::assets) async fn blake3_of(
    db: &PgPool,
    user: UserId,
    content: &ContentHash,
) -> sqlx::Result<Option<Blake3Hash>> {
    let found = sqlx::query_scalar!(
        r#"SELECT s.blake3 AS "blake3!" FROM assets a JOIN asset_sources s ON s.asset_id = a.id
           WHERE a.user_id = $1 AND a.content = $2 AND s.user_id = $1 AND s.blake3 IS NOT NULL
           ORDER BY s.blake3 LIMIT 1"#,
        user.0,
        content.as_str(),
    )
    .fetch_optional(db)
    .await?;
    Ok(found.map(Blake3Hash::of_digits))
}
