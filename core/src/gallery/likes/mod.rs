//! Likes, which are favourites too: one for each user and output, never on the user's own.

pub(in crate::gallery) mod store;

use std::collections::HashSet;

use crate::database;
use crate::ids::OutputAssetId;
use crate::notifications::{self, NotificationSubject};
use crate::workflows::{LikeChange, LikeState};
use crate::{Caller, Code, Core, Error, Result, users};

/// Likes a published output, or takes the like back. Likes of outputs that were hidden since can be taken back.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] where the caller sees no such output; [`Error::Refused`]
/// with `LIKE_OWN` for the caller's own.
pub async fn toggle_like(core: &Core, caller: &Caller, id: OutputAssetId) -> Result<LikeState> {
    like(core, caller, id, LikeChange::Toggle).await
}

/// Likes an output or takes the like back. Repeating a call changes nothing.
///
/// # Errors
/// As [`toggle_like`].
pub async fn like(core: &Core, caller: &Caller, id: OutputAssetId, change: LikeChange) -> Result<LikeState> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let gone = Error::NotFound { what: "output asset" };
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let Some(asset) = store::lock(&mut tx, id).await? else { return Err(gone) };
    if asset.user == user {
        let message = "owners cannot like their own pictures".to_owned();
        return Err(Error::refused(Code::LikeOwn, message));
    }
    let was_liked = store::take_back(&mut tx, id, user).await?;
    let is_liked = change.is_liked(was_liked);
    if is_liked == was_liked {
        // Nothing is committed, so the deleted row stays.
        let like_count = store::count(&mut tx, id, 0).await?;
        return Ok(LikeState { is_liked, like_count });
    }
    if is_liked {
        if asset.is_private {
            return Err(gone);
        }
        store::insert(&mut tx, &permit, id, user, now).await?;
    }
    let like_count = store::count(&mut tx, id, if is_liked { 1 } else { -1 }).await?;
    let about = NotificationSubject::OutputAsset(id);
    let is_notified = is_liked && notifications::notify_like(&mut tx, asset.user, user, about, like_count, now).await?;
    tx.commit().await?;
    if is_notified {
        notifications::announce(core, asset.user).await;
    }
    Ok(LikeState { is_liked, like_count })
}

/// Which of these the caller likes.
pub async fn liked_among(core: &Core, caller: &Caller, ids: &[OutputAssetId]) -> Result<HashSet<OutputAssetId>> {
    match caller.user {
        Some(user) if !ids.is_empty() => Ok(store::among(&core.db, user, ids).await?),
        _ => Ok(HashSet::new()),
    }
}

#[cfg(test)]
mod tests;
