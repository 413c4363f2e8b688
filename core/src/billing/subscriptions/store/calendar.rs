//! SQL of the calendar of charges.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::PgPool;

/// Charges of one day of UTC in one currency.
pub(in crate::billing::subscriptions) struct DayRow {
    /// `planned`, `paid` or `failed`.
    pub kind: String,
    pub day: NaiveDate,
    pub currency: String,
    pub count: i64,
    pub amount: i64,
}

/// What is due, was paid and failed in a time.
pub(in crate::billing::subscriptions) async fn days(
    db: &PgPool,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> sqlx::Result<Vec<DayRow>> {
    sqlx::query_as!(
        DayRow,
        r#"SELECT 'planned' AS "kind!", (coalesce(due_at, period_until) AT TIME ZONE 'UTC')::date AS "day!",
                  currency AS "currency!",
                  count(*) AS "count!", sum(coalesce(next_amount, amount))::bigint AS "amount!"
           FROM subscriptions
           WHERE state IN ('Active', 'PastDue') AND NOT is_canceled
             AND ((due_at >= $1 AND due_at < $2)
                  OR (due_at IS NULL AND paid_with = 'PayPal' AND state = 'Active' AND period_until >= $1
                      AND period_until < $2))
           GROUP BY 2, 3
           UNION ALL
           SELECT 'paid', (paid_at AT TIME ZONE 'UTC')::date, currency, count(*), sum(amount)::bigint
           FROM orders WHERE paid_at >= $1 AND paid_at < $2 AND subscription_id IS NOT NULL
           GROUP BY 2, 3
           UNION ALL
           SELECT 'failed', (created_at AT TIME ZONE 'UTC')::date, currency, count(*), sum(amount)::bigint
           FROM orders
           WHERE created_at >= $1 AND created_at < $2 AND subscription_id IS NOT NULL AND status = 'Failed'
           GROUP BY 2, 3
           ORDER BY 2, 3"#,
        from,
        until,
    )
    .fetch_all(db)
    .await
}
