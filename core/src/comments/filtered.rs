//! Comments by a filter: lists, how many there are, and how many were written over time.
//!
//! What people say stands below a post and is read there. So whoever is no admin names where to look (a post, a comment
//! that is answered, or comments by their ids) or asks for what they wrote themselves: nobody else's words are gathered
//! from all over the site.

use std::collections::HashSet;

use uuid::Uuid;

use super::comment::{Comment, Post};
use super::filter::Filter;
use super::{shown, store};
use crate::filter::{self, Asked, MAX_COUNT, MAX_IDS, Order};
use crate::ids::{CommentId, OutputAssetId, UserId, WorkflowId};
use crate::periods::{PeriodCount, Periods};
use crate::{Caller, Core, Error, Result, cursor, gallery, users, workflows};

/// Posts that are looked up at once.
const POSTS_AT_ONCE: usize = 100;

/// A page of a filtered list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Fewer than asked for where some stand below posts that the caller cannot see, or are of people whom the caller has
    /// blocked.
    pub items: Vec<Comment>,
    /// Where the list goes on.
    pub next: Option<String>,
}

impl Filter {
    fn names_nothing(&self) -> bool {
        self.ids.as_ref().is_some_and(Vec::is_empty)
    }

    /// Whether the caller may look there, or finds nothing in any case (`false`).
    async fn is_open(&self, core: &Core, caller: &Caller) -> Result<bool> {
        if self.ids.as_ref().is_some_and(|ids| ids.len() > MAX_IDS) {
            return Err(Error::invalid("filter._id", format!("may name {MAX_IDS} ids at most")));
        }
        let post = match (self.post, self.parent) {
            (Some(post), _) => Some(post),
            (None, Some(parent)) => match store::find(&core.db, parent).await? {
                Some(parent) => Some(parent.post),
                None => return Ok(false),
            },
            (None, None) => None,
        };
        if caller.admin {
            return Ok(!self.names_nothing());
        }
        match post {
            Some(post) => match super::post_of(core, caller, post).await {
                Ok(_) => Ok(!self.names_nothing()),
                Err(Error::NotFound { .. } | Error::Forbidden) => Ok(false),
                Err(error) => Err(error),
            },
            None if self.ids.is_some() => Ok(!self.names_nothing()),
            None => match self.user {
                Some(user) if caller.signed_in()? == user => Ok(true),
                Some(_) => Err(Error::Forbidden),
                None => {
                    Err(Error::invalid("filter", "must name _id, workflow, outputAsset, parent, or oneself as user"))
                }
            },
        }
    }
}

/// Comments that are not deleted, by age.
///
/// # Errors
/// [`Error::Invalid`] where the filter does not say where to look, for too many ids, too much to pass over, and for a
/// cursor that no list in this order gave; [`Error::LoginRequired`] or [`Error::Forbidden`] for what somebody else wrote.
pub async fn filtered(core: &Core, caller: &Caller, filter: &Filter, asked: Asked<'_>) -> Result<Found> {
    filter::check_skip(asked.skip, asked.cursor)?;
    let after = match asked.cursor {
        Some(cursor) => Uuid::parse_str(cursor).map_err(|_| cursor::refused())?,
        None if asked.order == Order::Oldest => Uuid::nil(),
        None => Uuid::max(),
    };
    if !filter.is_open(core, caller).await? {
        return Ok(Found { items: Vec::new(), next: None });
    }
    let limit = asked.limit.clamp(1, super::MAX_PAGE);
    let page = (asked.skip, limit + 1);
    let mut items = store::filtered::list(&core.db, filter, (asked.order, CommentId(after)), page, caller.user).await?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = items.len() > limit;
    items.truncate(limit);
    let next = items.last().filter(|_| more).map(|last| last.id.to_string());
    Ok(Found { items: open(core, caller, items).await?, next })
}

/// How many there are of what [`filtered`] lists, up to [`MAX_COUNT`]; those of people whom the caller has blocked are
/// counted too, and of named ones only those below posts that the caller sees.
///
/// # Errors
/// As [`filtered`].
pub async fn count(core: &Core, caller: &Caller, filter: &Filter) -> Result<i64> {
    if !filter.is_open(core, caller).await? {
        return Ok(0);
    }
    let is_anywhere = filter.ids.is_some() && filter.post.is_none() && filter.parent.is_none();
    if !is_anywhere || caller.admin {
        return Ok(store::filtered::count(&core.db, filter, MAX_COUNT).await?);
    }
    let all = i64::try_from(MAX_IDS).unwrap_or(i64::MAX);
    let top = (Order::Newest, CommentId(Uuid::max()));
    let found = store::filtered::list(&core.db, filter, top, (0, all), None).await?;
    let visible = visible_posts(core, caller, &found).await?;
    let count = found.iter().filter(|comment| visible.contains(&comment.post)).count();
    Ok(i64::try_from(count).unwrap_or(i64::MAX))
}

