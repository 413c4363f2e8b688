//! SQL of agents and their tokens.

use chrono::{DateTime, Utc};
use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};

use super::agent::{AgentConnection, AgentFacts, AgentRefusal, AgentView};
use super::token::AgentToken;
use crate::ids::{AgentTokenId, NodeId, WorkerId};

/// Limits the damage of a leaked token.
const AGENTS_PER_TOKEN: i64 = 500;

pub(super) async fn insert_token(tx: &mut PgConnection, token: &AgentToken, hash: &[u8; 32]) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO agent_tokens (id, name, pools, prefix, token_hash, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
        token.id.0,
        token.name,
        &token.pools,
        token.prefix,
        hash.as_slice(),
        token.created_at,
    )
    .execute(tx)
    .await?;
    Ok(())
}

pub(super) async fn tokens(db: &PgPool) -> sqlx::Result<Vec<AgentToken>> {
    sqlx::query_as!(
        AgentToken,
        r#"SELECT id, name, pools, prefix, created_at, last_used_at, revoked_at,
                  (SELECT count(*) FROM agents a WHERE a.token_id = t.id AND a.removed_at IS NOT NULL) AS "removed_agents!"
           FROM agent_tokens t ORDER BY revoked_at IS NOT NULL, id DESC LIMIT 500"#
    )
    .fetch_all(db)
    .await
}

/// The valid token with this hash, and its pools.
pub(super) async fn find_token(db: &PgPool, hash: &[u8; 32]) -> sqlx::Result<Option<(AgentTokenId, Vec<String>)>> {
    let row = sqlx::query!(
        "SELECT id, pools FROM agent_tokens WHERE token_hash = $1 AND revoked_at IS NULL",
        hash.as_slice()
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| (AgentTokenId(row.id), row.pools)))
}

/// Revokes a token, and returns its name.
pub(super) async fn revoke_token(
    tx: &mut PgConnection,
    id: AgentTokenId,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        "UPDATE agent_tokens SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1 RETURNING name",
        id.0,
        now,
    )
    .fetch_optional(tx)
    .await
}

/// The name of a token that is not revoked.
pub(super) async fn name_of_valid(tx: &mut PgConnection, id: AgentTokenId) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!("SELECT name FROM agent_tokens WHERE id = $1 AND revoked_at IS NULL FOR UPDATE", id.0)
        .fetch_optional(tx)
        .await
}

/// Forgets that workers of this token were removed, and returns their number.
pub(super) async fn readmit(tx: &mut PgConnection, id: AgentTokenId) -> sqlx::Result<u64> {
    let done = sqlx::query!("DELETE FROM agents WHERE token_id = $1 AND removed_at IS NOT NULL", id.0);
    Ok(done.execute(tx).await?.rows_affected())
}

/// The agents of existing workers. Models are included only for the given worker.
pub(super) async fn agents(db: &PgPool, worker: Option<WorkerId>) -> sqlx::Result<Vec<AgentView>> {
    let rows = sqlx::query!(
        r#"SELECT a.worker_id, a.name, t.name AS token, n.id AS "node?", a.connected_at, a.note,
                  CASE WHEN $1::uuid IS NULL THEN a.facts - 'models' ELSE a.facts END AS "facts!: Json<AgentFacts>"
           FROM agents a JOIN agent_tokens t ON t.id = a.token_id LEFT JOIN nodes n ON n.id = a.tunnel
           WHERE a.removed_at IS NULL AND ($1::uuid IS NULL OR a.worker_id = $1) ORDER BY a.name LIMIT 5000"#,
        worker.map(|worker| worker.0),
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| AgentView {
            worker: WorkerId(row.worker_id),
            name: row.name,
            token: row.token,
            node: row.node.map(NodeId),
            connected_at: row.connected_at,
            note: row.note,
            facts: row.facts.0,
        })
        .collect())
}

/// An agent that asks to be registered.
pub(super) struct AgentRegistration<'a> {
    pub name: &'a str,
    pub url: &'a str,
    pub pool: &'a str,
    pub identity: [u8; 32],
    pub token: AgentTokenId,
    pub run: &'a str,
    pub node: NodeId,
    pub facts: AgentFacts,
    pub now: DateTime<Utc>,
}

