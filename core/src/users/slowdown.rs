//! Guessing passwords is slowed, for one account and for one address, with delays that double.
//!
//! An attempt at an account is counted before the password is looked at, so that guesses sent side by side are all
//! counted; a right password clears the account's count. An address is only charged for wrong passwords: many people
//! may share it.

use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};

use super::Origin;
use crate::settings::SignIn;
use crate::shared::Shared;
use crate::{Core, Error, Result};

/// Lets an attempt through or says how long to wait.
pub(super) async fn before(core: &Core, email: &str, origin: &Origin) -> Result<()> {
    let now = core.clock.now();
    for name in [Some(account(email)), origin.address.map(address)].into_iter().flatten() {
        if let Some(wait) = waiting(&*core.shared, &name, now).await {
            return Err(Error::RateLimited { retry_after_seconds: wait });
        }
    }
    let settings = &core.settings.sign_in;
    count(core, &account(email), settings.free_attempts_per_account, settings).await;
    Ok(())
}

/// The password was wrong.
pub(super) async fn after_failure(core: &Core, origin: &Origin) {
    let settings = &core.settings.sign_in;
    if let Some(from) = origin.address {
        count(core, &address(from), settings.free_attempts_per_address, settings).await;
    }
}

/// The password was right.
pub(super) async fn after_success(core: &Core, email: &str) {
    let name = account(email);
    core.shared.remove(&format!("{name}:count")).await;
    core.shared.remove(&format!("{name}:until")).await;
}

async fn waiting(shared: &dyn Shared, name: &str, now: DateTime<Utc>) -> Option<u64> {
    let until = shared.get(&format!("{name}:until")).await?;
    let until: i64 = std::str::from_utf8(&until).ok()?.parse().ok()?;
    let left = until.saturating_sub(now.timestamp_millis());
    u64::try_from(left).ok().filter(|left| *left > 0).map(|left| left.div_ceil(1000))
}

async fn count(core: &Core, name: &str, free: u32, settings: &SignIn) {
    // The count outlives the longest delay, else waiting it out would start from nothing.
    let window = Duration::from_secs(settings.max_delay_seconds.saturating_mul(2).max(60));
    let counted = core.shared.incr(&format!("{name}:count"), window).await;
    let Some(delay) = delay(counted.count, free, settings) else { return };
    let until = core.clock.now() + TimeDelta::from_std(delay).unwrap_or(TimeDelta::MAX);
    let until = Bytes::from(until.timestamp_millis().to_string());
    core.shared.set(&format!("{name}:until"), until, delay).await;
}

/// How long to wait after the `count`th attempt.
fn delay(count: u64, free: u32, settings: &SignIn) -> Option<Duration> {
    let beyond = count.checked_sub(u64::from(free)).filter(|beyond| *beyond > 0)?;
    let doublings = u32::try_from(beyond - 1).unwrap_or(u32::MAX);
    let seconds = 2u64.checked_pow(doublings).and_then(|factor| factor.checked_mul(settings.delay_seconds));
    Some(Duration::from_secs(seconds.unwrap_or(u64::MAX).min(settings.max_delay_seconds)))
}

fn account(email: &str) -> String {
    format!("sign-in:account:{email}")
}

fn address(address: IpAddr) -> String {
    format!("sign-in:address:{}", network(address))
}

/// One customer of a provider has a whole /64 of the new addresses.
pub(super) fn network(address: IpAddr) -> String {
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
    fn delays_double_from_the_first_attempt_that_is_not_free_up_to_the_longest() {
        let settings = SignIn {
            free_attempts_per_account: 3,
            free_attempts_per_address: 20,
            delay_seconds: 2,
            max_delay_seconds: 900,
            ..Settings::defaults("unused").expect("built-in settings").sign_in
        };
        let seconds = |count| delay(count, 3, &settings).map(|delay| delay.as_secs());
        assert_eq!([1, 3, 4, 5, 6].map(seconds), [None, None, Some(2), Some(4), Some(8)]);
        assert_eq!([13, 1000, u64::MAX].map(seconds), [Some(900); 3]);
    }

    #[test]
    fn neighbours_in_one_network_of_the_new_addresses_are_one_address() {
        let of = |text: &str| address(text.parse().expect("an address"));
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
        assert_ne!(of("10.0.0.1"), of("10.0.0.2"));
    }
}
