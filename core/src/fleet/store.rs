//! SQL of workers, their capabilities, and nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::{DateTime, Duration, Utc};
use serde_json::Value;
use sqlx::types::Json;
use sqlx::{PgConnection, PgExecutor, PgPool};

use super::messages::{Capabilities, WorkerConfig};
use super::worker::NewWorker;
use crate::graph::NodeDefinitions;
use crate::ids::{NodeId, WorkerId};

/// Adds a worker, or gives the one of that name its new address and pool.
pub(super) async fn insert(
    db: impl PgExecutor<'_>,
    instance: &str,
    new: &NewWorker,
    now: DateTime<Utc>,
) -> sqlx::Result<WorkerConfig> {
    let row = sqlx::query!(
        "INSERT INTO workers (id, name, url, pool, instance, created_at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (instance, name) DO UPDATE SET url = EXCLUDED.url, pool = EXCLUDED.pool
         RETURNING id, name, url, pool, paused",
        WorkerId::new().0,
        new.name,
        new.url,
        new.pool,
        instance,
        now,
    )
    .fetch_one(db)
    .await?;
    Ok(WorkerConfig { id: WorkerId(row.id), name: row.name, url: row.url, pool: row.pool, paused: row.paused })
}

/// The workers of an installation, with what each said it can do when it was last there.
pub(super) async fn load(db: &PgPool, instance: &str) -> sqlx::Result<Vec<(WorkerConfig, Option<Arc<Capabilities>>)>> {
    let rows = sqlx::query!(
        r#"SELECT w.id, w.name, w.url, w.pool, w.paused, c.version AS "version?", s.object_info AS "object_info?: Json<Value>",
                  s.models AS "models?: Json<BTreeMap<String, BTreeSet<String>>>"
           FROM workers w
           LEFT JOIN worker_capabilities c ON c.worker_id = w.id
           LEFT JOIN capability_sets s ON s.hash = c.hash
           WHERE w.instance = $1 ORDER BY w.id"#,
        instance,
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let config =
                WorkerConfig { id: WorkerId(row.id), name: row.name, url: row.url, pool: row.pool, paused: row.paused };
            let known = row.object_info.map(|object_info| {
                let definitions = Arc::new(NodeDefinitions::from_object_info(&object_info.0));
                let models = row.models.map(|models| models.0).unwrap_or_default();
                Arc::new(Capabilities::new(row.version, definitions, models))
            });
            (config, known)
        })
        .collect())
}

/// Keeps what a worker said it can do.
pub(super) async fn keep_capabilities(
    db: &PgPool,
    worker: WorkerId,
    hash: &str,
    capabilities: &Capabilities,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH kept AS (
            INSERT INTO capability_sets (hash, object_info, models, created_at) VALUES ($2, $3, $4, $6)
            ON CONFLICT (hash) DO NOTHING)
         INSERT INTO worker_capabilities (worker_id, hash, version, seen_at) VALUES ($1, $2, $5, $6)
         ON CONFLICT (worker_id) DO UPDATE SET hash = $2, version = $5, seen_at = $6",
        worker.0,
        hash,
        capabilities.definitions.to_object_info(),
        Json(&capabilities.models) as _,
        capabilities.version,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub(super) async fn set_paused(tx: &mut PgConnection, worker: WorkerId, paused: bool) -> sqlx::Result<()> {
    sqlx::query!("UPDATE workers SET paused = $2 WHERE id = $1", worker.0, paused).execute(tx).await?;
    Ok(())
}

pub(super) async fn remove(tx: &mut PgConnection, worker: WorkerId) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH forgotten AS (DELETE FROM worker_capabilities WHERE worker_id = $1) DELETE FROM workers WHERE id = $1",
        worker.0
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Registers a node and forgets older processes of the same installation, which cannot be alive beside it.
pub(super) async fn register_node(db: &PgPool, node: NodeId, instance: &str, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH gone AS (DELETE FROM nodes WHERE instance = $2 AND id <> $1)
         INSERT INTO nodes (id, instance, started_at, heartbeat_at) VALUES ($1, $2, $3, $3)",
        node.0,
        instance,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub(super) async fn heartbeat(db: &PgPool, node: NodeId, now: DateTime<Utc>) -> sqlx::Result<bool> {
    let done = sqlx::query!("UPDATE nodes SET heartbeat_at = $2 WHERE id = $1", node.0, now).execute(db).await?;
    Ok(done.rows_affected() == 1)
}

pub(super) async fn unregister_node(db: &PgPool, node: NodeId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM nodes WHERE id = $1", node.0).execute(db).await?;
    Ok(())
}

/// Forgets nodes without a recent heartbeat and lists the others.
pub(super) async fn living_nodes(db: &PgPool, now: DateTime<Utc>, lease_seconds: u64) -> sqlx::Result<Vec<NodeId>> {
    let lease = Duration::seconds(i64::try_from(lease_seconds).unwrap_or(i64::MAX));
    let oldest = now.checked_sub_signed(lease).unwrap_or(now);
    sqlx::query!("DELETE FROM nodes WHERE heartbeat_at < $1", oldest).execute(db).await?;
    let rows = sqlx::query_scalar!("SELECT id FROM nodes").fetch_all(db).await?;
    Ok(rows.into_iter().map(NodeId).collect())
}

/// What connected workers of a pool can do that belong to other installations.
pub(super) async fn connected_elsewhere(
    db: &PgPool,
    instance: &str,
    pool: &str,
    since: DateTime<Utc>,
) -> sqlx::Result<Vec<Capabilities>> {
    let rows = sqlx::query_scalar!(
        r#"SELECT DISTINCT s.object_info FROM workers w
           JOIN worker_capabilities c ON c.worker_id = w.id JOIN capability_sets s ON s.hash = c.hash
           WHERE w.instance <> $1 AND w.pool = $2 AND NOT w.paused AND c.seen_at > $3"#,
        instance,
        pool,
        since,
    )
    .fetch_all(db)
    .await?;
    let definitions = rows.iter().map(|object_info| Arc::new(NodeDefinitions::from_object_info(object_info)));
    Ok(definitions.map(|definitions| Capabilities::new(None, definitions, BTreeMap::new())).collect())
}

/// Notes that these workers are connected.
pub(super) async fn keep_seen(db: &PgPool, workers: &[WorkerId], now: DateTime<Utc>) -> sqlx::Result<()> {
    let ids: Vec<uuid::Uuid> = workers.iter().map(|worker| worker.0).collect();
    sqlx::query!("UPDATE worker_capabilities SET seen_at = $2 WHERE worker_id = ANY($1)", &ids, now)
        .execute(db)
        .await?;
    Ok(())
}

/// How many workers of a pool belong to other installations and were connected since.
pub(super) async fn count_elsewhere(
    db: &PgPool,
    instance: &str,
    pool: &str,
    since: DateTime<Utc>,
) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM workers w JOIN worker_capabilities c ON c.worker_id = w.id
           WHERE w.instance <> $1 AND w.pool = $2 AND NOT w.paused AND c.seen_at > $3"#,
        instance,
        pool,
        since,
    )
    .fetch_one(db)
    .await
}
