//! How many jobs wait, as a node knows it; the rows correct it every few seconds. Never too few of the node's own:
//! nobody looks for jobs where none are counted.
//!
//! Of several nodes each gives its part of the places that were free at its last count ([`part`]), so that all together
//! keep the limits while they count about as often. One that counted when nothing waited, and gives its part when others
//! have given all that they found, makes it more for the seconds until it counts again: never more than twice a limit
//! and [`FEW`] for each node.
//!
//! A count of the rows takes its time, and jobs come and go meanwhile. Those are kept by id, so that the count can be
//! asked which of them it has seen: nobody is refused a place because a job of theirs was counted twice.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::ids::{JobId, UserId};
use crate::jobs::status::Lane;
use crate::jobs::store::flight::Counted;
use crate::{Error, Result};

/// A count that takes no longer is made at every sweep.
const QUICK_COUNT: Duration = Duration::from_millis(50);
/// Places that one node gives by itself, where its part would be fewer: an account that comes to one node alone has all
/// of a small limit at once.
const FEW: u64 = 100;
/// Jobs of a lane that another node's word counts for at most, until the rows are counted.
const TOLD_MOST: i64 = 10_000;

/// The counts. Cheap to clone.
#[derive(Clone, Default)]
pub(in crate::jobs) struct Waiting(Arc<Mutex<Counts>>);

#[derive(Default)]
struct Counts {
    accounts: HashMap<UserId, i64>,
    /// By pool, then by lane.
    lanes: HashMap<String, [i64; 3]>,
    total: i64,
    /// How many places were given here since the rows were counted, to each account and to all.
    given: HashMap<UserId, u64>,
    given_to_all: u64,
    /// When the count of the rows began that is under way.
    counting_since: Option<Instant>,
    /// Until when the last count is good enough.
    counted_until: Option<Instant>,
    /// The jobs that came and went since then, and whether they wait now: the count may or may not see them.
    changed: HashMap<JobId, (Queued, bool)>,
    /// Reserved, with rows that are still to come.
    reserved: HashMap<JobId, Queued>,
}

/// What a waiting job counts for.
#[derive(Debug)]
pub(in crate::jobs) struct Queued {
    user: UserId,
    pool: String,
    lane: Lane,
}

/// How many jobs may wait.
#[derive(Debug, Clone, Copy)]
pub(in crate::jobs) struct Limits {
    pub of_account: u64,
    pub of_all: u64,
    /// How many nodes give places, this one with them.
    pub nodes: usize,
}

/// A place in the queue for a job whose row is under way. Dropped, it stays taken until the rows are counted again:
/// a submit that nobody waits for any more may still be committed.
pub(in crate::jobs) struct Reservation {
    waiting: Waiting,
    job: JobId,
}

impl Queued {
    pub(in crate::jobs) fn new(user: UserId, pool: &str, lane: Lane) -> Self {
        Self { user, pool: pool.to_owned(), lane }
    }
}

impl Counts {
    fn add(&mut self, pool: &str, lane: Lane, user: UserId, count: i64) {
        self.of_account(user, count);
        self.lanes.entry(pool.to_owned()).or_default()[lane as usize] += count;
        self.total += count;
    }

    fn of_account(&mut self, user: UserId, count: i64) {
        let own = self.accounts.entry(user).or_insert(0);
        *own += count;
        if *own <= 0 {
            self.accounts.remove(&user);
        }
    }

    /// Whether one more may wait of whom so many wait, and were given so many places here since the rows were counted.
    fn has_room(waiting: i64, given: u64, most: u64, nodes: usize) -> bool {
        let free = most.saturating_sub(u64::try_from(waiting).unwrap_or(0));
        free > 0 && given < part(free.saturating_add(given), nodes)
    }

    fn remove(&mut self, queued: &Queued) {
        self.of_account(queued.user, -1);
        if let Some(lanes) = self.lanes.get_mut(&queued.pool) {
            lanes[queued.lane as usize] = (lanes[queued.lane as usize] - 1).max(0);
        }
        self.total = (self.total - 1).max(0);
    }

    fn note(&mut self, job: JobId, queued: Queued, waits: bool) {
        if self.counting_since.is_some() {
            self.changed.insert(job, (queued, waits));
        }
    }
}

/// What a node gives of the places that are free at a count, where others give some too.
fn part(free: u64, nodes: usize) -> u64 {
    (free / u64::try_from(nodes).unwrap_or(u64::MAX).max(1)).max(free.min(FEW))
}

