//! Events: what happened to a user's jobs, batches and mini apps, as one log for the feed and for webhooks.
//!
//! An event is written in the same transaction as its cause ([`write`]), so that neither exists without the other. It
//! becomes visible when it gets its position ([`numbering`]). Positions follow the order of writing, have no gaps, and
//! never appear behind a reader. The feed and webhooks read by position and show the same events under the same ids.
//!
//! The log is kept for at least [`KEPT_DAYS`] days, in monthly partitions that are dropped as a whole.

mod envelope;
mod event;
mod feed;
mod numbering;
mod store;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::{PoisonError, RwLock};

use chrono::TimeDelta;
use sqlx::PgConnection;
use tokio::sync::Notify;

pub use envelope::{Envelope, envelope};
pub use event::{Event, EventKind, EventSubject, NewEvent};
pub use feed::{EventUpdates, FeedPage, FeedPosition, MAX_CURSOR_CHARS, MAX_PAGE, feed, listen, position, wait};
pub use numbering::start;

use crate::database::monthly::{Month, MonthlyTable};
use crate::ids::{EventId, UserId};
use crate::shared::ChannelSubscription;
use crate::{Core, Result};

/// Events are kept for at least this many days.
pub const KEPT_DAYS: i64 = 30;
/// Events outside of monthly partitions that are deleted in one round.
pub const DROPPED_AT_ONCE: i64 = 10_000;

/// Channel on which nodes announce the users whose events got positions.
const CHANNEL: &str = "events";
const LOG: MonthlyTable = MonthlyTable { name: "events", key: "id" };

/// Signals new and numbered events, and knows which users want progress events.
#[derive(Debug, Default)]
pub struct EventNotifier {
    written: Notify,
    /// See [`EventKind::JobProgress`].
    progress_subscribers: RwLock<HashSet<UserId>>,
}

impl EventNotifier {
    /// Call after a commit with events that did not go through the ledger, so that they are numbered at once.
    pub fn notify_written(&self) {
        self.written.notify_one();
    }

    /// Whether this user has a webhook for progress events. Check before writing one.
    #[must_use]
    pub fn wants_progress(&self, user: UserId) -> bool {
        self.progress_subscribers.read().unwrap_or_else(PoisonError::into_inner).contains(&user)
    }

    /// Replaces the users who want progress events. The webhooks loop of every node calls this.
    pub fn set_progress_subscribers(&self, users: HashSet<UserId>) {
        *self.progress_subscribers.write().unwrap_or_else(PoisonError::into_inner) = users;
    }
}

/// Writes events in the transaction of their cause, in this order, and returns their ids.
pub async fn write(tx: &mut PgConnection, events: &[NewEvent]) -> sqlx::Result<Vec<EventId>> {
    if events.is_empty() {
        return Ok(Vec::new());
    }
    store::insert(tx, events).await
}

pub async fn last(core: &Core) -> Result<i64> {
    Ok(store::head(&core.db).await?.0)
}

/// All users' events after one position up to another, in order; for rooms that forward them.
pub async fn between(core: &Core, after: i64, until: i64, limit: i64) -> Result<Vec<Event>> {
    Ok(store::between(&core.db, (after, until), limit).await?)
}

/// Announcements of numbered events, from all nodes. A message may be lost.
#[must_use]
pub fn subscribe(core: &Core) -> ChannelSubscription {
    core.shared.subscribe(CHANNEL)
}

/// Deletes a user's events, in several transactions.
pub async fn forget(core: &Core, user: UserId) -> Result<()> {
    while store::forget(&core.db, user, DROPPED_AT_ONCE).await? > 0 {}
    Ok(())
}

/// Creates the partitions of this and the next months, and drops those whose events are all older than [`KEPT_DAYS`].
///
/// # Errors
/// Also if a partition is locked by a long read; the next round tries again.
pub async fn maintain_months(core: &Core) -> Result<u64> {
    let now = LOG.now(&core.db).await?;
    let made = LOG.make_ahead(&core.db, Month::of(now)).await?;
    let first_kept = Month::of(now - TimeDelta::days(KEPT_DAYS));
    let bound = first_kept.min_id();
    store::forget_before(&core.db, bound).await?;
    let dropped = LOG.drop_before(&core.db, first_kept).await?;
    Ok(made + dropped + store::drop_rest(&core.db, bound, DROPPED_AT_ONCE).await?)
}
