//! SQL of the queue and of jobs in flight.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::database;
use crate::ids::{JobId, NodeId, UserId, WorkerId, WorkflowApiVersionId};
use crate::jobs::flight::job_events::StartedJob;
use crate::jobs::flight::rows::Lease;
use crate::jobs::price::Price;
use crate::jobs::queue::entry::{LaneJob, RunningJob};
use crate::jobs::queue::estimate::kind;
use crate::jobs::status::{Lane, Status};

/// A claimed job with the data for its run.
#[derive(Debug, Clone)]
pub(crate) struct Claimed {
    pub id: JobId,
    pub user: UserId,
    pub lane: Lane,
    pub pool: String,
    pub needs: String,
    pub vstart: i64,
    /// Counts from 1.
    pub attempt: i16,
    pub version: Option<WorkflowApiVersionId>,
    pub prompt_hash: Option<String>,
    pub form: Option<Value>,
    pub files: Option<Value>,
    /// The format of earlier releases.
    pub extra_data: Option<Value>,
    pub extra_text: Option<String>,
    pub strict: bool,
    /// The errors of omitted outputs; see [`crate::jobs::Job`].
    pub node_errors: Option<Value>,
    pub rate: i64,
    pub max_run_ms: i64,
    pub max_credits: Option<i64>,
    /// The part of the rate that it costs.
    pub percent: i16,
    pub deadline: Option<DateTime<Utc>>,
    pub promoted_at: Option<DateTime<Utc>>,
    pub cancel_requested: bool,
    /// `Connecting`, or the status under an earlier owner of its worker.
    pub status: Status,
    pub started_at: Option<DateTime<Utc>>,
    /// Attempts that ended before the prompt began.
    pub withdrawn: i16,
}

impl Claimed {
    pub(in crate::jobs) fn price(&self) -> Price {
        Price { rate: self.rate, percent: self.percent }
    }
}

#[derive(sqlx::FromRow)]
pub(super) struct ClaimedRow {
    pub(super) id: Uuid,
    pub(super) user_id: Uuid,
    pub(super) lane: i16,
    pub(super) pool: String,
    pub(super) needs: String,
    pub(super) vstart: i64,
    pub(super) attempt: i16,
    pub(super) version_id: Option<Uuid>,
    pub(super) prompt_hash: Option<String>,
    pub(super) form: Option<Value>,
    pub(super) files: Option<Value>,
    pub(super) extra_data: Option<Value>,
    pub(super) extra_text: Option<String>,
    pub(super) strict: bool,
    pub(super) node_errors: Option<Value>,
    pub(super) rate: i64,
    pub(super) max_run_ms: i64,
    pub(super) max_credits: Option<i64>,
    pub(super) percent: i16,
    pub(super) deadline: Option<DateTime<Utc>>,
    pub(super) promoted_at: Option<DateTime<Utc>>,
    pub(super) cancel_requested: bool,
    pub(super) status: i16,
    pub(super) started_at: Option<DateTime<Utc>>,
    pub(super) withdrawn: i16,
}

impl From<ClaimedRow> for Claimed {
    fn from(row: ClaimedRow) -> Self {
        Self {
            id: JobId(row.id),
            user: UserId(row.user_id),
            lane: Lane::from_number(row.lane),
            pool: row.pool,
            needs: row.needs,
            vstart: row.vstart,
            attempt: row.attempt,
            version: row.version_id.map(WorkflowApiVersionId),
            prompt_hash: row.prompt_hash,
            form: row.form,
            files: row.files,
            extra_data: row.extra_data,
            extra_text: row.extra_text,
            strict: row.strict,
            node_errors: row.node_errors,
            rate: row.rate,
            max_run_ms: row.max_run_ms,
            max_credits: row.max_credits,
            percent: row.percent,
            deadline: row.deadline,
            promoted_at: row.promoted_at,
            cancel_requested: row.cancel_requested,
            status: Status::from_number(row.status),
            started_at: row.started_at,
            withdrawn: row.withdrawn,
        }
    }
}

/// Waiting jobs of one account with the same pool, lane and needs.
#[derive(Debug, Clone)]
pub(crate) struct WaitingRow {
    pub pool: String,
    pub lane: Lane,
    pub user: UserId,
    pub needs: String,
    pub count: i64,
    /// When the oldest of them was accepted, or promoted.
    pub oldest: DateTime<Utc>,
    /// The latest virtual finish of them.
    pub finish: i64,
    /// The same without promoted ones, which have turns of their own.
    pub flow_end: i64,
}

/// The waiting jobs in one snapshot of the database.
pub(crate) struct QueueCount {
    pub waiting: Vec<WaitingRow>,
    /// The latest virtual start of the jobs in flight, by pool and lane.
    pub claimed: Vec<(String, Lane, i64)>,
    /// Jobs that arrived or left during the count.
    pub changed: HashSet<JobId>,
    /// The changed jobs that wait in this snapshot, and their lanes in it.
    pub seen: HashMap<JobId, Lane>,
}

