//! Slows down password guessing with doubling delays: per account and address, per address, and, with a higher
//! threshold and shorter delays, per account.
//!
//! Attempts at an account are counted before the password is checked, so that parallel guesses all count. A correct
//! password resets the count of its account and address. An address is only charged for wrong passwords, because many
//! users may share it.
//!
//! Owners cannot be locked out: guesses from other addresses only delay the account as a whole, and that delay does not
//! apply to an address that sent the correct password within [`KNOWN_FOR`].

use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};

use crate::settings::SignInSettings;
use crate::shared::Shared;
use crate::users::request_origin::RequestOrigin;
use crate::{Core, Error, Result};

/// How long an address stays known to an account after a correct password.
const KNOWN_FOR: Duration = Duration::from_hours(24 * 90);

/// Counts an attempt, or refuses it during a delay.
pub(in crate::users) async fn before(core: &Core, email: &str, origin: &RequestOrigin) -> Result<()> {
    let now = core.clock.now();
    let is_known = core.shared.get(&known(email, origin)).await.is_some();
    let account_key = (!is_known).then(|| account(email));
    for name in
        [Some(account_from(email, origin)), account_key.clone(), origin.address.map(address)].into_iter().flatten()
    {
        if let Some(wait) = remaining_delay(&*core.shared, &name, now).await {
            return Err(Error::RateLimited { retry_after_seconds: wait });
        }
    }
    let settings = &core.settings.sign_in;
    let per_network = DelayPolicy { free: settings.free_attempts_per_account, longest: settings.max_delay_seconds };
    count(core, &account_from(email, origin), per_network).await;
    if let Some(key) = account_key {
        let free = settings.free_attempts_per_account_everywhere;
        count(core, &key, DelayPolicy { free, longest: settings.max_delay_everywhere_seconds }).await;
    }
    Ok(())
}

pub(in crate::users) async fn after_failure(core: &Core, origin: &RequestOrigin) {
    let settings = &core.settings.sign_in;
    if let Some(from) = origin.address {
        let policy = DelayPolicy { free: settings.free_attempts_per_address, longest: settings.max_delay_seconds };
        count(core, &address(from), policy).await;
    }
}

pub(in crate::users) async fn after_success(core: &Core, email: &str, origin: &RequestOrigin) {
    core.shared.set(&known(email, origin), Bytes::from_static(b"1"), KNOWN_FOR).await;
    let name = account_from(email, origin);
    core.shared.remove(&format!("{name}:count")).await;
    core.shared.remove(&format!("{name}:until")).await;
}

async fn remaining_delay(shared: &dyn Shared, name: &str, now: DateTime<Utc>) -> Option<u64> {
    let until = shared.get(&format!("{name}:until")).await?;
    let until: i64 = std::str::from_utf8(&until).ok()?.parse().ok()?;
    let left = until.saturating_sub(now.timestamp_millis());
    u64::try_from(left).ok().filter(|left| *left > 0).map(|left| left.div_ceil(1000))
}

/// When delays start, and their limit.
#[derive(Debug, Clone, Copy)]
struct DelayPolicy {
    /// Attempts without a delay.
    free: u32,
    /// In seconds.
    longest: u64,
}

async fn count(core: &Core, name: &str, policy: DelayPolicy) {
    let settings = &core.settings.sign_in;
    // The count must outlive the longest delay; otherwise waiting would reset it.
    let window = Duration::from_secs(settings.max_delay_seconds.saturating_mul(2).max(60));
    let counted = core.shared.incr(&format!("{name}:count"), window).await;
    let Some(delay) = delay(counted.count, policy, settings) else { return };
    let until = core.clock.now() + TimeDelta::from_std(delay).unwrap_or(TimeDelta::MAX);
    let until = Bytes::from(until.timestamp_millis().to_string());
    core.shared.set(&format!("{name}:until"), until, delay).await;
}

/// The delay after the `count`th attempt.
fn delay(count: u64, policy: DelayPolicy, settings: &SignInSettings) -> Option<Duration> {
    let beyond = count.checked_sub(u64::from(policy.free)).filter(|beyond| *beyond > 0)?;
    let doublings = u32::try_from(beyond - 1).unwrap_or(u32::MAX);
    let seconds = 2u64.checked_pow(doublings).and_then(|factor| factor.checked_mul(settings.delay_seconds));
    Some(Duration::from_secs(seconds.unwrap_or(u64::MAX).min(policy.longest)))
}

fn account(email: &str) -> String {
    format!("sign-in:account:{email}")
}

fn account_from(email: &str, origin: &RequestOrigin) -> String {
    format!("sign-in:account:{email}:{}", place(origin))
}

fn known(email: &str, origin: &RequestOrigin) -> String {
    format!("sign-in:known:{email}:{}", place(origin))
}

/// The client's network; requests of signed-in users have none.
fn place(origin: &RequestOrigin) -> String {
    origin.address.map_or_else(|| "here".to_owned(), network)
}

fn address(address: IpAddr) -> String {
    format!("sign-in:address:{}", network(address))
}

/// One customer of an IPv6 provider has a whole /64.
pub(in crate::users) fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    #[test]
    fn delays_double_after_the_free_attempts_up_to_the_limit() {
        let settings = SignInSettings {
            free_attempts_per_account: 3,
            free_attempts_per_address: 20,
            delay_seconds: 2,
            max_delay_seconds: 900,
            ..Settings::defaults("unused").expect("built-in settings").sign_in
        };
        let policy = DelayPolicy { free: 3, longest: settings.max_delay_seconds };
        let seconds = |count| delay(count, policy, &settings).map(|delay| delay.as_secs());
        assert_eq!([1, 3, 4, 5, 6].map(seconds), [None, None, Some(2), Some(4), Some(8)]);
        assert_eq!([13, 1000, u64::MAX].map(seconds), [Some(900); 3]);
        let short = DelayPolicy { longest: 30, ..policy };
        assert_eq!(delay(1000, short, &settings), Some(Duration::from_secs(30)));
    }

    #[test]
    fn ipv6_addresses_of_one_network_count_as_one() {
        let of = |text: &str| address(text.parse().expect("an address"));
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
        assert_ne!(of("10.0.0.1"), of("10.0.0.2"));
    }
}
