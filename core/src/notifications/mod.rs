//! Notifications: what people are told of, a box for each person.
//!
//! A notification is written in the transaction of what it tells of, so that neither is there without the other.
//! Notices of the operators are rows of their own and come into a box when its owner next looks: one notice to a
//! million people is one row. Places are numbered in each box, so that page 1,000 costs what page 1 costs; a box out of
//! which its owner deleted something is counted off instead.

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
pub use filter::Filter;
pub use filtered::{Found, count, counts, filtered, find};
pub use live::{announce, subscribe};
pub use notice::{NewNotice, Notice};
pub use notices::{delete_notice, notices, publish_notice};
pub use notification::{About, Fact, Kind, Notification, Others, Said};
pub use settings::{Settings, set_settings, settings};

use crate::filter::Order;
use crate::ids::{NotificationId, UserId};
use crate::{Caller, Core, Error, Result, users};

/// The most notifications that one call gives, checks or deletes.
pub const MAX_PAGE: i64 = 100;
/// Unread ones are counted up to here: the widest badge shows 999+.
pub const MAX_COUNT: i64 = 1000;
/// A page of a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    pub items: Vec<Notification>,
    /// How many there are in all.
    pub total: i64,
}

/// Unread notifications, each count up to [`MAX_COUNT`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Unread {
    pub all: i64,
    by_kind: [i64; 5],
}

impl Unread {
    /// Of one kind.
    #[must_use]
    pub fn of(&self, kind: Kind) -> i64 {
        Kind::ALL.into_iter().zip(self.by_kind).find(|(other, _)| *other == kind).map_or(0, |(_, count)| count)
    }
}

/// Puts a fact into somebody's box, within the transaction of what it tells of. Tells whether it did: nobody hears of
/// what they did themselves, of what was told before, or of those they have blocked. Call [`announce`] after the commit.
///
/// # Errors
/// Database errors.
pub async fn tell(
    tx: &mut PgConnection,
    to: UserId,
    actor: Option<UserId>,
    fact: &Fact,
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

/// Tells an owner of a like, and of the milestone that it reached; whether there was something to tell. As [`tell`].
///
/// # Errors
/// Database errors.
pub async fn tell_liked(
    tx: &mut PgConnection,
    to: UserId,
    by: UserId,
    about: About,
    like_count: i64,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let mut told = tell(tx, to, Some(by), &Fact::Liked { about: about.clone() }, now).await?;
    if let Some(count) = Others::milestone(like_count - 1, like_count) {
        told |= tell(tx, to, None, &Fact::Reached { about, what: Others::Like, count }, now).await?;
    }
    Ok(told)
}

/// A page of the caller's box, all kinds or one: `limit` of them after `skip`.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Invalid`] for a limit outside of 1 to [`MAX_PAGE`] or a `skip` below 0.
pub async fn page(
    core: &Core,
    caller: &Caller,
    kind: Option<Kind>,
    skip: i64,
    limit: i64,
    order: Order,
) -> Result<Page> {
    let user = caller.signed_in()?;
    if !(1..=MAX_PAGE).contains(&limit) {
        return Err(Error::invalid("limit", format!("must be between 1 and {MAX_PAGE}")));
    }
    if skip < 0 {
        return Err(Error::invalid("skip", "must not be below 0"));
    }
    notices::bring(core, user).await?;
    let language = users::find(core, user).await?.language;
    let size = store::size(&core.db, user, kind).await?;
    // How many older ones there are than those of the page, and up to where it goes.
    let (after, until) = match order {
        Order::Newest => (size.total() - skip - limit, size.total() - skip),
        Order::Oldest => (skip, skip + limit),
    };
    let mut items = if size.deleted == 0 {
        // Places run from 1, the oldest, to the total.
        store::between(&core.db, user, kind, (after + 1, until), language).await?
    } else {
        let after = after.max(0);
        store::counted_off(&core.db, user, kind, (after, (until - after).max(0)), language).await?
    };
    if order == Order::Newest {
        items.reverse();
    }
    Ok(Page { items, total: size.total() })
}

/// How many notifications the caller's box has, read or not.
///
/// # Errors
/// [`Error::LoginRequired`].
pub async fn total(core: &Core, caller: &Caller, kind: Option<Kind>) -> Result<i64> {
    Ok(store::size(&core.db, caller.signed_in()?, kind).await?.total())
}

/// How many of the caller's notifications are unread.
///
/// # Errors
/// [`Error::LoginRequired`].
pub async fn unread(core: &Core, caller: &Caller) -> Result<Unread> {
    let user = caller.signed_in()?;
    notices::bring(core, user).await?;
    let mut unread = Unread::default();
    let counted = store::unread(&core.db, user, MAX_COUNT).await?;
    for (slot, kind) in unread.by_kind.iter_mut().zip(Kind::ALL) {
        *slot = counted.iter().find(|(other, _)| *other == kind).map_or(0, |(_, count)| *count);
    }
    unread.all = unread.by_kind.iter().sum::<i64>().min(MAX_COUNT);
    Ok(unread)
}

/// Notes that the caller has seen these; ids of others' boxes change nothing. Gives the number that was new.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Invalid`] for more than [`MAX_PAGE`].
pub async fn check(core: &Core, caller: &Caller, ids: &[NotificationId]) -> Result<u64> {
    let user = caller.signed_in()?;
    check_count(ids)?;
    let checked = store::check(&core.db, user, ids, core.clock.now()).await?;
    announce(core, user).await;
    Ok(checked)
}

/// Notes that the caller has seen all, or all of a kind.
///
/// # Errors
/// [`Error::LoginRequired`].
pub async fn check_all(core: &Core, caller: &Caller, kind: Option<Kind>) -> Result<u64> {
    let user = caller.signed_in()?;
    notices::bring(core, user).await?;
    let checked = store::check_all(&core.db, user, kind, core.clock.now()).await?;
    announce(core, user).await;
    Ok(checked)
}

/// Deletes these from the caller's box; ids of others' boxes change nothing. Gives the number that was there. A notice to
/// all goes out of this box alone.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Invalid`] for more than [`MAX_PAGE`].
pub async fn delete(core: &Core, caller: &Caller, ids: &[NotificationId]) -> Result<u64> {
    let user = caller.signed_in()?;
    check_count(ids)?;
    let deleted = store::delete(&core.db, user, ids).await?;
    announce(core, user).await;
    Ok(deleted.unsigned_abs())
}

/// Empties the box of somebody who left.
///
/// # Errors
/// Database errors.
pub async fn forget(core: &Core, user: UserId) -> Result<()> {
    Ok(store::forget(&core.db, user).await?)
}

/// Refuses more than one call changes.
fn check_count(ids: &[NotificationId]) -> Result<()> {
    match i64::try_from(ids.len()).is_ok_and(|count| count <= MAX_PAGE) {
        true => Ok(()),
        false => Err(Error::invalid("ids", format!("at most {MAX_PAGE} at once"))),
    }
}

#[cfg(test)]
mod tests;
