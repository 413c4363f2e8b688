//! Likes and dislikes of comments.

use super::comment::{Comment, Reaction};
use super::{Error, Result, shown, state, store, visible};
use crate::ids::CommentId;
use crate::{Caller, Core, users};

/// Likes or dislikes a comment. The same reaction again is removed, the other one replaces it. Returns the changed
/// comment.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`]; [`Error::Forbidden`] for the caller's own comment.
pub async fn react(core: &Core, caller: &Caller, id: CommentId, reaction: Reaction) -> Result<Comment> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let comment = visible(core, caller, id).await?;
    if comment.user == Some(user) {
        return Err(Error::Forbidden);
    }
    if comment.is_hidden {
        return Err(state::hidden());
    }
    store::react(&core.db, &permit, id, user, reaction, core.clock.now()).await?;
    let found = store::find_for(&core.db, id, Some(user)).await?;
    found.map(|found| shown(found, caller)).ok_or(super::GONE)
}
