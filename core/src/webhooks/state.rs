//! What follows from an attempt to bring an event: pure, for the delivery and for its address.
//!
//! ```text
//!   delivery:  waiting ──attempt──▶ taken | waiting again, later | given up
//!   address:   well ──failures──▶ paused, longer each time ──days without success──▶ disabled
//! ```

use chrono::{DateTime, TimeDelta, Utc};

use super::config::DisabledWhy;
use crate::outbound::RetryAfter;

/// Attempts at one delivery, those by hand included.
pub const MAX_ATTEMPTS: i16 = 10;
/// Failures in a row after which an address is left alone for a while.
const PAUSED_AFTER: i32 = 5;
const FIRST_PAUSE: TimeDelta = TimeDelta::seconds(30);
const LONGEST_PAUSE: TimeDelta = TimeDelta::hours(1);
/// The longest pause that a receiver can ask for.
const LONGEST_ASKED: TimeDelta = TimeDelta::days(1);
/// So long without any success, and an address is disabled.
const DISABLED_AFTER: TimeDelta = TimeDelta::days(3);

/// What an attempt came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Taken,
    /// Not now, and when again where that was said.
    Refused {
        retry_after: Option<RetryAfter>,
    },
    /// The receiver is gone for good.
    Gone,
}

impl Outcome {
    /// From an answer: 2xx is success, of http and of ftp.
    #[must_use]
    pub fn of_answer(status: u16, retry_after: Option<RetryAfter>) -> Self {
        match status {
            200..=299 => Self::Taken,
            410 => Self::Gone,
            _ => Self::Refused { retry_after },
        }
    }
}

/// What becomes of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Taken,
    Again { at: DateTime<Utc> },
    GivenUp,
}

/// What becomes of a delivery after this many attempts, where `pauses` are those between the attempts that are made by
/// itself. `jitter` is drawn from 0 to 1, and makes a pause up to a fifth longer, so that what failed together does not come
/// back together.
#[must_use]
pub fn next(attempts: i16, outcome: Outcome, pauses: &[u32], now: DateTime<Utc>, jitter: f64) -> Next {
    let retry_after = match outcome {
        Outcome::Taken => return Next::Taken,
        Outcome::Gone => return Next::GivenUp,
        Outcome::Refused { retry_after } => retry_after,
    };
    let pause = usize::try_from(attempts - 1).ok().and_then(|index| pauses.get(index));
    let Some(pause) = pause.filter(|_| attempts < MAX_ATTEMPTS) else { return Next::GivenUp };
    let spread = 0.2_f64.mul_add(jitter.clamp(0.0, 1.0), 1.0);
    #[expect(clippy::cast_possible_truncation, reason = "a day has few milliseconds")]
    let pause = TimeDelta::milliseconds((f64::from(*pause) * 1000.0 * spread) as i64);
    Next::Again { at: (now + pause).max(asked(retry_after, now).unwrap_or(now)) }
}

/// How an address does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Health {
    pub failing_since: Option<DateTime<Utc>>,
    /// In a row.
    pub failures: i32,
    pub paused_until: Option<DateTime<Utc>>,
}

impl Health {
    /// How it does after an attempt, and why it is disabled by it, if it is.
    #[must_use]
    pub fn after(self, outcome: Outcome, now: DateTime<Utc>, jitter: f64) -> (Self, Option<DisabledWhy>) {
        let retry_after = match outcome {
            Outcome::Taken => return (Self::default(), None),
            Outcome::Gone => None,
            Outcome::Refused { retry_after } => retry_after,
        };
        let since = self.failing_since.unwrap_or(now);
        let failures = self.failures.saturating_add(1);
        let pause = (failures >= PAUSED_AFTER).then(|| now + pause(failures, jitter));
        let health = Self { failing_since: Some(since), failures, paused_until: pause.max(asked(retry_after, now)) };
        let why = match outcome {
            Outcome::Gone => Some(DisabledWhy::Gone),
            _ if now - since >= DISABLED_AFTER => Some(DisabledWhy::Failing),
            _ => None,
        };
        (health, why)
    }

    /// Whether it may be tried now.
    #[must_use]
    pub fn is_open(self, now: DateTime<Utc>) -> bool {
        self.paused_until.is_none_or(|until| until <= now)
    }
}

