//! The script of one prompt.

use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};

/// Placeholder for the running prompt's id in frames and answers.
pub const THIS_PROMPT: &str = "00000000-0000-4000-8000-000000000000";

/// Placeholder for Python's `NaN`, which is not valid JSON. Replaced when it is sent.
pub(crate) const NAN: &str = "\"<NaN>\"";

/// The answer to the post, then the steps.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// Status and body of a refusal.
    pub refusal: Option<(u16, String)>,
    /// The answer's `node_errors`, for outputs that are left out.
    pub node_errors: Option<Value>,
    pub steps: Vec<Step>,
    /// A history entry that replaces the one made from the steps.
    pub history: Option<Value>,
    /// Whether the prompt never reaches the history.
    pub unrecorded: bool,
}

#[derive(Debug, Clone)]
pub enum Step {
    /// A message to the prompt's client. A null `timestamp` is filled in when it is sent.
    Text(Value),
    /// A message whose text may be invalid JSON.
    Raw(String),
    Binary(Bytes),
    /// A preview of type 4, whose metadata names the prompt.
    Preview {
        metadata: Value,
        bytes: Bytes,
    },
    Wait(Duration),
    /// Closes the client's socket without a close frame.
    CutSocket,
    /// Continues when the client has opened a socket again.
    AwaitSocket,
    /// The client's socket stays open and gets no more messages.
    ForgetSocket,
    /// Continues when this prompt is interrupted.
    AwaitInterrupt,
    /// Keeps the prompt in the queue until it is deleted. Steps after it are not played.
    AwaitDelete,
    /// Removes the prompt from the queue without a trace.
    Vanish,
    /// Kills the process: sockets break, connections are refused, state is lost.
    Kill,
    /// Kills the process and starts a new one at once.
    Restart,
    /// Waits for [`super::Scripted::release`].
    Hold,
}

impl Run {
    /// The run of a stock server: every node is executed, and each of `outputs` shows its value.
    #[must_use]
    pub fn success(nodes: &[String], outputs: &[(String, Value)], delay: Duration) -> Self {
        let mut steps = Self::begun();
        for (index, node) in nodes.iter().enumerate() {
            steps.push(text("executing", json!({"node": node, "display_node": node, "prompt_id": THIS_PROMPT})));
            if index == 0 && !delay.is_zero() {
                steps.push(Step::Wait(delay));
            }
            steps.push(text(
                "progress_state",
                json!({"prompt_id": THIS_PROMPT, "nodes": {node.as_str(): {"value": 1.0, "max": 1.0, "state": "finished",
                    "node_id": node, "prompt_id": THIS_PROMPT, "display_node_id": node, "parent_node_id": null,
                    "real_node_id": node}}}),
            ));
            if let Some((_, output)) = outputs.iter().find(|(id, _)| id == node) {
                steps.push(text(
                    "executed",
                    json!({"node": node, "display_node": node, "output": output, "prompt_id": THIS_PROMPT}),
                ));
            }
        }
        steps.push(text("execution_success", json!({"prompt_id": THIS_PROMPT, "timestamp": null})));
        Self { steps: ended(steps), ..Self::default() }
    }

    /// A run whose first node raises.
    #[must_use]
    pub fn failure(nodes: &[String], delay: Duration) -> Self {
        Self::raising(nodes, delay, "RuntimeError", "raised by the script\n")
    }

    /// A run whose first node raises this exception.
    #[must_use]
    pub fn raising(nodes: &[String], delay: Duration, exception: &str, message: &str) -> Self {
        let node = nodes.first().cloned().unwrap_or_default();
        let mut steps = Self::begun();
        steps.push(text("executing", json!({"node": node, "display_node": node, "prompt_id": THIS_PROMPT})));
        if !delay.is_zero() {
            steps.push(Step::Wait(delay));
        }
        steps.push(text(
            "execution_error",
            json!({"prompt_id": THIS_PROMPT, "node_id": node, "node_type": "Scripted", "executed": [],
                "exception_message": message, "exception_type": exception,
                "traceback": ["  File \"scripted\"\n"], "current_inputs": {}, "current_outputs": [],
                "timestamp": null}),
        ));
        Self { steps: ended(steps), ..Self::default() }
    }

    /// Inserts `step` before the first message of this type.
    #[must_use]
    pub fn with_before(mut self, kind: &str, step: Step) -> Self {
        let place = self.steps.iter().position(|known| known.kind() == Some(kind)).unwrap_or(self.steps.len());
        self.steps.insert(place, step);
        self
    }

    /// Replaces the first message of this type, and all after it, by `step`.
    #[must_use]
    pub fn until(mut self, kind: &str, step: Step) -> Self {
        let place = self.steps.iter().position(|known| known.kind() == Some(kind)).unwrap_or(self.steps.len());
        self.steps.truncate(place);
        self.steps.push(step);
        self
    }

    fn begun() -> Vec<Step> {
        vec![
            text("execution_start", json!({"prompt_id": THIS_PROMPT, "timestamp": null})),
            text("execution_cached", json!({"nodes": [], "prompt_id": THIS_PROMPT, "timestamp": null})),
        ]
    }
}

impl Step {
    #[must_use]
    pub fn kind(&self) -> Option<&str> {
        match self {
            Self::Text(message) => message.get("type").and_then(Value::as_str),
            _ => None,
        }
    }
}

fn ended(mut steps: Vec<Step>) -> Vec<Step> {
    steps.push(text("status", json!({"status": {"exec_info": {"queue_remaining": 0}}})));
    steps.push(text("executing", json!({"node": null, "prompt_id": THIS_PROMPT})));
    steps
}

#[must_use]
pub fn text(kind: &str, data: Value) -> Step {
    Step::Text(json!({"type": kind, "data": data}))
}
