//! SQL of jobs: reads, and writes that are not committed together with credits.

pub(super) mod claims;
pub(super) mod files;
pub(super) mod flight;
pub(super) mod job_row;
pub(super) mod lost;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgPool;
use uuid::Uuid;

use self::job_row::JobRow;
use super::job::Job;
use super::queue::entry::QueueEntry;
use super::status::{Lane, Status};
use crate::graph::{Prompt, PromptText};
use crate::ids::{JobId, NodeId, OutputAssetId, UserId, WorkflowApiVersionId};

pub(super) async fn find(db: &PgPool, id: JobId) -> sqlx::Result<Option<Job>> {
    let row = sqlx::query_as!(
        JobRow,
        r#"SELECT id AS "id!", user_id AS "user_id!", status AS "status!", lane AS "lane!", pool AS "pool!",
                  attempt - withdrawn AS "attempt!", version_id, prompt_hash, form, seeds, execute_exception,
                  validate_exception, node_errors, created_at AS "created_at!", started_at, ended_at, ran_ms,
                  credits_used, estimate_ms AS "estimate_ms!", batch_id, needs AS "needs!", vstart AS "vstart!",
                  max_credits, percent AS "percent!", deadline, promoted_at, labels,
                  cancel_requested AS "cancel_requested!"
           FROM all_jobs WHERE id = $1"#,
        id.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(Into::into))
}

/// The status, lease and queue entry of a job.
pub(super) struct JobLocation {
    pub status: Status,
    /// The node and the attempt of a job in flight.
    pub lease: Option<(NodeId, i16)>,
    pub entry: QueueEntry,
}

pub(super) async fn locations(db: &PgPool, ids: &[Uuid]) -> sqlx::Result<Vec<JobLocation>> {
    let rows = sqlx::query!(
        r#"SELECT all_jobs.id AS "id!", all_jobs.status AS "status!", all_jobs.pool AS "pool!", all_jobs.lane AS "lane!",
                  all_jobs.vstart AS "vstart!", all_jobs.needs AS "needs!", all_jobs.attempt AS "attempt!",
                  jobs.lease_node AS "lease_node?"
           FROM all_jobs LEFT JOIN jobs USING (id) WHERE all_jobs.id = ANY($1)"#,
        ids,
    );
    let rows = rows.fetch_all(db).await?.into_iter();
    Ok(rows
        .map(|row| JobLocation {
            status: Status::from_number(row.status),
            lease: row.lease_node.map(|node| (NodeId(node), row.attempt)),
            entry: QueueEntry {
                id: JobId(row.id),
                pool: row.pool,
                lane: Lane::from_number(row.lane),
                vstart: row.vstart,
                needs: row.needs,
            },
        })
        .collect())
}

/// Records a cancel request for the node that has the job in flight. `false`: it is not in flight.
pub(super) async fn request_cancel(db: &PgPool, id: JobId) -> sqlx::Result<bool> {
    let done = sqlx::query!("UPDATE jobs SET cancel_requested = true WHERE id = $1", id.0).execute(db).await?;
    Ok(done.rows_affected() == 1)
}

/// The job of an idempotency key, and the hash of its request.
pub(super) async fn find_key(db: &PgPool, user: UserId, key: &str) -> sqlx::Result<Option<(JobId, String)>> {
    let row = sqlx::query!("SELECT job_id, request_hash FROM job_keys WHERE user_id = $1 AND key = $2", user.0, key)
        .fetch_optional(db)
        .await?;
    Ok(row.map(|row| (JobId(row.job_id), row.request_hash)))
}

pub(super) async fn delete_old_keys(db: &PgPool, before: DateTime<Utc>, most: i64) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM job_keys WHERE ctid IN (SELECT ctid FROM job_keys WHERE created_at < $1 LIMIT $2)",
        before,
        most,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

/// The submitted content of a job.
pub(super) struct JobContent {
    pub version: Option<WorkflowApiVersionId>,
    pub prompt_hash: Option<String>,
    pub form: Option<Value>,
    pub seeds: Option<Value>,
    pub files: Option<Value>,
}

pub(super) async fn find_content(db: &PgPool, id: JobId) -> sqlx::Result<Option<JobContent>> {
    let row = sqlx::query!("SELECT version_id, prompt_hash, form, seeds, files FROM all_jobs WHERE id = $1", id.0,)
        .fetch_optional(db)
        .await?;
    Ok(row.map(|row| JobContent {
        version: row.version_id.map(WorkflowApiVersionId),
        prompt_hash: row.prompt_hash,
        form: row.form,
        seeds: row.seeds,
        files: row.files,
    }))
}

