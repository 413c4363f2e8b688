//! Views and launches, counted so that a reload does not count again: one for each viewer, workflow and day.
//!
//! A visit is noted in the node's memory and written with many others by the sweep: a page costs no write. Owners do
//! not count on their own workflows. What a node has noted and not written when it is lost is not counted.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::NaiveDate;
use moka::sync::Cache;
use sha2::{Digest as _, Sha256};

use super::{Workflow, store};
use crate::ids::{UserId, WorkflowId};
use crate::notifications::{self, About, Fact, Others};
use crate::users::Origin;
use crate::{Caller, Core, Result};

/// Visits that wait to be written at most; more are not counted.
const PENDING: usize = 100_000;
/// Visits that are remembered, so that reloads ask no database.
const SEEN: u64 = 200_000;
const SEEN_FOR: Duration = Duration::from_secs(3600);
/// Visits of one statement.
const AT_ONCE: usize = 5000;

/// What somebody did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Visit {
    /// Looked at it.
    View,
    /// Opened it to run it.
    Launch,
}

/// One visit, as it is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Noted {
    pub day: NaiveDate,
    pub workflow: WorkflowId,
    pub visit: Visit,
    /// A salted hash.
    pub viewer: [u8; 16],
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
        Self {
            pending: Mutex::default(),
            seen: Cache::builder().max_capacity(SEEN).time_to_live(SEEN_FOR).build(),
            salt: Mutex::default(),
        }
    }
}

impl Visits {
    fn note(&self, noted: Noted) {
        if self.seen.contains_key(&noted) {
            return;
        }
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        if pending.len() < PENDING {
            pending.insert(noted);
            drop(pending);
            self.seen.insert(noted, ());
        }
    }

    fn take(&self) -> Vec<Noted> {
        std::mem::take(&mut *self.pending.lock().unwrap_or_else(PoisonError::into_inner)).into_iter().collect()
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

/// Notes a visit. Nobody's page waits or fails for it: what goes wrong is logged, and the visit is not counted.
pub async fn visit(core: &Core, caller: &Caller, origin: &Origin, workflow: &Workflow, visit: Visit) {
    if caller.user == Some(workflow.user) {
        return;
    }
    let day = core.clock.now().date_naive();
    match salt(core, day).await {
        Ok(salt) => {
            let Some(viewer) = viewer(&salt, caller, origin) else { return };
            core.visits.note(Noted { day, workflow: workflow.id, visit, viewer });
        }
        Err(error) => tracing::warn!(%error, workflow.id = %workflow.id, "a visit is not counted"),
    }
}

/// Writes what this node has noted, and forgets who came on days that are over. The sweep calls it.
///
/// # Errors
/// Database errors; what was not written is kept for the next time.
pub async fn settle_visits(core: &Core) -> Result<()> {
    let mut noted = core.visits.take();
    while !noted.is_empty() {
        let batch = noted.split_off(noted.len().saturating_sub(AT_ONCE));
        if let Err(error) = settle(core, &batch).await {
            noted.extend(batch);
            core.visits.give_back(noted);
            return Err(error.into());
        }
    }
    // Yesterday is kept: around midnight a node may still write it.
    let before = core.clock.now().date_naive() - chrono::Days::new(1);
    Ok(store::visits::forget(&core.db, before).await?)
}

/// Writes a batch down, and tells authors of the counts that their workflows have reached by it.
async fn settle(core: &Core, batch: &[Noted]) -> sqlx::Result<()> {
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    let mut told = HashSet::new();
    let mut all = store::visits::settle(&mut tx, batch).await?;
    // Boxes are written in one order, so that two nodes never wait for each other.
    all.sort_by_key(|grown| grown.user_id);
    for grown in all {
        let author = UserId(grown.user_id);
        let about = About::Workflow(WorkflowId(grown.id), grown.name);
        let views = (Others::View, grown.views_before, grown.views);
        for (what, before, after) in [views, (Others::Launch, grown.launches_before, grown.launches)] {
            let Some(count) = Others::milestone(before, after) else { continue };
            let fact = Fact::Reached { about: about.clone(), what, count };
            if notifications::tell(&mut tx, author, None, &fact, now).await? {
                told.insert(author);
            }
        }
    }
    tx.commit().await?;
    for author in told {
        notifications::announce(core, author).await;
    }
    Ok(())
}

/// The salt of a day, the same on all nodes.
async fn salt(core: &Core, day: NaiveDate) -> Result<Vec<u8>> {
    if let Some(salt) = core.visits.known_salt(day) {
        return Ok(salt);
    }
    let salt = store::visits::salt(&core.db, day, &rand::random::<[u8; 32]>()).await?;
    *core.visits.salt.lock().unwrap_or_else(PoisonError::into_inner) = Some((day, salt.clone()));
    Ok(salt)
}

/// Who this is today: the person, or the address with what the browser calls itself. Nobody without either.
fn viewer(salt: &[u8], caller: &Caller, origin: &Origin) -> Option<[u8; 16]> {
    let mut digest = Sha256::new();
    digest.update(salt);
    match (caller.user, origin.address) {
        (Some(user), _) => digest.update(user.0.as_bytes()),
        (None, Some(address)) => {
            digest.update(address.to_string());
            digest.update([0]);
            digest.update(origin.user_agent.as_deref().unwrap_or_default());
        }
        (None, None) => return None,
    }
    let digest: [u8; 32] = digest.finalize().into();
    digest.first_chunk().copied()
}
