//! Rate limits: a token bucket (GCRA) that starts full and refills steadily.
//!
//! The only state of a bucket is the time at which it will be full. [`Bucket::take`] decides alone, whether the state
//! is kept by a node or in Redis.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use deadpool_redis::redis::Script;

/// Number of buckets at which full ones are removed for the first time.
const CLEAR_AT: usize = 4096;
const MINUTE: u64 = 60_000_000;

/// The capacity of a bucket, and its refill interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bucket {
    /// Microseconds per token.
    every: u64,
    burst: u32,
}

/// A token was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BucketState {
    /// The capacity.
    pub burst: u32,
    pub remaining: u32,
    pub full_in: Duration,
}

/// The bucket is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BucketEmpty {
    /// The capacity.
    pub burst: u32,
    pub next_in: Duration,
}

impl Bucket {
    /// A bucket with this rate per minute and this capacity, each at least 1.
    #[must_use]
    pub fn per_minute(rate: u32, burst: u32) -> Self {
        Self { every: (MINUTE / u64::from(rate.max(1))).max(1), burst: burst.max(1) }
    }

    /// The share of one node, if nodes cannot share the bucket.
    #[must_use]
    pub(super) fn share(self, nodes: u32) -> Self {
        let nodes = nodes.max(1);
        Self { every: self.every.saturating_mul(u64::from(nodes)), burst: (self.burst / nodes).max(1) }
    }

    /// Microseconds per token, and the capacity.
    pub(super) fn parts(self) -> (u64, u32) {
        (self.every, self.burst)
    }

    /// Takes a token from a bucket that is full in `full_in` microseconds. Returns the new time until it is full, or
    /// the time until the next token.
    pub(super) fn take(self, full_in: u64) -> Result<u64, u64> {
        // After the clock was set back, the value may exceed the maximum.
        let full_in = full_in.min(self.every.saturating_mul(u64::from(self.burst)));
        match full_in.checked_sub(self.all_but_one()) {
            None | Some(0) => Ok(full_in + self.every),
            Some(wait) => Err(wait),
        }
    }

    /// The result of [`Bucket::take`] for callers.
    pub(super) fn outcome(self, taken: Result<u64, u64>) -> Result<BucketState, BucketEmpty> {
        let burst = self.burst;
        match taken {
            Ok(full_in) => {
                let missing = u32::try_from(full_in.div_ceil(self.every)).unwrap_or(u32::MAX);
                let remaining = burst.saturating_sub(missing);
                Ok(BucketState { burst, remaining, full_in: Duration::from_micros(full_in) })
            }
            Err(wait) => Err(BucketEmpty { burst, next_in: Duration::from_micros(wait) }),
        }
    }

    fn all_but_one(self) -> u64 {
        self.every.saturating_mul(u64::from(self.burst - 1))
    }
}

/// [`Bucket::take`] in Redis, by Redis' clock. Returns the microseconds until the bucket was full before, from which
/// the same function derives the result.
///
/// `KEYS[1]`: when the bucket is full. `ARGV`: microseconds per token, and the capacity.
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

/// The buckets of one node. Full buckets are not stored.
#[derive(Debug)]
pub(super) struct Buckets {
    kept: Mutex<BucketMap>,
    /// The origin of the buckets' times.
    began: Instant,
}

#[derive(Debug)]
struct BucketMap {
    /// When each bucket is full, in microseconds.
    full_at: HashMap<String, u64>,
    clear_at: usize,
}

impl Buckets {
    pub fn new() -> Self {
        let kept = BucketMap { full_at: HashMap::new(), clear_at: CLEAR_AT };
        Self { kept: Mutex::new(kept), began: Instant::now() }
    }

    pub fn take(&self, key: &str, bucket: Bucket) -> Result<BucketState, BucketEmpty> {
        let (mut kept, now) = (self.kept(), self.now());
        let taken = bucket.take(kept.full_in(key, now));
        if let Ok(full_in) = taken {
            kept.put(key, now + full_in, now);
        }
        bucket.outcome(taken)
    }

    /// Whether the bucket is known to be empty; takes nothing.
    pub fn check(&self, key: &str, bucket: Bucket) -> Result<(), BucketEmpty> {
        let full_in = self.kept().full_in(key, self.now());
        bucket.outcome(bucket.take(full_in)).map(drop)
    }

    /// Records that another node knows the bucket to be full only after this many microseconds.
    pub fn observe(&self, key: &str, full_in: u64) {
        let (mut kept, now) = (self.kept(), self.now());
        if full_in > kept.full_in(key, now) {
            kept.put(key, now + full_in, now);
        }
    }

    pub fn sweep(&self) {
        let now = self.now();
        self.kept().clear(now);
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn kept(&self) -> MutexGuard<'_, BucketMap> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BucketMap {
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
        // The rest may double before the next cleanup, which bounds its cost.
        self.clear_at = (self.full_at.len() * 2).max(CLEAR_AT);
        self.full_at.shrink_to(self.clear_at);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The times, in microseconds, at which a token was given.
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
        fn no_window_exceeds_burst_and_rate(
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
        fn token_is_available_exactly_after_the_reported_wait(
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
    fn full_bucket_gives_its_burst_and_then_single_tokens() {
        let bucket = Bucket::per_minute(60, 10);
        let mut full_in = 0;
        for left in (0..10).rev() {
            let taken = bucket.take(full_in);
            assert_eq!(bucket.outcome(taken).expect("within the burst").remaining, left);
            full_in = taken.expect("within the burst");
        }
        let empty = bucket.outcome(bucket.take(full_in)).expect_err("it is empty");
        assert_eq!(empty, BucketEmpty { burst: 10, next_in: Duration::from_secs(1) });
        assert!(bucket.take(full_in - 1_000_000).is_ok(), "a second later there is one");
    }

    #[test]
    fn clock_set_back_delays_no_longer_than_an_empty_bucket() {
        let bucket = Bucket::per_minute(60, 10);
        assert_eq!(bucket.take(3_600_000_000), Err(1_000_000));
    }

    #[test]
    fn shares_of_nodes_do_not_exceed_the_limit() {
        let bucket = Bucket::per_minute(600, 100);
        assert_eq!(bucket.share(3), Bucket { every: 300_000, burst: 33 });
        assert_eq!(bucket.share(1), bucket);
        assert_eq!(Bucket::per_minute(600, 2).share(3).burst, 1, "each node gives at least one");
    }

    #[test]
    fn observed_state_of_another_node_counts() {
        let (buckets, bucket) = (Buckets::new(), Bucket::per_minute(1, 3));
        assert!(buckets.check("k", bucket).is_ok());
        buckets.observe("k", 3 * MINUTE);
        buckets.observe("k", MINUTE);
        assert!(buckets.check("k", bucket).is_err(), "a later observation must not refill it");
        assert!(buckets.take("k", bucket).is_err());
        assert!(buckets.take("other", bucket).is_ok(), "one never empties the bucket of another");
    }

    #[test]
    fn full_buckets_are_not_stored() {
        let (buckets, bucket) = (Buckets::new(), Bucket::per_minute(u32::MAX, 1));
        for number in 0..20_000 {
            assert!(buckets.take(&number.to_string(), bucket).is_ok());
        }
        assert!(buckets.kept().full_at.len() < 6000, "{} are kept", buckets.kept().full_at.len());
        while buckets.check("19999", bucket).is_err() {}
        buckets.sweep();
        assert!(buckets.kept().full_at.is_empty());
    }
}
