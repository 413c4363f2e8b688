//! SQL of filters. A box is read by its places; every condition is a parameter that may be left open.

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use super::super::filter::Filter;
use super::super::notification::Notification;
use super::Read;
use crate::filter::Order;
use crate::ids::{NotificationId, UserId};
use crate::periods::Periods;
use crate::users::Language;

/// What a filter finds in a box. What is read of it, and what comes behind.
macro_rules! filtered {
    ($what:literal, $rest:literal, $user:expr, $filter:expr, $($more:expr),*) => {
        sqlx::query!(
            "SELECT " + $what + " FROM notifications n LEFT JOIN notices o ON o.id = n.notice_id
             WHERE n.user_id = $1 AND o.deleted_at IS NULL AND (cardinality($2::uuid[]) = 0 OR n.id = ANY($2))
               AND ($3::smallint IS NULL OR n.kind = $3) AND ($4::uuid IS NULL OR n.workflow_id = $4)
               AND ($5::uuid IS NULL OR n.output_asset_id = $5)
               AND ($6::bool IS NULL OR (n.checked_at IS NOT NULL) = $6)
               AND ($7::timestamptz IS NULL OR n.created_at >= $7)
               AND ($8::timestamptz IS NULL OR n.created_at < $8)" + $rest,
            $user.0,
            &ids($filter),
            $filter.kind.map(|kind| kind as i16),
            $filter.workflow.map(|id| id.0),
            $filter.output_asset.map(|id| id.0),
            $filter.is_checked,
            $filter.created.from,
            $filter.created.until,
            $($more),*
        )
    };
}

fn ids(filter: &Filter) -> Vec<Uuid> {
    filter.ids.iter().flatten().map(|NotificationId(id)| *id).collect()
}

/// One page, with places: beyond which place, after how many, and how many; notices in a language.
pub(in super::super) async fn list(
    db: &PgPool,
    user: UserId,
    filter: &Filter,
    (order, after): (Order, i64),
    ((skip, limit), language): ((i64, i64), Language),
) -> sqlx::Result<Vec<(i64, Notification)>> {
    let korean = language == Language::Ko;
    macro_rules! page {
        ($rest:literal) => {
            filtered!(
                "n.place, n.id, n.kind, n.actor_id, n.workflow_id, n.output_asset_id, n.comment_id,
                 CASE WHEN $12::bool THEN COALESCE(n.title_ko, n.title, o.title_ko)
                      ELSE COALESCE(n.title, o.title_en) END AS title, n.count, n.recomment,
                 CASE WHEN $12 THEN COALESCE(n.content_ko, n.content, o.content_ko)
                      ELSE COALESCE(n.content, o.content_en) END AS content, n.others, n.created_at, n.checked_at",
                $rest,
                user,
                filter,
                skip,
                limit,
                after,
                korean
            )
            .map(|row| {
                let read = Read {
                    id: row.id,
                    kind: row.kind,
                    actor_id: row.actor_id,
                    workflow_id: row.workflow_id,
                    output_asset_id: row.output_asset_id,
                    comment_id: row.comment_id,
                    title: row.title,
                    count: row.count,
                    recomment: row.recomment,
                    content: row.content,
                    others: row.others,
                    created_at: row.created_at,
                    checked_at: row.checked_at,
                };
                (row.place, read.into())
            })
            .fetch_all(db)
            .await
        };
    }
    match order {
        Order::Newest => page!(" AND n.place < $11 ORDER BY n.place DESC OFFSET $9 LIMIT $10"),
        Order::Oldest => page!(" AND n.place > $11 ORDER BY n.place OFFSET $9 LIMIT $10"),
    }
}

/// How many, up to `most`.
pub(in super::super) async fn count(db: &PgPool, user: UserId, filter: &Filter, most: i64) -> sqlx::Result<i64> {
    filtered!("count(*) AS \"count!\" FROM (SELECT 1 AS one", " LIMIT $9) counted", user, filter, most)
        .map(|row| row.count)
        .fetch_one(db)
        .await
}

/// How many came in each period, by its first moment.
pub(in super::super) async fn counts(
    db: &PgPool,
    user: UserId,
    periods: &Periods,
) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    let found = sqlx::query!(
        r#"SELECT date_trunc($1, created_at, 'UTC') AS "at!", count(*) AS "count!" FROM notifications
           WHERE user_id = $4 AND created_at >= $2 AND created_at < $3 GROUP BY 1"#,
        periods.by.word(),
        periods.from,
        periods.until,
        user.0,
    )
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().map(|row| (row.at, row.count)).collect())
}
