//! SQL of filters: one statement for each anchor and order. Every condition is a parameter that may be null. The anchor
//! repeats one of them without the null case, so that the statement is planned for its index.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use super::KeyedIds;
use crate::filter::{Anchor, ReadScope, uuids};
use crate::ids::{UserId, WorkflowId};
use crate::list::Keyset;
use crate::periods::{self, Periods};
use crate::workflows::lists::filter::{WorkflowFilter, WorkflowOrder};

/// `SELECT` of the workflows that match: its columns, the anchor, and the rest of the statement.
macro_rules! filtered {
    ($what:literal, $anchor:literal, $rest:literal, $scope:expr, $filter:expr $(, $more:expr)*) => {
        sqlx::query!(
            "SELECT " + $what + " FROM workflows
             WHERE deleted_at IS NULL AND " + $anchor + " AND ($1::bool OR NOT is_private OR user_id = $2)
               AND (cardinality($3::uuid[]) = 0 OR id = ANY($3)) AND ($4::uuid IS NULL OR user_id = $4)
               AND ($5::bool IS NULL OR is_private = $5) AND ($6::bool IS NULL OR is_nsfw = $6)
               AND ($7::bool IS NULL OR (workflow_api_id IS NOT NULL) = $7)
               AND ($8::timestamptz IS NULL OR created_at >= $8) AND ($9::timestamptz IS NULL OR created_at < $9)
               AND ($10::timestamptz IS NULL OR published_at >= $10)
               AND ($11::timestamptz IS NULL OR published_at < $11)
               AND (cardinality($12::uuid[]) = 0 OR EXISTS (SELECT FROM workflow_tag_links t
                    WHERE t.workflow_id = workflows.id AND t.tag_id = ANY($12)))" + $rest,
            $scope.is_admin,
            $scope.viewer.map(|user| user.0),
            &uuids($filter.ids.as_ref()),
            $scope.owner.map(|user| user.0),
            $filter.is_private,
            $filter.nsfw_flag(),
            $filter.has_api,
            $filter.created.from,
            $filter.created.until,
            $filter.published.from,
            $filter.published.until,
            &uuids($filter.tags.as_ref()),
            $($more),*
        )
    };
}

/// The statement for the anchor, with its rows mapped.
macro_rules! anchored {
    ($db:expr, $row:expr, $what:literal, $rest:literal, $scope:expr, $filter:expr $(, $more:expr)*) => {
        match $scope.anchor {
            Anchor::Ids => {
                filtered!($what, "id = ANY($3)", $rest, $scope, $filter $(, $more)*).map($row).fetch_all($db).await
            }
            Anchor::Owner => {
                filtered!($what, "user_id = $4", $rest, $scope, $filter $(, $more)*).map($row).fetch_all($db).await
            }
            Anchor::Public => {
                filtered!($what, "NOT is_private", $rest, $scope, $filter $(, $more)*).map($row).fetch_all($db).await
            }
            Anchor::All => filtered!($what, "true", $rest, $scope, $filter $(, $more)*).map($row).fetch_all($db).await,
        }
    };
}

pub(in crate::workflows) async fn list(
    db: &PgPool,
    scope: &ReadScope,
    filter: &WorkflowFilter,
    keyset: Keyset<WorkflowOrder>,
) -> sqlx::Result<KeyedIds> {
    let Keyset { sort, after, skip, limit } = keyset;
    let (key, at, id) = (after.key, after.time(), after.id);
    macro_rules! page {
        ($key:literal, $rest:literal $(, $more:expr)*) => {
            anchored!(db, |row| (WorkflowId(row.id), row.key), $key, $rest, scope, filter, skip, limit, id $(, $more)*)
        };
    }
    match sort {
        WorkflowOrder::Oldest => page!("id, 0::bigint AS \"key!\"", " AND id > $15 ORDER BY id OFFSET $13 LIMIT $14"),
        WorkflowOrder::Like => page!(
            "id, like_count AS \"key!\"",
            " AND (like_count, id) < ($16, $15) ORDER BY like_count DESC, id DESC OFFSET $13 LIMIT $14",
            key
        ),
        WorkflowOrder::View => page!(
            "id, view_count AS \"key!\"",
            " AND (view_count, id) < ($16, $15) ORDER BY view_count DESC, id DESC OFFSET $13 LIMIT $14",
            key
        ),
        WorkflowOrder::PublishedAt => page!(
            "id, (extract(epoch FROM coalesce(published_at, TIMESTAMPTZ '1970-01-01 00:00:00+00')) * 1000000)::bigint
             AS \"key!\"",
            " AND (coalesce(published_at, TIMESTAMPTZ '1970-01-01 00:00:00+00'), id) < ($16, $15)
              ORDER BY coalesce(published_at, TIMESTAMPTZ '1970-01-01 00:00:00+00') DESC, id DESC OFFSET $13 LIMIT $14",
            at
        ),
        _ => page!("id, 0::bigint AS \"key!\"", " AND id < $15 ORDER BY id DESC OFFSET $13 LIMIT $14"),
    }
}

/// Counts up to `most`.
pub(in crate::workflows) async fn count(
    db: &PgPool,
    scope: &ReadScope,
    filter: &WorkflowFilter,
    most: i64,
) -> sqlx::Result<i64> {
    let found = anchored!(
        db,
        |row| row.count,
        "count(*) AS \"count!\" FROM (SELECT 1 AS one",
        " LIMIT $13) counted",
        scope,
        filter,
        most
    )?;
    Ok(found.into_iter().sum())
}

/// Counts by the start of each period, of one owner or of all.
pub(in crate::workflows) async fn counts(
    db: &PgPool,
    owner: Option<UserId>,
    periods: &Periods,
) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    periods::counts!(db, "FROM workflows WHERE deleted_at IS NULL", owner, periods)
}

/// Counts of published workflows by the start of each period.
pub(in crate::workflows) async fn public_counts(
    db: &PgPool,
    periods: &Periods,
) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    periods::counts!(@ db, "FROM workflows WHERE deleted_at IS NULL AND NOT is_private", periods, "")
}
