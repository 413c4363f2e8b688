//! What all threads of a node share about the queue: tags, counts, events, and the way to the dispatcher.

pub(in crate::jobs) mod arrivals;
pub(in crate::jobs) mod estimate;
pub(in crate::jobs) mod estimates;
pub(in crate::jobs) mod forecast;
pub(in crate::jobs) mod lanes;
mod ownerless;
pub(in crate::jobs) mod position;
pub(in crate::jobs) mod snapshot;
pub(in crate::jobs) mod spot;
pub(in crate::jobs) mod standing;
pub(in crate::jobs) mod store;
pub(in crate::jobs) mod tags;
pub(in crate::jobs) mod waiting;
pub(in crate::jobs) mod why;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use actix::Addr;
use chrono::{DateTime, Utc};

use self::arrivals::Arrivals;
use self::estimates::Estimates;
use self::ownerless::Ownerless;
use self::snapshot::Lines;
use self::standing::Standing;
use self::waiting::Waiting;
use crate::cache::Cache;
use crate::fleet::Owner;
use crate::graph::Needs;
use crate::ids::{BatchId, JobId, UserId};
use crate::jobs::batches::batch::BatchStatus;
use crate::jobs::flight::dispatcher::Dispatcher;
use crate::jobs::flight::messages::{StopJob, Wake};
use crate::jobs::flight::peers;
use crate::jobs::kept_needs::KeptNeeds;
use crate::jobs::live::event::JobEvent;
use crate::jobs::live::events::EventBus;
use crate::jobs::live::{elsewhere, follow};
use crate::jobs::status::{Lane, Status};
use crate::jobs::{self, metrics};
use crate::supervision::Part;
use crate::{Core, Error, Result};

/// How long the counts of a large batch are told again.
pub(in crate::jobs) const COUNTS_LAST: Duration = Duration::from_secs(2);

/// The queue of one node, as everybody sees it. Cheap to clone.
#[derive(Clone)]
pub struct Queue(Arc<Inner>);

struct Inner {
    events: EventBus,
    estimates: Estimates,
    waiting: Waiting,
    arrivals: Arrivals,
    keys: Mutex<Keys>,
    /// Jobs that had no actor at the last sweep.
    strays: Mutex<HashSet<(JobId, i16)>>,
    ownerless: Ownerless,
    /// Needs and prompts whose rows are known to be there.
    kept: Cache<String, ()>,
    /// What jobs need, by the hash of it.
    needs: Cache<String, Arc<Needs>>,
    /// The lines of each pool, as they were read last.
    lines: Mutex<HashMap<String, Reading>>,
    /// What waits in each lane of each pool, as the last sweep counted it.
    swept: Mutex<HashMap<(String, Lane), LaneTotal>>,
    /// The counts of large batches, for a moment.
    counts: Cache<BatchId, BatchStatus>,
    /// Batches that take nothing any more.
    canceled: Cache<BatchId, ()>,
    /// Batches whose waiting jobs this node is canceling.
    canceling: Mutex<HashSet<BatchId>>,
    /// What was found out about versions of mini apps as a whole.
    cleared: Cache<Standing, Option<Arc<KeptNeeds>>>,
    /// Whether needs were added that the dispatcher has not read yet.
    new_needs: AtomicBool,
    /// Whether a wake-up is on its way, so that a thousand submits send one.
    woken: AtomicBool,
    dispatcher: OnceLock<Addr<Dispatcher>>,
}

/// What waits in a lane of a pool, as the last sweep counted it.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::jobs) struct LaneTotal {
    pub count: i64,
    /// The latest virtual finish.
    pub finish: i64,
}

/// The lines of a pool; whoever reads them again keeps the others waiting for what he finds.
type Reading = Arc<tokio::sync::Mutex<Option<Arc<Lines>>>>;

/// Idempotency keys in use; whoever comes with one that is, waits for its lock.
type Keys = HashMap<(UserId, String), Arc<tokio::sync::Mutex<()>>>;

/// How long a request waits for the first one with its key: longer than a submit takes on a busy node.
const KEY_PATIENCE: Duration = Duration::from_secs(10);

/// Keeps an idempotency key to one request at a time.
pub(in crate::jobs) struct KeyGuard {
    queue: Queue,
    key: (UserId, String),
    /// Given back before the key is forgotten.
    turn: Option<tokio::sync::OwnedMutexGuard<()>>,
}

