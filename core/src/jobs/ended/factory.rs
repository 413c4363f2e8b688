//! Jobs for tests.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use crate::ids::JobId;
use crate::jobs::Status;

/// Ends a job in any status.
///
/// # Panics
/// If it has ended already.
pub async fn end(db: &PgPool, job: JobId, status: Status, at: DateTime<Utc>) {
    let done = sqlx::query(
        "WITH ended AS (DELETE FROM jobs WHERE id = $1 RETURNING *)
         INSERT INTO ended_jobs (id, user_id, status, lane, pool, attempt, withdrawn, worker_id, batch_id, version_id,
                                 prompt_hash, form, seeds, files, extra_data, strict, node_errors, estimate_ms, created_at,
                                 started_at, ended_at, max_credits, percent, deadline, promoted_at, labels)
         SELECT id, user_id, $2, lane, pool, attempt, withdrawn, worker_id, batch_id, version_id, prompt_hash,
                coalesce(form_written, form::json), coalesce(seeds_written, seeds::json), files,
                coalesce(extra_text, extra_data::text), strict, node_errors, estimate_ms, created_at, started_at, $3,
                max_credits, percent, deadline, promoted_at, labels
         FROM ended",
    )
    .bind(job.0)
    .bind(status as i16)
    .bind(at)
    .execute(db)
    .await
    .expect("an end");
    assert_eq!(done.rows_affected(), 1, "the job has ended, or was never there");
}
