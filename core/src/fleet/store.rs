//! SQL of workers, their capabilities, and nodes.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::types::Json;
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use super::agents::agent::AgentStatus;
use super::capabilities::Capabilities;
use super::messages::WorkerConfig;
use super::ownership::share::{LivingNode, Tunnel};
use super::worker::NewWorker;
use crate::ids::{NodeId, WorkerId};

/// Adds a worker, or updates address and pool of the worker with this name. `None` if an agent connects that one.
pub(super) async fn insert(
    db: impl PgExecutor<'_>,
    new: &NewWorker,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<WorkerId>> {
    let id = sqlx::query_scalar!(
        "INSERT INTO workers (id, name, url, pool, home, created_at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (coalesce(home, ''), name) DO UPDATE SET url = EXCLUDED.url, pool = EXCLUDED.pool
           WHERE NOT EXISTS (SELECT FROM agents a WHERE a.worker_id = workers.id)
         RETURNING id",
        WorkerId::new().0,
        new.name,
        new.url,
        new.pool,
        new.home,
        now,
    )
    .fetch_optional(db)
    .await?;
    Ok(id.map(WorkerId))
}

/// The name of another worker at this address, among those that every node can reach. The lock keeps others from adding
/// one there until the transaction ends.
pub(super) async fn at_address(tx: &mut PgConnection, name: &str, url: &str) -> sqlx::Result<Option<String>> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended(lower($1), 0))", url).fetch_one(&mut *tx).await?;
    let other = sqlx::query_scalar!(
        "SELECT name FROM workers WHERE lower(url) = lower($2) AND name <> $1 AND home IS NULL LIMIT 1",
        name,
        url,
    );
    other.fetch_optional(tx).await
}

/// A worker's row, with its agent.
#[derive(Debug, Clone)]
pub(super) struct WorkerRow {
    pub config: WorkerConfig,
    /// See [`NewWorker::home`].
    pub home: Option<String>,
    pub owner: Option<NodeId>,
    pub draining: bool,
    /// As its owner last reported.
    pub connected: bool,
    pub reason: Option<String>,
    pub unanswered_since: Option<DateTime<Utc>>,
    /// Its reported capabilities.
    pub capabilities: Option<CapabilityKey>,
    /// Set while a requested refresh is pending.
    pub asked_at: Option<DateTime<Utc>>,
    /// The node that its agent is connected to.
    pub tunnel: Tunnel,
    pub agent: Option<AgentStatus>,
}

/// Key of reported capabilities: the hash of nodes and models, and ComfyUI's version.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct CapabilityKey {
    pub hash: String,
    pub version: Option<String>,
}

/// The state of a connection, for the other nodes.
#[derive(Debug)]
pub(super) struct ConnectionStatus {
    pub worker: WorkerId,
    pub connected: bool,
    pub reason: Option<String>,
    pub unanswered_since: Option<DateTime<Utc>>,
}

pub(super) async fn workers(db: &PgPool) -> sqlx::Result<Vec<WorkerRow>> {
    let rows = sqlx::query!(
        r#"SELECT w.id, w.name, w.url, w.pool, w.paused, w.home, w.owner, w.connected, w.reason, w.unanswered_since,
                  w.draining OR coalesce(a.leaving, false) AS "draining!",
                  CASE WHEN w.answered_at IS DISTINCT FROM w.asked_at THEN w.asked_at END AS asked_at,
                  c.hash AS "hash?", c.version, a.worker_id AS "agent?", a.tunnel, a.note,
                  EXISTS (SELECT FROM nodes n WHERE n.id = a.tunnel) AS "tunneled!"
           FROM workers w LEFT JOIN worker_capabilities c ON c.worker_id = w.id
             LEFT JOIN agents a ON a.worker_id = w.id
           ORDER BY w.id"#
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| WorkerRow {
            config: WorkerConfig {
                id: WorkerId(row.id),
                name: row.name,
                url: row.url,
                pool: row.pool,
                paused: row.paused,
            },
            home: row.home,
            owner: row.owner.map(NodeId),
            draining: row.draining,
            connected: row.connected,
            reason: row.reason,
            unanswered_since: row.unanswered_since,
            capabilities: row.hash.map(|hash| CapabilityKey { hash, version: row.version }),
            asked_at: row.asked_at,
            tunnel: match (row.agent, row.tunnel) {
                (None, _) => Tunnel::None,
                (Some(_), None) => Tunnel::Down,
                (Some(_), Some(node)) => Tunnel::At(NodeId(node)),
            },
            agent: row.agent.map(|_| AgentStatus { connected: row.tunneled, note: row.note }),
        })
        .collect())
}

