//! A job, as everybody reads it.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::status::{Lane, Status};
use crate::Error;
use crate::ids::{BatchId, JobId, UserId, WorkflowApiVersionId};

/// A run.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub id: JobId,
    pub user: UserId,
    pub status: Status,
    pub lane: Lane,
    pub pool: String,
    /// How often a worker was chosen for it.
    pub attempt: i16,
    /// The version of the mini app it runs; `None` for a raw prompt.
    pub version: Option<WorkflowApiVersionId>,
    /// The content hash of the raw prompt it runs.
    pub prompt_hash: Option<String>,
    /// The form as it was submitted, with the defaults filled in.
    pub form: Option<Value>,
    /// The seed that was used, by form field.
    pub seeds: Option<Value>,
    /// What a node raised: `exception_message`, `exception_type`, `node_id`, `node_type`, `traceback`.
    pub execute_exception: Option<Value>,
    /// Why it was refused or could not run: `message`, and ComfyUI's `error` and `node_errors` where it has them.
    pub validate_exception: Option<Value>,
    /// What is wrong with outputs that were left out, in ComfyUI's shape: node id → `errors`, `dependent_outputs`,
    /// `class_type`.
    pub node_errors: Option<Value>,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    /// Time on the worker, in milliseconds.
    pub ran_ms: Option<i64>,
    pub credits_used: Option<i64>,
    /// What it was expected to run when it was accepted, in milliseconds.
    pub estimate_ms: i64,
    /// The batch that it was sent in.
    pub batch: Option<BatchId>,
    /// The hash of what a worker must have.
    pub needs: String,
    /// Its virtual start time: the lower, the earlier.
    pub vstart: i64,
}

/// The error of a job that nobody may see.
pub(super) fn not_found() -> Error {
    Error::NotFound { what: "job" }
}
