//! SQL of the calendar of charges.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::PgPool;

/// Charges of one day of UTC in one currency.
pub(super) struct DayRow {
    /// `planned`, `paid` or `failed`.
    pub kind: String,
    pub day: NaiveDate,
    pub currency: String,
    pub count: i64,
    pub amount: i64,
}

/// What is planned, was paid and failed between two times of one month.
pub(super) async fn days(db: &PgPool, from: DateTime<Utc>, until: DateTime<Utc>) -> sqlx::Result<Vec<DayRow>> {
    sqlx::query_as!(
        DayRow,
        r#"SELECT 'planned' AS "kind!", (c.charged_at AT TIME ZONE 'UTC')::date AS "day!", s.currency AS "currency!",
                  count(*) AS "count!", sum(coalesce(s.next_amount, s.amount))::bigint AS "amount!"
           FROM planned_charges($1, $2) c JOIN subscriptions s ON s.id = c.subscription_id
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