/// How many comments the caller wrote in each period and did not delete since; an admin counts everybody's.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn counts(core: &Core, caller: &Caller, periods: &Periods) -> Result<Vec<PeriodCount>> {
    let owner = caller.own_or_all()?;
    Ok(periods.filled(store::filtered::counts(&core.db, owner, periods).await?))
}

/// How many were written in each period and are neither deleted nor hidden since.
///
/// # Errors
/// Database errors.
pub async fn public_counts(core: &Core, periods: &Periods) -> Result<Vec<PeriodCount>> {
    Ok(periods.filled(store::filtered::public_counts(&core.db, periods).await?))
}

/// Gives those of these that are the caller's the same words, as [`super::edit`] does; the others are passed over.
///
/// # Errors
/// As [`super::edit`], but for comments that are gone or somebody else's; [`Error::Invalid`] for more than
/// [`super::MAX_PAGE`].
pub async fn edit_several(core: &Core, caller: &Caller, ids: &[CommentId], content: &str) -> Result<Vec<Comment>> {
    let user = caller.signed_in()?;
    // Whether they may say it at all does not depend on which ones are theirs.
    let _permit = users::may_publish(core, caller).await?;
    super::state::checked_content(content)?;
    check_many(ids)?;
    let mut edited = Vec::new();
    for id in ids {
        match super::find(core, caller, *id).await {
            Ok(comment) if comment.user == Some(user) && !comment.is_hidden => {
                edited.push(super::edit(core, caller, *id, content).await?);
            }
            Ok(_) | Err(Error::NotFound { .. } | Error::Forbidden) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(edited)
}

fn check_many(ids: &[CommentId]) -> Result<()> {
    match i64::try_from(ids.len()) {
        Ok(0..=super::MAX_PAGE) => Ok(()),
        _ => Err(Error::invalid("filter._id", format!("may name {} ids at most", super::MAX_PAGE))),
    }
}

/// Deletes those of these that the caller may delete, as [`super::delete`] says; the others are passed over. Tells how
/// many went.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for more than [`super::MAX_PAGE`].
pub async fn delete_several(core: &Core, caller: &Caller, ids: &[CommentId]) -> Result<u64> {
    caller.signed_in()?;
    check_many(ids)?;
    let mut deleted = 0;
    for id in ids {
        match super::delete(core, caller, *id).await {
            Ok(()) => deleted += 1,
            Err(Error::NotFound { .. } | Error::Forbidden) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(deleted)
}

/// Those below posts that the caller sees, of people whom the caller has not blocked, as they are shown.
async fn open(core: &Core, caller: &Caller, mut items: Vec<Comment>) -> Result<Vec<Comment>> {
    if !caller.admin {
        let visible = visible_posts(core, caller, &items).await?;
        items.retain(|comment| visible.contains(&comment.post));
    }
    let authors: Vec<UserId> = items.iter().filter_map(|comment| comment.user).collect();
    let blocked = users::blocked_among(core, caller, &authors).await?;
    items.retain(|comment| comment.user.is_none_or(|user| !blocked.contains(&user)));
    Ok(items.into_iter().map(|item| shown(item, caller)).collect())
}

/// The posts of these that the caller sees and that can be commented on.
async fn visible_posts(core: &Core, caller: &Caller, items: &[Comment]) -> Result<HashSet<Post>> {
    let (mut posts, mut outputs): (Vec<WorkflowId>, Vec<OutputAssetId>) = (Vec::new(), Vec::new());
    for post in items.iter().map(|comment| comment.post).collect::<HashSet<_>>() {
        match post {
            Post::Workflow(id) => posts.push(id),
            Post::OutputAsset(id) => outputs.push(id),
        }
    }
    let mut visible = HashSet::new();
    for some in posts.chunks(POSTS_AT_ONCE) {
        visible.extend(workflows::named(core, caller, some).await?.into_iter().map(|found| Post::Workflow(found.id)));
    }
    let outputs = gallery::readable(core, caller, &outputs).await?.into_iter().filter(|found| !found.is_private);
    visible.extend(outputs.map(|found| Post::OutputAsset(found.id)));
    Ok(visible)
}
