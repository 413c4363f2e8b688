//! The state of a scripted server: queue, history, files, sockets.

mod requests;
mod results;
mod sockets;

use std::collections::{HashMap, VecDeque};

use bytes::Bytes;
use indexmap::IndexMap;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;
use tokio_tungstenite::tungstenite::Message;

use crate::fault::Fault;
use crate::journal::Journal;
use crate::options::Options;
use crate::run::{NAN, Run, Step, THIS_PROMPT};

/// The state of one process, and the script that outlives it.
pub(super) struct Model {
    pub options: Options,
    pub faults: Vec<Fault>,
    pub runs: VecDeque<Run>,
    pub answers: HashMap<String, Value>,
    pub released: u64,
    pub pending: VecDeque<Job>,
    pub running: Option<Job>,
    pub interrupted: Option<String>,
    pub inputs: HashMap<String, Bytes>,
    /// The output folder was cleaned, and the result cache names missing files.
    pub stale: bool,
    /// The input folder was cleaned: prompts that name missing files are refused.
    pub misses_inputs: bool,
    /// Bodies of `POST /prompt`, if the log is enabled.
    pub posted: Vec<String>,
    taken: u64,
    number: u64,
    history: IndexMap<String, Value>,
    files: IndexMap<String, Bytes>,
    sockets: HashMap<String, (u64, UnboundedSender<ToSocket>)>,
    forgotten: HashMap<String, (u64, UnboundedSender<ToSocket>)>,
    next_socket: u64,
    journal: Journal,
}

#[derive(Debug, Clone)]
pub(super) struct Job {
    pub id: String,
    pub client_id: String,
    pub run: Run,
    number: u64,
    prompt: Value,
    extra_data: Value,
    messages: Vec<Value>,
    outputs: serde_json::Map<String, Value>,
    /// Maps nodes of subgraphs with outputs to the prompt's node.
    meta: serde_json::Map<String, Value>,
    recorded: bool,
}

/// A command to a socket's task.
pub(super) enum ToSocket {
    Frame(Message),
    Cut,
}

impl Model {
    pub fn new(options: Options) -> Self {
        Self {
            options,
            faults: Vec::new(),
            runs: VecDeque::new(),
            answers: HashMap::new(),
            released: 0,
            pending: VecDeque::new(),
            running: None,
            interrupted: None,
            inputs: HashMap::new(),
            stale: false,
            misses_inputs: false,
            posted: Vec::new(),
            taken: 0,
            number: 0,
            history: IndexMap::new(),
            files: IndexMap::new(),
            sockets: HashMap::new(),
            forgotten: HashMap::new(),
            next_socket: 0,
            journal: Journal::default(),
        }
    }

    /// Clears the state that a process does not keep.
    pub fn forget(&mut self) {
        self.pending.clear();
        self.running = None;
        self.interrupted = None;
        self.number = 0;
        self.history.clear();
        self.sockets.clear();
        self.forgotten.clear();
    }

    fn remaining(&self) -> usize {
        self.pending.len() + usize::from(self.running.is_some())
    }

    /// Takes the next prompt to run, unless its script keeps it in the queue.
    pub fn begin(&mut self) -> Option<Job> {
        let waits = |job: &Job| matches!(job.run.steps.first(), Some(Step::AwaitDelete));
        if self.running.is_some() || self.pending.front().is_none_or(waits) {
            return None;
        }
        let job = self.pending.pop_front()?;
        self.journal.began(&job.id);
        self.running = Some(job.clone());
        self.interrupted = None;
        self.status();
        Some(job)
    }

    /// Sends a step to the prompt's client and records it for the history.
    pub fn emit(&mut self, step: &Step) {
        let Some(mut job) = self.running.take() else { return };
        let frame = match step {
            Step::Text(message) => {
                let mut message = replaced(message, &job.id);
                if let Some(stamp) = message.pointer_mut("/data/timestamp").filter(|stamp| stamp.is_null()) {
                    *stamp = json!(chrono::Utc::now().timestamp_millis());
                }
                self.record(&mut job, &message);
                Message::text(message.to_string().replace(NAN, "NaN"))
            }
            Step::Raw(text) => Message::text(text.replace(THIS_PROMPT, &job.id)),
            Step::Binary(bytes) => Message::Binary(bytes.clone()),
            Step::Preview { metadata, bytes } => {
                let metadata = replaced(metadata, &job.id).to_string();
                let mut frame = 4_u32.to_be_bytes().to_vec();
                frame.extend(u32::try_from(metadata.len()).unwrap_or_default().to_be_bytes());
                frame.extend_from_slice(metadata.as_bytes());
                frame.extend_from_slice(bytes);
                Message::Binary(frame.into())
            }
            _ => {
                self.running = Some(job);
                return;
            }
        };
        if let Some((_, socket)) = self.sockets.get(&job.client_id) {
            let _ = socket.send(ToSocket::Frame(frame));
        }
        self.running = Some(job);
    }
}

impl Job {
    fn item(&self) -> Value {
        json!([self.number, self.id, self.prompt, self.extra_data, []])
    }
}

/// The server's features, for `/features` and the handshake.
pub(super) fn features() -> Value {
    json!({"supports_preview_metadata": true, "max_upload_size": 104_857_600})
}

fn replaced(value: &Value, id: &str) -> Value {
    serde_json::from_str(&value.to_string().replace(THIS_PROMPT, id)).unwrap_or_default()
}
