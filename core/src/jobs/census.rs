//! How many jobs are where, for operators: cheap enough to be asked every few seconds, however many wait.

use chrono::{DateTime, Utc};

use super::status::{Lane, Status};
use super::store::flight;
use crate::fleet::{self, WorkerState, WorkerView};
use crate::ids::WorkerId;
use crate::{Caller, Core, Result};

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

/// Every worker of the installation and what it does, also for another node.
///
/// # Errors
/// [`crate::Error::Forbidden`] for anybody but admins; database errors.
pub async fn workers(core: &Core, caller: &Caller) -> Result<Vec<WorkerView>> {
    let mut workers = fleet::list(core, caller)?;
    let elsewhere: Vec<WorkerId> =
        workers.iter().filter(|worker| worker.node != Some(core.node)).map(|worker| worker.id).collect();
    if elsewhere.is_empty() {
        return Ok(workers);
    }
    let running = flight::at_workers(&core.db, &elsewhere).await?;
    for worker in &mut workers {
        let Some(job) = running.get(&worker.id) else { continue };
        worker.job = Some(*job);
        if worker.state == WorkerState::Idle {
            worker.state = WorkerState::Busy;
        }
    }
    Ok(workers)
}
