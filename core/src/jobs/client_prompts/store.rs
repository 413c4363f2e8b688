//! SQL of the prompts of ComfyUI clients.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgPool;
use uuid::Uuid;

use super::client_prompt::{ClientJob, ClientPrompt, ClientPromptFilter, PromptCall};
use crate::assets::AssetKind;
use crate::ids::{JobId, OutputAssetId, UserId, min_id};
use crate::jobs::status::{Lane, Status};

struct Row {
    id: Uuid,
    prompt_id: Uuid,
    client_id: Option<String>,
    number: f64,
    workflow_id: Option<String>,
    outputs: Vec<String>,
    is_removed: bool,
    status: i16,
    cancel_requested: bool,
    execute_exception: Option<Value>,
    validate_exception: Option<Value>,
    created_at: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
    ran_ms: Option<i64>,
}

impl From<Row> for ClientPrompt {
    fn from(row: Row) -> Self {
        Self {
            job: JobId(row.id),
            prompt_id: row.prompt_id,
            client_id: row.client_id,
            number: row.number,
            workflow_id: row.workflow_id,
            outputs: row.outputs,
            is_removed: row.is_removed,
            status: Status::from_number(row.status),
            is_cancel_requested: row.cancel_requested,
            execute_exception: row.execute_exception,
            validate_exception: row.validate_exception,
            created_at: row.created_at,
            started_at: row.started_at,
            ended_at: row.ended_at,
            ran_ms: row.ran_ms,
        }
    }
}

/// Inserts the row of a prompt before its job. `false`: the user has another prompt of that id. A row is replaced if its
/// job was not accepted although its id is less than `lost_before`.
pub(super) async fn insert(
    db: &PgPool,
    user: UserId,
    (job, lost_before): (JobId, JobId),
    call: &PromptCall,
    outputs: &[String],
) -> sqlx::Result<bool> {
    let number = sqlx::query_scalar!(
        "INSERT INTO job_client_prompts (job_id, user_id, prompt_id, client_id, number, workflow_id, outputs)
         SELECT $1, $2, $3, $4,
                coalesce($5, CASE WHEN $6 THEN -next.number ELSE next.number END), $7, $8
         FROM (SELECT nextval('job_client_prompts_number')::double precision AS number) next
         ON CONFLICT (user_id, prompt_id) DO UPDATE
         SET job_id = EXCLUDED.job_id, client_id = EXCLUDED.client_id, number = EXCLUDED.number,
             workflow_id = EXCLUDED.workflow_id, outputs = EXCLUDED.outputs, removed_at = NULL
         WHERE job_client_prompts.job_id < $9
           AND NOT EXISTS (SELECT FROM all_jobs WHERE id = job_client_prompts.job_id)
         RETURNING number",
        job.0,
        user.0,
        call.prompt_id.unwrap_or(job.0),
        call.client_id.as_deref(),
        call.number,
        call.front,
        call.workflow_id.as_deref(),
        outputs,
        lost_before.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(number.is_some())
}

/// Deletes the row of a prompt whose job was refused.
pub(in crate::jobs) async fn delete(db: &PgPool, job: JobId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM job_client_prompts WHERE job_id = $1", job.0).execute(db).await?;
    Ok(())
}

/// Gives a waiting job the first virtual start time of its user's waiting jobs in the lane, and each of these the next
/// one. The user's times stay the same, so other users lose nothing.
pub(in crate::jobs) async fn move_to_front(
    db: &PgPool,
    user: UserId,
    pool: &str,
    lane: Lane,
    job: JobId,
) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH own AS (
           SELECT id, vstart, row_number() OVER (ORDER BY id = $4 DESC, vstart, id) AS place FROM jobs
           WHERE user_id = $1 AND pool = $2 AND lane = $3 AND status = 0 AND promoted_at IS NULL
         ), times AS (
           SELECT vstart, row_number() OVER (ORDER BY vstart, id) AS place FROM own
         )
         UPDATE jobs SET vstart = times.vstart FROM own JOIN times USING (place)
         WHERE jobs.id = own.id AND jobs.status = 0 AND jobs.vstart <> times.vstart",
        user.0,
        pool,
        lane as i16,
        job.0,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The job that a user knows by this id: one of a client's prompts, or any job of the user.
pub(super) async fn find(db: &PgPool, user: UserId, id: Uuid) -> sqlx::Result<Option<ClientPrompt>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT j.id AS "id!", coalesce(c.prompt_id, j.id) AS "prompt_id!", c.client_id AS "client_id?",
                  coalesce(c.number, 0) AS "number!", c.workflow_id AS "workflow_id?",
                  coalesce(c.outputs, '{}') AS "outputs!", c.removed_at IS NOT NULL AS "is_removed!",
                  j.status AS "status!", j.cancel_requested AS "cancel_requested!", j.execute_exception,
                  j.validate_exception, j.created_at AS "created_at!", j.started_at, j.ended_at, j.ran_ms
           FROM all_jobs j LEFT JOIN job_client_prompts c ON c.job_id = j.id
           WHERE j.user_id = $1
             AND j.id = coalesce((SELECT job_id FROM job_client_prompts WHERE user_id = $1 AND prompt_id = $2), $2)"#,
        user.0,
        id,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(Into::into))
}