/// Registers an agent: as its earlier worker where its identity is known, else as a new one.
pub(super) async fn register(
    tx: &mut PgConnection,
    new: &AgentRegistration<'_>,
) -> sqlx::Result<Result<WorkerId, AgentRefusal>> {
    // The row lock serializes this with a revocation of the token.
    let valid = sqlx::query!(
        "UPDATE agent_tokens SET last_used_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id",
        new.token.0,
        new.now,
    );
    if valid.fetch_optional(&mut *tx).await?.is_none() {
        return Ok(Err(AgentRefusal::Token));
    }
    let known = sqlx::query!(
        r#"SELECT a.worker_id, a.identity_hash = $2 AS "is_it!", a.run = $3 AS "same_run!",
                  a.removed_at IS NOT NULL AS "removed!",
                  EXISTS (SELECT FROM nodes n WHERE n.id = a.tunnel) AS "connected!"
           FROM agents a WHERE a.name = $1 ORDER BY a.removed_at IS NOT NULL DESC LIMIT 1 FOR UPDATE"#,
        new.name,
        new.identity.as_slice(),
        new.run,
    )
    .fetch_optional(&mut *tx)
    .await?;
    let worker = match known {
        Some(known) if known.removed => return Ok(Err(AgentRefusal::Removed)),
        Some(known) if !known.is_it => return Ok(Err(AgentRefusal::NameTaken)),
        // The same process reconnects before this node noticed the loss. Any other process is a copy, or is too early.
        Some(known) if known.connected && !known.same_run => return Ok(Err(AgentRefusal::Connected)),
        Some(known) => known.worker_id,
        None => {
            let agents = sqlx::query_scalar!(
                r#"SELECT count(*) AS "count!" FROM agents WHERE token_id = $1 AND removed_at IS NULL"#,
                new.token.0
            );
            if agents.fetch_one(&mut *tx).await? >= AGENTS_PER_TOKEN {
                return Ok(Err(AgentRefusal::TooMany));
            }
            let made = sqlx::query_scalar!(
                "INSERT INTO workers (id, name, url, pool, created_at) VALUES ($1, $2, $3, $4, $5)
                 ON CONFLICT DO NOTHING RETURNING id",
                WorkerId::new().0,
                new.name,
                new.url,
                new.pool,
                new.now,
            );
            match made.fetch_optional(&mut *tx).await? {
                Some(worker) => worker,
                None => return Ok(Err(AgentRefusal::NameTaken)),
            }
        }
    };
    sqlx::query!("UPDATE workers SET pool = $2 WHERE id = $1", worker, new.pool).execute(&mut *tx).await?;
    sqlx::query!(
        "INSERT INTO agents (worker_id, name, identity_hash, token_id, run, tunnel, connected_at, facts)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (worker_id) DO UPDATE SET token_id = $4, run = $5, tunnel = $6, connected_at = $7, facts = $8,
           leaving = false, note = NULL",
        worker,
        new.name,
        new.identity.as_slice(),
        new.token.0,
        new.run,
        new.node.0,
        new.now,
        Json(&new.facts) as _,
    )
    .execute(tx)
    .await?;
    Ok(Ok(WorkerId(worker)))
}

pub(super) async fn other_names(tx: &mut PgConnection, name: &str) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!("SELECT name FROM workers WHERE name <> $1", name).fetch_all(tx).await
}

pub(super) async fn check(
    db: &PgPool,
    node: NodeId,
    agent: &AgentConnection,
) -> sqlx::Result<Result<(), AgentRefusal>> {
    let row = sqlx::query!(
        r#"SELECT a.removed_at IS NOT NULL AS "removed!", t.revoked_at IS NOT NULL AS "revoked!",
                  a.tunnel IS NOT DISTINCT FROM $2 AND a.run = $3 AS "here!"
           FROM agents a JOIN agent_tokens t ON t.id = a.token_id WHERE a.worker_id = $1"#,
        agent.worker.0,
        node.0,
        agent.run,
    )
    .fetch_optional(db)
    .await?;
    Ok(match row {
        None => Err(AgentRefusal::Removed),
        Some(row) if row.removed => Err(AgentRefusal::Removed),
        Some(row) if row.revoked => Err(AgentRefusal::Token),
        Some(row) if !row.here => Err(AgentRefusal::Elsewhere),
        Some(_) => Ok(()),
    })
}

pub(super) async fn update_facts(
    db: &PgPool,
    node: NodeId,
    agent: &AgentConnection,
    facts: &AgentFacts,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE agents SET facts = $4 WHERE worker_id = $1 AND tunnel = $2 AND run = $3",
        agent.worker.0,
        node.0,
        agent.run,
        Json(facts) as _,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub(super) async fn update_note(
    db: &PgPool,
    node: NodeId,
    agent: &AgentConnection,
    note: Option<&str>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE agents SET note = $4 WHERE worker_id = $1 AND tunnel = $2 AND run = $3",
        agent.worker.0,
        node.0,
        agent.run,
        note,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub(super) async fn set_leaving(db: &PgPool, node: NodeId, agent: &AgentConnection) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE agents SET leaving = true WHERE worker_id = $1 AND tunnel = $2 AND run = $3",
        agent.worker.0,
        node.0,
        agent.run,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub(super) async fn disconnect(db: &PgPool, node: NodeId, agent: &AgentConnection) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE agents SET tunnel = NULL WHERE worker_id = $1 AND tunnel = $2 AND run = $3",
        agent.worker.0,
        node.0,
        agent.run,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The worker is removed: its agent is not admitted again.
pub(in crate::fleet) async fn remove(tx: &mut PgConnection, worker: WorkerId) -> sqlx::Result<()> {
    sqlx::query!("UPDATE agents SET removed_at = now(), tunnel = NULL WHERE worker_id = $1", worker.0)
        .execute(tx)
        .await?;
    Ok(())
}
