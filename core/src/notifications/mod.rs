//! Notifications: a box of notifications for each user.
//!
//! A notification is written in the transaction of its cause, so that neither exists without the other. An operators'
//! notice is one row and is copied into a box when its owner next reads it: a notice to a million users costs one row.
//! Notifications have consecutive places in their box, so that page 1,000 costs as much as page 1. Boxes with deleted
//! notifications are paged by offset instead.

mod digest;
mod filter;
mod filtered;
mod live;
mod notice;
mod notices;
mod notification;
mod settings;
mod store;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

pub use digest::{MAIL_AFTER, MAIL_EVERY, mail_due, unsubscribe};
pub use filter::{NotificationFilter, NotificationOrder};
pub use filtered::{count, counts, filtered, find};
pub use live::{announce, subscribe};
pub use notice::{NewNotice, Notice};
pub use notices::{delete_notice, notices, publish_notice};
pub use notification::{
    BilingualText, MilestoneMetric, NewNotification, Notification, NotificationKind, NotificationSubject,
};
pub use settings::{NotificationSettings, set_settings, settings};

use crate::ids::{NotificationId, UserId};
use crate::list::{MAX_PAGE, NumberedPage};
use crate::{Caller, Core, Error, Result, users};

/// Limit of unread counts: the badge shows 999+ at most.
pub const MAX_COUNT: i64 = 1000;

/// Unread notifications, each count up to [`MAX_COUNT`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Unread {
    pub all: i64,
    by_kind: [i64; 5],
}

impl Unread {
    #[must_use]
    pub fn of(&self, kind: NotificationKind) -> i64 {
        NotificationKind::ALL
            .into_iter()
            .zip(self.by_kind)
            .find(|(other, _)| *other == kind)
            .map_or(0, |(_, count)| count)
    }
}

/// Adds a notification to a user's box, in the transaction of its cause. Returns false, and adds nothing, for the
/// user's own actions, for repeated notifications, and for actors the user has blocked. Call [`announce`] after the
/// commit.
pub async fn notify(
    tx: &mut PgConnection,
    to: UserId,
    actor: Option<UserId>,
    fact: &NewNotification,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    if actor == Some(to) {
        return Ok(false);
    }
    if let Some(actor) = actor
        && users::has_blocked(&mut *tx, to, actor).await?
    {
        return Ok(false);
    }
    store::insert(tx, to, &store::Row::of(actor, fact), now).await
}

/// Notifies an owner of a like, and of the milestone it reaches; returns whether there was a notification. See
/// [`notify`].
pub async fn notify_like(
    tx: &mut PgConnection,
    to: UserId,
    by: UserId,
    about: NotificationSubject,
    like_count: i64,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let mut told = notify(tx, to, Some(by), &NewNotification::Like { about: about.clone() }, now).await?;
    if let Some(count) = MilestoneMetric::milestone(like_count - 1, like_count) {
        told |= notify(tx, to, None, &NewNotification::Milestone { about, what: MilestoneMetric::Like, count }, now)
            .await?;
    }
    Ok(told)
}

/// A page of the caller's box, of all kinds or one: `limit` notifications after `skip`.
///
/// # Errors
/// [`Error::Invalid`] for a limit outside of 1 to [`MAX_PAGE`] or a negative `skip`.
pub async fn page(
    core: &Core,
    caller: &Caller,
    kind: Option<NotificationKind>,
    skip: i64,
    limit: i64,
    order: NotificationOrder,
) -> Result<NumberedPage<Notification>> {
    let user = caller.signed_in()?;
    if !(1..=MAX_PAGE).contains(&limit) {
        return Err(Error::invalid("limit", format!("must be between 1 and {MAX_PAGE}")));
    }
    if skip < 0 {
        return Err(Error::invalid("skip", "must not be below 0"));
    }
    notices::copy_notices(core, user).await?;
    let language = users::find(core, user).await?.language;
    let size = store::size(&core.db, user, kind).await?;
    // The range of places, counted from the oldest.
    let (after, until) = match order {
        NotificationOrder::Newest => (size.total() - skip - limit, size.total() - skip),
        NotificationOrder::Oldest => (skip, skip + limit),
    };
    let mut items = if size.deleted == 0 {
        // Places run from 1, the oldest, to the total.
        store::between(&core.db, user, kind, (after + 1, until), language).await?
    } else {
        let after = after.max(0);
        store::by_offset(&core.db, user, kind, (after, (until - after).max(0)), language).await?
    };
    if order == NotificationOrder::Newest {
        items.reverse();
    }
    Ok(NumberedPage { items, total: size.total() })
}

pub async fn total(core: &Core, caller: &Caller, kind: Option<NotificationKind>) -> Result<i64> {
    Ok(store::size(&core.db, caller.signed_in()?, kind).await?.total())
}

pub async fn unread(core: &Core, caller: &Caller) -> Result<Unread> {
    let user = caller.signed_in()?;
    notices::copy_notices(core, user).await?;
    let mut unread = Unread::default();
    let counted = store::unread(&core.db, user, MAX_COUNT).await?;
    for (slot, kind) in unread.by_kind.iter_mut().zip(NotificationKind::ALL) {
        *slot = counted.iter().find(|(other, _)| *other == kind).map_or(0, |(_, count)| *count);
    }
    unread.all = unread.by_kind.iter().sum::<i64>().min(MAX_COUNT);
    Ok(unread)
}

/// Marks these notifications of the caller as seen and returns how many were unseen. Ids of other boxes are ignored.
///
/// # Errors
/// [`Error::Invalid`] for more than [`MAX_PAGE`].
pub async fn check(core: &Core, caller: &Caller, ids: &[NotificationId]) -> Result<u64> {
    let user = caller.signed_in()?;
    check_count(ids)?;
    let checked = store::check(&core.db, user, ids, core.clock.now()).await?;
    announce(core, user).await;
    Ok(checked)
}

/// Marks all notifications of the caller as seen, or all of a kind.
pub async fn check_all(core: &Core, caller: &Caller, kind: Option<NotificationKind>) -> Result<u64> {
    let user = caller.signed_in()?;
    notices::copy_notices(core, user).await?;
    let checked = store::check_all(&core.db, user, kind, core.clock.now()).await?;
    announce(core, user).await;
    Ok(checked)
}

/// Deletes these notifications from the caller's box and returns how many existed. Ids of other boxes are ignored. A
/// notice stays in other boxes.
///
/// # Errors
/// [`Error::Invalid`] for more than [`MAX_PAGE`].
pub async fn delete(core: &Core, caller: &Caller, ids: &[NotificationId]) -> Result<u64> {
    let user = caller.signed_in()?;
    check_count(ids)?;
    let deleted = store::delete(&core.db, user, ids).await?;
    announce(core, user).await;
    Ok(deleted.unsigned_abs())
}

/// Deletes the box of a deleted user.
pub async fn forget(core: &Core, user: UserId) -> Result<()> {
    Ok(store::forget(&core.db, user).await?)
}

fn check_count(ids: &[NotificationId]) -> Result<()> {
    match i64::try_from(ids.len()).is_ok_and(|count| count <= MAX_PAGE) {
        true => Ok(()),
        false => Err(Error::invalid("ids", format!("at most {MAX_PAGE} at once"))),
    }
}

#[cfg(test)]
mod tests;
