//! Jobs as admins list them.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;
use verdigraph_core::Fault;
use verdigraph_core::ids::WorkflowApiId;
use verdigraph_core::jobs::{JobSearch, ListedJob};

use super::users::UserCard;
use super::words::{LaneWord, PriceClassWord};
use crate::openapi::ToSchema;

/// A page of the jobs of all users.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnyJobsView {
    pub items: Vec<AnyJobView>,
    /// Send it back as `cursor` for the next page; `null` at the end.
    pub next_cursor: Option<String>,
    /// How far the page searched, where it is not full and older jobs are left.
    pub searched: Option<JobSearchView>,
}

/// What a page read of the jobs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobSearchView {
    /// Jobs that were read, matching or not.
    pub jobs: i64,
    /// When the oldest of them was submitted.
    pub back_to: DateTime<Utc>,
}

impl From<JobSearch> for JobSearchView {
    fn from(search: JobSearch) -> Self {
        Self { jobs: search.jobs, back_to: search.back_to }
    }
}

/// The workflow behind a job.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct JobWorkflowView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
}

/// The worker of a job.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobWorkerView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// `null` for a worker that was removed.
    pub name: Option<String>,
}

/// A job in the admins' list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnyJobView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// Its owner.
    pub user: Option<UserCard>,
    pub status: &'static str,
    /// As in the call `status`.
    pub fault: Option<&'static str>,
    pub execute_exception: Option<Value>,
    pub validate_exception: Option<Value>,
    pub workflow_api: Option<Uuid>,
    /// The version of the mini app that it runs.
    pub workflow_api_version: Option<Uuid>,
    pub workflow: Option<JobWorkflowView>,
    pub lane: LaneWord,
    pub price_class: PriceClassWord,
    pub pool: String,
    /// The worker that was chosen last.
    pub worker: Option<JobWorkerView>,
    /// How many times a worker was chosen for it.
    pub attempt: i16,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    pub duration_ms: Option<i64>,
    pub credits_used: Option<i64>,
    /// The labels that its submit gave it.
    pub labels: BTreeMap<String, String>,
}

impl AnyJobView {
    /// A view.
    #[must_use]
    pub fn new(job: ListedJob, user: Option<UserCard>, app: Option<(WorkflowApiId, Option<JobWorkflowView>)>) -> Self {
        let (app, workflow) = app.map_or((None, None), |(app, workflow)| (Some(app.0), workflow));
        Self {
            id: job.id.0,
            user,
            status: job.status.name(),
            fault: job.status.fault().map(Fault::name),
            execute_exception: job.execute_exception,
            validate_exception: job.validate_exception,
            workflow_api: app,
            workflow_api_version: job.version.map(|version| version.0),
            workflow,
            lane: job.lane.into(),
            price_class: job.price_class.into(),
            pool: job.pool,
            worker: job.worker.map(|(id, name)| JobWorkerView { id: id.0, name }),
            attempt: job.attempt,
            created_at: job.created_at,
            started_at: job.started_at,
            ended_at: job.ended_at,
            duration_ms: job.ran_ms,
            credits_used: job.credits_used,
            labels: job.labels.into_map(),
        }
    }
}
