//! SQL of promotions.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use crate::ids::{JobId, UserId, WorkflowApiVersionId};
use crate::jobs::queue::estimate::kind;
use crate::jobs::status::Lane;

/// A waiting job of the lane flex.
#[derive(Debug, Clone)]
pub(super) struct FlexJob {
    pub id: JobId,
    pub user: UserId,
    pub pool: String,
    /// The lane to which it is promoted.
    pub to: Lane,
    /// The hash of the needs.
    pub needs: String,
    /// The key of its estimate.
    pub kind: String,
    pub max_run_ms: i64,
    pub deadline: Option<DateTime<Utc>>,
    pub promote_at: DateTime<Utc>,
}

/// Up to `each` waiting jobs of the lane flex of each pool, those with the earliest promotions first.
pub(super) async fn next(db: &PgPool, pools: &[String], each: i64) -> sqlx::Result<Vec<FlexJob>> {
    let rows = sqlx::query!(
        r#"SELECT pools.name AS "pool!", next.id AS "id!", next.user_id AS "user_id!", next.promote_to AS "promote_to!",
                  next.needs AS "needs!", next.version_id, next.max_run_ms AS "max_run_ms!", next.deadline,
                  next.promote_at AS "promote_at!"
           FROM UNNEST($1::text[]) AS pools(name)
           CROSS JOIN LATERAL (
             SELECT id, user_id, promote_to, needs, version_id, max_run_ms, deadline, promote_at FROM jobs
             WHERE status = 0 AND lane = 3 AND pool = pools.name ORDER BY promote_at, id LIMIT $2
           ) AS next"#,
        pools,
        each,
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| FlexJob {
            id: JobId(row.id),
            user: UserId(row.user_id),
            pool: row.pool,
            to: Lane::from_number(row.promote_to),
            kind: kind(row.version_id.map(WorkflowApiVersionId), &row.needs),
            needs: row.needs,
            max_run_ms: row.max_run_ms,
            deadline: row.deadline,
            promote_at: row.promote_at,
        })
        .collect())
}

/// The expected work of promoted jobs that wait, in milliseconds, by pool.
pub(super) async fn promoted_work(db: &PgPool) -> sqlx::Result<HashMap<String, i64>> {
    let rows = sqlx::query!(
        r#"SELECT pool, sum(estimate_ms)::bigint AS "work_ms!" FROM jobs WHERE status = 0 AND promoted_at IS NOT NULL
           GROUP BY pool"#,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.pool, row.work_ms)).collect())
}

/// Promotes jobs that still wait in the lane flex, with these virtual start times; returns them. A job that another
/// transaction has locked is being claimed or ended, or is left for the next round.
pub(super) async fn promote(db: &PgPool, jobs: &[(JobId, i64)], now: DateTime<Utc>) -> sqlx::Result<Vec<JobId>> {
    let ids: Vec<Uuid> = jobs.iter().map(|(job, _)| job.0).collect();
    let starts: Vec<i64> = jobs.iter().map(|(_, start)| *start).collect();
    let promoted = sqlx::query_scalar!(
        "WITH free AS (
           SELECT id FROM jobs WHERE id = ANY($1) AND status = 0 AND lane = 3 FOR UPDATE SKIP LOCKED
         )
         UPDATE jobs SET lane = jobs.promote_to, vstart = v.vstart, promoted_at = $3
         FROM free JOIN UNNEST($1::uuid[], $2::bigint[]) AS v(id, vstart) USING (id)
         WHERE jobs.id = free.id RETURNING jobs.id",
        &ids,
        &starts,
        now,
    )
    .fetch_all(db)
    .await?;
    Ok(promoted.into_iter().map(JobId).collect())
}
