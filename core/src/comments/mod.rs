//! Comments on workflows and published pictures, answers to them, and their likes.
//!
//! Answers stand one level deep: an answer to an answer belongs to the same comment. What is deleted keeps its row: a
//! comment with answers stays as a placeholder without author and content, one without is left out of lists. Comments
//! come newest first, answers oldest first, as a conversation is read.

mod comment;
mod filter;
mod filtered;
mod hiding;
mod likes;
mod search;
mod state;
mod store;

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;

pub use comment::{Below, Comment, Post, Reaction};
pub use filter::Filter;
pub use filtered::{Found, count, counts, delete_several, edit_several, filtered, public_counts};
pub use hiding::{delete_within, hide_within, unhide_within};
pub use likes::react;
pub use search::{SEARCHED, Searched, search};
pub use state::{MAX_CHARS, MAX_HTML_BYTES};

use crate::assets::{self, Exposure, Text};
use crate::audit::{self, Act, Action};
use crate::caller::Authority;
use crate::ids::{CommentId, UserId};
use crate::notifications::{self, About, Fact};
use crate::users::PublishPermit;
use crate::{Caller, Core, Error, Result, gallery, html, users, workflows};

/// The largest page.
pub const MAX_PAGE: i64 = 100;

/// A numbered page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Fewer than asked for where some were deleted; there may be more behind them.
    pub items: Vec<Comment>,
    /// Places in all, those of deleted comments too: pages are cut by them.
    pub places: i64,
    /// Comments that are not deleted.
    pub living: i64,
}

/// A page of comments on a post that the caller may see, or of the answers to one; `page` counts from 1. Nothing of
/// people whom the caller has blocked is in it.
///
/// # Errors
/// [`Error::NotFound`] where the post is not there for the caller; [`Error::Invalid`] for a page below 1 or a limit
/// outside of 1 to [`MAX_PAGE`].
pub async fn page(core: &Core, caller: &Caller, below: Below, page: i64, limit: i64) -> Result<Page> {
    if page < 1 {
        return Err(Error::invalid("page", "must be at least 1"));
    }
    if !(1..=MAX_PAGE).contains(&limit) {
        return Err(Error::invalid("limit", format!("must be between 1 and {MAX_PAGE}")));
    }
    match below {
        Below::Post(post) => drop(post_of(core, caller, post).await?),
        Below::Comment(id) => {
            let parent = store::find(&core.db, id).await?.ok_or(GONE)?;
            post_of(core, caller, parent.post).await?;
        }
    }
    let (last, mut living) = store::places(&core.db, below.id()).await?;
    if let Below::Post(post) = below {
        living += store::replies(&core.db, post).await?;
    }
    let before = page.saturating_sub(1).saturating_mul(limit);
    let mut items = match below {
        // The newest has the last place.
        Below::Post(_) => {
            let end = last.saturating_sub(before);
            let mut items = store::between(&core.db, below, end.saturating_sub(limit) + 1, end, caller.user).await?;
            items.reverse();
            items
        }
        Below::Comment(_) => {
            let first = before.saturating_add(1);
            store::between(&core.db, below, first, first.saturating_add(limit - 1), caller.user).await?
        }
    };
    let authors: Vec<UserId> = items.iter().filter_map(|comment| comment.user).collect();
    let blocked = users::blocked_among(core, caller, &authors).await?;
    items.retain(|comment| comment.user.is_none_or(|user| !blocked.contains(&user)));
    Ok(Page { items: items.into_iter().map(|item| shown(item, caller)).collect(), places: last, living })
}

/// One comment, below a post that the caller may see: what a link to it leads to. One that is deleted is there for the
/// answers to it alone.
///
/// # Errors
/// [`Error::NotFound`], also where its author is blocked by the caller; [`Error::Forbidden`] where the post is a private
/// picture.
pub async fn linked(core: &Core, caller: &Caller, id: CommentId) -> Result<Comment> {
    let comment = store::find_for(&core.db, id, caller.user).await?.ok_or(GONE)?;
    post_of(core, caller, comment.post).await?;
    match comment.user {
        None if comment.reply_count == 0 => Err(GONE),
        Some(author) if !users::blocked_among(core, caller, &[author]).await?.is_empty() => Err(GONE),
        _ => Ok(shown(comment, caller)),
    }
}

