//! What all threads of a node share about the queue: tags, counts, events, and the way to the dispatcher.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use actix::{Actor, Addr};
use chrono::{DateTime, Utc};
use moka::sync::Cache;

use super::dispatcher::{Dispatcher, StopJob, Wake};
use super::estimates::Estimates;
use super::submit::KeptNeeds;
use super::tags::Tags;
use super::{EventBus, JobEvent, Lane, Status, follow, metrics};
use crate::ids::{JobId, UserId, WorkflowApiVersionId};
use crate::{Core, Error, Result};

/// The queue of one node, as everybody sees it. Cheap to clone.
#[derive(Clone)]
pub struct Queue(Arc<Inner>);

struct Inner {
    events: EventBus,
    tags: Tags,
    estimates: Estimates,
    waiting: Mutex<Waiting>,
    keys: Mutex<HashSet<(UserId, String)>>,
    /// Jobs that had no actor at the last sweep.
    strays: Mutex<HashSet<(JobId, i16)>>,
    /// Needs and prompts whose rows are known to be there.
    kept: Cache<String, ()>,
    /// What was found out about versions of mini apps as a whole.
    cleared: Cache<Standing, Option<Arc<KeptNeeds>>>,
    /// Whether needs were added that the dispatcher has not read yet.
    new_needs: AtomicBool,
    /// Whether a wake-up is on its way, so that a thousand submits send one.
    woken: AtomicBool,
    dispatcher: OnceLock<Addr<Dispatcher>>,
}

/// A version of a mini app, in the light of what the workers of some pools know at a time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Standing {
    pub version: WorkflowApiVersionId,
    pub pools: Vec<String>,
    /// See [`crate::fleet::Roster::generation`].
    pub generation: u64,
}

/// How many jobs wait, as this node knows; the rows correct it every few seconds.
#[derive(Clone, Default)]
pub(super) struct Waiting {
    accounts: HashMap<UserId, i64>,
    lanes: HashMap<(String, Lane), i64>,
    total: i64,
}

/// Keeps an idempotency key to one request at a time.
pub(super) struct KeyGuard {
    queue: Queue,
    key: (UserId, String),
}

impl Default for Queue {
    fn default() -> Self {
        Self(Arc::new(Inner {
            events: EventBus::default(),
            tags: Tags::default(),
            estimates: Estimates::default(),
            waiting: Mutex::default(),
            keys: Mutex::default(),
            strays: Mutex::default(),
            kept: Cache::new(50_000),
            cleared: Cache::new(20_000),
            new_needs: AtomicBool::new(true),
            woken: AtomicBool::new(false),
            dispatcher: OnceLock::new(),
        }))
    }
}

/// Starts the dispatcher on the current arbiter. Submits are accepted before it too, and wait.
pub fn start(core: &Core) {
    metrics::begin();
    let dispatcher = Dispatcher::new(core.clone()).start();
    core.fleet.listen(dispatcher.clone().recipient());
    actix_rt::spawn(follow::follow(core.clone()));
    if core.queue.0.dispatcher.set(dispatcher).is_err() {
        tracing::error!("the dispatcher was started twice");
    }
}

impl Queue {
    /// Live events of jobs on this node.
    #[must_use]
    pub fn events(&self) -> &EventBus {
        &self.0.events
    }

    pub(super) fn tags(&self) -> &Tags {
        &self.0.tags
    }

    pub(super) fn estimates(&self) -> &Estimates {
        &self.0.estimates
    }

    /// Tells listeners that a job's status changed.
    pub(super) fn tell(&self, job: JobId, status: Status, now: DateTime<Utc>) {
        self.0.events.publish(job, JobEvent::Status(status), now);
    }

    /// Says that there may be work.
    pub(super) fn wake(&self) {
        if self.0.woken.swap(true, Ordering::AcqRel) {
            return;
        }
        let sent = self.0.dispatcher.get().is_some_and(|dispatcher| dispatcher.try_send(Wake).is_ok());
        if !sent {
            self.0.woken.store(false, Ordering::Release);
        }
    }

    /// The dispatcher looks now; later submits wake it again.
    pub(super) fn looking(&self) {
        self.0.woken.store(false, Ordering::Release);
    }

    /// Stops a job, where it is in flight on this node.
    pub(super) fn stop(&self, job: JobId) {
        if let Some(dispatcher) = self.0.dispatcher.get() {
            // A full mailbox loses nothing: the row says it too, and the sweep reads it.
            drop(dispatcher.try_send(StopJob(job)));
        }
    }

    /// Whether a row of this content was kept before by this node.
    pub(super) fn is_kept(&self, hash: &str) -> bool {
        self.0.kept.contains_key(hash)
    }

    pub(super) fn note_kept(&self, hash: &str) {
        self.0.kept.insert(hash.to_owned(), ());
    }

    /// What was found out about a version as a whole: what each of its forms needs, or that it depends on the form.
    pub(super) fn cleared(&self, standing: &Standing) -> Option<Option<Arc<KeptNeeds>>> {
        self.0.cleared.get(standing)
    }

    pub(super) fn note_cleared(&self, standing: Standing, needs: Option<Arc<KeptNeeds>>) {
        self.0.cleared.insert(standing, needs);
    }

    pub(super) fn note_new_needs(&self) {
        self.0.new_needs.store(true, Ordering::Release);
    }

    pub(super) fn take_new_needs(&self) -> bool {
        self.0.new_needs.swap(false, Ordering::AcqRel)
    }

