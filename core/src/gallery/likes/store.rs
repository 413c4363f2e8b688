//! SQL of likes.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::ids::{OutputAssetId, UserId};
use crate::users::WritePermit;

/// The fields of an output that a like needs.
pub(in crate::gallery) struct Liked {
    pub user: UserId,
    pub is_private: bool,
}

/// Locks an output. The lock serializes its likes, so that the count always matches the rows.
pub(in crate::gallery) async fn lock(tx: &mut PgConnection, id: OutputAssetId) -> sqlx::Result<Option<Liked>> {
    let row = sqlx::query!(
        "SELECT user_id, is_private FROM output_assets WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE",
        id.0
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| Liked { user: UserId(row.user_id), is_private: row.is_private }))
}

/// Returns whether a like existed.
pub(in crate::gallery) async fn take_back(
    tx: &mut PgConnection,
    id: OutputAssetId,
    user: UserId,
) -> sqlx::Result<bool> {
    let done = sqlx::query!("DELETE FROM output_asset_likes WHERE output_asset_id = $1 AND user_id = $2", id.0, user.0)
        .execute(tx)
        .await?;
    Ok(done.rows_affected() > 0)
}

pub(in crate::gallery) async fn insert(
    tx: &mut PgConnection,
    _: &WritePermit,
    id: OutputAssetId,
    user: UserId,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO output_asset_likes (user_id, output_asset_id, id, created_at) VALUES ($1, $2, $3, $4)",
        user.0,
        id.0,
        Uuid::now_v7(),
        now
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Adds to the count of the locked output and returns the new count.
pub(in crate::gallery) async fn count(tx: &mut PgConnection, id: OutputAssetId, more: i64) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        "UPDATE output_assets SET like_count = greatest(like_count + $2, 0) WHERE id = $1 RETURNING like_count",
        id.0,
        more
    )
    .fetch_one(tx)
    .await
}

/// The outputs among these that a user likes. Each is looked up by key: with `= ANY` a planner that does not see the
/// values reads all likes of the user.
pub(in crate::gallery) async fn among(
    db: &PgPool,
    user: UserId,
    ids: &[OutputAssetId],
) -> sqlx::Result<HashSet<OutputAssetId>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let liked = sqlx::query_scalar!(
        r#"SELECT asked.id AS "id!" FROM UNNEST($2::uuid[]) AS asked(id)
           CROSS JOIN LATERAL (
             SELECT FROM output_asset_likes WHERE user_id = $1 AND output_asset_id = asked.id LIMIT 1
           ) liked"#,
        user.0,
        &ids
    )
    .fetch_all(db)
    .await?;
    Ok(liked.into_iter().map(OutputAssetId).collect())
}

/// Favourites of a user with the ids of their likes, the latest like first, including deleted and hidden outputs.
pub(in crate::gallery) async fn of_user(
    db: &PgPool,
    user: UserId,
    before: Uuid,
    limit: i64,
) -> sqlx::Result<Vec<(OutputAssetId, Uuid)>> {
    let rows = sqlx::query!(
        "SELECT output_asset_id, id FROM output_asset_likes WHERE user_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3",
        user.0,
        before,
        limit
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (OutputAssetId(row.output_asset_id), row.id)).collect())
}
