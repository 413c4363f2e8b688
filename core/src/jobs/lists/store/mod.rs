//! SQL of lists of jobs, and of their counts.

pub(in crate::jobs) mod everyones;

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use crate::ids::{BatchId, JobId, UserId};
use crate::jobs::filter::JobFilter;
use crate::jobs::job::Job;
use crate::jobs::labels::JobLabels;
use crate::jobs::store::job_row::JobRow;
use crate::periods::{self, Periods};

/// A statement about the filtered jobs of an account or batch: what it selects, whose jobs, the parameter with their mini
/// app if it is one app's, and the end of the statement.
macro_rules! filtered {
    (
        $query:ident!($($row:ident,)? $what:literal), $of:literal $(of app $app:literal)?, $rest:literal,
        $whose:expr, $filter:expr $(, $more:expr)*
    ) => {
        sqlx::$query!(
            $($row,)?
            "SELECT " + $what + " FROM all_jobs WHERE " +
            $("version_id = ANY(ARRAY(SELECT v.id FROM workflow_api_versions v WHERE v.workflow_api_id = " + $app + "))
               AND " +)?
            $of + " = $1
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
    (
        $db:expr, $of:literal $(of app $app:literal)?, $whose:expr, $filter:expr, ($before:expr, $limit:expr)
        $(, $more:expr)*
    ) => {
        filtered!(
            query_as!(
                JobRow,
                "id AS \"id!\", user_id AS \"user_id!\", status AS \"status!\", lane AS \"lane!\", pool AS \"pool!\",
                 attempt - withdrawn AS \"attempt!\", version_id, prompt_hash, form, seeds, execute_exception,
                 validate_exception, node_errors, created_at AS \"created_at!\", started_at, ended_at, ran_ms,
                 credits_used, estimate_ms AS \"estimate_ms!\", batch_id, needs AS \"needs!\", vstart AS \"vstart!\",
                 max_credits, percent AS \"percent!\", deadline, promoted_at, labels,
                 cancel_requested AS \"cancel_requested!\""
            ),
            $of $(of app $app)?,
            " AND ($6::uuid IS NULL OR id < $6) ORDER BY id DESC LIMIT $7",
            $whose,
            $filter,
            $before.map(|id| id.0),
            $limit
            $(, $more)*
        )
        .fetch_all($db)
        .await
    };
}

macro_rules! counted {
    ($db:expr, $of:literal $(of app $app:literal)?, $whose:expr, $filter:expr, ($most:expr) $(, $more:expr)*) => {
        filtered!(
            query_scalar!("count(*) AS \"count!\" FROM (SELECT 1 AS one"),
            $of $(of app $app)?,
            " LIMIT $6) counted",
            $whose,
            $filter,
            $most
            $(, $more)*
        )
        .fetch_one($db)
        .await
    };
}

/// One of these two statements, of the jobs of one mini app where the filter names it. The number of the parameter with
/// that app is behind those of `$more`.
macro_rules! of_any_or_one_app {
    ($statement:ident!($db:expr, $of:literal, $whose:expr, $filter:expr, $page:tt, $app:literal $(, $more:expr)*)) => {
        match $filter.app {
            None => $statement!($db, $of, $whose, $filter, $page $(, $more)*),
            Some(app) => $statement!($db, $of of app $app, $whose, $filter, $page $(, $more)*, app.0),
        }
    };
}

/// The jobs of an account, newest first.
pub(in crate::jobs) async fn of_user(
    db: &PgPool,
    user: UserId,
    filter: &JobFilter,
    before: Option<JobId>,
    limit: i64,
) -> sqlx::Result<Vec<Job>> {
    let rows = of_any_or_one_app!(listed!(db, "user_id", user.0, filter, (before, limit), "$8"))?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// The jobs of a batch, newest first.
pub(in crate::jobs) async fn of_batch(
    db: &PgPool,
    batch: BatchId,
    filter: &JobFilter,
    before: Option<JobId>,
    limit: i64,
) -> sqlx::Result<Vec<Job>> {
    let rows = of_any_or_one_app!(listed!(db, "batch_id", batch.0, filter, (before, limit), "$8"))?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// The jobs of an account that have all of these labels, newest first.
pub(in crate::jobs) async fn labelled(
    db: &PgPool,
    user: UserId,
    (labels, filter): (&JobLabels, &JobFilter),
    before: Option<JobId>,
    limit: i64,
) -> sqlx::Result<Vec<Job>> {
    let rows = of_any_or_one_app!(listed!(
        db,
        "labels IS NOT NULL AND job_label_keys(user_id, labels) @> $8 AND ($9::uuid IS NULL OR batch_id = $9) AND user_id",
        user.0,
        filter,
        (before, limit),
        "$10",
        &labels.keys_of(user),
        filter.batch.map(|batch| batch.0)
    ))?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// The number of jobs of an account, up to `most`.
pub(in crate::jobs) async fn count_of_user(
    db: &PgPool,
    user: UserId,
    filter: &JobFilter,
    most: i64,
) -> sqlx::Result<i64> {
    of_any_or_one_app!(counted!(db, "user_id", user.0, filter, (most), "$7"))
}

/// The number of jobs of a batch, up to `most`.
pub(in crate::jobs) async fn count_of_batch(
    db: &PgPool,
    batch: BatchId,
    filter: &JobFilter,
    most: i64,
) -> sqlx::Result<i64> {
    of_any_or_one_app!(counted!(db, "batch_id", batch.0, filter, (most), "$7"))
}

/// The number of jobs that [`labelled`] lists, up to `most`.
pub(in crate::jobs) async fn count_labelled(
    db: &PgPool,
    user: UserId,
    (labels, filter): (&JobLabels, &JobFilter),
    most: i64,
) -> sqlx::Result<i64> {
    of_any_or_one_app!(counted!(
        db,
        "labels IS NOT NULL AND job_label_keys(user_id, labels) @> $7 AND ($8::uuid IS NULL OR batch_id = $8) AND user_id",
        user.0,
        filter,
        (most),
        "$9",
        &labels.keys_of(user),
        filter.batch.map(|batch| batch.0)
    ))
}

/// The number of submitted jobs in each period, by its start; of one account or of all.
pub(in crate::jobs) async fn counts(
    db: &PgPool,
    owner: Option<UserId>,
    periods: &Periods,
) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    periods::counts!(db, "FROM all_jobs WHERE true", owner, periods)
}
