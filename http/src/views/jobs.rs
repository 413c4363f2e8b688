//! Jobs, their status and their outputs.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::translations::{ByLanguageView, TranslationView};
use super::words::PriceClassWord;
use super::workflows::WorkflowCard;
use crate::openapi::ToSchema;

/// An accepted job.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubmittedView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub status: &'static str,
    /// The seeds that were drawn for fields given as -1.
    #[schema(value_type = Object)]
    pub seeds: Map<String, Value>,
    /// Errors of outputs that are left out, as ComfyUI's `node_errors`: node id → `errors`, `dependent_outputs`,
    /// `class_type`. Empty if all outputs are made.
    #[schema(value_type = Object)]
    pub node_errors: Map<String, Value>,
    /// How many connected workers can run it; `null` if an earlier request with the same key created it.
    pub workers: Option<usize>,
}

/// Id and status.
#[derive(Debug, Serialize, ToSchema)]
pub struct CanceledView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub status: &'static str,
}

/// The status that a waiting page requests every two seconds.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// One of the 15 statuses: `Pending`, `Running`, `Done`, ….
    pub status: &'static str,
    /// Where the cause of a failed job is: `graph` (a node or a value), `account` (a limit of plan or credits), or
    /// `server` (a worker; nothing is charged). `null` for a job that did not fail.
    pub fault: Option<&'static str>,
    /// The exception of a node: `exception_message`, `exception_type`, `node_id`, `node_type`, and `traceback`, its last
    /// lines on the worker.
    pub execute_exception: Option<Value>,
    /// `message`, and ComfyUI's `error` and `node_errors`.
    pub validate_exception: Option<Value>,
    /// ComfyUI's `node_errors` of outputs that were left out because they cannot be made.
    pub node_errors: Option<Value>,
    pub queue: Option<QueueView>,
    pub progress: Option<ProgressView>,
}

/// The position in the queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueueView {
    /// Counts from 1; 1001 means more than a thousand.
    pub position: i64,
    /// When it will start, estimated from recent jobs; `null` if no connected worker can run it.
    pub eta_seconds: Option<EtaView>,
}

/// What a job waits for.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhyView {
    /// For programs: `NEXT`, `WORKERS_BUSY`, `OWN_JOBS_AHEAD`, `OTHER_JOBS_AHEAD`, `NO_WORKER`, `WORKERS_AWAY`,
    /// `WORKERS_KEPT_OUT`, `MISSING_CAPABILITY`, `RETRY_PAUSE`, `STOPPING`, `STARTING`, `STORAGE_AWAY`,
    /// `QUEUED_AT_WORKER`, `RUNNING`, `RUNNING_ON_LAST_CREDITS`, `ENDED`.
    pub code: &'static str,
    /// One sentence; its wording may change.
    pub message: String,
    /// The numbers and names in the sentence.
    #[schema(value_type = Object)]
    pub details: Value,
    /// What would let it start.
    pub released_by: String,
}

/// Bounds of an estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct EtaView {
    pub low: i64,
    pub high: i64,
}

/// Progress of a running job.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProgressView {
    pub node_id: String,
    /// Its title in the graph.
    pub node_title: String,
    /// Steps of the running node.
    pub value: f64,
    pub max: f64,
    pub nodes_done: usize,
    pub nodes_total: usize,
}