impl Waiting {
    /// Reserves a place for a job, within the limits of the account and of the installation.
    ///
    /// # Errors
    /// [`Error::RateLimited`] or [`Error::Unavailable`]; nothing was reserved then.
    pub(in crate::jobs) fn reserve(&self, job: JobId, queued: Queued, limits: Limits) -> Result<Reservation> {
        let mut counts = self.counts();
        if !Counts::has_room(counts.total, counts.given_to_all, limits.of_all, limits.nodes) {
            return Err(Error::Unavailable { message: "too many jobs wait".into(), retry_after_seconds: 30 });
        }
        let own = counts.accounts.get(&queued.user).copied().unwrap_or(0);
        let given = counts.given.get(&queued.user).copied().unwrap_or(0);
        if !Counts::has_room(own, given, limits.of_account, limits.nodes) {
            return Err(Error::RateLimited { retry_after_seconds: 30 });
        }
        *counts.given.entry(queued.user).or_default() += 1;
        counts.given_to_all += 1;
        counts.add(&queued.pool, queued.lane, queued.user, 1);
        counts.reserved.insert(job, queued);
        Ok(Reservation { waiting: self.clone(), job })
    }

    /// A job that was taken waits again, as its row says.
    pub(in crate::jobs) fn wait_again(&self, job: JobId, queued: Queued) {
        let mut counts = self.counts();
        counts.add(&queued.pool, queued.lane, queued.user, 1);
        counts.note(job, queued, true);
    }

    /// Another node says how many jobs wait in a lane, as it counts them: at least so many are looked for here too.
    pub(in crate::jobs) fn heard(&self, pool: &str, lane: Lane, count: i64) {
        let mut counts = self.counts();
        let known = &mut counts.lanes.entry(pool.to_owned()).or_default()[lane as usize];
        let more = (count.min(TOLD_MOST) - *known).max(0);
        *known += more;
        counts.total += more;
    }

    /// Gives a place back: the job does not wait any more, as its row says.
    pub(in crate::jobs) fn leave(&self, job: JobId, queued: Queued) {
        let mut counts = self.counts();
        counts.remove(&queued);
        // It may be taken before whoever submitted it has heard that it was accepted.
        counts.reserved.remove(&job);
        counts.note(job, queued, false);
    }

    /// The rows are about to be counted; `false` where that is not worth while yet: a count of very many takes its
    /// time, and is given a twentieth of the database's.
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

    /// The jobs that come and go while the rows are counted.
    pub(in crate::jobs) fn moving(&self) -> HashSet<JobId> {
        let counts = self.counts();
        counts.changed.keys().chain(counts.reserved.keys()).copied().collect()
    }

    /// Takes the counts from the rows, and corrects them by the jobs that came and went meanwhile. A job that went
    /// after the count was asked is one too many in its lane, where the count saw it or not; the next one corrects
    /// that.
    pub(in crate::jobs) fn recount(&self, counted: &Counted) {
        let mut counts = self.counts();
        let Counts { changed, counting_since, reserved, .. } = std::mem::take(&mut *counts);
        let took = counting_since.map_or(Duration::ZERO, |since| since.elapsed());
        counts.counted_until = (took > QUICK_COUNT).then(|| Instant::now() + 19 * took);
        for row in &counted.waiting {
            counts.add(&row.pool, row.lane, row.user, row.count);
        }
        let seen = |job: &JobId| counted.seen.contains(job);
        let waiting = changed.iter().filter(|(_, (_, waits))| *waits).map(|(job, (queued, _))| (job, queued));
        for (_, queued) in waiting.chain(&reserved).filter(|(job, _)| !seen(job)) {
            counts.add(&queued.pool, queued.lane, queued.user, 1);
        }
        for (job, (queued, _)) in changed.iter().filter(|(_, (_, waits))| !waits) {
            if seen(job) {
                counts.remove(queued);
            } else if !counted.asked.contains(job) {
                counts.of_account(queued.user, -1);
            }
        }
        counts.reserved = reserved;
    }

    /// Whether jobs wait in a lane of a pool.
    pub(in crate::jobs) fn waits_in(&self, pool: &str, lane: Lane) -> bool {
        self.counts().lanes.get(pool).is_some_and(|lanes| lanes[lane as usize] > 0)
    }

