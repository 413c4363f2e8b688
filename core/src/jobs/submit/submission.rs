//! Submits and their results.

use std::collections::HashMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::ids::{AssetId, BatchId, JobId, WorkflowApiId, WorkflowApiVersionId};
use crate::jobs::labels::JobLabels;

/// A submit of a mini app.
#[derive(Debug, Clone)]
pub struct FormSubmit {
    pub app: WorkflowApiId,
    /// The version to run; `None` for the current one.
    pub version: Option<WorkflowApiVersionId>,
    /// Values by API field name; a seed of -1 asks for a random one.
    pub form: Map<String, Value>,
    /// The most that the job may cost; `None` for the longest run of the plan.
    pub max_credits: Option<i64>,
    pub idempotency_key: Option<String>,
    pub batch: Option<BatchId>,
    pub labels: JobLabels,
}

/// A submit of a raw prompt in API format.
#[derive(Debug, Clone)]
pub struct PromptSubmit {
    pub prompt: Box<RawValue>,
    /// The upload of each file name in the prompt.
    pub files: HashMap<String, AssetId>,
    /// `extra_pnginfo` and the like, for the worker.
    pub extra_data: Option<Box<RawValue>>,
    /// Whether the prompt is refused if any of its outputs is invalid.
    pub strict: bool,
    /// As in [`FormSubmit`].
    pub max_credits: Option<i64>,
    pub idempotency_key: Option<String>,
    pub batch: Option<BatchId>,
    pub labels: JobLabels,
}

/// An accepted job.
#[derive(Debug, Clone, PartialEq)]
pub struct Submitted {
    pub id: JobId,
    /// The seed of each seed field.
    pub seeds: Value,
    /// The errors of omitted outputs in ComfyUI's format.
    pub node_errors: Value,
    /// The number of connected workers that can run it; `None` for a replayed submit.
    pub workers: Option<usize>,
    /// Whether an earlier request with the same key created the job.
    pub replayed: bool,
}
