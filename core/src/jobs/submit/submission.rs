//! Submits and their results.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::ids::{AssetId, BatchId, JobId, WorkflowApiId, WorkflowApiVersionId};
use crate::jobs::labels::JobLabels;
use crate::jobs::price_classes::class::PriceClass;

/// What a run may cost, and by when it must have ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunTerms {
    /// The most that the job may cost; `None` for the longest run of the plan.
    pub max_credits: Option<i64>,
    /// Whether it is refused where such runs usually cost more. Otherwise it is stopped when it has cost that much.
    pub must_fit: bool,
    pub class: PriceClass,
    pub deadline: Option<DateTime<Utc>>,
}

/// A submit of a mini app.
#[derive(Debug, Clone)]
pub struct FormSubmit {
    pub app: WorkflowApiId,
    /// The version to run; `None` for the current one.
    pub version: Option<WorkflowApiVersionId>,
    /// Values by API field name; a seed of -1 asks for a random one.
    pub form: Map<String, Value>,
    pub terms: RunTerms,
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
    pub terms: RunTerms,
    pub idempotency_key: Option<String>,
    pub batch: Option<BatchId>,
    pub labels: JobLabels,
}

impl RunTerms {
    /// What differs from a submit without terms, for the hash of an idempotent request.
    pub(super) fn parts(self) -> impl Iterator<Item = Value> {
        let class = (self.class != PriceClass::Standard).then(|| json!(self.class.name()));
        let deadline = self.deadline.map(|deadline| json!(deadline));
        [self.max_credits.map(Value::from), class, deadline].into_iter().flatten()
    }
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
