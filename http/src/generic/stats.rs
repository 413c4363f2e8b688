//! Counts over time.

use chrono::{DateTime, Days, NaiveDate, Utc};
use serde::Deserialize;
use verdigraph_core::Error;
use verdigraph_core::periods::{Grouping, Periods};

use crate::moment;
use crate::openapi::IntoParams;
use crate::views::words::PeriodWord;

/// Days counted by default.
const DEFAULT_DAYS: u64 = 30;

/// The days to count, and how to group them.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StatsQuery {
    /// The first day, in UTC: `2026-01-31`, or a time of that day. By default 29 days before the last one.
    #[param(example = "2026-01-01")]
    start_date: Option<String>,
    /// The last day, inclusive. Today by default.
    #[param(example = "2026-01-31")]
    end_date: Option<String>,
    /// `day` (the default), `week` (from Monday) or `month`.
    #[param(inline, value_type = Option<PeriodWord>)]
    group_by: Option<String>,
}

impl StatsQuery {
    /// The periods.
    pub fn periods(&self, now: DateTime<Utc>) -> Result<Periods, Error> {
        let last = self.end_date.as_deref().map(|text| day("endDate", text)).transpose()?;
        let last = last.unwrap_or_else(|| now.date_naive());
        let first = self.start_date.as_deref().map(|text| day("startDate", text)).transpose()?;
        let first = first.or_else(|| last.checked_sub_days(Days::new(DEFAULT_DAYS - 1))).unwrap_or(last);
        let by = self.group_by.as_deref().map(str::parse::<Grouping>).transpose()?.unwrap_or_default();
        Periods::new(first, last, by)
    }
}

fn day(field: &str, text: &str) -> Result<NaiveDate, Error> {
    moment::day(text).ok_or_else(|| Error::invalid(field, "must be a day, such as 2026-01-31"))
}