/// Whether a job belongs to another user.
pub(super) async fn is_of_another(db: &PgPool, user: UserId, job: JobId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM all_jobs WHERE id = $2 AND user_id <> $1) AS "there!""#,
        user.0,
        job.0,
    )
    .fetch_one(db)
    .await
}

/// The prompts of a user that wait or run, newest first.
pub(super) async fn active(
    db: &PgPool,
    user: UserId,
    filter: &ClientPromptFilter,
    limit: i64,
) -> sqlx::Result<Vec<ClientPrompt>> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT j.id, c.prompt_id, c.client_id, c.number, c.workflow_id, c.outputs,
                  c.removed_at IS NOT NULL AS "is_removed!", j.status, j.cancel_requested,
                  NULL::jsonb AS execute_exception, NULL::jsonb AS validate_exception, j.created_at, j.started_at,
                  NULL::timestamptz AS ended_at, NULL::bigint AS ran_ms
           FROM jobs j JOIN job_client_prompts c ON c.job_id = j.id
           WHERE j.user_id = $1 AND (cardinality($2::smallint[]) = 0 OR j.status = ANY($2))
             AND ($3::text IS NULL OR c.workflow_id = $3)
           ORDER BY j.id DESC LIMIT $4"#,
        user.0,
        &numbers(&filter.statuses),
        filter.workflow_id.as_deref(),
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// The ended prompts of a user that are in the history, newest first.
pub(super) async fn ended(
    db: &PgPool,
    user: UserId,
    filter: &ClientPromptFilter,
    (offset, limit): (i64, i64),
) -> sqlx::Result<Vec<ClientPrompt>> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT j.id, c.prompt_id, c.client_id, c.number, c.workflow_id, c.outputs,
                  c.removed_at IS NOT NULL AS "is_removed!", j.status, false AS "cancel_requested!",
                  j.execute_exception, j.validate_exception, j.created_at, j.started_at, j.ended_at AS "ended_at?", j.ran_ms
           FROM job_client_prompts c JOIN ended_jobs j ON j.id = c.job_id
           WHERE c.user_id = $1 AND c.removed_at IS NULL AND j.user_id = $1
             AND (cardinality($2::smallint[]) = 0 OR j.status = ANY($2))
             AND ($3::text IS NULL OR c.workflow_id = $3)
             AND NOT ($6 AND j.status = $7 AND j.started_at IS NULL)
             AND ($8::text IS NULL OR EXISTS (
               SELECT FROM job_outputs o JOIN output_assets a ON a.id = o.output_asset_id
               WHERE o.job_id = c.job_id AND a.kind = $8 AND a.deleted_at IS NULL))
           ORDER BY c.job_id DESC OFFSET $4 LIMIT $5"#,
        user.0,
        &numbers(&filter.statuses),
        filter.workflow_id.as_deref(),
        offset,
        limit,
        filter.without_never_ran,
        Status::Canceled as i16,
        filter.output_kind.map(AssetKind::as_str),
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// The number of ended prompts that [`ended`] lists, up to `most`.
pub(super) async fn count_ended(
    db: &PgPool,
    user: UserId,
    filter: &ClientPromptFilter,
    most: i64,
) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM (
             SELECT 1 AS one FROM job_client_prompts c JOIN ended_jobs j ON j.id = c.job_id
             WHERE c.user_id = $1 AND c.removed_at IS NULL AND j.user_id = $1
               AND (cardinality($2::smallint[]) = 0 OR j.status = ANY($2))
               AND ($3::text IS NULL OR c.workflow_id = $3)
               AND NOT ($5 AND j.status = $6 AND j.started_at IS NULL)
               AND ($7::text IS NULL OR EXISTS (
                 SELECT FROM job_outputs o JOIN output_assets a ON a.id = o.output_asset_id
                 WHERE o.job_id = c.job_id AND a.kind = $7 AND a.deleted_at IS NULL))
             LIMIT $4
           ) counted"#,
        user.0,
        &numbers(&filter.statuses),
        filter.workflow_id.as_deref(),
        most,
        filter.without_never_ran,
        Status::Canceled as i16,
        filter.output_kind.map(AssetKind::as_str),
    )
    .fetch_one(db)
    .await
}

