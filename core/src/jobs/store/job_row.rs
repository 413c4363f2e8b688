//! Jobs as statements return them.

use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

use crate::ids::{BatchId, JobId, UserId, WorkflowApiVersionId};
use crate::jobs::job::Job;
use crate::jobs::labels::JobLabels;
use crate::jobs::status::{Lane, Status};

/// The columns of a [`Job`].
pub(in crate::jobs) struct JobRow {
    pub id: Uuid,
    pub user_id: Uuid,
    pub status: i16,
    pub lane: i16,
    pub pool: String,
    pub attempt: i16,
    pub version_id: Option<Uuid>,
    pub prompt_hash: Option<String>,
    pub form: Option<Value>,
    pub seeds: Option<Value>,
    pub execute_exception: Option<Value>,
    pub validate_exception: Option<Value>,
    pub node_errors: Option<Value>,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    pub ran_ms: Option<i64>,
    pub credits_used: Option<i64>,
    pub estimate_ms: i64,
    pub max_credits: Option<i64>,
    pub percent: i16,
    pub deadline: Option<DateTime<Utc>>,
    pub promoted_at: Option<DateTime<Utc>>,
    pub batch_id: Option<Uuid>,
    pub labels: Option<Value>,
    pub cancel_requested: bool,
    pub needs: String,
    pub vstart: i64,
}

impl From<JobRow> for Job {
    fn from(row: JobRow) -> Self {
        Self {
            id: JobId(row.id),
            user: UserId(row.user_id),
            status: Status::from_number(row.status),
            lane: Lane::from_number(row.lane),
            pool: row.pool,
            attempt: row.attempt,
            version: row.version_id.map(WorkflowApiVersionId),
            prompt_hash: row.prompt_hash,
            form: row.form,
            seeds: row.seeds,
            execute_exception: row.execute_exception,
            validate_exception: row.validate_exception,
            node_errors: row.node_errors,
            created_at: row.created_at,
            started_at: row.started_at,
            ended_at: row.ended_at,
            ran_ms: row.ran_ms,
            credits_used: row.credits_used,
            estimate_ms: row.estimate_ms,
            max_credits: row.max_credits,
            percent: row.percent,
            deadline: row.deadline,
            promoted_at: row.promoted_at,
            batch: row.batch_id.map(BatchId),
            labels: JobLabels::from_value(row.labels),
            is_cancel_requested: row.cancel_requested,
            needs: row.needs,
            vstart: row.vstart,
        }
    }
}
