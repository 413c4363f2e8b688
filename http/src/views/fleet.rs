//! Workers, for admins.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::fleet::{self, WorkerState};

use crate::openapi::ToSchema;

/// A worker, which is a ComfyUI server.
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
    /// Since when it has not answered about its running job. After `jobs.silent_seconds` the job is retried
    /// elsewhere.
    pub unanswered_since: Option<DateTime<Utc>>,
    pub version: Option<String>,
    /// Number of its node classes.
    pub node_classes: usize,
    /// Node classes whose inputs or outputs differ from most workers': it may have another version, or be tampered
    /// with. Such a worker validates prompts with these classes itself.
    pub different_classes: Vec<String>,
    /// The node that is connected to it; none while no living node owns it.
    pub node: Option<Uuid>,
    /// That node's name.
    pub node_name: Option<String>,
    /// Its running job.
    pub job: Option<Uuid>,
    pub paused: bool,
    pub draining: bool,
    /// The connection of its agent, if it has one.
    pub agent: Option<WorkerAgentView>,
}

/// The connection of a worker's agent.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkerAgentView {
    pub connected: bool,
    /// The agent's note on its server.
    pub note: Option<String>,
}

/// The name of a state.
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
