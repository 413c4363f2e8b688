//! Prompts that ComfyUI clients sent, and what they ask for.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::assets::AssetKind;
use crate::ids::JobId;
use crate::jobs::status::Status;

/// What a ComfyUI client sends beside a prompt.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PromptCall {
    /// The id that the client chose.
    pub prompt_id: Option<Uuid>,
    /// The id of its socket.
    pub client_id: Option<String>,
    /// Its place among the client's prompts; the next number if missing.
    pub number: Option<f64>,
    /// Whether it goes before the user's other waiting jobs.
    pub front: bool,
    /// The outputs to make; all if missing.
    pub targets: Option<Vec<String>>,
    /// The id of the graph in the editor.
    pub workflow_id: Option<String>,
}

/// A prompt of a ComfyUI client, and the state of its job.
#[derive(Debug, Clone, PartialEq)]
pub struct ClientPrompt {
    pub job: JobId,
    /// What the client calls it; the job's id unless it chose another one.
    pub prompt_id: Uuid,
    pub client_id: Option<String>,
    pub number: f64,
    pub workflow_id: Option<String>,
    /// The nodes whose outputs are made.
    pub outputs: Vec<String>,
    /// Whether its user has removed it from the history.
    pub is_removed: bool,
    pub status: Status,
    /// Whether it is to stop. Its status stays the same until it has.
    pub is_cancel_requested: bool,
    /// As in [`crate::jobs::Job`].
    pub execute_exception: Option<Value>,
    pub validate_exception: Option<Value>,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    pub ran_ms: Option<i64>,
}

/// A job that a client submitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientJob {
    pub job: JobId,
    /// What the client calls it.
    pub prompt_id: Uuid,
    /// `None` where the client has no socket.
    pub client: Option<String>,
}

/// The texts of a prompt as they were sent.
#[derive(Debug, Clone)]
pub struct PromptContent {
    pub prompt: Box<RawValue>,
    pub extra_data: Box<RawValue>,
}

/// Which prompts a list has. `None` is no condition.
#[derive(Debug, Clone, Default)]
pub struct ClientPromptFilter {
    /// Any of these; empty for all.
    pub statuses: Vec<Status>,
    pub workflow_id: Option<String>,
    /// Only those with a file of this kind among their outputs.
    pub output_kind: Option<AssetKind>,
    /// Leaves out those that were canceled before they ran, see [`ClientPrompt::never_ran`].
    pub without_never_ran: bool,
}

/// The prompts to remove from the history.
#[derive(Debug, Clone)]
pub enum Removal {
    All,
    /// By their ids.
    Some(Vec<Uuid>),
}
