//! Bans: whoever is banned reads on, signs in and out, takes away and exports what is theirs; they publish nothing, say
//! nothing, like nothing and run nothing. What runs already goes on. The gate (`gate/`) holds them off.

use sqlx::PgConnection;

use super::ban::Ban;
use super::{memory, store};
use crate::Result;
use crate::ids::UserId;

/// Bans somebody, in the place of an earlier ban; tells whether there is such a person who is no admin. Call
/// [`super::changed`] after the commit.
///
/// # Errors
/// Database errors.
pub async fn ban_within(tx: &mut PgConnection, user: UserId, ban: &Ban) -> Result<bool> {
    memory::note(tx, user).await?;
    Ok(store::bans::set(tx, user, ban).await?)
}

/// Lifts a ban; tells whether there was one. Call [`super::changed`] after the commit.
///
/// # Errors
/// Database errors.
pub async fn lift_ban_within(tx: &mut PgConnection, user: UserId) -> Result<bool> {
    memory::note(tx, user).await?;
    Ok(store::bans::lift(tx, user).await?)
}
