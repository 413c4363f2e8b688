//! Counts and statistics of the generic calls.

use chrono::NaiveDate;
use serde::Serialize;
use verdigraph_core::list::MAX_COUNT;
use verdigraph_core::periods::PeriodCount;

use crate::openapi::ToSchema;

/// A number of items.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResourceCountView {
    /// Up to 100,000.
    pub count: i64,
    /// Whether there may be more than counted.
    pub is_more: bool,
}

impl From<i64> for ResourceCountView {
    fn from(count: i64) -> Self {
        Self { count, is_more: count >= MAX_COUNT }
    }
}

/// How many items were created in each period.
#[derive(Debug, Serialize, ToSchema)]
pub struct StatsView {
    /// The oldest period first, including empty ones.
    pub items: Vec<PeriodView>,
    pub total: i64,
}

/// One period.
#[derive(Debug, Serialize, ToSchema)]
pub struct PeriodView {
    /// Its first day.
    pub date: NaiveDate,
    pub count: i64,
}

impl From<Vec<PeriodCount>> for StatsView {
    fn from(periods: Vec<PeriodCount>) -> Self {
        let total = periods.iter().map(|period| period.count).sum();
        let items = periods.into_iter().map(|period| PeriodView { date: period.start, count: period.count }).collect();
        Self { items, total }
    }
}

/// How many were deleted.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeletedView {
    pub deleted_count: u64,
}
