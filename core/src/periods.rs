//! Days in UTC: the times between two of them, and counts per day, week (from Monday) or month.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike as _, Days, Months, NaiveDate, NaiveTime, Utc};

use crate::{Error, Result};

/// The times of some days; without a bound on a side where there is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TimesOfDays {
    /// Inclusive.
    pub from: Option<DateTime<Utc>>,
    /// Exclusive.
    pub until: Option<DateTime<Utc>>,
}

impl TimesOfDays {
    /// From the first day to the last one, inclusive.
    ///
    /// # Errors
    /// [`Error::Invalid`] for `until` if it is before `from`.
    pub fn new(from: Option<NaiveDate>, until: Option<NaiveDate>) -> Result<Self> {
        if let (Some(from), Some(until)) = (from, until)
            && until < from
        {
            return Err(Error::invalid("until", "must not be before from"));
        }
        let midnight = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc();
        let after = |day: NaiveDate| day.succ_opt().ok_or_else(|| Error::invalid("until", "is beyond the calendar"));
        Ok(Self { from: from.map(midnight), until: until.map(after).transpose()?.map(midnight) })
    }
}

/// Maximum number of periods.
pub const MAX_PERIODS: usize = 400;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grouping {
    #[default]
    Day,
    Week,
    Month,
}

impl std::str::FromStr for Grouping {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self> {
        match word {
            "day" => Ok(Self::Day),
            "week" => Ok(Self::Week),
            "month" => Ok(Self::Month),
            _ => Err(Error::invalid("groupBy", "must be day, week or month")),
        }
    }
}

impl Grouping {
    /// The name in the API and in PostgreSQL.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
        }
    }

    /// The first day of a day's period.
    fn start(self, day: NaiveDate) -> NaiveDate {
        let back = match self {
            Self::Day => 0,
            Self::Week => u64::from(day.weekday().num_days_from_monday()),
            Self::Month => u64::from(day.day0()),
        };
        day.checked_sub_days(Days::new(back)).unwrap_or(day)
    }

    /// The first day of the next period.
    fn next(self, start: NaiveDate) -> Option<NaiveDate> {
        match self {
            Self::Day => start.succ_opt(),
            Self::Week => start.checked_add_days(Days::new(7)),
            Self::Month => start.checked_add_months(Months::new(1)),
        }
    }
}

/// A range of days, grouped into periods.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Periods {
    pub by: Grouping,
    /// Inclusive.
    pub from: DateTime<Utc>,
    /// Exclusive.
    pub until: DateTime<Utc>,
    starts: Vec<NaiveDate>,
}

/// Counts rows per period, of one user or of all. The store passes the part of the statement from `FROM` to a
/// condition; rows need `created_at` and `user_id`. There is one statement per case, so that each gets its own plan.
macro_rules! counts {
    ($db:expr, $from:literal, $owner:expr, $periods:expr) => {
        match $owner {
            Some(owner) => $crate::periods::counts!(@ $db, $from, $periods, " AND user_id = $4", owner.0),
            None => $crate::periods::counts!(@ $db, $from, $periods, ""),
        }
    };
    (@ $db:expr, $from:literal, $periods:expr, $whose:literal $(, $owner:expr)?) => {
        sqlx::query!(
            "SELECT date_trunc($1, created_at, 'UTC') AS \"at!\", count(*) AS \"count!\" " + $from
                + " AND created_at >= $2 AND created_at < $3" + $whose + " GROUP BY 1",
            $periods.by.word(),
            $periods.from,
            $periods.until
            $(, $owner)?
        )
        .map(|row| (row.at, row.count))
        .fetch_all($db)
        .await
    };
}
pub(crate) use counts;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeriodCount {
    /// The first day; the first period may begin before the range.
    pub start: NaiveDate,
    pub count: i64,
}

impl Periods {
    /// From one day to another, both inclusive.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the last day is before the first, or for more than [`MAX_PERIODS`].
    pub fn new(first: NaiveDate, last: NaiveDate, by: Grouping) -> Result<Self> {
        if last < first {
            return Err(Error::invalid("endDate", "must not be before startDate"));
        }
        let starts: Vec<NaiveDate> = std::iter::successors(Some(by.start(first)), |start| by.next(*start))
            .take_while(|start| *start <= last)
            .take(MAX_PERIODS + 1)
            .collect();
        if starts.len() > MAX_PERIODS {
            let message =
                format!("there are more than {MAX_PERIODS} of these up to endDate; group by month, or ask for less");
            return Err(Error::invalid("startDate", message));
        }
        let after = last.succ_opt().ok_or_else(|| Error::invalid("endDate", "is beyond the calendar"))?;
        let midnight = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc();
        Ok(Self { by, from: midnight(first), until: midnight(after), starts })
    }

    /// The first days of all periods. The first period may begin before the range.
    #[must_use]
    pub fn starts(&self) -> &[NaiveDate] {
        &self.starts
    }

    /// All periods with their counts, including empty ones.
    #[must_use]
    pub fn filled(&self, found: Vec<(DateTime<Utc>, i64)>) -> Vec<PeriodCount> {
        let mut counts: BTreeMap<NaiveDate, i64> = self.starts.iter().map(|start| (*start, 0)).collect();
        for (at, count) in found {
            if let Some(sum) = counts.get_mut(&self.by.start(at.date_naive())) {
                *sum += count;
            }
        }
        counts.into_iter().map(|(start, count)| PeriodCount { start, count }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    fn starts(first: &str, last: &str, by: Grouping) -> Vec<String> {
        let periods = Periods::new(day(first), day(last), by).expect("periods");
        periods.filled(Vec::new()).iter().map(|period| period.start.to_string()).collect()
    }

    #[test]
    fn weeks_begin_on_monday_and_months_on_the_first() {
        assert_eq!(starts("2026-02-27", "2026-03-01", Grouping::Day), ["2026-02-27", "2026-02-28", "2026-03-01"]);
        assert_eq!(starts("2026-01-01", "2026-01-05", Grouping::Week), ["2025-12-29", "2026-01-05"]);
        assert_eq!(starts("2025-12-31", "2026-02-01", Grouping::Month), ["2025-12-01", "2026-01-01", "2026-02-01"]);
    }

    #[test]
    fn counts_fall_into_their_periods_and_others_are_zero() {
        let periods = Periods::new(day("2026-01-01"), day("2026-01-11"), Grouping::Week).expect("periods");
        let at = |text: &str| text.parse::<DateTime<Utc>>().expect("a time");
        let found =
            vec![(at("2025-12-29T00:00:00Z"), 2), (at("2026-01-05T00:00:00Z"), 3), (at("2027-01-01T00:00:00Z"), 9)];
        let counts: Vec<i64> = periods.filled(found).iter().map(|period| period.count).collect();
        assert_eq!(counts, [2, 3]);
        assert_eq!(periods.until.to_string(), "2026-01-12 00:00:00 UTC");
    }

    #[test]
    fn no_answer_is_longer_than_all_periods() {
        assert!(Periods::new(day("2026-01-02"), day("2026-01-01"), Grouping::Day).is_err());
        assert!(Periods::new(day("1970-01-01"), day("2026-01-01"), Grouping::Day).is_err());
        assert!(Periods::new(NaiveDate::MIN, NaiveDate::MAX, Grouping::Month).is_err());
        assert!(Periods::new(NaiveDate::MAX, NaiveDate::MAX, Grouping::Day).is_err());
        assert!(Periods::new(day("2025-01-01"), day("2026-01-01"), Grouping::Day).is_ok());
    }
}
