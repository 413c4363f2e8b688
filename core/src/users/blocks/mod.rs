//! Blocks: a user who blocks another one gets no notifications about them, and no comments or answers from them.

mod block;
mod store;

use std::collections::HashSet;

use sqlx::{PgConnection, PgExecutor};

pub use block::Block;

use crate::ids::UserId;
use crate::{Caller, Code, Core, Error, Result};

/// Per user.
pub const MAX_BLOCKS: i64 = 1000;

pub(super) async fn delete_all(connection: &mut PgConnection, user: UserId) -> Result<()> {
    Ok(store::delete_all(connection, user).await?)
}

/// Blocks a user. Idempotent.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`] if the user does not exist; [`Error::Invalid`] for the caller;
/// [`Error::Conflict`] beyond [`MAX_BLOCKS`].
pub async fn block(core: &Core, caller: &Caller, other: UserId) -> Result<()> {
    let user = caller.signed_in()?;
    if user == other {
        return Err(Error::invalid("user", "is yourself"));
    }
    super::find(core, other).await?;
    if store::count(&core.db, user).await? >= MAX_BLOCKS {
        let message = format!("at most {MAX_BLOCKS} people can be blocked");
        return Err(Error::conflict(Code::TooManyBlocks, message));
    }
    Ok(store::insert(&core.db, user, other, core.clock.now()).await?)
}

/// Removes a block. Does nothing if there is none.
///
/// # Errors
/// [`Error::LoginRequired`].
pub async fn unblock(core: &Core, caller: &Caller, other: UserId) -> Result<()> {
    Ok(store::delete(&core.db, caller.signed_in()?, other).await?)
}

/// The users that the caller has blocked, newest first.
///
/// # Errors
/// [`Error::LoginRequired`].
pub async fn blocks(core: &Core, caller: &Caller) -> Result<Vec<Block>> {
    Ok(store::of(&core.db, caller.signed_in()?, MAX_BLOCKS).await?)
}

/// Those of these users that the caller has blocked; empty for a guest.
pub async fn blocked_among(core: &Core, caller: &Caller, others: &[UserId]) -> Result<HashSet<UserId>> {
    match caller.user {
        Some(user) if !others.is_empty() => Ok(store::among(&core.db, user, others).await?),
        _ => Ok(HashSet::new()),
    }
}

pub async fn has_blocked(db: impl PgExecutor<'_>, user: UserId, other: UserId) -> sqlx::Result<bool> {
    store::exists(db, user, other).await
}
