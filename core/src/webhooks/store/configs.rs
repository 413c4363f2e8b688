//! SQL of configs.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgPool};
use uuid::Uuid;

use crate::events::EventKind;
use crate::ids::{UserId, WebhookConfigId, WorkflowApiId};
use crate::users::WritePermit;
use crate::webhooks::config::{Config, DisabledReason, LastAttempt};

#[derive(Debug, FromRow)]
struct Row {
    id: Uuid,
    user_id: Uuid,
    workflow_api_id: Option<Uuid>,
    name: String,
    url: String,
    kinds: Vec<i16>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    disabled_at: Option<DateTime<Utc>>,
    disabled_why: Option<i16>,
    failing_since: Option<DateTime<Utc>>,
    waiting: i64,
    last_at: Option<DateTime<Utc>>,
    last_success: Option<bool>,
    last_response: Option<i16>,
}

impl From<Row> for Config {
    fn from(row: Row) -> Self {
        let (last_success, last_response) = (row.last_success, row.last_response);
        Self {
            id: WebhookConfigId(row.id),
            user: UserId(row.user_id),
            workflow_api: row.workflow_api_id.map(WorkflowApiId),
            name: row.name,
            url: row.url,
            kinds: row.kinds.into_iter().map(EventKind::from_number).collect(),
            created_at: row.created_at,
            updated_at: row.updated_at,
            disabled: row.disabled_at.zip(row.disabled_why.map(DisabledReason::from_number)),
            failing_since: row.failing_since,
            waiting: row.waiting,
            last: row.last_at.map(|at| LastAttempt {
                at,
                is_success: last_success.unwrap_or_default(),
                response: last_response,
            }),
        }
    }
}

pub(in crate::webhooks) struct NewRow<'a> {
    pub id: WebhookConfigId,
    pub user: UserId,
    pub app: Option<WorkflowApiId>,
    pub name: &'a str,
    pub url: &'a str,
    pub kinds: &'a [i16],
    pub secret: &'a str,
    pub since: i64,
}

/// Locks a user's configs against concurrent inserts, and counts those of this app or account.
pub(in crate::webhooks) async fn lock_and_count(
    tx: &mut PgConnection,
    user: UserId,
    app: Option<WorkflowApiId>,
) -> sqlx::Result<i64> {
    sqlx::query!(r#"SELECT 1 AS "locked!" FROM users WHERE id = $1 FOR UPDATE"#, user.0)
        .fetch_optional(&mut *tx)
        .await?;
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM webhook_configs
           WHERE user_id = $1 AND workflow_api_id IS NOT DISTINCT FROM $2"#,
        user.0,
        app.map(|id| id.0),
    )
    .fetch_one(tx)
    .await
}

pub(in crate::webhooks) async fn insert(
    tx: &mut PgConnection,
    _: &WritePermit,
    row: &NewRow<'_>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO webhook_configs (id, user_id, workflow_api_id, name, url, kinds, secret, created_at, updated_at, since)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)",
        row.id.0,
        row.user.0,
        row.app.map(|id| id.0),
        row.name,
        row.url,
        row.kinds,
        row.secret,
        now,
        row.since,
    )
    .execute(tx)
    .await?;
    Ok(())
}

const SHOWN: &str = "SELECT c.id, c.user_id, c.workflow_api_id, c.name, c.url, c.kinds, c.created_at, c.updated_at,
            c.disabled_at, c.disabled_why, c.failing_since,
            (SELECT count(*) FROM (SELECT 1 FROM webhook_deliveries d WHERE d.config_id = c.id AND d.state = 0
                                   LIMIT 1000) open) AS waiting,
            l.attempt_at AS last_at, l.is_success AS last_success, l.response AS last_response
     FROM webhook_configs c
     LEFT JOIN LATERAL (SELECT attempt_at, is_success, response FROM webhook_attempts a WHERE a.config_id = c.id
                        ORDER BY a.id DESC LIMIT 1) l ON true";

/// A user's configs of an app, or the account-wide ones, in order of creation.
pub(in crate::webhooks) async fn of(
    db: &PgPool,
    user: UserId,
    app: Option<WorkflowApiId>,
) -> sqlx::Result<Vec<Config>> {
    let sql = format!("{SHOWN} WHERE c.user_id = $1 AND c.workflow_api_id IS NOT DISTINCT FROM $2 ORDER BY c.id");
    let rows: Vec<Row> =
        sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(user.0).bind(app.map(|id| id.0)).fetch_all(db).await?;
    Ok(rows.into_iter().map(Config::from).collect())
}

pub(in crate::webhooks) async fn find(db: &PgPool, id: WebhookConfigId) -> sqlx::Result<Option<Config>> {
    let sql = format!("{SHOWN} WHERE c.id = $1");
    let row: Option<Row> = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(id.0).fetch_optional(db).await?;
    Ok(row.map(Config::from))
}