/// Keeps the canceling of a batch to one task at a time.
pub(in crate::jobs) struct CancelGuard {
    queue: Queue,
    batch: BatchId,
}

impl Default for Queue {
    fn default() -> Self {
        Self(Arc::new(Inner {
            events: EventBus::default(),
            estimates: Estimates::default(),
            waiting: Waiting::default(),
            arrivals: Arrivals::default(),
            keys: Mutex::default(),
            strays: Mutex::default(),
            ownerless: Ownerless::default(),
            kept: Cache::of(50_000),
            needs: Cache::of(2000),
            lines: Mutex::default(),
            swept: Mutex::default(),
            counts: Cache::of(1000).living(COUNTS_LAST),
            canceled: Cache::of(50_000),
            canceling: Mutex::default(),
            cleared: Cache::of(20_000),
            new_needs: AtomicBool::new(true),
            woken: AtomicBool::new(false),
            dispatcher: OnceLock::new(),
        }))
    }
}

/// Starts the dispatcher on the current arbiter. Submits are accepted before it too, and wait.
pub fn start(core: &Core) {
    metrics::begin();
    let dispatcher = core.supervisor.start(Part::Dispatcher, |watch| Dispatcher::new(core.clone(), watch));
    core.fleet.listen(dispatcher.clone().recipient());
    let (hearing, to) = (core.clone(), dispatcher.clone().recipient());
    // What is told before the loop runs for the first time is heard too.
    let mut first = Some(peers::subscribe(core));
    core.supervisor.keep(Part::Peers, move |watch| {
        let letters = first.take().unwrap_or_else(|| peers::subscribe(&hearing));
        peers::listen(hearing.node, letters, to.clone(), watch)
    });
    let following = core.clone();
    let mut first = Some(elsewhere::ears(core));
    core.supervisor.keep(Part::Followers, move |watch| {
        let ears = first.take().unwrap_or_else(|| elsewhere::ears(&following));
        follow::follow(following.clone(), ears, watch)
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

    /// The counts of what waits.
    pub(in crate::jobs) fn waiting(&self) -> &Waiting {
        &self.0.waiting
    }

    pub(in crate::jobs) fn arrivals(&self) -> &Arrivals {
        &self.0.arrivals
    }

    pub(in crate::jobs) fn estimates(&self) -> &Estimates {
        &self.0.estimates
    }

    /// Tells listeners that a job's status changed.
    pub(in crate::jobs) fn tell(&self, job: JobId, status: Status, now: DateTime<Utc>) {
        self.0.events.publish(job, JobEvent::Status(status), now);
    }

    /// Says that there may be work.
    pub(in crate::jobs) fn wake(&self) {
        if self.0.woken.swap(true, Ordering::AcqRel) {
            return;
        }
        let sent = self.0.dispatcher.get().is_some_and(|dispatcher| dispatcher.try_send(Wake).is_ok());
        if !sent {
            self.0.woken.store(false, Ordering::Release);
        }
    }

    /// The dispatcher looks now; later submits wake it again.
    pub(in crate::jobs) fn looking(&self) {
        self.0.woken.store(false, Ordering::Release);
    }

    /// Stops a job, where it is in flight on this node.
    pub(in crate::jobs) fn stop(&self, job: JobId) {
        if let Some(dispatcher) = self.0.dispatcher.get() {
            // A full mailbox loses nothing: the row says it too, and the sweep reads it.
            drop(dispatcher.try_send(StopJob(job)));
        }
    }

    /// Whether a row of this content was kept before by this node.
    pub(in crate::jobs) fn is_kept(&self, hash: &str) -> bool {
        self.0.kept.contains(hash)
    }

    pub(in crate::jobs) fn note_kept(&self, hash: &str) {
        self.0.kept.insert(hash.to_owned(), ());
    }

    /// What was found out about a version as a whole: what each of its forms needs, or that it depends on the form.
    pub(in crate::jobs) fn cleared(&self, standing: &Standing) -> Option<Option<Arc<KeptNeeds>>> {
        self.0.cleared.get(standing)
    }

    pub(in crate::jobs) fn note_cleared(&self, standing: Standing, needs: Option<Arc<KeptNeeds>>) {
        self.0.cleared.insert(standing, needs);
    }

    pub(in crate::jobs) fn note_new_needs(&self) {
        self.0.new_needs.store(true, Ordering::Release);
    }

    pub(in crate::jobs) fn take_new_needs(&self) -> bool {
        self.0.new_needs.swap(false, Ordering::AcqRel)
    }

    /// Notes what a sweep counted: how many jobs of an account wait in a lane of a pool, and their latest finish.
    pub(in crate::jobs) fn note_swept<'a>(&self, rows: impl IntoIterator<Item = (&'a str, Lane, i64, i64)>) {
        let mut swept: HashMap<(String, Lane), LaneTotal> = HashMap::new();
        for (pool, lane, count, finish) in rows {
            let total = swept.entry((pool.to_owned(), lane)).or_default();
            total.count += count;
            total.finish = total.finish.max(finish);
        }
        *self.0.swept.lock().unwrap_or_else(PoisonError::into_inner) = swept;
    }

    /// Jobs of lost nodes that wait for somebody to take their workers.
    pub(in crate::jobs) fn waits_for_owner(&self, job: JobId, owner: Owner) -> bool {
        self.0.ownerless.waits(job, owner, Instant::now())
    }

    /// A sweep was cut short.
    pub(in crate::jobs) fn note_blind(&self) {
        self.0.ownerless.begin_anew();
    }

    /// What the last sweep counted in a lane of a pool.
    pub(in crate::jobs) fn lane_total(&self, pool: &str, lane: Lane) -> LaneTotal {
        let swept = self.0.swept.lock().unwrap_or_else(PoisonError::into_inner);
        swept.get(&(pool.to_owned(), lane)).copied().unwrap_or_default()
    }

    /// Where the lines of a pool are kept.
    pub(in crate::jobs) fn lines(&self, pool: &str) -> Reading {
        let mut lines = self.0.lines.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(lines.entry(pool.to_owned()).or_default())
    }

    /// What a job needs of a worker; `None` where no row tells.
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

    /// Keeps a key to one request at a time: another one with it waits, and then finds what the first one made.
    ///
    /// # Errors
    /// [`Error::IdempotencyInFlight`] where the first one takes too long.
    pub(in crate::jobs) async fn hold_key(&self, user: UserId, key: &str) -> Result<KeyGuard> {
        let key = (user, key.to_owned());
        let lock = Arc::clone(self.keys().entry(key.clone()).or_default());
        // Made before it waits, so that a request that is given up forgets the key as well.
        let mut guard = KeyGuard { queue: self.clone(), key, turn: None };
        let turn = tokio::time::timeout(KEY_PATIENCE, lock.lock_owned()).await;
        guard.turn = Some(turn.map_err(|_| Error::IdempotencyInFlight)?);
        Ok(guard)
    }

    /// What was counted of a large batch a moment ago.
    pub(in crate::jobs) fn counts(&self, batch: BatchId) -> Option<BatchStatus> {
        self.0.counts.get(&batch)
    }

    pub(in crate::jobs) fn note_counts(&self, status: BatchStatus) {
        self.0.counts.insert(status.batch.id, status);
    }

    /// Notes that a batch takes nothing any more.
    pub(in crate::jobs) fn note_canceled(&self, batch: BatchId) {
        self.0.canceled.insert(batch, ());
    }

    pub(in crate::jobs) fn is_canceled(&self, batch: BatchId) -> bool {
        self.0.canceled.contains(&batch)
    }

    /// The right to cancel what waits in a batch; `None` while another task of this node does so.
    pub(in crate::jobs) fn canceling(&self, batch: BatchId) -> Option<CancelGuard> {
        self.batches().insert(batch).then(|| CancelGuard { queue: self.clone(), batch })
    }

    /// Jobs in flight here, with their attempt, that had no actor at the last sweep.
    pub(in crate::jobs) fn strays(&self) -> HashSet<(JobId, i16)> {
        self.0.strays.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(in crate::jobs) fn set_strays(&self, strays: HashSet<(JobId, i16)>) {
        *self.0.strays.lock().unwrap_or_else(PoisonError::into_inner) = strays;
    }

    fn batches(&self) -> MutexGuard<'_, HashSet<BatchId>> {
        self.0.canceling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keys(&self) -> MutexGuard<'_, Keys> {
        self.0.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for KeyGuard {
    fn drop(&mut self) {
        drop(self.turn.take());
        let mut keys = self.queue.keys();
        // Whoever waits for it holds it as well.
        if keys.get(&self.key).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            keys.remove(&self.key);
        }
    }
}

impl Drop for CancelGuard {
    fn drop(&mut self) {
        self.queue.batches().remove(&self.batch);
    }
}
