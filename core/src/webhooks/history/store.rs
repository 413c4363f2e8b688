//! SQL of the history.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgPool};
use uuid::Uuid;

use super::attempt::Attempt;
use crate::events::EventKind;
use crate::ids::{JobId, WebhookAttemptId, WebhookConfigId};
use crate::users::WritePermit;
use crate::webhooks::state::MAX_ATTEMPTS;

/// Which attempts match: those that meet any of the conditions. Without a condition, all match.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct AttemptFilter {
    /// Of a job, a delivery, an event or the attempt itself.
    pub id: Option<Uuid>,
    pub kind: Option<i16>,
    pub is_success: Option<bool>,
    pub response: Option<i16>,
}

#[derive(FromRow)]
struct Row {
    id: Uuid,
    delivery_id: Uuid,
    job_id: Option<Uuid>,
    kind: i16,
    is_success: bool,
    response: Option<i16>,
    said: String,
    error: Option<String>,
    number: i16,
    attempt_at: DateTime<Utc>,
    responded_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    next_at: Option<DateTime<Utc>>,
    attempts: i16,
    body: String,
}

/// Attempts of a config, newest first.
pub(super) async fn page(
    db: &PgPool,
    config: WebhookConfigId,
    filter: &AttemptFilter,
    skip: i64,
    limit: i64,
) -> sqlx::Result<Vec<Attempt>> {
    let all = *filter == AttemptFilter::default();
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT a.id, a.delivery_id, d.job_id, d.kind, a.is_success, a.response, a.said, a.error, a.number, a.attempt_at,
                a.responded_at, d.created_at, d.attempts, d.body,
                CASE WHEN d.state = 0 AND a.number = d.attempts THEN d.next_at END AS next_at
         FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
         WHERE a.config_id = $1
           AND ($2 OR d.job_id = $3 OR d.id = $3 OR d.event_id = $3 OR a.id = $3 OR d.kind = $4 OR a.is_success = $5
                OR a.response = $6)
         ORDER BY a.id DESC LIMIT $8 OFFSET $7",
    )
    .bind(config.0)
    .bind(all)
    .bind(filter.id)
    .bind(filter.kind)
    .bind(filter.is_success)
    .bind(filter.response)
    .bind(skip)
    .bind(limit)
    .fetch_all(db)
    .await?;
    let attempt = |row: Row| Attempt {
        id: WebhookAttemptId(row.id),
        job: row.job_id.map(JobId),
        group: row.delivery_id,
        kind: EventKind::from_number(row.kind),
        is_success: row.is_success,
        response: row.response,
        response_body: row.said,
        error: row.error,
        number: row.number,
        at: row.attempt_at,
        responded_at: row.responded_at,
        created_at: row.created_at,
        body: row.body,
        next_at: row.next_at,
        attempts: row.attempts,
    };
    Ok(rows.into_iter().map(attempt).collect())
}

/// The config and delivery of an attempt, and the delivery's number of attempts.
pub(super) async fn of_attempt(
    db: &PgPool,
    id: WebhookAttemptId,
) -> sqlx::Result<Option<(WebhookConfigId, Uuid, i16)>> {
    let row = sqlx::query!(
        "SELECT a.config_id, a.delivery_id, d.attempts
         FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE a.id = $1",
        id.0,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| (WebhookConfigId(row.config_id), row.delivery_id, row.attempts)))
}

/// Makes a delivery the next to be attempted, unless it has reached the maximum of attempts; returns whether it did.
pub(super) async fn reopen(
    tx: &mut PgConnection,
    _: &WritePermit,
    delivery: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE webhook_deliveries SET state = 0, requested = true, next_at = least(next_at, $3)
         WHERE id = $1 AND attempts < $2",
        delivery,
        MAX_ATTEMPTS,
        now,
    )
    .execute(tx)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// The same for the deliveries of a config that were given up since this time.
pub(super) async fn reopen_failed(
    tx: &mut PgConnection,
    _: &WritePermit,
    (config, since): (WebhookConfigId, DateTime<Utc>),
    limit: i64,
    now: DateTime<Utc>,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "UPDATE webhook_deliveries SET state = 0, next_at = $5 WHERE id IN (
            -- A delivery that was given up is next at the time of that, unless its node had died.
            SELECT id FROM webhook_deliveries
            WHERE config_id = $1 AND state = 2 AND greatest(created_at, next_at) >= $2 AND attempts < $3
            ORDER BY created_at LIMIT $4
         )",
        config.0,
        since,
        MAX_ATTEMPTS,
        limit,
        now,
    )
    .execute(tx)
    .await?;
    Ok(done.rows_affected())
}
