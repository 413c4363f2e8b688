//! SQL of the hashes of uploads before they were cleaned.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use crate::assets::storage::content_hash::ContentHash;
use crate::ids::{AssetId, UserId};

/// Records which upload the bytes with this hash became.
pub(in crate::assets) async fn record(
    db: &PgPool,
    user: UserId,
    source: &ContentHash,
    asset: AssetId,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO asset_sources (user_id, source, asset_id) VALUES ($1, $2, $3)
         ON CONFLICT (user_id, source) DO UPDATE SET asset_id = EXCLUDED.asset_id",
        user.0,
        source.as_str(),
        asset.0,
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
