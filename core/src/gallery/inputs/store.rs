//! SQL of input assets. Those whose asset is gone are nowhere.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::input_asset::InputFilter;
use crate::assets::Exposure;
use crate::ids::{AssetId, InputAssetId, UserId};
use crate::periods::Periods;
use crate::users::Permit;

/// A row of `input_assets`.
pub(in crate::gallery) struct InputRow {
    pub id: InputAssetId,
    pub user: UserId,
    pub asset: AssetId,
    pub is_private: bool,
    pub created_at: DateTime<Utc>,
}

pub(in crate::gallery) async fn keep(
    tx: &mut PgConnection,
    _: &Permit,
    user: UserId,
    asset: AssetId,
    is_private: bool,
    now: DateTime<Utc>,
) -> sqlx::Result<InputRow> {
    sqlx::query_as!(
        InputRow,
        "INSERT INTO input_assets (id, user_id, asset_id, is_private, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (user_id, asset_id) DO UPDATE SET is_private = EXCLUDED.is_private
         RETURNING id, user_id AS \"user\", asset_id AS asset, is_private, created_at",
        InputAssetId::new().0,
        user.0,
        asset.0,
        is_private,
        now,
    )
    .fetch_one(tx)
    .await
}

/// What a filter reaches, of one person or of all, with what comes behind.
macro_rules! filtered {
    ($query:ident!($($row:ident,)? $what:literal), $whose:literal, $rest:literal, $of:expr $(, $more:expr)*) => {
        sqlx::$query!(
            $($row,)?
            "SELECT " + $what + " FROM input_assets i JOIN assets a ON a.id = i.asset_id
             WHERE a.deleted_at IS NULL AND " + $whose + " AND ($1::uuid IS NULL OR i.user_id = $1)
               AND (cardinality($2::uuid[]) = 0 OR i.id = ANY($2)) AND ($3::uuid IS NULL OR i.asset_id = $3)
               AND ($4::bool IS NULL OR i.is_private = $4) AND ($5::timestamptz IS NULL OR i.created_at >= $5)
               AND ($6::timestamptz IS NULL OR i.created_at < $6)
               AND ($7::text IS NULL OR a.kind = $7)" + $rest,
            $of.user.map(|user| user.0),
            &ids($of),
            $of.asset.map(|asset| asset.0),
            $of.is_private,
            $of.created.from,
            $of.created.until,
            $of.kind.map(|kind| kind.as_str()),
            $($more),*
        )
    };
}

fn ids(filter: &InputFilter) -> Vec<Uuid> {
    filter.ids.iter().flatten().map(|id| id.0).collect()
}

/// Which of the two orders, and where it goes on.
#[derive(Debug, Clone, Copy)]
pub(in crate::gallery) enum After {
    /// Newest first, below this one.
    Below(InputAssetId),
    /// Oldest first, above this one.
    Above(InputAssetId),
}

/// A page: after how many, and how many.
pub(in crate::gallery) async fn list(
    db: &PgPool,
    filter: &InputFilter,
    after: After,
    (skip, limit): (i64, i64),
) -> sqlx::Result<Vec<InputRow>> {
    macro_rules! page {
        ($whose:literal, $rest:literal, $id:expr) => {
            filtered!(
                query_as!(InputRow, "i.id, i.user_id AS \"user\", i.asset_id AS asset, i.is_private, i.created_at"),
                $whose,
                $rest,
                filter,
                skip,
                limit,
                $id
            )
            .fetch_all(db)
            .await
        };
    }
    match (after, filter.user) {
        (After::Below(id), Some(_)) => {
            page!("i.user_id = $1", " AND i.id < $10 ORDER BY i.id DESC OFFSET $8 LIMIT $9", id.0)
        }
        (After::Above(id), Some(_)) => {
            page!("i.user_id = $1", " AND i.id > $10 ORDER BY i.id OFFSET $8 LIMIT $9", id.0)
        }
        (After::Below(id), None) => page!("true", " AND i.id < $10 ORDER BY i.id DESC OFFSET $8 LIMIT $9", id.0),
        (After::Above(id), None) => page!("true", " AND i.id > $10 ORDER BY i.id OFFSET $8 LIMIT $9", id.0),
    }
}

/// How many, up to `most`.
pub(in crate::gallery) async fn count(db: &PgPool, filter: &InputFilter, most: i64) -> sqlx::Result<i64> {
    macro_rules! counted {
        ($whose:literal) => {
            filtered!(
                query_scalar!("count(*) AS \"count!\" FROM (SELECT 1 AS one"),
                $whose,
                " LIMIT $8) counted",
                filter,
                most
            )
            .fetch_one(db)
            .await
        };
    }
    if filter.user.is_some() { counted!("i.user_id = $1") } else { counted!("true") }
}

/// Changes who may see those of these that are there; `owner` bounds whose. Tells which they were, and whose.
pub(in crate::gallery) async fn set_private(
    tx: &mut PgConnection,
    ids: &[InputAssetId],
    owner: Option<UserId>,
    exposure: Exposure<'_>,
) -> sqlx::Result<Vec<InputRow>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    sqlx::query_as!(
        InputRow,
        "WITH locked AS (
           SELECT id FROM input_assets WHERE id = ANY($1) AND ($2::uuid IS NULL OR user_id = $2)
           ORDER BY id FOR NO KEY UPDATE
         )
         UPDATE input_assets i SET is_private = $3 FROM locked WHERE i.id = locked.id
         RETURNING i.id, i.user_id AS \"user\", i.asset_id AS asset, i.is_private, i.created_at",
        &ids,
        owner.map(|owner| owner.0),
        exposure.is_private(),
    )
    .fetch_all(tx)
    .await
}

/// Takes somebody's inputs away; tells which pictures they were.
pub(in crate::gallery) async fn delete(db: &PgPool, ids: &[InputAssetId], owner: UserId) -> sqlx::Result<Vec<AssetId>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let gone = sqlx::query_scalar!(
        "DELETE FROM input_assets WHERE id = ANY($1) AND user_id = $2 RETURNING asset_id",
        &ids,
        owner.0
    )
    .fetch_all(db)
    .await?;
    Ok(gone.into_iter().map(AssetId).collect())
}

/// How many were kept in each period, by its first moment; somebody's, or everybody's.
pub(in crate::gallery) async fn counts(
    db: &PgPool,
    owner: Option<UserId>,
    periods: &Periods,
) -> sqlx::Result<Vec<(DateTime<Utc>, i64)>> {
    let found = sqlx::query!(
        r#"SELECT date_trunc($1, created_at, 'UTC') AS "at!", count(*) AS "count!" FROM input_assets
           WHERE created_at >= $2 AND created_at < $3 AND ($4::uuid IS NULL OR user_id = $4) GROUP BY 1"#,
        periods.by.word(),
        periods.from,
        periods.until,
        owner.map(|owner| owner.0),
    )
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().map(|row| (row.at, row.count)).collect())
}
