//! How many jobs wait, as a node knows it; the rows correct it every few seconds. Never too few of the node's own:
//! nobody looks for jobs where none are counted.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Lane;
use crate::ids::UserId;
use crate::{Error, Result};

/// A count that takes no longer is made at every sweep.
const QUICK_COUNT: Duration = Duration::from_millis(50);

/// The counts. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Waiting(Arc<Mutex<Counts>>);

#[derive(Default)]
struct Counts {
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
    waiting: Waiting,
    number: u64,
}

impl Counts {
    fn add(&mut self, pool: &str, lane: Lane, user: UserId, count: i64) {
        *self.accounts.entry(user).or_insert(0) += count;
        self.lanes.entry(pool.to_owned()).or_default()[lane as usize] += count;
        self.total += count;
    }
}

impl Waiting {
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
        let mut counts = self.counts();
        if u64::try_from(counts.total).unwrap_or(0) >= of_all {
            return Err(Error::Unavailable { message: "too many jobs wait".into(), retry_after_seconds: 30 });
        }
        let own = counts.accounts.get(&user).copied().unwrap_or(0);
        if u64::try_from(own).unwrap_or(0) >= of_account {
            return Err(Error::RateLimited { retry_after_seconds: 30 });
        }
        counts.add(pool, lane, user, 1);
        counts.last_number += 1;
        let number = counts.last_number;
        counts.reserved.insert(number, (pool.to_owned(), lane, user));
        Ok(Reservation { waiting: self.clone(), number })
    }

    /// A job that was taken waits again, as its row says.
    pub(super) fn wait_again(&self, user: UserId, pool: &str, lane: Lane) {
        let mut counts = self.counts();
        counts.add(pool, lane, user, 1);
        if counts.counting_since.is_some() {
            counts.added.push((pool.to_owned(), lane, user));
        }
    }

    /// Another node says how many jobs wait in a lane, as it counts them: at least so many are looked for here too.
    pub(super) fn heard(&self, pool: &str, lane: Lane, count: i64) {
        let mut counts = self.counts();
        let known = &mut counts.lanes.entry(pool.to_owned()).or_default()[lane as usize];
        let more = (count - *known).max(0);
        *known += more;
        counts.total += more;
    }

    /// Gives a place back: the job does not wait any more.
    pub(super) fn leave(&self, user: UserId, pool: &str, lane: Lane) {
        let mut counts = self.counts();
        if let Some(own) = counts.accounts.get_mut(&user) {
            *own -= 1;
            if *own <= 0 {
                counts.accounts.remove(&user);
            }
        }
        if let Some(lanes) = counts.lanes.get_mut(pool) {
            lanes[lane as usize] = (lanes[lane as usize] - 1).max(0);
        }
        counts.total = (counts.total - 1).max(0);
    }

    /// The rows are about to be counted; `false` where that is not worth while yet: a count of very many takes its
    /// time, and is given a twentieth of the database's.
    pub(super) fn begin_recount(&self) -> bool {
        let mut counts = self.counts();
        let now = Instant::now();
        if counts.counted_until.is_some_and(|until| now < until) {
            return false;
        }
        counts.counting_since = Some(now);
        counts.added.clear();
        true
    }

    /// Takes the counts from the rows, and adds those whose rows came meanwhile or are still to come. Where the count
    /// has seen such a row it is one too many, which the next count corrects.
    pub(super) fn recount<'a>(&self, rows: impl IntoIterator<Item = (&'a str, Lane, UserId, i64)>) {
        let mut counts = self.counts();
        let Counts { added, counting_since, reserved, last_number, .. } = std::mem::take(&mut *counts);
        let took = counting_since.map_or(Duration::ZERO, |since| since.elapsed());
        counts.counted_until = (took > QUICK_COUNT).then(|| Instant::now() + 19 * took);
        for (pool, lane, user, count) in rows {
            counts.add(pool, lane, user, count);
        }
        for (pool, lane, user) in added.iter().chain(reserved.values()) {
            counts.add(pool, *lane, *user, 1);
        }
        counts.reserved = reserved;
        counts.last_number = last_number;
    }

    /// Whether jobs wait in a lane of a pool.
    pub(super) fn waits_in(&self, pool: &str, lane: Lane) -> bool {
        self.counts().lanes.get(pool).is_some_and(|lanes| lanes[lane as usize] > 0)
    }

    /// How many jobs wait in each lane of each pool.
    pub(super) fn by_lane(&self) -> Vec<(String, Lane, i64)> {
        let counts = self.counts();
        let lanes = counts.lanes.iter();
        lanes
            .flat_map(|(pool, counts)| Lane::ALL.into_iter().zip(counts).map(|(lane, n)| (pool.clone(), lane, *n)))
            .collect()
    }

    /// Whether jobs wait for a pool.
    pub(super) fn waits(&self, pool: &str) -> bool {
        self.counts().lanes.get(pool).is_some_and(|lanes| lanes.iter().any(|count| *count > 0))
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reservation {
    /// The job was not accepted.
    pub fn refused(self) {
        let reserved = self.waiting.counts().reserved.remove(&self.number);
        if let Some((pool, lane, user)) = reserved {
            self.waiting.leave(user, &pool, lane);
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut counts = self.waiting.counts();
        if let Some(place) = counts.reserved.remove(&self.number)
            && counts.counting_since.is_some()
        {
            counts.added.push(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_came_while_the_rows_were_read_stays_counted() {
        let waiting = Waiting::default();
        let (ann, bob) = (UserId::new(), UserId::new());
        let reserve = |user| waiting.reserve(user, "cpu", Lane::Api, 2, 10);
        reserve(ann).expect("room");
        waiting.begin_recount();
        reserve(ann).expect("room");
        // The rows know the first job, and three of another node's.
        waiting.recount([("cpu", Lane::Api, ann, 1), ("cpu", Lane::Api, bob, 3)]);
        assert!(matches!(reserve(ann), Err(Error::RateLimited { .. })), "one of two jobs was forgotten");
        let count_in = |lane| waiting.by_lane().into_iter().find(|(_, other, _)| *other == lane);
        assert_eq!(count_in(Lane::Api), Some(("cpu".to_owned(), Lane::Api, 5)));
    }

    #[test]
    fn a_job_whose_row_was_still_to_come_when_the_rows_were_read_stays_counted() {
        let waiting = Waiting::default();
        let place = waiting.reserve(UserId::new(), "cpu", Lane::Interactive, 2, 10).expect("room");
        waiting.begin_recount();
        waiting.recount([]);
        assert!(waiting.waits_in("cpu", Lane::Interactive), "nobody would look for it before the next count");
        waiting.begin_recount();
        drop(place);
        waiting.recount([]);
        assert!(waiting.waits_in("cpu", Lane::Interactive), "its row came while the others were read");
        waiting.begin_recount();
        waiting.recount([]);
        assert!(!waiting.waits("cpu"), "one too many is corrected");
        waiting.reserve(UserId::new(), "cpu", Lane::Interactive, 2, 10).expect("room").refused();
        assert!(!waiting.waits("cpu"));
    }
}
