//! The state of the queue that all threads of a node share: counts, estimates, caches, events, and the address of the
//! dispatcher.

pub(in crate::jobs) mod change_log;
pub(in crate::jobs) mod entry;
pub(in crate::jobs) mod estimate;
pub(in crate::jobs) mod estimates;
pub(in crate::jobs) mod forecast;
pub(in crate::jobs) mod lanes;
pub(in crate::jobs) mod orphans;
pub(in crate::jobs) mod position;
pub(in crate::jobs) mod prompts;
pub(in crate::jobs) mod snapshot;
pub(in crate::jobs) mod store;
pub(in crate::jobs) mod tags;
pub(in crate::jobs) mod waiting;
pub(in crate::jobs) mod why;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use actix::Addr;
use chrono::{DateTime, Utc};

use self::change_log::ChangeLog;
use self::estimates::Estimates;
use self::orphans::Orphans;
use self::prompts::SubmittedPrompts;
use self::snapshot::PoolSnapshot;
use self::waiting::WaitingCounts;
use crate::cache::Cache;
use crate::graph::Needs;
use crate::ids::{BatchId, JobId, UserId};
use crate::jobs::batches::batch::BatchStatus;
use crate::jobs::flight::dispatcher::Dispatcher;
use crate::jobs::flight::messages::{StopJob, Wake};
use crate::jobs::flight::peers;
use crate::jobs::live::event::JobEvent;
use crate::jobs::live::events::EventBus;
use crate::jobs::live::{follow, peer_events};
use crate::jobs::status::{Lane, Status};
use crate::jobs::stored_needs::{StoredNeeds, VersionCheckKey};
use crate::jobs::{self, metrics};
use crate::supervision::Part;
use crate::{Core, Error, Result};

/// How long the counts of a large batch are cached.
pub(in crate::jobs) const BATCH_COUNTS_TTL: Duration = Duration::from_secs(2);

/// The queue of one node. Cheap to clone.
#[derive(Clone)]
pub struct Queue(Arc<Inner>);

struct Inner {
    events: EventBus,
    estimates: Estimates,
    waiting: WaitingCounts,
    change_log: ChangeLog,
    key_locks: Mutex<KeyLocks>,
    orphans: Orphans,
    /// Hashes of needs and prompts that are stored.
    stored: Cache<String, ()>,
    prompts: SubmittedPrompts,
    /// Needs by their hash.
    needs: Cache<String, Arc<Needs>>,
    /// By pool.
    snapshots: Mutex<HashMap<String, SharedSnapshot>>,
    /// The totals of the last sweep.
    lane_totals: Mutex<HashMap<(String, Lane), LaneTotal>>,
    /// The counts of large batches.
    batch_counts: Cache<BatchId, BatchStatus>,
    canceled_batches: Cache<BatchId, ()>,
    /// Batches whose waiting jobs this node is canceling.
    canceling: Mutex<HashSet<BatchId>>,
    /// The needs of every form of a version, or `None` where they depend on the form.
    version_checks: Cache<VersionCheckKey, Option<Arc<StoredNeeds>>>,
    /// Whether there are needs that the dispatcher has not read yet.
    has_new_needs: AtomicBool,
    /// Whether a wake-up is under way, so that a thousand submits send one.
    is_woken: AtomicBool,
    dispatcher: OnceLock<Addr<Dispatcher>>,
}

/// The waiting jobs in a lane of a pool, as of the last sweep.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::jobs) struct LaneTotal {
    pub count: i64,
    /// The latest virtual finish.
    pub finish: i64,
}

/// The snapshot of a pool. The lock is held while it is read, so that concurrent requests share it.
type SharedSnapshot = Arc<tokio::sync::Mutex<Option<Arc<PoolSnapshot>>>>;

/// The lock of each idempotency key in use.
type KeyLocks = HashMap<(UserId, String), Arc<tokio::sync::Mutex<()>>>;

/// How long a request waits for the lock of its key: longer than a submit takes on a busy node.
const KEY_PATIENCE: Duration = Duration::from_secs(10);

/// Limits an idempotency key to one request at a time.
pub(in crate::jobs) struct KeyGuard {
    queue: Queue,
    key: (UserId, String),
    /// Released before the lock is removed from the map.
    lock: Option<tokio::sync::OwnedMutexGuard<()>>,
}

/// Limits the canceling of a batch to one task at a time.
pub(in crate::jobs) struct CancelGuard {
    queue: Queue,
    batch: BatchId,
}

