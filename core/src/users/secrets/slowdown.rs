//! Guessing passwords is slowed, with delays that double: for one account from one address, for one address, and, later
//! and for shorter, for one account from everywhere.
//!
//! Attempts at an account are counted before the password is looked at, so that guesses sent side by side are all
//! counted; a right password clears the count of its address. An address is only charged for wrong passwords: many
//! people may share it.
//!
//! Nobody can lock an owner out. What others guess from their addresses slows only the brake on the whole account, and
//! that one does not hold an address from which the right password came within [`KNOWN_FOR`].

use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};

use crate::settings::SignIn;
use crate::shared::Shared;
use crate::users::origin::Origin;
use crate::{Core, Error, Result};

/// How long an address stays known to an account after the right password came from it.
const KNOWN_FOR: Duration = Duration::from_hours(24 * 90);

/// Lets an attempt through or says how long to wait.
pub(in crate::users) async fn before(core: &Core, email: &str, origin: &Origin) -> Result<()> {
    let now = core.clock.now();
    let is_known = core.shared.get(&known(email, origin)).await.is_some();
    let whole = (!is_known).then(|| account(email));
    for name in [Some(account_from(email, origin)), whole.clone(), origin.address.map(address)].into_iter().flatten() {
        if let Some(wait) = waiting(&*core.shared, &name, now).await {
            return Err(Error::RateLimited { retry_after_seconds: wait });
        }
    }
    let settings = &core.settings.sign_in;
    let from_there = Brake { free: settings.free_attempts_per_account, longest: settings.max_delay_seconds };
    count(core, &account_from(email, origin), from_there).await;
    if let Some(whole) = whole {
        let free = settings.free_attempts_per_account_everywhere;
        count(core, &whole, Brake { free, longest: settings.max_delay_everywhere_seconds }).await;
    }
    Ok(())
}

/// The password was wrong.
pub(in crate::users) async fn after_failure(core: &Core, origin: &Origin) {
    let settings = &core.settings.sign_in;
    if let Some(from) = origin.address {
        let brake = Brake { free: settings.free_attempts_per_address, longest: settings.max_delay_seconds };
        count(core, &address(from), brake).await;
    }
}

/// The password was right.
pub(in crate::users) async fn after_success(core: &Core, email: &str, origin: &Origin) {
    core.shared.set(&known(email, origin), Bytes::from_static(b"1"), KNOWN_FOR).await;
    let name = account_from(email, origin);
    core.shared.remove(&format!("{name}:count")).await;
    core.shared.remove(&format!("{name}:until")).await;
}

async fn waiting(shared: &dyn Shared, name: &str, now: DateTime<Utc>) -> Option<u64> {
    let until = shared.get(&format!("{name}:until")).await?;
    let until: i64 = std::str::from_utf8(&until).ok()?.parse().ok()?;
    let left = until.saturating_sub(now.timestamp_millis());
    u64::try_from(left).ok().filter(|left| *left > 0).map(|left| left.div_ceil(1000))
}

/// When something is slowed, and how far.
#[derive(Debug, Clone, Copy)]
struct Brake {
    /// Attempts that are free of delay.
    free: u32,
    /// The longest delay, in seconds.
    longest: u64,
}

async fn count(core: &Core, name: &str, brake: Brake) {
    let settings = &core.settings.sign_in;
    // The count outlives the longest delay, else waiting it out would start from nothing.
    let window = Duration::from_secs(settings.max_delay_seconds.saturating_mul(2).max(60));
    let counted = core.shared.incr(&format!("{name}:count"), window).await;
    let Some(delay) = delay(counted.count, brake, settings) else { return };
    let until = core.clock.now() + TimeDelta::from_std(delay).unwrap_or(TimeDelta::MAX);
    let until = Bytes::from(until.timestamp_millis().to_string());
    core.shared.set(&format!("{name}:until"), until, delay).await;
}

/// How long to wait after the `count`th attempt.
fn delay(count: u64, brake: Brake, settings: &SignIn) -> Option<Duration> {
    let beyond = count.checked_sub(u64::from(brake.free)).filter(|beyond| *beyond > 0)?;
    let doublings = u32::try_from(beyond - 1).unwrap_or(u32::MAX);
    let seconds = 2u64.checked_pow(doublings).and_then(|factor| factor.checked_mul(settings.delay_seconds));
    Some(Duration::from_secs(seconds.unwrap_or(u64::MAX).min(brake.longest)))
}

fn account(email: &str) -> String {
    format!("sign-in:account:{email}")
}

fn account_from(email: &str, origin: &Origin) -> String {
    format!("sign-in:account:{email}:{}", place(origin))
}

fn known(email: &str, origin: &Origin) -> String {
    format!("sign-in:known:{email}:{}", place(origin))
}

/// The network that somebody asks from; of our own pages, where somebody is signed in already, none is told.
fn place(origin: &Origin) -> String {
    origin.address.map_or_else(|| "here".to_owned(), network)
}

fn address(address: IpAddr) -> String {
    format!("sign-in:address:{}", network(address))
}

/// One customer of a provider has a whole /64 of the new addresses.
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
    fn delays_double_from_the_first_attempt_that_is_not_free_up_to_the_longest() {
        let settings = SignIn {
            free_attempts_per_account: 3,
            free_attempts_per_address: 20,
            delay_seconds: 2,
            max_delay_seconds: 900,
            ..Settings::defaults("unused").expect("built-in settings").sign_in
        };
        let brake = Brake { free: 3, longest: settings.max_delay_seconds };
        let seconds = |count| delay(count, brake, &settings).map(|delay| delay.as_secs());
        assert_eq!([1, 3, 4, 5, 6].map(seconds), [None, None, Some(2), Some(4), Some(8)]);
        assert_eq!([13, 1000, u64::MAX].map(seconds), [Some(900); 3]);
        let short = Brake { longest: 30, ..brake };
        assert_eq!(delay(1000, short, &settings), Some(Duration::from_secs(30)));
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
