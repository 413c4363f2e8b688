//! Filter of jobs.

use super::labels::JobLabels;
use super::status::Status;
use crate::filter::TimeRange;
use crate::ids::{BatchId, JobId, WorkflowApiId};

/// Which jobs match. `None` is no condition.
#[derive(Debug, Clone, Default)]
pub struct JobFilter {
    /// Any of these; empty for all.
    pub statuses: Vec<Status>,
    pub batch: Option<BatchId>,
    /// Jobs that ran any version of this mini app.
    pub app: Option<WorkflowApiId>,
    /// Jobs with all of these.
    pub labels: Option<JobLabels>,
    pub ids: Option<Vec<JobId>>,
    pub created: TimeRange,
}
