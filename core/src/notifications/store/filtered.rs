//! SQL of filtered lists. A box is read by places; an open condition is a NULL parameter.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use super::super::filter::{NotificationFilter, NotificationOrder};
use super::super::notification::Notification;
use super::Read;
use crate::filter::uuids;
use crate::ids::UserId;
use crate::list::Keyset;
use crate::periods::Periods;
use crate::users::Language;

/// The condition of a filter, shared by the list and the count.
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
            &uuids($filter.ids.as_ref()),
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

/// One page with places: the place to start after, offset, limit, and the language of notices.
pub(in super::super) async fn list(
    db: &PgPool,
    user: UserId,
    filter: &NotificationFilter,
    keyset: Keyset<NotificationOrder>,
    language: Language,
) -> sqlx::Result<Vec<(i64, Notification)>> {
    let Keyset { sort, after, skip, limit } = keyset;
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
                after.key,
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
    match sort {
        NotificationOrder::Newest => page!(" AND n.place < $11 ORDER BY n.place DESC OFFSET $9 LIMIT $10"),
        NotificationOrder::Oldest => page!(" AND n.place > $11 ORDER BY n.place OFFSET $9 LIMIT $10"),
    }
}

/// The number of matches, up to `most`.
pub(in super::super) async fn count(
    db: &PgPool,
    user: UserId,
    filter: &NotificationFilter,
    most: i64,
) -> sqlx::Result<i64> {
    filtered!("count(*) AS \"count!\" FROM (SELECT 1 AS one", " LIMIT $9) counted", user, filter, most)
        .map(|row| row.count)
        .fetch_one(db)
        .await
}

/// The number of notifications in each period, by the period's start.
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
