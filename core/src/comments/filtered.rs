//! Comments by filter: lists, counts, and counts over time.
//!
//! A caller who is no admin names where to look (a post, a parent comment, or comments by id), or asks for the caller's
//! own. So the comments of another user cannot be collected from the whole site.

use std::collections::HashSet;

use super::comment::{Comment, Post};
use super::filter::CommentFilter;
use super::{shown, store};
use crate::filter::check_ids;
use crate::ids::{CommentId, OutputAssetId, UserId, WorkflowId};
use crate::list::{AgeOrder, Cursor, Keyset, ListQuery, MAX_COUNT, MAX_PAGE, Page};
use crate::periods::{PeriodCount, Periods};
use crate::{Caller, Core, Error, Result, gallery, users, workflows};

/// Posts that are looked up at once.
const POSTS_AT_ONCE: usize = 100;

impl CommentFilter {
    /// Whether the filter can match. Refuses a filter that the caller may not use.
    async fn can_match(&self, core: &Core, caller: &Caller) -> Result<bool> {
        let can_match = check_ids(self.ids.as_ref())?;
        let post = match (self.post, self.parent) {
            (Some(post), _) => Some(post),
            (None, Some(parent)) => match store::find(&core.db, parent).await? {
                Some(parent) => Some(parent.post),
                None => return Ok(false),
            },
            (None, None) => None,
        };
        if caller.admin {
            return Ok(can_match);
        }
        match post {
            Some(post) => match super::post_of(core, caller, post).await {
                Ok(_) => Ok(can_match),
                Err(Error::NotFound { .. } | Error::Forbidden) => Ok(false),
                Err(error) => Err(error),
            },
            None if self.ids.is_some() => Ok(can_match),
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

/// Comments that are not deleted. A page has fewer items than its limit where comments are on posts that the caller
/// cannot see, or by users whom the caller has blocked.
///
/// # Errors
/// [`Error::Invalid`] where the filter does not name where to look, for too many ids, too large a skip, and a cursor
/// that no list in this order returned; [`Error::LoginRequired`] or [`Error::Forbidden`] for another user's comments.
pub async fn filtered(
    core: &Core,
    caller: &Caller,
    query: ListQuery<'_, &CommentFilter, AgeOrder>,
) -> Result<Page<Comment>> {
    let keyset = query.keyset()?;
    if !query.filter.can_match(core, caller).await? {
        return Ok(Page::empty());
    }
    let rows = store::filtered::list(&core.db, query.filter, keyset, caller.user).await?;
    let Page { items, next_cursor } = keyset.page(rows, |last| Cursor::of(last.id));
    Ok(Page { items: visible_only(core, caller, items).await?, next_cursor })
}

/// Counts what [`filtered`] lists, up to [`MAX_COUNT`]. Comments by users whom the caller has blocked count too; of
/// named comments, only those on posts that the caller sees.
///
/// # Errors
/// As [`filtered`].
pub async fn count(core: &Core, caller: &Caller, filter: &CommentFilter) -> Result<i64> {
    if !filter.can_match(core, caller).await? {
        return Ok(0);
    }
    let is_anywhere = filter.ids.is_some() && filter.post.is_none() && filter.parent.is_none();
    if !is_anywhere || caller.admin {
        return Ok(store::filtered::count(&core.db, filter, MAX_COUNT).await?);
    }
    let found = store::filtered::list(&core.db, filter, Keyset::all(), None).await?;
    let visible = visible_posts(core, caller, &found).await?;
    let count = found.iter().filter(|comment| visible.contains(&comment.post)).count();
    Ok(i64::try_from(count).unwrap_or(i64::MAX))
}

/// Counts the caller's comments that were written in each period and still exist; for an admin, those of all users.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn counts(core: &Core, caller: &Caller, periods: &Periods) -> Result<Vec<PeriodCount>> {
    let owner = caller.own_or_all()?;
    Ok(periods.filled(store::filtered::counts(&core.db, owner, periods).await?))
}

/// Counts the comments that were written in each period and are neither deleted nor hidden.
pub async fn public_counts(core: &Core, periods: &Periods) -> Result<Vec<PeriodCount>> {
    Ok(periods.filled(store::filtered::public_counts(&core.db, periods).await?))
}

/// Sets the content of the caller's comments among these, as [`super::edit`] does. Others are skipped.
///
/// # Errors
/// As [`super::edit`], except for comments that are deleted or another user's; [`Error::Invalid`] for more than
/// [`MAX_PAGE`].
pub async fn edit_several(core: &Core, caller: &Caller, ids: &[CommentId], content: &str) -> Result<Vec<Comment>> {
    let user = caller.signed_in()?;
    // Checked first, so that the answer does not depend on which comments are the caller's.
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
        Ok(0..=MAX_PAGE) => Ok(()),
        _ => Err(Error::invalid("filter._id", format!("may name {} ids at most", MAX_PAGE))),
    }
}

/// Deletes the comments among these that the caller may delete, as [`super::delete`] does. Others are skipped. Returns
/// the number deleted.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for more than [`MAX_PAGE`].
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

/// Comments on posts that the caller sees, by users whom the caller has not blocked, as views show them.
async fn visible_only(core: &Core, caller: &Caller, mut items: Vec<Comment>) -> Result<Vec<Comment>> {
    if !caller.admin {
        let visible = visible_posts(core, caller, &items).await?;
        items.retain(|comment| visible.contains(&comment.post));
    }
    let authors: Vec<UserId> = items.iter().filter_map(|comment| comment.user).collect();
    let blocked = users::blocked_among(core, caller, &authors).await?;
    items.retain(|comment| comment.user.is_none_or(|user| !blocked.contains(&user)));
    Ok(items.into_iter().map(|item| shown(item, caller)).collect())
}

/// The posts of these comments that the caller sees and that take comments.
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