/// What the caller has written, newest first: at most `limit` older than `before`. What a moderator hid is among it with
/// its words, which are still the caller's own.
///
/// # Errors
/// [`Error::LoginRequired`].
pub async fn mine(core: &Core, caller: &Caller, before: Option<CommentId>, limit: i64) -> Result<Vec<Comment>> {
    let written = store::of_user(&core.db, caller.signed_in()?, before, limit).await?;
    Ok(written.into_iter().map(|comment| Comment { content: html::clean(&comment.content), ..comment }).collect())
}

/// Comments on a post, or answers a comment. Its author, and whoever is answered, are told.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`] where the post or the comment is not there for the caller, or is
/// deleted; [`Error::Invalid`] for no text or too much of it; [`Error::Forbidden`] where its author has blocked the caller,
/// or the post is a private picture; [`Error::RateLimited`] after too many in an hour; as [`users::may_publish`], and for
/// the caller's own pictures in it as [`assets::must_not_be_locked`].
pub async fn write(core: &Core, caller: &Caller, below: Below, content: &str) -> Result<Comment> {
    let user = caller.signed_in()?;
    let permit = users::may_publish(core, caller).await?;
    let content = state::checked_content(content)?;
    users::take_quota(core, "comment", &user.to_string(), core.settings.limits.comments_per_account_per_hour).await?;
    let answered = match below {
        Below::Post(_) => None,
        Below::Comment(id) => {
            let comment = store::find(&core.db, id).await?.filter(|comment| comment.user.is_some()).ok_or(GONE)?;
            Some(comment)
        }
    };
    let post = match (&answered, below) {
        (Some(comment), _) => comment.post,
        (None, Below::Post(post)) => post,
        (None, Below::Comment(_)) => return Err(GONE),
    };
    let (author, about) = post_of(core, caller, post).await?;
    let to = answered.as_ref().and_then(|comment| comment.user);
    for other in [Some(author), to].into_iter().flatten() {
        if users::has_blocked(&core.db, other, user).await? {
            return Err(Error::Forbidden);
        }
    }
    let comment = Comment {
        id: CommentId::new(),
        user: Some(user),
        post,
        // An answer to an answer belongs to the same comment.
        parent: answered.as_ref().map(|comment| comment.parent.unwrap_or(comment.id)),
        content,
        reply_count: 0,
        like_count: 0,
        dislike_count: 0,
        reaction: None,
        created_at: core.clock.now(),
        edited_at: None,
        is_hidden: false,
    };
    let mut tx = core.db.begin().await?;
    store::insert(&mut tx, &permit, &comment).await?;
    write_pictures(&mut tx, &permit, user, comment.id, &comment.content).await?;
    let fact = |is_answer| Fact::Commented {
        about: about.clone(),
        comment: comment.id,
        text: html::text(&comment.content),
        is_answer,
    };
    let mut told = Vec::new();
    if let Some(to) = to
        && notifications::tell(&mut tx, to, Some(user), &fact(true), comment.created_at).await?
    {
        told.push(to);
    }
    // Whoever wrote the post and is answered there hears of it once.
    if to != Some(author) && notifications::tell(&mut tx, author, Some(user), &fact(false), comment.created_at).await? {
        told.push(author);
    }
    tx.commit().await?;
    for to in told {
        notifications::announce(core, to).await;
    }
    Ok(shown(comment, caller))
}

/// A comment that is not deleted, below a post that the caller may see; an admin finds it whatever became of the post.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Forbidden`] below a private picture.
pub async fn find(core: &Core, caller: &Caller, id: CommentId) -> Result<Comment> {
    if caller.admin {
        let found = store::find(&core.db, id).await?.filter(|comment| comment.user.is_some());
        return found.map(|comment| shown(comment, caller)).ok_or(GONE);
    }
    Ok(shown(visible(core, caller, id).await?, caller))
}

/// Changes what the caller has written.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`]; [`Error::Forbidden`] for somebody else's; the rest as in
/// [`write`].
pub async fn edit(core: &Core, caller: &Caller, id: CommentId, content: &str) -> Result<Comment> {
    let user = caller.signed_in()?;
    let permit = users::may_publish(core, caller).await?;
    let content = state::checked_content(content)?;
    let comment = visible(core, caller, id).await?;
    // Not even an admin puts words into somebody's mouth.
    if comment.user != Some(user) {
        return Err(Error::Forbidden);
    }
    if comment.is_hidden {
        return Err(state::hidden());
    }
    let mut tx = core.db.begin().await?;
    let edited = store::edit(&mut tx, &permit, id, user, &content, core.clock.now()).await?;
    let mut comment = edited.then_some(comment).ok_or(GONE)?;
    write_pictures(&mut tx, &permit, user, id, &content).await?;
    tx.commit().await?;
    comment.content = content;
    comment.edited_at = Some(core.clock.now());
    Ok(shown(comment, caller))
}

