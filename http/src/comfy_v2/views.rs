//! Jobs in the words of Comfy API v2. SDKs refuse an answer that lacks a field, so fields without a value
//! are null.

use chrono::{DateTime, Months, TimeDelta, Utc};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use uuid::Uuid;
use verdigraph_core::jobs::{Job, JobLabels, JobProgress, JobStatus, Status, StatusGroup};
use verdigraph_core::{Caller, Core, Error};

use super::file_views::{ComfyOutput, ComfyOutputs, outputs};
use crate::area::COMFY_V2;
use crate::editor::queue::refused_node;

/// Jobs are kept forever, and the field has no word for that.
const FOREVER: TimeDelta = TimeDelta::days(36_500);

#[derive(Debug, Serialize)]
pub struct ComfyJob {
    id: Uuid,
    status: &'static str,
    created_at: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    completed_at: Option<DateTime<Utc>>,
    expires_at: DateTime<Utc>,
    queue_position: Option<i64>,
    progress: Option<ComfyProgress>,
    outputs: Vec<ComfyOutput>,
    error: Option<ComfyFailure>,
    metrics: ComfyMetrics,
    metadata: JobLabels,
    urls: ComfyUrls,
}

#[derive(Debug, Serialize)]
struct ComfyMetrics {
    queue_ms: Option<i64>,
    execution_ms: Option<i64>,
}

#[derive(Debug, Serialize)]
struct ComfyUrls {
    #[serde(rename = "self")]
    own: String,
    events: String,
    cancel: String,
    /// Only where there is a log: of a failure, or of outputs that are missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    logs: Option<String>,
}

/// The data of the event `status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StatusEvent {
    pub status: &'static str,
    pub queue_position: Option<i64>,
}

/// Also the data of the event `progress`.
#[derive(Debug, Serialize)]
pub struct ComfyProgress {
    value: f64,
    nodes_done: usize,
    nodes_total: usize,
    current_node: String,
    /// Null in a message of an earlier version.
    current_node_class: Option<String>,
    step: u64,
    steps: u64,
    message: String,
}

/// Why a job failed.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct ComfyFailure {
    pub code: &'static str,
    pub message: String,
    pub node_id: Option<String>,
    pub class_type: Option<String>,
    pub traceback: Option<String>,
}

/// A job in a list.
#[derive(Debug, Serialize)]
pub struct ComfyJobItem {
    id: Uuid,
    status: &'static str,
    create_time: DateTime<Utc>,
    update_time: DateTime<Utc>,
    metadata: JobLabels,
}

#[derive(Debug, Serialize)]
pub struct ComfyJobs {
    pub jobs: Vec<ComfyJobItem>,
    /// Missing on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct ComfyWorkflow {
    pub workflow: Box<RawValue>,
    pub format: &'static str,
}

#[derive(Debug, Serialize)]
pub struct ComfyLog {
    pub text: String,
    pub truncated: bool,
    pub captured_at: DateTime<Utc>,
    pub complete: bool,
}

/// The word for a job's status. One that ends is not always `canceling` first: a waiting job is canceled at once.
#[must_use]
pub fn status_word(job: &Job) -> &'static str {
    match job.status.group() {
        StatusGroup::InFlight if job.is_cancel_requested => "canceling",
        StatusGroup::InFlight if job.status == Status::Running => "running",
        StatusGroup::Waiting | StatusGroup::InFlight => "queued",
        StatusGroup::Done => "succeeded",
        StatusGroup::Canceled => "canceled",
        StatusGroup::Failed => "failed",
    }
}

impl StatusEvent {
    #[must_use]
    pub fn of(status: &JobStatus) -> Self {
        Self { status: status_word(&status.job), queue_position: status.queue.as_ref().map(|place| place.position) }
    }
}

impl From<JobProgress> for ComfyProgress {
    fn from(progress: JobProgress) -> Self {
        let value = progress.share();
        let JobProgress { node_id, node_title, node_class, value: step, max, nodes_done, nodes_total } = progress;
        let [step, steps] = [step, max].map(whole);
        let message = format!("{node_title} {step}/{steps}");
        let current_node_class = Some(node_class).filter(|class| !class.is_empty());
        Self { value, nodes_done, nodes_total, current_node: node_id, current_node_class, step, steps, message }
    }
}

/// Steps are whole numbers there. A node may count with fractions.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the range of u32")]
fn whole(steps: f64) -> u64 {
    let steps = if steps.is_finite() { steps.clamp(0.0, f64::from(u32::MAX)) } else { 0.0 };
    steps as u64
}

/// A job as its owner sees it, with addresses below that of the site.
pub async fn job(core: &Core, caller: &Caller, site: &str, found: JobStatus) -> Result<ComfyJob, Error> {
    let StatusEvent { status, queue_position } = StatusEvent::of(&found);
    let ComfyOutputs { made, undelivered } = outputs(core, caller, site, &found.job).await?;
    let JobStatus { job, progress, .. } = found;
    let error = failure(&job);
    let kept_until = match core.settings.jobs.keep_months {
        0 => None,
        months => job.created_at.checked_add_months(Months::new(months)),
    };
    let own = format!("{site}{COMFY_V2}/jobs/{}", job.id);
    Ok(ComfyJob {
        id: job.id.0,
        status,
        created_at: job.created_at,
        started_at: job.started_at,
        completed_at: job.ended_at,
        expires_at: kept_until.unwrap_or(job.created_at + FOREVER),
        queue_position,
        progress: progress.map(ComfyProgress::from),
        outputs: made,
        metrics: ComfyMetrics {
            queue_ms: job.started_at.map(|at| (at - job.created_at).num_milliseconds().max(0)),
            execution_ms: job.ran_ms,
        },
        urls: ComfyUrls {
            events: format!("{own}/events"),
            cancel: format!("{own}/cancel"),
            logs: (error.is_some() || !undelivered.is_empty()).then(|| format!("{own}/logs")),
            own,
        },
        error,
        metadata: job.labels,
    })
}

