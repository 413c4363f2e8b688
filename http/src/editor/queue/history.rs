//! ComfyUI's queue items and history entries.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};
use verdigraph_core::jobs::{ClientPrompt, JobOutput, PromptContent};

use super::outputs::by_node;
use super::state::{PromptState, execution_error, number};
use crate::editor::dialect::Dialect;

/// An object whose entries keep their order.
#[derive(Debug)]
pub struct Entries<T>(pub Vec<(String, T)>);

impl<T: Serialize> Serialize for Entries<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// `[number, prompt_id, prompt, extra_data, outputs_to_execute]`.
#[derive(Debug, Serialize)]
pub struct QueueItem(Value, String, Box<RawValue>, Box<RawValue>, Vec<String>);

impl QueueItem {
    #[must_use]
    pub fn new(prompt: &ClientPrompt, content: Option<PromptContent>) -> Self {
        let (graph, extra_data) = parts(prompt, content);
        Self(number(prompt.number), prompt.prompt_id.to_string(), graph, extra_data, prompt.outputs.clone())
    }
}

/// Comfy Cloud's item: `[number, prompt_id, prompt, outputs_to_execute, {create_time}]`.
#[derive(Debug, Serialize)]
pub struct CloudQueueItem(Value, String, Box<RawValue>, Vec<String>, Value);

impl CloudQueueItem {
    #[must_use]
    pub fn new(prompt: &ClientPrompt, content: Option<PromptContent>) -> Self {
        let (graph, _) = parts(prompt, content);
        let created = json!({ "create_time": prompt.created_at.timestamp_millis() });
        Self(number(prompt.number), prompt.prompt_id.to_string(), graph, prompt.outputs.clone(), created)
    }
}

/// An entry of the history.
#[derive(Debug, Serialize)]
pub struct PromptEntry<P> {
    pub prompt: P,
    pub outputs: Map<String, Value>,
    pub status: Value,
    pub meta: Map<String, Value>,
}

impl<P> PromptEntry<P> {
    #[must_use]
    pub fn new(prompt: &ClientPrompt, item: P, outputs: &[JobOutput], dialect: Dialect) -> Self {
        let outputs = by_node(outputs);
        let meta = metas(&outputs);
        Self { prompt: item, status: status(prompt, dialect), outputs, meta }
    }
}

/// The graph and the extra data. Accounts at other services are never stored.
pub fn parts(prompt: &ClientPrompt, content: Option<PromptContent>) -> (Box<RawValue>, Box<RawValue>) {
    let Some(PromptContent { prompt: graph, extra_data }) = content else { return (empty(), empty()) };
    let fields: Result<BTreeMap<String, Box<RawValue>>, _> = serde_json::from_str(extra_data.get());
    let Ok(mut fields) = fields else { return (graph, empty()) };
    if let Ok(created) = to_raw_value(&prompt.created_at.timestamp_millis()) {
        fields.insert("create_time".to_owned(), created);
    }
    (graph, to_raw_value(&fields).unwrap_or(extra_data))
}

fn empty() -> Box<RawValue> {
    to_raw_value(&json!({})).unwrap_or_default()
}

/// `status`: how it ended, and the messages of its run.
pub fn status(prompt: &ClientPrompt, dialect: Dialect) -> Value {
    let id = prompt.prompt_id;
    let started = prompt.started_at.unwrap_or(prompt.created_at).timestamp_millis();
    let ended = prompt.ended_at.unwrap_or(prompt.created_at).timestamp_millis();
    let mut messages = vec![
        json!(["execution_start", { "prompt_id": id, "timestamp": started }]),
        json!(["execution_cached", { "nodes": [], "prompt_id": id, "timestamp": started }]),
    ];
    let state = PromptState::of(prompt.status);
    match state {
        PromptState::Completed => messages.push(json!(["execution_success", { "prompt_id": id, "timestamp": ended }])),
        PromptState::Cancelled => messages.push(json!([
            "execution_interrupted",
            { "prompt_id": id, "node_id": "", "node_type": "", "executed": [], "timestamp": ended },
        ])),
        PromptState::Failed => {
            messages.extend(execution_error(prompt, dialect).map(|error| json!(["execution_error", error])));
        }
        PromptState::Pending | PromptState::InProgress => {}
    }
    let is_completed = state == PromptState::Completed;
    let word = if is_completed { "success" } else { "error" };
    json!({ "status_str": word, "completed": is_completed, "messages": messages })
}

/// Where the outputs of each node are shown.
pub fn metas(outputs: &Map<String, Value>) -> Map<String, Value> {
    outputs.keys().map(|node| (node.clone(), meta(node))).collect()
}

/// Where a node's output is shown. An inner node belongs to its subgraph's node.
fn meta(node: &str) -> Value {
    let parent = node.rsplit_once(':').map(|(parent, _)| parent);
    json!({ "node_id": node, "display_node": node, "parent_node": parent, "real_node_id": node })
}

#[cfg(test)]
pub mod tests {
    use chrono::DateTime;
    use uuid::Uuid;
    use verdigraph_core::assets::MediaType;
    use verdigraph_core::ids::JobId;
    use verdigraph_core::jobs::Status;

    use super::super::outputs::tests::{asset, output};
    use super::*;

    const PROMPT: Uuid = Uuid::from_u128(7);

