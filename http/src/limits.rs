//! How many requests the programs of one account, its people in browsers, and one address may make.
//!
//! Each has a bucket ([`Bucket`]): the rate of the settings, in bursts of a sixth of it. A caller is counted once, in
//! the narrowest bucket that applies, and an unauthenticated one by address: IPv6 addresses by /64, and all networks of a
//! /48 once more together. All keys of an account share one bucket: a
//! second key is no second allowance. Nor is a second node: with Redis a bucket is the installation's, and without it
//! each of several nodes gives its part.

use std::net::IpAddr;
use std::time::Duration;

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use verdigraph_core::ids::UserId;
use verdigraph_core::shared::{Bucket, Empty, Left, Shared};

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

/// What buckets callers have.
pub struct Limits {
    keys: Bucket,
    accounts: Bucket,
    addresses: Bucket,
    /// Of a /48 of IPv6, which is what many providers give to one customer.
    sites: Bucket,
}

/// How often a household's rate all the networks of a /48 have together.
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
    ///
    /// # Errors
    /// The bucket is empty.
    pub async fn count(&self, shared: &dyn Shared, who: Counted) -> Result<Standing, Refusal> {
        let taken = match who {
            Counted::Keys(user) => shared.take(&format!("keys:{user}"), self.keys).await,
            Counted::Account(user) => shared.take(&format!("account:{user}"), self.accounts).await,
            Counted::Address(from) => {
                let own = shared.take(&format!("address:{}", network(from)), self.addresses).await;
                match (own, site(from)) {
                    (Ok(left), Some(site)) => shared.take(&format!("site:{site}"), self.sites).await.map(|_| left),
                    (own, _) => own,
                }
            }
        };
        match taken {
            Ok(Left { burst, remaining, full_in }) => {
                Ok(Standing { limit: burst, remaining, reset_seconds: seconds_up(full_in) })
            }
            Err(Empty { burst, next_in }) => {
                Err(Refusal { limit: burst, retry_after_seconds: seconds_up(next_in).max(1) })
            }
        }
    }
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

/// Tells the client where it stands (`RateLimit-*`, as in the IETF draft).
pub fn tell(headers: &mut HeaderMap, limit: u32, remaining: u32, reset_seconds: u64) {
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
    async fn a_full_burst_passes_and_the_next_one_waits() {
        let (limits, local) = limits();
        let who = Counted::Account(UserId::new());
        for left in (0..10).rev() {
            assert_eq!(limits.count(&local, who).await.expect("within the burst").remaining, left);
        }
        let refusal = limits.count(&local, who).await.expect_err("the bucket is empty");
        assert_eq!(refusal, Refusal { limit: 10, retry_after_seconds: 1 });
    }

    #[actix_web::test]
    async fn one_caller_never_empties_the_bucket_of_another() {
        let (limits, local) = limits();
        let (ann, bob) = (Counted::Account(UserId::new()), Counted::Account(UserId::new()));
        while limits.count(&local, ann).await.is_ok() {}
        assert!(limits.count(&local, bob).await.is_ok());
        assert!(limits.count(&local, Counted::Address("192.0.2.1".parse().unwrap())).await.is_ok());
    }

    #[actix_web::test]
    async fn a_second_key_is_no_second_allowance() {
        let (limits, local) = limits();
        let user = UserId::new();
        // Which of the account's keys it was is not asked.
        while limits.count(&local, Counted::Keys(user)).await.is_ok() {}
        assert!(limits.count(&local, Counted::Keys(user)).await.is_err());
        let own = limits.count(&local, Counted::Account(user)).await;
        assert!(own.is_ok(), "a script locks its owner's browser out");
    }

    #[actix_web::test]
    async fn a_v6_network_counts_as_one_address() {
        let (limits, local) = limits();
        let mut tail = 0;
        let at = |tail: u32| Counted::Address(format!("2001:db8::{tail:x}").parse().unwrap());
        while limits.count(&local, at(tail)).await.is_ok() {
            tail += 1;
        }
        assert_eq!(tail, 10, "each address of a /64 got a bucket of its own");
    }

    #[actix_web::test]
    async fn many_networks_of_one_site_are_not_as_many_callers() {
        let (limits, local) = limits();
        let at = |network: u32| Counted::Address(format!("2001:db8:7:{network:x}::1").parse().unwrap());
        let mut given = 0;
        for network in 0..300 {
            given += u32::from(limits.count(&local, at(network)).await.is_ok());
        }
        assert!((80..90).contains(&given), "300 networks of a /48 made {given} requests at once, each allows 10");
        let next_door = Counted::Address("2001:db8:8::1".parse().unwrap());
        assert!(limits.count(&local, next_door).await.is_ok(), "another site is not slowed");
        assert!(limits.count(&local, Counted::Address("192.0.2.1".parse().unwrap())).await.is_ok());
    }

    #[actix_web::test]
    async fn two_nodes_that_cannot_count_together_give_half_each() {
        let (limits, local) = limits();
        local.note_nodes(2);
        let who = Counted::Account(UserId::new());
        let mut given = 0;
        while limits.count(&local, who).await.is_ok() {
            given += 1;
        }
        assert_eq!(given, 5);
    }
}
