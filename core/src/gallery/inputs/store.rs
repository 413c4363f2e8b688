//! SQL of input assets. Inputs whose upload is deleted are never read.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::input_asset::InputFilter;
use crate::assets::Exposure;
use crate::filter::uuids;
use crate::ids::{AssetId, InputAssetId, UserId};
use crate::list::{AgeOrder, Keyset};
use crate::periods::Periods;
use crate::users::WritePermit;

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
    _: &WritePermit,
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

/// `SELECT` of the inputs that match, of one owner or of all, and the rest of the statement.
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
            &uuids($of.ids.as_ref()),
            $of.asset.map(|asset| asset.0),
            $of.is_private,
            $of.created.from,
            $of.created.until,
            $of.kind.map(|kind| kind.as_str()),
            $($more),*
        )
    };
}

pub(in crate::gallery) async fn list(
    db: &PgPool,
    filter: &InputFilter,
    keyset: Keyset<AgeOrder>,
) -> sqlx::Result<Vec<InputRow>> {
    let Keyset { sort, after, skip, limit } = keyset;
    macro_rules! page {
        ($whose:literal, $rest:literal) => {
            filtered!(
                query_as!(InputRow, "i.id, i.user_id AS \"user\", i.asset_id AS asset, i.is_private, i.created_at"),
                $whose,
                $rest,
                filter,
                skip,
                limit,
                after.id
            )
            .fetch_all(db)
            .await
        };
    }
    match (sort, filter.user) {
        (AgeOrder::Newest, Some(_)) => {
            page!("i.user_id = $1", " AND i.id < $10 ORDER BY i.id DESC OFFSET $8 LIMIT $9")
        }
        (AgeOrder::Oldest, Some(_)) => page!("i.user_id = $1", " AND i.id > $10 ORDER BY i.id OFFSET $8 LIMIT $9"),
        (AgeOrder::Newest, None) => page!("true", " AND i.id < $10 ORDER BY i.id DESC OFFSET $8 LIMIT $9"),
        (AgeOrder::Oldest, None) => page!("true", " AND i.id > $10 ORDER BY i.id OFFSET $8 LIMIT $9"),
    }
}

/// Counts up to `most`.
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

/// Sets who may see the existing inputs among these, of `owner` or of all users; returns them.
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

/// Deletes input assets of a user; returns their uploads.
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

/// Counts by the start of each period, of one owner or of all.
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