impl From<Job> for ComfyJobItem {
    fn from(job: Job) -> Self {
        Self {
            id: job.id.0,
            status: status_word(&job),
            create_time: job.created_at,
            update_time: job.ended_at.or(job.started_at).unwrap_or(job.created_at),
            metadata: job.labels,
        }
    }
}

/// Whether the graph, the machine or a limit ended a job that failed.
#[must_use]
pub fn failure(job: &Job) -> Option<ComfyFailure> {
    let (code, message) = match job.status {
        Status::InvalidPrompt => ("invalid_workflow", "the worker refused the graph"),
        Status::ExecuteError => ("node_execution_error", "a node raised an exception"),
        Status::ConnectError => ("no_worker", "no worker that can run the graph was free in time"),
        Status::WorkerConnectError => ("worker_unreachable", "no worker could be reached"),
        Status::WorkerExceptionError => ("worker_error", "the worker failed, not the graph"),
        Status::WorkerShutdownError => ("worker_lost", "the worker was lost, through no fault of the graph"),
        Status::ExecutionTimeout => ("execution_timeout", "the job ran longer than its plan or its credits allow"),
        Status::ForceTimeout => ("worker_silent", "the worker went silent and the job was stopped"),
        Status::UnknownError => ("internal_error", "something went wrong on our side"),
        Status::Pending
        | Status::Connecting
        | Status::Connected
        | Status::Running
        | Status::Done
        | Status::Canceled => return None,
    };
    let raised = job.execute_exception.as_ref();
    let refused = job.validate_exception.as_ref();
    let said = text(raised, "exception_message").or_else(|| text(refused, "message"));
    let (node, class) = refused_node(refused).unzip();
    Some(ComfyFailure {
        code,
        message: said.unwrap_or_else(|| message.to_owned()),
        node_id: text(raised, "node_id").or(node),
        class_type: text(raised, "node_type").or(class.flatten()),
        traceback: text(raised, "traceback"),
    })
}

/// What is known of a failure and of outputs that are missing, as a log; `None` where all went well.
#[must_use]
pub fn log(job: &Job, undelivered: &[String]) -> Option<ComfyLog> {
    let text = [failure_text(job).unwrap_or_default(), undelivered.concat()].concat();
    let captured_at = job.ended_at.unwrap_or(job.created_at);
    (!text.is_empty()).then_some(ComfyLog { text, truncated: false, captured_at, complete: true })
}

fn failure_text(job: &Job) -> Option<String> {
    let ComfyFailure { code, message, node_id, class_type, traceback } = failure(job)?;
    let node = node_id.map(|id| format!("node {id} ({})\n", class_type.unwrap_or_default())).unwrap_or_default();
    let kind = text(job.execute_exception.as_ref(), "exception_type").unwrap_or_else(|| code.to_owned());
    let end = traceback.map(|lines| if lines.ends_with('\n') { lines } else { lines + "\n" }).unwrap_or_default();
    Some(format!("{node}{kind}: {message}\n{end}"))
}

/// A field of an exception as a text: lists have a line or a part of the traceback in each item.
fn text(exception: Option<&Value>, field: &str) -> Option<String> {
    let text = match exception?.get(field)? {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().concat(),
        Value::Null | Value::Bool(_) | Value::Object(_) => return None,
    };
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn progress_counts_whole_steps() {
        let progress = JobProgress {
            node_id: "3".to_owned(),
            node_title: "Draw".to_owned(),
            node_class: "KSampler".to_owned(),
            value: 5.4,
            max: 20.0,
            nodes_done: 1,
            nodes_total: 4,
        };
        let view = serde_json::to_value(ComfyProgress::from(progress)).expect("JSON");
        let steps = (&view["step"], &view["steps"], &view["message"]);
        assert_eq!(steps, (&json!(5), &json!(20), &json!("Draw 5/20")));
        assert_eq!((&view["current_node"], &view["current_node_class"]), (&json!("3"), &json!("KSampler")));
        assert!(view["value"].as_f64().is_some_and(|value| (0.25..0.5).contains(&value)), "{view}");
        for (steps, expected) in [(f64::NAN, 0), (f64::INFINITY, 0), (-1.0, 0), (1e300, u64::from(u32::MAX))] {
            assert_eq!(whole(steps), expected);
        }
    }

    #[test]
    fn traceback_of_any_shape_is_one_text() {
        let exception = json!({ "traceback": ["a\n", "b"], "node_id": 3, "node_type": "", "x": null });
        let of = |field| text(Some(&exception), field);
        assert_eq!((of("traceback"), of("node_id")), (Some("a\nb".to_owned()), Some("3".to_owned())));
        assert_eq!((of("node_type"), of("x"), of("none")), (None, None, None));
    }
}