/// A job with everything that its owner may know.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub status: &'static str,
    /// As in the call `status`.
    pub fault: Option<&'static str>,
    pub execute_exception: Option<Value>,
    pub validate_exception: Option<Value>,
    /// ComfyUI's `node_errors` of outputs that were left out because they cannot be made.
    pub node_errors: Option<Value>,
    /// Of one ended job, requested by id: its nodes' results as in ComfyUI's history (node id → output type →
    /// `filename`, `subfolder` and `type` of each file, or texts), with the `url` of each file. Else `null`.
    /// `api-outputs` has more.
    pub prompt_result: Option<Value>,
    pub workflow_api: Option<Uuid>,
    /// The version of the mini app that it runs.
    pub workflow_api_version: Option<Uuid>,
    pub workflow: Option<WorkflowCard>,
    /// `interactive`, `api`, `training` or `flex`. A promoted job has the lane of its submit.
    pub lane: &'static str,
    pub pool: String,
    /// How many times a worker was chosen for it.
    pub attempt: i16,
    /// Its batch.
    pub batch: Option<Uuid>,
    /// The labels that its submit gave it.
    pub labels: BTreeMap<String, String>,
    pub price_class: PriceClassWord,
    /// When it must have ended, if its submit says so.
    pub deadline: Option<DateTime<Utc>>,
    /// When a job of the class `flex` stopped to wait for idle workers, because of its deadline or a long wait.
    pub promoted_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    pub duration_ms: Option<i64>,
    pub credits: JobCredits,
    /// Its result as a list shows it; `null` while there is nothing to show.
    pub result: Option<JobResult>,
    /// Outputs that it could not deliver. A job that delivered anything is `Done` all the same; one that can deliver
    /// nothing ends as `WorkerExceptionError` and costs nothing.
    pub undelivered: Vec<UndeliveredView>,
    /// The submitted values of the form.
    pub form: Option<Value>,
    #[schema(value_type = Object)]
    pub seeds: Map<String, Value>,
}

/// What represents a job in a list: its first picture or video.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobResult {
    pub output_asset: Uuid,
    /// `image` or `video`.
    pub kind: &'static str,
    /// 200 pixels wide; `null` for a video without a poster, and for a picture without a preview.
    pub thumbnail_url: Option<String>,
    pub blur_hash: Option<String>,
    pub is_nsfw: bool,
    pub is_private: bool,
    /// How many pictures and videos it made; 8 means 8 or more.
    pub count: usize,
}

/// A job's cost.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobCredits {
    /// Held until the end.
    pub held: i64,
    /// Charged at the end; `null` until then.
    pub used: Option<i64>,
    /// The most that it may cost, if its submit or its owner said so.
    pub most: Option<i64>,
}

/// The outputs of one node.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NodeOutputsView {
    pub node_id: String,
    pub name: String,
    /// The name in other languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translations: Option<ByLanguageView<TranslationView>>,
    /// Output type (`images`, `text`, `gifs`, `audio`, `files`) → its items, in order.
    #[schema(value_type = Object)]
    pub outputs: Map<String, Value>,
    /// Outputs of the node that the job could not deliver.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undelivered: Vec<UndeliveredView>,
}

/// A node's file, text or value that the job could not deliver as it was made.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UndeliveredView {
    pub node_id: String,
    /// The file's name, or the key of the node's output; empty if it counts several.
    pub name: String,
    /// For programs: `FILE_REFUSED`, `FILE_MISSING`, `FILE_EMPTY`, `FILE_CUT_OFF`, `FILE_TOO_LARGE`,
    /// `TOO_MANY_FILES`, `FILE_NOT_STORED`, `WORKER_ERROR`, `NOT_IN_TIME`, `HIDDEN_BY_MODERATOR`; `TEXT_CUT` (the
    /// beginning is delivered), `TOO_MANY_TEXTS`, `VALUE_NOT_SHOWN` (neither a text nor a number nor a file),
    /// `VALUE_TOO_LARGE`.
    pub code: &'static str,
    /// One sentence; its wording may change.
    pub message: String,
    /// How many outputs it counts.
    pub count: usize,
}

/// A file among the outputs.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileOutputView {
    pub url: String,
    /// The file name from the worker. `null` for pictures that are in no folder of the worker.
    pub file_name: Option<String>,
    /// The address that downloads the file under that name.
    pub download_url: Option<String>,
    /// The file with prompt and graph in it, if there is one, for the owner of what ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original_url: Option<String>,
    /// Its id in the gallery.
    pub output_asset: Uuid,
    pub width: Option<i32>,
    pub height: Option<i32>,
    pub size_bytes: i64,
    pub content_type: &'static str,
    /// Whether there is a smaller picture of it, or a poster. Pictures beyond the installation's limits have none.
    pub has_preview: bool,
}
