//! Likes, which are a person's favourites too: one for each person and workflow, never on one's own.

pub(in crate::workflows) mod store;

use std::collections::HashSet;

use super::lists::{self, Page};
use super::{Cursor, Sort, Workflow};
use crate::ids::{UserId, WorkflowId};
use crate::notifications::{self, About};
use crate::{Caller, Code, Core, Error, Result, users, workflows};

/// How a workflow stands after somebody liked it, or no longer does.
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

/// Likes a published workflow, or takes the like back.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`]; [`Error::Refused`] with `LIKE_OWN` or `LIKE_PRIVATE`.
pub async fn toggle_like(core: &Core, caller: &Caller, id: WorkflowId) -> Result<Liked> {
    like(core, caller, id, Wish::Turn).await
}

/// Likes a published workflow, or not, as is wished: asked twice for the same, the second changes nothing.
///
/// # Errors
/// As [`toggle_like`].
pub async fn like(core: &Core, caller: &Caller, id: WorkflowId, wish: Wish) -> Result<Liked> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let mut tx = core.db.begin().await?;
    // The row's lock makes one after the other of all likes of this workflow, so the count is always that of the rows.
    let found = workflows::store::lock(&mut tx, id).await?.filter(|workflow| workflow.is_visible_to(caller));
    let workflow = found.ok_or(super::GONE)?;
    if workflow.user == user {
        return Err(Error::refused(Code::LikeOwn, "nobody can like their own workflow"));
    }
    if workflow.is_private {
        return Err(Error::refused(Code::LikePrivate, "only published workflows can be liked"));
    }
    let now = core.clock.now();
    let was_liked = store::take_back(&mut tx, id, user).await?;
    let is_liked = wish.after(was_liked);
    if is_liked == was_liked {
        // Nothing is committed: the row that was taken out to look at it stays as it was.
        return Ok(Liked { is_liked, like_count: workflow.like_count });
    }
    if is_liked {
        store::insert(&mut tx, &permit, id, user, now).await?;
    }
    let like_count = store::count(&mut tx, id, if is_liked { 1 } else { -1 }).await?;
    let about = About::Workflow(id, workflow.name.clone());
    let told = is_liked && notifications::tell_liked(&mut tx, workflow.user, user, about, like_count, now).await?;
    tx.commit().await?;
    if told {
        notifications::announce(core, workflow.user).await;
    }
    Ok(Liked { is_liked, like_count })
}

/// Which of these the caller likes.
///
/// # Errors
/// Database errors.
pub async fn liked_among(core: &Core, caller: &Caller, ids: &[WorkflowId]) -> Result<HashSet<WorkflowId>> {
    match caller.user {
        Some(user) if !ids.is_empty() => Ok(store::among(&core.db, user, ids).await?),
        _ => Ok(HashSet::new()),
    }
}

/// Somebody's favourites that are still published, the latest like first. People see their own, admins everybody's.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest, [`Error::Forbidden`] for somebody else's; [`Error::Invalid`] for a cursor that
/// this list did not give.
pub async fn favourites(
    core: &Core,
    caller: &Caller,
    user: UserId,
    cursor: Option<&str>,
    limit: i64,
) -> Result<Page<Workflow>> {
    caller.signed_in()?;
    if !caller.owns_or_admin(user) {
        return Err(Error::Forbidden);
    }
    let after = lists::after(cursor, Sort::LikedAt)?;
    let found = store::of_user(&core.db, user, after, lists::one_more(limit)).await?;
    lists::page(core, found.into_iter().map(|(id, key)| Cursor { sort: Sort::LikedAt, key, id }).collect(), limit).await
}

#[cfg(test)]
mod tests;
