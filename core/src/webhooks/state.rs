//! Decides what follows from a delivery attempt, for the delivery and for its address. Pure.
//!
//! ```text
//!   delivery:  waiting ──attempt──▶ delivered | waiting until a retry | given up
//!   address:   healthy ──failures──▶ paused, longer each time ──days without success──▶ disabled
//! ```

use chrono::{DateTime, TimeDelta, Utc};

use super::config::DisabledReason;
use crate::outbound::RetryAfter;

/// Maximum attempts at one delivery, including manual ones.
pub const MAX_ATTEMPTS: i16 = 10;
/// Failures in a row after which an address is paused.
const PAUSED_AFTER: i32 = 5;
const FIRST_PAUSE: TimeDelta = TimeDelta::seconds(30);
const LONGEST_PAUSE: TimeDelta = TimeDelta::hours(1);
/// The longest pause that a receiver can request.
const LONGEST_ASKED: TimeDelta = TimeDelta::days(1);
/// An address without success for this long is disabled.
const DISABLED_AFTER: TimeDelta = TimeDelta::days(3);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptOutcome {
    Accepted,
    /// Not delivered; the receiver may name a time for the retry.
    Refused {
        retry_after: Option<RetryAfter>,
    },
    /// The receiver is gone for good.
    Gone,
}

impl AttemptOutcome {
    /// From a status: 2xx is success, in HTTP and in FTP.
    #[must_use]
    pub fn of_answer(status: u16, retry_after: Option<RetryAfter>) -> Self {
        match status {
            200..=299 => Self::Accepted,
            410 => Self::Gone,
            _ => Self::Refused { retry_after },
        }
    }
}

/// What happens to a delivery next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextStep {
    Delivered,
    Retry { at: DateTime<Utc> },
    GiveUp,
}

/// Decides what follows after this many attempts. `pauses` are those between automatic attempts. `jitter` (0 to 1)
/// extends a pause by up to a fifth, so that simultaneous failures are not retried at the same moment.
#[must_use]
pub fn next(attempts: i16, outcome: AttemptOutcome, pauses: &[u32], now: DateTime<Utc>, jitter: f64) -> NextStep {
    let retry_after = match outcome {
        AttemptOutcome::Accepted => return NextStep::Delivered,
        AttemptOutcome::Gone => return NextStep::GiveUp,
        AttemptOutcome::Refused { retry_after } => retry_after,
    };
    let pause = usize::try_from(attempts - 1).ok().and_then(|index| pauses.get(index));
    let Some(pause) = pause.filter(|_| attempts < MAX_ATTEMPTS) else { return NextStep::GiveUp };
    let spread = 0.2_f64.mul_add(jitter.clamp(0.0, 1.0), 1.0);
    #[expect(clippy::cast_possible_truncation, reason = "a day has few milliseconds")]
    let pause = TimeDelta::milliseconds((f64::from(*pause) * 1000.0 * spread) as i64);
    NextStep::Retry { at: (now + pause).max(asked(retry_after, now).unwrap_or(now)) }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EndpointHealth {
    pub failing_since: Option<DateTime<Utc>>,
    /// Failures in a row.
    pub failures: i32,
    pub paused_until: Option<DateTime<Utc>>,
}

impl EndpointHealth {
    /// The health after an attempt, and the reason if the attempt disables the address.
    #[must_use]
    pub fn after(self, outcome: AttemptOutcome, now: DateTime<Utc>, jitter: f64) -> (Self, Option<DisabledReason>) {
        let retry_after = match outcome {
            AttemptOutcome::Accepted => return (Self::default(), None),
            AttemptOutcome::Gone => None,
            AttemptOutcome::Refused { retry_after } => retry_after,
        };
        let since = self.failing_since.unwrap_or(now);
        let failures = self.failures.saturating_add(1);
        let pause = (failures >= PAUSED_AFTER).then(|| now + pause(failures, jitter));
        let health = Self { failing_since: Some(since), failures, paused_until: pause.max(asked(retry_after, now)) };
        let why = match outcome {
            AttemptOutcome::Gone => Some(DisabledReason::Gone),
            _ if now - since >= DISABLED_AFTER => Some(DisabledReason::Failing),
            _ => None,
        };
        (health, why)
    }

    /// Whether an attempt is allowed now.
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
    const NO: AttemptOutcome = AttemptOutcome::Refused { retry_after: None };

    fn now() -> DateTime<Utc> {
        "2026-01-01T00:00:00Z".parse().expect("a time")
    }

    #[test]
    fn delivery_is_retried_for_a_day_and_then_given_up() {
        let mut at = now();
        let mut attempts = 0;
        loop {
            attempts += 1;
            match next(attempts, NO, &PAUSES, at, 0.0) {
                NextStep::Retry { at: later } => at = later,
                NextStep::GiveUp => break,
                NextStep::Delivered => unreachable!("nothing was taken"),
            }
        }
        assert_eq!(attempts, 9, "one attempt is left for its owner");
        assert!(at - now() > TimeDelta::hours(24), "{}", at - now());
        assert_eq!(next(MAX_ATTEMPTS, NO, &[1; 20], at, 0.0), NextStep::GiveUp);
        assert_eq!(next(1, AttemptOutcome::Accepted, &PAUSES, at, 0.0), NextStep::Delivered);
        assert_eq!(next(1, AttemptOutcome::Gone, &PAUSES, at, 0.0), NextStep::GiveUp);
    }

    #[test]
    fn retry_after_is_respected_for_at_most_a_day() {
        let after = |retry_after| match next(1, AttemptOutcome::Refused { retry_after }, &PAUSES, now(), 1.0) {
            NextStep::Retry { at } => (at - now()).num_seconds(),
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
    fn failing_address_is_paused_longer_each_time_and_disabled_after_three_days() {
        let (mut health, mut at, mut why) = (EndpointHealth::default(), now(), None);
        let mut pauses = Vec::new();
        while why.is_none() {
            (health, why) = health.after(NO, at, 0.0);
            let pause = health.paused_until.map_or(TimeDelta::seconds(1), |until| until - at);
            pauses.push(pause.num_seconds());
            assert!(health.is_open(at + pause) && health.is_open(at) == health.paused_until.is_none());
            at += pause;
        }
        assert_eq!(why, Some(DisabledReason::Failing));
        assert_eq!(pauses[..8], [1, 1, 1, 1, 30, 60, 120, 240]);
        assert_eq!(pauses.last(), Some(&3600));
        assert!(at - now() >= TimeDelta::days(3));
        assert_eq!(
            health.after(AttemptOutcome::Accepted, at, 0.0),
            (EndpointHealth::default(), None),
            "one success makes it well"
        );
        assert_eq!(health.after(AttemptOutcome::Gone, at, 0.0).1, Some(DisabledReason::Gone));
    }

    #[test]
    fn only_2xx_answers_are_success() {
        for (status, taken) in
            [(200, true), (204, true), (226, true), (301, false), (404, false), (429, false), (500, false)]
        {
            assert_eq!(AttemptOutcome::of_answer(status, None) == AttemptOutcome::Accepted, taken, "{status}");
        }
        assert_eq!(AttemptOutcome::of_answer(410, None), AttemptOutcome::Gone);
    }
}