    /// Reserves a place for a job, within the limits of the account and of the installation.
    ///
    /// # Errors
    /// [`Error::RateLimited`] or [`Error::Unavailable`]; nothing was reserved then.
    pub(super) fn reserve(&self, user: UserId, pool: &str, lane: Lane, of_account: u64, of_all: u64) -> Result<()> {
        let mut waiting = self.waiting();
        if u64::try_from(waiting.total).unwrap_or(0) >= of_all {
            return Err(Error::Unavailable { message: "too many jobs wait".into(), retry_after_seconds: 30 });
        }
        let own = waiting.accounts.entry(user).or_insert(0);
        if u64::try_from(*own).unwrap_or(0) >= of_account {
            return Err(Error::RateLimited { retry_after_seconds: 30 });
        }
        *own += 1;
        *waiting.lanes.entry((pool.to_owned(), lane)).or_insert(0) += 1;
        waiting.total += 1;
        Ok(())
    }

    /// Gives a place back: the job does not wait any more, or was not accepted after all.
    pub(super) fn leave(&self, user: UserId, pool: &str, lane: Lane) {
        let mut waiting = self.waiting();
        if let Some(own) = waiting.accounts.get_mut(&user) {
            *own -= 1;
            if *own <= 0 {
                waiting.accounts.remove(&user);
            }
        }
        if let Some(count) = waiting.lanes.get_mut(&(pool.to_owned(), lane)) {
            *count = (*count - 1).max(0);
        }
        waiting.total = (waiting.total - 1).max(0);
    }

    /// The counts of this moment, for [`Queue::recount`].
    pub(super) fn counted(&self) -> Waiting {
        self.waiting().clone()
    }

    /// Takes the counts from rows that were read after `before`. What has come and gone here meanwhile stays counted.
    pub(super) fn recount(&self, before: &Waiting, rows: &[(String, Lane, UserId, i64, i64)]) {
        let mut waiting = self.waiting();
        let now = std::mem::take(&mut *waiting);
        waiting.total = now.total - before.total;
        waiting.accounts = changes(now.accounts, &before.accounts);
        waiting.lanes = changes(now.lanes, &before.lanes);
        for (pool, lane, user, _, count) in rows {
            *waiting.accounts.entry(*user).or_insert(0) += count;
            *waiting.lanes.entry((pool.clone(), *lane)).or_insert(0) += count;
            waiting.total += count;
        }
        waiting.accounts.retain(|_, count| *count > 0);
        waiting.lanes.retain(|_, count| *count > 0);
        waiting.total = waiting.total.max(0);
    }

    /// How many jobs wait in each lane of each pool.
    pub(super) fn waiting_by_lane(&self) -> Vec<(String, Lane, i64)> {
        self.waiting().lanes.iter().map(|((pool, lane), count)| (pool.clone(), *lane, *count)).collect()
    }

    /// Whether jobs wait in a lane of a pool.
    pub(super) fn waits_in(&self, pool: &str, lane: Lane) -> bool {
        self.waiting().lanes.get(&(pool.to_owned(), lane)).is_some_and(|count| *count > 0)
    }

    /// Keeps a key to one request at a time.
    ///
    /// # Errors
    /// [`Error::IdempotencyInFlight`] while another request with it is under way.
    pub(super) fn hold_key(&self, user: UserId, key: &str) -> Result<KeyGuard> {
        let key = (user, key.to_owned());
        if !self.keys().insert(key.clone()) {
            return Err(Error::IdempotencyInFlight);
        }
        Ok(KeyGuard { queue: self.clone(), key })
    }

    /// Jobs in flight here, with their attempt, that had no actor at the last sweep.
    pub(super) fn strays(&self) -> HashSet<(JobId, i16)> {
        self.0.strays.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_strays(&self, strays: HashSet<(JobId, i16)>) {
        *self.0.strays.lock().unwrap_or_else(PoisonError::into_inner) = strays;
    }

    fn keys(&self) -> MutexGuard<'_, HashSet<(UserId, String)>> {
        self.0.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What has changed since, by key.
fn changes<K: Eq + std::hash::Hash + Clone>(mut now: HashMap<K, i64>, before: &HashMap<K, i64>) -> HashMap<K, i64> {
    for (key, count) in before {
        *now.entry(key.clone()).or_insert(0) -= count;
    }
    now.retain(|_, change| *change != 0);
    now
}

impl Drop for KeyGuard {
    fn drop(&mut self) {
        self.queue.keys().remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_came_while_the_rows_were_read_stays_counted() {
        let queue = Queue::default();
        let (ann, bob) = (UserId::new(), UserId::new());
        let reserve = |user| queue.reserve(user, "cpu", Lane::Api, 2, 10);
        reserve(ann).expect("room");
        let before = queue.counted();
        reserve(ann).expect("room");
        // The rows know the first job, and three of another node's.
        let rows = [("cpu".to_owned(), Lane::Api, ann, 0, 1), ("cpu".to_owned(), Lane::Api, bob, 0, 3)];
        queue.recount(&before, &rows);
        assert!(matches!(reserve(ann), Err(Error::RateLimited { .. })), "one of two jobs was forgotten");
        assert_eq!(queue.waiting_by_lane(), [("cpu".to_owned(), Lane::Api, 5)]);
        queue.recount(&queue.counted(), &[]);
        assert!(queue.waiting_by_lane().is_empty());
    }
}
