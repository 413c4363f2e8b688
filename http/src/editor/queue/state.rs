//! States, errors and numbers of prompts in ComfyUI's words.

use serde_json::{Value, json};
use verdigraph_core::jobs::{ClientPrompt, Status, StatusGroup};

use crate::editor::dialect::Dialect;

/// The states of the jobs API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptState {
    Pending,
    InProgress,
    Completed,
    Failed,
    Cancelled,
}

/// Each state with its name.
const NAMES: [(PromptState, &str); 5] = [
    (PromptState::Pending, "pending"),
    (PromptState::InProgress, "in_progress"),
    (PromptState::Completed, "completed"),
    (PromptState::Failed, "failed"),
    (PromptState::Cancelled, "cancelled"),
];

impl PromptState {
    #[must_use]
    pub fn of(status: Status) -> Self {
        match status.group() {
            StatusGroup::Waiting => Self::Pending,
            StatusGroup::InFlight => Self::InProgress,
            StatusGroup::Done => Self::Completed,
            StatusGroup::Canceled => Self::Cancelled,
            StatusGroup::Failed => Self::Failed,
        }
    }

    /// The state that a client is told. Comfy Cloud counts a job that is to stop with those that have; ComfyUI's server
    /// shows it running until it has stopped.
    #[must_use]
    pub fn told(prompt: &ClientPrompt, dialect: Dialect) -> Self {
        let is_stopping = prompt.is_cancel_requested && !prompt.status.is_terminal();
        if is_stopping && dialect == Dialect::Cloud { Self::Cancelled } else { Self::of(prompt.status) }
    }

    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.into_iter().map(|(state, _)| state)
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(state, _)| *state == self).map_or("failed", |(_, name)| *name)
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        NAMES.iter().find(|(_, known)| *known == name).map(|(state, _)| *state)
    }

    #[must_use]
    pub fn is_active(self) -> bool {
        matches!(self, Self::Pending | Self::InProgress)
    }

    /// The statuses of jobs in this state.
    pub fn statuses(self) -> impl Iterator<Item = Status> {
        Status::ALL.into_iter().filter(move |status| Self::of(*status) == self)
    }
}

/// Comfy Cloud's own word for the state of a prompt.
#[must_use]
pub fn cloud_state(prompt: &ClientPrompt) -> &'static str {
    if prompt.is_cancel_requested && !prompt.status.is_terminal() {
        return "cancel_requested";
    }
    match prompt.status {
        Status::Pending => "queued_waiting",
        Status::Connecting => "preparing",
        Status::Connected => "pending_execution",
        Status::Running => "executing",
        Status::Done => "success",
        Status::Canceled => "cancelled",
        Status::InvalidPrompt => "non_retryable_error",
        Status::ConnectError | Status::WorkerConnectError | Status::WorkerShutdownError => "lost",
        Status::ExecuteError
        | Status::WorkerExceptionError
        | Status::ExecutionTimeout
        | Status::ForceTimeout
        | Status::UnknownError => "error",
    }
}

/// A number as ComfyUI sends it: without a point where it is whole.
#[must_use]
pub fn number(value: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole, and small enough to be exact")]
        return json!(value as i64);
    }
    json!(value)
}

/// Id and class of the first node that a worker refused, of a job's `validateException`.
#[must_use]
pub fn refused_node(refusal: Option<&Value>) -> Option<(String, Option<String>)> {
    let (id, node) = refusal?.get("node_errors")?.as_object()?.iter().next()?;
    Some((id.clone(), node.get("class_type").and_then(Value::as_str).map(str::to_owned)))
}

/// `exception_type` of a failure that no node raised. Comfy Cloud has no word for a time limit.
#[must_use]
pub fn exception_type(status: Status, dialect: Dialect) -> &'static str {
    match (dialect, status) {
        (Dialect::Cloud, Status::InvalidPrompt) => "ValidationError",
        (
            Dialect::Cloud,
            Status::ConnectError
            | Status::WorkerConnectError
            | Status::WorkerExceptionError
            | Status::WorkerShutdownError
            | Status::ForceTimeout
            | Status::UnknownError,
        ) => "ServiceError",
        (Dialect::Local | Dialect::Cloud, status) => status.name(),
    }
}

