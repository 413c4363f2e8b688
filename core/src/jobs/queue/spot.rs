//! Who stands in a queue and who runs, as far as forecasts need it.

use chrono::{DateTime, Utc};

use crate::ids::{JobId, UserId, WorkerId};
use crate::jobs::job::Job;
use crate::jobs::status::Lane;

/// What the place of a waiting job depends on.
#[derive(Debug, Clone)]
pub(in crate::jobs) struct Spot {
    pub id: JobId,
    pub pool: String,
    pub lane: Lane,
    pub vstart: i64,
    /// The hash of what a worker must have.
    pub needs: String,
}

impl From<&Job> for Spot {
    fn from(job: &Job) -> Self {
        let Job { id, lane, vstart, .. } = *job;
        Self { id, lane, vstart, pool: job.pool.clone(), needs: job.needs.clone() }
    }
}

/// A waiting job, as the line shows it.
#[derive(Debug, Clone)]
pub(crate) struct Waiter {
    pub id: JobId,
    pub user: UserId,
    pub vstart: i64,
    /// What its estimate is learned by.
    pub kind: String,
}

/// A job in flight.
#[derive(Debug, Clone)]
pub(crate) struct Runner {
    pub worker: Option<WorkerId>,
    pub kind: String,
    /// When the worker began to execute it.
    pub started_at: Option<DateTime<Utc>>,
}
