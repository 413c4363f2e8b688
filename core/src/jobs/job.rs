//! The read model of a job.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::labels::JobLabels;
use super::price_classes::class::PriceClass;
use super::status::{Lane, Status};
use crate::Error;
use crate::ids::{BatchId, JobId, UserId, WorkflowApiVersionId};

#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub id: JobId,
    pub user: UserId,
    pub status: Status,
    pub lane: Lane,
    pub pool: String,
    /// The number of claims.
    pub attempt: i16,
    /// The version of the mini app; `None` for a raw prompt.
    pub version: Option<WorkflowApiVersionId>,
    /// The content hash of the raw prompt.
    pub prompt_hash: Option<String>,
    /// The submitted form, with defaults.
    pub form: Option<Value>,
    /// The used seed of each seed field.
    pub seeds: Option<Value>,
    /// The exception of a node: `exception_message`, `exception_type`, `node_id`, `node_type`, `traceback`.
    pub execute_exception: Option<Value>,
    /// Why it was refused or could not run: `message`, and ComfyUI's `error` and `node_errors` if there are any.
    pub validate_exception: Option<Value>,
    /// The errors of omitted outputs in ComfyUI's format: node id → `errors`, `dependent_outputs`, `class_type`.
    pub node_errors: Option<Value>,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    /// Time on the worker, in milliseconds.
    pub ran_ms: Option<i64>,
    pub credits_used: Option<i64>,
    /// The estimate at the submit, in milliseconds.
    pub estimate_ms: i64,
    /// The most that it may cost, if its submit or its owner said so.
    pub max_credits: Option<i64>,
    /// The part of the pool's price that it costs.
    pub percent: i16,
    /// When it must have ended, if its submit says so.
    pub deadline: Option<DateTime<Utc>>,
    /// When it left the lane flex because of its deadline, or its long wait.
    pub promoted_at: Option<DateTime<Utc>>,
    pub batch: Option<BatchId>,
    /// The labels that its submit gave it.
    pub labels: JobLabels,
    /// Whether it is in flight and will be canceled.
    pub is_cancel_requested: bool,
    /// The hash of the needs.
    pub needs: String,
    /// The virtual start time. The lowest one is served first.
    pub vstart: i64,
}

impl Job {
    #[must_use]
    pub fn price_class(&self) -> PriceClass {
        PriceClass::of(self.lane, self.promoted_at)
    }
}

/// The error for a job that does not exist or belongs to another account.
pub(super) fn not_found() -> Error {
    Error::NotFound { what: "job" }
}