/// Changes what is given. What is known of the old address does not hold for another one.
pub(in crate::webhooks) async fn update(
    db: &PgPool,
    _: &WritePermit,
    id: WebhookConfigId,
    (name, url, kinds): (Option<&str>, Option<&str>, Option<&[i16]>),
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE webhook_configs
         SET name = coalesce($2, name), url = coalesce($3, url), kinds = coalesce($4, kinds), updated_at = $5,
             failing_since = CASE WHEN $3 <> url THEN NULL ELSE failing_since END,
             failures = CASE WHEN $3 <> url THEN 0 ELSE failures END,
             paused_until = CASE WHEN $3 <> url THEN NULL ELSE paused_until END,
             due_at = CASE WHEN $3 <> url THEN least(due_at, $5) ELSE due_at END
         WHERE id = $1",
        id.0,
        name,
        url,
        kinds,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub(in crate::webhooks) async fn delete(db: &PgPool, id: WebhookConfigId) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH attempts AS (DELETE FROM webhook_attempts WHERE config_id = $1) DELETE FROM webhook_configs WHERE id = $1",
        id.0,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Sets a new secret; the old one signs beside it until a time. Of the secrets before it, those stay that sign now, up to
/// `most`.
pub(in crate::webhooks) async fn set_secret(
    db: &PgPool,
    _: &WritePermit,
    id: WebhookConfigId,
    (secret, old_until): (&str, DateTime<Utc>),
    (now, most): (DateTime<Utc>, i64),
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE webhook_configs
         SET old_secret = secret, old_until = $3, secret = $2,
             older_secrets = ARRAY(
                SELECT o.secret FROM unnest(array_prepend(old_secret, older_secrets), array_prepend(old_until, older_until))
                  AS o(secret, until) WHERE o.until > $4 ORDER BY o.until DESC LIMIT $5),
             older_until = ARRAY(
                SELECT o.until FROM unnest(array_prepend(old_until, older_until)) AS o(until)
                WHERE o.until > $4 ORDER BY o.until DESC LIMIT $5)
         WHERE id = $1",
        id.0,
        secret,
        old_until,
        now,
        most,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Enables a config from now on: waiting deliveries are sent, events from while it was disabled are not.
pub(in crate::webhooks) async fn enable(
    db: &PgPool,
    _: &WritePermit,
    id: WebhookConfigId,
    since: i64,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE webhook_configs
         SET disabled_at = NULL, disabled_why = NULL, failing_since = NULL, failures = 0, paused_until = NULL,
             since = greatest(since, $2), due_at = now()
         WHERE id = $1 AND disabled_at IS NOT NULL",
        id.0,
        since,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes all configs of a user.
pub(in crate::webhooks) async fn forget(db: &PgPool, user: UserId) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH gone AS (DELETE FROM webhook_configs WHERE user_id = $1 RETURNING id)
         DELETE FROM webhook_attempts a USING gone WHERE a.config_id = gone.id",
        user.0,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes configs of workflow APIs that were deleted before a time, by themselves or with their workflow.
pub(in crate::webhooks) async fn forget_of_deleted_apis(
    db: &PgPool,
    before: DateTime<Utc>,
    most: i64,
) -> sqlx::Result<u64> {
    let deleted = sqlx::query_scalar!(
        r#"WITH gone AS (
            DELETE FROM webhook_configs WHERE id IN (
                SELECT c.id FROM webhook_configs c
                JOIN workflow_apis a ON a.id = c.workflow_api_id
                JOIN workflows w ON w.id = a.workflow_id
                WHERE least(a.deleted_at, w.deleted_at) < $1 LIMIT $2
            ) RETURNING id
         ), attempts AS (
            DELETE FROM webhook_attempts a USING gone WHERE a.config_id = gone.id
         )
         SELECT count(*) AS "count!" FROM gone"#,
        before,
        most,
    )
    .fetch_one(db)
    .await?;
    Ok(u64::try_from(deleted).unwrap_or(0))
}

/// A config as the fan-out needs it.
#[derive(Debug, Clone)]
pub(in crate::webhooks) struct Subscriber {
    pub id: WebhookConfigId,
    pub user: UserId,
    pub app: Option<WorkflowApiId>,
    pub kinds: Vec<i16>,
    pub since: i64,
}

/// The enabled configs of these users.
pub(in crate::webhooks) async fn subscribers(tx: &mut PgConnection, users: &[Uuid]) -> sqlx::Result<Vec<Subscriber>> {
    let rows = sqlx::query!(
        "SELECT id, user_id, workflow_api_id, kinds, since FROM webhook_configs
         WHERE user_id = ANY($1) AND disabled_at IS NULL ORDER BY id",
        users,
    )
    .fetch_all(tx)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Subscriber {
            id: WebhookConfigId(row.id),
            user: UserId(row.user_id),
            app: row.workflow_api_id.map(WorkflowApiId),
            kinds: row.kinds,
            since: row.since,
        })
        .collect())
}

/// Users with a config for progress events.
pub(in crate::webhooks) async fn progress_subscribers(db: &PgPool) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!("SELECT DISTINCT user_id FROM webhook_configs WHERE disabled_at IS NULL AND 5 = ANY (kinds)",)
        .fetch_all(db)
        .await
}
