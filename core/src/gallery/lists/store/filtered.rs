//! SQL of filters: one statement for each anchor and order. Every condition is a parameter that may be left open; the
//! anchor's stands there twice, so that the statement is planned for its index.

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use crate::filter::{Anchor, Reach};
use crate::gallery::lists::cursor::{Cursor, Order};
use crate::gallery::lists::filter::Filter;
use crate::ids::{OutputAssetId, UserId};
use crate::periods::{self, Periods};

/// A filter as parameters.
struct Parameters<'a> {
    reach: &'a Reach,
    filter: &'a Filter,
    ids: Vec<Uuid>,
}

impl<'a> Parameters<'a> {
    fn of(reach: &'a Reach, filter: &'a Filter) -> Self {
        Self { reach, filter, ids: filter.ids.iter().flatten().map(|id| id.0).collect() }
    }
}

/// `SELECT` of what a filter reaches. What stands before it, the anchor, and what comes behind.
macro_rules! filtered {
    ($what:literal, $anchor:literal, $rest:literal, $of:expr $(, $more:expr)*) => {
        sqlx::query_scalar!(
            "SELECT " + $what + " FROM output_assets
             WHERE deleted_at IS NULL AND " + $anchor + " AND ($1::bool OR NOT is_private OR user_id = $2)
               AND (cardinality($3::uuid[]) = 0 OR id = ANY($3)) AND ($4::uuid IS NULL OR user_id = $4)
               AND ($1 OR $11::bool OR NOT is_nsfw OR user_id = $2)
               AND ($5::bool IS NULL OR is_private = $5) AND ($6::bool IS NULL OR is_nsfw = $6)
               AND ($7::uuid IS NULL OR job_id = $7) AND ($8::text IS NULL OR kind = $8)
               AND ($9::timestamptz IS NULL OR created_at >= $9)
               AND ($10::timestamptz IS NULL OR created_at < $10)" + $rest,
            $of.reach.is_admin,
            $of.reach.viewer.map(|user| user.0),
            &$of.ids,
            $of.reach.owner.map(|user| user.0),
            $of.filter.is_private,
            $of.filter.mark(),
            $of.filter.job.map(|job| job.0),
            $of.filter.kind.map(|kind| kind.as_str()),
            $of.filter.created.from,
            $of.filter.created.until,
            $of.filter.asks_for_nsfw(),
            $($more),*
        )
    };
}

/// The statement for the anchor. A job has a handful of outputs, so that to name one is the narrowest of all.
macro_rules! anchored {
    ($db:expr, $what:literal, $rest:literal, $of:expr $(, $more:expr)*) => {
        match ($of.reach.anchor, $of.filter.job) {
            (Anchor::Ids, _) => filtered!($what, "id = ANY($3)", $rest, $of $(, $more)*).fetch_all($db).await,
            (_, Some(_)) => filtered!($what, "job_id = $7", $rest, $of $(, $more)*).fetch_all($db).await,
            (Anchor::Owner, None) => filtered!($what, "user_id = $4", $rest, $of $(, $more)*).fetch_all($db).await,
            (Anchor::Public, None) => filtered!($what, "NOT is_private", $rest, $of $(, $more)*).fetch_all($db).await,
            (Anchor::All, None) => filtered!($what, "true", $rest, $of $(, $more)*).fetch_all($db).await,
        }
    };
}

/// The ids of one page: after how many, and how many.
pub(in crate::gallery) async fn list(
    db: &PgPool,
    reach: &Reach,
    filter: &Filter,
    (order, after): (Order, Cursor),
    (skip, limit): (i64, i64),
) -> sqlx::Result<Vec<OutputAssetId>> {
    let of = Parameters::of(reach, filter);
    let (count, id) = (after.count, after.id);
    let found: Vec<Uuid> = match order {
        Order::Newest => {
            anchored!(db, "id", " AND id < $14 ORDER BY id DESC OFFSET $12 LIMIT $13", of, skip, limit, id)
        }
        Order::Oldest => anchored!(db, "id", " AND id > $14 ORDER BY id OFFSET $12 LIMIT $13", of, skip, limit, id),
        Order::Like => anchored!(
            db,
            "id",
            " AND (like_count, id) < ($15, $14) ORDER BY like_count DESC, id DESC OFFSET $12 LIMIT $13",
            of,
            skip,
            limit,
            id,
            count
        ),
        Order::View => anchored!(
            db,
            "id",
            " AND (view_count, id) < ($15, $14) ORDER BY view_count DESC, id DESC OFFSET $12 LIMIT $13",
            of,
            skip,
            limit,
            id,
            count
        ),
    }?;
    Ok(found.into_iter().map(OutputAssetId).collect())
}

/// How many, up to `most`.
pub(in crate::gallery) async fn count(db: &PgPool, reach: &Reach, filter: &Filter, most: i64) -> sqlx::Result<i64> {
    let of = Parameters::of(reach, filter);
    let found: Vec<i64> =
        anchored!(db, "count(*) AS \"count!\" FROM (SELECT 1 AS one", " LIMIT $12) counted", of, most)?;
    Ok(found.into_iter().sum())
}

/// How many were made in each period, by its first moment; somebody's, or everybody's.
pub(in crate::gallery) async fn counts(
    db: &PgPool,
    owner: Option<UserId>,
    periods: &Periods,
) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    periods::counts!(db, "FROM output_assets WHERE deleted_at IS NULL", owner, periods)
}

/// How many of those that everybody can see were made in each period, by its first moment.
pub(in crate::gallery) async fn public_counts(
    db: &PgPool,
    periods: &Periods,
) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    periods::counts!(@ db, "FROM output_assets WHERE deleted_at IS NULL AND NOT is_private", periods, "")
}
