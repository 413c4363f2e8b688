//! A node's counts of waiting jobs. The rows correct them every few seconds. They are never too low for the node's own
//! jobs: a lane with a count of zero is not claimed from.
//!
//! Each node reserves at most its part of the places that were free at its last count ([`part`]), so that all nodes
//! together keep the limits. A node with an old count may exceed a limit until it counts again: all nodes together
//! reserve less than twice the limit and [`MIN_PART`] for each node.
//!
//! Jobs arrive and leave while the rows are counted. Those are remembered by id, and the count tells which of them it has
//! seen, so that no job is counted twice and refuses another one.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::ids::{JobId, UserId};
use crate::jobs::status::Lane;
use crate::jobs::store::flight::QueueCount;
use crate::{Error, Result};

/// A count that takes no longer is made at every sweep.
const QUICK_COUNT: Duration = Duration::from_millis(50);
/// The least part of a node, so that an account which uses one node only has all of a small limit at once.
const MIN_PART: u64 = 100;
/// The highest count of a lane that is taken over from another node.
const MAX_PEER_COUNT: i64 = 10_000;

/// Cheap to clone.
#[derive(Clone, Default)]
pub(in crate::jobs) struct WaitingCounts(Arc<Mutex<Counts>>);

#[derive(Default)]
struct Counts {
    accounts: HashMap<UserId, i64>,
    /// By pool, then by lane.
    lanes: HashMap<String, [i64; 4]>,
    total: i64,
    /// Places that this node has reserved since the last count, for each account and in total.
    granted: HashMap<UserId, u64>,
    granted_total: u64,
    /// When the current count of the rows began.
    counting_since: Option<Instant>,
    /// The next count is not made before this.
    counted_until: Option<Instant>,
    /// Jobs that arrived or left since the current count began, and whether they wait now. The count may have seen them.
    changed: HashMap<JobId, (QueuedJob, bool)>,
    /// Reserved jobs whose row is not committed yet.
    reserved: HashMap<JobId, QueuedJob>,
}

/// The counters that a waiting job belongs to.
#[derive(Debug)]
pub(in crate::jobs) struct QueuedJob {
    user: UserId,
    pool: String,
    lane: Lane,
}

#[derive(Debug, Clone, Copy)]
pub(in crate::jobs) struct WaitingLimits {
    pub of_account: u64,
    pub of_all: u64,
    /// Living nodes, this one included.
    pub nodes: usize,
}

/// A place in the queue for a job whose row is not committed yet. After drop the job stays counted until the next count
/// of the rows, because the row of a canceled request may still be committed.
pub(in crate::jobs) struct Reservation {
    waiting: WaitingCounts,
    job: JobId,
}

impl QueuedJob {
    pub(in crate::jobs) fn new(user: UserId, pool: &str, lane: Lane) -> Self {
        Self { user, pool: pool.to_owned(), lane }
    }
}

impl Counts {
    fn add(&mut self, pool: &str, lane: Lane, user: UserId, count: i64) {
        self.of_account(user, count);
        self.of_lane(pool, lane, count);
        self.total += count;
    }

    fn of_lane(&mut self, pool: &str, lane: Lane, count: i64) {
        self.lanes.entry(pool.to_owned()).or_default()[lane as usize] += count;
    }

    fn of_account(&mut self, user: UserId, count: i64) {
        let own = self.accounts.entry(user).or_insert(0);
        *own += count;
        if *own <= 0 {
            self.accounts.remove(&user);
        }
    }

    /// Whether one more job may wait. `given`: places that this node has reserved since the last count.
    fn has_room(waiting: i64, granted: u64, most: u64, nodes: usize) -> bool {
        let free = most.saturating_sub(u64::try_from(waiting).unwrap_or(0));
        free > 0 && granted < part(free.saturating_add(granted), nodes)
    }

    fn remove(&mut self, queued: &QueuedJob) {
        self.of_account(queued.user, -1);
        if let Some(lanes) = self.lanes.get_mut(&queued.pool) {
            lanes[queued.lane as usize] = (lanes[queued.lane as usize] - 1).max(0);
        }
        self.total = (self.total - 1).max(0);
    }

    fn note(&mut self, job: JobId, queued: QueuedJob, waits: bool) {
        if self.counting_since.is_some() {
            self.changed.insert(job, (queued, waits));
        }
    }
}

/// A node's part of the places that were free at its last count.
fn part(free: u64, nodes: usize) -> u64 {
    (free / u64::try_from(nodes).unwrap_or(u64::MAX).max(1)).max(free.min(MIN_PART))
}

impl WaitingCounts {
    /// Reserves a place within the limits of the account and of the installation.
    ///
    /// # Errors
    /// [`Error::RateLimited`] or [`Error::Unavailable`]; nothing was reserved then.
    pub(in crate::jobs) fn reserve(&self, job: JobId, queued: QueuedJob, limits: WaitingLimits) -> Result<Reservation> {
        let mut counts = self.counts();
        if !Counts::has_room(counts.total, counts.granted_total, limits.of_all, limits.nodes) {
            return Err(Error::Unavailable { message: "too many jobs wait".into(), retry_after_seconds: 30 });
        }
        let own = counts.accounts.get(&queued.user).copied().unwrap_or(0);
        let granted = counts.granted.get(&queued.user).copied().unwrap_or(0);
        if !Counts::has_room(own, granted, limits.of_account, limits.nodes) {
            return Err(Error::RateLimited { retry_after_seconds: 30 });
        }
        *counts.granted.entry(queued.user).or_default() += 1;
        counts.granted_total += 1;
        counts.add(&queued.pool, queued.lane, queued.user, 1);
        counts.reserved.insert(job, queued);
        Ok(Reservation { waiting: self.clone(), job })
    }

