//! One job as one client sees it: pure decisions about the messages that the client gets.
//!
//! ```text
//! waiting ──Running or first message──> started ──terminal status──> ended
//!    ^───────────────Pending (another attempt)──────────────┘
//! ```
//!
//! The worker's messages pass through. How the job ends comes from its row: the worker's own end is not the end, because
//! the platform may run the prompt again. An output is shown once its files are stored. What follows it waits too, so
//! that the client sees ComfyUI's order, but no longer than `jobs.output_hold_seconds`.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;
use verdigraph_core::fleet::ClientMessage;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::Status;
use verdigraph_workers::connection::state::{PREVIEW, TEXT};

use super::outputs;

/// Messages that wait. With more, they wait no longer.
const MAX_HELD: usize = 256;

/// A message to the client.
#[derive(Debug, Clone, PartialEq)]
pub enum Outgoing {
    /// The number of the account's jobs that wait or run.
    Status,
    Text {
        kind: String,
        /// JSON.
        data: String,
    },
    Preview(Bytes),
    /// A text on a node.
    NodeText(Bytes),
}

impl Outgoing {
    pub fn text(kind: &str, data: &Value) -> Self {
        Self::Text { kind: kind.to_owned(), data: data.to_string() }
    }
}

/// How a job ended, by its row.
#[derive(Debug, Clone)]
pub struct JobEnd {
    pub status: Status,
    /// The stored outputs in ComfyUI's shape, by the node that shows them.
    pub outputs: Map<String, Value>,
    /// The exception of a node, as the worker reported it.
    pub exception: Option<Value>,
    /// `exception_type` of a failure that no node raised.
    pub failure_type: &'static str,
    /// Any other reason.
    pub reason: Option<String>,
    /// In milliseconds.
    pub timestamp: i64,
}

/// One job as one client sees it.
#[derive(Debug)]
pub struct JobRelay {
    job: JobId,
    /// What the client calls the job.
    prompt_id: Uuid,
    started: bool,
    /// Nodes whose outputs the client has.
    shown: HashSet<String>,
    /// The node that ran last.
    running: Option<String>,
    waiting: VecDeque<Waiting>,
    /// How long messages wait behind an output whose files are not stored.
    max_hold: Duration,
    holds_until: Option<Instant>,
    /// Whether messages waited for long enough, so that only outputs still wait.
    released: bool,
}

#[derive(Debug)]
enum Waiting {
    Output(Executed),
    Message(Outgoing),
}

/// An output of a node, as the worker names its files.
#[derive(Debug, Deserialize)]
struct Executed {
    node: String,
    display_node: String,
    output: Value,
}

impl JobRelay {
    #[must_use]
    pub fn new(job: JobId, prompt_id: Uuid, max_hold: Duration) -> Self {
        Self {
            job,
            prompt_id,
            started: false,
            shown: HashSet::new(),
            running: None,
            waiting: VecDeque::new(),
            max_hold,
            holds_until: None,
            released: false,
        }
    }

    /// A relay to a client that got the earlier messages on another socket.
    #[must_use]
    pub fn resumed(job: JobId, prompt_id: Uuid, max_hold: Duration) -> Self {
        Self { started: true, ..Self::new(job, prompt_id, max_hold) }
    }

    #[must_use]
    pub fn prompt_id(&self) -> Uuid {
        self.prompt_id
    }

    /// When [`Self::release`] is due.
    #[must_use]
    pub fn holds_until(&self) -> Option<Instant> {
        self.holds_until
    }

    /// The node that ran last.
    #[must_use]
    pub fn running(&self) -> Option<&str> {
        self.running.as_deref()
    }