/// The data of `execution_error` for a prompt that failed. An error of no node has empty node fields.
#[must_use]
pub fn execution_error(prompt: &ClientPrompt, dialect: Dialect) -> Option<Value> {
    if PromptState::of(prompt.status) != PromptState::Failed {
        return None;
    }
    let field = |value: Option<&Value>, key: &str| value.and_then(|value| value.get(key)).cloned();
    let raised = prompt.execute_exception.as_ref();
    let message = field(raised, "exception_message")
        .or_else(|| field(prompt.validate_exception.as_ref(), "message"))
        .unwrap_or_else(|| json!(prompt.status.name()));
    let kind = field(raised, "exception_type").unwrap_or_else(|| json!(exception_type(prompt.status, dialect)));
    let (node, class) = refused_node(prompt.validate_exception.as_ref()).unwrap_or_default();
    let text = |key: &str, other: String| field(raised, key).filter(Value::is_string).unwrap_or_else(|| json!(other));
    let traceback = match field(raised, "traceback") {
        Some(Value::Array(lines)) => Value::Array(lines),
        Some(Value::String(lines)) => json!([lines]),
        _ => json!([]),
    };
    Some(json!({
        "prompt_id": prompt.prompt_id,
        "node_id": text("node_id", node),
        "node_type": text("node_type", class.unwrap_or_default()),
        "executed": [],
        "exception_message": message,
        "exception_type": kind,
        "traceback": traceback,
        "current_inputs": {},
        "current_outputs": [],
        "timestamp": prompt.ended_at.unwrap_or(prompt.created_at).timestamp_millis(),
    }))
}

#[cfg(test)]
mod tests {
    use super::super::history::tests::prompt;
    use super::*;

    #[test]
    fn each_status_has_one_state() {
        for status in Status::ALL {
            let state = PromptState::of(status);
            assert_eq!(state.is_active(), !status.is_terminal(), "{status:?}");
            assert!(state.statuses().any(|one| one == status), "{status:?}");
            assert_eq!(PromptState::from_name(state.name()), Some(state));
        }
        assert_eq!(PromptState::from_name("nope"), None);
    }

    #[test]
    fn prompt_that_is_to_stop_is_cancelled_for_comfy_cloud_before_it_ends() {
        for status in Status::ALL {
            let mut prompt = prompt(status);
            let told = cloud_state(&prompt);
            assert_ne!(told, "cancel_requested", "{status:?}");
            prompt.is_cancel_requested = true;
            let expected = if status.is_terminal() { told } else { "cancel_requested" };
            assert_eq!(cloud_state(&prompt), expected, "{status:?}");
            let own = PromptState::of(status);
            assert_eq!(PromptState::told(&prompt, Dialect::Local), own, "{status:?}");
            let expected = if status.is_terminal() { own } else { PromptState::Cancelled };
            assert_eq!(PromptState::told(&prompt, Dialect::Cloud), expected, "{status:?}");
        }
    }

    #[test]
    fn failure_without_a_node_has_the_word_of_the_dialect() {
        let kind = |prompt: &ClientPrompt, dialect| {
            execution_error(prompt, dialect).map(|error| error["exception_type"].clone()).expect("an error")
        };
        for (status, cloud) in [
            (Status::InvalidPrompt, "ValidationError"),
            (Status::ConnectError, "ServiceError"),
            (Status::WorkerShutdownError, "ServiceError"),
            (Status::UnknownError, "ServiceError"),
            (Status::ExecutionTimeout, "ExecutionTimeout"),
        ] {
            let failed = prompt(status);
            assert_eq!(kind(&failed, Dialect::Cloud), cloud, "{status:?}");
            assert_eq!(kind(&failed, Dialect::Local), status.name());
        }
        let mut raised = prompt(Status::ExecuteError);
        raised.execute_exception = Some(json!({ "node_id": "1", "exception_type": "ValueError" }));
        assert_eq!(kind(&raised, Dialect::Cloud), "ValueError", "a node's own exception keeps its type");
    }

    #[test]
    fn refused_graph_names_its_first_node() {
        let refusal = json!({ "message": "no", "node_errors": { "7": { "class_type": "SaveImage", "errors": [] } } });
        assert_eq!(refused_node(Some(&refusal)), Some(("7".to_owned(), Some("SaveImage".to_owned()))));
        for none in [json!({ "message": "no" }), json!({ "node_errors": {} }), json!(null)] {
            assert_eq!(refused_node(Some(&none)), None);
        }
    }

    #[test]
    fn whole_numbers_have_no_point() {
        assert_eq!(number(-191.0).to_string(), "-191");
        assert_eq!(number(7.5).to_string(), "7.5");
    }
}