    /// Counts a claimed job whose row has gone back to waiting.
    pub(in crate::jobs) fn put_back(&self, job: JobId, queued: QueuedJob) {
        let mut counts = self.counts();
        counts.add(&queued.pool, queued.lane, queued.user, 1);
        counts.note(job, queued, true);
    }

    /// Counts a waiting job in another lane than before.
    pub(in crate::jobs) fn promote(&self, job: JobId, mut queued: QueuedJob, to: Lane) {
        let mut counts = self.counts();
        counts.remove(&queued);
        queued.lane = to;
        counts.add(&queued.pool, queued.lane, queued.user, 1);
        counts.note(job, queued, true);
    }

    /// Raises the count of a lane to that of another node.
    pub(in crate::jobs) fn raise_to(&self, pool: &str, lane: Lane, count: i64) {
        let mut counts = self.counts();
        let known = &mut counts.lanes.entry(pool.to_owned()).or_default()[lane as usize];
        let more = (count.min(MAX_PEER_COUNT) - *known).max(0);
        *known += more;
        counts.total += more;
    }

    /// Removes a job whose row does not wait any more.
    pub(in crate::jobs) fn leave(&self, job: JobId, queued: QueuedJob) {
        let mut counts = self.counts();
        counts.remove(&queued);
        // The job may be claimed before the submit learns of its commit.
        counts.reserved.remove(&job);
        counts.note(job, queued, false);
    }

    /// Call before the rows are counted. `false`: too early. A long count uses a twentieth of the time at most.
    pub(in crate::jobs) fn begin_recount(&self) -> bool {
        let mut counts = self.counts();
        let now = Instant::now();
        if counts.counted_until.is_some_and(|until| now < until) {
            return false;
        }
        counts.counting_since = Some(now);
        counts.changed.clear();
        true
    }

    /// Jobs that have arrived or left since the current count began.
    pub(in crate::jobs) fn changed(&self) -> HashSet<JobId> {
        let counts = self.counts();
        counts.changed.keys().chain(counts.reserved.keys()).copied().collect()
    }

    /// Takes over the counts of the rows, corrected by the jobs that arrived or left in between. A job that left after
    /// the query for changed jobs stays counted in its lane until the next count.
    pub(in crate::jobs) fn recount(&self, counted: &QueueCount) {
        let mut counts = self.counts();
        let Counts { changed, counting_since, reserved, .. } = std::mem::take(&mut *counts);
        let took = counting_since.map_or(Duration::ZERO, |since| since.elapsed());
        counts.counted_until = (took > QUICK_COUNT).then(|| Instant::now() + 19 * took);
        for row in &counted.waiting {
            counts.add(&row.pool, row.lane, row.user, row.count);
        }
        let seen = |job: &JobId| counted.seen.get(job);
        let waiting = changed.iter().filter(|(_, (_, waits))| *waits).map(|(job, (queued, _))| (job, queued));
        for (job, queued) in waiting.chain(&reserved) {
            match seen(job) {
                None => counts.add(&queued.pool, queued.lane, queued.user, 1),
                // It was promoted during the count. It stays counted in both lanes until the next count.
                Some(lane) if *lane != queued.lane => counts.of_lane(&queued.pool, queued.lane, 1),
                Some(_) => {}
            }
        }
        for (job, (queued, _)) in changed.iter().filter(|(_, (_, waits))| !waits) {
            if seen(job).is_some() {
                counts.remove(queued);
            } else if !counted.changed.contains(job) {
                counts.of_account(queued.user, -1);
            }
        }
        counts.reserved = reserved;
    }

    pub(in crate::jobs) fn waits_in(&self, pool: &str, lane: Lane) -> bool {
        self.counts().lanes.get(pool).is_some_and(|lanes| lanes[lane as usize] > 0)
    }

    pub(in crate::jobs) fn counts_in(&self, pool: &str) -> [i64; 4] {
        self.counts().lanes.get(pool).copied().unwrap_or_default()
    }

    pub(in crate::jobs) fn by_lane(&self) -> Vec<(String, Lane, i64)> {
        let counts = self.counts();
        let lanes = counts.lanes.iter();
        lanes
            .flat_map(|(pool, counts)| Lane::ALL.into_iter().zip(counts).map(|(lane, n)| (pool.clone(), lane, *n)))
            .collect()
    }

    pub(in crate::jobs) fn waits(&self, pool: &str) -> bool {
        self.counts().lanes.get(pool).is_some_and(|lanes| lanes.iter().any(|count| *count > 0))
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reservation {
    /// Gives the place back, because the job was not accepted.
    pub fn refused(self) {
        let mut counts = self.waiting.counts();
        if let Some(queued) = counts.reserved.remove(&self.job) {
            counts.remove(&queued);
            counts.granted_total = counts.granted_total.saturating_sub(1);
            if let Some(granted) = counts.granted.get_mut(&queued.user) {
                *granted = granted.saturating_sub(1);
            }
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut counts = self.waiting.counts();
        if let Some(queued) = counts.reserved.remove(&self.job) {
            counts.note(self.job, queued, true);
        }
    }
}

#[cfg(test)]
mod tests;
