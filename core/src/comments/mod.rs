//! Comments on workflows and published pictures, replies to them, and likes of both.
//!
//! Replies are one level deep: a reply to a reply belongs to the same comment. A deleted comment keeps its row. With
//! replies it stays as a placeholder without author and content, without replies it is left out of lists. Comments are
//! listed newest first, replies oldest first.

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

pub use comment::{Comment, CommentParent, Post, Reaction};
pub use filter::CommentFilter;
pub use filtered::{count, counts, delete_several, edit_several, filtered, public_counts};
pub use hiding::{delete_tx, hide_tx, unhide_tx};
pub use likes::react;
pub use search::{MAX_SCANNED, search};
pub use state::{MAX_CHARS, MAX_HTML_BYTES};

use crate::assets::{self, Exposure, RichText};
use crate::audit::{self, Act, Action};
use crate::caller::Authority;
use crate::database;
use crate::ids::{CommentId, UserId};
use crate::list::MAX_PAGE;
use crate::notifications::{self, NewNotification, NotificationSubject};
use crate::users::PublishPermit;
use crate::{Caller, Core, Error, Result, gallery, html, users, workflows};

/// A numbered page of comments or of replies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentPage {
    /// Fewer than the limit where comments were deleted, even before the last page.
    pub items: Vec<Comment>,
    /// Places on all pages, including those of deleted comments.
    pub places: i64,
    /// Comments and replies that are not deleted.
    pub comment_count: i64,
}

/// A page of comments on a post that the caller may see, or of replies to one, without those by users whom the caller
/// has blocked. `page` starts at 1.
///
/// # Errors
/// [`Error::NotFound`] where the caller does not see the post; [`Error::Invalid`] for a page below 1 or a limit outside
/// of 1 to [`MAX_PAGE`].
pub async fn page(core: &Core, caller: &Caller, below: CommentParent, page: i64, limit: i64) -> Result<CommentPage> {
    if page < 1 {
        return Err(Error::invalid("page", "must be at least 1"));
    }
    if !(1..=MAX_PAGE).contains(&limit) {
        return Err(Error::invalid("limit", format!("must be between 1 and {MAX_PAGE}")));
    }
    match below {
        CommentParent::Post(post) => drop(post_of(core, caller, post).await?),
        CommentParent::Comment(id) => {
            let parent = store::find(&core.db, id).await?.ok_or(GONE)?;
            post_of(core, caller, parent.post).await?;
        }
    }
    let (last, mut comment_count) = store::places(&core.db, below.id()).await?;
    if let CommentParent::Post(post) = below {
        comment_count += store::replies(&core.db, post).await?;
    }
    let before = page.saturating_sub(1).saturating_mul(limit);
    let mut items = match below {
        // The newest has the last place.
        CommentParent::Post(_) => {
            let end = last.saturating_sub(before);
            let mut items = store::between(&core.db, below, end.saturating_sub(limit) + 1, end, caller.user).await?;
            items.reverse();
            items
        }
        CommentParent::Comment(_) => {
            let first = before.saturating_add(1);
            store::between(&core.db, below, first, first.saturating_add(limit - 1), caller.user).await?
        }
    };
    let authors: Vec<UserId> = items.iter().filter_map(|comment| comment.user).collect();
    let blocked = users::blocked_among(core, caller, &authors).await?;
    items.retain(|comment| comment.user.is_none_or(|user| !blocked.contains(&user)));
    Ok(CommentPage { items: items.into_iter().map(|item| shown(item, caller)).collect(), places: last, comment_count })
}

/// The comment that a link names, on a post that the caller may see. A deleted comment is found only while it has
/// replies.
///
/// # Errors
/// [`Error::NotFound`], also where the caller has blocked the author; [`Error::Forbidden`] where the post is a private
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

/// The caller's comments, newest first: at most `limit` older than `before`. Comments that a moderator hid keep their
/// content here, because it is the caller's own.
pub async fn mine(core: &Core, caller: &Caller, before: Option<CommentId>, limit: i64) -> Result<Vec<Comment>> {
    let written = store::of_user(&core.db, caller.signed_in()?, before, limit).await?;
    Ok(written.into_iter().map(|comment| Comment { content: html::clean(&comment.content), ..comment }).collect())
}

