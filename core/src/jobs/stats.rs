//! Counts of jobs for operators. Their cost does not depend on the number of waiting jobs.

use chrono::{DateTime, Utc};

use super::status::{Lane, Status};
use super::store::flight;
use crate::fleet::{self, WorkerState, WorkerView};
use crate::ids::WorkerId;
use crate::{Caller, Core, Result};

/// Counts of unfinished jobs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct QueueStats {
    /// This node's counts of waiting jobs.
    pub waiting: Vec<(String, Lane, i64)>,
    /// Jobs in flight on all nodes.
    pub in_flight: Vec<(String, Lane, Status, i64)>,
    /// When the oldest of the next jobs of each lane was accepted. Later jobs of a long lane wait for jobs of their own
    /// account, and do not count.
    pub oldest: Vec<(String, Lane, DateTime<Utc>)>,
}

pub async fn queue_stats(core: &Core) -> Result<QueueStats> {
    let waiting = core.queue.waiting().by_lane();
    let lanes: Vec<(String, Lane)> =
        waiting.iter().filter(|(.., count)| *count > 0).map(|(pool, lane, _)| (pool.clone(), *lane)).collect();
    let oldest = if lanes.is_empty() { Vec::new() } else { flight::oldest(&core.db, &lanes).await? };
    Ok(QueueStats { waiting, in_flight: flight::counts(&core.db).await?, oldest })
}

/// All workers of the installation with their current jobs, for admins.
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
