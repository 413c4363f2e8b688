//! The state of one assignment: its prompt's phase, and the messages about it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use verdigraph_core::ids::JobId;

use crate::comfy::{HistoryEntry, PromptEnd};

/// How far the worker's clock may run ahead of ours within one prompt before it is ignored.
const CLOCK_SLACK: Duration = Duration::from_secs(5);

#[derive(Debug, Clone)]
pub struct Work {
    /// Identifies it in events and actions.
    pub serial: u64,
    pub job: JobId,
    pub attempt: i32,
    pub prompt_id: String,
    pub phase: Phase,
    pub stop_wanted: bool,
    /// Whether to withdraw it if it has not started.
    pub(super) withdraw_wanted: bool,
    /// Whether its outputs wait for the storage.
    pub(super) awaits_storage: bool,
    /// When the last message about it arrived.
    pub heard_at: Instant,
    /// When it was last located.
    pub located_at: Instant,
    pub locating: bool,
    /// Whether it was posted behind another prompt that has not ended well since.
    pub(super) prefetched: bool,
    /// Since when the server has not answered where it is, and why.
    pub(super) unanswered: Option<(Instant, LocateFailure)>,
    pub(super) accepted: bool,
    /// Whether its end was reported: the worker is free from then on.
    pub(super) end_reported: bool,
    pub(super) assigned_at: Instant,
    pub(super) started_at: Option<Instant>,
    pub(super) ended_at: Option<Instant>,
    /// The worker's clock in milliseconds.
    pub(super) started_ms: Option<i64>,
    pub(super) ended_ms: Option<i64>,
    pub(super) node_order: Arc<Vec<String>>,
    pub(super) current_node: Option<String>,
    pub(super) progress: BTreeMap<String, (f64, f64)>,
    pub(super) executed: Vec<(String, Arc<Value>)>,
    /// Whether the client that submitted the job gets the worker's messages.
    pub(super) relays: bool,
    /// Maps nodes of expanded subgraphs to the prompt's nodes that they belong to.
    display_nodes: BTreeMap<String, String>,
}

/// Limit of that map. For further nodes the id shows where they belong.
const MAX_DISPLAY_NODES: usize = 10_000;

#[derive(Debug, Clone, PartialEq)]
pub enum Phase {
    Uploading,
    Posting,
    /// The worker may or may not have accepted the prompt; it is located.
    Unconfirmed {
        since: Instant,
        misses: u32,
        reason: String,
    },
    Queued,
    Running,
    /// The last message arrived; the history entry is still to be read.
    Ending {
        end: PromptEnd,
        since: Instant,
    },
    Collecting(PromptEnd),
}

/// Where the prompt is, by queue and history.
#[derive(Debug, Clone, PartialEq)]
pub enum PromptLocation {
    Pending,
    Running,
    Ended(Box<HistoryEntry>),
    /// It ended, and its outputs exceed the limits.
    TooLarge,
    /// The server answered and does not know it.
    Absent,
    /// The server did not answer.
    Unknown(LocateFailure),
}

/// Why a server did not say where a prompt is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocateFailure {
    /// Nothing listens at its address.
    Refused,
    /// It is not reachable.
    Unreachable,
    /// It is reachable, and answers too late or wrongly.
    Unresponsive,
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
            awaits_storage: false,
            heard_at: now,
            located_at: now,
            locating: false,
            prefetched: false,
            unanswered: None,
            accepted: false,
            end_reported: false,
            assigned_at: now,
            started_at: None,
            ended_at: None,
            started_ms: None,
            ended_ms: None,
            node_order,
            current_node: None,
            progress: BTreeMap::new(),
            executed: Vec::new(),
            relays: false,
            display_nodes: BTreeMap::new(),
        }
    }

    /// The running time: by the worker's clock if plausible, otherwise by ours.
    pub(super) fn ran_ms(&self, now: Instant) -> u64 {
        let Some(started_at) = self.started_at else { return 0 };
        let ended_at = self.ended_at.unwrap_or(now);
        let ours = millis(ended_at.saturating_duration_since(started_at));
        // The worker may have started before its message arrived, but not before the assignment.
        let longest = millis(ended_at.saturating_duration_since(self.assigned_at) + CLOCK_SLACK);
        let theirs =
            self.started_ms.zip(self.ended_ms).and_then(|(start, end)| u64::try_from(end.checked_sub(start)?).ok());
        theirs.filter(|ran| *ran <= longest).unwrap_or(ours)
    }

    /// Records which of the prompt's nodes a node belongs to.
    pub(super) fn note_display_node(&mut self, node: &str, display_node: Option<String>) {
        let Some(display_node) = display_node.filter(|display_node| display_node != node) else { return };
        if self.display_nodes.len() < MAX_DISPLAY_NODES {
            self.display_nodes.insert(node.to_owned(), display_node);
        }
    }

    /// The prompt's node that this node belongs to. Nodes of expanded subgraphs have ids (`12.0.0.3`) that begin with
    /// the id of the expanding node.
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

    /// Whether the prompt has this node, or the one that it belongs to.
    pub(super) fn has_node(&self, node: &str) -> bool {
        let display_node = self.display_node(node);
        self.node_order.iter().any(|known| known == display_node)
    }

    /// Replaces the exception's node by the prompt's node. If they differ, the raising node is kept in `real_node_id`.
    pub(super) fn with_display_node(&self, mut exception: Value) -> Value {
        let Some(node) = exception.get("node_id").and_then(Value::as_str).map(str::to_owned) else { return exception };
        let display_node = self.display_node(&node);
        if let Some(fields) = exception.as_object_mut().filter(|_| display_node != node) {
            fields.insert("node_id".to_owned(), display_node.into());
            fields.insert("real_node_id".to_owned(), node.clone().into());
        }
        exception
    }

    /// Whether the worker is done with it, and only its outputs remain to be fetched.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        matches!(self.phase, Phase::Ending { .. } | Phase::Collecting(_))
    }

    /// Whether it waits behind another prompt, so it has not started, whatever happened to the worker.
    pub(in crate::connection) fn waits(&self) -> bool {
        self.prefetched && !self.has_ended() && self.phase != Phase::Running
    }

    pub(super) fn is_past_post(&self) -> bool {
        matches!(self.phase, Phase::Unconfirmed { .. } | Phase::Queued | Phase::Running)
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