impl Default for Queue {
    fn default() -> Self {
        Self(Arc::new(Inner {
            events: EventBus::default(),
            estimates: Estimates::default(),
            waiting: WaitingCounts::default(),
            change_log: ChangeLog::default(),
            key_locks: Mutex::default(),
            orphans: Orphans::default(),
            stored: Cache::with_capacity(50_000),
            prompts: SubmittedPrompts::default(),
            needs: Cache::with_capacity(2000),
            snapshots: Mutex::default(),
            lane_totals: Mutex::default(),
            batch_counts: Cache::with_capacity(1000).with_lifetime(BATCH_COUNTS_TTL),
            canceled_batches: Cache::with_capacity(50_000),
            canceling: Mutex::default(),
            version_checks: Cache::with_capacity(20_000),
            has_new_needs: AtomicBool::new(true),
            is_woken: AtomicBool::new(false),
            dispatcher: OnceLock::new(),
        }))
    }
}

/// Starts the dispatcher on the current arbiter. Jobs that are accepted earlier wait.
pub fn start(core: &Core) {
    metrics::begin();
    let dispatcher = core.supervisor.start(Part::Dispatcher, |watch| Dispatcher::new(core.clone(), watch));
    core.fleet.listen(dispatcher.clone().recipient());
    let (own, to) = (core.clone(), dispatcher.clone().recipient());
    // Subscribed before the loop starts, so that no message is lost in between.
    let mut first = Some(peers::subscribe(core));
    core.supervisor.keep(Part::Peers, move |watch| {
        let messages = first.take().unwrap_or_else(|| peers::subscribe(&own));
        peers::listen(own.node, messages, to.clone(), watch)
    });
    let own = core.clone();
    let mut first = Some(peer_events::subscribe(core));
    core.supervisor.keep(Part::Followers, move |watch| {
        let peers = first.take().unwrap_or_else(|| peer_events::subscribe(&own));
        follow::follow(own.clone(), peers, watch)
    });
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

    pub(in crate::jobs) fn waiting(&self) -> &WaitingCounts {
        &self.0.waiting
    }

    pub(in crate::jobs) fn change_log(&self) -> &ChangeLog {
        &self.0.change_log
    }

    pub(in crate::jobs) fn estimates(&self) -> &Estimates {
        &self.0.estimates
    }

    pub(in crate::jobs) fn orphans(&self) -> &Orphans {
        &self.0.orphans
    }

    pub(in crate::jobs) fn publish_status(&self, job: JobId, status: Status, now: DateTime<Utc>) {
        self.0.events.publish(job, JobEvent::Status(status), now);
    }

    /// Wakes the dispatcher, because there may be a job to claim.
    pub(in crate::jobs) fn wake(&self) {
        if self.0.is_woken.swap(true, Ordering::AcqRel) {
            return;
        }
        let sent = self.0.dispatcher.get().is_some_and(|dispatcher| dispatcher.try_send(Wake).is_ok());
        if !sent {
            self.0.is_woken.store(false, Ordering::Release);
        }
    }

    /// Called when the dispatcher is awake: a later [`Queue::wake`] sends a message again.
    pub(in crate::jobs) fn clear_wake(&self) {
        self.0.is_woken.store(false, Ordering::Release);
    }

    /// Stops a job that is in flight on any node.
    pub(in crate::jobs) fn stop(&self, job: JobId) {
        if let Some(dispatcher) = self.0.dispatcher.get() {
            // If the mailbox is full, the sweep reads the request from the row.
            drop(dispatcher.try_send(StopJob(job)));
        }
    }

    /// Whether this node knows that the row with this hash is stored.
    pub(in crate::jobs) fn is_stored(&self, hash: &str) -> bool {
        self.0.stored.contains(hash)
    }

    pub(in crate::jobs) fn note_stored(&self, hash: &str) {
        self.0.stored.insert(hash.to_owned(), ());
    }

    pub(in crate::jobs) fn prompts(&self) -> &SubmittedPrompts {
        &self.0.prompts
    }

    /// The cached check of a version: the needs of every form, or `None` where they depend on the form.
    pub(in crate::jobs) fn version_check(&self, key: &VersionCheckKey) -> Option<Option<Arc<StoredNeeds>>> {
        self.0.version_checks.get(key)
    }

    pub(in crate::jobs) fn cache_version_check(&self, key: VersionCheckKey, needs: Option<Arc<StoredNeeds>>) {
        self.0.version_checks.insert(key, needs);
    }

    pub(in crate::jobs) fn note_new_needs(&self) {
        self.0.has_new_needs.store(true, Ordering::Release);
    }

    pub(in crate::jobs) fn take_new_needs(&self) -> bool {
        self.0.has_new_needs.swap(false, Ordering::AcqRel)
    }

    /// Takes over the counts of a sweep: pool, lane, number of waiting jobs and their latest virtual finish.
    pub(in crate::jobs) fn set_lane_totals<'a>(&self, rows: impl IntoIterator<Item = (&'a str, Lane, i64, i64)>) {
        let mut totals: HashMap<(String, Lane), LaneTotal> = HashMap::new();
        for (pool, lane, count, finish) in rows {
            let total = totals.entry((pool.to_owned(), lane)).or_default();
            total.count += count;
            total.finish = total.finish.max(finish);
        }
        *self.0.lane_totals.lock().unwrap_or_else(PoisonError::into_inner) = totals;
    }

    pub(in crate::jobs) fn lane_total(&self, pool: &str, lane: Lane) -> LaneTotal {
        let totals = self.0.lane_totals.lock().unwrap_or_else(PoisonError::into_inner);
        totals.get(&(pool.to_owned(), lane)).copied().unwrap_or_default()
    }

    pub(in crate::jobs) fn snapshot(&self, pool: &str) -> SharedSnapshot {
        let mut snapshots = self.0.snapshots.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(snapshots.entry(pool.to_owned()).or_default())
    }

    /// The needs with this hash; `None` where they are not stored.
    pub(in crate::jobs) async fn needs(&self, core: &Core, hash: &str) -> Result<Option<Arc<Needs>>> {
        if let Some(known) = self.0.needs.get(hash) {
            return Ok(Some(known));
        }
        let row = jobs::store::find_needs(&core.db, hash).await?;
        let needs = row.as_ref().and_then(Needs::from_value).map(Arc::new);
        if let Some(needs) = &needs {
            self.0.needs.insert(hash.to_owned(), Arc::clone(needs));
        }
        Ok(needs)
    }

    /// Locks an idempotency key. A second request with the key waits, and then finds the job of the first one.
    ///
    /// # Errors
    /// [`Error::IdempotencyInFlight`] where the first request takes too long.
    pub(in crate::jobs) async fn lock_key(&self, user: UserId, key: &str) -> Result<KeyGuard> {
        let key = (user, key.to_owned());
        let lock = Arc::clone(self.key_locks().entry(key.clone()).or_default());
        // Created before the wait, so that its drop removes the lock of a canceled request too.
        let mut guard = KeyGuard { queue: self.clone(), key, lock: None };
        let locked = tokio::time::timeout(KEY_PATIENCE, lock.lock_owned()).await;
        guard.lock = Some(locked.map_err(|_| Error::IdempotencyInFlight)?);
        Ok(guard)
    }

    /// The cached counts of a large batch.
    pub(in crate::jobs) fn batch_counts(&self, batch: BatchId) -> Option<BatchStatus> {
        self.0.batch_counts.get(&batch)
    }

    pub(in crate::jobs) fn cache_batch_counts(&self, status: BatchStatus) {
        self.0.batch_counts.insert(status.batch.id, status);
    }

    pub(in crate::jobs) fn note_canceled_batch(&self, batch: BatchId) {
        self.0.canceled_batches.insert(batch, ());
    }

    pub(in crate::jobs) fn is_canceled_batch(&self, batch: BatchId) -> bool {
        self.0.canceled_batches.contains(&batch)
    }

    /// The permit to cancel the waiting jobs of a batch; `None` while another task of this node has it.
    pub(in crate::jobs) fn begin_canceling(&self, batch: BatchId) -> Option<CancelGuard> {
        self.canceling().insert(batch).then(|| CancelGuard { queue: self.clone(), batch })
    }

    fn canceling(&self) -> MutexGuard<'_, HashSet<BatchId>> {
        self.0.canceling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn key_locks(&self) -> MutexGuard<'_, KeyLocks> {
        self.0.key_locks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for KeyGuard {
    fn drop(&mut self) {
        drop(self.lock.take());
        let mut locks = self.queue.key_locks();
        // A waiting request holds a clone.
        if locks.get(&self.key).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            locks.remove(&self.key);
        }
    }
}

impl Drop for CancelGuard {
    fn drop(&mut self) {
        self.queue.canceling().remove(&self.batch);
    }
}
