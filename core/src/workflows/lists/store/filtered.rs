//! SQL of filters: one statement for each anchor and order. Every condition is a parameter that may be left open; the
//! anchor's stands there twice, so that the statement is planned for its index.

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use crate::filter::{Anchor, Reach};
use crate::ids::{UserId, WorkflowId};
use crate::periods::{self, Periods};
use crate::workflows::lists::cursor::{Cursor, Sort};
use crate::workflows::lists::filter::Filter;

/// Ids with their keys.
type Found = Vec<(WorkflowId, i64)>;

/// A filter as parameters.
struct Parameters<'a> {
    reach: &'a Reach,
    filter: &'a Filter,
    ids: Vec<Uuid>,
    tags: Vec<Uuid>,
}

impl<'a> Parameters<'a> {
    fn of(reach: &'a Reach, filter: &'a Filter) -> Self {
        let ids = filter.ids.iter().flatten().map(|id| id.0).collect();
        let tags = filter.tags.iter().flatten().map(|tag| tag.0).collect();
        Self { reach, filter, ids, tags }
    }
}

/// `SELECT` of what a filter reaches. What stands before it, the anchor, and what comes behind.
macro_rules! filtered {
    ($what:literal, $anchor:literal, $rest:literal, $of:expr $(, $more:expr)*) => {
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
            $of.reach.is_admin,
            $of.reach.viewer.map(|user| user.0),
            &$of.ids,
            $of.reach.owner.map(|user| user.0),
            $of.filter.is_private,
            $of.filter.mark(),
            $of.filter.has_api,
            $of.filter.created.from,
            $of.filter.created.until,
            $of.filter.published.from,
            $of.filter.published.until,
            &$of.tags,
            $($more),*
        )
    };
}

/// The statement for the anchor, and its rows as they are wanted.
macro_rules! anchored {
    ($db:expr, $row:expr, $what:literal, $rest:literal, $of:expr $(, $more:expr)*) => {
        match $of.reach.anchor {
            Anchor::Ids => filtered!($what, "id = ANY($3)", $rest, $of $(, $more)*).map($row).fetch_all($db).await,
            Anchor::Owner => filtered!($what, "user_id = $4", $rest, $of $(, $more)*).map($row).fetch_all($db).await,
            Anchor::Public => filtered!($what, "NOT is_private", $rest, $of $(, $more)*).map($row).fetch_all($db).await,
            Anchor::All => filtered!($what, "true", $rest, $of $(, $more)*).map($row).fetch_all($db).await,
        }
    };
}

/// One page: after how many, and how many.
pub(in crate::workflows) async fn list(
    db: &PgPool,
    reach: &Reach,
    filter: &Filter,
    after: Cursor,
    (skip, limit): (i64, i64),
) -> sqlx::Result<Found> {
    let of = Parameters::of(reach, filter);
    let (key, at, id) = (after.key, after.at(), after.id.0);
    macro_rules! page {
        ($key:literal, $rest:literal $(, $more:expr)*) => {
            anchored!(db, |row| (WorkflowId(row.id), row.key), $key, $rest, of, skip, limit, id $(, $more)*)
        };
    }
    match after.sort {
        Sort::Oldest => page!("id, 0::bigint AS \"key!\"", " AND id > $15 ORDER BY id OFFSET $13 LIMIT $14"),
        Sort::Like => page!(
            "id, like_count AS \"key!\"",
            " AND (like_count, id) < ($16, $15) ORDER BY like_count DESC, id DESC OFFSET $13 LIMIT $14",
            key
        ),
        Sort::View => page!(
            "id, view_count AS \"key!\"",
            " AND (view_count, id) < ($16, $15) ORDER BY view_count DESC, id DESC OFFSET $13 LIMIT $14",
            key
        ),
        Sort::PublishedAt => page!(
            "id, (extract(epoch FROM coalesce(published_at, TIMESTAMPTZ '1970-01-01 00:00:00+00')) * 1000000)::bigint
             AS \"key!\"",
            " AND (coalesce(published_at, TIMESTAMPTZ '1970-01-01 00:00:00+00'), id) < ($16, $15)
              ORDER BY coalesce(published_at, TIMESTAMPTZ '1970-01-01 00:00:00+00') DESC, id DESC OFFSET $13 LIMIT $14",
            at
        ),
        _ => page!("id, 0::bigint AS \"key!\"", " AND id < $15 ORDER BY id DESC OFFSET $13 LIMIT $14"),
    }
}

/// How many, up to `most`.
pub(in crate::workflows) async fn count(db: &PgPool, reach: &Reach, filter: &Filter, most: i64) -> sqlx::Result<i64> {
    let of = Parameters::of(reach, filter);
    let found = anchored!(
        db,
        |row| row.count,
        "count(*) AS \"count!\" FROM (SELECT 1 AS one",
        " LIMIT $13) counted",
        of,
        most
    )?;
    Ok(found.into_iter().sum())
}

/// How many were made in each period, by its first moment; somebody's, or everybody's.
pub(in crate::workflows) async fn counts(
    db: &PgPool,
    owner: Option<UserId>,
    periods: &Periods,
) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    periods::counts!(db, "FROM workflows WHERE deleted_at IS NULL", owner, periods)
}

/// How many of those that everybody can see were made in each period, by its first moment.
pub(in crate::workflows) async fn public_counts(
    db: &PgPool,
    periods: &Periods,
) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    periods::counts!(@ db, "FROM workflows WHERE deleted_at IS NULL AND NOT is_private", periods, "")
}
