//! What a scripted server does with one prompt.

use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};

/// Stands for the id of the prompt that a run is played for, wherever it occurs in frames and answers.
pub const THIS_PROMPT: &str = "00000000-0000-4000-8000-000000000000";

/// Stands for the `NaN` that Python writes and JSON does not have; it is put back in whatever is sent.
pub(crate) const NAN: &str = "\"<NaN>\"";

/// The answer to the post, then what follows step by step.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// Status and body instead of taking the prompt.
    pub refusal: Option<(u16, String)>,
    /// What the answer says of outputs that are left out.
    pub node_errors: Option<Value>,
    pub steps: Vec<Step>,
    /// The history entry instead of one made from the steps.
    pub history: Option<Value>,
    /// Never reaches the history: it vanished from the queue, or the server forgot it.
    pub unrecorded: bool,
}

/// One step of a run.
#[derive(Debug, Clone)]
pub enum Step {
    /// A message to the prompt's client; a `timestamp` of null is filled in when it is sent.
    Text(Value),
    /// The same, with text that may be no JSON.
    Raw(String),
    Binary(Bytes),
    /// A preview of type 4, whose metadata name the prompt.
    Preview {
        metadata: Value,
        bytes: Bytes,
    },
    Wait(Duration),
    /// The client's socket is closed without a close frame.
    CutSocket,
    /// Goes on when the client has opened a socket again.
    AwaitSocket,
    /// The client's socket stays open and gets nothing more.
    ForgetSocket,
    /// Goes on when somebody interrupted this prompt.
    AwaitInterrupt,
    /// The prompt waits in the queue until somebody deletes it; then nothing more happens.
    AwaitDelete,
    /// The prompt goes from the queue without a trace.
    Vanish,
    /// The process dies: sockets break, connections are refused, nothing is kept.
    Kill,
    /// The process dies and a new one listens at once.
    Restart,
    /// Nothing happens until [`super::Scripted::release`].
    Hold,
}

impl Run {
    /// The run of a stock server: every node is executed, and each of `outputs` shows what it is given here.
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

    /// A run in which the first node raises.
    #[must_use]
    pub fn failure(nodes: &[String], delay: Duration) -> Self {
        let node = nodes.first().cloned().unwrap_or_default();
        let mut steps = Self::begun();
        steps.push(text("executing", json!({"node": node, "display_node": node, "prompt_id": THIS_PROMPT})));
        if !delay.is_zero() {
            steps.push(Step::Wait(delay));
        }
        steps.push(text(
            "execution_error",
            json!({"prompt_id": THIS_PROMPT, "node_id": node, "node_type": "Scripted", "executed": [],
                "exception_message": "raised by the script\n", "exception_type": "RuntimeError",
                "traceback": ["  File \"scripted\"\n"], "current_inputs": {}, "current_outputs": [],
                "timestamp": null}),
        ));
        Self { steps: ended(steps), ..Self::default() }
    }

    /// The run with `step` put before the first message of this type.
    #[must_use]
    pub fn with_before(mut self, kind: &str, step: Step) -> Self {
        let place = self.steps.iter().position(|known| known.kind() == Some(kind)).unwrap_or(self.steps.len());
        self.steps.insert(place, step);
        self
    }

    /// The run as far as the first message of this type, which is left out, and then `step`.
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
    /// The type of a message.
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

/// A message of a type.
#[must_use]
pub fn text(kind: &str, data: Value) -> Step {
    Step::Text(json!({"type": kind, "data": data}))
}