fn pause(failures: i32, jitter: f64) -> TimeDelta {
    let doubled = u32::try_from(failures - PAUSED_AFTER).unwrap_or(0).min(10);
    let pause = (FIRST_PAUSE * 2_i32.pow(doubled)).min(LONGEST_PAUSE);
    #[expect(clippy::cast_possible_truncation, reason = "an hour has few milliseconds")]
    let spread = (pause.num_milliseconds() as f64 * 0.2 * jitter.clamp(0.0, 1.0)) as i64;
    pause + TimeDelta::milliseconds(spread)
}

fn asked(retry_after: Option<RetryAfter>, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let latest = now + LONGEST_ASKED;
    Some(match retry_after? {
        RetryAfter::In(time) => TimeDelta::from_std(time).map_or(latest, |time| now + time.min(LONGEST_ASKED)),
        RetryAfter::At(at) => at.min(latest),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const PAUSES: [u32; 8] = [5, 30, 120, 600, 1800, 7200, 21600, 57600];
    const NO: Outcome = Outcome::Refused { retry_after: None };

    fn now() -> DateTime<Utc> {
        "2026-01-01T00:00:00Z".parse().expect("a time")
    }

    #[test]
    fn a_delivery_is_tried_for_more_than_a_day_and_no_more_often_than_it_may() {
        let mut at = now();
        let mut attempts = 0;
        loop {
            attempts += 1;
            match next(attempts, NO, &PAUSES, at, 0.0) {
                Next::Again { at: later } => at = later,
                Next::GivenUp => break,
                Next::Taken => unreachable!("nothing was taken"),
            }
        }
        assert_eq!(attempts, 9, "one attempt is left for its owner");
        assert!(at - now() > TimeDelta::hours(24), "{}", at - now());
        assert_eq!(next(MAX_ATTEMPTS, NO, &[1; 20], at, 0.0), Next::GivenUp);
        assert_eq!(next(1, Outcome::Taken, &PAUSES, at, 0.0), Next::Taken);
        assert_eq!(next(1, Outcome::Gone, &PAUSES, at, 0.0), Next::GivenUp);
    }

    #[test]
    fn a_pause_that_was_asked_for_is_kept_and_no_longer_than_a_day() {
        let after = |retry_after| match next(1, Outcome::Refused { retry_after }, &PAUSES, now(), 1.0) {
            Next::Again { at } => (at - now()).num_seconds(),
            other => panic!("{other:?}"),
        };
        assert_eq!(after(None), 6, "a fifth more at most");
        assert_eq!(after(Some(RetryAfter::In(Duration::from_secs(90)))), 90);
        assert_eq!(after(Some(RetryAfter::In(Duration::from_secs(1)))), 6, "not sooner than otherwise");
        assert_eq!(after(Some(RetryAfter::In(Duration::MAX))), 86400);
        assert_eq!(after(Some(RetryAfter::At(now() + TimeDelta::days(400)))), 86400);
        assert_eq!(after(Some(RetryAfter::At(now() - TimeDelta::days(400)))), 6);
    }

    #[test]
    fn an_address_that_fails_is_left_alone_longer_and_longer_and_given_up_after_three_days() {
        let (mut health, mut at, mut why) = (Health::default(), now(), None);
        let mut pauses = Vec::new();
        while why.is_none() {
            (health, why) = health.after(NO, at, 0.0);
            let pause = health.paused_until.map_or(TimeDelta::seconds(1), |until| until - at);
            pauses.push(pause.num_seconds());
            assert!(health.is_open(at + pause) && health.is_open(at) == health.paused_until.is_none());
            at += pause;
        }
        assert_eq!(why, Some(DisabledWhy::Failing));
        assert_eq!(pauses[..8], [1, 1, 1, 1, 30, 60, 120, 240]);
        assert_eq!(pauses.last(), Some(&3600));
        assert!(at - now() >= TimeDelta::days(3));
        assert_eq!(health.after(Outcome::Taken, at, 0.0), (Health::default(), None), "one success makes it well");
        assert_eq!(health.after(Outcome::Gone, at, 0.0).1, Some(DisabledWhy::Gone));
    }

    #[test]
    fn two_hundreds_are_success_and_nothing_else_is() {
        for (status, taken) in
            [(200, true), (204, true), (226, true), (301, false), (404, false), (429, false), (500, false)]
        {
            assert_eq!(Outcome::of_answer(status, None) == Outcome::Taken, taken, "{status}");
        }
        assert_eq!(Outcome::of_answer(410, None), Outcome::Gone);
    }
}
