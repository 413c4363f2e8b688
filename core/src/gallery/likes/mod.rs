//! Likes, which are a person's favourites too: one for each person and output, never on one's own.

pub(in crate::gallery) mod store;

use std::collections::HashSet;

use crate::ids::OutputAssetId;
use crate::notifications::{self, About};
use crate::{Caller, Code, Core, Error, Result, users};

/// How an output stands after somebody liked it, or no longer does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Liked {
    pub is_liked: bool,
    pub like_count: i64,
}

/// What somebody wants of a like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// The other way round than it is.
    Turn,
    Like,
    Unlike,
}

impl Wish {
    fn after(self, was_liked: bool) -> bool {
        match self {
            Self::Turn => !was_liked,
            Self::Like => true,
            Self::Unlike => false,
        }
    }
}

/// Likes a published output, or takes the like back; a like of what was hidden since can be taken back too.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] where there is none to be seen; [`Error::Refused`] with
/// `LIKE_OWN` for one's own.
pub async fn toggle_like(core: &Core, caller: &Caller, id: OutputAssetId) -> Result<Liked> {
    like(core, caller, id, Wish::Turn).await
}

/// Likes an output, or not, as is wished: asked twice for the same, the second changes nothing.
///
/// # Errors
/// As [`toggle_like`].
pub async fn like(core: &Core, caller: &Caller, id: OutputAssetId, wish: Wish) -> Result<Liked> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let gone = Error::NotFound { what: "output asset" };
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    let Some(asset) = store::lock(&mut tx, id).await? else { return Err(gone) };
    if asset.user == user {
        let message = "nobody can like their own picture".to_owned();
        return Err(Error::refused(Code::LikeOwn, message));
    }
    let was_liked = store::take_back(&mut tx, id, user).await?;
    let is_liked = wish.after(was_liked);
    if is_liked == was_liked {
        // Nothing is committed: the row that was taken out to look at it stays as it was.
        let like_count = store::count(&mut tx, id, 0).await?;
        return Ok(Liked { is_liked, like_count });
    }
    if is_liked {
        if asset.is_private {
            return Err(gone);
        }
        store::insert(&mut tx, &permit, id, user, now).await?;
    }
    let like_count = store::count(&mut tx, id, if is_liked { 1 } else { -1 }).await?;
    let about = About::OutputAsset(id);
    let told = is_liked && notifications::tell_liked(&mut tx, asset.user, user, about, like_count, now).await?;
    tx.commit().await?;
    if told {
        notifications::announce(core, asset.user).await;
    }
    Ok(Liked { is_liked, like_count })
}

/// Which of these the caller likes.
///
/// # Errors
/// Database errors.
pub async fn liked_among(core: &Core, caller: &Caller, ids: &[OutputAssetId]) -> Result<HashSet<OutputAssetId>> {
    match caller.user {
        Some(user) if !ids.is_empty() => Ok(store::among(&core.db, user, ids).await?),
        _ => Ok(HashSet::new()),
    }
}

#[cfg(test)]
mod tests;