/// Counts the waiting jobs. `changed` is called after the count and returns the jobs that arrived or left since its begin.
pub(crate) async fn waiting(db: &PgPool, changed: impl FnOnce() -> HashSet<JobId>) -> sqlx::Result<QueueCount> {
    let mut snapshot = database::begin_with(db, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    let rows = sqlx::query!(
        r#"SELECT pool, lane, user_id, needs, count(*) AS "count!", min(coalesce(promoted_at, created_at)) AS "oldest!",
                  max(vstart + estimate_ms) AS "finish!",
                  coalesce(max(vstart + estimate_ms) FILTER (WHERE promoted_at IS NULL), 0) AS "flow_end!"
           FROM jobs WHERE status = 0 GROUP BY pool, lane, user_id, needs"#
    )
    .fetch_all(&mut *snapshot)
    .await?;
    let claimed = sqlx::query!(
        r#"SELECT pool, lane, max(vstart) AS "vstart!" FROM jobs WHERE status IN (1, 2, 3) GROUP BY pool, lane"#
    )
    .fetch_all(&mut *snapshot)
    .await?;
    let changed = changed();
    let ids: Vec<Uuid> = changed.iter().map(|job| job.0).collect();
    let seen = sqlx::query!("SELECT id, lane FROM jobs WHERE status = 0 AND id = ANY($1)", &ids)
        .fetch_all(&mut *snapshot)
        .await?;
    snapshot.commit().await?;
    let waiting = rows
        .into_iter()
        .map(|row| WaitingRow {
            pool: row.pool,
            lane: Lane::from_number(row.lane),
            user: UserId(row.user_id),
            needs: row.needs,
            count: row.count,
            oldest: row.oldest,
            finish: row.finish,
            flow_end: row.flow_end,
        })
        .collect();
    let claimed = claimed.into_iter().map(|row| (row.pool, Lane::from_number(row.lane), row.vstart)).collect();
    let seen = seen.into_iter().map(|row| (JobId(row.id), Lane::from_number(row.lane))).collect();
    Ok(QueueCount { waiting, claimed, changed, seen })
}

pub(crate) async fn waits(db: &PgPool, pool: &str, lane: Lane) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM jobs WHERE status = 0 AND pool = $1 AND lane = $2) AS "waits!""#,
        pool,
        lane as i16,
    )
    .fetch_one(db)
    .await
}

/// A waiting job that no worker can run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UnrunnableJob {
    pub id: JobId,
    pub user: UserId,
    pub deadline: Option<DateTime<Utc>>,
}

/// Up to 2,000 waiting jobs with these needs that were accepted or promoted before `before`. Those of the lane flex wait on.
pub(crate) async fn waiting_since(
    db: &PgPool,
    pool: &str,
    needs: &str,
    before: DateTime<Utc>,
) -> sqlx::Result<Vec<UnrunnableJob>> {
    let rows = sqlx::query!(
        "SELECT id, user_id, deadline FROM jobs WHERE status = 0 AND lane <> 3 AND pool = $1 AND needs = $2
           AND coalesce(promoted_at, created_at) < $3 LIMIT 2000",
        pool,
        needs,
        before,
    )
    .fetch_all(db)
    .await?;
    let job = |id, user, deadline| UnrunnableJob { id: JobId(id), user: UserId(user), deadline };
    Ok(rows.into_iter().map(|row| job(row.id, row.user_id, row.deadline)).collect())
}

/// Counts the jobs in flight by pool, lane and status.
pub(crate) async fn counts(db: &PgPool) -> sqlx::Result<Vec<(String, Lane, Status, i64)>> {
    let rows = sqlx::query!(
        r#"SELECT pool, lane, status, count(*) AS "count!" FROM jobs WHERE status IN (1, 2, 3)
           GROUP BY pool, lane, status"#
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.pool, Lane::from_number(row.lane), Status::from_number(row.status), row.count))
        .collect())
}

/// When the oldest of the next 64 jobs of each lane was accepted, or promoted to it.
pub(crate) async fn oldest(db: &PgPool, lanes: &[(String, Lane)]) -> sqlx::Result<Vec<(String, Lane, DateTime<Utc>)>> {
    let pools: Vec<String> = lanes.iter().map(|(pool, _)| pool.clone()).collect();
    let numbers: Vec<i16> = lanes.iter().map(|(_, lane)| *lane as i16).collect();
    let rows = sqlx::query!(
        r#"SELECT w.pool AS "pool!", w.lane AS "lane!", min(head.created_at) AS "oldest!"
           FROM UNNEST($1::text[], $2::smallint[]) AS w(pool, lane)
           CROSS JOIN LATERAL (
             SELECT coalesce(promoted_at, created_at) AS created_at FROM jobs WHERE status = 0 AND pool = w.pool AND lane = w.lane
             ORDER BY vstart, id LIMIT 64
           ) AS head
           GROUP BY w.pool, w.lane"#,
        &pools,
        &numbers,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.pool, Lane::from_number(row.lane), row.oldest)).collect())
}

