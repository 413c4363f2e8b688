//! SQL of the rounds of tasks.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use crate::ids::NodeId;

/// The last round of a task.
#[derive(Debug, Clone)]
pub(super) struct TaskRow {
    pub name: String,
    pub due_at: DateTime<Utc>,
    pub node_id: uuid::Uuid,
    pub lease_until: Option<DateTime<Utc>>,
    pub started_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
    pub done: i64,
    pub error: Option<String>,
    pub failures: i32,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct RoundResult<'a> {
    pub name: &'a str,
    pub node: NodeId,
    pub started_at: DateTime<Utc>,
    pub ended_at: DateTime<Utc>,
    /// When the next round is due.
    pub due_at: DateTime<Utc>,
    pub done: i64,
    pub error: Option<&'a str>,
}

/// Begins a round if it is due and no other node has the lease. An expired lease counts as a failed round.
pub(super) async fn claim(
    db: &PgPool,
    name: &str,
    node: NodeId,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO upkeep_tasks AS t (name, due_at, node_id, lease_until, started_at) VALUES ($1, $3, $2, $4, $3)
         ON CONFLICT (name) DO UPDATE
         SET node_id = $2, started_at = $3, lease_until = $4,
             failures = t.failures + CASE WHEN t.lease_until IS NULL THEN 0 ELSE 1 END
         WHERE t.due_at <= $3 AND (t.lease_until IS NULL OR t.lease_until <= $3)",
        name,
        node.0,
        now,
        until,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// When the next round may begin: it is due, and no node has the lease.
pub(super) async fn free_at(db: &PgPool, name: &str) -> sqlx::Result<Option<DateTime<Utc>>> {
    let at =
        sqlx::query_scalar!(r#"SELECT greatest(due_at, lease_until) AS "at!" FROM upkeep_tasks WHERE name = $1"#, name);
    at.fetch_optional(db).await
}

/// Writes the result of a round; returns when the next one is due. A round that was requested in between stays due.
pub(super) async fn end(db: &PgPool, result: RoundResult<'_>) -> sqlx::Result<Option<DateTime<Utc>>> {
    let RoundResult { name, node, started_at, ended_at, due_at, done, error } = result;
    let due_at = sqlx::query_scalar!(
        "INSERT INTO upkeep_tasks AS t (name, due_at, node_id, started_at, ended_at, done, error, failures)
         VALUES ($1, $5, $2, $3, $4, $6, $7, CASE WHEN $7::text IS NULL THEN 0 ELSE 1 END)
         ON CONFLICT (name) DO UPDATE
         SET node_id = $2, started_at = $3, ended_at = $4, done = $6, error = $7, lease_until = NULL,
             failures = CASE WHEN $7::text IS NULL THEN 0 ELSE t.failures + 1 END,
             due_at = CASE WHEN t.due_at > $3 AND t.lease_until IS NOT NULL THEN t.due_at ELSE $5 END
         WHERE t.lease_until IS NULL OR (t.node_id = $2 AND t.started_at = $3)
         RETURNING due_at",
        name,
        node.0,
        started_at,
        ended_at,
        due_at,
        done,
        error,
    );
    due_at.fetch_optional(db).await
}

/// Ends the current round of this node after a panic.
pub(super) async fn give_up(
    db: &PgPool,
    name: &str,
    node: NodeId,
    now: DateTime<Utc>,
    error: &str,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE upkeep_tasks SET lease_until = NULL, ended_at = greatest($3, started_at), error = $4, failures = failures + 1
         WHERE name = $1 AND node_id = $2 AND lease_until IS NOT NULL",
        name,
        node.0,
        now,
        error,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub(super) async fn make_due(tx: &mut sqlx::PgConnection, name: &str, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE upkeep_tasks SET due_at = $2 WHERE name = $1", name, now).execute(tx).await?;
    Ok(())
}

pub(super) async fn all(db: &PgPool) -> sqlx::Result<Vec<TaskRow>> {
    sqlx::query_as!(
        TaskRow,
        "SELECT name, due_at, node_id, lease_until, started_at, ended_at, done, error, failures FROM upkeep_tasks"
    )
    .fetch_all(db)
    .await
}
