//! Workers, pools, capabilities and assignment. Knows a job id and a recipient of reports, never the job.
//!
//! The `workers` crate owns the connections: it receives [`Assign`] and [`Stop`], answers with [`Report`]s to the
//! recipient that came with the assignment, and tells the roster of every change with [`WorkerChanged`].

mod actor;
mod messages;
mod news;
mod roster;
mod store;
mod worker;

use serde_json::json;

pub use actor::{Fleet, FleetChanged, FleetHandle};
pub use messages::{
    Assign, Capabilities, FleetCommand, InputFile, NodeOutput, NodeProgress, OutputItem, OutputKind, Preview, Refresh,
    Report, ReportEvent, SHOWN_BYTES, Stop, Wanted, WorkerChanged, WorkerConfig, WorkerLink, WorkerState, shown,
};
pub use news::{judges_elsewhere, look_again, refresh};
pub use roster::{FreeWorker, Judge, Prospects, Roster};
pub use worker::{Change, NewWorker, WorkerView};

use crate::audit::{self, Act, Action};
use crate::graph::Needs;
use crate::ids::{NodeId, WorkerId};
use crate::{Caller, Core, Error, Result, names};

/// Adds a worker, or changes address and pool of the one of that name; it is connected to at once.
///
/// # Errors
/// [`Error::Forbidden`] for anybody but admins; [`Error::Invalid`] for a bad address, name or pool.
pub async fn add(core: &Core, caller: &Caller, new: NewWorker) -> Result<WorkerView> {
    let by = caller.must_be_admin()?;
    let name = names::trimmed(&new.name, 1..=60).filter(|name| !name.contains('\0'));
    let name = name.ok_or_else(|| Error::invalid("name", "must have 1 to 60 characters"))?.to_owned();
    let url = new.url.trim_end_matches('/').to_owned();
    if !(url.starts_with("http://") || url.starts_with("https://")) || url.len() > 300 {
        return Err(Error::invalid("url", "must begin with http:// or https://"));
    }
    if !core.settings.pools.iter().any(|pool| pool.name == new.pool) {
        return Err(Error::invalid("pool", "is not a pool of the configuration"));
    }
    let now = core.clock.now();
    let after = json!({ "name": name, "url": url, "pool": new.pool });
    let mut tx = core.db.begin().await?;
    let config = store::insert(&mut *tx, &core.instance, &NewWorker { name, url, pool: new.pool }, now).await?;
    audit::record(&mut tx, by, Act::new(Action::WorkerAdd, config.id).after(after), now).await?;
    tx.commit().await?;
    core.fleet.add(&config);
    core.fleet.roster().view(config.id).ok_or(Error::NotFound { what: "worker" })
}

/// Every worker that this installation connects to.
///
/// # Errors
/// [`Error::Forbidden`] for anybody but admins.
pub fn list(core: &Core, caller: &Caller) -> Result<Vec<WorkerView>> {
    caller.must_be_admin()?.to_read();
    Ok(core.fleet.roster().views())
}

/// Drains, pauses, resumes or removes a worker.
///
/// # Errors
/// [`Error::Forbidden`] for anybody but admins; [`Error::NotFound`] for an unknown worker.
pub async fn change(core: &Core, caller: &Caller, worker: WorkerId, change: Change) -> Result<()> {
    let by = caller.must_be_admin()?;
    let Some(view) = core.fleet.roster().view(worker) else { return Err(Error::NotFound { what: "worker" }) };
    let after = json!({ "name": view.name, "change": format!("{change:?}") });
    let mut tx = core.db.begin().await?;
    match change {
        Change::Drain => {}
        Change::Pause => store::set_paused(&mut tx, worker, true).await?,
        Change::Resume => store::set_paused(&mut tx, worker, false).await?,
        Change::Remove => store::remove(&mut tx, worker).await?,
    }
    audit::record(&mut tx, by, Act::new(Action::WorkerChange, worker).after(after), core.clock.now()).await?;
    tx.commit().await?;
    core.fleet.change(worker, change);
    Ok(())
}

/// Connects to every worker of this installation: those remembered, and those of the configuration.
///
/// # Errors
/// Database errors.
pub async fn start(core: &Core, configured: &[NewWorker]) -> Result<()> {
    for worker in configured {
        store::insert(&core.db, &core.instance, worker, core.clock.now()).await?;
    }
    for (config, known) in store::load(&core.db, &core.instance).await? {
        core.fleet.roster().remember(&config, known);
        core.fleet.add(&config);
    }
    Ok(())
}

/// Says that this node is alive, and first of all that older processes of the same installation are not.
///
/// # Errors
/// Database errors.
pub async fn register_node(core: &Core) -> Result<()> {
    Ok(store::register_node(&core.db, core.node, &core.instance, core.clock.now()).await?)
}

/// Says again that this node is alive. `false` where others have already given it up: its leases are gone.
///
/// # Errors
/// Database errors.
pub async fn heartbeat(core: &Core) -> Result<bool> {
    Ok(store::heartbeat(&core.db, core.node, core.clock.now()).await?)
}

/// Says that this node ends; its jobs may be taken over at once.
///
/// # Errors
/// Database errors.
pub async fn unregister_node(core: &Core) -> Result<()> {
    Ok(store::unregister_node(&core.db, core.node).await?)
}

/// Forgets nodes that gave no sign of life for `lease_seconds`, and tells which are alive.
///
/// # Errors
/// Database errors.
pub async fn living_nodes(core: &Core, lease_seconds: u64) -> Result<Vec<NodeId>> {
    Ok(store::living_nodes(&core.db, core.clock.now(), lease_seconds).await?)
}

/// Whether a connected worker of a pool, of this node or of another, has what is needed. Says on the way that this
/// node's workers are still there.
///
/// # Errors
/// Database errors.
pub async fn can_run(core: &Core, pool: &str, needs: &Needs) -> Result<bool> {
    if core.fleet.roster().can_run(pool, needs) {
        return Ok(true);
    }
    let since = core.clock.now() - chrono::Duration::seconds(60);
    let elsewhere = store::connected_elsewhere(&core.db, &core.instance, pool, since).await?;
    Ok(elsewhere.iter().any(|can| can.meet(needs)))
}

/// How many workers other installations have in a pool, by their last signs of life.
///
/// # Errors
/// Database errors.
pub async fn elsewhere_in(core: &Core, pool: &str) -> Result<usize> {
    let since = core.clock.now() - chrono::Duration::seconds(60);
    let count = store::count_elsewhere(&core.db, &core.instance, pool, since).await?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// Says that this node's connected workers are still there, for the other nodes.
///
/// # Errors
/// Database errors.
pub async fn keep_seen(core: &Core) -> Result<()> {
    Ok(store::keep_seen(&core.db, &core.fleet.roster().connected(), core.clock.now()).await?)
}
