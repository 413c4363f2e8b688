//! What happens to a connection, and what the actor has to do about it.

use std::sync::Arc;

use serde_json::Value;
use verdigraph_core::fleet::{Begin, NodeOutput, ReportEvent};
use verdigraph_core::ids::JobId;

use super::connection::Duty;
use super::work::Located;
use crate::comfy::{PostAnswer, ServerMessage};

/// What happens to a connection.
#[derive(Debug, Clone)]
pub enum Event {
    /// An assignment; `serial` and `prompt_id` are fresh.
    Assign {
        serial: u64,
        job: JobId,
        attempt: i32,
        prompt_id: String,
        uploads: bool,
        node_order: Arc<Vec<String>>,
        begin: Begin,
    },
    /// Another node has the worker now.
    Released,
    /// The prompt was posted under another client id, which is to be ours.
    Rejoin,
    Stop {
        job: JobId,
        attempt: i32,
    },
    /// Take the prompt back, where it has not begun.
    Withdraw {
        job: JobId,
        attempt: i32,
    },
    Duty(Duty),
    /// The server's address changed.
    Moved,
    /// `probed` says that its capabilities were read as well.
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
    /// The way to the worker is cut, or may be gone again: its agent is connected, or says that its server answers.
    Way {
        is_cut: bool,
    },
    Health {
        failure: Option<String>,
        jitter: f64,
    },
    /// Something about one assignment.
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

/// What happens to one assignment.
#[derive(Debug, Clone)]
pub enum WorkEvent {
    Uploaded,
    /// `broke` parts a server that answered wrongly from one that was not there.
    UploadFailed {
        reason: String,
        broke: bool,
    },
    Posted(PostAnswer),
    /// The worker took the prompt in part, and all of it was wanted.
    TakenInPart {
        prompt_id: String,
        validation: Value,
    },
    /// The worker says that input files of ours are gone; `taken` is the prompt that it took without them, where it
    /// did, and `prompt_id` is fresh.
    InputsGone {
        prompt_id: String,
        taken: Option<String>,
    },
    Located(Located),
    Collected(Result<Vec<NodeOutput>, CollectError>),
    /// What the prompt made cannot be stored now, and waits.
    StorageAway,
    /// It is being stored again.
    StorageBack,
}

/// Why outputs could not be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CollectError {
    /// The worker went away.
    Gone(String),
    /// It named a file that it does not have: its output folder was cleaned, and its cache did not notice.
    Missing(String),
    /// It answered, but not with the file; or the file is over a limit.
    Bad(String),
}

/// How much what a prompt made is needed, by how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// It ended well: a missing file is an error.
    All,
    /// It raised: what there is, is kept.
    What,
    /// It was stopped: what there is, and what can be had without waiting for the storage.
    AtOnce,
}

/// What the actor has to do, in this order. Numbers are those of assignments.
#[derive(Debug, Clone)]
pub enum Action {
    /// Connect under a new client id, or under the old one to go on hearing of a prompt.
    Connect {
        fresh: bool,
    },
    Disconnect,
    Upload(u64),
    Post(u64),
    /// Ask queue and history where the prompt is.
    Locate(u64),
    /// Delete and interrupt the prompt, then locate it.
    Cancel(u64),
    /// Delete the prompt where it waits, and let it be where it runs; then locate it.
    Withdraw(u64),
    /// Stop prompts that nobody waits for; answers do not matter.
    Discard(Vec<String>),
    /// Fetch and store what these nodes gave.
    Collect {
        serial: u64,
        outputs: Vec<(String, Arc<Value>)>,
        need: Need,
    },
    Report {
        serial: u64,
        job: JobId,
        attempt: i32,
        event: ReportEvent,
    },
    /// Tell the roster.
    Announce,
    CheckHealth,
    Refresh,
}
