//! How many jobs are where, for operators: cheap enough to be asked every few seconds, however many wait.

use chrono::{DateTime, Utc};

use super::status::{Lane, Status};
use super::store::flight;
use crate::{Core, Result};

/// Jobs that have not ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Census {
    /// How many wait in each lane of each pool, as this node knows.
    pub waiting: Vec<(String, Lane, i64)>,
    /// How many are in flight on all nodes, by pool, lane and status.
    pub in_flight: Vec<(String, Lane, Status, i64)>,
    /// Since when the oldest of the next jobs waits, in each lane in which any does. Of a long lane only the head is
    /// looked at: what stands behind it waits for its own account.
    pub oldest: Vec<(String, Lane, DateTime<Utc>)>,
}

/// Counts.
///
/// # Errors
/// Database errors.
pub async fn census(core: &Core) -> Result<Census> {
    let waiting = core.queue.waiting().by_lane();
    let lanes: Vec<(String, Lane)> =
        waiting.iter().filter(|(.., count)| *count > 0).map(|(pool, lane, _)| (pool.clone(), *lane)).collect();
    let oldest = if lanes.is_empty() { Vec::new() } else { flight::oldest(&core.db, &lanes).await? };
    Ok(Census { waiting, in_flight: flight::counts(&core.db).await?, oldest })
}
