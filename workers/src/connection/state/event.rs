//! Events of a connection, and actions of its actor.

use std::sync::Arc;

use serde_json::Value;
use verdigraph_core::fleet::{AssignMode, NodeOutput, ReportEvent};
use verdigraph_core::ids::JobId;

use super::connection::DesiredState;
use super::work::PromptLocation;
use crate::comfy::{PostAnswer, ServerMessage};

/// An event of the connection.
#[derive(Debug, Clone)]
pub enum Event {
    /// An assignment. `serial` and `prompt_id` are new.
    Assign {
        serial: u64,
        job: JobId,
        attempt: i32,
        prompt_id: String,
        uploads: bool,
        node_order: Arc<Vec<String>>,
        relays: bool,
        begin: AssignMode,
    },
    /// Another node owns the worker now.
    Released,
    /// The prompt was posted under another client id. Connect under that one.
    Rejoin,
    Stop {
        job: JobId,
        attempt: i32,
    },
    /// Take the prompt back if it has not started.
    Withdraw {
        job: JobId,
        attempt: i32,
    },
    DesiredState(DesiredState),
    /// The server's address changed.
    Moved,
    /// `probed`: its capabilities were read as well.
    Connected {
        probed: bool,
    },
    /// `jitter` in 0..1 spreads the reconnects of a fleet.
    ConnectFailed {
        reason: String,
        jitter: f64,
    },
    SocketClosed {
        reason: String,
        jitter: f64,
    },
    /// The tunnel went down, or the agent is connected or reports that its server answers.
    Tunnel {
        is_down: bool,
    },
    Health {
        failure: Option<String>,
        jitter: f64,
    },
    /// The server has other models than at the last refresh.
    ModelsChanged,
    /// An event of one assignment.
    Work {
        serial: u64,
        event: WorkEvent,
    },
    Message(ServerMessage),
    Malformed {
        reason: String,
        jitter: f64,
    },
    Tick,
}

/// An event of one assignment.
#[derive(Debug, Clone)]
pub enum WorkEvent {
    Uploaded,
    /// `is_protocol_error`: the server answered with an error. Otherwise it was not reachable.
    UploadFailed {
        reason: String,
        is_protocol_error: bool,
    },
    Posted(PostAnswer),
    /// The worker accepted only part of a prompt that was required as a whole.
    TakenInPart {
        prompt_id: String,
        validation: Value,
    },
    /// The worker reports uploaded files as missing. `taken` is the prompt that it accepted without them, if any;
    /// `prompt_id` is new.
    InputsGone {
        prompt_id: String,
        taken: Option<String>,
    },
    Located(PromptLocation),
    Collected(Result<Vec<NodeOutput>, CollectError>),
    /// The storage is unavailable, and the outputs wait.
    StorageAway,
    /// The storage is back.
    StorageBack,
}

/// Why outputs could not be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CollectError {
    /// The worker went away.
    WorkerGone(String),
    /// The worker names a file that it does not have: its output folder was cleaned, but not its cache.
    FileMissing(String),
    /// The worker answered without the file, or the file exceeds a limit.
    Failed(String),
}

/// Which outputs to fetch, depending on how the prompt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CollectPolicy {
    /// It succeeded: a missing file is an error.
    Required,
    /// It failed: keep the outputs that exist.
    BestEffort,
    /// It was stopped: keep the outputs that can be stored without waiting for the storage.
    Immediate,
}

/// What the actor has to do, in this order. Numbers are serials of assignments.
#[derive(Debug, Clone)]
pub enum Action {
    /// Connect under a new client id, or under the old one to keep receiving messages of a prompt.
    Connect {
        fresh: bool,
    },
    Disconnect,
    Upload(u64),
    Post(u64),
    /// Ask queue and history for the prompt.
    Locate(u64),
    /// Delete and interrupt the prompt, then locate it.
    Cancel(u64),
    /// Delete the prompt if it waits, then locate it.
    Withdraw(u64),
    /// Stop prompts without a job. Ignore the answers.
    Discard(Vec<String>),
    /// Fetch and store these node outputs.
    Collect {
        serial: u64,
        outputs: Vec<(String, Arc<Value>)>,
        policy: CollectPolicy,
    },
    Report {
        serial: u64,
        job: JobId,
        attempt: i32,
        event: ReportEvent,
    },
    /// Send the current state to the roster.
    Announce,
    CheckHealth,
    /// Refresh if the server has other models than before.
    CheckModels,
    Refresh,
}
