//! What all threads of a node share about the queue: tags, counts, events, and the way to the dispatcher.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use actix::{Actor, Addr};
use chrono::{DateTime, Utc};
use moka::sync::Cache;

use super::dispatcher::{Dispatcher, StopJob, Wake};
use super::estimates::Estimates;
use super::line::Lines;
use super::submit::KeptNeeds;
use super::tags::Tags;
use super::{BatchStatus, EventBus, JobEvent, Lane, Status, follow, metrics, store};
use crate::graph::Needs;
use crate::ids::{BatchId, JobId, UserId, WorkflowApiVersionId};
use crate::{Core, Error, Result};

/// How long the counts of a large batch are told again.
pub(super) const COUNTS_LAST: Duration = Duration::from_secs(2);

/// A count that takes no longer is made at every sweep.
const QUICK_COUNT: Duration = Duration::from_millis(50);

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
    /// When the count of the rows began that is under way.
    counting_since: Option<Instant>,
    /// Until when the last count is good enough.
    counted_until: Option<Instant>,
    /// Whose rows came since then: the count may or may not see them.
    added: Vec<(String, Lane, UserId)>,
    /// Reserved, with rows that are still to come.
    reserved: HashMap<u64, (String, Lane, UserId)>,
    last_number: u64,
}

/// A place in the queue for a job whose row is under way. Dropped, it stays taken until the rows are counted again:
/// a submit that nobody waits for any more may still be committed.
pub(super) struct Reservation {
    queue: Queue,
    number: u64,
}

impl Waiting {
    fn add(&mut self, pool: &str, lane: Lane, user: UserId, count: i64) {
        *self.accounts.entry(user).or_insert(0) += count;
        self.lanes.entry(pool.to_owned()).or_default()[lane as usize] += count;
        self.total += count;
    }
}

/// What waits in a lane of a pool, as the last sweep counted it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LaneTotal {
    pub count: i64,
    /// The latest virtual finish.
    pub finish: i64,
}

/// The lines of a pool; whoever reads them again keeps the others waiting for what he finds.
type Reading = Arc<tokio::sync::Mutex<Option<Arc<Lines>>>>;

/// Keeps an idempotency key to one request at a time.
pub(super) struct KeyGuard {
    queue: Queue,
    key: (UserId, String),
}

/// Keeps the canceling of a batch to one task at a time.
pub(super) struct CancelGuard {
    queue: Queue,
    batch: BatchId,
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
            needs: Cache::new(2000),
            lines: Mutex::default(),
            swept: Mutex::default(),
            counts: Cache::builder().max_capacity(1000).time_to_live(COUNTS_LAST).build(),
            canceled: Cache::new(50_000),
            canceling: Mutex::default(),
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
    pub(super) fn reserve(
        &self,
        user: UserId,
        pool: &str,
        lane: Lane,
        of_account: u64,
        of_all: u64,
    ) -> Result<Reservation> {
        let mut waiting = self.waiting();
        if u64::try_from(waiting.total).unwrap_or(0) >= of_all {
            return Err(Error::Unavailable { message: "too many jobs wait".into(), retry_after_seconds: 30 });
        }
        let own = waiting.accounts.get(&user).copied().unwrap_or(0);
        if u64::try_from(own).unwrap_or(0) >= of_account {
            return Err(Error::RateLimited { retry_after_seconds: 30 });
        }
        waiting.add(pool, lane, user, 1);
        waiting.last_number += 1;
        let number = waiting.last_number;
        waiting.reserved.insert(number, (pool.to_owned(), lane, user));
        Ok(Reservation { queue: self.clone(), number })
    }

    /// A job that was taken waits again, as its row says.
    pub(super) fn wait_again(&self, user: UserId, pool: &str, lane: Lane) {
        let mut waiting = self.waiting();
        waiting.add(pool, lane, user, 1);
        if waiting.counting_since.is_some() {
            waiting.added.push((pool.to_owned(), lane, user));
        }
    }

    /// Gives a place back: the job does not wait any more.
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

    /// The rows are about to be counted; `false` where that is not worth while yet: a count of very many takes its
    /// time, and is given a twentieth of the database's.
    pub(super) fn begin_recount(&self) -> bool {
        let mut waiting = self.waiting();
        let now = Instant::now();
        if waiting.counted_until.is_some_and(|until| now < until) {
            return false;
        }
        waiting.counting_since = Some(now);
        waiting.added.clear();
        true
    }

