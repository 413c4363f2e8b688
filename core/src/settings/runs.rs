//! Settings of jobs: the queue, their outputs and their price.

use serde::Deserialize;

use super::error::SettingsError;

#[derive(Debug, Clone, Deserialize)]
pub struct JobSettings {
    pub max_waiting: u64,
    pub lease_seconds: u64,
    pub heartbeat_seconds: u64,
    pub sweep_seconds: u64,
    pub retries: u32,
    pub no_worker_seconds: u64,
    pub accept_seconds: u64,
    pub gone_seconds: u64,
    pub silent_seconds: u64,
    pub stuck_seconds: u64,
    pub stop_seconds: u64,
    pub collect_seconds: u64,
    pub output_hold_seconds: u64,
    pub warm_window_seconds: u64,
    pub lane_shares: [u32; 3],
    pub hold_seconds: u64,
    pub idempotency_hours: u32,
    /// Full months that jobs are kept; 0 keeps them forever.
    pub keep_months: u32,
}

#[derive(Debug, Clone, Deserialize)]
pub struct OutputSettings {
    /// Days that outputs are kept.
    pub days: u32,
}

#[derive(Debug, Clone, Deserialize)]
pub struct CreditSettings {
    /// Days until a grant expires.
    pub days: u32,
    /// What a run of the class flex costs, in percent of the pool's price.
    pub flex_percent: u8,
}

/// Deadlines and the class flex.
#[derive(Debug, Clone, Deserialize)]
pub struct QueueSettings {
    /// A flex job without a deadline that has waited for so long is promoted.
    pub flex_longest_wait_seconds: u64,
    /// A run with a deadline is planned to end so long before it.
    pub deadline_margin_seconds: u64,
}

/// Checks the ranges of these settings.
pub(super) fn check(jobs: &JobSettings, credits: &CreditSettings) -> Result<(), SettingsError> {
    if jobs.lane_shares.contains(&0) {
        return Err(SettingsError("jobs.lane_shares: each share must be at least 1".to_owned()));
    }
    if jobs.lease_seconds <= jobs.heartbeat_seconds {
        return Err(SettingsError("jobs.lease_seconds: must be more than jobs.heartbeat_seconds".to_owned()));
    }
    if !(1..=100).contains(&credits.flex_percent) {
        return Err(SettingsError("credits.flex_percent: must be between 1 and 100".to_owned()));
    }
    Ok(())
}
