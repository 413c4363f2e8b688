//! SQL of bans and roles.

use sqlx::PgConnection;

use crate::ids::UserId;
use crate::users::ban::Ban;

pub(in crate::users) async fn set(tx: &mut PgConnection, user: UserId, ban: &Ban) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE users SET banned_at = $2, banned_until = $3, ban_reason = $4
         WHERE id = $1 AND NOT is_admin AND deleted_at IS NULL",
        user.0,
        ban.since,
        ban.until,
        ban.reason,
    )
    .execute(tx)
    .await?;
    Ok(done.rows_affected() > 0)
}

pub(in crate::users) async fn lift(tx: &mut PgConnection, user: UserId) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE users SET banned_at = NULL, banned_until = NULL, ban_reason = NULL
         WHERE id = $1 AND banned_at IS NOT NULL",
        user.0,
    )
    .execute(tx)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Locks and returns all admins, so that two who revoke each other's role are serialized.
pub(in crate::users) async fn lock_admins(tx: &mut PgConnection) -> sqlx::Result<Vec<UserId>> {
    let admins =
        sqlx::query_scalar!("SELECT id FROM users WHERE is_admin ORDER BY id FOR UPDATE").fetch_all(tx).await?;
    Ok(admins.into_iter().map(UserId).collect())
}

/// Sets the role; `None` for an unknown user, else whether it changed. A new admin's ban is lifted.
pub(in crate::users) async fn set_admin(
    tx: &mut PgConnection,
    user: UserId,
    is_admin: bool,
) -> sqlx::Result<Option<bool>> {
    let before =
        sqlx::query_scalar!("SELECT is_admin FROM users WHERE id = $1 AND deleted_at IS NULL FOR UPDATE", user.0)
            .fetch_optional(&mut *tx)
            .await?;
    let Some(before) = before else { return Ok(None) };
    if before == is_admin {
        return Ok(Some(false));
    }
    sqlx::query!("UPDATE users SET is_admin = $2 WHERE id = $1", user.0, is_admin).execute(&mut *tx).await?;
    if is_admin {
        lift(tx, user).await?;
    }
    Ok(Some(true))
}
