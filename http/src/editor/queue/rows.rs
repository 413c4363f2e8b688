//! Rows of the jobs API. The front end checks them strictly: one invalid row empties its whole list.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use verdigraph_core::jobs::{ClientPrompt, JobOutput, PromptContent};

use super::history::{metas, parts, status};
use super::outputs::{by_node, counts, preview};
use super::state::{PromptState, execution_error, number};
use crate::editor::dialect::Dialect;

/// A row of the list. Fields without a value are left out, as ComfyUI does.
#[must_use]
pub fn row(prompt: &ClientPrompt, outputs: &[JobOutput], dialect: Dialect) -> Map<String, Value> {
    let ended = prompt.ended_at.map(|at| at.timestamp_millis());
    let started = prompt.started_at.or(prompt.ended_at).map(|at| at.timestamp_millis());
    let (all, shown) = counts(outputs);
    let mut row = Map::new();
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            row.insert(key.to_owned(), value);
        }
    };
    put("id", Some(json!(prompt.prompt_id)));
    put("status", Some(json!(PromptState::told(prompt, dialect).name())));
    put("priority", Some(number(prompt.number)));
    put("create_time", Some(json!(prompt.created_at.timestamp_millis())));
    put("execution_start_time", started.map(Value::from));
    put("execution_end_time", ended.map(Value::from));
    put("execution_error", execution_error(prompt, dialect));
    put("outputs_count", Some(json!(all)));
    put("previewable_outputs_count", Some(json!(shown)));
    put("preview_output", preview(outputs));
    put("workflow_id", prompt.workflow_id.as_ref().map(|id| json!(id)));
    row
}

/// One job with everything.
#[derive(Debug, Serialize)]
pub struct JobDetail {
    #[serde(flatten)]
    row: Map<String, Value>,
    update_time: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    outputs: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    execution_status: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    workflow: Option<SentGraph>,
    /// Comfy Cloud's name for what the history calls `meta`.
    #[serde(skip_serializing_if = "Option::is_none")]
    execution_meta: Option<Map<String, Value>>,
}

/// A graph and what was sent with it.
#[derive(Debug, Serialize)]
struct SentGraph {
    prompt: Box<RawValue>,
    extra_data: Box<RawValue>,
}

impl JobDetail {
    /// The job as a client of the dialect expects it. `content` is missing where the caller may not see the graph.
    #[must_use]
    pub fn new(prompt: &ClientPrompt, content: Option<PromptContent>, outputs: &[JobOutput], dialect: Dialect) -> Self {
        let is_over = prompt.status.is_terminal();
        let workflow = content.map(|content| {
            let (prompt, extra_data) = parts(prompt, Some(content));
            SentGraph { prompt, extra_data }
        });
        let nodes = is_over.then(|| by_node(outputs));
        let execution_meta = match dialect {
            Dialect::Local => None,
            Dialect::Cloud => nodes.as_ref().map(metas),
        };
        let updated = prompt.ended_at.or(prompt.started_at).unwrap_or(prompt.created_at);
        Self {
            row: row(prompt, outputs, dialect),
            update_time: updated.timestamp_millis(),
            outputs: nodes,
            execution_status: is_over.then(|| status(prompt, dialect)),
            workflow,
            execution_meta,
        }
    }
}

#[cfg(test)]
mod tests {
    use verdigraph_core::assets::MediaType;
    use verdigraph_core::jobs::Status;

    use super::super::history::tests::prompt;
    use super::super::outputs::tests::{asset, output};
    use super::*;

    #[test]
    fn rows_have_the_fields_of_the_recorded_ones() {
        let recorded: Value =
            serde_json::from_str(include_str!("../../../tests/data/comfyui/jobs_all_states.json")).expect("JSON");
        for (status, name) in [
            (Status::Pending, "pending"),
            (Status::Running, "in_progress"),
            (Status::Done, "completed"),
            (Status::ExecuteError, "failed"),
            (Status::Canceled, "cancelled"),
        ] {
            let jobs = recorded["jobs"].as_array().expect("jobs");
            let known = jobs.iter().find(|job| job["status"] == name).and_then(Value::as_object).expect("a job");
            let outputs = match status {
                Status::Done => vec![output("2", vec![("images", asset(1, MediaType::Png, Some("a.png")))])],
                _ => Vec::new(),
            };
            let mut mine = prompt(status);
            mine.workflow_id = known.get("workflow_id").and_then(Value::as_str).map(str::to_owned);
            let mut row = row(&mine, &outputs, Dialect::Local);
            if status == Status::Running {
                // Told while it runs too.
                assert!(row.remove("execution_start_time").is_some());
            }
            let keys = |row: &Map<String, Value>| row.keys().cloned().collect::<std::collections::BTreeSet<_>>();
            assert_eq!(keys(&row), keys(known), "{name}");
            assert_eq!(row["status"], name);
        }
    }

    #[test]
    fn detail_of_a_waiting_job_has_no_outputs() {
        let shown =
            |status, dialect| serde_json::to_value(JobDetail::new(&prompt(status), None, &[], dialect)).expect("JSON");
        let detail = shown(Status::Pending, Dialect::Local);
        assert!(detail.get("outputs").is_none() && detail.get("workflow").is_none(), "{detail}");
        assert_eq!(detail["update_time"], detail["create_time"]);
        let ended = shown(Status::Done, Dialect::Local);
        assert_eq!((&ended["outputs"], &ended["execution_status"]["completed"]), (&json!({}), &json!(true)));
        assert!(ended.get("execution_meta").is_none());
        assert_eq!(shown(Status::Done, Dialect::Cloud)["execution_meta"], json!({}));
    }
}
