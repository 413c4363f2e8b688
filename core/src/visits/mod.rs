//! Views, launches and runs. Views and launches count once per viewer, target and day; runs count once.
//!
//! Visits are recorded in memory and written in batches by the upkeep, so that pages cost no write. Viewers are stored
//! as salted hashes for at most a day. Visits that a node has not written when it dies are lost. The counters are
//! columns of the target's room, which increments them.

mod store;
mod visit;

use std::collections::HashSet;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::NaiveDate;
use futures_util::future::LocalBoxFuture;
use sha2::{Digest as _, Sha256};
use sqlx::PgConnection;
use uuid::Uuid;

pub use visit::{NewVisits, VisitKind};

use crate::cache::Cache;
use crate::database;
use crate::ids::UserId;
use crate::notifications::{self, MilestoneMetric, NewNotification, NotificationSubject};
use crate::users::RequestOrigin;
use crate::{Caller, Core, Result};
use visit::Visit;

/// Maximum number of unwritten visits; further ones are not counted.
const PENDING: usize = 100_000;
/// Recently recorded visits, so that reloads need no query.
const SEEN: usize = 200_000;
const SEEN_FOR: Duration = Duration::from_secs(3600);
/// Visits per statement.
const AT_ONCE: usize = 5000;

/// A counter that was incremented.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountChange {
    pub owner: UserId,
    pub about: NotificationSubject,
    pub what: MilestoneMetric,
    pub before: i64,
    pub after: i64,
}

/// Visits in this node's memory.
#[derive(Debug)]
pub struct Visits {
    pending: Mutex<HashSet<Visit>>,
    seen: Cache<Visit, ()>,
    salt: Mutex<Option<(NaiveDate, Vec<u8>)>>,
}

impl Default for Visits {
    fn default() -> Self {
        Self {
            pending: Mutex::default(),
            seen: Cache::with_capacity(SEEN).with_lifetime(SEEN_FOR),
            salt: Mutex::default(),
        }
    }
}

impl Visits {
    fn note(&self, noted: Visit) {
        if self.seen.contains(&noted) {
            return;
        }
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        if pending.len() < PENDING {
            pending.insert(noted);
            drop(pending);
            self.seen.insert(noted, ());
        }
    }

    fn take(&self, kind: VisitKind) -> Vec<Visit> {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.extract_if(|noted| noted.kind == kind).collect()
    }

    fn give_back(&self, noted: Vec<Visit>) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let room = PENDING.saturating_sub(pending.len());
        pending.extend(noted.into_iter().take(room));
    }

    fn known_salt(&self, day: NaiveDate) -> Option<Vec<u8>> {
        let salt = self.salt.lock().unwrap_or_else(PoisonError::into_inner);
        salt.as_ref().filter(|(of, _)| *of == day).map(|(_, salt)| salt.clone())
    }
}

/// Records a visit; owners' visits to their own posts do not count. An error is logged and the visit is lost: pages
/// must not fail for it.
pub async fn record(core: &Core, caller: &Caller, origin: &RequestOrigin, owner: UserId, kind: VisitKind, thing: Uuid) {
    if caller.user == Some(owner) {
        return;
    }
    let day = core.clock.now().date_naive();
    match salt(core, day).await {
        Ok(salt) => {
            let Some(viewer) = viewer(&salt, caller, origin) else { return };
            core.visits.note(Visit { day, kind, thing, viewer });
        }
        Err(error) => tracing::warn!(%error, ?kind, %thing, "cannot record a visit"),
    }
}

/// Records an event that counts once, such as a finished job, by using its id in place of the viewer. Owners' events on
/// their own posts do not count.
pub fn record_once(core: &Core, by: UserId, owner: UserId, kind: VisitKind, thing: Uuid, event: Uuid) {
    if by != owner {
        let day = core.clock.now().date_naive();
        core.visits.note(Visit { day, kind, thing, viewer: event.into_bytes() });
    }
}

