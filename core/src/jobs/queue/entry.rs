//! Rows of the queue, as positions and forecasts need them.

use chrono::{DateTime, Utc};

use crate::ids::{JobId, UserId, WorkerId};
use crate::jobs::job::Job;
use crate::jobs::status::Lane;

/// The part of a waiting job's row that its position depends on.
#[derive(Debug, Clone)]
pub(in crate::jobs) struct QueueEntry {
    pub id: JobId,
    pub pool: String,
    pub lane: Lane,
    pub vstart: i64,
    /// The hash of the needs.
    pub needs: String,
}

impl From<&Job> for QueueEntry {
    fn from(job: &Job) -> Self {
        let Job { id, lane, vstart, .. } = *job;
        Self { id, lane, vstart, pool: job.pool.clone(), needs: job.needs.clone() }
    }
}

/// A waiting job in a snapshot.
#[derive(Debug, Clone)]
pub(crate) struct LaneJob {
    pub id: JobId,
    pub user: UserId,
    pub vstart: i64,
    /// The key of its estimate.
    pub kind: String,
}

/// A job in flight in a snapshot.
#[derive(Debug, Clone)]
pub(crate) struct RunningJob {
    pub worker: Option<WorkerId>,
    pub kind: String,
    /// When the worker began to execute it.
    pub started_at: Option<DateTime<Utc>>,
}
