//! SQL of uploads that expire.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use crate::ids::{AssetId, UserId};
use crate::users::WritePermit;

/// Gives an upload an expiry.
pub(super) async fn set(db: &PgPool, _: &WritePermit, id: AssetId, expires_at: DateTime<Utc>) -> sqlx::Result<()> {
    let query =
        sqlx::query!("UPDATE assets SET expires_at = $2 WHERE id = $1 AND deleted_at IS NULL", id.0, expires_at);
    query.execute(db).await?;
    Ok(())
}

/// Takes the expiry of an upload away; returns the number of uploads that had one.
pub(super) async fn unset(db: &PgPool, id: AssetId) -> sqlx::Result<u64> {
    let query = sqlx::query!(
        "UPDATE assets SET expires_at = NULL WHERE id = $1 AND expires_at IS NOT NULL AND deleted_at IS NULL",
        id.0,
    );
    Ok(query.execute(db).await?.rows_affected())
}

/// Uploads that expire by a time, the earliest first, with their owners, and whether they have expired `now`.
pub(super) async fn ending(
    db: &PgPool,
    (now, until): (DateTime<Utc>, DateTime<Utc>),
    most: i64,
) -> sqlx::Result<Vec<(AssetId, UserId, bool)>> {
    let rows = sqlx::query!(
        r#"SELECT id, user_id, expires_at <= $1 AS "has_ended!" FROM assets
           WHERE expires_at <= $2 AND deleted_at IS NULL ORDER BY expires_at LIMIT $3"#,
        now,
        until,
        most,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (AssetId(row.id), UserId(row.user_id), row.has_ended)).collect())
}
