//! SQL of filters: one statement for each anchor and order. Every condition is a parameter that may be null. The anchor
//! repeats one of them without the null case, so that the statement is planned for its index.

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use crate::filter::{Anchor, ReadScope, uuids};
use crate::gallery::lists::filter::{OutputFilter, OutputOrder};
use crate::ids::{OutputAssetId, UserId};
use crate::list::{Cursor, Keyset};
use crate::periods::{self, Periods};

/// `SELECT` of the outputs that match: its columns, the anchor, and the rest of the statement.
macro_rules! filtered {
    ($what:literal, $anchor:literal, $rest:literal, $scope:expr, $filter:expr $(, $more:expr)*) => {
        sqlx::query_scalar!(
            "SELECT " + $what + " FROM output_assets
             WHERE deleted_at IS NULL AND " + $anchor + " AND ($1::bool OR NOT is_private OR user_id = $2)
               AND (cardinality($3::uuid[]) = 0 OR id = ANY($3)) AND ($4::uuid IS NULL OR user_id = $4)
               AND ($1 OR $11::bool OR NOT is_nsfw OR user_id = $2)
               AND ($5::bool IS NULL OR is_private = $5) AND ($6::bool IS NULL OR is_nsfw = $6)
               AND ($7::uuid IS NULL OR job_id = $7) AND ($8::text IS NULL OR kind = $8)
               AND ($9::timestamptz IS NULL OR created_at >= $9)
               AND ($10::timestamptz IS NULL OR created_at < $10)" + $rest,
            $scope.is_admin,
            $scope.viewer.map(|user| user.0),
            &uuids($filter.ids.as_ref()),
            $scope.owner.map(|user| user.0),
            $filter.is_private,
            $filter.nsfw_flag(),
            $filter.job.map(|job| job.0),
            $filter.kind.map(|kind| kind.as_str()),
            $filter.created.from,
            $filter.created.until,
            $filter.shows_nsfw(),
            $($more),*
        )
    };
}

/// The statement for the anchor. A job has few outputs, so it is the narrowest anchor after ids.
macro_rules! anchored {
    ($db:expr, $what:literal, $rest:literal, $scope:expr, $filter:expr $(, $more:expr)*) => {
        match ($scope.anchor, $filter.job) {
            (Anchor::Ids, _) => filtered!($what, "id = ANY($3)", $rest, $scope, $filter $(, $more)*).fetch_all($db).await,
            (_, Some(_)) => filtered!($what, "job_id = $7", $rest, $scope, $filter $(, $more)*).fetch_all($db).await,
            (Anchor::Owner, None) => filtered!($what, "user_id = $4", $rest, $scope, $filter $(, $more)*).fetch_all($db).await,
            (Anchor::Public, None) => filtered!($what, "NOT is_private", $rest, $scope, $filter $(, $more)*).fetch_all($db).await,
            (Anchor::All, None) => filtered!($what, "true", $rest, $scope, $filter $(, $more)*).fetch_all($db).await,
        }
    };
}

pub(in crate::gallery) async fn list(
    db: &PgPool,
    scope: &ReadScope,
    filter: &OutputFilter,
    keyset: Keyset<OutputOrder>,
) -> sqlx::Result<Vec<OutputAssetId>> {
    let Keyset { sort, after: Cursor { key: count, id }, skip, limit } = keyset;
    macro_rules! page {
        ($rest:literal $(, $more:expr)*) => {
            anchored!(db, "id", $rest, scope, filter, skip, limit, id $(, $more)*)
        };
    }
    let found: Vec<Uuid> = match sort {
        OutputOrder::Newest => page!(" AND id < $14 ORDER BY id DESC OFFSET $12 LIMIT $13"),
        OutputOrder::Oldest => page!(" AND id > $14 ORDER BY id OFFSET $12 LIMIT $13"),
        OutputOrder::Like => {
            page!(" AND (like_count, id) < ($15, $14) ORDER BY like_count DESC, id DESC OFFSET $12 LIMIT $13", count)
        }
        OutputOrder::View => {
            page!(" AND (view_count, id) < ($15, $14) ORDER BY view_count DESC, id DESC OFFSET $12 LIMIT $13", count)
        }
    }?;
    Ok(found.into_iter().map(OutputAssetId).collect())
}

/// Counts up to `most`.
pub(in crate::gallery) async fn count(
    db: &PgPool,
    scope: &ReadScope,
    filter: &OutputFilter,
    most: i64,
) -> sqlx::Result<i64> {
    let found: Vec<i64> =
        anchored!(db, "count(*) AS \"count!\" FROM (SELECT 1 AS one", " LIMIT $12) counted", scope, filter, most)?;
    Ok(found.into_iter().sum())
}

/// Counts by the start of each period, of one owner or of all.
pub(in crate::gallery) async fn counts(
    db: &PgPool,
    owner: Option<UserId>,
    periods: &Periods,
) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    periods::counts!(db, "FROM output_assets WHERE deleted_at IS NULL", owner, periods)
}

/// Counts of published outputs by the start of each period.
pub(in crate::gallery) async fn public_counts(
    db: &PgPool,
    periods: &Periods,
) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    periods::counts!(@ db, "FROM output_assets WHERE deleted_at IS NULL AND NOT is_private", periods, "")
}