    /// Takes the counts from the rows, and adds those whose rows came meanwhile or are still to come. Where the count
    /// has seen such a row it is one too many, which the next count corrects.
    pub(super) fn recount<'a>(&self, rows: impl IntoIterator<Item = (&'a str, Lane, UserId, i64)>) {
        let mut waiting = self.waiting();
        let Waiting { added, counting_since, reserved, last_number, .. } = std::mem::take(&mut *waiting);
        let took = counting_since.map_or(Duration::ZERO, |since| since.elapsed());
        waiting.counted_until = (took > QUICK_COUNT).then(|| Instant::now() + 19 * took);
        for (pool, lane, user, count) in rows {
            waiting.add(pool, lane, user, count);
        }
        for (pool, lane, user) in added.iter().chain(reserved.values()) {
            waiting.add(pool, *lane, *user, 1);
        }
        waiting.reserved = reserved;
        waiting.last_number = last_number;
    }

    /// How many jobs wait in each lane of each pool.
    pub(super) fn waiting_by_lane(&self) -> Vec<(String, Lane, i64)> {
        let waiting = self.waiting();
        let lanes = waiting.lanes.iter();
        lanes
            .flat_map(|(pool, counts)| Lane::ALL.into_iter().zip(counts).map(|(lane, n)| (pool.clone(), lane, *n)))
            .collect()
    }

    /// Whether jobs wait for a pool.
    pub(super) fn waits(&self, pool: &str) -> bool {
        self.waiting().lanes.get(pool).is_some_and(|lanes| lanes.iter().any(|count| *count > 0))
    }

    /// Notes what a sweep counted: how many jobs of an account wait in a lane of a pool, and their latest finish.
    pub(super) fn note_swept<'a>(&self, rows: impl IntoIterator<Item = (&'a str, Lane, i64, i64)>) {
        let mut swept: HashMap<(String, Lane), LaneTotal> = HashMap::new();
        for (pool, lane, count, finish) in rows {
            let total = swept.entry((pool.to_owned(), lane)).or_default();
            total.count += count;
            total.finish = total.finish.max(finish);
        }
        *self.0.swept.lock().unwrap_or_else(PoisonError::into_inner) = swept;
    }

    /// What the last sweep counted in a lane of a pool.
    pub(super) fn lane_total(&self, pool: &str, lane: Lane) -> LaneTotal {
        let swept = self.0.swept.lock().unwrap_or_else(PoisonError::into_inner);
        swept.get(&(pool.to_owned(), lane)).copied().unwrap_or_default()
    }

    /// Where the lines of a pool are kept.
    pub(super) fn lines(&self, pool: &str) -> Reading {
        let mut lines = self.0.lines.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(lines.entry(pool.to_owned()).or_default())
    }

    /// What a job needs of a worker; `None` where no row tells.
    pub(super) async fn needs(&self, core: &Core, hash: &str) -> Result<Option<Arc<Needs>>> {
        if let Some(known) = self.0.needs.get(hash) {
            return Ok(Some(known));
        }
        let row = store::find_needs(&core.db, hash).await?;
        let needs = row.as_ref().and_then(Needs::from_value).map(Arc::new);
        if let Some(needs) = &needs {
            self.0.needs.insert(hash.to_owned(), Arc::clone(needs));
        }
        Ok(needs)
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

    /// What was counted of a large batch a moment ago.
    pub(super) fn counts(&self, batch: BatchId) -> Option<BatchStatus> {
        self.0.counts.get(&batch)
    }

    pub(super) fn note_counts(&self, status: BatchStatus) {
        self.0.counts.insert(status.batch.id, status);
    }

    /// Notes that a batch takes nothing any more.
    pub(super) fn note_canceled(&self, batch: BatchId) {
        self.0.canceled.insert(batch, ());
    }

    pub(super) fn is_canceled(&self, batch: BatchId) -> bool {
        self.0.canceled.contains_key(&batch)
    }

    /// The right to cancel what waits in a batch; `None` while another task of this node does so.
    pub(super) fn canceling(&self, batch: BatchId) -> Option<CancelGuard> {
        self.batches().insert(batch).then(|| CancelGuard { queue: self.clone(), batch })
    }

    /// Jobs in flight here, with their attempt, that had no actor at the last sweep.
    pub(super) fn strays(&self) -> HashSet<(JobId, i16)> {
        self.0.strays.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_strays(&self, strays: HashSet<(JobId, i16)>) {
        *self.0.strays.lock().unwrap_or_else(PoisonError::into_inner) = strays;
    }

    fn batches(&self) -> MutexGuard<'_, HashSet<BatchId>> {
        self.0.canceling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keys(&self) -> MutexGuard<'_, HashSet<(UserId, String)>> {
        self.0.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reservation {
    /// The job was not accepted.
    pub fn refused(self) {
        let reserved = self.queue.waiting().reserved.remove(&self.number);
        if let Some((pool, lane, user)) = reserved {
            self.queue.leave(user, &pool, lane);
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut waiting = self.queue.waiting();
        if let Some(place) = waiting.reserved.remove(&self.number)
            && waiting.counting_since.is_some()
        {
            waiting.added.push(place);
        }
    }
}

impl Drop for KeyGuard {
    fn drop(&mut self) {
        self.queue.keys().remove(&self.key);
    }
}

impl Drop for CancelGuard {
    fn drop(&mut self) {
        self.queue.batches().remove(&self.batch);
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
        queue.begin_recount();
        reserve(ann).expect("room");
        // The rows know the first job, and three of another node's.
        queue.recount([("cpu", Lane::Api, ann, 1), ("cpu", Lane::Api, bob, 3)]);
        assert!(matches!(reserve(ann), Err(Error::RateLimited { .. })), "one of two jobs was forgotten");
        let waiting = |lane| queue.waiting_by_lane().into_iter().find(|(_, other, _)| *other == lane);
        assert_eq!(waiting(Lane::Api), Some(("cpu".to_owned(), Lane::Api, 5)));
    }

    #[test]
    fn a_job_whose_row_was_still_to_come_when_the_rows_were_read_stays_counted() {
        let queue = Queue::default();
        let place = queue.reserve(UserId::new(), "cpu", Lane::Interactive, 2, 10).expect("room");
        queue.begin_recount();
        queue.recount([]);
        assert!(queue.waits_in("cpu", Lane::Interactive), "nobody would look for it before the next count");
        queue.begin_recount();
        drop(place);
        queue.recount([]);
        assert!(queue.waits_in("cpu", Lane::Interactive), "its row came while the others were read");
        queue.begin_recount();
        queue.recount([]);
        assert!(!queue.waits("cpu"), "one too many is corrected");
        queue.reserve(UserId::new(), "cpu", Lane::Interactive, 2, 10).expect("room").refused();
        assert!(!queue.waits("cpu"));
    }
}
