//! Events: what happened to whose things, once for all who follow it.
//!
//! An event is written in the transaction of what it tells of ([`write`]), so that neither is there without the other. It is
//! seen when it has its position ([`numbering`]): positions are given in the order in which things were written, without
//! gaps, and never behind a reader's back. The feed reads by them, and so does whoever sends webhooks; both tell the same
//! events under the same ids.
//!
//! The log is kept for [`KEPT_DAYS`] days at least, in months that are dropped as a whole.

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
use tokio::sync::{Notify, watch};

pub use envelope::{Envelope, envelope};
pub use event::{About, Event, EventKind, NewEvent};
pub use feed::{After, MAX_CURSOR_CHARS, MAX_PAGE, News, Page, feed, listen, wait};
pub use numbering::start;

use crate::database::monthly::{Month, Monthly};
use crate::ids::UserId;
use crate::shared::Subscription;
use crate::{Core, Result};

/// Events are kept for so long at least.
pub const KEPT_DAYS: i64 = 30;
/// Events without a month that are deleted in one round.
pub const DROPPED_AT_ONCE: i64 = 10_000;

/// On which nodes hear whose events have got their positions.
const CHANNEL: &str = "events";
const LOG: Monthly = Monthly("events");

/// Says when there is something to number, and when something was; and who wants to hear of more than what happens to
/// everybody's things.
#[derive(Debug)]
pub struct Bell {
    written: Notify,
    numbered: watch::Sender<i64>,
    /// See [`EventKind::JobProgress`].
    progress_wanted: RwLock<HashSet<UserId>>,
}

impl Default for Bell {
    fn default() -> Self {
        Self { written: Notify::new(), numbered: watch::Sender::new(0), progress_wanted: RwLock::default() }
    }
}

impl Bell {
    /// To be called after a commit with events, where it was not the ledger's: they get their positions at once then.
    pub fn ring(&self) {
        self.written.notify_one();
    }

    /// The last position that this node has given.
    #[must_use]
    pub fn numbered(&self) -> watch::Receiver<i64> {
        self.numbered.subscribe()
    }

    /// Whether this person asked to be told how far their jobs are. To be asked before anything is written of it.
    #[must_use]
    pub fn wants_progress(&self, user: UserId) -> bool {
        self.progress_wanted.read().unwrap_or_else(PoisonError::into_inner).contains(&user)
    }

    /// Says anew who asked for it. Every node is told by whoever keeps what people ask for.
    pub fn set_progress_wanted(&self, users: HashSet<UserId>) {
        *self.progress_wanted.write().unwrap_or_else(PoisonError::into_inner) = users;
    }
}

/// Writes events within the transaction of what they tell of, in this order.
///
/// # Errors
/// Database errors.
pub async fn write(tx: &mut PgConnection, events: &[NewEvent]) -> sqlx::Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    store::insert(tx, events).await
}

/// The last position of the log.
///
/// # Errors
/// Database errors.
pub async fn last(core: &Core) -> Result<i64> {
    Ok(store::head(&core.db).await?.0)
}

/// Everybody's events between two positions, the later one included, in their order; for rooms that pass them on.
///
/// # Errors
/// Database errors.
pub async fn between(core: &Core, after: i64, until: i64, limit: i64) -> Result<Vec<Event>> {
    Ok(store::between(&core.db, (after, until), limit).await?)
}

/// Word that somebody's events got their positions, on any node. It may be lost.
#[must_use]
pub fn all_news(core: &Core) -> Subscription {
    core.shared.subscribe(CHANNEL)
}

/// Forgets what happened to somebody's things.
///
/// # Errors
/// Database errors; what is forgotten by then stays so.
pub async fn forget(core: &Core, user: UserId) -> Result<()> {
    while store::forget(&core.db, user, DROPPED_AT_ONCE).await? > 0 {}
    Ok(())
}

/// Makes the tables of this month and the next ones, and drops those of which everything is older than [`KEPT_DAYS`].
///
/// # Errors
/// Database errors, also where a table is read for longer than everybody else may be kept waiting: the next round tries
/// again.
pub async fn look_after_months(core: &Core) -> Result<u64> {
    let now = LOG.now(&core.db).await?;
    let made = LOG.make_ahead(&core.db, Month::of(now)).await?;
    let first_kept = Month::of(now - TimeDelta::days(KEPT_DAYS));
    let bound = first_kept.least_id();
    store::forget_before(&core.db, bound).await?;
    let dropped = LOG.drop_before(&core.db, first_kept).await?;
    Ok(made + dropped + store::drop_rest(&core.db, bound, DROPPED_AT_ONCE).await?)
}