/// Deletes what the caller has written (anybody's, for an admin, and what stands below the caller's own posts). Its
/// answers stay. An admin deletes it whatever became of the post.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`]; [`Error::Forbidden`].
pub async fn delete(core: &Core, caller: &Caller, id: CommentId) -> Result<()> {
    let user = caller.signed_in()?;
    let comment = store::find(&core.db, id).await?.ok_or(GONE)?;
    let author = comment.user.ok_or(GONE)?;
    let owns_post = match post_of(core, caller, comment.post).await {
        Ok((post_author, _)) => post_author == user,
        Err(Error::NotFound { .. } | Error::Forbidden) if caller.admin => false,
        Err(error) => return Err(error),
    };
    let by = if owns_post { Authority::Ordinary } else { caller.authority_over(author)? };
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    if !remove(&mut tx, &comment, now).await? {
        return Err(GONE);
    }
    let act = Act::new(Action::CommentDelete, id).of(author).before(json!({ "content": comment.content }));
    audit::record_over(&mut tx, by, act, now).await?;
    Ok(tx.commit().await?)
}

/// Deletes some of what somebody has written, for good reason: they left. Tells how many; none are left at 0.
///
/// # Errors
/// Database errors.
pub async fn delete_some_of(core: &Core, user: UserId, limit: i64) -> Result<usize> {
    let written = store::of_user(&core.db, user, None, limit).await?;
    let mut tx = core.db.begin().await?;
    for comment in &written {
        remove(&mut tx, comment, core.clock.now()).await?;
    }
    tx.commit().await?;
    Ok(written.len())
}

/// Deletes a comment, and takes back what it alone has shown; tells whether it was there.
async fn remove(tx: &mut PgConnection, comment: &Comment, now: DateTime<Utc>) -> Result<bool> {
    let deleted = store::delete(&mut *tx, comment, now).await?;
    let released = assets::delete_text_within(tx, comment.id.0).await?;
    workflows::release_pictures(tx, &released).await?;
    Ok(deleted)
}

/// Notes which uploads of its author's a comment shows, and lets everybody see them.
async fn write_pictures(
    tx: &mut PgConnection,
    permit: &PublishPermit,
    author: UserId,
    id: CommentId,
    content: &str,
) -> Result<()> {
    let text = Text { id: id.0, authors: &[author], html: &[content] };
    let released = assets::write_text_within(tx, text, Exposure::Everybody(permit)).await?;
    workflows::release_pictures(tx, &released).await
}

/// A comment that is not deleted, below a post that the caller may see.
async fn visible(core: &Core, caller: &Caller, id: CommentId) -> Result<Comment> {
    let comment = store::find(&core.db, id).await?.filter(|comment| comment.user.is_some()).ok_or(GONE)?;
    post_of(core, caller, comment.post).await?;
    Ok(comment)
}

/// The author of a post that the caller may see and that can be commented on, and what to call it.
async fn post_of(core: &Core, caller: &Caller, post: Post) -> Result<(UserId, About)> {
    match post {
        Post::Workflow(id) => {
            let workflow = workflows::find(core, caller, id).await?;
            Ok((workflow.user, About::Workflow(id, workflow.name)))
        }
        Post::OutputAsset(id) => {
            let picture = gallery::find(core, caller, id).await?;
            // Comments belong to what everybody sees.
            if picture.is_private { Err(Error::Forbidden) } else { Ok((picture.user, About::OutputAsset(id))) }
        }
    }
}

const GONE: Error = Error::NotFound { what: "comment" };

/// What was stored before a rule was made stricter is cleaned by that rule too. What is hidden keeps its author, and
/// its words for admins alone.
fn shown(mut comment: Comment, caller: &Caller) -> Comment {
    comment.content = match comment.is_hidden && !caller.admin {
        true => String::new(),
        false => html::clean(&comment.content),
    };
    comment
}

#[cfg(test)]
mod tests;