/// Writes the recorded visits of one kind, notifies owners of milestones, and returns the number of visits. `grow`
/// increments the counters, locking rows in the given order, and returns the changes. Visits that are not written
/// because of an error or cancellation are kept for the next call.
pub async fn flush<G>(core: &Core, kind: VisitKind, grow: G) -> Result<u64>
where
    G: for<'t> Fn(&'t mut PgConnection, Vec<NewVisits>) -> LocalBoxFuture<'t, sqlx::Result<Vec<CountChange>>>,
{
    let mut taken = PendingBatch { visits: &core.visits, noted: core.visits.take(kind) };
    let mut written = 0;
    while !taken.noted.is_empty() {
        let from = taken.noted.len().saturating_sub(AT_ONCE);
        write(core, kind, taken.noted.get(from..).unwrap_or_default(), &grow).await?;
        written += (taken.noted.len() - from) as u64;
        taken.noted.truncate(from);
    }
    Ok(written)
}

/// A batch that is being written; `Drop` puts back what is left.
struct PendingBatch<'a> {
    visits: &'a Visits,
    noted: Vec<Visit>,
}

impl Drop for PendingBatch<'_> {
    fn drop(&mut self) {
        if !self.noted.is_empty() {
            self.visits.give_back(std::mem::take(&mut self.noted));
        }
    }
}

/// Deletes the visits of past days and returns their number.
pub async fn delete_old(core: &Core) -> Result<u64> {
    // Yesterday is kept: around midnight a node may still write visits of it.
    let before = core.clock.now().date_naive() - chrono::Days::new(1);
    Ok(store::delete_old(&core.db, before).await?)
}

async fn write<G>(core: &Core, kind: VisitKind, batch: &[Visit], grow: &G) -> sqlx::Result<()>
where
    G: for<'t> Fn(&'t mut PgConnection, Vec<NewVisits>) -> LocalBoxFuture<'t, sqlx::Result<Vec<CountChange>>>,
{
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let added = store::insert(&mut tx, kind, batch).await?;
    let mut grown = if added.is_empty() { Vec::new() } else { grow(&mut tx, added).await? };
    // Boxes are locked in one order, so that nodes do not deadlock.
    grown.sort_by_key(|grown| grown.owner);
    let mut told = HashSet::new();
    for CountChange { owner, about, what, before, after } in grown {
        let Some(count) = MilestoneMetric::milestone(before, after) else { continue };
        if notifications::notify(&mut tx, owner, None, &NewNotification::Milestone { about, what, count }, now).await? {
            told.insert(owner);
        }
    }
    tx.commit().await?;
    for owner in told {
        notifications::announce(core, owner).await;
    }
    Ok(())
}

/// Reduces an address to what one household has: one IPv4 address or one /64 of IPv6.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => Ipv6Addr::from(u128::from(v6) & !u128::from(u64::MAX)).into(),
        v4 @ IpAddr::V4(_) => v4,
    }
}

async fn salt(core: &Core, day: NaiveDate) -> Result<Vec<u8>> {
    if let Some(salt) = core.visits.known_salt(day) {
        return Ok(salt);
    }
    let salt = store::salt(&core.db, day, &rand::random::<[u8; 32]>()).await?;
    *core.visits.salt.lock().unwrap_or_else(PoisonError::into_inner) = Some((day, salt.clone()));
    Ok(salt)
}

/// Today's hash of a viewer: of the user, or of a guest's network. The user agent is not included, because a viewer
/// could change it to be counted again. `None` without user and address.
fn viewer(salt: &[u8], caller: &Caller, origin: &RequestOrigin) -> Option<[u8; 16]> {
    let mut digest = Sha256::new();
    digest.update(salt);
    match (caller.user, origin.address) {
        (Some(user), _) => digest.update(user.0.as_bytes()),
        (None, Some(address)) => {
            digest.update(network(address).to_string());
        }
        (None, None) => return None,
    }
    let digest: [u8; 32] = digest.finalize().into();
    digest.first_chunk().copied()
}
