//! Workers, pools, capabilities and assignment, for all nodes of the installation. This room knows job ids and report
//! recipients, not jobs.
//!
//! The `workers` crate owns the connections. It receives [`Assign`] and [`Stop`], answers with [`WorkerReport`]s to the
//! recipient of the assignment, and reports every change to the roster with [`WorkerChanged`].

mod actor;
mod agents;
mod assignments;
mod capabilities;
mod client_message;
#[cfg(test)]
pub mod factory;
mod member;
mod messages;
mod ownership;
mod refresh;
mod roster;
mod store;
#[cfg(test)]
mod tests;
mod undelivered;
mod worker;

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;

pub use actor::{Fleet, FleetChanged, FleetHandle};
pub use agents::agent::{
    AgentConnection, AgentFacts, AgentGpu, AgentHello, AgentModel, AgentRefusal, AgentStatus, AgentView,
};
pub use agents::token::{AgentToken, NewAgentToken};
pub use agents::{
    agent, agent_tokens, agents, check_agent, connect_agent, create_agent_token, disconnect_agent, drain_agent,
    is_agent_token, readmit_agents, record_agent_facts, record_agent_server, revoke_agent_token,
};
pub use capabilities::{Capabilities, SIZE_PREFIX};
pub use client_message::{ClientMessage, Retention};
pub use member::{FreeWorker, WorkerOwner};
pub use messages::{
    Assign, AssignMode, FleetCommand, InputFile, NodeOutput, NodeProgress, OutputItem, OutputKind, Preview, Refresh,
    ReportEvent, SHOWN_BYTES, Stop, StopScope, WorkerChanged, WorkerConfig, WorkerLink, WorkerReport, WorkerSpec,
    WorkerState, shown,
};
pub use ownership::{OwnershipChanges, clear, has_lease, ownership_check, reconcile, uncleared, wait_for_lease};
pub use refresh::{refresh, refresh_pools};
pub use roster::{FleetOffer, PoolAvailability, Roster, ValidationGroup};
pub use undelivered::{Undelivered, UndeliveredCode};
pub use worker::{NewWorker, WorkerAction, WorkerView};

use crate::audit::{self, Act, Action};
use crate::database;
use crate::ids::{NodeId, WorkerId};
use crate::{Caller, Code, Core, Error, Result, names, outbound};

/// What headers of the workers' model files say about their architecture, by folder and file; [`SIZE_PREFIX`] and the
/// size of a checkpoint whose header says nothing.
pub async fn model_headers(core: &Core) -> Result<HashMap<(String, String), String>> {
    Ok(store::model_headers(&core.db).await?.into_iter().collect())
}

/// Adds a worker, or updates address and pool of the worker with this name. The connection starts at once.
///
/// # Errors
/// [`Error::Forbidden`] for callers other than admins; [`Error::SessionRequired`] for an API key, because the address
/// is requested from within the operator's network; [`Error::Invalid`] for a bad address, name or pool;
/// [`Error::Refused`] with `WORKER_ADDRESS_CREDENTIALS` for an address that contains a user or password, and with
/// `WORKER_ADDRESS_TAKEN` if another worker has the address.
pub async fn add(core: &Core, caller: &Caller, new: NewWorker) -> Result<WorkerView> {
    let by = caller.must_be_admin_in_session()?;
    let name = names::trimmed(&new.name, 1..=60).filter(|name| !name.chars().any(names::is_hidden));
    let name = name.ok_or_else(|| Error::invalid("name", "must have 1 to 60 characters"))?;
    let url = worker::address(&new.url)?;
    if !core.settings.pools.iter().any(|pool| pool.name == new.pool) {
        return Err(Error::invalid("pool", "is not a pool of the configuration"));
    }
    let now = core.clock.now();
    let after = json!({ "name": name, "url": url, "pool": new.pool });
    let mut tx = database::begin(&core.db).await?;
    let new = NewWorker { name, url, ..new };
    let worker = put(&mut tx, &new, now).await?;
    audit::record(&mut tx, by, Act::new(Action::WorkerAdd, worker).after(after), now).await?;
    tx.commit().await?;
    ownership::remember_home_worker(core, &new).await;
    ownership::reconcile(core).await?;
    view(core, worker)
}

