//! SQL of what users got without a payment: uses of coupons, and plans and credits in the audit log, which is never
//! shortened.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use super::given::{GivenOrder, OrderProvider, PaymentType};
use crate::audit::Action;
use crate::billing::orders::store::orders::OrderRows;
use crate::ids::{OrderId, UserId};

/// The name of credits that an admin gave. The reason in the log is for admins alone.
const CREDITS: &str = "Credits";

/// A use of a coupon, or an act of an admin.
struct Row {
    id: Uuid,
    user_id: Uuid,
    is_coupon: bool,
    name: Option<String>,
    code: Option<String>,
    plan: Option<String>,
    credits: i64,
    given_at: DateTime<Utc>,
    /// Of a plan by a coupon.
    days: Option<i32>,
    until: Option<DateTime<Utc>>,
}

impl From<Row> for GivenOrder {
    fn from(row: Row) -> Self {
        let days = row.days.filter(|_| row.plan.is_some());
        let begin = days.zip(row.until).map(|(days, until)| until - TimeDelta::days(i64::from(days)));
        Self {
            id: OrderId(row.id),
            user: UserId(row.user_id),
            provider: if row.is_coupon { OrderProvider::Coupon } else { OrderProvider::Free },
            name: row.name.or_else(|| row.plan.clone()).unwrap_or_else(|| CREDITS.to_owned()),
            code: row.code,
            credits: row.credits,
            plan: row.plan,
            from: begin.unwrap_or(row.given_at),
            until: row.until,
            given_at: row.given_at,
        }
    }
}

/// The filter of a list, as its queries take it.
pub(super) struct HistoryRows {
    pub types: Vec<PaymentType>,
    /// The only line that was given, where one is asked for.
    pub only: Option<Uuid>,
    /// The plan of users who have no other one. An admin who sets it takes another plan away and gives nothing.
    pub first_plan: String,
    pub orders: OrderRows,
}

impl HistoryRows {
    /// Whether the list has lines of this type.
    pub fn has(&self, wanted: PaymentType) -> bool {
        self.types.contains(&wanted)
    }
}

/// What was given before an id, newest first.
pub(super) async fn given(db: &PgPool, rows: &HistoryRows, before: Uuid, limit: i64) -> sqlx::Result<Vec<GivenOrder>> {
    let (has_plans_and_credits, has_coupons) = (rows.has(PaymentType::Free), rows.has(PaymentType::Coupon));
    let (only, first_plan, rows) = (rows.only, rows.first_plan.as_str(), &rows.orders);
    let found = sqlx::query_as!(
        Row,
        r#"WITH sought AS (
             SELECT id FROM users
             WHERE $6::text IS NOT NULL AND deleted_at IS NULL AND position(lower($6) IN lower(email)) > 0
           )
           SELECT id AS "id!", user_id AS "user_id!", is_coupon AS "is_coupon!", name AS "name?", code AS "code?",
                  plan AS "plan?", credits AS "credits!", given_at AS "given_at!", days AS "days?", until AS "until?"
           FROM (
             (SELECT s.id, s.user_id, true AS is_coupon, c.name, k.shown AS code, c.plan,
                     coalesce(c.amount, 0) AS credits, s.used_at AS given_at, c.days, s.until
              FROM coupon_uses s JOIN coupons c ON c.id = s.coupon_id JOIN coupon_codes k ON k.code = s.code
              WHERE $10::boolean AND s.order_id IS NULL AND s.id < $1 AND ($13::uuid IS NULL OR s.id = $13)
                AND ($3::uuid IS NULL OR s.user_id = $3)
                AND ($4::timestamptz IS NULL OR s.used_at >= $4) AND ($5::timestamptz IS NULL OR s.used_at < $5)
                AND (($6 IS NULL AND $7::uuid IS NULL) OR s.id = $7 OR s.user_id IN (SELECT id FROM sought))
                AND ($8::boolean IS NULL OR (c.plan IS NOT NULL) = $8)
              ORDER BY s.id DESC LIMIT $2)
             UNION ALL
             (SELECT a.id, a.target_id, false, NULL::text, NULL::text, a.after->>'plan', 0::bigint, a.created_at,
                     NULL::integer, (a.after->>'until')::timestamptz
              FROM audit_entries a
              WHERE $9::boolean AND $8 IS NOT FALSE AND a.action = $11 AND a.after->>'plan' <> $14 AND a.id < $1
                AND ($13 IS NULL OR a.id = $13) AND ($3 IS NULL OR a.target_id = $3)
                AND ($4 IS NULL OR a.created_at >= $4) AND ($5 IS NULL OR a.created_at < $5)
                AND (($6 IS NULL AND $7 IS NULL) OR a.id = $7 OR a.target_id IN (SELECT id FROM sought))
              ORDER BY a.id DESC LIMIT $2)
             UNION ALL
             (SELECT a.id, a.target_id, false, NULL::text, NULL::text, NULL::text, (a.after->>'amount')::bigint,
                     a.created_at, NULL::integer, g.expires_at
              FROM audit_entries a
              LEFT JOIN credit_grants g ON g.account_id = a.target_id AND g.source = a.after->>'source'
              WHERE $9 AND $8 IS NOT TRUE AND a.action = $12 AND a.id < $1
                AND ($13 IS NULL OR a.id = $13) AND ($3 IS NULL OR a.target_id = $3)
                AND ($4 IS NULL OR a.created_at >= $4) AND ($5 IS NULL OR a.created_at < $5)
                AND (($6 IS NULL AND $7 IS NULL) OR a.id = $7 OR a.target_id IN (SELECT id FROM sought))
              ORDER BY a.id DESC LIMIT $2)
           ) given ORDER BY id DESC LIMIT $2"#,
        before,
        limit,
        rows.user.map(|user| user.0),
        rows.times.from,
        rows.times.until,
        rows.search.as_deref(),
        rows.id,
        rows.is_plan,
        has_plans_and_credits,
        has_coupons,
        Action::UserPlan.name(),
        Action::CreditGrant.name(),
        only,
        first_plan,
    )
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().map(GivenOrder::from).collect())
}
