//! Jobs of the caller: their state, the wait for their end, cancel, and lists.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;
use verdigraph_core::filter::TimeRange;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, Job, JobFilter, JobProgress, JobStatus, Status, StatusReason};
use verdigraph_core::{Error, ledger};

use super::{outputs, own, runs};
use crate::comfy_v2::views::{ComfyFailure, failure, status_word};
use crate::mcp::arguments::within;
use crate::mcp::failure::Failure;
use crate::mcp::outcome::{Context, ToolResult, Waiting};
use crate::mcp::schema::{MAX_ITEMS, MAX_WAIT, STATUSES};
use crate::moment::Moment;
use crate::routes::{CursorQuery, next_cursor};

/// Jobs of a list, unless its call says how many.
const ITEMS: i64 = 10;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobArguments {
    job_id: Uuid,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaitArguments {
    job_id: Uuid,
    wait_s: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListArguments {
    status: Option<String>,
    since: Option<Moment>,
    cursor: Option<String>,
    limit: Option<i64>,
}

/// A job in results.
#[derive(Debug, Serialize)]
struct JobReport {
    job_id: JobId,
    status: &'static str,
    created_at: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
    /// Null before the end.
    credits_used: Option<i64>,
    max_credits: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    queue: Option<QueueReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    waits_for: Option<WaitReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<ProgressReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ComfyFailure>,
}

#[derive(Debug, Serialize)]
struct QueueReport {
    place: i64,
    /// From now; null while no worker can run it.
    starts_in_seconds: Option<[i64; 2]>,
}

/// What a job waits for, and what would let it start.
#[derive(Debug, Serialize)]
struct WaitReport {
    code: &'static str,
    message: String,
    released_by: String,
}

#[derive(Debug, Serialize)]
struct ProgressReport {
    /// The part of the work that is done, from 0 to 1.
    done: f64,
    node: String,
}

impl JobReport {
    fn of(job: Job) -> Self {
        Self {
            job_id: job.id,
            status: status_word(&job),
            created_at: job.created_at,
            started_at: job.started_at,
            ended_at: job.ended_at,
            credits_used: job.credits_used,
            max_credits: job.max_credits,
            queue: None,
            waits_for: None,
            progress: None,
            error: failure(&job),
        }
    }
}

impl From<StatusReason> for WaitReport {
    fn from(reason: StatusReason) -> Self {
        let StatusReason { code, message, released_by, .. } = reason;
        Self { code: code.name(), message, released_by }
    }
}

impl From<JobProgress> for ProgressReport {
    fn from(progress: JobProgress) -> Self {
        Self { done: progress.share(), node: progress.node_title }
    }
}

async fn report(context: &Context, status: JobStatus) -> Result<Value, Failure> {
    let JobStatus { job, queue, progress } = status;
    let (id, is_waiting) = (job.id, !job.status.is_terminal() && job.status != Status::Running);
    let waits_for = match is_waiting {
        true => why(context, id).await?,
        false => None,
    };
    let queue = queue.map(|place| QueueReport {
        place: place.position,
        starts_in_seconds: place.eta_seconds.map(|(low, high)| [low, high]),
    });
    Ok(json!(JobReport { queue, waits_for, progress: progress.map(Into::into), ..JobReport::of(job) }))
}

async fn why(context: &Context, id: JobId) -> Result<Option<WaitReport>, Failure> {
    match jobs::why(&context.core, &context.caller, id).await {
        Ok(reason) => Ok(Some(reason.into())),
        // It has ended since it was read.
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

pub async fn find(context: &Context, arguments: JobArguments) -> Result<ToolResult, Failure> {
    let status = own::find(context, arguments.job_id).await?;
    Ok(ToolResult::of(report(context, status).await?))
}

pub async fn wait(context: &Context, arguments: WaitArguments) -> Result<Waiting, Failure> {
    let WaitArguments { job_id, wait_s } = arguments;
    let seconds = runs::wait(wait_s, MAX_WAIT)?;
    let JobStatus { job, .. } = own::find(context, job_id).await?;
    Ok(Waiting { job: job.id, seconds, notes: serde_json::Map::new() })
}

/// The job after a wait, with its outputs. One that failed is an error of the call.
pub async fn waited(context: &Context, waiting: &Waiting) -> Result<ToolResult, Failure> {
    let status = own::find(context, waiting.job.0).await?;
    let job = status.job.clone();
    let mut view = report(context, status).await?;
    if let Some(fields) = view.as_object_mut() {
        fields.extend(waiting.notes.clone());
    }
    if job.status.fault().is_some() {
        return Ok(ToolResult::of(view).failed());
    }
    if job.status != Status::Done {
        return Ok(ToolResult::of(view));
    }
    let made = outputs::of_job(context, job.id, true).await?;
    view["outputs"] = Value::Array(made.views);
    Ok(ToolResult::of(view).with(made.content))
}

/// The job after the cancel, with the credits that it held and did not use: null until it has ended, and for a job that
/// had ended before.
pub async fn cancel(context: &Context, arguments: JobArguments) -> Result<ToolResult, Failure> {
    let JobStatus { job, .. } = own::find(context, arguments.job_id).await?;
    let held = ledger::held(&context.core, job.id).await?;
    jobs::cancel(&context.core, &context.caller, job.id).await?;
    let status = own::find(context, arguments.job_id).await?;
    let used = status.job.status.is_terminal().then(|| status.job.credits_used.unwrap_or(0));
    let mut view = report(context, status).await?;
    view["credits_returned"] = json!(held.zip(used).map(|(held, used)| (held - used).max(0)));
    Ok(ToolResult::of(view))
}

pub async fn list(context: &Context, arguments: ListArguments) -> Result<ToolResult, Failure> {
    let ListArguments { status, since, cursor, limit } = arguments;
    let limit = limit.unwrap_or(ITEMS);
    within("limit", limit, &(1..=MAX_ITEMS))?;
    let statuses = status.as_deref().map(statuses).transpose()?.unwrap_or_default();
    let created = TimeRange { from: since.map(Into::into), until: None };
    let before = CursorQuery { cursor, limit: None }.before::<JobId>()?;
    let filter = JobFilter { statuses, created, ..JobFilter::default() };
    let mut found = jobs::list(&context.core, &context.caller, &filter, before, limit + 1).await?;
    let next_cursor = next_cursor(&mut found, limit, |job| job.id.0);
    let found: Vec<JobReport> = found.into_iter().map(JobReport::of).collect();
    Ok(ToolResult::of(json!({ "jobs": found, "next_cursor": next_cursor })))
}

/// The statuses that one word stands for.
fn statuses(word: &str) -> Result<Vec<Status>, Failure> {
    let stands_for = |status: Status| match status {
        Status::Pending | Status::Connecting | Status::Connected => "queued",
        Status::Running => "running",
        Status::Done => "succeeded",
        Status::Canceled => "canceled",
        _ => "failed",
    };
    if !STATUSES.contains(&word) {
        return Err(Failure::field("status", format!("must be one of {}", STATUSES.join(", "))));
    }
    Ok(Status::ALL.into_iter().filter(|status| stands_for(*status) == word).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_is_listed_under_one_word() {
        let words = STATUSES.map(|word| statuses(word).expect("statuses"));
        assert_eq!(words.iter().map(Vec::len).sum::<usize>(), Status::ALL.len());
        let failed = statuses("failed").expect("statuses");
        assert!(failed.iter().all(|status| status.fault().is_some()), "{failed:?}");
        assert!(statuses("Done").is_err() && statuses("canceling").is_err());
    }
}
