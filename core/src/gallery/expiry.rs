//! How long an output is kept while it is private.

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};

/// The last day whose outputs all ended together, and the day on which they did.
const OLD: (i32, u32, u32) = (2025, 4, 21);
const OLD_END: (i32, u32, u32) = (2025, 6, 21);

/// When a private output ends: what was made until 2025-04-21 on 2025-06-21, anything later after `days` days.
#[must_use]
pub fn expiry(created_at: DateTime<Utc>, days: u32) -> DateTime<Utc> {
    let date = |(year, month, day)| NaiveDate::from_ymd_opt(year, month, day).unwrap_or_default();
    if created_at.date_naive() <= date(OLD) {
        return date(OLD_END).and_time(NaiveTime::MIN).and_utc();
    }
    created_at.checked_add_days(Days::new(u64::from(days))).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_outputs_ended_together_and_later_ones_end_after_their_days() {
        for (created, ends) in [
            ("2024-01-01T00:00:00Z", "2025-06-21T00:00:00Z"),
            ("2025-04-21T23:59:59Z", "2025-06-21T00:00:00Z"),
            ("2025-04-22T00:00:00Z", "2025-05-22T00:00:00Z"),
            ("2026-01-01T12:00:00Z", "2026-01-31T12:00:00Z"),
        ] {
            let time = |text: &str| text.parse::<DateTime<Utc>>().expect("a time");
            assert_eq!(expiry(time(created), 30), time(ends), "made at {created}");
        }
    }
}
