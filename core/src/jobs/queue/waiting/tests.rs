use chrono::DateTime;

use super::*;
use crate::jobs::store::flight::WaitingRow;

const LANE: Lane = Lane::Api;

fn queued(user: UserId) -> QueuedJob {
    QueuedJob::new(user, "cpu", LANE)
}

fn reserve(waiting: &WaitingCounts, job: JobId, user: UserId) -> Result<Reservation> {
    waiting.reserve(job, queued(user), WaitingLimits { of_account: 2, of_all: 10, nodes: 1 })
}

fn rows(user: UserId, count: usize) -> Vec<WaitingRow> {
    let count = i64::try_from(count).expect("a few");
    let (pool, needs, oldest) = ("cpu".into(), String::new(), DateTime::UNIX_EPOCH);
    vec![WaitingRow { pool, lane: LANE, user, needs, count, oldest, finish: 0, flow_end: 0 }]
}

/// Counts rows that hold `jobs` of `user`.
fn recount(waiting: &WaitingCounts, user: UserId, jobs: &[JobId]) {
    let changed = waiting.changed();
    let seen = changed.iter().filter(|job| jobs.contains(job)).map(|job| (*job, LANE)).collect();
    waiting.recount(&QueueCount { waiting: rows(user, jobs.len()), claimed: Vec::new(), changed, seen });
}

fn count(waiting: &WaitingCounts) -> i64 {
    waiting.by_lane().into_iter().filter(|(_, lane, _)| *lane == LANE).map(|(.., count)| count).sum()
}

#[test]
fn job_that_arrives_during_a_count_is_counted_once() {
    let ann = UserId::new();
    let (first, second) = (JobId::new(), JobId::new());
    for rows in [[first].as_slice(), &[first, second]] {
        let waiting = WaitingCounts::default();
        reserve(&waiting, first, ann).expect("room");
        waiting.begin_recount();
        reserve(&waiting, second, ann).expect("room");
        recount(&waiting, ann, rows);
        assert_eq!(count(&waiting), 2, "the rows are {rows:?}");
        assert!(matches!(reserve(&waiting, JobId::new(), ann), Err(Error::RateLimited { .. })));
    }
}

#[test]
fn job_that_leaves_during_a_count_frees_its_place() {
    let ann = UserId::new();
    let (first, second) = (JobId::new(), JobId::new());
    for rows in [[].as_slice(), &[first]] {
        let waiting = WaitingCounts::default();
        reserve(&waiting, first, ann).expect("room");
        waiting.begin_recount();
        waiting.leave(first, queued(ann));
        recount(&waiting, ann, rows);
        assert_eq!(count(&waiting), 0, "the rows are {rows:?}");
    }
    // The count may or may not contain a job that leaves after the query for changed jobs.
    let waiting = WaitingCounts::default();
    reserve(&waiting, first, ann).expect("room");
    reserve(&waiting, second, ann).expect("room");
    waiting.begin_recount();
    let changed = waiting.changed();
    waiting.leave(first, queued(ann));
    let seen = changed.iter().map(|job| (*job, LANE)).collect();
    waiting.recount(&QueueCount { waiting: rows(ann, 2), claimed: Vec::new(), seen, changed });
    assert_eq!(count(&waiting), 2, "a lane with too low a count is not claimed from");
    reserve(&waiting, JobId::new(), ann).expect("the account has a place again");
}

#[test]
fn job_that_is_claimed_and_put_back_during_a_count_is_counted_once() {
    let ann = UserId::new();
    let job = JobId::new();
    for rows in [[].as_slice(), &[job]] {
        let waiting = WaitingCounts::default();
        let place = reserve(&waiting, job, ann).expect("room");
        waiting.begin_recount();
        // Claimed before the submit has returned.
        waiting.leave(job, queued(ann));
        drop(place);
        waiting.put_back(job, queued(ann));
        recount(&waiting, ann, rows);
        assert_eq!(count(&waiting), 1, "the rows are {rows:?}");
    }
}

