//! Likes, which are favourites too: one for each user and workflow, never on the user's own.

pub(in crate::workflows) mod store;

use std::collections::HashSet;

use super::{Workflow, WorkflowOrder, lists};
use crate::database;
use crate::ids::{UserId, WorkflowId};
use crate::list::{ListQuery, Page};
use crate::notifications::{self, NotificationSubject};
use crate::{Caller, Code, Core, Error, Result, users, workflows};

/// The caller's like and the count of all likes after a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LikeState {
    pub is_liked: bool,
    pub like_count: i64,
}

/// A change to the caller's like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LikeChange {
    Toggle,
    Like,
    Unlike,
}

impl LikeChange {
    /// Whether the caller likes the thing after the change.
    pub(crate) fn is_liked(self, was_liked: bool) -> bool {
        match self {
            Self::Toggle => !was_liked,
            Self::Like => true,
            Self::Unlike => false,
        }
    }
}

/// Likes a published workflow, or takes the like back.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`]; [`Error::Refused`] with `LIKE_OWN` or `LIKE_PRIVATE`.
pub async fn toggle_like(core: &Core, caller: &Caller, id: WorkflowId) -> Result<LikeState> {
    like(core, caller, id, LikeChange::Toggle).await
}

/// Likes a published workflow or takes the like back. Repeating a call changes nothing.
///
/// # Errors
/// As [`toggle_like`].
pub async fn like(core: &Core, caller: &Caller, id: WorkflowId, change: LikeChange) -> Result<LikeState> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let mut tx = database::begin(&core.db).await?;
    // The row lock serializes the likes of this workflow, so the count always matches the rows.
    let found = workflows::store::lock(&mut tx, id).await?.filter(|workflow| workflow.is_visible_to(caller));
    let workflow = found.ok_or(super::GONE)?;
    if workflow.user == user {
        return Err(Error::refused(Code::LikeOwn, "owners cannot like their own workflows"));
    }
    if workflow.is_private {
        return Err(Error::refused(Code::LikePrivate, "only published workflows can be liked"));
    }
    let now = core.clock.now();
    let was_liked = store::take_back(&mut tx, id, user).await?;
    let is_liked = change.is_liked(was_liked);
    if is_liked == was_liked {
        // Nothing is committed, so the deleted row stays.
        return Ok(LikeState { is_liked, like_count: workflow.like_count });
    }
    if is_liked {
        store::insert(&mut tx, &permit, id, user, now).await?;
    }
    let like_count = store::count(&mut tx, id, if is_liked { 1 } else { -1 }).await?;
    let about = NotificationSubject::Workflow(id, workflow.name.clone());
    let is_notified =
        is_liked && notifications::notify_like(&mut tx, workflow.user, user, about, like_count, now).await?;
    tx.commit().await?;
    if is_notified {
        notifications::announce(core, workflow.user).await;
    }
    Ok(LikeState { is_liked, like_count })
}

/// Which of these the caller likes.
pub async fn liked_among(core: &Core, caller: &Caller, ids: &[WorkflowId]) -> Result<HashSet<WorkflowId>> {
    match caller.user {
        Some(user) if !ids.is_empty() => Ok(store::among(&core.db, user, ids).await?),
        _ => Ok(HashSet::new()),
    }
}

/// Favourites of a user that are still published, the latest like first; for that user and for admins.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest, [`Error::Forbidden`] for another user's; [`Error::Invalid`] for a cursor that
/// this list did not return.
pub async fn favourites(core: &Core, caller: &Caller, user: UserId, query: ListQuery<'_>) -> Result<Page<Workflow>> {
    caller.signed_in()?;
    if !caller.owns_or_admin(user) {
        return Err(Error::Forbidden);
    }
    let keyset = query.sorted(WorkflowOrder::LikedAt).keyset()?;
    lists::page(core, store::of_user(&core.db, user, keyset).await?, keyset).await
}

#[cfg(test)]
mod tests;
