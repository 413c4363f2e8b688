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
use super::{EventBus, JobEvent, Lane, Status};
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

/// How many jobs wait, as this node knows; the rows correct it every few seconds. Never too few of this node's own:
/// nobody looks for jobs where none are counted.
#[derive(Default)]
struct Waiting {
    accounts: HashMap<UserId, i64>,
    /// By pool, then by lane.
    lanes: HashMap<String, [i64; 3]>,
    total: i64,
    /// The rows are being counted.
    recounting: bool,
    /// What was added since then, which the rows may or may not have seen.
    added: Vec<(String, Lane, UserId)>,
}

impl Waiting {
    fn add(&mut self, pool: &str, lane: Lane, user: UserId, count: i64) {
        *self.accounts.entry(user).or_insert(0) += count;
        self.lanes.entry(pool.to_owned()).or_default()[lane as usize] += count;
        self.total += count;
    }
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
    let dispatcher = Dispatcher::new(core.clone()).start();
    core.fleet.listen(dispatcher.clone().recipient());
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
        let own = waiting.accounts.get(&user).copied().unwrap_or(0);
        if u64::try_from(own).unwrap_or(0) >= of_account {
            return Err(Error::RateLimited { retry_after_seconds: 30 });
        }
        waiting.add(pool, lane, user, 1);
        if waiting.recounting {
            waiting.added.push((pool.to_owned(), lane, user));
        }
        Ok(())
    }

    /// A job that was taken waits again.
    pub(super) fn wait_again(&self, user: UserId, pool: &str, lane: Lane) {
        // Whoever was accepted once is not refused now.
        drop(self.reserve(user, pool, lane, u64::MAX, u64::MAX));
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
        if let Some(lanes) = waiting.lanes.get_mut(pool) {
            lanes[lane as usize] = (lanes[lane as usize] - 1).max(0);
        }
        waiting.total = (waiting.total - 1).max(0);
    }

    /// The rows are about to be counted.
    pub(super) fn begin_recount(&self) {
        let mut waiting = self.waiting();
        waiting.recounting = true;
        waiting.added.clear();
    }

    /// Takes the counts from the rows. What was added meanwhile is added once more, since the rows may not have seen
    /// it; one too many is corrected the next time.
    pub(super) fn recount<'a>(&self, rows: impl IntoIterator<Item = (&'a str, Lane, UserId, i64)>) {
        let mut waiting = self.waiting();
        let added = std::mem::take(&mut *waiting).added;
        for (pool, lane, user, count) in rows {
            waiting.add(pool, lane, user, count);
        }
        for (pool, lane, user) in added {
            waiting.add(&pool, lane, user, 1);
        }
    }

    /// Whether jobs wait for a pool.
    pub(super) fn waits(&self, pool: &str) -> bool {
        self.waiting().lanes.get(pool).is_some_and(|lanes| lanes.iter().any(|count| *count > 0))
    }

    /// Whether jobs wait in a lane of a pool.
    pub(super) fn waits_in(&self, pool: &str, lane: Lane) -> bool {
        self.waiting().lanes.get(pool).is_some_and(|lanes| lanes[lane as usize] > 0)
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

impl Drop for KeyGuard {
    fn drop(&mut self) {
        self.queue.keys().remove(&self.key);
    }
}
