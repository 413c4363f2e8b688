//! How many requests the programs of one account, its people in browsers, and one address may make.
//!
//! Each has a bucket (GCRA): the rate of the settings, in bursts of a sixth of it. A caller is counted once, in
//! the narrowest bucket that applies, and an unauthenticated one by address. All keys of an account share one bucket: a
//! second key is no second allowance.

use std::net::IpAddr;
use std::num::NonZeroU32;

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use governor::clock::{Clock as _, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use verdigraph_core::ids::UserId;

type Buckets<K> = RateLimiter<K, DashMapStateStore<K>, DefaultClock, StateInformationMiddleware>;

/// Requests a minute for each kind of caller.
#[derive(Debug, Clone, Copy)]
pub struct Rates {
    pub per_key: u32,
    pub per_account: u32,
    pub per_address: u32,
}

/// Whom a request counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Through any key of this account.
    Keys(UserId),
    Account(UserId),
    Address(IpAddr),
}

/// What is left after this request, for the `RateLimit` headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub limit: u32,
    pub remaining: u32,
    /// Seconds until the bucket is full again.
    pub reset_seconds: u64,
}

/// Refused: come back later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    pub limit: u32,
    pub retry_after_seconds: u64,
}

/// The buckets of one node.
pub struct Limits {
    keys: Buckets<UserId>,
    accounts: Buckets<UserId>,
    addresses: Buckets<IpAddr>,
    clock: DefaultClock,
}

impl Limits {
    /// Empty buckets.
    pub fn new(rates: Rates) -> Self {
        Self {
            keys: buckets(rates.per_key),
            accounts: buckets(rates.per_account),
            addresses: buckets(rates.per_address),
            clock: DefaultClock::default(),
        }
    }

    /// Counts one request.
    ///
    /// # Errors
    /// The bucket is empty.
    pub fn count(&self, who: Counted) -> Result<Standing, Refusal> {
        match who {
            Counted::Keys(user) => self.check(&self.keys, &user),
            Counted::Account(user) => self.check(&self.accounts, &user),
            Counted::Address(address) => self.check(&self.addresses, &network(address)),
        }
    }

    fn check<K: std::hash::Hash + Eq + Clone>(&self, buckets: &Buckets<K>, key: &K) -> Result<Standing, Refusal> {
        match buckets.check_key(key) {
            Ok(state) => {
                let (limit, remaining) = (state.quota().burst_size().get(), state.remaining_burst_capacity());
                let missing = limit.saturating_sub(remaining);
                let refill = state.quota().replenish_interval().saturating_mul(missing);
                Ok(Standing { limit, remaining, reset_seconds: seconds_up(refill) })
            }
            Err(refused) => Err(Refusal {
                limit: refused.quota().burst_size().get(),
                retry_after_seconds: seconds_up(refused.wait_time_from(self.clock.now())).max(1),
            }),
        }
    }

    /// Forgets whoever is back at a full bucket, so that memory follows the callers of the last minutes.
    pub fn sweep(&self) {
        self.keys.retain_recent();
        self.accounts.retain_recent();
        self.addresses.retain_recent();
    }
}

fn buckets<K: std::hash::Hash + Eq + Clone>(per_minute: u32) -> Buckets<K> {
    let rate = NonZeroU32::new(per_minute).unwrap_or(NonZeroU32::MIN);
    let burst = NonZeroU32::new(per_minute / 6).unwrap_or(NonZeroU32::MIN);
    RateLimiter::dashmap(Quota::per_minute(rate).allow_burst(burst)).with_middleware()
}

/// A household has one IPv4 address or one /64 of IPv6.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => v4.into(),
            None => std::net::Ipv6Addr::from(u128::from(v6) & !u128::from(u64::MAX)).into(),
        },
        v4 @ IpAddr::V4(_) => v4,
    }
}

fn seconds_up(duration: std::time::Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}

/// Tells the client where it stands (`RateLimit-*`, as in the IETF draft).
pub fn tell(headers: &mut HeaderMap, limit: u32, remaining: u32, reset_seconds: u64) {
    headers.insert(HeaderName::from_static("ratelimit-limit"), HeaderValue::from(limit));
    headers.insert(HeaderName::from_static("ratelimit-remaining"), HeaderValue::from(remaining));
    headers.insert(HeaderName::from_static("ratelimit-reset"), HeaderValue::from(reset_seconds));
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: Rates = Rates { per_key: 60, per_account: 60, per_address: 60 };

    #[test]
    fn a_full_burst_passes_and_the_next_one_waits() {
        let limits = Limits::new(RATES);
        let who = Counted::Account(UserId::new());
        for left in (0..10).rev() {
            assert_eq!(limits.count(who).expect("within the burst").remaining, left);
        }
        let refusal = limits.count(who).expect_err("the bucket is empty");
        assert_eq!(refusal, Refusal { limit: 10, retry_after_seconds: 1 });
    }

    #[test]
    fn one_caller_never_empties_the_bucket_of_another() {
        let limits = Limits::new(RATES);
        let (ann, bob) = (Counted::Account(UserId::new()), Counted::Account(UserId::new()));
        while limits.count(ann).is_ok() {}
        assert!(limits.count(bob).is_ok());
        assert!(limits.count(Counted::Address("192.0.2.1".parse().unwrap())).is_ok());
    }

    #[test]
    fn a_second_key_is_no_second_allowance() {
        let limits = Limits::new(RATES);
        let user = UserId::new();
        // Which of the account's keys it was is not asked.
        while limits.count(Counted::Keys(user)).is_ok() {}
        assert!(limits.count(Counted::Keys(user)).is_err());
        assert!(limits.count(Counted::Account(user)).is_ok(), "a script locks its owner's browser out");
    }

    #[test]
    fn a_v6_network_counts_as_one_address() {
        let limits = Limits::new(RATES);
        let mut tail = 0;
        while limits.count(Counted::Address(format!("2001:db8::{tail:x}").parse().unwrap())).is_ok() {
            tail += 1;
        }
        assert_eq!(tail, 10, "each address of a /64 got a bucket of its own");
    }
}
