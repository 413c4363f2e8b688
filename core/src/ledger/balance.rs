//! The balance of an account.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;

/// The maximum credits of an account, available and held together. JSON numbers can carry it, and sums over all
/// accounts stay far below 64 bits.
pub const MAX_BALANCE: i64 = 1_000_000_000_000_000;

/// A balance in credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Balance {
    /// Free to be held by the next job.
    pub available: i64,
    /// Held by jobs that have not ended.
    pub held: i64,
}

/// What an account has spent on the last day of UTC with a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DaySpending {
    pub day: NaiveDate,
    pub spent: i64,
}

impl DaySpending {
    /// What was spent on the day of this time.
    #[must_use]
    pub fn on(self, now: DateTime<Utc>) -> i64 {
        if self.day == now.date_naive() { self.spent } else { 0 }
    }

    pub(super) fn add(&mut self, now: DateTime<Utc>, spent: i64) {
        *self = Self { day: now.date_naive(), spent: self.on(now).saturating_add(spent) };
    }
}
