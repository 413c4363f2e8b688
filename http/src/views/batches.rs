//! Batches, and the answers to their items.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;
use verdigraph_core::jobs::{Batch, BatchStatus};

use crate::described::ToSchema;
use crate::error::ErrorLine;

/// What became of one item: `id`, `seeds` and `replayed`, or `error`.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemView {
    /// The line of the upload, counted from 1.
    pub line: u64,
    /// The item's key, where it could be read.
    pub key: Option<String>,
    /// The job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// The seeds that were drawn for fields given as -1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub seeds: Option<Map<String, Value>>,
    /// Whether the job was there already, made by an earlier upload.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorLine>,
}

/// Jobs that were sent in one file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The `Idempotency-Key` of its upload.
    pub key: Option<String>,
    pub created_at: DateTime<Utc>,
    /// Since when it is being canceled; nothing more is accepted into it.
    pub cancel_requested_at: Option<DateTime<Utc>>,
    /// When all of its jobs had ended and nobody was sending more. Jobs that come later open it again, and this is null
    /// until they have ended too.
    pub finished_at: Option<DateTime<Utc>>,
}

/// How far a batch is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchStatusView {
    #[serde(flatten)]
    pub batch: BatchView,
    /// All of its jobs.
    pub total: i64,
    /// Jobs that wait or run.
    pub active: i64,
    /// Status → number of jobs; statuses without any are left out.
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