/// Object info and models by their hash.
pub(super) async fn capability_sets(
    db: &PgPool,
    hashes: &[String],
) -> sqlx::Result<Vec<(String, Value, BTreeMap<String, BTreeSet<String>>)>> {
    let rows = sqlx::query!(
        r#"SELECT hash, object_info, models AS "models: Json<BTreeMap<String, BTreeSet<String>>>"
           FROM capability_sets WHERE hash = ANY($1)"#,
        hashes,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.hash, row.object_info, row.models.0)).collect())
}

/// The architectures that headers of model files name, or their sizes, by folder and file.
pub(super) async fn model_headers(db: &PgPool) -> sqlx::Result<Vec<((String, String), String)>> {
    let rows = sqlx::query!("SELECT folder, file, architecture FROM model_headers").fetch_all(db).await?;
    Ok(rows.into_iter().map(|row| ((row.folder, row.file), row.architecture)).collect())
}

/// Makes this node the owner of these workers, except those that a living node owns.
pub(super) async fn take(db: &PgPool, node: NodeId, workers: &[WorkerId]) -> sqlx::Result<u64> {
    let ids: Vec<Uuid> = workers.iter().map(|worker| worker.0).collect();
    let done = sqlx::query!(
        "UPDATE workers w SET owner = $1, connected = false, reason = NULL, unanswered_since = NULL
         WHERE id = ANY($2) AND owner IS DISTINCT FROM $1 AND NOT EXISTS (SELECT FROM nodes WHERE id = w.owner)",
        node.0,
        &ids,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

/// Releases those of these workers that this node owns.
pub(super) async fn release(db: &PgPool, node: NodeId, workers: &[WorkerId]) -> sqlx::Result<()> {
    let ids: Vec<Uuid> = workers.iter().map(|worker| worker.0).collect();
    sqlx::query!(
        "UPDATE workers SET owner = NULL, connected = false, reason = NULL, unanswered_since = NULL
         WHERE id = ANY($2) AND owner = $1",
        node.0,
        &ids,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Saves the state of the connections that this node still owns, for the other nodes.
pub(super) async fn update_connections(db: &PgPool, node: NodeId, changed: &[ConnectionStatus]) -> sqlx::Result<()> {
    let ids: Vec<Uuid> = changed.iter().map(|status| status.worker.0).collect();
    let connected: Vec<bool> = changed.iter().map(|status| status.connected).collect();
    let reasons: Vec<Option<&str>> = changed.iter().map(|status| status.reason.as_deref()).collect();
    let unanswered: Vec<Option<DateTime<Utc>>> = changed.iter().map(|status| status.unanswered_since).collect();
    sqlx::query!(
        "UPDATE workers SET connected = told.connected, reason = told.reason, unanswered_since = told.unanswered_since
         FROM UNNEST($2::uuid[], $3::boolean[], $4::text[], $5::timestamptz[])
           AS told(id, connected, reason, unanswered_since)
         WHERE workers.id = told.id AND owner = $1",
        node.0,
        &ids,
        &connected,
        &reasons as &[Option<&str>],
        &unanswered as &[Option<DateTime<Utc>>],
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Requests a refresh of these workers from their owners.
pub(super) async fn request_refresh(db: &PgPool, workers: &[WorkerId]) -> sqlx::Result<()> {
    let ids: Vec<Uuid> = workers.iter().map(|worker| worker.0).collect();
    sqlx::query!("UPDATE workers SET asked_at = clock_timestamp() WHERE id = ANY($1)", &ids).execute(db).await?;
    Ok(())
}

/// How many of these workers have a pending refresh.
pub(super) async fn pending_refreshes(db: &PgPool, workers: &[WorkerId]) -> sqlx::Result<i64> {
    let ids: Vec<Uuid> = workers.iter().map(|worker| worker.0).collect();
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM workers WHERE id = ANY($1) AND answered_at IS DISTINCT FROM asked_at"#,
        &ids,
    )
    .fetch_one(db)
    .await
}

/// Marks the refresh that was requested at `asked_at` as done.
pub(super) async fn record_refresh(db: &PgPool, worker: WorkerId, asked_at: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE workers SET answered_at = $2 WHERE id = $1", worker.0, asked_at).execute(db).await?;
    Ok(())
}

pub(super) async fn save_capabilities(
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
    let told = capabilities.architectures.iter().filter(|(_, architecture)| !architecture.is_empty());
    let (files, architectures): (Vec<&(String, String)>, Vec<&str>) =
        told.map(|(file, architecture)| (file, architecture.as_str())).unzip();
    if files.is_empty() {
        return Ok(());
    }
    let (folders, files): (Vec<&str>, Vec<&str>) =
        files.into_iter().map(|(folder, file)| (folder.as_str(), file.as_str())).unzip();
    sqlx::query!(
        "INSERT INTO model_headers (folder, file, architecture, seen_at)
         SELECT folder, file, architecture, $4 FROM UNNEST($1::text[], $2::text[], $3::text[])
           AS told(folder, file, architecture)
         ON CONFLICT (folder, file) DO UPDATE SET architecture = EXCLUDED.architecture, seen_at = $4",
        &folders as &[&str],
        &files as &[&str],
        &architectures as &[&str],
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Sets `paused` and `draining`; `None` leaves a flag as it is. `false` for an unknown worker.
pub(super) async fn set_duty(
    tx: &mut PgConnection,
    worker: WorkerId,
    paused: Option<bool>,
    draining: Option<bool>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE workers SET paused = coalesce($2, paused), draining = coalesce($3, draining) WHERE id = $1",
        worker.0,
        paused,
        draining,
    )
    .execute(tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// `false` for an unknown worker.
pub(super) async fn remove(tx: &mut PgConnection, worker: WorkerId) -> sqlx::Result<bool> {
    sqlx::query!("DELETE FROM worker_capabilities WHERE worker_id = $1", worker.0).execute(&mut *tx).await?;
    let done = sqlx::query!("DELETE FROM workers WHERE id = $1", worker.0).execute(tx).await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes the workers that only this node can reach, except the named ones.
pub(super) async fn remove_from_home(db: &PgPool, instance: &str, but: &[String]) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH gone AS (DELETE FROM workers WHERE home = $1 AND NOT name = ANY($2) RETURNING id)
         DELETE FROM worker_capabilities WHERE worker_id IN (SELECT id FROM gone)",
        instance,
        but,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes the workers that only a lost node could reach.
pub(super) async fn remove_homeless(db: &PgPool) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH gone AS (
           DELETE FROM workers WHERE home IS NOT NULL AND NOT home IN (SELECT instance FROM nodes) RETURNING id)
         DELETE FROM worker_capabilities WHERE worker_id IN (SELECT id FROM gone)"
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Registers a node under its name; `false` if a living node has the name.
pub(super) async fn register_node(
    db: &PgPool,
    node: NodeId,
    name: &str,
    weight: i32,
    lease_seconds: f64,
) -> sqlx::Result<bool> {
    sqlx::query!(
        "DELETE FROM nodes WHERE instance = $2 AND id <> $1 AND heartbeat_at < clock_timestamp() - make_interval(secs => $3)",
        node.0,
        name,
        lease_seconds,
    )
    .execute(db)
    .await?;
    let done = sqlx::query!(
        "INSERT INTO nodes AS n (id, instance, weight, started_at, heartbeat_at)
         VALUES ($1, $2, $3, clock_timestamp(), clock_timestamp())
         ON CONFLICT (instance) DO UPDATE SET heartbeat_at = clock_timestamp(), alive_since = clock_timestamp()
         WHERE n.id = excluded.id",
        node.0,
        name,
        weight,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The node with this name, and its last heartbeat.
pub(super) async fn node_by_name(db: &PgPool, name: &str) -> sqlx::Result<Option<(NodeId, DateTime<Utc>)>> {
    let row = sqlx::query!("SELECT id, heartbeat_at FROM nodes WHERE instance = $1", name).fetch_optional(db).await?;
    Ok(row.map(|row| (NodeId(row.id), row.heartbeat_at)))
}

/// Sends a heartbeat and returns the database's time. After a gap longer than a lease the node counts as newly started.
/// `None` if the others have removed it.
pub(super) async fn heartbeat(db: &PgPool, node: NodeId, lease_seconds: f64) -> sqlx::Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar!(
        "UPDATE nodes SET heartbeat_at = clock_timestamp(),
           alive_since = CASE WHEN heartbeat_at < clock_timestamp() - make_interval(secs => $2)
                              THEN clock_timestamp() ELSE alive_since END
         WHERE id = $1 RETURNING heartbeat_at",
        node.0,
        lease_seconds,
    )
    .fetch_optional(db)
    .await
}

pub(super) async fn unregister_node(db: &PgPool, node: NodeId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM nodes WHERE id = $1", node.0).execute(db).await?;
    Ok(())
}

/// Deletes nodes that have been silent for a lease, and returns their number. Only a node that has itself sent
/// heartbeats for that long may do so: after a database outage every node looks silent.
pub(super) async fn remove_silent_nodes(db: &PgPool, node: NodeId, lease_seconds: f64) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM nodes WHERE id <> $1 AND heartbeat_at < clock_timestamp() - make_interval(secs => $2)
         AND EXISTS (SELECT FROM nodes WHERE id = $1 AND alive_since < clock_timestamp() - make_interval(secs => $2))",
        node.0,
        lease_seconds,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

/// The living nodes, by start.
pub(super) async fn nodes(db: &PgPool) -> sqlx::Result<Vec<LivingNode>> {
    let rows = sqlx::query!("SELECT id, instance, weight FROM nodes ORDER BY id").fetch_all(db).await?;
    Ok(rows
        .into_iter()
        .map(|row| LivingNode {
            id: NodeId(row.id),
            instance: row.instance,
            weight: u32::try_from(row.weight).unwrap_or(0),
        })
        .collect())
}