    /// How many jobs wait in each lane of a pool.
    pub(in crate::jobs) fn counts_in(&self, pool: &str) -> [i64; 3] {
        self.counts().lanes.get(pool).copied().unwrap_or_default()
    }

    /// How many jobs wait in each lane of each pool.
    pub(in crate::jobs) fn by_lane(&self) -> Vec<(String, Lane, i64)> {
        let counts = self.counts();
        let lanes = counts.lanes.iter();
        lanes
            .flat_map(|(pool, counts)| Lane::ALL.into_iter().zip(counts).map(|(lane, n)| (pool.clone(), lane, *n)))
            .collect()
    }

    /// Whether jobs wait for a pool.
    pub(in crate::jobs) fn waits(&self, pool: &str) -> bool {
        self.counts().lanes.get(pool).is_some_and(|lanes| lanes.iter().any(|count| *count > 0))
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reservation {
    /// The job was not accepted.
    pub fn refused(self) {
        let mut counts = self.waiting.counts();
        if let Some(queued) = counts.reserved.remove(&self.job) {
            counts.remove(&queued);
            counts.given_to_all = counts.given_to_all.saturating_sub(1);
            if let Some(given) = counts.given.get_mut(&queued.user) {
                *given = given.saturating_sub(1);
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
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::jobs::store::flight::WaitingRow;

    const LANE: Lane = Lane::Api;

    fn queued(user: UserId) -> Queued {
        Queued::new(user, "cpu", LANE)
    }

    fn reserve(waiting: &Waiting, job: JobId, user: UserId) -> Result<Reservation> {
        waiting.reserve(job, queued(user), Limits { of_account: 2, of_all: 10, nodes: 1 })
    }

    /// So many jobs of somebody.
    fn rows(user: UserId, count: usize) -> Vec<WaitingRow> {
        let count = i64::try_from(count).expect("a few");
        let (pool, needs, oldest) = ("cpu".into(), String::new(), DateTime::UNIX_EPOCH);
        vec![WaitingRow { pool, lane: LANE, user, needs, count, oldest, finish: 0 }]
    }

    /// Counts the rows, which are the jobs of `user` in `jobs`.
    fn recount(waiting: &Waiting, user: UserId, jobs: &[JobId]) {
        let asked = waiting.moving();
        let seen = asked.iter().filter(|job| jobs.contains(job)).copied().collect();
        waiting.recount(&Counted { waiting: rows(user, jobs.len()), taken: Vec::new(), asked, seen });
    }

    fn count(waiting: &Waiting) -> i64 {
        waiting.by_lane().into_iter().filter(|(_, lane, _)| *lane == LANE).map(|(.., count)| count).sum()
    }

    #[test]
    fn a_job_that_came_while_the_rows_were_read_is_counted_once() {
        let ann = UserId::new();
        let (first, second) = (JobId::new(), JobId::new());
        for rows in [[first].as_slice(), &[first, second]] {
            let waiting = Waiting::default();
            reserve(&waiting, first, ann).expect("room");
            waiting.begin_recount();
            reserve(&waiting, second, ann).expect("room");
            recount(&waiting, ann, rows);
            assert_eq!(count(&waiting), 2, "the rows are {rows:?}");
            assert!(matches!(reserve(&waiting, JobId::new(), ann), Err(Error::RateLimited { .. })));
        }
    }

    #[test]
    fn a_job_that_went_while_the_rows_were_read_leaves_its_place_to_the_next() {
        let ann = UserId::new();
        let (first, second) = (JobId::new(), JobId::new());
        for rows in [[].as_slice(), &[first]] {
            let waiting = Waiting::default();
            reserve(&waiting, first, ann).expect("room");
            waiting.begin_recount();
            waiting.leave(first, queued(ann));
            recount(&waiting, ann, rows);
            assert_eq!(count(&waiting), 0, "the rows are {rows:?}");
        }
        // One that went after the count was asked may or may not be in it.
        let waiting = Waiting::default();
        reserve(&waiting, first, ann).expect("room");
        reserve(&waiting, second, ann).expect("room");
        waiting.begin_recount();
        let asked = waiting.moving();
        waiting.leave(first, queued(ann));
        waiting.recount(&Counted { waiting: rows(ann, 2), taken: Vec::new(), seen: asked.clone(), asked });
        assert_eq!(count(&waiting), 2, "nobody would look where too few are counted");
        reserve(&waiting, JobId::new(), ann).expect("the account has a place again");
    }

    #[test]
    fn a_job_that_is_taken_and_comes_back_while_the_rows_were_read_is_counted_once() {
        let ann = UserId::new();
        let job = JobId::new();
        for rows in [[].as_slice(), &[job]] {
            let waiting = Waiting::default();
            let place = reserve(&waiting, job, ann).expect("room");
            waiting.begin_recount();
            // Taken before its submitter has heard of it.
            waiting.leave(job, queued(ann));
            drop(place);
            waiting.wait_again(job, queued(ann));
            recount(&waiting, ann, rows);
            assert_eq!(count(&waiting), 1, "the rows are {rows:?}");
        }
    }

    #[test]
    fn a_job_whose_row_was_still_to_come_when_the_rows_were_read_stays_counted() {
        let (waiting, ann, job) = (Waiting::default(), UserId::new(), JobId::new());
        let place = reserve(&waiting, job, ann).expect("room");
        for rows in [[].as_slice(), &[job]] {
            waiting.begin_recount();
            recount(&waiting, ann, rows);
            assert_eq!(count(&waiting), 1, "nobody would look for it before the next count");
        }
        waiting.begin_recount();
        drop(place);
        recount(&waiting, ann, &[]);
        assert!(waiting.waits_in("cpu", LANE), "its row came while the others were read");
        waiting.begin_recount();
        recount(&waiting, ann, &[]);
        assert!(!waiting.waits("cpu"), "one too many is corrected");
        reserve(&waiting, JobId::new(), ann).expect("room").refused();
        assert!(!waiting.waits("cpu"));
    }

    /// Nodes on the same rows, each with what it knows of them.
    struct Nodes {
        nodes: Vec<Waiting>,
        of_account: u64,
        user: UserId,
        rows: usize,
    }

    impl Nodes {
        fn new(count: usize, of_account: u64) -> Self {
            let nodes = (0..count).map(|_| Waiting::default()).collect();
            Self { nodes, of_account, user: UserId::new(), rows: 0 }
        }

        /// Accepts as many jobs at a node as it takes.
        fn fill(&mut self, node: usize) -> usize {
            let limits = Limits { of_account: self.of_account, of_all: 1_000_000, nodes: self.nodes.len() };
            let reserve = || self.nodes[node].reserve(JobId::new(), queued(self.user), limits).ok().map(drop);
            let given = std::iter::from_fn(reserve).count();
            self.rows += given;
            given
        }

        fn count(&self, node: usize) {
            let waiting = &self.nodes[node];
            waiting.begin_recount();
            let (asked, seen) = (HashSet::new(), HashSet::new());
            waiting.recount(&Counted { waiting: rows(self.user, self.rows), taken: Vec::new(), asked, seen });
        }
    }

    #[test]
    fn nodes_that_count_alike_keep_the_limit_together() {
        let mut nodes = Nodes::new(3, 9000);
        assert_eq!([0, 1, 2].map(|node| nodes.fill(node)), [3000; 3]);
        for node in 0..3 {
            nodes.count(node);
            assert_eq!(nodes.fill(node), 0, "the limit is reached");
        }
        let mut alone = Nodes::new(1, 9000);
        assert_eq!(alone.fill(0), 9000, "who is alone gives all at once");
    }

    #[test]
    fn a_node_that_has_not_counted_for_a_while_never_makes_it_twice_the_limit() {
        for (count, most) in [(2, 9000), (5, 9000), (40, 9000), (3, 500)] {
            let mut nodes = Nodes::new(count, most);
            // One counts again and again, until all places are given; then come the others, who have not.
            while nodes.fill(0) > 0 {
                nodes.count(0);
            }
            assert_eq!(nodes.rows as u64, most, "all places can be had at one node");
            for node in 1..count {
                nodes.fill(node);
            }
            let bound = 2 * most + FEW * count as u64;
            assert!((nodes.rows as u64) < bound, "{} of {most} with {count} nodes", nodes.rows);
            for node in 0..count {
                nodes.count(node);
                assert_eq!(nodes.fill(node), 0, "nobody adds to what is too much");
            }
        }
    }

    #[test]
    fn a_small_limit_is_had_at_once_at_whichever_node_somebody_comes_to() {
        let mut nodes = Nodes::new(3, 20);
        assert_eq!(nodes.fill(1), 20);
        nodes.count(0);
        assert_eq!(nodes.fill(0), 0, "and nowhere again once it was counted");
    }
}
