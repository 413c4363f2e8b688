//! Workers, for operators.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::fleet::{self, WorkerState};

use crate::described::ToSchema;

/// One ComfyUI server.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkerView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    pub url: String,
    pub pool: String,
    /// `Connecting`, `Idle`, `Busy`, `Draining`, `Paused` or `Gone`.
    pub state: &'static str,
    /// Why it is not idle.
    pub reason: Option<String>,
    /// Since when it answers no question about the job that it runs. After `jobs.silent_seconds` the job is tried elsewhere.
    pub unanswered_since: Option<DateTime<Utc>>,
    pub version: Option<String>,
    /// How many node classes it has.
    pub node_classes: usize,
    /// Node classes that it describes otherwise than most workers, with other inputs or outputs: it may have another
    /// version, or be tampered with. A prompt with such a class is judged by the worker that runs it.
    pub different_classes: Vec<String>,
    /// The node that connects to it; none while no living node has taken it.
    pub node: Option<Uuid>,
    /// What that node is called.
    pub node_name: Option<String>,
    /// The job it runs.
    pub job: Option<Uuid>,
    pub paused: bool,
    pub draining: bool,
    /// How its agent is connected, where one connects it.
    pub agent: Option<WorkerAgentView>,
}

/// The connection of a worker's agent.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkerAgentView {
    pub connected: bool,
    /// What is with its server, in the agent's words.
    pub note: Option<String>,
}

/// The word for a state.
#[must_use]
pub fn state_name(state: WorkerState) -> &'static str {
    match state {
        WorkerState::Connecting => "Connecting",
        WorkerState::Idle => "Idle",
        WorkerState::Busy => "Busy",
        WorkerState::Draining => "Draining",
        WorkerState::Paused => "Paused",
        WorkerState::Gone => "Gone",
    }
}

impl From<fleet::WorkerView> for WorkerView {
    fn from(worker: fleet::WorkerView) -> Self {
        Self {
            id: worker.id.0,
            name: worker.name,
            url: worker.url,
            pool: worker.pool,
            state: state_name(worker.state),
            reason: worker.reason,
            unanswered_since: worker.unanswered_since,
            version: worker.version,
            node_classes: worker.node_classes,
            different_classes: worker.different_classes,
            node: worker.node.map(|node| node.0),
            node_name: worker.node_name,
            job: worker.job.map(|job| job.0),
            paused: worker.paused,
            draining: worker.draining,
            agent: worker.agent.map(|agent| WorkerAgentView { connected: agent.connected, note: agent.note }),
        }
    }
}
