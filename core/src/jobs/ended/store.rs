//! SQL of rows outside of monthly partitions.

use sqlx::PgPool;
use uuid::Uuid;

use crate::jobs::client_prompts;

/// Deletes the jobs before an id that are in the default partition, and some outputs and clients' prompts of jobs before
/// it; returns the number of rows.
pub(super) async fn drop_rest(db: &PgPool, bound: Uuid, most: i64) -> sqlx::Result<u64> {
    let jobs = sqlx::query(
        "DELETE FROM ended_jobs_default WHERE id IN (SELECT id FROM ended_jobs_default WHERE id < $1 LIMIT $2)",
    )
    .bind(bound)
    .bind(most)
    .execute(db)
    .await?;
    let outputs = sqlx::query(
        "DELETE FROM job_outputs WHERE (job_id, position) IN (
             SELECT job_id, position FROM job_outputs WHERE job_id < $1 ORDER BY job_id, position LIMIT $2
         )",
    )
    .bind(bound)
    .bind(most)
    .execute(db)
    .await?;
    let prompts = client_prompts::store::delete_before(db, bound, most).await?;
    Ok(jobs.rows_affected() + outputs.rows_affected() + prompts)
}
