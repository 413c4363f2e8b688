//! Moves rows to the moments that the drill cannot wait for: the end of a month, the next question to a provider, the
//! lease of a killed server.

use sqlx::PgPool;

use crate::error::Result;

/// The lease of an upkeep round that a killed server had: the next server does not wait for its end.
const END_LEASES: &str = "UPDATE upkeep_tasks SET lease_until = now() WHERE lease_until > now()";

/// A charge of a month that failed is tried again at once.
const TRY_AGAIN: &str = "UPDATE subscriptions SET due_at = now()
     WHERE state IN ('Active', 'PastDue') AND open_order IS NULL AND due_at > now() AND period_until <= now()";

/// A paid month, of which there are more to come, ends a second ago. It began a month earlier, and so did the
/// subscription.
const END_MONTHS: &str = "UPDATE subscriptions
     SET anchor = now() - interval '1 second' - interval '1 month',
         period_from = now() - interval '1 second' - interval '1 month',
         period_until = now() - interval '1 second', due_at = now() - interval '1 second'
     WHERE state = 'Active' AND open_order IS NULL AND due_at > now() AND period_until > now() AND period < $1";

/// Payments that are not approved or were not opened are old enough to be given up. Those of this moment may still be
/// on their way to the provider.
const AGE_PAYMENTS: &str = "UPDATE payments SET created_at = created_at - interval '4 hours', ask_at = now()
     WHERE state IN ('Opening', 'Open', 'Charging') AND created_at < now() - interval '3 seconds'
       AND created_at > now() - interval '3 hours'";

/// The same of agreements with PayPal.
const AGE_AGREEMENTS: &str = "UPDATE paypal_agreements SET created_at = created_at - interval '4 days', ask_at = now()
     WHERE (state = 'Canceling' OR (state = 'Opening' AND created_at < now() - interval '3 seconds'))
       AND created_at > now() - interval '3 days'";

/// The provider is asked at once about everything that waits.
const ASK_NOW: [&str; 3] = [
    "UPDATE payments SET ask_at = now() WHERE ask_at > now()",
    "UPDATE refunds SET ask_at = now() WHERE ask_at > now()",
    "UPDATE paypal_agreements SET ask_at = now() WHERE ask_at > now()",
];

/// Everything that has not ended. `$1` is the number of months that each subscription pays.
const UNFINISHED: &str = "SELECT
     (SELECT count(*) FROM payments WHERE state IN ('Opening', 'Open', 'Charging') OR ask_at IS NOT NULL)
     + (SELECT count(*) FROM refunds WHERE state = 'Asked')
     + (SELECT count(*) FROM paypal_agreements WHERE state IN ('Opening', 'Canceling'))
     + (SELECT count(*) FROM subscriptions
        WHERE open_order IS NOT NULL OR state IN ('Pending', 'PastDue') OR (state = 'Active' AND NOT is_canceled AND period < $1))";

/// After a kill, before the next start.
pub async fn end_leases(db: &PgPool) -> Result<()> {
    sqlx::query(END_LEASES).execute(db).await?;
    Ok(())
}

/// Makes months end until each subscription has paid `months`.
pub async fn end_months(db: &PgPool, months: i32) -> Result<()> {
    sqlx::query(TRY_AGAIN).execute(db).await?;
    sqlx::query(END_MONTHS).bind(months).execute(db).await?;
    Ok(())
}

/// Makes everything due that waits, after the last buyer.
pub async fn hurry(db: &PgPool) -> Result<()> {
    sqlx::query(AGE_PAYMENTS).execute(db).await?;
    sqlx::query(AGE_AGREEMENTS).execute(db).await?;
    for sql in ASK_NOW {
        sqlx::query(sql).execute(db).await?;
    }
    Ok(())
}

/// The number of payments, refunds and subscriptions that have not ended.
pub async fn unfinished(db: &PgPool, months: i32) -> Result<i64> {
    Ok(sqlx::query_scalar(UNFINISHED).bind(months).fetch_one(db).await?)
}
