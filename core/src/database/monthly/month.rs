use chrono::{DateTime, Datelike as _, NaiveDate, Utc};
use uuid::Uuid;

use crate::ids::min_id;

/// A month in UTC, counted from year 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Month(u32);

impl Month {
    pub fn of(time: DateTime<Utc>) -> Self {
        Self(u32::try_from(time.year()).unwrap_or(0) * 12 + time.month0())
    }

    pub const fn later(self, months: u32) -> Self {
        Self(self.0.saturating_add(months))
    }

    pub const fn earlier(self, months: u32) -> Self {
        Self(self.0.saturating_sub(months))
    }

    /// The name of its partition.
    pub(super) fn partition_of(self, table: &str) -> String {
        format!("{table}_{:04}_{:02}", self.0 / 12, self.0 % 12 + 1)
    }

    /// The month of a partition's name.
    pub(super) fn from_partition(table: &str, name: &str) -> Option<Self> {
        let (year, month) = name.strip_prefix(table)?.strip_prefix('_')?.split_once('_')?;
        let (year, month): (u32, u32) = (year.parse().ok()?, month.parse().ok()?);
        (1..=12).contains(&month).then(|| Self(year * 12 + month - 1))
    }

    /// The smallest id that can be created in it.
    pub fn min_id(self) -> Uuid {
        let first = i32::try_from(self.0 / 12).ok().and_then(|year| NaiveDate::from_ymd_opt(year, self.0 % 12 + 1, 1));
        min_id(first.unwrap_or_default().and_time(chrono::NaiveTime::MIN).and_utc())
    }

    /// A new id of its first millisecond.
    #[cfg(test)]
    pub fn new_id(self) -> Uuid {
        Uuid::from_u128(self.min_id().as_u128() + Uuid::new_v4().as_u128() % (1 << 80))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_lie_in_the_month_of_their_creation() {
        let month = Month::of("2026-12-31T23:59:59.999Z".parse().expect("a time"));
        assert_eq!(month.partition_of("events"), "events_2026_12");
        assert_eq!(Month::from_partition("events", &month.partition_of("events")), Some(month));
        assert_eq!(month.later(1).partition_of("events"), "events_2027_01");
        assert_eq!(month.later(1).earlier(12).partition_of("events"), "events_2026_01");
        let last = Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, 1_798_761_599, 999_000_000));
        assert!(month.min_id() <= last && last < month.later(1).min_id(), "{last} is in no month");
        for other in ["events_default", "events_2026_13", "jobs_2026_12", "events2026_12"] {
            assert_eq!(Month::from_partition("events", other), None, "{other}");
        }
    }
}