/// The number of a user's prompts that wait or run.
pub(super) async fn count_active(db: &PgPool, user: UserId) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM jobs j
           WHERE j.user_id = $1 AND EXISTS (SELECT FROM job_client_prompts c WHERE c.job_id = j.id)"#,
        user.0,
    )
    .fetch_one(db)
    .await
}

/// Removes ended prompts from the history: those of these ids, or all for `None`. Returns their number.
pub(super) async fn remove(
    db: &PgPool,
    user: UserId,
    prompts: Option<&[Uuid]>,
    now: DateTime<Utc>,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "UPDATE job_client_prompts c SET removed_at = $3
         WHERE c.user_id = $1 AND c.removed_at IS NULL AND ($2::uuid[] IS NULL OR c.prompt_id = ANY($2))
           AND NOT EXISTS (SELECT FROM jobs j WHERE j.id = c.job_id)",
        user.0,
        prompts as _,
        now,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

/// The texts of raw prompts, and their extra data: those of the newest jobs that together have at most `most` bytes.
pub(super) async fn contents(
    db: &PgPool,
    jobs: &[JobId],
    most: i64,
) -> sqlx::Result<Vec<(JobId, String, Option<String>)>> {
    let ids: Vec<Uuid> = jobs.iter().map(|id| id.0).collect();
    let rows = sqlx::query!(
        r#"SELECT id AS "id!", prompt AS "prompt!", extra_data FROM (
             SELECT j.id, coalesce(p.text, p.prompt::text) AS prompt, j.extra_data,
                    sum(coalesce(octet_length(p.text), octet_length(p.prompt::text))
                        + coalesce(octet_length(j.extra_data), 0)) OVER (ORDER BY j.id DESC) AS bytes
             FROM all_jobs j JOIN job_prompts p ON p.hash = j.prompt_hash WHERE j.id = ANY($1)
           ) texts
           WHERE bytes <= $2"#,
        &ids,
        most,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (JobId(row.id), row.prompt, row.extra_data)).collect())
}

/// A piece of an output of one of several jobs.
pub(super) struct PieceRow {
    pub job: JobId,
    pub node_id: String,
    pub kind: String,
    pub text: Option<String>,
    pub asset: Option<OutputAssetId>,
}

/// The outputs of these jobs, each job's in their order.
pub(super) async fn outputs(db: &PgPool, jobs: &[JobId]) -> sqlx::Result<Vec<PieceRow>> {
    let ids: Vec<Uuid> = jobs.iter().map(|id| id.0).collect();
    let rows = sqlx::query!(
        "SELECT job_id, node_id, kind, text, output_asset_id FROM job_outputs
         WHERE job_id = ANY($1) ORDER BY job_id, position",
        &ids,
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| PieceRow {
            job: JobId(row.job_id),
            node_id: row.node_id,
            kind: row.kind,
            text: row.text,
            asset: row.output_asset_id.map(OutputAssetId),
        })
        .collect())
}

/// The latest prompts that a user's client sent, newest first; of all clients for `None`.
pub(in crate::jobs) async fn recent_of_client(
    db: &PgPool,
    user: UserId,
    client: Option<&str>,
    since: DateTime<Utc>,
    limit: i64,
) -> sqlx::Result<Vec<(ClientJob, Status)>> {
    let rows: Vec<(Uuid, Uuid, Option<String>, i16)> = sqlx::query_as(
        "SELECT c.job_id, c.prompt_id, c.client_id, j.status
         FROM job_client_prompts c JOIN all_jobs j ON j.id = c.job_id
         WHERE c.user_id = $1 AND c.job_id >= $2 AND c.removed_at IS NULL
           AND ($3::text IS NULL OR c.client_id = $3)
         ORDER BY c.job_id DESC LIMIT $4",
    )
    .bind(user.0)
    .bind(min_id(since))
    .bind(client)
    .bind(limit)
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|(job, prompt_id, client, status)| {
            (ClientJob { job: JobId(job), prompt_id, client }, Status::from_number(status))
        })
        .collect())
}

/// Deletes the rows of a deleted account.
pub(in crate::jobs) async fn forget(db: &PgPool, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM job_client_prompts WHERE user_id = $1", user.0).execute(db).await?;
    Ok(())
}

/// Deletes some rows of jobs before an id; returns their number.
pub(in crate::jobs) async fn delete_before(db: &PgPool, bound: Uuid, most: i64) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM job_client_prompts WHERE job_id IN (
             SELECT job_id FROM job_client_prompts WHERE job_id < $1 ORDER BY job_id LIMIT $2
         )",
        bound,
        most,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

fn numbers(statuses: &[Status]) -> Vec<i16> {
    statuses.iter().map(|status| *status as i16).collect()
}
