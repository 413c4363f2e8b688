//! Start-time fair queuing: when a job is accepted it gets a virtual start time, and the queue is served in that order.
//!
//! `start = max(clock of the lane, last finish of the account in the lane)`, `finish = start + estimate / weight`.
//! The lane's clock is the start of the job that was taken last. So an account with a hundred thousand jobs queues
//! behind itself, and somebody who comes now starts beside its next job.
//!
//! Where nothing waits any more, the clock goes on to the last finish (Goyal, Vin and Cheng: the end of a busy period):
//! who had a job while nobody else wanted the workers took nothing from anybody, and goes after nobody for it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::ids::UserId;
use crate::jobs::status::Lane;

/// The tags of one node. Other nodes' submits are learned from the rows, every few seconds.
#[derive(Default)]
pub(in crate::jobs) struct Tags(Mutex<Clocks>);

#[derive(Default)]
struct Clocks {
    /// By pool, then by lane.
    pools: HashMap<String, [LaneClock; 3]>,
}

#[derive(Default)]
struct LaneClock {
    /// The start of the job that was taken last.
    now: i64,
    /// The last finish of each account.
    finishes: HashMap<UserId, i64>,
}

impl Clocks {
    fn of(&mut self, pool: &str, lane: Lane) -> &mut LaneClock {
        &mut self.pools.entry(pool.to_owned()).or_default()[lane as usize]
    }
}

impl Tags {
    /// The virtual start time of a job accepted now. `estimate_ms` is what it is expected to run.
    pub fn next(&self, pool: &str, lane: Lane, account: UserId, estimate_ms: i64, weight: u32) -> i64 {
        let mut clocks = self.lock();
        let clock = clocks.of(pool, lane);
        let last = clock.finishes.entry(account).or_insert(0);
        let start = clock.now.max(*last);
        *last = start + (estimate_ms / i64::from(weight.max(1))).max(1);
        start
    }

    /// A job with this start time was taken.
    pub fn taken(&self, pool: &str, lane: Lane, start: i64) {
        let mut clocks = self.lock();
        let clock = clocks.of(pool, lane);
        clock.now = start.max(clock.now);
    }

    /// The last job of a lane was taken: whoever comes next starts beside everybody else.
    pub fn ran_dry(&self, pool: &str, lane: Lane) {
        let mut clocks = self.lock();
        let clock = clocks.of(pool, lane);
        clock.now = clock.finishes.drain().map(|(_, finish)| finish).fold(clock.now, i64::max);
    }

    /// Learns from the rows: the latest finish of each account that waits.
    pub fn learn<'a>(&self, waiting: impl IntoIterator<Item = (&'a str, Lane, UserId, i64)>) {
        let mut clocks = self.lock();
        for (pool, lane, account, finish) in waiting {
            let last = clocks.of(pool, lane).finishes.entry(account).or_insert(0);
            *last = finish.max(*last);
        }
        for clock in clocks.pools.values_mut().flatten() {
            // An account whose last finish lies behind the clock would start at the clock anyway.
            clock.finishes.retain(|_, finish| *finish > clock.now);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Clocks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newcomer_starts_beside_the_next_job_of_an_account_with_many() {
        let tags = Tags::default();
        let (many, newcomer) = (UserId::new(), UserId::new());
        let starts: Vec<i64> = (0..1000).map(|_| tags.next("cpu", Lane::Api, many, 1000, 1)).collect();
        tags.taken("cpu", Lane::Api, starts[0]);
        let start = tags.next("cpu", Lane::Api, newcomer, 1000, 1);
        assert!(start <= starts[1], "the newcomer must not wait for more than the job that runs");
    }

    #[test]
    fn an_account_with_twice_the_weight_gets_twice_the_jobs() {
        let tags = Tags::default();
        let (heavy, light) = (UserId::new(), UserId::new());
        let mut queue: Vec<(i64, UserId)> = Vec::new();
        for _ in 0..300 {
            queue.push((tags.next("cpu", Lane::Api, heavy, 1000, 2), heavy));
            queue.push((tags.next("cpu", Lane::Api, light, 1000, 1), light));
        }
        queue.sort_by_key(|(start, _)| *start);
        let first = queue.iter().take(150).filter(|(_, account)| *account == heavy).count();
        assert!((95..=105).contains(&first), "{first} of the first 150 jobs were the heavy account's");
    }

    #[test]
    fn an_account_that_waited_for_nothing_gains_nothing_from_it() {
        let tags = Tags::default();
        let (busy, idle) = (UserId::new(), UserId::new());
        let last = (0..100).map(|_| tags.next("cpu", Lane::Api, busy, 1000, 1)).last().expect("100 jobs");
        tags.taken("cpu", Lane::Api, last);
        assert_eq!(tags.next("cpu", Lane::Api, idle, 1000, 1), last, "idleness is not saved up");
    }

    #[test]
    fn what_an_account_ran_while_nobody_waited_is_not_held_against_it() {
        let tags = Tags::default();
        let (often, seldom) = (UserId::new(), UserId::new());
        for _ in 0..10 {
            let start = tags.next("cpu", Lane::Interactive, often, 1000, 1);
            tags.taken("cpu", Lane::Interactive, start);
            tags.ran_dry("cpu", Lane::Interactive);
        }
        let first = tags.next("cpu", Lane::Interactive, often, 1000, 1);
        let then = tags.next("cpu", Lane::Interactive, seldom, 1000, 1);
        assert!(first <= then, "who came first goes first: {first} and {then}");
        assert!(tags.next("cpu", Lane::Interactive, often, 1000, 1) > then, "a second one of theirs waits its turn");
    }
}
