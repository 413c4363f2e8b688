//! What the domain and the worker connections say to each other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use actix::{Message, Recipient};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::undelivered::Undelivered;
use crate::assets::{ContentHash, Embedded, MediaType};
use crate::graph::{Needs, NodeDefinitions};
use crate::ids::{JobId, WorkerId};

/// What one worker can do, as it said itself (`/object_info`, `/models`, `/system_stats`).
#[derive(Debug, Clone)]
pub struct Capabilities {
    /// The server's version, where it tells one: `0.3.64`.
    pub version: Option<String>,
    pub definitions: Arc<NodeDefinitions>,
    /// Model files by folder: `checkpoints` → names.
    pub models: BTreeMap<String, BTreeSet<String>>,
    /// See [`NodeDefinitions::shape`]: workers of one shape judge prompts alike, but for the models they have.
    pub shape: Arc<str>,
}

impl Capabilities {
    /// What a worker with these node classes and models can do.
    #[must_use]
    pub fn new(
        version: Option<String>,
        definitions: Arc<NodeDefinitions>,
        models: BTreeMap<String, BTreeSet<String>>,
    ) -> Self {
        let shape = definitions.shape().into();
        Self { version, definitions, models, shape }
    }

    /// Whether a job that needs this can run there.
    #[must_use]
    pub fn meet(&self, needs: &Needs) -> bool {
        !needs.refused_by.contains(self.shape.as_ref()) && needs.met_by(&self.definitions)
    }

    /// What keeps such a job from running there, for people: classes, models, or the way its nodes are defined.
    #[must_use]
    pub fn lack(&self, needs: &Needs) -> Vec<String> {
        let mut lacking = needs.unmet(&self.definitions);
        if lacking.is_empty() && needs.refused_by.contains(self.shape.as_ref()) {
            lacking.push("another version of the nodes".to_owned());
        }
        lacking
    }
}

/// Where a worker is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorkerState {
    /// Being connected to, for the first time or again.
    Connecting,
    /// Connected and free.
    Idle,
    /// Running a prompt of ours.
    Busy,
    /// Finishing what it runs; gets nothing new.
    Draining,
    /// Kept out of work until an operator resumes it.
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

/// What becomes of the connections; received by the `workers` crate.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub enum FleetCommand {
    /// Connect to this worker, or take over what has changed of it.
    Add(Wanted),
    /// Disconnect now; a running job is lost and tried again elsewhere.
    Remove(WorkerId),
    /// Disconnect now, and let be what runs there: another node goes on with it.
    Release(WorkerId),
    /// These are the workers, and no others; each tells again what it is.
    All(Vec<Wanted>),
}

/// A worker as it should be connected to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub config: WorkerConfig,
    /// Finishes what it runs, and gets nothing new.
    pub draining: bool,
    /// Nobody waits any more for what an earlier owner left at it: that may be stopped, but for the attempts in `expects`.
    pub cleared: bool,
    /// The attempts of jobs that will be assigned with [`Begin::Find`].
    pub expects: Vec<(JobId, i32)>,
}

/// A worker's connection tells the roster what it is and how it is reached.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub struct WorkerChanged {
    pub worker: WorkerId,
    pub state: WorkerState,
    /// Why it is not idle, for operators: `connection refused`.
    pub reason: Option<String>,
    /// For how long it has answered no question about the prompt that it runs.
    pub unanswered_for: Option<Duration>,
    /// Jobs whose prompts are over, while what they made is fetched: the worker has room for others.
    pub over: Vec<JobId>,
    /// Known once connected; kept while the connection is being repaired.
    pub capabilities: Option<Arc<Capabilities>>,
    pub link: WorkerLink,
}

/// The way to one worker's connection.
#[derive(Clone)]
pub struct WorkerLink {
    pub assign: Recipient<Assign>,
    pub stop: Recipient<Stop>,
    pub refresh: Recipient<Refresh>,
}

/// Ask your worker again what it can do; answered when that is known and told, or the worker does not say.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub struct Refresh;

impl std::fmt::Debug for WorkerLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WorkerLink")
    }
}

/// Run this on your worker. Sent only to one that runs nothing for us, though it may still fetch what others made; another
/// answers with [`ReportEvent::Unreachable`].
#[derive(Clone, Message)]
#[rtype(result = "()")]
pub struct Assign {
    pub job: JobId,
    /// Counts from 1; carried by every report.
    pub attempt: i32,
    /// The rendered API-format prompt, as the text that its sender wrote.
    pub prompt: Arc<RawValue>,
    /// Files to upload before the prompt is posted.
    pub inputs: Vec<InputFile>,
    /// `extra_data` of the prompt (`extra_pnginfo`, …).
    pub extra_data: Arc<RawValue>,
    /// Whether all outputs are wanted or none.
    pub strict: bool,
    pub begin: Begin,
    pub reports: Recipient<Report>,
}

/// How an assignment begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// The inputs are uploaded and the prompt is posted.
    Post,
    /// The same at a worker that runs something: the prompt waits behind that. Ends with [`ReportEvent::Withdrawn`] where
    /// there is no room.
    Behind,
    /// A node that is gone may have posted it: it is looked for at the worker, and gone on with. Ends with
    /// [`ReportEvent::Unreachable`] where it is not there.
    Find {
        /// How long it has run, where it was known to run.
        ran: Option<Duration>,
    },
}

/// One input file of a job, under a name that we chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputFile {
    /// The name in the prompt, such as `vg-<hash>.png`.
    pub name: String,
    pub content: ContentHash,
}