/// The first waiting jobs of each lane by its number, in the order of claims.
pub(crate) async fn heads(db: &PgPool, pool: &str, limit: i64) -> sqlx::Result<[Vec<LaneJob>; 4]> {
    let numbers: Vec<i16> = Lane::ALL.map(|lane| lane as i16).to_vec();
    let rows = sqlx::query!(
        r#"SELECT lanes.lane AS "lane!", head.id AS "id!", head.user_id AS "user_id!", head.vstart AS "vstart!",
                  head.version_id, head.needs AS "needs!"
           FROM UNNEST($2::smallint[]) AS lanes(lane)
           CROSS JOIN LATERAL (
             SELECT id, user_id, vstart, version_id, needs FROM jobs
             WHERE status = 0 AND pool = $1 AND lane = lanes.lane ORDER BY vstart, id LIMIT $3
           ) AS head ORDER BY lanes.lane, head.vstart, head.id"#,
        pool,
        &numbers,
        limit,
    )
    .fetch_all(db)
    .await?;
    let mut heads: [Vec<LaneJob>; 4] = std::array::from_fn(|_| Vec::new());
    for row in rows {
        let Some(head) = usize::try_from(row.lane).ok().and_then(|lane| heads.get_mut(lane)) else { continue };
        head.push(LaneJob {
            id: JobId(row.id),
            user: UserId(row.user_id),
            vstart: row.vstart,
            kind: kind(row.version_id.map(WorkflowApiVersionId), &row.needs),
        });
    }
    Ok(heads)
}

/// The jobs of a pool that are in flight on any node.
pub(crate) async fn running(db: &PgPool, pool: &str) -> sqlx::Result<Vec<RunningJob>> {
    let rows = sqlx::query!(
        "SELECT worker_id, version_id, needs, started_at FROM jobs WHERE status IN (1, 2, 3) AND pool = $1",
        pool,
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| RunningJob {
            worker: row.worker_id.map(WorkerId),
            kind: kind(row.version_id.map(WorkflowApiVersionId), &row.needs),
            started_at: row.started_at,
        })
        .collect())
}

/// The jobs at these workers; of several jobs at one worker, the one that began first.
pub(crate) async fn at_workers(db: &PgPool, workers: &[WorkerId]) -> sqlx::Result<HashMap<WorkerId, JobId>> {
    let ids: Vec<Uuid> = workers.iter().map(|worker| worker.0).collect();
    let rows = sqlx::query!(
        r#"SELECT worker_id AS "worker!", id FROM jobs WHERE status IN (1, 2, 3) AND worker_id = ANY($1)
           ORDER BY started_at DESC NULLS FIRST"#,
        &ids,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (WorkerId(row.worker), JobId(row.id))).collect())
}

/// Records that an attempt has reached a quarter. `None` where it was recorded before, a later one was, the attempt does
/// not run, or the lease is lost.
pub(in crate::jobs) async fn note_quarter(
    tx: &mut PgConnection,
    lease: Lease,
    quarter: i32,
) -> sqlx::Result<Option<StartedJob>> {
    sqlx::query_as!(
        StartedJob,
        "UPDATE jobs SET told_quarter = 4 * attempt + $4
         WHERE id = $1 AND lease_node = $2 AND attempt = $3 AND status = 3 AND told_quarter < 4 * attempt + $4
         RETURNING id, user_id, batch_id, version_id, attempt, created_at, started_at",
        lease.job.0,
        lease.node.0,
        lease.attempt,
        quarter,
    )
    .fetch_optional(tx)
    .await
}

/// Columns that explain why a job waits.
pub(crate) struct WaitState {
    pub not_before: Option<DateTime<Utc>>,
    pub cancel_requested: bool,
    pub worker: Option<WorkerId>,
    /// When it is promoted at the latest, or was.
    pub promotion: Option<DateTime<Utc>>,
}

pub(crate) async fn wait_state(db: &PgPool, job: JobId) -> sqlx::Result<Option<WaitState>> {
    let row = sqlx::query!(
        "SELECT not_before, cancel_requested, worker_id, coalesce(promoted_at, promote_at) AS promotion
         FROM jobs WHERE id = $1",
        job.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| WaitState {
        not_before: row.not_before,
        cancel_requested: row.cancel_requested,
        worker: row.worker_id.map(WorkerId),
        promotion: row.promotion,
    }))
}

/// The jobs among these that a node has in flight and that are to be canceled.
pub(in crate::jobs) async fn cancel_requested(
    db: &PgPool,
    node: NodeId,
    jobs: &HashSet<JobId>,
) -> sqlx::Result<Vec<JobId>> {
    let ids: Vec<Uuid> = jobs.iter().map(|job| job.0).collect();
    let asked = sqlx::query_scalar!(
        "SELECT id FROM jobs WHERE id = ANY($1) AND lease_node = $2 AND cancel_requested",
        &ids,
        node.0,
    );
    Ok(asked.fetch_all(db).await?.into_iter().map(JobId).collect())
}
