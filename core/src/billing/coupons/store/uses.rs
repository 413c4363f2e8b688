//! SQL of uses.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::coupons::benefit;
use crate::billing::coupons::coupon::{CouponRedemption, CouponUse};
use crate::ids::{CouponId, CouponUseId, OrderId, UserId};
use crate::users::WritePermit;

/// A use to write.
pub(in crate::billing::coupons) struct NewUse {
    pub id: CouponUseId,
    pub coupon: CouponId,
    /// The code as codes are compared.
    pub key: String,
    /// Whether the code is used once.
    pub is_single: bool,
    pub user: UserId,
    pub used_at: DateTime<Utc>,
    /// `None` for a lower price.
    pub until: Option<DateTime<Utc>>,
    /// The order whose price is lower.
    pub order: Option<OrderId>,
    pub _permit: WritePermit,
}

/// How often these accounts have used these coupons.
pub(in crate::billing::coupons) async fn counts(
    connection: &mut PgConnection,
    coupons: &[Uuid],
    users: &[Uuid],
) -> sqlx::Result<HashMap<(CouponId, UserId), i64>> {
    let rows = sqlx::query!(
        r#"SELECT coupon_id, user_id, count(*) AS "count!" FROM coupon_uses
           WHERE user_id = ANY($2) AND coupon_id = ANY($1) GROUP BY coupon_id, user_id"#,
        coupons,
        users,
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| ((CouponId(row.coupon_id), UserId(row.user_id)), row.count)).collect())
}

/// How often an account has used a coupon.
pub(in crate::billing::coupons) async fn count_of(db: &PgPool, coupon: CouponId, user: UserId) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM coupon_uses WHERE coupon_id = $1 AND user_id = $2"#,
        coupon.0,
        user.0,
    )
    .fetch_one(db)
    .await
}

/// Whether a code that can be used once was used.
pub(in crate::billing::coupons) async fn is_used(db: &PgPool, key: &str) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"SELECT EXISTS (SELECT FROM coupon_uses WHERE is_single AND code = $1) AS "is_used!""#, key,)
        .fetch_one(db)
        .await
}

/// Which of these codes can be used once and were used.
pub(in crate::billing::coupons) async fn used_codes(
    connection: &mut PgConnection,
    keys: &[String],
) -> sqlx::Result<HashSet<String>> {
    let rows = sqlx::query_scalar!("SELECT code FROM coupon_uses WHERE is_single AND code = ANY($1)", keys)
        .fetch_all(connection)
        .await?;
    Ok(rows.into_iter().collect())
}

/// Inserts uses and counts them for their coupons, which must be locked.
pub(in crate::billing::coupons) async fn insert(connection: &mut PgConnection, uses: &[&NewUse]) -> sqlx::Result<()> {
    fn column<'a, T>(uses: &[&'a NewUse], value: impl Fn(&'a NewUse) -> T) -> Vec<T> {
        uses.iter().map(|one| value(one)).collect()
    }
    sqlx::query!(
        "INSERT INTO coupon_uses (id, coupon_id, code, is_single, user_id, used_at, until, order_id)
         SELECT * FROM UNNEST($1::uuid[], $2::uuid[], $3::text[], $4::bool[], $5::uuid[], $6::timestamptz[],
                              $7::timestamptz[], $8::uuid[])",
        &column(uses, |one| one.id.0),
        &column(uses, |one| one.coupon.0),
        &column(uses, |one| one.key.clone()),
        &column(uses, |one| one.is_single),
        &column(uses, |one| one.user.0),
        &column(uses, |one| one.used_at),
        &column(uses, |one| one.until) as &[Option<DateTime<Utc>>],
        &column(uses, |one| one.order.map(|order| order.0)) as &[Option<Uuid>],
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "UPDATE coupons c SET use_count = c.use_count + v.uses
         FROM (SELECT id, count(*)::int AS uses FROM UNNEST($1::uuid[]) AS n(id) GROUP BY id) v
         WHERE c.id = v.id",
        &column(uses, |one| one.coupon.0),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes the use with which the price of an order was lowered, and no longer counts it.
pub(in crate::billing::coupons) async fn delete_of_order(
    connection: &mut PgConnection,
    order: OrderId,
) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH freed AS (DELETE FROM coupon_uses WHERE order_id = $1 RETURNING coupon_id)
         UPDATE coupons c SET use_count = c.use_count - 1 FROM freed WHERE c.id = freed.coupon_id",
        order.0,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Inserts the use of an order again if it was deleted and neither the code nor the coupon is used up.
pub(in crate::billing::coupons) async fn restore_of_order(
    connection: &mut PgConnection,
    (id, order): (CouponUseId, OrderId),
    coupon: CouponId,
    key: &str,
    (user, used_at): (UserId, DateTime<Utc>),
) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH open AS (
             SELECT id, code IS NULL AS is_single FROM coupons
             WHERE id = $3 AND (max_uses IS NULL OR use_count < max_uses) FOR NO KEY UPDATE
         ), kept AS (
             INSERT INTO coupon_uses (id, coupon_id, code, is_single, user_id, used_at, order_id)
             SELECT $1, open.id, $4, open.is_single, $5, $6, $2 FROM open
             ON CONFLICT DO NOTHING RETURNING coupon_id
         )
         UPDATE coupons c SET use_count = c.use_count + 1 FROM kept WHERE c.id = kept.coupon_id",
        id.0,
        order.0,
        coupon.0,
        key,
        user.0,
        used_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Uses of a coupon before an id, newest first.
pub(in crate::billing::coupons) async fn of_coupon(
    db: &PgPool,
    coupon: CouponId,
    before: Uuid,
    limit: i64,
) -> sqlx::Result<Vec<CouponRedemption>> {
    sqlx::query_as!(
        CouponRedemption,
        r#"SELECT s.id AS "id: CouponUseId", k.shown AS code, s.user_id AS "user: UserId", s.used_at
           FROM coupon_uses s JOIN coupon_codes k ON k.code = s.code
           WHERE s.coupon_id = $1 AND s.id < $2 ORDER BY s.id DESC LIMIT $3"#,
        coupon.0,
        before,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Uses by a user before an id, newest first.
pub(in crate::billing::coupons) async fn of_user(
    db: &PgPool,
    user: UserId,
    before: Uuid,
    limit: i64,
) -> sqlx::Result<Vec<CouponUse>> {
    let rows = sqlx::query!(
        "SELECT s.id, c.name, k.shown, c.amount, c.plan, c.days, c.percent, s.used_at, s.until
         FROM coupon_uses s JOIN coupons c ON c.id = s.coupon_id JOIN coupon_codes k ON k.code = s.code
         WHERE s.user_id = $1 AND s.id < $2 ORDER BY s.id DESC LIMIT $3",
        user.0,
        before,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| CouponUse {
            id: CouponUseId(row.id),
            name: row.name,
            code: row.shown,
            benefit: benefit(row.amount, row.plan, row.days, row.percent),
            used_at: row.used_at,
            until: row.until,
        })
        .collect())
}
