//! What is sent to be run, and what is answered.

use std::collections::HashMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::ids::{AssetId, BatchId, JobId, WorkflowApiId};

/// A mini app with its form filled in.
#[derive(Debug, Clone)]
pub struct FormSubmit {
    pub app: WorkflowApiId,
    /// Values by API field name; a seed of -1 asks for a fresh one.
    pub form: Map<String, Value>,
    pub idempotency_key: Option<String>,
    /// The batch that it belongs to.
    pub batch: Option<BatchId>,
}

/// A raw prompt in API format.
#[derive(Debug, Clone)]
pub struct PromptSubmit {
    pub prompt: Box<RawValue>,
    /// The uploaded asset for each file that the prompt names.
    pub files: HashMap<String, AssetId>,
    /// `extra_pnginfo` and the like, for the worker.
    pub extra_data: Option<Box<RawValue>>,
    /// Whether it is refused where any of its outputs cannot be made.
    pub strict: bool,
    pub idempotency_key: Option<String>,
    /// The batch that it belongs to.
    pub batch: Option<BatchId>,
}

/// A job that was accepted, now or by an earlier request with the same key.
#[derive(Debug, Clone, PartialEq)]
pub struct Submitted {
    pub id: JobId,
    /// The seed of each seed field.
    pub seeds: Value,
    /// What is wrong with outputs that are left out, in ComfyUI's shape.
    pub node_errors: Value,
    /// How many connected workers can run it; `None` where an earlier request had made it.
    pub workers: Option<usize>,
    /// Whether an earlier request with the same key had made it.
    pub replayed: bool,
}
