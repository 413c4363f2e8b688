//! Views, launches and runs, counted so that a reload does not count again: one for each viewer, thing and day, and one
//! for each run that is done.
//!
//! A visit is noted in the node's memory and written with many others by the upkeep: a page costs no write. Who came is
//! kept as a salted hash, and for no longer than a day. What a node has noted and not written when it is lost is not
//! counted. The counts stand in the rows of the rooms whose things these are: they add what is new.

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

pub use visit::{Added, Kind};

use crate::cache::Cache;
use crate::ids::UserId;
use crate::notifications::{self, About, Fact, Others};
use crate::users::Origin;
use crate::{Caller, Core, Result};
use visit::Noted;

/// Visits that wait to be written at most; more are not counted.
const PENDING: usize = 100_000;
/// Visits that are remembered, so that reloads ask no database.
const SEEN: usize = 200_000;
const SEEN_FOR: Duration = Duration::from_secs(3600);
/// Visits of one statement.
const AT_ONCE: usize = 5000;

/// A count that grew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grown {
    pub owner: UserId,
    pub about: About,
    pub what: Others,
    /// As it was.
    pub before: i64,
    /// As it is.
    pub after: i64,
}

/// What a node remembers of visits.
#[derive(Debug)]
pub struct Visits {
    pending: Mutex<HashSet<Noted>>,
    seen: Cache<Noted, ()>,
    salt: Mutex<Option<(NaiveDate, Vec<u8>)>>,
}

impl Default for Visits {
    fn default() -> Self {
        Self { pending: Mutex::default(), seen: Cache::of(SEEN).living(SEEN_FOR), salt: Mutex::default() }
    }
}

impl Visits {
    fn note(&self, noted: Noted) {
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

    fn take(&self, kind: Kind) -> Vec<Noted> {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.extract_if(|noted| noted.kind == kind).collect()
    }

    fn give_back(&self, noted: Vec<Noted>) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let room = PENDING.saturating_sub(pending.len());
        pending.extend(noted.into_iter().take(room));
    }

    fn known_salt(&self, day: NaiveDate) -> Option<Vec<u8>> {
        let salt = self.salt.lock().unwrap_or_else(PoisonError::into_inner);
        salt.as_ref().filter(|(of, _)| *of == day).map(|(_, salt)| salt.clone())
    }
}

/// Notes a visit; owners do not count on what is theirs. Nobody's page waits or fails for it: what goes wrong is logged,
/// and the visit is not counted.
pub async fn note(core: &Core, caller: &Caller, origin: &Origin, owner: UserId, kind: Kind, thing: Uuid) {
    if caller.user == Some(owner) {
        return;
    }
    let day = core.clock.now().date_naive();
    match salt(core, day).await {
        Ok(salt) => {
            let Some(viewer) = viewer(&salt, caller, origin) else { return };
            core.visits.note(Noted { day, kind, thing, viewer });
        }
        Err(error) => tracing::warn!(%error, ?kind, %thing, "a visit is not counted"),
    }
}

/// Notes what happened once and for all, however often it is told: the job that is done stands in the visitor's place.
/// Owners do not count on what is theirs.
pub fn note_once(core: &Core, by: UserId, owner: UserId, kind: Kind, thing: Uuid, event: Uuid) {
    if by != owner {
        let day = core.clock.now().date_naive();
        core.visits.note(Noted { day, kind, thing, viewer: event.into_bytes() });
    }
}

/// Writes what this node has noted of one kind, and tells owners of the milestones that it reached. `grow` adds what is
/// new to the counts, locking the rows in the order given, and tells which grew. Tells of how many visits it wrote.
///
/// # Errors
/// Database errors; what was not written is kept for the next time, also where nobody waits any more.
pub async fn settle<G>(core: &Core, kind: Kind, grow: G) -> Result<u64>
where
    G: for<'t> Fn(&'t mut PgConnection, Vec<Added>) -> LocalBoxFuture<'t, sqlx::Result<Vec<Grown>>>,
{
    let mut taken = Taken { visits: &core.visits, noted: core.visits.take(kind) };
    let mut written = 0;
    while !taken.noted.is_empty() {
        let from = taken.noted.len().saturating_sub(AT_ONCE);
        write(core, kind, taken.noted.get(from..).unwrap_or_default(), &grow).await?;
        written += (taken.noted.len() - from) as u64;
        taken.noted.truncate(from);
    }
    Ok(written)
}

/// Visits that are being written. Those that are left are given back.
struct Taken<'a> {
    visits: &'a Visits,
    noted: Vec<Noted>,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        if !self.noted.is_empty() {
            self.visits.give_back(std::mem::take(&mut self.noted));
        }
    }
}

/// Forgets who came on days that are over; tells of how many visits.
///
/// # Errors
/// Database errors.
pub async fn forget(core: &Core) -> Result<u64> {
    // Yesterday is kept: around midnight a node may still write it.
    let before = core.clock.now().date_naive() - chrono::Days::new(1);
    Ok(store::forget(&core.db, before).await?)
}

async fn write<G>(core: &Core, kind: Kind, batch: &[Noted], grow: &G) -> sqlx::Result<()>
where
    G: for<'t> Fn(&'t mut PgConnection, Vec<Added>) -> LocalBoxFuture<'t, sqlx::Result<Vec<Grown>>>,
{
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    let added = store::insert(&mut tx, kind, batch).await?;
    let mut grown = if added.is_empty() { Vec::new() } else { grow(&mut tx, added).await? };
    // Boxes are written in one order, so that two nodes never wait for each other.
    grown.sort_by_key(|grown| grown.owner);
    let mut told = HashSet::new();
    for Grown { owner, about, what, before, after } in grown {
        let Some(count) = Others::milestone(before, after) else { continue };
        if notifications::tell(&mut tx, owner, None, &Fact::Reached { about, what, count }, now).await? {
            told.insert(owner);
        }
    }
    tx.commit().await?;
    for owner in told {
        notifications::announce(core, owner).await;
    }
    Ok(())
}

/// A household has one IPv4 address or one /64 of IPv6.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => Ipv6Addr::from(u128::from(v6) & !u128::from(u64::MAX)).into(),
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// The salt of a day, the same on all nodes.
async fn salt(core: &Core, day: NaiveDate) -> Result<Vec<u8>> {
    if let Some(salt) = core.visits.known_salt(day) {
        return Ok(salt);
    }
    let salt = store::salt(&core.db, day, &rand::random::<[u8; 32]>()).await?;
    *core.visits.salt.lock().unwrap_or_else(PoisonError::into_inner) = Some((day, salt.clone()));
    Ok(salt)
}

/// Who this is today: the person, or the address; of IPv6 the network, which is one household. What the browser calls
/// itself says nothing: whoever wants to be counted twice calls it something else. Nobody without either.
fn viewer(salt: &[u8], caller: &Caller, origin: &Origin) -> Option<[u8; 16]> {
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
