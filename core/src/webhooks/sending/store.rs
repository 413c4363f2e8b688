//! SQL of leases, and of the deliveries that an address's endpoint sends.

use std::collections::HashMap;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgPool};
use uuid::Uuid;

use crate::database;
use crate::ids::{NodeId, WebhookConfigId};
use crate::webhooks::config::DisabledReason;
use crate::webhooks::state::{EndpointHealth, MAX_ATTEMPTS, NextStep};

/// Leases due addresses that no living node holds; returns them.
pub(in crate::webhooks) async fn claim(
    db: &PgPool,
    node: NodeId,
    lease_seconds: f64,
    most: i64,
) -> sqlx::Result<Vec<WebhookConfigId>> {
    let ids: Vec<(Uuid,)> = sqlx::query_as(
        "WITH due AS (
            SELECT id, lease_node IS NOT NULL AS was_held FROM webhook_configs
            WHERE due_at <= clock_timestamp() AND disabled_at IS NULL
              AND (lease_until IS NULL OR lease_until < clock_timestamp())
            ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
         ), taken AS (
            UPDATE webhook_configs c
            SET lease_node = $1, lease_until = clock_timestamp() + make_interval(secs => $2)
            FROM due WHERE c.id = due.id RETURNING c.id, due.was_held
         ), left_over AS (
            -- The node that had it before did not say what came of these: they count as tried, and are tried again where they
            -- may be. A lease that was returned left none, and to look for them means to read the whole backlog.
            UPDATE webhook_deliveries d
            SET in_flight = false, state = CASE WHEN d.attempts < $4 THEN d.state ELSE 2 END
            FROM taken WHERE taken.was_held AND d.config_id = taken.id AND d.state = 0 AND d.in_flight
         )
         SELECT id FROM taken",
    )
    .bind(node.0)
    .bind(lease_seconds)
    .bind(most)
    .bind(MAX_ATTEMPTS)
    .fetch_all(db)
    .await?;
    Ok(ids.into_iter().map(|(id,)| WebhookConfigId(id)).collect())
}

/// Renews this node's leases of these addresses; returns those it still holds, and whether they may have due deliveries.
pub(in crate::webhooks) async fn renew(
    db: &PgPool,
    node: NodeId,
    lease_seconds: f64,
    configs: &[Uuid],
) -> sqlx::Result<HashMap<WebhookConfigId, bool>> {
    let rows = sqlx::query!(
        r#"UPDATE webhook_configs c SET lease_until = clock_timestamp() + make_interval(secs => $2)
           WHERE c.id = ANY($3) AND c.lease_node = $1 AND c.lease_until >= clock_timestamp()
           RETURNING c.id, EXISTS (SELECT 1 FROM webhook_deliveries d
                                   WHERE d.config_id = c.id AND d.state = 0 AND NOT d.in_flight
                                     AND d.next_at <= now()) AS "has_due!""#,
        node.0,
        lease_seconds,
        configs,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (WebhookConfigId(row.id), row.has_due)).collect())
}

#[derive(Debug, Clone, FromRow)]
pub(in crate::webhooks) struct Address {
    pub url: String,
    pub secret: String,
    pub old_secret: Option<String>,
    pub old_until: Option<DateTime<Utc>>,
    pub older_secrets: Vec<String>,
    pub older_until: Vec<DateTime<Utc>>,
    pub failing_since: Option<DateTime<Utc>>,
    pub failures: i32,
    pub paused_until: Option<DateTime<Utc>>,
    pub has_succeeded: bool,
}

impl Address {
    /// The secrets that sign at a time, the newest first.
    pub fn secrets(&self, at: DateTime<Utc>) -> impl Iterator<Item = &str> {
        let old = self.old_secret.iter().zip(&self.old_until);
        let replaced = old.chain(self.older_secrets.iter().zip(&self.older_until));
        let signing = replaced.filter(move |(_, until)| **until > at).map(|(secret, _)| secret.as_str());
        std::iter::once(self.secret.as_str()).chain(signing)
    }

    pub fn health(&self) -> EndpointHealth {
        EndpointHealth { failing_since: self.failing_since, failures: self.failures, paused_until: self.paused_until }
    }
}

/// A delivery whose attempt is counted.
#[derive(Debug, Clone)]
pub(in crate::webhooks) struct DueDelivery {
    pub id: Uuid,
    pub event_id: Uuid,
    /// Including the attempt that follows.
    pub attempts: i16,
    pub body: Bytes,
}

#[derive(Debug, Clone)]
pub(in crate::webhooks) struct AttemptResult {
    /// Of the attempt: it is written once, even if the write is repeated.
    pub id: Uuid,
    pub delivery: Uuid,
    pub number: i16,
    pub at: DateTime<Utc>,
    pub responded_at: Option<DateTime<Utc>>,
    pub response: Option<i16>,
    pub is_success: bool,
    pub response_body: String,
    pub error: Option<String>,
    pub next: NextStep,
}