#[test]
fn job_that_is_promoted_during_a_count_is_counted_in_its_new_lane_and_once_for_its_account() {
    let ann = UserId::new();
    let job = JobId::new();
    let flex = || QueuedJob::new(ann, "cpu", Lane::Flex);
    let limits = WaitingLimits { of_account: 2, of_all: 10, nodes: 1 };
    for seen_in in [Lane::Flex, LANE] {
        let waiting = WaitingCounts::default();
        drop(waiting.reserve(job, flex(), limits).expect("room"));
        waiting.begin_recount();
        waiting.promote(job, flex(), LANE);
        let changed = waiting.changed();
        let rows = rows(ann, 1).into_iter().map(|row| WaitingRow { lane: seen_in, ..row }).collect();
        let seen = HashMap::from([(job, seen_in)]);
        waiting.recount(&QueueCount { waiting: rows, claimed: Vec::new(), changed, seen });
        assert!(waiting.waits_in("cpu", LANE), "its lane is not claimed from; the rows have it in {seen_in:?}");
        reserve(&waiting, JobId::new(), ann).expect("one more place of the account");
        assert!(reserve(&waiting, JobId::new(), ann).is_err(), "the account has two jobs");
    }
}

#[test]
fn job_without_a_committed_row_stays_counted() {
    let (waiting, ann, job) = (WaitingCounts::default(), UserId::new(), JobId::new());
    let place = reserve(&waiting, job, ann).expect("room");
    for rows in [[].as_slice(), &[job]] {
        waiting.begin_recount();
        recount(&waiting, ann, rows);
        assert_eq!(count(&waiting), 1, "it would not be claimed before the next count");
    }
    waiting.begin_recount();
    drop(place);
    recount(&waiting, ann, &[]);
    assert!(waiting.waits_in("cpu", LANE), "its row was committed during the count");
    waiting.begin_recount();
    recount(&waiting, ann, &[]);
    assert!(!waiting.waits("cpu"), "one too many is corrected");
    reserve(&waiting, JobId::new(), ann).expect("room").refused();
    assert!(!waiting.waits("cpu"));
}

/// Nodes with the same rows, each with its own counts.
struct Nodes {
    nodes: Vec<WaitingCounts>,
    of_account: u64,
    user: UserId,
    rows: usize,
}

impl Nodes {
    fn new(count: usize, of_account: u64) -> Self {
        let nodes = (0..count).map(|_| WaitingCounts::default()).collect();
        Self { nodes, of_account, user: UserId::new(), rows: 0 }
    }

    /// Reserves all places that a node gives; returns their number.
    fn fill(&mut self, node: usize) -> usize {
        let limits = WaitingLimits { of_account: self.of_account, of_all: 1_000_000, nodes: self.nodes.len() };
        let reserve = || self.nodes[node].reserve(JobId::new(), queued(self.user), limits).ok().map(drop);
        let granted = std::iter::from_fn(reserve).count();
        self.rows += granted;
        granted
    }

    fn count(&self, node: usize) {
        let waiting = &self.nodes[node];
        waiting.begin_recount();
        let (changed, seen) = (HashSet::new(), HashMap::new());
        waiting.recount(&QueueCount { waiting: rows(self.user, self.rows), claimed: Vec::new(), changed, seen });
    }
}

#[test]
fn nodes_with_equal_counts_keep_the_limit_together() {
    let mut nodes = Nodes::new(3, 9000);
    assert_eq!([0, 1, 2].map(|node| nodes.fill(node)), [3000; 3]);
    for node in 0..3 {
        nodes.count(node);
        assert_eq!(nodes.fill(node), 0, "the limit is reached");
    }
    let mut alone = Nodes::new(1, 9000);
    assert_eq!(alone.fill(0), 9000, "a single node gives all places at once");
}

#[test]
fn node_with_an_old_count_never_exceeds_twice_the_limit() {
    for (count, most) in [(2, 9000), (5, 9000), (40, 9000), (3, 500)] {
        let mut nodes = Nodes::new(count, most);
        // The first node counts until all places are given. The others have never counted.
        while nodes.fill(0) > 0 {
            nodes.count(0);
        }
        assert_eq!(nodes.rows as u64, most, "all places can be had at one node");
        for node in 1..count {
            nodes.fill(node);
        }
        let bound = 2 * most + MIN_PART * count as u64;
        assert!((nodes.rows as u64) < bound, "{} of {most} with {count} nodes", nodes.rows);
        for node in 0..count {
            nodes.count(node);
            assert_eq!(nodes.fill(node), 0, "no node adds to an exceeded limit");
        }
    }
}

#[test]
fn one_node_gives_all_of_a_small_limit() {
    let mut nodes = Nodes::new(3, 20);
    assert_eq!(nodes.fill(1), 20);
    nodes.count(0);
    assert_eq!(nodes.fill(0), 0, "and nowhere again once it was counted");
}
