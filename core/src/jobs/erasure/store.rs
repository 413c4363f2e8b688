//! SQL of erasing jobs.

use std::collections::HashSet;

use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::database;
use crate::ids::{UserId, WorkflowApiVersionId, WorkflowId};

/// Jobs and prompts of one statement.
const AT_ONCE: i64 = 1000;

/// Erases the content of some ended jobs, and their text and undelivered outputs; returns the number of jobs. The prompt
/// hash of a raw prompt becomes empty.
pub(in crate::jobs) async fn forget_jobs(db: &PgPool, user: UserId) -> sqlx::Result<u64> {
    let mut tx = database::begin(db).await?;
    let jobs: Vec<Uuid> = sqlx::query_scalar!(
        "UPDATE ended_jobs SET form = NULL, seeds = NULL, files = NULL, extra_data = NULL, execute_exception = NULL,
                validate_exception = NULL, node_errors = NULL, labels = NULL,
                prompt_hash = CASE WHEN prompt_hash IS NOT NULL THEN '' END
         WHERE id IN (SELECT id FROM ended_jobs WHERE user_id = $1
                      AND (num_nonnulls(form, seeds, files, extra_data, execute_exception, validate_exception,
                                        node_errors, labels) > 0
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

/// The versions among these that an unfinished job uses.
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

/// Deletes the idempotency keys of jobs and batches, and closes the batches, so that no event of their end is written.
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

/// Removes an account from the owners of some prompts, and deletes those without owners. Returns the number of prompts.
pub(in crate::jobs) async fn forget_prompts(db: &PgPool, user: UserId) -> sqlx::Result<u64> {
    let mut tx = database::begin(db).await?;
    let hashes = sqlx::query_scalar!(
        "DELETE FROM job_prompt_owners WHERE user_id = $1
         AND hash IN (SELECT hash FROM job_prompt_owners WHERE user_id = $1 LIMIT $2) RETURNING hash",
        user.0,
        AT_ONCE,
    )
    .fetch_all(&mut *tx)
    .await?;
    // `insert_prompt` locks the row until its owner is committed. After this lock the next statement sees that owner.
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