/// What an endpoint did since its last exchange.
#[derive(Debug, Clone, Copy)]
pub(in crate::webhooks) struct Progress<'a> {
    pub tried: &'a [AttemptResult],
    /// Deliveries whose counted attempt was not made.
    pub unsent: &'a [DueDelivery],
    /// The health of the address after `tried`.
    pub health: EndpointHealth,
    /// Where `tried` were sent. Nothing follows from them for another address.
    pub url: Option<&'a str>,
}

/// The address, and one of its deliveries or none.
#[derive(FromRow)]
struct ExchangeRow {
    #[sqlx(flatten)]
    address: Address,
    id: Option<Uuid>,
    event_id: Option<Uuid>,
    attempts: Option<i16>,
    body: Option<String>,
}

/// Writes finished attempts and counts new ones, up to `most`, in one statement: for each job the first undelivered event,
/// and before others those that the owner requested. `None` if this node does not hold the lease, or the address is
/// disabled; then only the history of `tried` is certain to be written.
///
/// The address is read with its deliveries: an event that was written after a new secret is signed with the new secret.
pub(in crate::webhooks) async fn exchange(
    db: &PgPool,
    (config, node): (WebhookConfigId, NodeId),
    Progress { tried, unsent, health, url }: Progress<'_>,
    most: i64,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<(Address, Vec<DueDelivery>)>> {
    fn column<'a, T>(tried: &'a [AttemptResult], value: impl Fn(&'a AttemptResult) -> T) -> Vec<T> {
        tried.iter().map(value).collect()
    }
    let state = |one: &AttemptResult| match one.next {
        NextStep::Retry { .. } => 0_i16,
        NextStep::Delivered => 1,
        NextStep::GiveUp => 2,
    };
    let next_at = |one: &AttemptResult| match one.next {
        NextStep::Retry { at } => at,
        NextStep::Delivered | NextStep::GiveUp => now,
    };
    let rows: Vec<ExchangeRow> = sqlx::query_as(
        "WITH tried AS (
            SELECT * FROM UNNEST($1::uuid[], $2::uuid[], $3::smallint[], $4::timestamptz[], $5::timestamptz[],
                                 $6::smallint[], $7::bool[], $8::text[], $9::text[], $10::smallint[], $11::timestamptz[])
              AS v(id, delivery_id, number, attempt_at, responded_at, response, is_success, said, error, state, next_at)
         ), moved AS (
            -- Of an attempt of a lost lease only the history is written: the delivery follows the latest attempt.
            UPDATE webhook_deliveries d SET in_flight = false, state = v.state, next_at = v.next_at
            FROM tried v WHERE d.id = v.delivery_id AND d.attempts = v.number
         ), history AS (
            INSERT INTO webhook_attempts (id, delivery_id, config_id, number, attempt_at, responded_at, response,
                                          is_success, said, error)
            SELECT v.id, v.delivery_id, $12, v.number, v.attempt_at, v.responded_at, v.response, v.is_success, v.said,
                   v.error
            FROM tried v JOIN webhook_deliveries d ON d.id = v.delivery_id
            ON CONFLICT (id) DO NOTHING
         ), returned AS (
            -- Another node may have counted a later attempt after a lost lease.
            UPDATE webhook_deliveries d SET in_flight = false, attempts = d.attempts - 1
            FROM UNNEST($13::uuid[], $21::smallint[]) AS v(delivery_id, number)
            WHERE d.id = v.delivery_id AND d.attempts = v.number AND d.in_flight
         ), health AS (
            UPDATE webhook_configs SET failing_since = $15, failures = $16, paused_until = $17
            WHERE id = $12 AND lease_node = $14 AND cardinality($1::uuid[]) > 0 AND ($20::text IS NULL OR url = $20)
              AND (failing_since, failures, paused_until) IS DISTINCT FROM ($15, $16, $17)
         ), owned AS MATERIALIZED (
            SELECT url, secret, old_secret, old_until, older_secrets, older_until, failing_since, failures, paused_until,
                   coalesce((SELECT a.is_success FROM webhook_attempts a WHERE a.config_id = c.id
                             ORDER BY a.id DESC LIMIT 1), false) AS has_succeeded
            FROM webhook_configs c WHERE id = $12 AND lease_node = $14 AND disabled_at IS NULL
         ), due AS NOT MATERIALIZED (
            -- OFFSET keeps the subquery from becoming a join, which would be made for all rows and not for the first ones.
            SELECT d.id, d.position, d.requested FROM webhook_deliveries d
            WHERE d.config_id = $12 AND d.state = 0 AND NOT d.in_flight AND d.next_at <= now()
              AND NOT EXISTS (SELECT 1 FROM webhook_deliveries p
                              WHERE p.config_id = d.config_id AND p.job_id = d.job_id AND p.state = 0
                                AND p.position < d.position OFFSET 0)
         ), ready AS (
            SELECT id, position FROM (
                (SELECT * FROM due WHERE requested ORDER BY position LIMIT $18)
                UNION ALL (SELECT * FROM due WHERE NOT requested ORDER BY position LIMIT $18)
            ) AS first ORDER BY NOT requested, position LIMIT $18
         ), begun AS (
            UPDATE webhook_deliveries d SET in_flight = true, attempts = d.attempts + 1, requested = false
            FROM ready, owned WHERE d.id = ready.id AND coalesce(owned.paused_until <= $19, true)
            RETURNING d.id, d.event_id, d.attempts, d.body, d.position
         )
         SELECT owned.*, begun.id, begun.event_id, begun.attempts, begun.body
         FROM owned LEFT JOIN begun ON true ORDER BY begun.position",
    )
    .bind(column(tried, |one| one.id))
    .bind(column(tried, |one| one.delivery))
    .bind(column(tried, |one| one.number))
    .bind(column(tried, |one| one.at))
    .bind(column(tried, |one| one.responded_at))
    .bind(column(tried, |one| one.response))
    .bind(column(tried, |one| one.is_success))
    .bind(column(tried, |one| one.response_body.as_str()))
    .bind(column(tried, |one| one.error.as_deref()))
    .bind(column(tried, state))
    .bind(column(tried, next_at))
    .bind(config.0)
    .bind(unsent.iter().map(|due| due.id).collect::<Vec<_>>())
    .bind(node.0)
    .bind(health.failing_since)
    .bind(health.failures)
    .bind(health.paused_until)
    .bind(most)
    .bind(now)
    .bind(url)
    .bind(unsent.iter().map(|due| due.attempts).collect::<Vec<_>>())
    .fetch_all(db)
    .await?;
    let (mut address, mut due) = (None, Vec::new());
    for row in rows {
        address.get_or_insert(row.address);
        if let (Some(id), Some(event_id), Some(attempts), Some(body)) = (row.id, row.event_id, row.attempts, row.body) {
            due.push(DueDelivery { id, event_id, attempts, body: Bytes::from(body) });
        }
    }
    Ok(address.map(|address| (address, due)))
}

