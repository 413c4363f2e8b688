//! A job as admins list it, and their filter.

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::filter::TimeRange;
use crate::ids::{JobId, UserId, WorkerId, WorkflowApiId, WorkflowApiVersionId};
use crate::jobs::labels::JobLabels;
use crate::jobs::price_classes::class::PriceClass;
use crate::jobs::status::{Lane, Status};

/// Which of all users' jobs match. `None` is no condition.
#[derive(Debug, Clone, Default)]
pub struct AnyJobFilter {
    /// Any of these; empty for all.
    pub statuses: Vec<Status>,
    pub user: Option<UserId>,
    /// Jobs that ran any version of this mini app.
    pub app: Option<WorkflowApiId>,
    /// Jobs with all of these.
    pub labels: Option<JobLabels>,
    pub pool: Option<String>,
    /// Jobs that this worker ran last.
    pub worker: Option<WorkerId>,
    pub lane: Option<Lane>,
    pub price_class: Option<PriceClass>,
    /// The type of a node's exception, such as `RuntimeError`.
    pub exception: Option<String>,
    pub created: TimeRange,
}

/// A job as admins list it.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedJob {
    pub id: JobId,
    pub user: UserId,
    pub status: Status,
    pub lane: Lane,
    pub price_class: PriceClass,
    pub pool: String,
    /// The worker that was chosen last, and its name while it is known.
    pub worker: Option<(WorkerId, Option<String>)>,
    /// The number of claims.
    pub attempt: i16,
    /// The version of the mini app; `None` for a raw prompt.
    pub version: Option<WorkflowApiVersionId>,
    /// As those of a [`crate::jobs::Job`].
    pub execute_exception: Option<Value>,
    pub validate_exception: Option<Value>,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    /// Time on the worker, in milliseconds.
    pub ran_ms: Option<i64>,
    pub credits_used: Option<i64>,
    pub labels: JobLabels,
}
