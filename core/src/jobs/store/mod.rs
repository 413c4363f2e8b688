//! SQL of jobs: reads, and writes that are not committed together with credits.

pub(super) mod claims;
pub(super) mod files;
pub(super) mod flight;
pub(super) mod lost;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgPool;
use uuid::Uuid;

use super::filter::JobFilter;
use super::job::Job;
use super::queue::entry::QueueEntry;
use super::status::{Lane, Status};
use crate::graph::{Prompt, PromptText};
use crate::ids::{BatchId, JobId, NodeId, OutputAssetId, UserId, WorkflowApiVersionId};
use crate::periods::{self, Periods};

struct JobRow {
    id: Uuid,
    user_id: Uuid,
    status: i16,
    lane: i16,
    pool: String,
    attempt: i16,
    version_id: Option<Uuid>,
    prompt_hash: Option<String>,
    form: Option<Value>,
    seeds: Option<Value>,
    execute_exception: Option<Value>,
    validate_exception: Option<Value>,
    node_errors: Option<Value>,
    created_at: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
    ran_ms: Option<i64>,
    credits_used: Option<i64>,
    estimate_ms: i64,
    max_credits: Option<i64>,
    batch_id: Option<Uuid>,
    needs: String,
    vstart: i64,
}

impl From<JobRow> for Job {
    fn from(row: JobRow) -> Self {
        Self {
            id: JobId(row.id),
            user: UserId(row.user_id),
            status: Status::from_number(row.status),
            lane: Lane::from_number(row.lane),
            pool: row.pool,
            attempt: row.attempt,
            version: row.version_id.map(WorkflowApiVersionId),
            prompt_hash: row.prompt_hash,
            form: row.form,
            seeds: row.seeds,
            execute_exception: row.execute_exception,
            validate_exception: row.validate_exception,
            node_errors: row.node_errors,
            created_at: row.created_at,
            started_at: row.started_at,
            ended_at: row.ended_at,
            ran_ms: row.ran_ms,
            credits_used: row.credits_used,
            estimate_ms: row.estimate_ms,
            max_credits: row.max_credits,
            batch: row.batch_id.map(BatchId),
            needs: row.needs,
            vstart: row.vstart,
        }
    }
}

pub(super) async fn find(db: &PgPool, id: JobId) -> sqlx::Result<Option<Job>> {
    let row = sqlx::query_as!(
        JobRow,
        r#"SELECT id AS "id!", user_id AS "user_id!", status AS "status!", lane AS "lane!", pool AS "pool!",
                  attempt - withdrawn AS "attempt!", version_id, prompt_hash, form, seeds, execute_exception,
                  validate_exception, node_errors, created_at AS "created_at!", started_at, ended_at, ran_ms,
                  credits_used, estimate_ms AS "estimate_ms!", batch_id, needs AS "needs!", vstart AS "vstart!",
                  max_credits
           FROM all_jobs WHERE id = $1"#,
        id.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(Into::into))
}

/// A statement about the filtered jobs of an account or batch: what it selects, whose jobs, and the end of the statement.
macro_rules! filtered {
    ($query:ident!($($row:ident,)? $what:literal), $of:literal, $rest:literal, $whose:expr, $filter:expr $(, $more:expr)*) => {
        sqlx::$query!(
            $($row,)?
            "SELECT " + $what + " FROM all_jobs WHERE " + $of + " = $1
               AND (cardinality($2::smallint[]) = 0 OR status = ANY($2))
               AND (cardinality($3::uuid[]) = 0 OR id = ANY($3)) AND ($4::timestamptz IS NULL OR created_at >= $4)
               AND ($5::timestamptz IS NULL OR created_at < $5)" + $rest,
            $whose,
            &$filter.statuses.iter().map(|status| *status as i16).collect::<Vec<_>>(),
            &$filter.ids.iter().flatten().map(|id| id.0).collect::<Vec<_>>(),
            $filter.created.from,
            $filter.created.until,
            $($more),*
        )
    };
}