/// The `extra_data` of a raw prompt, which may be large, and whether the prompt is strict.
pub(super) async fn extra_data(db: &PgPool, id: JobId) -> sqlx::Result<Option<(Option<String>, bool)>> {
    let row = sqlx::query!(r#"SELECT extra_data, strict AS "strict!" FROM all_jobs WHERE id = $1"#, id.0,)
        .fetch_optional(db)
        .await?;
    Ok(row.map(|row| (row.extra_data, row.strict)))
}

/// The first `each` outputs of each of these jobs, in their order.
pub(super) async fn first_outputs(db: &PgPool, jobs: &[JobId], each: i64) -> sqlx::Result<Vec<(JobId, OutputAssetId)>> {
    let ids: Vec<Uuid> = jobs.iter().map(|id| id.0).collect();
    let rows = sqlx::query!(
        r#"SELECT job.id AS "job!", first.output_asset_id AS "asset!" FROM UNNEST($1::uuid[]) AS job(id)
           CROSS JOIN LATERAL (
             SELECT output_asset_id, position FROM job_outputs
             WHERE job_id = job.id AND output_asset_id IS NOT NULL ORDER BY position LIMIT $2
           ) first ORDER BY job.id, first.position"#,
        &ids,
        each,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (JobId(row.job), OutputAssetId(row.asset))).collect())
}

/// Inserts a raw prompt, once by its hash, and its owner. The update of an existing row locks it, so that a concurrent
/// deletion sees the new owner. The commit does not wait for the disk: a durable commit that follows, as that of a job
/// which runs the prompt, makes it durable too.
pub(super) async fn insert_prompt(
    db: &PgPool,
    user: UserId,
    hash: &str,
    prompt: &Prompt,
    text: &PromptText,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH relaxed AS (
             SELECT set_config('synchronous_commit', 'off', true)
         ), kept AS (
             INSERT INTO job_prompts (hash, prompt, text, created_at)
             SELECT $2::text, $3::jsonb, $4::text, $5::timestamptz FROM relaxed
             ON CONFLICT (hash) DO UPDATE SET created_at = job_prompts.created_at
         )
         INSERT INTO job_prompt_owners (user_id, hash) VALUES ($1, $2) ON CONFLICT (user_id, hash) DO NOTHING",
        user.0,
        hash,
        prompt.to_value(),
        text.as_str(),
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The text of a raw prompt. Earlier releases stored only its JSON.
pub(super) async fn find_prompt(db: &PgPool, hash: &str) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(r#"SELECT coalesce(text, prompt::text) AS "text!" FROM job_prompts WHERE hash = $1"#, hash)
        .fetch_optional(db)
        .await
}

/// Inserts needs, once by their hash.
pub(super) async fn insert_needs(db: &PgPool, hash: &str, needs: &Value, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO job_needs (hash, needs, created_at) VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING",
        hash,
        needs,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub(super) async fn find_needs(db: &PgPool, hash: &str) -> sqlx::Result<Option<Value>> {
    sqlx::query_scalar!("SELECT needs FROM job_needs WHERE hash = $1", hash).fetch_optional(db).await
}

/// The needs that are not `known`, by hash.
pub(super) async fn other_needs(db: &PgPool, known: &[String]) -> sqlx::Result<Vec<(String, Value)>> {
    let rows = sqlx::query!("SELECT hash, needs FROM job_needs WHERE NOT hash = ANY($1)", known).fetch_all(db).await?;
    Ok(rows.into_iter().map(|row| (row.hash, row.needs)).collect())
}

pub(super) struct OutputRow {
    pub node_id: String,
    pub kind: String,
    pub text: Option<String>,
    pub asset: Option<OutputAssetId>,
    pub undelivered: Option<Value>,
}

pub(super) async fn outputs(db: &PgPool, job: JobId) -> sqlx::Result<Vec<OutputRow>> {
    let rows = sqlx::query!(
        "SELECT node_id, kind, text, output_asset_id, undelivered FROM job_outputs WHERE job_id = $1 ORDER BY position",
        job.0
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| OutputRow {
            node_id: row.node_id,
            kind: row.kind,
            text: row.text,
            asset: row.output_asset_id.map(OutputAssetId),
            undelivered: row.undelivered,
        })
        .collect())
}

/// The notes about undelivered outputs of these jobs: job, node and note, in the order of the outputs.
pub(super) async fn undelivered(db: &PgPool, jobs: &[JobId]) -> sqlx::Result<Vec<(JobId, String, Value)>> {
    let ids: Vec<Uuid> = jobs.iter().map(|id| id.0).collect();
    let rows = sqlx::query!(
        r#"SELECT job_id, node_id, undelivered AS "undelivered!" FROM job_outputs
           WHERE job_id = ANY($1) AND undelivered IS NOT NULL ORDER BY job_id, position"#,
        &ids,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (JobId(row.job_id), row.node_id, row.undelivered)).collect())
}