/// Refuses an address that another worker has: two connections to one ComfyUI server would treat it as two machines.
async fn put(tx: &mut PgConnection, new: &NewWorker, now: DateTime<Utc>) -> Result<WorkerId> {
    if new.home.is_none()
        && let Some(other) = store::at_address(tx, &new.name, &new.url).await?
    {
        return Err(Error::Refused {
            code: Code::WorkerAddressTaken,
            message: format!(
                "{} is the address of the worker {other}: remove that one first, or change it",
                outbound::without_credentials(&new.url)
            ),
            details: json!({ "name": other }),
        });
    }
    let worker = store::insert(tx, new, now).await?;
    worker.ok_or_else(|| Error::invalid("name", "is the name of a worker that an agent connects"))
}

/// # Errors
/// [`Error::Forbidden`] for callers other than admins.
pub fn list(core: &Core, caller: &Caller) -> Result<Vec<WorkerView>> {
    caller.must_be_admin()?.read_only();
    Ok(core.fleet.roster().views().into_iter().map(|view| ownership::with_node_name(core, view)).collect())
}

fn view(core: &Core, worker: WorkerId) -> Result<WorkerView> {
    let view = core.fleet.roster().view(worker).ok_or(Error::NotFound { what: "worker" })?;
    Ok(ownership::with_node_name(core, view))
}

/// Drains, pauses, resumes or removes a worker. The node that owns it applies the change within a second.
///
/// # Errors
/// [`Error::Forbidden`] for callers other than admins; [`Error::NotFound`] for an unknown worker.
pub async fn change(core: &Core, caller: &Caller, worker: WorkerId, change: WorkerAction) -> Result<()> {
    let by = caller.must_be_admin()?;
    let Some(view) = core.fleet.roster().view(worker) else { return Err(Error::NotFound { what: "worker" }) };
    let after = json!({ "name": view.name, "change": format!("{change:?}") });
    let mut tx = database::begin(&core.db).await?;
    let found = match change {
        WorkerAction::Drain => store::set_duty(&mut tx, worker, None, Some(true)).await?,
        WorkerAction::Pause => store::set_duty(&mut tx, worker, Some(true), None).await?,
        WorkerAction::Resume => store::set_duty(&mut tx, worker, Some(false), Some(false)).await?,
        WorkerAction::Remove => {
            agents::store::remove(&mut tx, worker).await?;
            store::remove(&mut tx, worker).await?
        }
    };
    if !found {
        return Err(Error::NotFound { what: "worker" });
    }
    audit::record(&mut tx, by, Act::new(Action::WorkerChange, worker).after(after), core.clock.now()).await?;
    tx.commit().await?;
    ownership::reconcile(core).await?;
    Ok(())
}

/// Removes an earlier process of this node. The caller holds its data folder, so that process has ended: its workers
/// can be taken at once.
pub async fn remove_ended_node(core: &Core, node: NodeId) -> Result<()> {
    Ok(store::unregister_node(&core.db, node).await?)
}

/// Joins the fleet: registers this node and the configured workers, and connects to its share of all workers. If an
/// earlier process of the same name is registered and silent, it waits until that lease expires.
///
/// # Errors
/// [`Error::Unavailable`] if a living node has the same name.
pub async fn start(core: &Core, configured: &[NewWorker]) -> Result<()> {
    ownership::join(core).await?;
    let home_workers: Vec<String> =
        configured.iter().filter(|worker| worker.home.is_some()).map(|worker| worker.name.clone()).collect();
    store::remove_from_home(&core.db, &core.instance, &home_workers).await?;
    store::remove_homeless(&core.db).await?;
    for worker in configured {
        let mut tx = database::begin(&core.db).await?;
        match put(&mut tx, worker, core.clock.now()).await {
            Ok(_) => tx.commit().await?,
            // An invalid entry does not keep the node from starting.
            Err(error @ (Error::Refused { .. } | Error::Invalid { .. })) => {
                tracing::error!(worker.name, %error, "skipped an invalid entry of files.workers");
                continue;
            }
            Err(error) => return Err(error),
        }
        ownership::remember_home_worker(core, worker).await;
    }
    ownership::reconcile(core).await?;
    Ok(())
}

/// Leaves the fleet: disconnects from the workers without stopping their prompts. Other nodes take the workers over at
/// once and resume the jobs; without other nodes, the next start of this node does.
pub async fn leave(core: &Core) -> Result<()> {
    ownership::leave(core).await
}

pub async fn living_nodes(core: &Core) -> Result<Vec<NodeId>> {
    Ok(store::nodes(&core.db).await?.into_iter().map(|node| node.id).collect())
}