/// Stop exactly this attempt: interrupt it where it runs, delete it where it waits. Harmless when repeated.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub struct Stop {
    pub job: JobId,
    pub attempt: i32,
    pub reach: Reach,
}

/// What a stop is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    Anything,
    /// The prompt is taken back where it waits ([`ReportEvent::Withdrawn`]), and goes on where it has begun.
    WhatWaits,
}

/// What became of an assignment. Exactly one *last* event ends it; see [`ReportEvent::is_last`].
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub struct Report {
    pub job: JobId,
    pub attempt: i32,
    pub worker: WorkerId,
    pub event: ReportEvent,
}

/// One thing that happened to an assignment, in the worker's order.
#[derive(Debug, Clone)]
pub enum ReportEvent {
    /// Inputs were uploaded and the worker took the prompt.
    Accepted,
    /// The worker leaves outputs out that cannot be made, and runs the others; ComfyUI's `node_errors`.
    Partial { node_errors: Value },
    /// The worker began to execute.
    Started,
    /// Nodes whose results come from the worker's cache.
    Cached { nodes: Vec<String> },
    /// A node runs, or a step of it is done.
    Progress(NodeProgress),
    /// A picture of the work so far.
    Preview(Preview),
    /// The worker is done after so long: it may have another prompt, and what this one made is being fetched. Time counts no
    /// more.
    Over { ran_ms: u64 },
    /// The worker is done after so long, and what it made waits for the storage, which is away. Time counts no more.
    KeptWaiting { ran_ms: u64 },
    /// The outputs were fetched, checked and stored, but for those that are noted as not delivered. Last.
    Finished { outputs: Vec<NodeOutput>, ran_ms: u64 },
    /// The worker refused the prompt; `validation` has ComfyUI's shape `{error, node_errors}`. Last.
    Refused { validation: Value },
    /// A node raised. `exception` has `exception_message`, `exception_type`, `node_id`, `node_type`, `traceback`.
    /// Outputs finished before it are kept. Last.
    Failed { exception: Value, outputs: Vec<NodeOutput>, ran_ms: u64 },
    /// Our stop (or somebody's at the worker) took effect. Last.
    Interrupted { outputs: Vec<NodeOutput>, ran_ms: u64 },
    /// The worker could not be reached before it had the prompt. Last; tried elsewhere, and no try is spent.
    Unreachable { reason: String },
    /// The worker broke the protocol, or answered 5xx. Last; tried elsewhere.
    Broke { reason: String },
    /// The worker went away after it had the prompt. Last; tried elsewhere.
    Lost { reason: String },
    /// The same of a prompt that waited behind another one. Last; waits again, and no try is spent.
    LostBeforeStart { reason: String },
    /// The worker is there but said nothing for too long. Last.
    Silent { reason: String },
    /// The prompt was taken back before it began. Last; waits again, and no try is spent.
    Withdrawn,
    /// Another node has the worker now, and goes on with what runs there. Last.
    Released,
}

impl ReportEvent {
    /// Whether the assignment is over with this event.
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
                | Self::Over { .. }
                | Self::KeptWaiting { .. }
        )
    }
}

/// Where a job is, node by node.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeProgress {
    pub node_id: String,
    /// Steps done and in all; 0 of 1 when a node has just begun.
    pub value: f64,
    pub max: f64,
}

/// A picture of the work so far. Never stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    pub node_id: Option<String>,
    /// `image/jpeg` or `image/png`.
    pub content_type: &'static str,
    pub bytes: Bytes,
}

/// Everything one node gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeOutput {
    pub node_id: String,
    /// The output type as clients see it: `images`, `text`, `gifs`, `audio`, `files`.
    pub kind: OutputKind,
    pub items: Vec<OutputItem>,
}

/// The output types; `images`, `text` and `gifs` are the specification's.
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
    /// The word that clients see.
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

/// A longer text is cut, as it stands in JSON, where one letter may take six: it is shown to people, and tensors can be
/// printed too.
pub const SHOWN_BYTES: usize = 1 << 20;

/// The part of a text that is shown: all of it, up to [`SHOWN_BYTES`].
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

/// One piece of an output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "type")]
pub enum OutputItem {
    Text {
        text: String,
    },
    /// A file that is stored already, by its content. `temporary` marks previews (`type: temp`).
    File {
        content: ContentHash,
        media: MediaType,
        size_bytes: i64,
        width: Option<i32>,
        height: Option<i32>,
        /// A placeholder for pictures, in BlurHash form.
        blur_hash: Option<String>,
        /// Of videos that could be read.
        #[serde(default)]
        duration_ms: Option<i64>,
        /// Where the prompt and the graph are that the worker wrote into it.
        #[serde(default)]
        embedded: Embedded,
        /// What the worker calls it, safe to save under; pictures that come over the socket have no name.
        #[serde(default)]
        name: Option<String>,
        temporary: bool,
    },
    /// What the node made and nobody can be given.
    Undelivered(Undelivered),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_shown_as_far_as_it_is_short_in_json() {
        for letter in ["x", "\u{1}", "\"", "가", "\n"] {
            let short = letter.repeat(10);
            assert_eq!(shown(&short), short);
            let long = letter.repeat(SHOWN_BYTES);
            let json = serde_json::to_string(shown(&long)).expect("JSON").len() - 2;
            assert!((SHOWN_BYTES - 6..=SHOWN_BYTES).contains(&json), "{letter:?} is {json} bytes");
        }
    }
}
