//! SQL of coupons and codes.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::billing::coupons::coupon::{Coupon, CouponBenefit, CouponCode};
use crate::ids::CouponId;

/// A row of `coupons`.
struct Row {
    id: Uuid,
    name: String,
    amount: Option<i64>,
    plan: Option<String>,
    days: Option<i32>,
    percent: Option<i32>,
    code: Option<String>,
    code_count: i32,
    uses_per_account: i32,
    max_uses: Option<i32>,
    use_count: i32,
    starts_at: Option<DateTime<Utc>>,
    ends_at: Option<DateTime<Utc>>,
    is_active: bool,
    created_at: DateTime<Utc>,
}

impl From<Row> for Coupon {
    fn from(row: Row) -> Self {
        Self {
            id: CouponId(row.id),
            name: row.name,
            benefit: benefit(row.amount, row.plan, row.days, row.percent),
            code: row.code,
            code_count: row.code_count,
            uses_per_account: row.uses_per_account,
            max_uses: row.max_uses,
            use_count: row.use_count,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            is_active: row.is_active,
            created_at: row.created_at,
        }
    }
}

/// From the columns of a coupon; its constraints say that it has an amount, a plan with days, or a percentage.
pub(super) fn benefit(
    amount: Option<i64>,
    plan: Option<String>,
    days: Option<i32>,
    percent: Option<i32>,
) -> CouponBenefit {
    match (plan, percent) {
        (Some(plan), _) => CouponBenefit::Plan { plan, days: days.unwrap_or_default() },
        (None, Some(percent)) => CouponBenefit::PercentOff { percent },
        (None, None) => CouponBenefit::Credits { amount: amount.unwrap_or_default(), days },
    }
}

pub(in crate::billing::coupons) async fn insert(connection: &mut PgConnection, coupon: &Coupon) -> sqlx::Result<()> {
    let (amount, plan, days, percent) = match &coupon.benefit {
        CouponBenefit::Credits { amount, days } => (Some(*amount), None, *days, None),
        CouponBenefit::Plan { plan, days } => (None, Some(plan.as_str()), Some(*days), None),
        CouponBenefit::PercentOff { percent } => (None, None, None, Some(*percent)),
    };
    sqlx::query!(
        "INSERT INTO coupons (id, name, amount, plan, days, code, code_count, uses_per_account, max_uses, starts_at,
                              ends_at, is_active, created_at, percent)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        coupon.id.0,
        coupon.name,
        amount,
        plan,
        days,
        coupon.code,
        coupon.code_count,
        coupon.uses_per_account,
        coupon.max_uses,
        coupon.starts_at,
        coupon.ends_at,
        coupon.is_active,
        coupon.created_at,
        percent,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Inserts codes and returns how many; codes that exist already are left out.
pub(in crate::billing::coupons) async fn insert_codes(
    connection: &mut PgConnection,
    coupon: CouponId,
    keys: &[String],
    shown: &[String],
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "INSERT INTO coupon_codes (code, coupon_id, shown)
         SELECT v.code, $1, v.shown FROM UNNEST($2::text[], $3::text[]) AS v(code, shown)
         ON CONFLICT (code) DO NOTHING",
        coupon.0,
        keys,
        shown,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// Changes what admins may change.
pub(in crate::billing::coupons) async fn update(connection: &mut PgConnection, coupon: &Coupon) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE coupons SET name = $2, is_active = $3, max_uses = $4, ends_at = $5 WHERE id = $1",
        coupon.id.0,
        coupon.name,
        coupon.is_active,
        coupon.max_uses,
        coupon.ends_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The id of a code's coupon, and the code as it is shown.
pub(in crate::billing::coupons) async fn find_code(db: &PgPool, key: &str) -> sqlx::Result<Option<(CouponId, String)>> {
    let row = sqlx::query!("SELECT coupon_id, shown FROM coupon_codes WHERE code = $1", key).fetch_optional(db).await?;
    Ok(row.map(|row| (CouponId(row.coupon_id), row.shown)))
}

pub(in crate::billing::coupons) async fn find(db: &PgPool, id: CouponId) -> sqlx::Result<Option<Coupon>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, name, amount, plan, days, percent, code, code_count, uses_per_account, max_uses, use_count,
                starts_at, ends_at, is_active, created_at
         FROM coupons WHERE id = $1",
        id.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(Coupon::from))
}

/// Coupons, locked in the order of their ids until the transaction ends. Their keys are not locked: orders that refer to
/// them may be inserted meanwhile, or before it in the same transaction.
pub(in crate::billing::coupons) async fn lock(
    connection: &mut PgConnection,
    ids: &[Uuid],
) -> sqlx::Result<Vec<Coupon>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, name, amount, plan, days, percent, code, code_count, uses_per_account, max_uses, use_count,
                starts_at, ends_at, is_active, created_at
         FROM coupons WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE",
        ids,
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(Coupon::from).collect())
}

/// Coupons before an id, newest first: those with this text in their name, or with this code.
pub(in crate::billing::coupons) async fn list(
    db: &PgPool,
    (search, key): (Option<&str>, Option<&str>),
    is_active: Option<bool>,
    before: Uuid,
    limit: i64,
) -> sqlx::Result<Vec<Coupon>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, name, amount, plan, days, percent, code, code_count, uses_per_account, max_uses, use_count,
                starts_at, ends_at, is_active, created_at
         FROM coupons
         WHERE id < $4 AND ($3::bool IS NULL OR is_active = $3)
           AND ($1::text IS NULL OR position(lower($1) IN lower(name)) > 0
                OR id = (SELECT coupon_id FROM coupon_codes WHERE code = $2::text))
         ORDER BY id DESC LIMIT $5",
        search,
        key,
        is_active,
        before,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(Coupon::from).collect())
}

/// Codes of a coupon after a key, with the uses of those that are used once.
pub(in crate::billing::coupons) async fn codes(
    db: &PgPool,
    coupon: CouponId,
    after: &str,
    limit: i64,
) -> sqlx::Result<Vec<CouponCode>> {
    sqlx::query_as!(
        CouponCode,
        r#"SELECT k.code AS key, k.shown AS code, s.used_at AS "used_at?", u.email AS "used_by?"
           FROM coupon_codes k
           LEFT JOIN coupon_uses s ON s.code = k.code AND s.is_single
           LEFT JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL
           WHERE k.coupon_id = $1 AND k.code > $2 ORDER BY k.code LIMIT $3"#,
        coupon.0,
        after,
        limit,
    )
    .fetch_all(db)
    .await
}
