//! SQL of what people want to be mailed about.

use sqlx::PgPool;

use crate::ids::UserId;

pub(in crate::notifications) async fn mailed_kinds(db: &PgPool, user: UserId) -> sqlx::Result<Vec<i16>> {
    let kinds = sqlx::query_scalar!("SELECT mailed_kinds FROM notification_settings WHERE user_id = $1", user.0)
        .fetch_optional(db)
        .await?;
    Ok(kinds.unwrap_or_default())
}

pub(in crate::notifications) async fn set_mailed_kinds(db: &PgPool, user: UserId, kinds: &[i16]) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO notification_settings (user_id, mailed_kinds) VALUES ($1, $2)
         ON CONFLICT (user_id) DO UPDATE SET mailed_kinds = excluded.mailed_kinds",
        user.0,
        kinds,
    )
    .execute(db)
    .await?;
    Ok(())
}
