//! Messages of the worker for the client that submitted the job, as its own ComfyUI server would send them. The prompt's
//! id becomes the job's id. How the prompt ends is left out: the platform decides it, and may run the prompt again.

use bytes::Bytes;
use serde_json::{Value, json};
use verdigraph_core::fleet::{ClientMessage, ReportEvent, Retention};

use super::decision::Decision;
use super::work::Work;
use crate::comfy::{ServerMessage, frame};

/// The types of binary messages; all others are JSON.
pub const PREVIEW: &str = "preview";
pub const TEXT: &str = "progress_text";

/// Larger messages are left out, except previews, which have their own limit. Outputs are stored anyway.
const MAX_BYTES: usize = 1 << 20;

impl Decision {
    /// Reports a message of the worker if the job's client wants it.
    pub(super) fn relay(&mut self, message: &ServerMessage) {
        let Some(work) = self.work().filter(|work| work.relays && !work.has_ended()) else { return };
        let limit =
            if matches!(message, ServerMessage::Preview { .. }) { self.state.limits.preview_bytes } else { MAX_BYTES };
        let message = client_message(work, message).filter(|message| message.body.len() <= limit);
        if let Some(message) = message {
            self.report(ReportEvent::Client(message));
        }
    }
}

/// The message as the client gets it.
fn client_message(work: &Work, message: &ServerMessage) -> Option<ClientMessage> {
    let id = work.job.to_string();
    let (kind, retention, data) = match message {
        ServerMessage::ExecutionStart { timestamp, .. } => {
            ("execution_start", Retention::Kept, json!({ "prompt_id": id, "timestamp": timestamp }))
        }
        ServerMessage::ExecutionCached { nodes, timestamp, .. } => {
            let data = json!({ "nodes": nodes, "prompt_id": id, "timestamp": timestamp });
            ("execution_cached", Retention::Kept, data)
        }
        ServerMessage::Executing { node: Some(node), display_node, .. } => {
            let display_node = display_node.as_deref().unwrap_or_else(|| work.display_node(node));
            let data = json!({ "node": node, "display_node": display_node, "prompt_id": id });
            ("executing", Retention::Latest, data)
        }
        ServerMessage::Executed { node, display_node, output, .. } => {
            let display_node = display_node.as_deref().unwrap_or_else(|| work.display_node(node));
            let data = json!({ "node": node, "display_node": display_node, "output": output, "prompt_id": id });
            ("executed", Retention::Kept, data)
        }
        ServerMessage::Progress { node, value, max, .. } => {
            let node = node.as_ref().or(work.current_node.as_ref());
            let data = json!({ "value": number(*value), "max": number(*max), "prompt_id": id, "node": node });
            ("progress", Retention::Passing, data)
        }
        ServerMessage::ProgressState { all, .. } => {
            ("progress_state", Retention::Latest, json!({ "prompt_id": id, "nodes": of_job(all, &id) }))
        }
        ServerMessage::Preview { node, content_type, bytes, .. } => {
            let node = node.as_ref().or(work.current_node.as_ref())?;
            let metadata = json!({
                "node_id": node,
                "prompt_id": id,
                "display_node_id": work.display_node(node),
                "parent_node_id": Value::Null,
                "real_node_id": node,
                "image_type": content_type,
            });
            return Some(passing(PREVIEW, frame::preview(&metadata, bytes)));
        }
        // The server sends texts of all its clients.
        ServerMessage::Text { node, text } if work.has_node(node) => {
            return Some(passing(TEXT, frame::text(node, text)));
        }
        ServerMessage::Text { .. }
        | ServerMessage::Executing { node: None, .. }
        | ServerMessage::ExecutionSuccess { .. }
        | ServerMessage::ExecutionError { .. }
        | ServerMessage::ExecutionInterrupted { .. }
        | ServerMessage::Status { .. }
        | ServerMessage::Unknown => return None,
    };
    Some(ClientMessage { kind: kind.to_owned(), retention, body: data.to_string().into() })
}

fn passing(kind: &str, body: Bytes) -> ClientMessage {
    ClientMessage { kind: kind.to_owned(), retention: Retention::Passing, body }
}

/// The states of nodes, each with the job's id.
fn of_job(nodes: &Value, id: &str) -> Value {
    let mut nodes = nodes.clone();
    for node in nodes.as_object_mut().into_iter().flat_map(|nodes| nodes.values_mut()) {
        if let Some(fields) = node.as_object_mut() {
            fields.insert("prompt_id".to_owned(), id.into());
        }
    }
    nodes
}

/// Counts are whole numbers, as Python writes them.
fn number(value: f64) -> Value {
    let whole = value.to_string().parse::<i64>().map(Value::from);
    whole.unwrap_or_else(|_| json!(value))
}
