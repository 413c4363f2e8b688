//! A worker as operators see it, name it, and what they do to it.

use serde::Serialize;

use super::agents::agent::AgentStanding;
use super::messages::WorkerState;
use crate::ids::{JobId, NodeId, WorkerId};

/// A worker as operators see it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkerView {
    #[serde(rename = "_id")]
    pub id: WorkerId,
    pub name: String,
    pub url: String,
    pub pool: String,
    pub state: WorkerState,
    /// Why it is not idle, where there is a reason to tell.
    pub reason: Option<String>,
    /// The ComfyUI version it told.
    pub version: Option<String>,
    /// How many node classes it has.
    pub node_classes: usize,
    /// The node that connects to it.
    pub node: Option<NodeId>,
    /// What that one is called.
    pub node_name: Option<String>,
    /// The job it runs.
    pub job: Option<JobId>,
    pub paused: bool,
    pub draining: bool,
    /// How its agent is connected, where one connects it.
    #[serde(skip)]
    pub agent: Option<AgentStanding>,
}

/// A worker that an operator or the configuration names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWorker {
    pub name: String,
    /// Base address of the ComfyUI server, without a slash at the end.
    pub url: String,
    pub pool: String,
    /// The name of the node that alone can reach it; `None` where every node can.
    pub home: Option<String>,
}

/// What an operator does to a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Finish the running job, then nothing more until resumed.
    Drain,
    /// Nothing new until resumed.
    Pause,
    Resume,
    Remove,
}
