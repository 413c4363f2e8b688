//! Event log entries of jobs. Each is written in the transaction of its row, with data from that row.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use sqlx::FromRow;
use uuid::Uuid;

use super::rows::{AcceptedRow, EndedRow, NewOutput, NewPiece, UnclaimedRow};
use crate::events::{EventKind, EventSubject, NewEvent};
use crate::ids::{BatchId, JobId, OutputAssetId, UserId, WorkflowApiVersionId};
use crate::jobs::status::Status;

/// The most outputs in an event.
const MAX_OUTPUTS: usize = 50;
/// The most characters of an error in an event.
const MAX_ERROR: usize = 500;

/// Columns of a job that has got another status.
#[derive(Debug, FromRow)]
pub(in crate::jobs) struct StartedJob {
    pub id: Uuid,
    pub user_id: Uuid,
    pub batch_id: Option<Uuid>,
    pub version_id: Option<Uuid>,
    pub attempt: i16,
    pub created_at: DateTime<Utc>,
    /// Set if this write started the run.
    pub started_at: Option<DateTime<Utc>>,
}

/// Columns of an ended job.
#[derive(Debug, FromRow)]
pub(super) struct EndedJob {
    pub id: Uuid,
    user_id: Uuid,
    batch_id: Option<Uuid>,
    version_id: Option<Uuid>,
    status: i16,
    attempt: i16,
    created_at: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    /// Whether the start of the run was not written before the end.
    began_unseen: bool,
    ended_at: DateTime<Utc>,
    ran_ms: i64,
    credits_used: i64,
}

/// The `data` of an event, as the API shows it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct JobData<'a> {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    percent: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempt: Option<i16>,
    created_at: DateTime<Utc>,
    #[serde(skip_serializing_if = "Option::is_none")]
    started_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ran_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    credits_used: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outputs: Option<Vec<OutputData<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_count: Option<usize>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct OutputData<'a> {
    node_id: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_asset: Option<OutputAssetId>,
}

impl JobData<'_> {
    fn of(status: Status, created_at: DateTime<Utc>) -> Self {
        Self {
            status: status.name(),
            percent: None,
            attempt: None,
            created_at,
            started_at: None,
            ended_at: None,
            ran_ms: None,
            credits_used: None,
            error: None,
            outputs: None,
            output_count: None,
        }
    }

    fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "{}".to_owned())
    }
}

pub(super) fn created(row: &AcceptedRow) -> NewEvent {
    let about = EventSubject { job: Some(row.id), batch: row.batch, version: row.version, workflow_api: None };
    let data = JobData::of(Status::Pending, row.created_at).text();
    NewEvent { kind: EventKind::JobCreated, user: row.user, about, data, at: row.created_at }
}

/// `None` if the write did not start the run.
pub(super) fn started(row: &StartedJob) -> Option<NewEvent> {
    let started_at = row.started_at?;
    let data = JobData {
        attempt: Some(row.attempt),
        started_at: Some(started_at),
        ..JobData::of(Status::Running, row.created_at)
    };
    let about = about(row.id, row.batch_id, row.version_id);
    Some(NewEvent { kind: EventKind::JobStarted, user: UserId(row.user_id), about, data: data.text(), at: started_at })
}

pub(super) fn progress(row: &StartedJob, percent: i32, at: DateTime<Utc>) -> NewEvent {
    let data = JobData {
        percent: Some(percent),
        attempt: Some(row.attempt),
        started_at: row.started_at,
        ..JobData::of(Status::Running, row.created_at)
    };
    let about = about(row.id, row.batch_id, row.version_id);
    NewEvent { kind: EventKind::JobProgress, user: UserId(row.user_id), about, data: data.text(), at }
}

/// The end of a claimed job, and its start if that was not written before.
pub(super) fn ended(row: &EndedJob, ended: Option<&EndedRow>) -> Vec<NewEvent> {
    let error_of = |ended: &EndedRow| {
        let raised = reason(ended.execute.as_ref(), "exception_message");
        raised.or_else(|| reason(ended.validate.as_ref(), "message"))
    };
    let error = ended.and_then(error_of);
    let outputs: &[NewOutput] = ended.map_or(&[], |ended| &ended.outputs);
    let delivered = || outputs.iter().filter(|output| !matches!(output.piece, NewPiece::Undelivered(_)));
    let named = delivered().take(MAX_OUTPUTS).map(|output| OutputData {
        node_id: &output.node_id,
        kind: &output.kind,
        output_asset: match &output.piece {
            NewPiece::File(file) => Some(file.id),
            NewPiece::Text(_) | NewPiece::Undelivered(_) => None,
        },
    });
    let end = ending(row, error, Some((named.collect(), delivered().count())));
    let began = StartedJob {
        id: row.id,
        user_id: row.user_id,
        batch_id: row.batch_id,
        version_id: row.version_id,
        attempt: row.attempt,
        created_at: row.created_at,
        started_at: row.started_at.filter(|_| row.began_unseen),
    };
    started(&began).into_iter().chain([end]).collect()
}

pub(super) fn ended_unclaimed(row: &EndedJob, ended: Option<&UnclaimedRow>) -> NewEvent {
    ending(row, ended.and_then(|ended| reason(ended.validate.as_ref(), "message")), None)
}

fn ending(row: &EndedJob, error: Option<String>, outputs: Option<(Vec<OutputData<'_>>, usize)>) -> NewEvent {
    let status = Status::from_number(row.status);
    let (outputs, output_count) = outputs.filter(|_| status == Status::Done).unzip();
    let data = JobData {
        attempt: Some(row.attempt),
        started_at: row.started_at,
        ended_at: Some(row.ended_at),
        ran_ms: Some(row.ran_ms),
        credits_used: Some(row.credits_used),
        error,
        outputs,
        output_count,
        ..JobData::of(status, row.created_at)
    };
    let kind = match status {
        Status::Done => EventKind::JobDone,
        Status::Canceled => EventKind::JobCanceled,
        _ => EventKind::JobFailed,
    };
    let about = about(row.id, row.batch_id, row.version_id);
    NewEvent { kind, user: UserId(row.user_id), about, data: data.text(), at: row.ended_at }
}

fn about(job: Uuid, batch: Option<Uuid>, version: Option<Uuid>) -> EventSubject {
    EventSubject {
        job: Some(JobId(job)),
        batch: batch.map(BatchId),
        version: version.map(WorkflowApiVersionId),
        workflow_api: None,
    }
}

/// The first characters of an error.
fn reason(exception: Option<&Value>, field: &str) -> Option<String> {
    let text = exception?.get(field)?.as_str()?;
    Some(text.chars().take(MAX_ERROR).collect())
}