    /// Handles a status that is not terminal.
    pub fn status(&mut self, status: Status, timestamp: i64) -> Vec<Outgoing> {
        match status {
            Status::Running if !self.started => {
                let data = json!({ "prompt_id": self.prompt_id, "timestamp": timestamp });
                self.start(Outgoing::text("execution_start", &data))
            }
            Status::Pending => {
                *self = Self::new(self.job, self.prompt_id, self.max_hold);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Handles a message of the worker.
    pub fn message(&mut self, message: &ClientMessage, now: Instant) -> Vec<Outgoing> {
        let is_start = message.kind == "execution_start";
        let mut sent = match (self.started, is_start) {
            (false, true) => {
                let message = self.relayed(message);
                return self.start(message);
            }
            (true, true) => return Vec::new(),
            (false, false) => {
                let data = json!({ "prompt_id": self.prompt_id, "timestamp": Value::Null });
                self.start(Outgoing::text("execution_start", &data))
            }
            (true, false) => Vec::new(),
        };
        if message.kind == "executing" {
            self.running = node_of(&message.body);
        }
        match Executed::of(message) {
            // Its files are not stored before the job ends.
            Some(executed) if outputs::names_files(&executed.output) => {
                if !self.released && self.holds_until.is_none() {
                    self.holds_until = Some(now + self.max_hold);
                }
                // Another attempt, whose first messages were missed, shows the node again.
                let is_same = |it: &Waiting| matches!(it, Waiting::Output(known) if known.node == executed.node);
                self.waiting.retain(|waiting| !is_same(waiting));
                self.waiting.push_back(Waiting::Output(executed));
            }
            executed => {
                self.shown.extend(executed.map(|executed| executed.display_node));
                let message = self.relayed(message);
                match message {
                    message if self.holds_until.is_none() => sent.push(message),
                    // Many pictures would take much memory, and they are outdated soon.
                    Outgoing::Preview(_) => {}
                    message => self.waiting.push_back(Waiting::Message(message)),
                }
            }
        }
        if self.waiting.len() > MAX_HELD {
            sent.extend(self.release());
        }
        sent
    }

    /// A message of the worker, with the client's id of the job.
    fn relayed(&self, message: &ClientMessage) -> Outgoing {
        match message.kind.as_str() {
            PREVIEW => Outgoing::Preview(self.renamed(&message.body)),
            TEXT => Outgoing::NodeText(message.body.clone()),
            kind => {
                let data = self.renamed(&message.body);
                Outgoing::Text { kind: kind.to_owned(), data: String::from_utf8_lossy(&data).into_owned() }
            }
        }
    }

    /// Replaces the job's id by the client's. Both have the same length, so frames stay valid.
    fn renamed(&self, body: &Bytes) -> Bytes {
        if self.prompt_id == self.job.0 {
            return body.clone();
        }
        let (job, prompt_id) = (self.job.to_string(), self.prompt_id.to_string());
        let mut renamed = body.to_vec();
        let mut at = 0;
        while let Some(rest) = renamed.get_mut(at..at + job.len()) {
            if rest == job.as_bytes() {
                rest.copy_from_slice(prompt_id.as_bytes());
                at += job.len();
            } else {
                at += 1;
            }
        }
        renamed.into()
    }

    /// Lets everything go that is not an output.
    pub fn release(&mut self) -> Vec<Outgoing> {
        self.released = true;
        self.holds_until = None;
        let mut sent = Vec::new();
        for waiting in std::mem::take(&mut self.waiting) {
            match waiting {
                Waiting::Message(message) => sent.push(message),
                Waiting::Output(_) => self.waiting.push_back(waiting),
            }
        }
        sent
    }

    /// Handles the end of the job.
    pub fn end(&mut self, end: JobEnd) -> Vec<Outgoing> {
        let mut sent = Vec::new();
        if !self.started {
            match end.status {
                // As when a server's queue is cleared: nothing but the status.
                Status::Canceled => return vec![Outgoing::Status],
                Status::Done | Status::ExecuteError => {
                    let data = json!({ "prompt_id": self.prompt_id, "timestamp": end.timestamp });
                    sent.extend(self.start(Outgoing::text("execution_start", &data)));
                }
                _ => {}
            }
        }
        let mut stored: HashMap<String, Vec<Value>> = HashMap::new();
        for waiting in std::mem::take(&mut self.waiting) {
            match waiting {
                Waiting::Message(message) => sent.push(message),
                Waiting::Output(executed) => {
                    let Executed { node, display_node, output } = executed;
                    let files = || end.outputs.get(&display_node).map(outputs::files).unwrap_or_default();
                    let files = stored.entry(display_node.clone()).or_insert_with(files);
                    let output = outputs::with_stored_files(&output, files);
                    sent.push(self.executed(&node, &display_node, &output));
                    self.shown.insert(display_node);
                }
            }
        }
        // Those whose messages were missed.
        let missed = end.outputs.iter().filter(|(node, _)| !self.shown.contains(*node));
        for (node, output) in missed.filter(|(_, output)| !outputs::came_as_preview(output)) {
            sent.push(self.executed(node, node, output));
        }
        sent.push(self.ended(&end));
        sent.push(Outgoing::Status);
        sent.push(Outgoing::text("executing", &json!({ "node": Value::Null, "prompt_id": self.prompt_id })));
        sent
    }

    fn start(&mut self, message: Outgoing) -> Vec<Outgoing> {
        self.started = true;
        vec![Outgoing::Status, message]
    }

    fn executed(&self, node: &str, display_node: &str, output: &Value) -> Outgoing {
        let data = json!({ "node": node, "display_node": display_node, "output": output, "prompt_id": self.prompt_id });
        Outgoing::text("executed", &data)
    }

    /// The message about the end.
    fn ended(&self, end: &JobEnd) -> Outgoing {
        let mut data = Map::new();
        let kind = match end.status {
            Status::Done => "execution_success",
            Status::Canceled => {
                data.extend([
                    ("node_id".to_owned(), json!(self.running.as_deref().unwrap_or_default())),
                    ("node_type".to_owned(), json!("")),
                    ("executed".to_owned(), json!([])),
                ]);
                "execution_interrupted"
            }
            status => {
                // Without a node, clients show it as an error of the job.
                data.extend([
                    ("node_id".to_owned(), json!("")),
                    ("node_type".to_owned(), json!("")),
                    ("executed".to_owned(), json!([])),
                    ("exception_type".to_owned(), json!(end.failure_type)),
                    ("exception_message".to_owned(), json!(end.reason.as_deref().unwrap_or(status.name()))),
                    ("traceback".to_owned(), json!([])),
                    ("current_inputs".to_owned(), json!({})),
                    ("current_outputs".to_owned(), json!([])),
                ]);
                data.extend(end.exception.as_ref().and_then(Value::as_object).cloned().unwrap_or_default());
                "execution_error"
            }
        };
        data.insert("prompt_id".to_owned(), json!(self.prompt_id));
        data.insert("timestamp".to_owned(), json!(end.timestamp));
        Outgoing::text(kind, &Value::Object(data))
    }
}

/// The node that a message names.
fn node_of(data: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        node: Option<String>,
    }
    serde_json::from_slice::<Named>(data).ok()?.node
}

impl Executed {
    fn of(message: &ClientMessage) -> Option<Self> {
        (message.kind == "executed").then(|| serde_json::from_slice(&message.body).ok()).flatten()
    }
}

#[cfg(test)]
mod tests;
