//! Workers, pools, capabilities and assignment, of all nodes of the installation. Knows a job id and a recipient of
//! reports, never the job.
//!
//! The `workers` crate owns the connections: it receives [`Assign`] and [`Stop`], answers with [`Report`]s to the
//! recipient that came with the assignment, and tells the roster of every change with [`WorkerChanged`].

mod actor;
mod agents;
#[cfg(test)]
pub mod factory;
mod given;
mod member;
mod messages;
mod news;
mod ownership;
mod roster;
mod store;
#[cfg(test)]
mod tests;
mod undelivered;
mod worker;

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;

pub use actor::{Fleet, FleetChanged, FleetHandle};
pub use agents::agent::{
    AgentConnection, AgentFacts, AgentGpu, AgentHello, AgentModel, AgentRefusal, AgentStanding, AgentView,
};
pub use agents::token::{AgentToken, NewAgentToken};
pub use agents::{
    agent, agent_gone, agent_stands, agent_tokens, agents, allow_agents, connect_agent, create_agent_token, lets_in,
    note_agent_facts, note_agent_leaves, note_agent_server, revoke_agent_token,
};
pub use member::{FreeWorker, Owner};
pub use messages::{
    Assign, Begin, Capabilities, FleetCommand, InputFile, NodeOutput, NodeProgress, OutputItem, OutputKind, Preview,
    Reach, Refresh, Report, ReportEvent, SHOWN_BYTES, Stop, Wanted, WorkerChanged, WorkerConfig, WorkerLink,
    WorkerState, shown,
};
pub use news::{look_again, refresh};
pub use ownership::{Kept, clear, has_lease, keep, uncleared, until_leased};
pub use roster::{Judge, Prospects, Roster};
pub use undelivered::{Undelivered, UndeliveredCode};
pub use worker::{Change, NewWorker, WorkerView};

use crate::audit::{self, Act, Action};
use crate::ids::{NodeId, WorkerId};
use crate::{Caller, Code, Core, Error, Result, names, outbound};

/// Adds a worker, or changes address and pool of the one of that name; it is connected to at once.
///
/// # Errors
/// [`Error::Forbidden`] for anybody but admins; [`Error::SessionRequired`] for an API key: a worker's address is asked from
/// within the operator's network; [`Error::Invalid`] for a bad address, name or pool; [`Error::Refused`] with
/// `WORKER_ADDRESS_CREDENTIALS` for an address with a user or a password in it, and with `WORKER_ADDRESS_TAKEN` where a worker of another name has the address.
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
    let mut tx = core.db.begin().await?;
    let new = NewWorker { name, url, ..new };
    let worker = put(&mut tx, &new, now).await?;
    audit::record(&mut tx, by, Act::new(Action::WorkerAdd, worker).after(after), now).await?;
    tx.commit().await?;
    ownership::note_at_home(core, &new).await;
    ownership::keep(core).await?;
    view(core, worker)
}

/// Writes a worker down, unless another one has its address: two connections to one ComfyUI would take it for two machines.
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

/// Every worker of the installation.
///
/// # Errors
/// [`Error::Forbidden`] for anybody but admins.
pub fn list(core: &Core, caller: &Caller) -> Result<Vec<WorkerView>> {
    caller.must_be_admin()?.to_read();
    Ok(core.fleet.roster().views().into_iter().map(|view| ownership::with_name(core, view)).collect())
}

/// One of them.
fn view(core: &Core, worker: WorkerId) -> Result<WorkerView> {
    let view = core.fleet.roster().view(worker).ok_or(Error::NotFound { what: "worker" })?;
    Ok(ownership::with_name(core, view))
}

/// Drains, pauses, resumes or removes a worker, whichever node connects to it: another one does so within a second.
///
/// # Errors
/// [`Error::Forbidden`] for anybody but admins; [`Error::NotFound`] for an unknown worker.
pub async fn change(core: &Core, caller: &Caller, worker: WorkerId, change: Change) -> Result<()> {
    let by = caller.must_be_admin()?;
    let Some(view) = core.fleet.roster().view(worker) else { return Err(Error::NotFound { what: "worker" }) };
    let after = json!({ "name": view.name, "change": format!("{change:?}") });
    let mut tx = core.db.begin().await?;
    let found = match change {
        Change::Drain => store::set_duty(&mut tx, worker, None, Some(true)).await?,
        Change::Pause => store::set_duty(&mut tx, worker, Some(true), None).await?,
        Change::Resume => store::set_duty(&mut tx, worker, Some(false), Some(false)).await?,
        Change::Remove => {
            agents::store::remove(&mut tx, worker).await?;
            store::remove(&mut tx, worker).await?
        }
    };
    if !found {
        return Err(Error::NotFound { what: "worker" });
    }
    audit::record(&mut tx, by, Act::new(Action::WorkerChange, worker).after(after), core.clock.now()).await?;
    tx.commit().await?;
    ownership::keep(core).await?;
    Ok(())
}

/// Takes note that an earlier process has ended, which whoever has its data folder now knows for certain: its workers and
/// what runs there are free to be taken at once.
///
/// # Errors
/// Database errors.
pub async fn note_ended(core: &Core, node: NodeId) -> Result<()> {
    Ok(store::unregister_node(&core.db, node).await?)
}

/// Takes part in the fleet: this node lives, its own workers and those of the configuration are known, and it connects
/// to its share of all. Where an earlier process of its name gives no more signs of life, it waits until that one's lease
/// is over.
///
/// # Errors
/// [`Error::Unavailable`] where another node has its name, and lives; database errors.
pub async fn start(core: &Core, configured: &[NewWorker]) -> Result<()> {
    ownership::join(core).await?;
    let at_home: Vec<String> =
        configured.iter().filter(|worker| worker.home.is_some()).map(|worker| worker.name.clone()).collect();
    store::remove_from_home(&core.db, &core.instance, &at_home).await?;
    store::remove_homeless(&core.db).await?;
    for worker in configured {
        let mut tx = core.db.begin().await?;
        match put(&mut tx, worker, core.clock.now()).await {
            Ok(_) => tx.commit().await?,
            // One entry that is wrong by now keeps no node from starting.
            Err(error @ (Error::Refused { .. } | Error::Invalid { .. })) => {
                tracing::error!(worker.name, %error, "a worker of files.workers is left out");
                continue;
            }
            Err(error) => return Err(error),
        }
        ownership::note_at_home(core, worker).await;
    }
    ownership::keep(core).await?;
    Ok(())
}

/// Leaves the fleet: this node disconnects from its workers without stopping what they run, and the others take them over
/// at once, and go on with their jobs. Where there are no others, the next start of this one does.
///
/// # Errors
/// Database errors.
pub async fn leave(core: &Core) -> Result<()> {
    ownership::leave(core).await
}

/// The nodes that live, as the last sign of life found them.
///
/// # Errors
/// Database errors.
pub async fn living_nodes(core: &Core) -> Result<Vec<NodeId>> {
    Ok(store::nodes(&core.db).await?.into_iter().map(|node| node.id).collect())
}
