//! SQL of the warnings.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::PgConnection;

use crate::ids::UserId;

/// The credits of an account that expire on a day, and the first moment of it at which some do.
pub(super) struct Expiring {
    pub account: UserId,
    pub on: NaiveDate,
    pub credits: i64,
    pub first: DateTime<Utc>,
}

/// Records warnings of lots that expire until `until`, and returns them.
pub(super) async fn claim(
    connection: &mut PgConnection,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
    most: i64,
) -> sqlx::Result<Vec<Expiring>> {
    let rows = sqlx::query!(
        r#"WITH due AS (
             SELECT account_id, (expires_at AT TIME ZONE 'UTC')::date AS expires_on, SUM(remaining)::bigint AS credits,
                    MIN(expires_at) AS first
             FROM credit_grants g
             WHERE kind <> 0 AND expires_at > $1 AND expires_at < $2 AND remaining > 0
               AND expires_at - issued_at > interval '8 days' AND NOT EXISTS (
                 SELECT FROM credit_expiry_warnings w
                 WHERE w.account_id = g.account_id AND w.expires_on = (g.expires_at AT TIME ZONE 'UTC')::date)
             GROUP BY 1, 2 ORDER BY 1, 2 LIMIT $3
           ), claimed AS (
             INSERT INTO credit_expiry_warnings (account_id, expires_on) SELECT account_id, expires_on FROM due
             ON CONFLICT DO NOTHING RETURNING account_id, expires_on
           )
           SELECT account_id, expires_on, credits AS "credits!", first AS "first!"
           FROM claimed JOIN due USING (account_id, expires_on) ORDER BY account_id, expires_on"#,
        now,
        until,
        most,
    )
    .fetch_all(connection)
    .await?;
    let expiring = rows.into_iter().map(|row| Expiring {
        account: UserId(row.account_id),
        on: row.expires_on,
        credits: row.credits,
        first: row.first,
    });
    Ok(expiring.collect())
}

/// Deletes the records of days before `today`.
pub(super) async fn forget(connection: &mut PgConnection, today: NaiveDate) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM credit_expiry_warnings WHERE expires_on < $1", today).execute(connection).await?;
    Ok(())
}