/// Writes a comment on a post or a reply, and notifies the author of the post and the author of the comment.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`] where the post or the comment is deleted or the caller does not see
/// it; [`Error::Invalid`] for content that is empty or too long; [`Error::Forbidden`] where its author has blocked the
/// caller, or the post is a private picture; [`Error::RateLimited`] after too many in an hour; as
/// [`users::may_publish`], and for the caller's own pictures in it as [`assets::must_not_be_locked`].
pub async fn write(core: &Core, caller: &Caller, below: CommentParent, content: &str) -> Result<Comment> {
    let user = caller.signed_in()?;
    let permit = users::may_publish(core, caller).await?;
    let content = state::checked_content(content)?;
    users::take_quota(core, "comment", &user.to_string(), core.settings.limits.comments_per_account_per_hour).await?;
    let answered = match below {
        CommentParent::Post(_) => None,
        CommentParent::Comment(id) => {
            let comment = store::find(&core.db, id).await?.filter(|comment| comment.user.is_some()).ok_or(GONE)?;
            Some(comment)
        }
    };
    let post = match (&answered, below) {
        (Some(comment), _) => comment.post,
        (None, CommentParent::Post(post)) => post,
        (None, CommentParent::Comment(_)) => return Err(GONE),
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
        // A reply to a reply belongs to the same comment.
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
    let mut tx = database::begin(&core.db).await?;
    store::insert(&mut tx, &permit, &comment).await?;
    write_pictures(&mut tx, &permit, user, comment.id, &comment.content).await?;
    let fact = |is_answer| NewNotification::Comment {
        about: about.clone(),
        comment: comment.id,
        text: html::text(&comment.content),
        is_answer,
    };
    let mut notified = Vec::new();
    if let Some(to) = to
        && notifications::notify(&mut tx, to, Some(user), &fact(true), comment.created_at).await?
    {
        notified.push(to);
    }
    // An author of the post who is also the author of the comment is notified once.
    if to != Some(author)
        && notifications::notify(&mut tx, author, Some(user), &fact(false), comment.created_at).await?
    {
        notified.push(author);
    }
    tx.commit().await?;
    for to in notified {
        notifications::announce(core, to).await;
    }
    Ok(shown(comment, caller))
}

/// A comment that is not deleted, on a post that the caller may see. An admin finds it whatever the state of the post.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Forbidden`] on a private picture.
pub async fn find(core: &Core, caller: &Caller, id: CommentId) -> Result<Comment> {
    if caller.admin {
        let found = store::find(&core.db, id).await?.filter(|comment| comment.user.is_some());
        return found.map(|comment| shown(comment, caller)).ok_or(GONE);
    }
    Ok(shown(visible(core, caller, id).await?, caller))
}

/// Changes the content of the caller's comment.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`]; [`Error::Forbidden`] for another user's; otherwise as [`write`].
pub async fn edit(core: &Core, caller: &Caller, id: CommentId, content: &str) -> Result<Comment> {
    let user = caller.signed_in()?;
    let permit = users::may_publish(core, caller).await?;
    let content = state::checked_content(content)?;
    let comment = visible(core, caller, id).await?;
    // Not even an admin changes the words of another user.
    if comment.user != Some(user) {
        return Err(Error::Forbidden);
    }
    if comment.is_hidden {
        return Err(state::hidden());
    }
    let mut tx = database::begin(&core.db).await?;
    let edited = store::edit(&mut tx, &permit, id, user, &content, core.clock.now()).await?;
    let mut comment = edited.then_some(comment).ok_or(GONE)?;
    write_pictures(&mut tx, &permit, user, id, &content).await?;
    tx.commit().await?;
    comment.content = content;
    comment.edited_at = Some(core.clock.now());
    Ok(shown(comment, caller))
}

/// Deletes a comment: the caller's own, one on the caller's own post, or any for an admin, who needs no access to the
/// post. Its replies stay.
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
    let mut tx = database::begin(&core.db).await?;
    if !remove(&mut tx, &comment, now).await? {
        return Err(GONE);
    }
    let act = Act::new(Action::CommentDelete, id).of(author).before(json!({ "content": comment.content }));
    audit::record_if_admin(&mut tx, by, act, now).await?;
    Ok(tx.commit().await?)
}

/// Deletes some comments of a user whose account was deleted. Returns the number; 0 when none are left.
pub async fn delete_some_of(core: &Core, user: UserId, limit: i64) -> Result<usize> {
    let written = store::of_user(&core.db, user, None, limit).await?;
    let mut tx = database::begin(&core.db).await?;
    for comment in &written {
        remove(&mut tx, comment, core.clock.now()).await?;
    }
    tx.commit().await?;
    Ok(written.len())
}

/// Deletes a comment and the access to pictures that it alone showed; returns whether the comment existed.
async fn remove(tx: &mut PgConnection, comment: &Comment, now: DateTime<Utc>) -> Result<bool> {
    let deleted = store::delete(&mut *tx, comment, now).await?;
    let released = assets::delete_text_tx(tx, comment.id.0).await?;
    workflows::release_pictures(tx, &released).await?;
    Ok(deleted)
}

/// Records which uploads of its author a comment shows, and makes them public.
async fn write_pictures(
    tx: &mut PgConnection,
    permit: &PublishPermit,
    author: UserId,
    id: CommentId,
    content: &str,
) -> Result<()> {
    let text = RichText { id: id.0, authors: &[author], html: &[content] };
    let released = assets::write_text_tx(tx, text, Exposure::Everybody(permit)).await?;
    workflows::release_pictures(tx, &released).await
}

/// A comment that is not deleted, on a post that the caller may see.
async fn visible(core: &Core, caller: &Caller, id: CommentId) -> Result<Comment> {
    let comment = store::find(&core.db, id).await?.filter(|comment| comment.user.is_some()).ok_or(GONE)?;
    post_of(core, caller, comment.post).await?;
    Ok(comment)
}

/// The author of a post that the caller may see and that takes comments, and the subject of notifications about it.
async fn post_of(core: &Core, caller: &Caller, post: Post) -> Result<(UserId, NotificationSubject)> {
    match post {
        Post::Workflow(id) => {
            let workflow = workflows::find(core, caller, id).await?;
            Ok((workflow.user, NotificationSubject::Workflow(id, workflow.name)))
        }
        Post::OutputAsset(id) => {
            let picture = gallery::find(core, caller, id).await?;
            // Only public pictures take comments.
            if picture.is_private {
                Err(Error::Forbidden)
            } else {
                Ok((picture.user, NotificationSubject::OutputAsset(id)))
            }
        }
    }
}

const GONE: Error = Error::NotFound { what: "comment" };

/// Sanitizes the content by the current rules, which may be stricter than when it was stored. A hidden comment keeps
/// its author, but only admins see its content.
fn shown(mut comment: Comment, caller: &Caller) -> Comment {
    comment.content = match comment.is_hidden && !caller.admin {
        true => String::new(),
        false => html::clean(&comment.content),
    };
    comment
}

#[cfg(test)]
mod tests;
