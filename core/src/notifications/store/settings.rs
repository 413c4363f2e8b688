//! SQL of mail settings.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use crate::database;
use crate::ids::UserId;

pub(in crate::notifications) async fn mailed_kinds(db: &PgPool, user: UserId) -> sqlx::Result<Vec<i16>> {
    let kinds = sqlx::query_scalar!("SELECT mailed_kinds FROM notification_settings WHERE user_id = $1", user.0)
        .fetch_optional(db)
        .await?;
    Ok(kinds.unwrap_or_default())
}

/// Sets the kinds. Unread notifications of newly chosen kinds are not mailed.
pub(in crate::notifications) async fn set_mailed_kinds(
    db: &PgPool,
    user: UserId,
    kinds: &[i16],
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let mut tx = database::begin(db).await?;
    sqlx::query!("INSERT INTO notification_settings (user_id) VALUES ($1) ON CONFLICT DO NOTHING", user.0)
        .execute(&mut *tx)
        .await?;
    let before =
        sqlx::query_scalar!("SELECT mailed_kinds FROM notification_settings WHERE user_id = $1 FOR UPDATE", user.0)
            .fetch_one(&mut *tx)
            .await?;
    let new: Vec<i16> = kinds.iter().copied().filter(|kind| !before.contains(kind)).collect();
    sqlx::query!(
        "UPDATE notifications SET mailed_at = $3
         WHERE user_id = $1 AND kind = ANY($2) AND checked_at IS NULL AND mailed_at IS NULL",
        user.0,
        &new,
        now,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!("UPDATE notification_settings SET mailed_kinds = $2 WHERE user_id = $1", user.0, kinds)
        .execute(&mut *tx)
        .await?;
    tx.commit().await
}