/// Disables an address if this node holds its lease and it is still the config's; returns whether it did. A disabled address has no endpoint, so its
/// lease ends at once, and it can be claimed when it is enabled.
pub(in crate::webhooks) async fn disable(
    tx: &mut PgConnection,
    (config, node): (WebhookConfigId, NodeId),
    url: Option<&str>,
    why: DisabledReason,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE webhook_configs SET disabled_at = $3, disabled_why = $4, lease_node = NULL, lease_until = NULL
         WHERE id = $1 AND lease_node = $2 AND ($5::text IS NULL OR url = $5)",
        config.0,
        node.0,
        now,
        why as i16,
        url,
    )
    .execute(tx)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Releases an address, with the time at which its next delivery is due.
pub(in crate::webhooks) async fn settle(db: &PgPool, config: WebhookConfigId, node: NodeId) -> sqlx::Result<()> {
    let mut tx = database::begin(db).await?;
    // A concurrent insert of deliveries waits on this lock or is visible to the next statement.
    let locked = sqlx::query!(
        r#"SELECT 1 AS "locked!" FROM webhook_configs WHERE id = $1 AND lease_node = $2 FOR UPDATE"#,
        config.0,
        node.0,
    );
    if locked.fetch_optional(&mut *tx).await?.is_none() {
        return Ok(());
    }
    // This endpoint has none on its way: a former one of this node, whose lease was lost, counted these and then ended.
    let lost = "UPDATE webhook_deliveries SET in_flight = false, state = CASE WHEN attempts < $2 THEN state ELSE 2 END
                WHERE config_id = $1 AND state = 0 AND in_flight";
    sqlx::query(lost).bind(config.0).bind(MAX_ATTEMPTS).execute(&mut *tx).await?;
    sqlx::query!(
        "UPDATE webhook_configs c
         SET lease_node = NULL, lease_until = NULL,
             due_at = CASE
                -- A pause alone does not make an address due.
                WHEN NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.config_id = c.id AND d.state = 0) THEN NULL
                WHEN c.paused_until > now() THEN c.paused_until
                ELSE (
                    SELECT min(d.next_at) FROM webhook_deliveries d
                    WHERE d.config_id = c.id AND d.state = 0
                      AND NOT EXISTS (SELECT 1 FROM webhook_deliveries p
                                      WHERE p.config_id = d.config_id AND p.job_id = d.job_id AND p.state = 0
                                        AND p.position < d.position OFFSET 0))
                END
         WHERE c.id = $1",
        config.0,
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await
}
