//! SQL of batches.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use crate::ids::{BatchId, JobId, UserId, WorkflowApiId};
use crate::jobs::batches::batch::{Batch, StatusCount};
use crate::jobs::status::{Lane, Status};
use crate::users::WritePermit;

struct BatchRow {
    id: Uuid,
    user_id: Uuid,
    key: Option<String>,
    created_at: DateTime<Utc>,
    cancel_requested_at: Option<DateTime<Utc>>,
    finished_at: Option<DateTime<Utc>>,
}

impl From<BatchRow> for Batch {
    fn from(row: BatchRow) -> Self {
        Self {
            id: BatchId(row.id),
            user: UserId(row.user_id),
            key: row.key,
            created_at: row.created_at,
            cancel_requested_at: row.cancel_requested_at,
            finished_at: row.finished_at,
        }
    }
}

/// A waiting job of a batch.
pub(crate) struct WaitingJob {
    pub id: JobId,
    pub user: UserId,
    pub pool: String,
    pub lane: Lane,
}

/// Inserts a new batch. `false`: the owner has one with this key.
pub(crate) async fn insert(db: &PgPool, _: &WritePermit, batch: &Batch) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO job_batches (id, user_id, key, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (user_id, key) WHERE key IS NOT NULL DO NOTHING",
        batch.id.0,
        batch.user.0,
        batch.key,
        batch.created_at,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub(crate) async fn find_key(db: &PgPool, user: UserId, key: &str) -> sqlx::Result<Option<Batch>> {
    let row = sqlx::query_as!(
        BatchRow,
        "SELECT id, user_id, key, created_at, cancel_requested_at, finished_at FROM job_batches
         WHERE user_id = $1 AND key = $2",
        user.0,
        key,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(Into::into))
}

pub(crate) async fn find(db: &PgPool, id: BatchId) -> sqlx::Result<Option<Batch>> {
    let row = sqlx::query_as!(
        BatchRow,
        "SELECT id, user_id, key, created_at, cancel_requested_at, finished_at FROM job_batches WHERE id = $1",
        id.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(Into::into))
}

/// The batches of an account, newest first.
pub(crate) async fn of_user(
    db: &PgPool,
    user: UserId,
    before: Option<BatchId>,
    limit: i64,
) -> sqlx::Result<Vec<Batch>> {
    let rows = sqlx::query_as!(
        BatchRow,
        "SELECT id, user_id, key, created_at, cancel_requested_at, finished_at FROM job_batches
         WHERE user_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3",
        user.0,
        before.map(|id| id.0),
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

pub(crate) async fn counts(db: impl PgExecutor<'_>, id: BatchId) -> sqlx::Result<Vec<StatusCount>> {
    let rows = sqlx::query!(
        r#"SELECT status AS "status!", count(*) AS "count!", min(started_at) AS first_started_at,
                  max(ended_at) AS last_ended_at
           FROM all_jobs WHERE batch_id = $1 GROUP BY status ORDER BY status"#,
        id.0,
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| StatusCount {
            status: Status::from_number(row.status),
            count: row.count,
            first_started_at: row.first_started_at,
            last_ended_at: row.last_ended_at,
        })
        .collect())
}

/// The workflow API that all jobs of a batch ran. `None`: they ran several, or one of them ran a prompt.
pub(in crate::jobs) async fn only_app(tx: &mut PgConnection, id: BatchId) -> sqlx::Result<Option<WorkflowApiId>> {
    let found = sqlx::query_scalar!(
        r#"SELECT DISTINCT v.workflow_api_id AS "app?"
           FROM (SELECT DISTINCT version_id FROM all_jobs WHERE batch_id = $1) ran
           LEFT JOIN workflow_api_versions v ON v.id = ran.version_id LIMIT 2"#,
        id.0,
    )
    .fetch_all(tx)
    .await?;
    Ok(match found.as_slice() {
        [app] => app.map(WorkflowApiId),
        _ => None,
    })
}

/// The waiting jobs of a batch after `after`, in the order of their submits.
pub(crate) async fn waiting(db: &PgPool, id: BatchId, after: JobId, limit: i64) -> sqlx::Result<Vec<WaitingJob>> {
    let rows = sqlx::query!(
        "SELECT id, user_id, pool, lane FROM jobs WHERE batch_id = $1 AND id > $2 AND status = 0 ORDER BY id LIMIT $3",
        id.0,
        after.0,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| WaitingJob {
            id: JobId(row.id),
            user: UserId(row.user_id),
            pool: row.pool,
            lane: Lane::from_number(row.lane),
        })
        .collect())
}

/// Records cancel requests for the jobs of a batch in flight; returns the jobs without an earlier request.
pub(crate) async fn request_stops(db: &PgPool, id: BatchId) -> sqlx::Result<Vec<JobId>> {
    let rows = sqlx::query_scalar!(
        "UPDATE jobs SET cancel_requested = true
         WHERE batch_id = $1 AND status IN (1, 2, 3) AND NOT cancel_requested RETURNING id",
        id.0,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(JobId).collect())
}

/// Records the first cancel request of a batch.
pub(crate) async fn request_cancel(db: &PgPool, id: BatchId, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE job_batches SET cancel_requested_at = $2 WHERE id = $1 AND cancel_requested_at IS NULL",
        id.0,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Batches with a cancel request that may have unfinished jobs.
pub(crate) async fn canceling(db: &PgPool, limit: i64) -> sqlx::Result<Vec<Batch>> {
    let rows = sqlx::query_as!(
        BatchRow,
        "SELECT id, user_id, key, created_at, cancel_requested_at, finished_at FROM job_batches
         WHERE cancel_requested_at IS NOT NULL AND cancel_finished_at IS NULL ORDER BY id LIMIT $1",
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Records that a canceled batch has no unfinished jobs, if that is so.
pub(crate) async fn finish_cancel(db: &PgPool, id: BatchId, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE job_batches SET cancel_finished_at = $2
         WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM jobs WHERE batch_id = $1)",
        id.0,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Opens batches in the transaction that adds jobs to them. They cannot be finished until it ends.
pub(in crate::jobs) async fn open(connection: &mut PgConnection, batches: &[Uuid]) -> sqlx::Result<()> {
    // A separate statement: the next one sees what a concurrent finish has committed while this one waited for its lock.
    let are_open =
        sqlx::query_scalar!("SELECT is_open FROM job_batches WHERE id = ANY($1) ORDER BY id FOR KEY SHARE", batches,)
            .fetch_all(&mut *connection)
            .await?;
    if are_open.contains(&false) {
        sqlx::query!(
            "UPDATE job_batches SET is_open = true, finished_at = NULL
             WHERE id IN (SELECT id FROM job_batches WHERE id = ANY($1) AND NOT is_open ORDER BY id FOR NO KEY UPDATE)",
            batches,
        )
        .execute(connection)
        .await?;
    }
    Ok(())
}

/// Inserts an upload, or renews its lease.
pub(in crate::jobs) async fn renew_upload(
    db: &PgPool,
    upload: Uuid,
    batch: BatchId,
    until: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO job_batch_uploads (id, batch_id, until) VALUES ($1, $2, $3)
         ON CONFLICT (id) DO UPDATE SET until = excluded.until",
        upload,
        batch.0,
        until,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub(in crate::jobs) async fn end_upload(db: &PgPool, upload: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM job_batch_uploads WHERE id = $1", upload).execute(db).await?;
    Ok(())
}

pub(in crate::jobs) async fn delete_expired_uploads(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM job_batch_uploads WHERE until <= $1", now).execute(db).await?;
    Ok(())
}

pub(in crate::jobs) struct OpenBatch {
    pub id: BatchId,
    /// Whether it had no unfinished jobs and no uploads, without a lock.
    pub is_complete: bool,
}

/// The open batches after this one.
pub(in crate::jobs) async fn open_after(db: &PgPool, after: BatchId, limit: i64) -> sqlx::Result<Vec<OpenBatch>> {
    let rows = sqlx::query!(
        r#"SELECT b.id AS "id!",
                  NOT EXISTS (SELECT 1 FROM jobs j WHERE j.batch_id = b.id)
                  AND NOT EXISTS (SELECT 1 FROM job_batch_uploads u WHERE u.batch_id = b.id) AS "is_over!"
           FROM (SELECT id FROM job_batches WHERE is_open AND id > $1 ORDER BY id LIMIT $2) b ORDER BY b.id"#,
        after.0,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| OpenBatch { id: BatchId(row.id), is_complete: row.is_over }).collect())
}

/// Locks an open batch: until the transaction ends it cannot be finished by another node, and gets no jobs. `None`: it is
/// locked, or not open.
pub(in crate::jobs) async fn lock_open(tx: &mut PgConnection, id: BatchId) -> sqlx::Result<Option<Batch>> {
    let row = sqlx::query_as!(
        BatchRow,
        "SELECT id, user_id, key, created_at, cancel_requested_at, finished_at FROM job_batches
         WHERE id = $1 AND is_open FOR UPDATE SKIP LOCKED",
        id.0,
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(Into::into))
}

pub(in crate::jobs) async fn has_uploads(tx: &mut PgConnection, id: BatchId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT 1 FROM job_batch_uploads WHERE batch_id = $1) AS "is_received!""#,
        id.0,
    )
    .fetch_one(tx)
    .await
}

pub(in crate::jobs) async fn finish(tx: &mut PgConnection, id: BatchId, at: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE job_batches SET is_open = false, finished_at = $2 WHERE id = $1", id.0, at)
        .execute(tx)
        .await?;
    Ok(())
}
