//! SQL of deliveries: what is queued, requested and deleted.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::ids::{WebhookConfigId, min_id};
use crate::users::WritePermit;

/// An event for one address.
#[derive(Debug, Clone)]
pub(in crate::webhooks) struct NewDelivery {
    pub id: Uuid,
    pub config: WebhookConfigId,
    pub event: Uuid,
    pub job: Option<Uuid>,
    pub kind: i16,
    pub position: i64,
    pub body: String,
}

/// The locked head of the fan-out.
pub(in crate::webhooks) struct LockedHead {
    pub position: i64,
    /// Whether any config is enabled.
    pub has_configs: bool,
}

/// Locks the head; `None` if another node holds it.
pub(in crate::webhooks) async fn lock_head(tx: &mut PgConnection) -> sqlx::Result<Option<LockedHead>> {
    sqlx::query_as!(
        LockedHead,
        r#"SELECT position, EXISTS (SELECT 1 FROM webhook_configs WHERE disabled_at IS NULL) AS "has_configs!"
           FROM webhook_head FOR UPDATE SKIP LOCKED"#,
    )
    .fetch_optional(tx)
    .await
}

/// The last position that was fanned out, without a lock.
pub(in crate::webhooks) async fn head(db: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar!("SELECT position FROM webhook_head").fetch_one(db).await
}

pub(in crate::webhooks) async fn set_head(tx: &mut PgConnection, position: i64) -> sqlx::Result<()> {
    sqlx::query!("UPDATE webhook_head SET position = $1", position).execute(tx).await?;
    Ok(())
}

/// Inserts deliveries and marks their addresses as due, paused ones after their pause: until then there is nothing to do
/// for them.
pub(in crate::webhooks) async fn insert(
    tx: &mut PgConnection,
    new: &[NewDelivery],
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    fn column<'a, T>(new: &'a [NewDelivery], value: impl Fn(&'a NewDelivery) -> T) -> Vec<T> {
        new.iter().map(value).collect()
    }
    let mut configs: Vec<Uuid> = new.iter().map(|one| one.config.0).collect();
    configs.sort_unstable();
    configs.dedup();
    sqlx::query(
        "WITH inserted AS (
            INSERT INTO webhook_deliveries (id, config_id, event_id, job_id, kind, position, body, created_at, next_at)
            SELECT v.*, $8, $8
            FROM UNNEST($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::smallint[], $6::bigint[], $7::text[])
              AS v(id, config_id, event_id, job_id, kind, position, body)
            WHERE EXISTS (SELECT 1 FROM webhook_configs c WHERE c.id = v.config_id)
         )
         UPDATE webhook_configs c SET due_at = least(c.due_at, greatest($8, c.paused_until))
         FROM (SELECT id FROM webhook_configs WHERE id = ANY($9) ORDER BY id FOR UPDATE) AS locked
         WHERE c.id = locked.id",
    )
    .bind(column(new, |one| one.id))
    .bind(column(new, |one| one.config.0))
    .bind(column(new, |one| one.event))
    .bind(column(new, |one| one.job))
    .bind(column(new, |one| one.kind))
    .bind(column(new, |one| one.position))
    .bind(column(new, |one| one.body.as_str()))
    .bind(now)
    .bind(configs)
    .execute(tx)
    .await?;
    Ok(())
}

/// Inserts a test delivery, to be attempted next.
pub(in crate::webhooks) async fn insert_test(
    tx: &mut PgConnection,
    _: &WritePermit,
    test: NewDelivery,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let (id, config) = (test.id, test.config);
    insert(tx, &[test], now).await?;
    sqlx::query!("UPDATE webhook_deliveries SET requested = true WHERE id = $1", id).execute(&mut *tx).await?;
    wake_at_once(tx, config, now).await
}

/// Marks an address as due now, even if it is paused: its owner asked for an attempt.
pub(in crate::webhooks) async fn wake_at_once(
    tx: &mut PgConnection,
    config: WebhookConfigId,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE webhook_configs SET paused_until = NULL, due_at = least(due_at, $2) WHERE id = $1",
        config.0,
        now,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes attempts older than this, and finished deliveries; returns the larger of both numbers.
pub(in crate::webhooks) async fn forget_before(db: &PgPool, before: DateTime<Utc>, most: i64) -> sqlx::Result<u64> {
    let attempts = sqlx::query!(
        "DELETE FROM webhook_attempts WHERE id IN (SELECT id FROM webhook_attempts WHERE id < $1 LIMIT $2)",
        min_id(before),
        most,
    )
    .execute(db)
    .await?;
    let deliveries = sqlx::query!(
        "DELETE FROM webhook_deliveries WHERE id IN (
            SELECT id FROM webhook_deliveries WHERE id < $1 AND created_at < $2 AND NOT in_flight LIMIT $3
         )",
        min_id(before),
        before,
        most,
    )
    .execute(db)
    .await?;
    Ok(attempts.rows_affected().max(deliveries.rows_affected()))
}

/// Deletes attempts whose webhook is gone; returns their number. No constraint prevents them: an attempt that ends while
/// its webhook is being deleted is written after it.
pub(in crate::webhooks) async fn forget_orphans(db: &PgPool, most: i64) -> sqlx::Result<u64> {
    // Looks up each webhook in the index once, however many attempts it has.
    let done = sqlx::query!(
        "WITH RECURSIVE known AS (
            (SELECT config_id FROM webhook_attempts ORDER BY config_id LIMIT 1)
            UNION ALL
            SELECT (SELECT a.config_id FROM webhook_attempts a WHERE a.config_id > k.config_id
                    ORDER BY a.config_id LIMIT 1)
            FROM known k WHERE k.config_id IS NOT NULL
         )
         DELETE FROM webhook_attempts WHERE id IN (
            SELECT orphan.id FROM known k
            CROSS JOIN LATERAL (SELECT a.id FROM webhook_attempts a WHERE a.config_id = k.config_id LIMIT $1) AS orphan
            WHERE NOT EXISTS (SELECT 1 FROM webhook_configs c WHERE c.id = k.config_id)
            LIMIT $1
         )",
        most,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}
