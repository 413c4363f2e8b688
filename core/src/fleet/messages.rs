//! Messages between the domain and the worker connections.

use std::sync::Arc;
use std::time::Duration;

use actix::{Message, Recipient};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::capabilities::Capabilities;
use super::client_message::ClientMessage;
use super::undelivered::Undelivered;
use crate::assets::{ContentHash, EmbeddedMetadata, MediaType};
use crate::ids::{JobId, WorkerId};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorkerState {
    /// Connecting for the first time, or reconnecting.
    Connecting,
    /// Connected and free.
    Idle,
    /// Runs a prompt of this installation.
    Busy,
    /// Finishes what it runs; gets no new jobs.
    Draining,
    /// Gets no jobs until an operator resumes it.
    Paused,
    /// Removed.
    Gone,
}

/// A worker as an operator configured it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerConfig {
    pub id: WorkerId,
    pub name: String,
    /// Base address of the ComfyUI server: `http://10.0.0.5:8188`.
    pub url: String,
    pub pool: String,
    /// Paused workers stay connected and get no work.
    pub paused: bool,
}

/// Commands to the connections, which the `workers` crate handles.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub enum FleetCommand {
    /// Connect to this worker, or apply its changed configuration.
    Add(WorkerSpec),
    /// Disconnect now. A running job is lost and retried elsewhere.
    Remove(WorkerId),
    /// Disconnect now and leave the running prompt alone: another node resumes it.
    Release(WorkerId),
    /// The complete list of workers. Each connection reports its state again.
    All(Vec<WorkerSpec>),
}

/// The desired state of a worker's connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerSpec {
    pub config: WorkerConfig,
    /// Finishes what it runs; gets no new jobs.
    pub draining: bool,
    /// No job needs the prompts that an earlier owner left at the worker. They may be stopped, except for the attempts
    /// in `expects`.
    pub cleared: bool,
    /// The attempts of jobs that will be assigned with [`AssignMode::Resume`].
    pub expects: Vec<(JobId, i32)>,
}

/// A connection reports its worker's state and how to reach it to the roster.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub struct WorkerChanged {
    pub worker: WorkerId,
    pub state: WorkerState,
    /// Why the worker is not idle, for operators: `connection refused`.
    pub reason: Option<String>,
    /// How long the worker has not answered questions about the running prompt.
    pub unanswered_for: Option<Duration>,
    /// Jobs whose prompts are done and whose outputs are being fetched. The worker has room for other prompts.
    pub fetching: Vec<JobId>,
    /// Known once connected; kept during a reconnect.
    pub capabilities: Option<Arc<Capabilities>>,
    pub link: WorkerLink,
}

/// Addresses of one worker's connection.
#[derive(Clone)]
pub struct WorkerLink {
    pub assign: Recipient<Assign>,
    pub stop: Recipient<Stop>,
    pub refresh: Recipient<Refresh>,
}

/// Ask the worker again what it can do. The answer arrives after the roster has been updated, or when the worker does
/// not reply.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub struct Refresh;

impl std::fmt::Debug for WorkerLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WorkerLink")
    }
}

