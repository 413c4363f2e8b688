//! How often somebody may do something: a bucket (GCRA) that is full at first, gives one at a time, and fills steadily.
//!
//! All that is kept of a bucket is when it will be full again. What comes of taking one is decided here alone
//! ([`Bucket::take`]), whoever keeps it: a node for itself, or Redis for all nodes.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use deadpool_redis::redis::Script;

/// Buckets at which those that are full again are cleared away for the first time.
const CLEAR_AT: usize = 4096;
/// Microseconds of a minute.
const MINUTE: u64 = 60_000_000;

/// How many a bucket gives at once, and how soon it gives one more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bucket {
    /// Microseconds.
    every: u64,
    burst: u32,
}

/// One was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// How many the bucket holds.
    pub burst: u32,
    pub remaining: u32,
    pub full_in: Duration,
}

/// There is none to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Empty {
    /// How many the bucket holds.
    pub burst: u32,
    pub next_in: Duration,
}

impl Bucket {
    /// So many in a minute, and this many of them at once; at least one of each.
    #[must_use]
    pub fn per_minute(rate: u32, burst: u32) -> Self {
        Self { every: (MINUTE / u64::from(rate.max(1))).max(1), burst: burst.max(1) }
    }

    /// What one of several nodes gives that cannot count together.
    #[must_use]
    pub(super) fn share(self, nodes: u32) -> Self {
        let nodes = nodes.max(1);
        Self { every: self.every.saturating_mul(u64::from(nodes)), burst: (self.burst / nodes).max(1) }
    }

    /// Microseconds between two, and how many at once.
    pub(super) fn parts(self) -> (u64, u32) {
        (self.every, self.burst)
    }

    /// Takes one of a bucket that would be full in so many microseconds: in how many it is full now. Otherwise, in how
    /// many there will be one.
    pub(super) fn take(self, full_in: u64) -> Result<u64, u64> {
        // Where the clock was set back, it looks emptier than it can be.
        let full_in = full_in.min(self.every.saturating_mul(u64::from(self.burst)));
        match full_in.checked_sub(self.all_but_one()) {
            None | Some(0) => Ok(full_in + self.every),
            Some(wait) => Err(wait),
        }
    }

    /// What is said of a bucket after [`Bucket::take`].
    pub(super) fn told(self, taken: Result<u64, u64>) -> Result<Left, Empty> {
        let burst = self.burst;
        match taken {
            Ok(full_in) => {
                let missing = u32::try_from(full_in.div_ceil(self.every)).unwrap_or(u32::MAX);
                let remaining = burst.saturating_sub(missing);
                Ok(Left { burst, remaining, full_in: Duration::from_micros(full_in) })
            }
            Err(wait) => Err(Empty { burst, next_in: Duration::from_micros(wait) }),
        }
    }

    fn all_but_one(self) -> u64 {
        self.every.saturating_mul(u64::from(self.burst - 1))
    }
}

/// [`Bucket::take`] in Redis' time. It answers in how many microseconds the bucket was full before, so that what came of
/// it is told by the same function.
///
/// `KEYS[1]`: when the bucket is full. `ARGV`: microseconds between two, and how many at once.
pub(super) fn take_script() -> Script {
    Script::new(
        "local time = redis.call('TIME')
         local now = time[1] * 1000000 + time[2]
         local every, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
         local full_in = tonumber(redis.call('GET', KEYS[1]) or now) - now
         full_in = math.min(math.max(full_in, 0), every * burst)
         if full_in <= every * (burst - 1) then
           local after = full_in + every
           redis.call('SET', KEYS[1], string.format('%.0f', now + after), 'PX', math.ceil(after / 1000))
         end
         return full_in",
    )
}

/// The buckets of one node. A bucket that is full is not kept.
#[derive(Debug)]
pub(super) struct Buckets {
    kept: Mutex<Kept>,
    /// What the times of the buckets are counted from.
    began: Instant,
}

#[derive(Debug)]
struct Kept {
    /// When each is full, in microseconds.
    full_at: HashMap<String, u64>,
    clear_at: usize,
}

impl Buckets {
    pub fn new() -> Self {
        let kept = Kept { full_at: HashMap::new(), clear_at: CLEAR_AT };
        Self { kept: Mutex::new(kept), began: Instant::now() }
    }

    /// Takes one.
    pub fn take(&self, key: &str, bucket: Bucket) -> Result<Left, Empty> {
        let (mut kept, now) = (self.kept(), self.now());
        let taken = bucket.take(kept.full_in(key, now));
        if let Ok(full_in) = taken {
            kept.put(key, now + full_in, now);
        }
        bucket.told(taken)
    }

    /// Whether there is none to take, as far as is known here. Takes none.
    pub fn look(&self, key: &str, bucket: Bucket) -> Result<(), Empty> {
        let full_in = self.kept().full_in(key, self.now());
        bucket.told(bucket.take(full_in)).map(drop)
    }

    /// Somebody else who keeps this bucket says that it is full in so many microseconds, or later.
    pub fn learn(&self, key: &str, full_in: u64) {
        let (mut kept, now) = (self.kept(), self.now());
        if full_in > kept.full_in(key, now) {
            kept.put(key, now + full_in, now);
        }
    }

