//! Counts over time.

use chrono::{DateTime, Days, NaiveDate, Utc};
use serde::Deserialize;
use verdigraph_core::Error;
use verdigraph_core::periods::{Grouping, Periods};

use crate::described::IntoParams;
use crate::moment;
use crate::views::words::PeriodWord;

/// Days that are counted where nothing is said.
const DEFAULT_DAYS: u64 = 30;

/// Which days are counted, and how they are put together.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StatsQuery {
    /// The first day, in UTC: `2026-01-31`, or a time of that day. 29 days before the last one when it is left out.
    #[param(example = "2026-01-01")]
    start_date: Option<String>,
    /// The last day, which counts too. Today when it is left out.
    #[param(example = "2026-01-31")]
    end_date: Option<String>,
    /// `day` (the default), `week` (from Monday) or `month`.
    #[param(inline, value_type = Option<PeriodWord>)]
    group_by: Option<String>,
}

impl StatsQuery {
    /// The periods that are asked for.
    ///
    /// # Errors
    /// [`Error::Invalid`] for what is no day or no period, or too many of them.
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
