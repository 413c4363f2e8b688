//! SQL of filters. Who has left is nowhere.

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use crate::ids::UserId;
use crate::periods::Periods;
use crate::users::directory::filter::PeopleFilter;

/// Who a filter finds: those who were named, or all. What stands before it, the anchor, and what comes behind.
macro_rules! filtered {
    ($what:literal, $anchor:literal, $rest:literal, $filter:expr, $ids:expr, $($more:expr),*) => {
        sqlx::query_scalar!(
            "SELECT " + $what + " FROM users
             WHERE deleted_at IS NULL AND " + $anchor + " AND (cardinality($1::uuid[]) = 0 OR id = ANY($1))
               AND ($2::timestamptz IS NULL OR created_at >= $2) AND ($3::timestamptz IS NULL OR created_at < $3)" + $rest,
            $ids,
            $filter.created.from,
            $filter.created.until,
            $($more),*
        )
    };
}

fn ids(filter: &PeopleFilter) -> Vec<Uuid> {
    filter.ids.iter().flatten().map(|id| id.0).collect()
}

/// One page, newest first: before whom, after how many, and how many.
pub(in crate::users) async fn list(
    db: &PgPool,
    filter: &PeopleFilter,
    before: Option<UserId>,
    (skip, limit): (i64, i64),
) -> sqlx::Result<Vec<UserId>> {
    let (named, before) = (ids(filter), before.map_or(Uuid::max(), |id| id.0));
    macro_rules! page {
        ($anchor:literal) => {
            filtered!(
                "id",
                $anchor,
                " AND id < $6 ORDER BY id DESC OFFSET $4 LIMIT $5",
                filter,
                &named,
                skip,
                limit,
                before
            )
            .fetch_all(db)
            .await
        };
    }
    let found = if filter.ids.is_some() { page!("id = ANY($1)") } else { page!("true") }?;
    Ok(found.into_iter().map(UserId).collect())
}

/// How many, up to `most`.
pub(in crate::users) async fn count(db: &PgPool, filter: &PeopleFilter, most: i64) -> sqlx::Result<i64> {
    let named = ids(filter);
    macro_rules! counted {
        ($anchor:literal) => {
            filtered!(
                "count(*) AS \"count!\" FROM (SELECT 1 AS one",
                $anchor,
                " LIMIT $4) counted",
                filter,
                &named,
                most
            )
            .fetch_one(db)
            .await
        };
    }
    if filter.ids.is_some() { counted!("id = ANY($1)") } else { counted!("true") }
}

/// How many signed up in each period, by its first moment.
pub(in crate::users) async fn counts(db: &PgPool, periods: &Periods) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    let found = sqlx::query!(
        r#"SELECT date_trunc($1, created_at, 'UTC') AS "at!", count(*) AS "count!" FROM users
           WHERE deleted_at IS NULL AND created_at >= $2 AND created_at < $3 GROUP BY 1"#,
        periods.by.word(),
        periods.from,
        periods.until,
    )
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().map(|row| (row.at, row.count)).collect())
}
