//! SQL of filters. Deleted users are never read.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use crate::filter::uuids;
use crate::ids::UserId;
use crate::list::{Cursor, Keyset};
use crate::periods::Periods;
use crate::users::directory::filter::PeopleFilter;

/// `SELECT` of the users that match: its columns, the anchor, and the rest of the statement.
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

/// Newest first.
pub(in crate::users) async fn list(db: &PgPool, filter: &PeopleFilter, keyset: Keyset) -> sqlx::Result<Vec<UserId>> {
    let Keyset { after: Cursor { id: before, .. }, skip, limit, .. } = keyset;
    let named = uuids(filter.ids.as_ref());
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

/// Counts up to `most`.
pub(in crate::users) async fn count(db: &PgPool, filter: &PeopleFilter, most: i64) -> sqlx::Result<i64> {
    let named = uuids(filter.ids.as_ref());
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

/// Counts of sign-ups by the start of each period.
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
