//! The prompt that a worker has: where it is, and what was heard of it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use verdigraph_core::ids::JobId;

use crate::comfy::{End, Ended};

/// By how much the worker's clock may run ahead of ours within one prompt before it is not believed.
const CLOCK_SLACK: Duration = Duration::from_secs(5);

/// One assignment on its way through the worker.
#[derive(Debug, Clone)]
pub struct Work {
    /// By which its events and actions name it.
    pub serial: u64,
    pub job: JobId,
    pub attempt: i32,
    pub prompt_id: String,
    pub phase: Phase,
    pub stop_wanted: bool,
    /// Whether it is to be taken back while it has not begun.
    pub(super) withdraw_wanted: bool,
    /// Whether the storage is away that what it made should go to.
    pub(super) kept_waiting: bool,
    /// Last time a message about it arrived.
    pub heard_at: Instant,
    /// Last time its whereabouts were asked for.
    pub located_at: Instant,
    pub locating: bool,
    /// Whether it was posted behind another prompt, which has not ended well since.
    pub(super) behind: bool,
    /// Since when the server does not say where it is, and why it did not the last time.
    pub(super) unanswered: Option<(Instant, Unanswered)>,
    pub(super) accepted: bool,
    /// Whether its end was told: the worker's place is free from then on.
    pub(super) over_told: bool,
    pub(super) assigned_at: Instant,
    pub(super) started_at: Option<Instant>,
    pub(super) ended_at: Option<Instant>,
    /// The worker's clock, in milliseconds.
    pub(super) started_ms: Option<i64>,
    pub(super) ended_ms: Option<i64>,
    pub(super) node_order: Arc<Vec<String>>,
    pub(super) current_node: Option<String>,
    pub(super) progress: BTreeMap<String, (f64, f64)>,
    pub(super) executed: Vec<(String, Arc<Value>)>,
    /// The nodes of the prompt that nodes of expanded subgraphs belong to, as far as the worker said so.
    display_nodes: BTreeMap<String, String>,
}

/// Nodes of expanded subgraphs that are kept in mind; of others their ids say where they belong.
const MOST_DISPLAY_NODES: usize = 10_000;

/// Where the assignment is.
#[derive(Debug, Clone, PartialEq)]
pub enum Phase {
    Uploading,
    Posting,
    /// Nobody knows whether the worker took the prompt; it is looked for.
    Doubtful {
        since: Instant,
        misses: u32,
        reason: String,
    },
    Queued,
    Running,
    /// Its last message came; the history entry is wanted.
    Ending {
        end: End,
        since: Instant,
    },
    Collecting(End),
}

/// What queue and history say about the prompt.
#[derive(Debug, Clone, PartialEq)]
pub enum Located {
    Pending,
    Running,
    Ended(Box<Ended>),
    /// It has ended, and what it showed is more than is taken in.
    TooLarge,
    /// The server answered and knows nothing of it.
    Absent,
    /// The server did not say.
    Unanswered(Unanswered),
}

/// Why a server did not say where a prompt is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unanswered {
    /// Nothing listens at its address.
    Refused,
    /// The way to it is cut.
    Unreachable,
    /// It is there, and answers too late or badly.
    Mute,
}

impl Work {
    pub(super) fn new(
        serial: u64,
        job: JobId,
        attempt: i32,
        prompt_id: String,
        uploads: bool,
        node_order: Arc<Vec<String>>,
        now: Instant,
    ) -> Self {
        Self {
            serial,
            job,
            attempt,
            prompt_id,
            phase: if uploads { Phase::Uploading } else { Phase::Posting },
            stop_wanted: false,
            withdraw_wanted: false,
            kept_waiting: false,
            heard_at: now,
            located_at: now,
            locating: false,
            behind: false,
            unanswered: None,
            accepted: false,
            over_told: false,
            assigned_at: now,
            started_at: None,
            ended_at: None,
            started_ms: None,
            ended_ms: None,
            node_order,
            current_node: None,
            progress: BTreeMap::new(),
            executed: Vec::new(),
            display_nodes: BTreeMap::new(),
        }
    }

    /// How long it ran: by the worker's clock where that is plausible, else by ours.
    pub(super) fn ran_ms(&self, now: Instant) -> u64 {
        let Some(started_at) = self.started_at else { return 0 };
        let ended_at = self.ended_at.unwrap_or(now);
        let ours = millis(ended_at.saturating_duration_since(started_at));
        // The worker may have begun before we heard of it, but not before it was asked.
        let longest = millis(ended_at.saturating_duration_since(self.assigned_at) + CLOCK_SLACK);
        let theirs =
            self.started_ms.zip(self.ended_ms).and_then(|(start, end)| u64::try_from(end.checked_sub(start)?).ok());
        theirs.filter(|ran| *ran <= longest).unwrap_or(ours)
    }

    /// Notes that a node belongs to one of the prompt.
    pub(super) fn note_display_node(&mut self, node: &str, display_node: Option<String>) {
        let Some(display_node) = display_node.filter(|display_node| display_node != node) else { return };
        if self.display_nodes.len() < MOST_DISPLAY_NODES {
            self.display_nodes.insert(node.to_owned(), display_node);
        }
    }

    /// The node of the prompt that this one belongs to. Nodes of expanded subgraphs have ids of their own (`12.0.0.3`)
    /// that begin with the id of the node that expanded.
    pub(super) fn display_node<'a>(&'a self, node: &'a str) -> &'a str {
        let display_node = self.display_nodes.get(node).map(String::as_str);
        if display_node.is_none() && !node.contains('.') {
            return node;
        }
        let is_of_prompt = |id: &&str| self.node_order.iter().any(|known| known == id);
        let prefixes = |id: &'a str| id.rmatch_indices('.').filter_map(move |(at, _)| id.get(..at));
        let ancestors = display_node.into_iter().flat_map(|id| std::iter::once(id).chain(prefixes(id)));
        std::iter::once(node).chain(ancestors).chain(prefixes(node)).find(is_of_prompt).unwrap_or(node)
    }

    /// The exception with the node of the prompt that raised, and with the raising node beside it where that is another.
    pub(super) fn with_display_node(&self, mut exception: Value) -> Value {
        let Some(node) = exception.get("node_id").and_then(Value::as_str).map(str::to_owned) else { return exception };
        let display_node = self.display_node(&node);
        if let Some(fields) = exception.as_object_mut().filter(|_| display_node != node) {
            fields.insert("node_id".to_owned(), display_node.into());
            fields.insert("real_node_id".to_owned(), node.clone().into());
        }
        exception
    }

    /// Whether the worker is done with it, and only what it made is still to be fetched.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Ending { .. } | Phase::Collecting(_))
    }

    /// Whether it waits behind another prompt: it has not begun, whatever became of the worker.
    pub(in crate::connection) fn waits(&self) -> bool {
        self.behind && !self.is_over() && self.phase != Phase::Running
    }

    pub(super) fn is_past_post(&self) -> bool {
        matches!(self.phase, Phase::Doubtful { .. } | Phase::Queued | Phase::Running)
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
