//! Batches and the outcomes of their items.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;
use verdigraph_core::jobs::{Batch, BatchStatus};

use crate::error::ErrorLine;
use crate::openapi::ToSchema;

/// The outcome of an item: `id`, `seeds` and `replayed`, or `error`.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemView {
    /// The line of the upload, from 1.
    pub line: u64,
    /// The item's key, if it could be read.
    pub key: Option<String>,
    /// The job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// The seeds that were drawn for fields given as -1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub seeds: Option<Map<String, Value>>,
    /// Whether an earlier upload created the job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorLine>,
}

/// Jobs sent in one file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The `Idempotency-Key` of its upload.
    pub key: Option<String>,
    pub created_at: DateTime<Utc>,
    /// When its cancellation began; it accepts no more items.
    pub cancel_requested_at: Option<DateTime<Utc>>,
    /// When all of its jobs had ended and no upload was open. Later jobs reopen the batch, and this is null until
    /// they have ended too.
    pub finished_at: Option<DateTime<Utc>>,
}

/// A batch's progress.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchStatusView {
    #[serde(flatten)]
    pub batch: BatchView,
    /// All of its jobs.
    pub total: i64,
    /// Jobs that are pending or running.
    pub active: i64,
    /// Number of jobs by status, without zeros.
    pub statuses: BTreeMap<&'static str, i64>,
    pub first_started_at: Option<DateTime<Utc>>,
    pub last_ended_at: Option<DateTime<Utc>>,
}

impl From<Batch> for BatchView {
    fn from(batch: Batch) -> Self {
        let Batch { id, key, created_at, cancel_requested_at, finished_at, .. } = batch;
        Self { id: id.0, key, created_at, cancel_requested_at, finished_at }
    }
}

impl From<BatchStatus> for BatchStatusView {
    fn from(status: BatchStatus) -> Self {
        Self {
            total: status.total(),
            active: status.active(),
            statuses: status.counts.iter().map(|(status, count)| (status.name(), *count)).collect(),
            first_started_at: status.first_started_at,
            last_ended_at: status.last_ended_at,
            batch: status.batch.into(),
        }
    }
}