/// Run this job on the worker. Sent only to a worker that runs no prompt of this node, though it may still be fetching
/// outputs. A connection that cannot take it answers with [`ReportEvent::Unreachable`]. One that ends before it handles the
/// message sends no report: the request fails.
#[derive(Clone, Message)]
#[rtype(result = "()")]
pub struct Assign {
    pub job: JobId,
    /// Counts from 1; every report carries it.
    pub attempt: i32,
    /// The rendered API-format prompt, with the sender's formatting.
    pub prompt: Arc<RawValue>,
    /// Files to upload before the prompt is posted.
    pub inputs: Vec<InputFile>,
    /// `extra_data` of the prompt (`extra_pnginfo`, …).
    pub extra_data: Arc<RawValue>,
    /// Whether the job needs all outputs or none.
    pub strict: bool,
    /// Whether the client that submitted the job gets the worker's messages ([`ReportEvent::Client`]).
    pub relays: bool,
    pub begin: AssignMode,
    pub reports: Recipient<WorkerReport>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssignMode {
    /// Upload the inputs and post the prompt.
    Post,
    /// Post to a busy worker: the prompt waits behind the running one. Ends with [`ReportEvent::Withdrawn`] if there is
    /// no room.
    Prefetch,
    /// A lost node may have posted the prompt: look for it at the worker and resume it. Ends with
    /// [`ReportEvent::Unreachable`] if it is not there.
    Resume {
        /// How long it has run, if it was known to run.
        ran: Option<Duration>,
    },
}

/// One input file of a job, under a name that this installation chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputFile {
    /// The name in the prompt, such as `vg-<hash>.png`.
    pub name: String,
    pub content: ContentHash,
}

/// Stop exactly this attempt: interrupt it if it runs, delete it if it waits. Idempotent.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub struct Stop {
    pub job: JobId,
    pub attempt: i32,
    pub scope: StopScope,
}

/// Which prompts a stop applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopScope {
    Any,
    /// Withdraw the prompt if it waits ([`ReportEvent::Withdrawn`]); let it go on if it has started.
    WaitingOnly,
}

/// Progress of an assignment. Exactly one *last* event ends it; see [`ReportEvent::is_last`].
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub struct WorkerReport {
    pub job: JobId,
    pub attempt: i32,
    pub worker: WorkerId,
    pub event: ReportEvent,
}

/// An event of an assignment, in the worker's order.
#[derive(Debug, Clone)]
pub enum ReportEvent {
    /// The inputs were uploaded and the worker accepted the prompt.
    Accepted,
    /// The worker skips outputs that cannot be made and runs the others; ComfyUI's `node_errors`.
    Partial {
        node_errors: Value,
    },
    /// The worker started to execute.
    Started,
    /// Nodes whose results come from the worker's cache.
    Cached {
        nodes: Vec<String>,
    },
    /// A node started, or one step of it is done.
    Progress(NodeProgress),
    Preview(Preview),
    /// A message for the client that submitted the job, if the assignment relays them.
    Client(ClientMessage),
    /// The prompt is done. The worker can take another one while the outputs are fetched; the time limit no longer
    /// applies.
    PromptDone {
        ran_ms: u64,
    },
    /// The prompt is done, and its outputs wait because the storage is unavailable. The time limit no longer applies.
    AwaitingStorage {
        ran_ms: u64,
    },
    /// The outputs were fetched, checked and stored, except those recorded as undelivered. Last.
    Finished {
        outputs: Vec<NodeOutput>,
        ran_ms: u64,
    },
    /// The worker refused the prompt; `validation` has ComfyUI's shape `{error, node_errors}`. Last.
    Refused {
        validation: Value,
    },
    /// A node raised an exception: `exception_message`, `exception_type`, `node_id`, `node_type`, `traceback`. Outputs
    /// that were finished before are kept. Last.
    Failed {
        exception: Value,
        outputs: Vec<NodeOutput>,
        ran_ms: u64,
    },
    /// A stop took effect, sent by this node or by someone at the worker. Last.
    Interrupted {
        outputs: Vec<NodeOutput>,
        ran_ms: u64,
    },
    /// The worker could not be reached before it had the prompt, or does not know a prompt that may have been posted.
    /// Last; retried elsewhere without using up a try.
    Unreachable {
        reason: String,
    },
    /// The worker broke the protocol, or answered with a 5xx status. Last; retried elsewhere.
    ProtocolError {
        reason: String,
    },
    /// The worker disconnected after it had accepted the prompt. Last; retried elsewhere.
    Lost {
        reason: String,
    },
    /// The worker disconnected while the prompt waited behind another one. Last; queued again without using up a try.
    LostBeforeStart {
        reason: String,
    },
    /// The worker is connected but has been silent for too long. Last.
    Silent {
        reason: String,
    },
    /// The prompt was withdrawn before it started. Last; queued again without using up a try.
    Withdrawn,
    /// Another node owns the worker now and resumes its prompts. Last.
    Released,
}