macro_rules! listed {
    ($db:expr, $of:literal, $whose:expr, $filter:expr, $before:expr, $limit:expr $(, $app:expr)?) => {
        filtered!(
            query_as!(
                JobRow,
                "id AS \"id!\", user_id AS \"user_id!\", status AS \"status!\", lane AS \"lane!\", pool AS \"pool!\",
                 attempt - withdrawn AS \"attempt!\", version_id, prompt_hash, form, seeds, execute_exception,
                 validate_exception, node_errors, created_at AS \"created_at!\", started_at, ended_at, ran_ms,
                 credits_used, estimate_ms AS \"estimate_ms!\", batch_id, needs AS \"needs!\", vstart AS \"vstart!\",
                 max_credits"
            ),
            $of,
            " AND ($6::uuid IS NULL OR id < $6) ORDER BY id DESC LIMIT $7",
            $whose,
            $filter,
            $before.map(|id| id.0),
            $limit
            $(, $app)?
        )
        .fetch_all($db)
        .await
    };
}

/// The jobs of an account, newest first.
pub(super) async fn of_user(
    db: &PgPool,
    user: UserId,
    filter: &JobFilter,
    before: Option<JobId>,
    limit: i64,
) -> sqlx::Result<Vec<Job>> {
    let rows = match filter.app {
        None => listed!(db, "user_id", user.0, filter, before, limit)?,
        Some(app) => listed!(
            db,
            "version_id = ANY(ARRAY(SELECT v.id FROM workflow_api_versions v WHERE v.workflow_api_id = $8)) AND user_id",
            user.0,
            filter,
            before,
            limit,
            app.0
        )?,
    };
    Ok(rows.into_iter().map(Into::into).collect())
}

/// The jobs of a batch, newest first.
pub(super) async fn of_batch(
    db: &PgPool,
    batch: BatchId,
    filter: &JobFilter,
    before: Option<JobId>,
    limit: i64,
) -> sqlx::Result<Vec<Job>> {
    let rows = match filter.app {
        None => listed!(db, "batch_id", batch.0, filter, before, limit)?,
        Some(app) => listed!(
            db,
            "version_id = ANY(ARRAY(SELECT v.id FROM workflow_api_versions v WHERE v.workflow_api_id = $8)) AND batch_id",
            batch.0,
            filter,
            before,
            limit,
            app.0
        )?,
    };
    Ok(rows.into_iter().map(Into::into).collect())
}

macro_rules! counted {
    ($db:expr, $of:literal, $whose:expr, $filter:expr, $most:expr $(, $app:expr)?) => {
        filtered!(
            query_scalar!("count(*) AS \"count!\" FROM (SELECT 1 AS one"),
            $of,
            " LIMIT $6) counted",
            $whose,
            $filter,
            $most
            $(, $app)?
        )
        .fetch_one($db)
        .await
    };
}

/// The number of jobs of an account, up to `most`.
pub(super) async fn count_of_user(db: &PgPool, user: UserId, filter: &JobFilter, most: i64) -> sqlx::Result<i64> {
    match filter.app {
        None => counted!(db, "user_id", user.0, filter, most),
        Some(app) => counted!(
            db,
            "version_id = ANY(ARRAY(SELECT v.id FROM workflow_api_versions v WHERE v.workflow_api_id = $7)) AND user_id",
            user.0,
            filter,
            most,
            app.0
        ),
    }
}

/// The number of jobs of a batch, up to `most`.
pub(super) async fn count_of_batch(db: &PgPool, batch: BatchId, filter: &JobFilter, most: i64) -> sqlx::Result<i64> {
    match filter.app {
        None => counted!(db, "batch_id", batch.0, filter, most),
        Some(app) => counted!(
            db,
            "version_id = ANY(ARRAY(SELECT v.id FROM workflow_api_versions v WHERE v.workflow_api_id = $7)) AND batch_id",
            batch.0,
            filter,
            most,
            app.0
        ),
    }
}

/// The number of submitted jobs in each period, by its start; of one account or of all.
pub(super) async fn counts(
    db: &PgPool,
    owner: Option<UserId>,
    periods: &Periods,
) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    periods::counts!(db, "FROM all_jobs WHERE true", owner, periods)
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
/// deletion sees the new owner.
pub(super) async fn insert_prompt(
    db: &PgPool,
    user: UserId,
    hash: &str,
    prompt: &Prompt,
    text: &PromptText,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH kept AS (
             INSERT INTO job_prompts (hash, prompt, text, created_at) VALUES ($2, $3, $4, $5)
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

/// A raw prompt as JSON, and its text if that is stored.
pub(super) async fn find_prompt(db: &PgPool, hash: &str) -> sqlx::Result<Option<(Value, Option<String>)>> {
    let row = sqlx::query!("SELECT prompt, text FROM job_prompts WHERE hash = $1", hash).fetch_optional(db).await?;
    Ok(row.map(|row| (row.prompt, row.text)))
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
