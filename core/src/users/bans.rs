//! Bans. A banned user can read, sign in and out, and delete and export their data. They cannot publish, comment, like
//! or run anything; running jobs go on. The gate (`gate/`) enforces this.

use sqlx::PgConnection;

use super::ban::Ban;
use super::{store, user_cache};
use crate::Result;
use crate::ids::UserId;

/// Bans a user and replaces an earlier ban; returns whether the user exists and is not an admin. Call
/// [`super::invalidate`] after the commit.
pub async fn ban_tx(tx: &mut PgConnection, user: UserId, ban: &Ban) -> Result<bool> {
    user_cache::record_revocation(tx, user).await?;
    Ok(store::bans::set(tx, user, ban).await?)
}

/// Lifts a ban; returns whether there was one. Call [`super::invalidate`] after the commit.
pub async fn lift_ban_tx(tx: &mut PgConnection, user: UserId) -> Result<bool> {
    user_cache::record_revocation(tx, user).await?;
    Ok(store::bans::lift(tx, user).await?)
}
