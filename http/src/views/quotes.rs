//! Prices and times of runs before they are submitted.

use serde::Serialize;

use super::jobs::EtaView;
use crate::openapi::ToSchema;

/// What a run costs and how long it takes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuoteView {
    /// The pool in which it would run now.
    pub pool: String,
    pub pool_title: String,
    pub credits_per_second: i64,
    /// How many connected workers can run it.
    pub workers: usize,
    /// `null` until the first run has ended.
    pub expected: Option<ExpectedRunView>,
    /// The price of the longest run that the plan allows. A longer one is stopped.
    pub most_credits: i64,
    pub most_run_ms: i64,
    /// When it would start; `null` if no connected worker can run it.
    pub eta_seconds: Option<EtaView>,
}

/// By earlier runs. Few runs exceed the upper values.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExpectedRunView {
    pub run_ms: i64,
    pub upper_run_ms: i64,
    pub credits: i64,
    pub upper_credits: i64,
}
