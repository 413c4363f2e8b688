//! SQL of batches.

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use crate::ids::{BatchId, JobId, UserId};
use crate::jobs::batches::batch::Batch;
use crate::jobs::status::{Lane, Status};
use crate::users::Permit;

struct Row {
    id: Uuid,
    user_id: Uuid,
    key: Option<String>,
    created_at: DateTime<Utc>,
    cancel_requested_at: Option<DateTime<Utc>>,
}

impl From<Row> for Batch {
    fn from(row: Row) -> Self {
        Self {
            id: BatchId(row.id),
            user: UserId(row.user_id),
            key: row.key,
            created_at: row.created_at,
            cancel_requested_at: row.cancel_requested_at,
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

/// The jobs of a batch in one status.
pub(crate) struct StatusCount {
    pub status: Status,
    pub count: i64,
    pub first_started_at: Option<DateTime<Utc>>,
    pub last_ended_at: Option<DateTime<Utc>>,
}

/// Keeps a new batch. `false` where the owner has one of that key.
pub(crate) async fn insert(db: &PgPool, _: &Permit, batch: &Batch) -> sqlx::Result<bool> {
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
        Row,
        "SELECT id, user_id, key, created_at, cancel_requested_at FROM job_batches WHERE user_id = $1 AND key = $2",
        user.0,
        key,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(Into::into))
}

pub(crate) async fn find(db: &PgPool, id: BatchId) -> sqlx::Result<Option<Batch>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, user_id, key, created_at, cancel_requested_at FROM job_batches WHERE id = $1",
        id.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(Into::into))
}

/// A person's batches, newest first.
pub(crate) async fn of_user(
    db: &PgPool,
    user: UserId,
    before: Option<BatchId>,
    limit: i64,
) -> sqlx::Result<Vec<Batch>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, user_id, key, created_at, cancel_requested_at FROM job_batches
         WHERE user_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3",
        user.0,
        before.map(|id| id.0),
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// How many jobs of a batch are in each status.
pub(crate) async fn counts(db: &PgPool, id: BatchId) -> sqlx::Result<Vec<StatusCount>> {
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

/// The next waiting jobs of a batch, in the order in which they were accepted, from after `after` on.
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

/// Asks the nodes that have jobs of a batch in flight to stop them; returns those that were not asked before.
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

/// Notes that a batch is to be canceled; the first time counts.
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

/// Batches that are to be canceled and may have jobs that wait or run.
pub(crate) async fn canceling(db: &PgPool, limit: i64) -> sqlx::Result<Vec<Batch>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, user_id, key, created_at, cancel_requested_at FROM job_batches
         WHERE cancel_requested_at IS NOT NULL AND cancel_finished_at IS NULL ORDER BY id LIMIT $1",
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Notes that nothing of a canceled batch waits or runs, where that is so.
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
