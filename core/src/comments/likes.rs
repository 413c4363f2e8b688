//! What people think of a comment.

use super::{Comment, Error, Result, shown, store, visible};
use crate::ids::CommentId;
use crate::{Caller, Core, users};

/// What somebody thinks of a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    Like,
    Dislike,
}

/// Likes or dislikes a comment; the same again takes it back, the other one replaces it. Gives the comment as it is then.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`]; [`Error::Forbidden`] for one's own comment.
pub async fn react(core: &Core, caller: &Caller, id: CommentId, reaction: Reaction) -> Result<Comment> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let comment = visible(core, caller, id).await?;
    if comment.user == Some(user) {
        return Err(Error::Forbidden);
    }
    if comment.is_hidden {
        return Err(super::hiding::hidden());
    }
    store::react(&core.db, &permit, id, user, reaction, core.clock.now()).await?;
    let found = store::find_for(&core.db, id, Some(user)).await?;
    found.map(|found| shown(found, caller)).ok_or(super::GONE)
}
