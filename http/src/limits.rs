//! Request rates per account (through API keys, and in browsers) and per address.
//!
//! Each caller has a [`Bucket`] with the rate of the settings and a burst of a sixth of it. A request counts in the
//! narrowest bucket that applies; requests without an account count by address: IPv6 by /64, and all networks of a /48
//! together once more. All keys of an account share a bucket, so a second key gives no second allowance. With Redis a
//! bucket belongs to the installation; without it each of several nodes grants its share.

use std::net::IpAddr;
use std::time::Duration;

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use verdigraph_core::ids::UserId;
use verdigraph_core::shared::{Bucket, BucketEmpty, BucketState, Shared};

/// Requests per minute for each kind of caller.
#[derive(Debug, Clone, Copy)]
pub struct Rates {
    pub per_key: u32,
    pub per_account: u32,
    pub per_address: u32,
}

/// The bucket that a request counts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    /// API keys of this account.
    Keys(UserId),
    Account(UserId),
    Address(IpAddr),
}

/// State of the bucket after this request, for the `RateLimit` headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitState {
    pub limit: u32,
    pub remaining: u32,
    /// Seconds until the bucket is full again.
    pub reset_seconds: u64,
}

/// The bucket is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitExceeded {
    pub limit: u32,
    pub retry_after_seconds: u64,
}

/// The buckets.
pub struct Limits {
    keys: Bucket,
    accounts: Bucket,
    addresses: Bucket,
    /// A /48 of IPv6, which many providers assign to one customer.
    sites: Bucket,
}

/// How many times the rate of one address a /48 has.
const SITE_HOUSEHOLDS: u32 = 8;

impl Limits {
    /// Buckets with these rates.
    #[must_use]
    pub fn new(rates: Rates) -> Self {
        let bucket = |per_minute| Bucket::per_minute(per_minute, per_minute / 6);
        Self {
            keys: bucket(rates.per_key),
            accounts: bucket(rates.per_account),
            addresses: bucket(rates.per_address),
            sites: bucket(rates.per_address.saturating_mul(SITE_HOUSEHOLDS)),
        }
    }

    /// Counts one request.
    pub async fn count(&self, shared: &dyn Shared, who: Counter) -> Result<LimitState, LimitExceeded> {
        let taken = match who {
            Counter::Keys(user) => shared.take(&format!("keys:{user}"), self.keys).await,
            Counter::Account(user) => shared.take(&format!("account:{user}"), self.accounts).await,
            Counter::Address(from) => {
                let own = shared.take(&format!("address:{}", network(from)), self.addresses).await;
                match (own, site(from)) {
                    (Ok(left), Some(site)) => shared.take(&format!("site:{site}"), self.sites).await.map(|_| left),
                    (own, _) => own,
                }
            }
        };
        match taken {
            Ok(BucketState { burst, remaining, full_in }) => {
                Ok(LimitState { limit: burst, remaining, reset_seconds: seconds_up(full_in) })
            }
            Err(BucketEmpty { burst, next_in }) => {
                Err(LimitExceeded { limit: burst, retry_after_seconds: seconds_up(next_in).max(1) })
            }
        }
    }
}

/// The network of one household: an IPv4 address, or a /64 of IPv6.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => v4.into(),
            None => std::net::Ipv6Addr::from(u128::from(v6) & !u128::from(u64::MAX)).into(),
        },
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// The /48 of an IPv6 address.
fn site(address: IpAddr) -> Option<IpAddr> {
    match network(address) {
        IpAddr::V6(v6) => Some(std::net::Ipv6Addr::from(u128::from(v6) & (u128::MAX << 80)).into()),
        IpAddr::V4(_) => None,
    }
}

fn seconds_up(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}

/// Sets the `RateLimit-*` headers of the IETF draft.
pub fn set_headers(headers: &mut HeaderMap, limit: u32, remaining: u32, reset_seconds: u64) {
    headers.insert(HeaderName::from_static("ratelimit-limit"), HeaderValue::from(limit));
    headers.insert(HeaderName::from_static("ratelimit-remaining"), HeaderValue::from(remaining));
    headers.insert(HeaderName::from_static("ratelimit-reset"), HeaderValue::from(reset_seconds));
}

#[cfg(test)]
mod tests {
    use verdigraph_core::Clock;
    use verdigraph_core::shared::Local;

    use super::*;

    const RATES: Rates = Rates { per_key: 60, per_account: 60, per_address: 60 };

    fn limits() -> (Limits, Local) {
        (Limits::new(RATES), Local::new(Clock::System))
    }

    #[actix_web::test]
    async fn full_burst_passes_and_the_next_request_waits() {
        let (limits, local) = limits();
        let who = Counter::Account(UserId::new());
        for left in (0..10).rev() {
            assert_eq!(limits.count(&local, who).await.expect("within the burst").remaining, left);
        }
        let refusal = limits.count(&local, who).await.expect_err("the bucket is empty");
        assert_eq!(refusal, LimitExceeded { limit: 10, retry_after_seconds: 1 });
    }

    #[actix_web::test]
    async fn callers_have_separate_buckets() {
        let (limits, local) = limits();
        let (ann, bob) = (Counter::Account(UserId::new()), Counter::Account(UserId::new()));
        while limits.count(&local, ann).await.is_ok() {}
        assert!(limits.count(&local, bob).await.is_ok());
        assert!(limits.count(&local, Counter::Address("192.0.2.1".parse().unwrap())).await.is_ok());
    }

    #[actix_web::test]
    async fn keys_of_an_account_share_a_bucket() {
        let (limits, local) = limits();
        let user = UserId::new();
        // All keys of the account count the same.
        while limits.count(&local, Counter::Keys(user)).await.is_ok() {}
        assert!(limits.count(&local, Counter::Keys(user)).await.is_err());
        let own = limits.count(&local, Counter::Account(user)).await;
        assert!(own.is_ok(), "a script locks its owner's browser out");
    }

    #[actix_web::test]
    async fn ipv6_network_counts_as_one_address() {
        let (limits, local) = limits();
        let mut tail = 0;
        let at = |tail: u32| Counter::Address(format!("2001:db8::{tail:x}").parse().unwrap());
        while limits.count(&local, at(tail)).await.is_ok() {
            tail += 1;
        }
        assert_eq!(tail, 10, "each address of a /64 got a bucket of its own");
    }

    #[actix_web::test]
    async fn networks_of_one_ipv6_site_share_a_bucket() {
        let (limits, local) = limits();
        let at = |network: u32| Counter::Address(format!("2001:db8:7:{network:x}::1").parse().unwrap());
        let mut given = 0;
        for network in 0..300 {
            given += u32::from(limits.count(&local, at(network)).await.is_ok());
        }
        assert!((80..90).contains(&given), "300 networks of a /48 made {given} requests at once, each allows 10");
        let next_door = Counter::Address("2001:db8:8::1".parse().unwrap());
        assert!(limits.count(&local, next_door).await.is_ok(), "another site is not slowed");
        assert!(limits.count(&local, Counter::Address("192.0.2.1".parse().unwrap())).await.is_ok());
    }

    #[actix_web::test]
    async fn two_nodes_without_redis_grant_half_each() {
        let (limits, local) = limits();
        local.set_node_count(2);
        let who = Counter::Account(UserId::new());
        let mut given = 0;
        while limits.count(&local, who).await.is_ok() {
            given += 1;
        }
        assert_eq!(given, 5);
    }
}