    /// Forgets those that are full.
    pub fn sweep(&self) {
        let now = self.now();
        self.kept().clear(now);
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn full_in(&self, key: &str, now: u64) -> u64 {
        self.full_at.get(key).map_or(0, |full_at| full_at.saturating_sub(now))
    }

    fn put(&mut self, key: &str, full_at: u64, now: u64) {
        if let Some(known) = self.full_at.get_mut(key) {
            *known = full_at;
            return;
        }
        if self.full_at.len() >= self.clear_at {
            self.clear(now);
        }
        self.full_at.insert(key.to_owned(), full_at);
    }

    fn clear(&mut self, now: u64) {
        self.full_at.retain(|_, full_at| *full_at > now);
        // What is left may double before it is looked through again, so that clearing costs little on the whole.
        self.clear_at = (self.full_at.len() * 2).max(CLEAR_AT);
        self.full_at.shrink_to(self.clear_at);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Asks for one at each of these times, in microseconds; tells which were given.
    fn given(bucket: Bucket, times: &[u64]) -> Vec<u64> {
        let mut full_at: u64 = 0;
        let mut given = Vec::new();
        for now in times {
            if let Ok(full_in) = bucket.take(full_at.saturating_sub(*now)) {
                full_at = now + full_in;
                given.push(*now);
            }
        }
        given
    }

    proptest! {
        #[test]
        fn no_window_gives_more_than_its_burst_and_its_rate(
            every in 1_u64..5_000, burst in 1_u32..20, pauses in prop::collection::vec(0_u64..9_000, 1..200),
        ) {
            let bucket = Bucket { every, burst };
            let times: Vec<u64> =
                pauses.iter().scan(0, |now, pause| { *now += pause; Some(*now) }).collect();
            let given = given(bucket, &times);
            for (first, from) in given.iter().enumerate() {
                for (last, until) in given.iter().enumerate().skip(first) {
                    let most = u64::from(burst) + (until - from) / every;
                    prop_assert!((last - first + 1) as u64 <= most, "{first} to {last} of {given:?}");
                }
            }
        }

        #[test]
        fn it_gives_as_soon_as_it_said_and_no_sooner(
            every in 1_u64..5_000, burst in 1_u32..20, full_in in 0_u64..200_000,
        ) {
            let bucket = Bucket { every, burst };
            let full_in = full_in.min(every * u64::from(burst));
            if let Err(wait) = bucket.take(full_in) {
                prop_assert!(bucket.take(full_in - wait).is_ok());
                prop_assert!(bucket.take(full_in - wait + 1).is_err());
            }
        }
    }

    #[test]
    fn a_full_one_gives_its_burst_and_then_one_at_a_time() {
        let bucket = Bucket::per_minute(60, 10);
        let mut full_in = 0;
        for left in (0..10).rev() {
            let taken = bucket.take(full_in);
            assert_eq!(bucket.told(taken).expect("within the burst").remaining, left);
            full_in = taken.expect("within the burst");
        }
        let empty = bucket.told(bucket.take(full_in)).expect_err("it is empty");
        assert_eq!(empty, Empty { burst: 10, next_in: Duration::from_secs(1) });
        assert!(bucket.take(full_in - 1_000_000).is_ok(), "a second later there is one");
    }

    #[test]
    fn a_clock_that_was_set_back_keeps_nobody_waiting_for_longer_than_an_empty_bucket() {
        let bucket = Bucket::per_minute(60, 10);
        assert_eq!(bucket.take(3_600_000_000), Err(1_000_000));
    }

    #[test]
    fn nodes_that_cannot_count_together_give_no_more_than_one_would() {
        let bucket = Bucket::per_minute(600, 100);
        assert_eq!(bucket.share(3), Bucket { every: 300_000, burst: 33 });
        assert_eq!(bucket.share(1), bucket);
        assert_eq!(Bucket::per_minute(600, 2).share(3).burst, 1, "nobody is shut out wholly");
    }

    #[test]
    fn what_somebody_else_has_given_counts_here_too() {
        let (buckets, bucket) = (Buckets::new(), Bucket::per_minute(1, 3));
        assert!(buckets.look("k", bucket).is_ok());
        buckets.learn("k", 3 * MINUTE);
        buckets.learn("k", MINUTE);
        assert!(buckets.look("k", bucket).is_err(), "the latest word does not make it fuller");
        assert!(buckets.take("k", bucket).is_err());
        assert!(buckets.take("other", bucket).is_ok(), "one never empties the bucket of another");
    }

    #[test]
    fn buckets_that_are_full_again_are_not_kept() {
        let (buckets, bucket) = (Buckets::new(), Bucket::per_minute(u32::MAX, 1));
        for number in 0..20_000 {
            assert!(buckets.take(&number.to_string(), bucket).is_ok());
        }
        assert!(buckets.kept().full_at.len() < 6000, "{} are kept", buckets.kept().full_at.len());
        while buckets.look("19999", bucket).is_err() {}
        buckets.sweep();
        assert!(buckets.kept().full_at.is_empty());
    }
}