impl ReportEvent {
    /// Whether the worker was lost, or its connection.
    #[must_use]
    pub fn is_loss(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::Lost { .. } | Self::LostBeforeStart { .. })
    }

    /// Whether this event ends the assignment.
    #[must_use]
    pub fn is_last(&self) -> bool {
        !matches!(
            self,
            Self::Accepted
                | Self::Partial { .. }
                | Self::Started
                | Self::Cached { .. }
                | Self::Progress(_)
                | Self::Preview(_)
                | Self::Client(_)
                | Self::PromptDone { .. }
                | Self::AwaitingStorage { .. }
        )
    }
}

/// Progress of one node.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeProgress {
    pub node_id: String,
    /// Steps done and total; 0 of 1 when a node has just started.
    pub value: f64,
    pub max: f64,
}

/// An intermediate picture. Never stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    pub node_id: Option<String>,
    /// `image/jpeg` or `image/png`.
    pub content_type: &'static str,
    pub bytes: Bytes,
}

/// All outputs of one node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeOutput {
    pub node_id: String,
    pub kind: OutputKind,
    pub items: Vec<OutputItem>,
}

/// Output types as clients see them; the specification defines `images`, `text` and `gifs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OutputKind {
    /// Still and animated pictures.
    Images,
    Text,
    /// Video files.
    Gifs,
    Audio,
    /// Anything else a node wrote (latents, 3D, …); served as a download.
    Files,
}

impl OutputKind {
    /// The wire name.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Images => "images",
            Self::Text => "text",
            Self::Gifs => "gifs",
            Self::Audio => "audio",
            Self::Files => "files",
        }
    }
}

/// Texts are cut to this size in JSON, where one character can take six bytes. Nodes can print whole tensors.
pub const SHOWN_BYTES: usize = 1 << 20;

/// The prefix of a text that fits into [`SHOWN_BYTES`] of JSON.
#[must_use]
pub fn shown(text: &str) -> &str {
    let mut bytes = 0;
    for (at, letter) in text.char_indices() {
        bytes += match letter {
            '"' | '\\' | '\n' | '\r' | '\t' => 2,
            letter if letter < ' ' => 6,
            letter => letter.len_utf8(),
        };
        if bytes > SHOWN_BYTES {
            return text.get(..at).unwrap_or_default();
        }
    }
    text
}

/// One item of an output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "type")]
pub enum OutputItem {
    Text {
        text: String,
    },
    /// A stored file, by content. `temporary` marks previews (`type: temp`).
    File {
        content: ContentHash,
        media: MediaType,
        size_bytes: i64,
        width: Option<i32>,
        height: Option<i32>,
        /// BlurHash placeholder of a picture.
        blur_hash: Option<String>,
        /// Set for videos that could be read.
        #[serde(default)]
        duration_ms: Option<i64>,
        /// Where in the file the worker embedded the prompt and the graph.
        #[serde(default)]
        embedded: EmbeddedMetadata,
        /// The worker's file name, safe to save under. Pictures that arrive over the socket have none.
        #[serde(default)]
        name: Option<String>,
        temporary: bool,
    },
    /// An output that cannot be delivered.
    Undelivered(Undelivered),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_by_its_size_in_json() {
        for letter in ["x", "\u{1}", "\"", "가", "\n"] {
            let short = letter.repeat(10);
            assert_eq!(shown(&short), short);
            let long = letter.repeat(SHOWN_BYTES);
            let json = serde_json::to_string(shown(&long)).expect("JSON").len() - 2;
            assert!((SHOWN_BYTES - 6..=SHOWN_BYTES).contains(&json), "{letter:?} is {json} bytes");
        }
    }
}
