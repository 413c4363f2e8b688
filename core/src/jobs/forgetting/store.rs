//! SQL of forgetting what somebody ran.

use std::collections::HashSet;

use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::ids::{UserId, WorkflowApiVersionId, WorkflowId};

/// Jobs and prompts of one go.
const AT_ONCE: i64 = 1000;

/// Empties some jobs that have ended, and takes the texts and the notes from their outputs; tells how many jobs were not empty. A job
/// of a raw prompt keeps an empty hash: there is no such prompt.
pub(in crate::jobs) async fn forget_jobs(db: &PgPool, user: UserId) -> sqlx::Result<u64> {
    let mut tx = db.begin().await?;
    let jobs: Vec<Uuid> = sqlx::query_scalar!(
        "UPDATE ended_jobs SET form = NULL, seeds = NULL, files = NULL, extra_data = NULL, execute_exception = NULL,
                validate_exception = NULL, node_errors = NULL,
                prompt_hash = CASE WHEN prompt_hash IS NOT NULL THEN '' END
         WHERE id IN (SELECT id FROM ended_jobs WHERE user_id = $1
                      AND (num_nonnulls(form, seeds, files, extra_data, execute_exception, validate_exception,
                                        node_errors) > 0
                           OR prompt_hash <> '')
                      LIMIT $2)
         RETURNING id",
        user.0,
        AT_ONCE,
    )
    .fetch_all(&mut *tx)
    .await?;
    sqlx::query!("DELETE FROM job_outputs WHERE job_id = ANY($1) AND output_asset_id IS NULL", &jobs)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(jobs.len() as u64)
}

/// Those of these versions that a job runs or waits for.
pub(in crate::jobs) async fn versions_in_use(
    tx: &mut PgConnection,
    versions: &[(WorkflowApiVersionId, WorkflowId)],
) -> sqlx::Result<HashSet<WorkflowApiVersionId>> {
    if versions.is_empty() {
        return Ok(HashSet::new());
    }
    let ids: Vec<Uuid> = versions.iter().map(|(version, _)| version.0).collect();
    let found =
        sqlx::query_scalar!(r#"SELECT DISTINCT version_id AS "id!" FROM jobs WHERE version_id = ANY($1)"#, &ids)
            .fetch_all(tx)
            .await?;
    Ok(found.into_iter().map(WorkflowApiVersionId).collect())
}

/// Forgets idempotency keys, and the names of batches. Of their ends nothing is told any more.
pub(in crate::jobs) async fn forget_keys(db: &PgPool, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM job_keys WHERE user_id = $1", user.0).execute(db).await?;
    sqlx::query!(
        "UPDATE job_batches SET key = NULL, is_open = false WHERE user_id = $1 AND (key IS NOT NULL OR is_open)",
        user.0,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Takes some prompts from somebody; those that nobody else has run are gone. Tells how many were taken.
pub(in crate::jobs) async fn forget_prompts(db: &PgPool, user: UserId) -> sqlx::Result<u64> {
    let mut tx = db.begin().await?;
    let hashes = sqlx::query_scalar!(
        "DELETE FROM job_prompt_owners WHERE user_id = $1
         AND hash IN (SELECT hash FROM job_prompt_owners WHERE user_id = $1 LIMIT $2) RETURNING hash",
        user.0,
        AT_ONCE,
    )
    .fetch_all(&mut *tx)
    .await?;
    // Whoever runs one of them for the first time holds it until their name stands beside it; the next statement sees
    // that then.
    sqlx::query!("SELECT hash FROM job_prompts WHERE hash = ANY($1) ORDER BY hash FOR UPDATE", &hashes)
        .fetch_all(&mut *tx)
        .await?;
    sqlx::query!(
        "DELETE FROM job_prompts p WHERE hash = ANY($1)
         AND NOT EXISTS (SELECT FROM job_prompt_owners o WHERE o.hash = p.hash)",
        &hashes
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(hashes.len() as u64)
}
