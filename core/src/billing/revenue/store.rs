//! SQL of revenue. It reads orders and refunds by the indexes of their times.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use crate::periods::Periods;

/// Sums of one period, provider, currency and kind.
pub(super) struct SumRow {
    /// The start of the period.
    pub at: DateTime<Utc>,
    pub provider: String,
    pub currency: String,
    pub is_subscription: bool,
    pub orders: i64,
    pub paid: i64,
    pub refunded: i64,
}

pub(super) async fn sums(db: &PgPool, periods: &Periods) -> sqlx::Result<Vec<SumRow>> {
    sqlx::query_as!(
        SumRow,
        r#"SELECT date_trunc($1, at, 'UTC') AS "at!", provider AS "provider!", currency AS "currency!",
                  is_subscription AS "is_subscription!", sum(orders)::bigint AS "orders!", sum(paid)::bigint AS "paid!",
                  sum(refunded)::bigint AS "refunded!"
           FROM (
             SELECT paid_at AS at, provider, currency, subscription_id IS NOT NULL AS is_subscription,
                    1::bigint AS orders, amount AS paid, 0::bigint AS refunded
             FROM orders WHERE paid_at >= $2 AND paid_at < $3
             UNION ALL
             SELECT r.ended_at, o.provider, o.currency, o.subscription_id IS NOT NULL, 0::bigint, 0::bigint, r.amount
             FROM refunds r JOIN orders o ON o.id = r.order_id
             WHERE r.state = 'Done' AND r.ended_at >= $2 AND r.ended_at < $3
           ) moved
           GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4"#,
        periods.by.word(),
        periods.from,
        periods.until,
    )
    .fetch_all(db)
    .await
}
