//! SQL of the list of all users' jobs.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;
use sqlx::PgPool;
use uuid::Uuid;

use crate::filter::TimeRange;
use crate::ids::{JobId, UserId, WorkerId, WorkflowApiVersionId, min_id};
use crate::jobs::labels::JobLabels;
use crate::jobs::lists::listed_job::{AnyJobFilter, ListedJob};
use crate::jobs::price_classes::class::PriceClass;
use crate::jobs::status::{Lane, Status};

/// The ids that a statement may read: `from` included, `until` excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) struct Window {
    from: Uuid,
    until: Uuid,
}

impl Window {
    /// The ids of jobs of these times, older than `before`. A job's id can be a little older or newer than its row says.
    pub fn of(created: TimeRange, before: Uuid) -> Self {
        const SLACK: TimeDelta = TimeDelta::minutes(1);
        let near = |at: DateTime<Utc>, slack| min_id(at.checked_add_signed(slack).unwrap_or(at));
        let from = created.from.map_or(Uuid::nil(), |at| near(at, -SLACK));
        let until = created.until.map_or(before, |at| near(at, SLACK).min(before));
        Self { from, until }
    }

    /// The part of it that ends at this id, which is in it.
    pub fn down_to(self, id: JobId) -> Self {
        Self { from: id.0, ..self }
    }
}

/// The last job of the first `count` ones in a window, newest first, and its submit; `None` where the window has fewer.
pub(in crate::jobs) async fn last_read(
    db: &PgPool,
    user: Option<UserId>,
    window: Window,
    count: i64,
) -> sqlx::Result<Option<(JobId, DateTime<Utc>)>> {
    let Window { from, until } = window;
    let skipped = (count - 1).max(0);
    Ok(match user {
        None => sqlx::query!(
            r#"SELECT id AS "id!", created_at AS "created_at!" FROM all_jobs WHERE id >= $1 AND id < $2
               ORDER BY id DESC OFFSET $3 LIMIT 1"#,
            from,
            until,
            skipped
        )
        .fetch_optional(db)
        .await?
        .map(|row| (JobId(row.id), row.created_at)),
        Some(user) => sqlx::query!(
            r#"SELECT id AS "id!", created_at AS "created_at!" FROM all_jobs WHERE user_id = $4 AND id >= $1 AND id < $2
               ORDER BY id DESC OFFSET $3 LIMIT 1"#,
            from,
            until,
            skipped,
            user.0
        )
        .fetch_optional(db)
        .await?
        .map(|row| (JobId(row.id), row.created_at)),
    })
}

struct ListedRow {
    id: Uuid,
    user_id: Uuid,
    status: i16,
    lane: i16,
    promoted_at: Option<DateTime<Utc>>,
    pool: String,
    worker_id: Option<Uuid>,
    attempt: i16,
    version_id: Option<Uuid>,
    execute_exception: Option<Value>,
    validate_exception: Option<Value>,
    created_at: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
    ran_ms: Option<i64>,
    credits_used: Option<i64>,
    labels: Option<Value>,
}

impl From<ListedRow> for ListedJob {
    fn from(row: ListedRow) -> Self {
        let lane = Lane::from_number(row.lane);
        Self {
            id: JobId(row.id),
            user: UserId(row.user_id),
            status: Status::from_number(row.status),
            lane,
            price_class: PriceClass::of(lane, row.promoted_at),
            pool: row.pool,
            worker: row.worker_id.map(|id| (WorkerId(id), None)),
            attempt: row.attempt,
            version: row.version_id.map(WorkflowApiVersionId),
            execute_exception: row.execute_exception,
            validate_exception: row.validate_exception,
            created_at: row.created_at,
            started_at: row.started_at,
            ended_at: row.ended_at,
            ran_ms: row.ran_ms,
            credits_used: row.credits_used,
            labels: JobLabels::from_value(row.labels),
        }
    }
}

/// A statement about the jobs of an account or of all. `$whose` is about its last parameter.
macro_rules! listed {
    ($db:expr, $whose:literal, $filter:expr, $window:expr, $limit:expr $(, $user:expr)?) => {
        sqlx::query_as!(
            ListedRow,
            "SELECT id AS \"id!\", user_id AS \"user_id!\", status AS \"status!\", lane AS \"lane!\", promoted_at,
                    pool AS \"pool!\", worker_id, attempt - withdrawn AS \"attempt!\", version_id, execute_exception,
                    validate_exception, created_at AS \"created_at!\", started_at, ended_at, ran_ms, credits_used, labels
             FROM all_jobs WHERE " + $whose + " AND id >= $1 AND id < $2
               AND (cardinality($3::smallint[]) = 0 OR status = ANY($3))
               AND ($4::text IS NULL OR pool = $4) AND ($5::uuid IS NULL OR worker_id = $5)
               AND ($6::smallint IS NULL OR lane = $6)
               AND ($7::boolean IS NULL OR (lane = 3 OR promoted_at IS NOT NULL) = $7)
               AND ($8::jsonb IS NULL OR labels @> $8)
               AND ($9::uuid IS NULL OR version_id = ANY(ARRAY(SELECT v.id FROM workflow_api_versions v
                                                               WHERE v.workflow_api_id = $9)))
               AND ($10::text IS NULL OR execute_exception ->> 'exception_type' = $10)
               AND ($11::timestamptz IS NULL OR created_at >= $11) AND ($12::timestamptz IS NULL OR created_at < $12)
             ORDER BY id DESC LIMIT $13",
            $window.from,
            $window.until,
            &$filter.statuses.iter().map(|status| *status as i16).collect::<Vec<_>>(),
            $filter.pool.as_deref(),
            $filter.worker.map(|id| id.0),
            $filter.lane.map(|lane| lane as i16),
            $filter.price_class.map(|class| class == PriceClass::Flex),
            $filter.labels.as_ref().and_then(JobLabels::to_value),
            $filter.app.map(|id| id.0),
            $filter.exception.as_deref(),
            $filter.created.from,
            $filter.created.until,
            $limit
            $(, $user)?
        )
        .fetch_all($db)
        .await
    };
}

/// The jobs of a window that match, newest first.
pub(in crate::jobs) async fn list(
    db: &PgPool,
    filter: &AnyJobFilter,
    window: Window,
    limit: i64,
) -> sqlx::Result<Vec<ListedJob>> {
    let rows = match filter.user {
        None => listed!(db, "true", filter, window, limit)?,
        Some(user) => listed!(db, "user_id = $14", filter, window, limit, user.0)?,
    };
    Ok(rows.into_iter().map(Into::into).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_ends_at_the_cursor_or_at_the_time_before_it() {
        let at = |seconds| DateTime::from_timestamp(seconds, 0).expect("a time");
        let (from, until) = (Some(at(1_800_000_000)), Some(at(1_800_086_400)));
        assert_eq!(Window::of(TimeRange::default(), Uuid::max()), Window { from: Uuid::nil(), until: Uuid::max() });
        let day = Window::of(TimeRange { from, until }, Uuid::max());
        assert_eq!(day, Window { from: min_id(at(1_799_999_940)), until: min_id(at(1_800_086_460)) });
        let older = JobId(min_id(at(1_800_000_500)));
        assert_eq!(Window::of(TimeRange { from, until }, older.0), Window { until: older.0, ..day });
        assert_eq!(day.down_to(older), Window { from: older.0, ..day });
    }
}
