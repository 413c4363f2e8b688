//! SQL of workers, their capabilities, and nodes.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::types::Json;
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use super::agents::agent::AgentStanding;
use super::messages::{Capabilities, WorkerConfig};
use super::ownership::share::{LivingNode, Tunnel};
use super::worker::NewWorker;
use crate::ids::{NodeId, WorkerId};

/// Adds a worker, or gives the one of that name its new address and pool. `None` where that one is an agent's.
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

/// The name of another worker at this address, of those that every node reaches. Until the transaction ends nobody else adds one
/// there.
pub(super) async fn at_address(tx: &mut PgConnection, name: &str, url: &str) -> sqlx::Result<Option<String>> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended(lower($1), 0))", url).fetch_one(&mut *tx).await?;
    let other = sqlx::query_scalar!(
        "SELECT name FROM workers WHERE lower(url) = lower($2) AND name <> $1 AND home IS NULL LIMIT 1",
        name,
        url,
    );
    other.fetch_optional(tx).await
}

/// A worker as the installation knows it.
#[derive(Debug, Clone)]
pub(super) struct WorkerRow {
    pub config: WorkerConfig,
    /// See [`NewWorker::home`].
    pub home: Option<String>,
    pub owner: Option<NodeId>,
    pub draining: bool,
    /// As its owner last said.
    pub connected: bool,
    pub reason: Option<String>,
    pub unanswered_since: Option<DateTime<Utc>>,
    /// What it said it can do.
    pub can: Option<Said>,
    /// When somebody wanted to hear that again, where its owner has not asked it yet.
    pub asked_at: Option<DateTime<Utc>>,
    /// The node that alone can reach it, where an agent connects it.
    pub tunnel: Tunnel,
    pub agent: Option<AgentStanding>,
}

/// What a worker said it can do: the hash of its nodes and models, and its version.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Said {
    pub hash: String,
    pub version: Option<String>,
}

/// How the connection to a worker stands, for the other nodes.
#[derive(Debug)]
pub(super) struct Told {
    pub worker: WorkerId,
    pub connected: bool,
    pub reason: Option<String>,
    pub unanswered_since: Option<DateTime<Utc>>,
}

/// All workers of the installation.
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
            can: row.hash.map(|hash| Said { hash, version: row.version }),
            asked_at: row.asked_at,
            tunnel: match (row.agent, row.tunnel) {
                (None, _) => Tunnel::None,
                (Some(_), None) => Tunnel::Down,
                (Some(_), Some(node)) => Tunnel::At(NodeId(node)),
            },
            agent: row.agent.map(|_| AgentStanding { connected: row.tunneled, note: row.note }),
        })
        .collect())
}

/// What workers can do that said so in these words, by the hash of them.
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

/// Makes this node the owner of those of these workers that no living node owns.
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

/// Gives up those of these workers that this node owns.
pub(super) async fn give(db: &PgPool, node: NodeId, workers: &[WorkerId]) -> sqlx::Result<()> {
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

/// Tells the other nodes how the connections stand of those of these workers that this node still owns.
pub(super) async fn tell(db: &PgPool, node: NodeId, told: &[Told]) -> sqlx::Result<()> {
    let ids: Vec<Uuid> = told.iter().map(|told| told.worker.0).collect();
    let connected: Vec<bool> = told.iter().map(|told| told.connected).collect();
    let reasons: Vec<Option<&str>> = told.iter().map(|told| told.reason.as_deref()).collect();
    let unanswered: Vec<Option<DateTime<Utc>>> = told.iter().map(|told| told.unanswered_since).collect();
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

/// Wants their owners to ask these workers again what they can do.
pub(super) async fn ask(db: &PgPool, workers: &[WorkerId]) -> sqlx::Result<()> {
    let ids: Vec<Uuid> = workers.iter().map(|worker| worker.0).collect();
    sqlx::query!("UPDATE workers SET asked_at = clock_timestamp() WHERE id = ANY($1)", &ids).execute(db).await?;
    Ok(())
}

/// How many of these workers are still to be asked.
pub(super) async fn unanswered(db: &PgPool, workers: &[WorkerId]) -> sqlx::Result<i64> {
    let ids: Vec<Uuid> = workers.iter().map(|worker| worker.0).collect();
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM workers WHERE id = ANY($1) AND answered_at IS DISTINCT FROM asked_at"#,
        &ids,
    )
    .fetch_one(db)
    .await
}

/// A worker was asked, as was wanted then.
pub(super) async fn answered(db: &PgPool, worker: WorkerId, asked_at: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE workers SET answered_at = $2 WHERE id = $1", worker.0, asked_at).execute(db).await?;
    Ok(())
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

/// Keeps a worker out of work, or takes it back into it; what is `None` stays. `false` where there is none.
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

/// Forgets a worker. `false` where there is none.
pub(super) async fn remove(tx: &mut PgConnection, worker: WorkerId) -> sqlx::Result<bool> {
    sqlx::query!("DELETE FROM worker_capabilities WHERE worker_id = $1", worker.0).execute(&mut *tx).await?;
    let done = sqlx::query!("DELETE FROM workers WHERE id = $1", worker.0).execute(tx).await?;
    Ok(done.rows_affected() == 1)
}

/// Forgets the workers at home on an instance, but those of these names.
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

/// Forgets the workers at home where no node lives any more: nobody can reach them.
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

/// Registers a node under its name, which lives from now on; `false` where another one that lives has the name.
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

/// Who has a name, and the last sign of life that it gave.
pub(super) async fn named(db: &PgPool, name: &str) -> sqlx::Result<Option<(NodeId, DateTime<Utc>)>> {
    let row = sqlx::query!("SELECT id, heartbeat_at FROM nodes WHERE instance = $1", name).fetch_optional(db).await?;
    Ok(row.map(|row| (NodeId(row.id), row.heartbeat_at)))
}

/// Gives a sign of life, and tells the database's time; after a gap of more than a lease it counts as the first one.
/// `None` where the others have given the node up.
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

/// Forgets nodes that have given no sign of life for a lease, and tells how many. Only a node that has itself given them
/// for so long may say so: after the database was away, nobody has.
pub(super) async fn give_up_the_silent(db: &PgPool, node: NodeId, lease_seconds: f64) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM nodes WHERE heartbeat_at < clock_timestamp() - make_interval(secs => $2)
         AND EXISTS (SELECT FROM nodes WHERE id = $1 AND alive_since < clock_timestamp() - make_interval(secs => $2))",
        node.0,
        lease_seconds,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

/// The nodes that live, in the order in which they started.
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