    pub fn prompt(status: Status) -> ClientPrompt {
        let at = |ms| DateTime::from_timestamp_millis(ms).expect("a time");
        let has_begun = !matches!(status, Status::Pending | Status::Connecting);
        ClientPrompt {
            job: JobId(Uuid::from_u128(3)),
            prompt_id: PROMPT,
            client_id: Some("client-a".to_owned()),
            number: 0.0,
            workflow_id: None,
            outputs: vec!["3".to_owned()],
            is_removed: false,
            status,
            is_cancel_requested: false,
            execute_exception: None,
            validate_exception: None,
            created_at: at(1_795_188_297_729),
            started_at: has_begun.then(|| at(1_795_188_297_733)),
            ended_at: status.is_terminal().then(|| at(1_795_188_297_746)),
            ran_ms: status.is_terminal().then_some(13),
        }
    }

    fn content(prompt: &str, extra_data: &str) -> PromptContent {
        let raw = |text: &str| RawValue::from_string(text.to_owned()).expect("JSON");
        PromptContent { prompt: raw(prompt), extra_data: raw(extra_data) }
    }

    /// Names of all fields of a value, with places: what a client may rely on.
    fn shape(value: &Value, place: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    found.push(format!("{place}.{key}"));
                    shape(value, &format!("{place}.{key}"), found);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| shape(item, &format!("{place}[]"), found)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn shape_of(value: &Value) -> Vec<String> {
        let mut found = Vec::new();
        shape(value, "", &mut found);
        found.sort();
        found.dedup();
        found
    }

    #[test]
    fn entry_of_a_success_has_the_fields_of_the_recorded_one() {
        let recorded: Value =
            serde_json::from_str(include_str!("../../../tests/data/comfyui/history_success.json")).expect("JSON");
        let recorded = recorded.as_object().and_then(|entries| entries.values().next()).expect("an entry");
        let graph = recorded["prompt"][2].to_string();
        let outputs = [output("3", vec![("images", asset(1, MediaType::Png, Some("trace01_00001_.png")))])];
        let done = prompt(Status::Done);
        let item = QueueItem::new(&done, Some(content(&graph, r#"{"client_id":"client-a"}"#)));
        let entry = serde_json::to_value(PromptEntry::new(&done, item, &outputs, Dialect::Local)).expect("JSON");
        assert_eq!(shape_of(&entry), shape_of(recorded));
        assert_eq!(entry["prompt"], json!([0, PROMPT, recorded["prompt"][2], recorded["prompt"][3], ["3"]]));
        assert_eq!(entry["meta"], recorded["meta"]);
        assert_eq!(entry["status"]["status_str"], recorded["status"]["status_str"]);
        let image = &entry["outputs"]["3"]["images"][0];
        assert_eq!((&image["filename"], &image["type"]), (&json!("trace01_00001_.png"), &json!("output")));
    }

    #[test]
    fn entry_of_an_error_has_the_fields_of_the_recorded_one() {
        let recorded: Value =
            serde_json::from_str(include_str!("../../../tests/data/comfyui/history_error.json")).expect("JSON");
        let recorded = recorded.as_object().and_then(|entries| entries.values().next()).expect("an entry");
        let mut failed = prompt(Status::ExecuteError);
        failed.execute_exception = Some(json!({
            "node_id": "1", "node_type": "LoadImage", "exception_message": "no", "exception_type": "PIL.Error",
            "traceback": ["a", "b"],
        }));
        let mine = status(&failed, Dialect::Local);
        let fields = |value: &Value| {
            let error = value["messages"][2][1].as_object().expect("an error");
            error.keys().cloned().collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(fields(&mine), fields(&recorded["status"]));
        assert_eq!(mine["messages"][2][0], recorded["status"]["messages"][2][0]);
        assert_eq!((&mine["status_str"], &mine["completed"]), (&json!("error"), &json!(false)));
    }

    #[test]
    fn interrupted_prompt_is_told_apart_from_a_failed_one_by_its_last_message() {
        let stopped = status(&prompt(Status::Canceled), Dialect::Local);
        assert_eq!(
            (&stopped["status_str"], &stopped["messages"][2][0]),
            (&json!("error"), &json!("execution_interrupted"))
        );
        let mut lost = prompt(Status::WorkerShutdownError);
        lost.validate_exception = Some(json!({ "message": "the worker was lost" }));
        let error = &status(&lost, Dialect::Local)["messages"][2][1];
        assert_eq!(
            (&error["node_id"], &error["exception_message"], &error["exception_type"]),
            (&json!(""), &json!("the worker was lost"), &json!("WorkerShutdownError"))
        );
        let mut refused = prompt(Status::InvalidPrompt);
        refused.validate_exception = Some(json!({ "message": "no", "node_errors": { "7": { "class_type": "A" } } }));
        let error = &status(&refused, Dialect::Local)["messages"][2][1];
        let named = (&error["node_id"], &error["node_type"], &error["exception_message"]);
        assert_eq!(named, (&json!("7"), &json!("A"), &json!("no")), "a refused graph names its node");
    }

    #[test]
    fn texts_of_numbers_survive() {
        let item = QueueItem::new(
            &prompt(Status::Pending),
            Some(content(r#"{"1":{"inputs":{"seed":18446744073709551616,"x":-0.0}}}"#, r#"{"w":1.50}"#)),
        );
        let text = serde_json::to_string(&item).expect("JSON");
        assert!(text.contains("18446744073709551616") && text.contains("-0.0") && text.contains("1.50"), "{text}");
    }

    #[test]
    fn hidden_graph_is_an_empty_one() {
        let item = serde_json::to_value(QueueItem::new(&prompt(Status::Done), None)).expect("JSON");
        assert_eq!((&item[2], &item[3]), (&json!({}), &json!({})));
    }
}
