//! Which node owns which worker. Each worker is owned by one living node at a time.
//!
//! A node is alive as long as its row is, by the database's clock. It sends a heartbeat every second; the others remove
//! a node that has been silent for a lease. Its workers then have no owner, and nodes with less than their share take
//! them ([`share`]). A node that was removed while alive notices at its next heartbeat: it owns nothing, disconnects,
//! and registers again.
//!
//! A node's id belongs to one process, so a lease never passes to another one. Its name survives restarts, and two
//! living nodes never share one. A removed node whose name was taken owns nothing until the name is free again.

pub(super) mod share;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use tokio::sync::{Mutex, watch};

use self::share::{LivingNode, WorkerOwnership};
use super::store::{self, CapabilityKey, WorkerRow};
use super::{Capabilities, FleetCommand, NewWorker, Refresh, WorkerOwner, WorkerView};
use crate::graph::{NodeDefinitions, content_hash};
use crate::ids::{JobId, NodeId, WorkerId};
use crate::{Core, Error, Result, supervision};

/// How often to check the node that holds this node's name.
const NAME_POLL_INTERVAL: Duration = Duration::from_millis(200);

/// State of this node besides the roster.
#[derive(Default)]
pub(super) struct Ownership {
    /// Held while the rows are read and applied.
    state: Mutex<NodeState>,
    clock_skew_ms: AtomicI64,
    living_nodes: AtomicUsize,
    /// Names of the living nodes.
    names: RwLock<HashMap<NodeId, String>>,
    lease: watch::Sender<NodeLease>,
}

/// Whether this node still owns its workers for sure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum NodeLease {
    /// This node has not joined yet.
    #[default]
    NotJoined,
    /// The other nodes cannot have removed this one before. Measured on this process' monotonic clock, so a process
    /// that was suspended notices at once.
    Until(Instant),
    /// This node owns no workers: it has left, or another node has taken its name.
    Lost,
}

impl NodeLease {
    fn is_valid(self) -> bool {
        matches!(self, Self::Until(until) if Instant::now() < until)
    }
}

impl Ownership {
    pub fn clock_skew_ms(&self) -> i64 {
        self.clock_skew_ms.load(Ordering::Relaxed)
    }

    pub fn living_nodes(&self) -> usize {
        self.living_nodes.load(Ordering::Relaxed).max(1)
    }

    fn has_lease(&self) -> bool {
        self.lease.borrow().is_valid()
    }

    fn set_names(&self, nodes: &[LivingNode]) {
        let names = nodes.iter().map(|node| (node.id, node.instance.clone())).collect();
        *self.names.write().unwrap_or_else(PoisonError::into_inner) = names;
    }

    /// Each node grants its part of the request rates, which depends on this number.
    fn set_living_nodes(&self, core: &Core, living: usize) {
        let before = self.living_nodes.swap(living, Ordering::Relaxed);
        core.shared.set_node_count(living);
        if living > 1 && before <= 1 && core.settings.redis.url.is_none() {
            tracing::warn!(
                nodes = living,
                "several nodes without Redis (redis.url): each node grants its part of the request rates, streams of an account \
                 are counted per node, and revocations reach other nodes seconds later"
            );
        }
    }
}

#[derive(Default)]
struct NodeState {
    /// Capabilities by key. Workers with equal capabilities share one entry.
    capability_sets: HashMap<CapabilityKey, Arc<Capabilities>>,
    /// Workers with a refresh in progress.
    asking: HashSet<WorkerId>,
    /// The workers that only this node can reach.
    home_workers: Vec<NewWorker>,
    /// This node has left the fleet and sends no more heartbeats.
    has_left: bool,
    /// Another node has taken this node's name.
    is_replaced: bool,
}

/// The result of one [`reconcile`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OwnershipChanges {
    /// Workers that this node took.
    pub taken: u64,
    /// Silent nodes that were removed.
    pub removed_nodes: u64,
}

impl OwnershipChanges {
    /// Whether jobs of a lost node may need a rescue.
    #[must_use]
    pub fn needs_rescue(self) -> bool {
        self.taken > 0 || self.removed_nodes > 0
    }
}

/// Sends a heartbeat, removes silent nodes, takes and releases workers, and applies the rows to the roster. Runs every
/// second, and after each change of a row.
///
/// # Errors
/// Only for database errors; the next run completes what is missing.
pub async fn reconcile(core: &Core) -> Result<OwnershipChanges> {
    let (db, me, lease_seconds) = (&core.db, core.node, lease_seconds(core));
    let asked = Instant::now();
    // Before the lock, so that a node that waits for it counts as alive.
    let heartbeat = store::heartbeat(db, me, lease_seconds).await?;
    let mut state = core.fleet.ownership.state.lock().await;
    if state.has_left {
        return Ok(OwnershipChanges::default());
    }
    match heartbeat {
        Some(now) => {
            let skew = core.clock.now() - now;
            core.fleet.ownership.clock_skew_ms.store(skew.num_milliseconds(), Ordering::Relaxed);
        }
        None => state.rejoin(core).await?,
    }
    let removed_nodes = store::remove_silent_nodes(db, me, lease_seconds).await?;
    if removed_nodes > 0 {
        tracing::warn!(nodes = removed_nodes, "removed nodes without a heartbeat");
        store::remove_homeless(db).await?;
    }
    let nodes = store::nodes(db).await?;
    core.fleet.ownership.set_living_nodes(core, nodes.len());
    core.fleet.ownership.set_names(&nodes);
    let mut rows = store::workers(db).await?;
    let roster = core.fleet.roster();
    let owned = |row: &WorkerRow| WorkerOwnership {
        worker: row.config.id,
        home: row.home.clone(),
        owner: row.owner,
        tunnel: row.tunnel,
    };
    let moves = share::moves(me, &nodes, &rows.iter().map(owned).collect::<Vec<_>>(), &roster.busy());
    let mut ready = roster.releasing(&moves.give);
    ready.extend(moves.hand_over);
    if !ready.is_empty() {
        store::release(db, me, &ready).await?;
    }
    let taken = if moves.take.is_empty() { 0 } else { store::take(db, me, &moves.take).await? };
    if taken > 0 || !ready.is_empty() {
        tracing::info!(taken, given = ready.len(), nodes = nodes.len(), "workers changed owners");
        rows = store::workers(db).await?;
    }
    for row in &mut rows {
        // The last reported state is valid as long as the owner is alive.
        row.connected &= row.owner.is_some_and(|owner| nodes.iter().any(|node| node.id == owner));
    }
    state.read_capabilities(core, &rows).await?;
    let changed_connections = roster.changed_connections(&rows);
    if !changed_connections.is_empty() {
        store::update_connections(db, me, &changed_connections).await?;
    }
    let requested: Vec<(WorkerId, DateTime<Utc>)> = rows
        .iter()
        .filter(|row| row.owner == Some(me))
        .filter_map(|row| Some((row.config.id, row.asked_at?)))
        .collect();
    for command in roster.apply_rows(me, rows, |row| state.capability_sets.get(row.capabilities.as_ref()?).cloned()) {
        core.fleet.command(command);
    }
    // The margin lets running operations finish before the other nodes act.
    let span = Duration::from_secs(core.settings.jobs.lease_seconds);
    let lease = if state.is_replaced { NodeLease::Lost } else { NodeLease::Until(asked + span - span / 8) };
    core.fleet.ownership.lease.send_replace(lease);
    for (worker, asked_at) in requested {
        if state.asking.insert(worker) {
            let core = core.clone();
            supervision::spawn(async move { answer_refresh(&core, worker, asked_at).await });
        }
    }
    Ok(OwnershipChanges { taken, removed_nodes })
}

/// Whether this node still owns its workers for sure. After a pause longer than its lease, other nodes may have taken
/// them: this node starts nothing before its next heartbeat.
pub fn has_lease(core: &Core) -> bool {
    core.fleet.ownership.has_lease()
}

/// Whether this node owns a worker for sure, for the connections. A node whose lease has ended gets the next one after
/// the roster has learned which workers it has lost.
pub fn ownership_check(core: &Core) -> impl Fn(WorkerId) -> bool + Send + Sync + use<> {
    let (lease, roster) = (core.fleet.ownership.lease.subscribe(), core.fleet.roster().clone());
    move |worker| {
        let is_valid = lease.borrow().is_valid();
        is_valid && roster.owner(worker) == WorkerOwner::ThisNode
    }
}

/// Waits until [`has_lease`], or until this node owns no workers at all. The caller then asks the roster for the owner.
pub async fn wait_for_lease(core: &Core) {
    let is_known = |lease: &NodeLease| lease.is_valid() || *lease == NodeLease::Lost;
    // The sender lives as long as the fleet.
    drop(core.fleet.ownership.lease.subscribe().wait_for(is_known).await);
}

/// Workers that this node has taken and not yet checked for prompts of an earlier owner.
#[must_use]
pub fn uncleared(core: &Core) -> Vec<WorkerId> {
    core.fleet.roster().uncleared()
}

/// Marks these workers as checked: they may get jobs, and unneeded prompts there may be stopped. `found` are the
/// attempts that go on.
pub fn clear(core: &Core, workers: &[WorkerId], found: &HashMap<WorkerId, Vec<(JobId, i32)>>) {
    for command in core.fleet.roster().clear(workers, found) {
        core.fleet.command(command);
    }
}

/// See [`super::leave`].
pub(super) async fn leave(core: &Core) -> Result<()> {
    let mut state = core.fleet.ownership.state.lock().await;
    state.has_left = true;
    let left = core.fleet.roster().leave();
    for worker in &left {
        core.fleet.command(FleetCommand::Release(*worker));
    }
    core.fleet.ownership.lease.send_replace(NodeLease::Lost);
    store::release(&core.db, core.node, &left).await?;
    store::remove_from_home(&core.db, &core.instance, &[]).await?;
    Ok(store::unregister_node(&core.db, core.node).await?)
}

pub(super) async fn remember_home_worker(core: &Core, worker: &NewWorker) {
    if worker.home.as_ref() == Some(&core.instance) {
        let mut state = core.fleet.ownership.state.lock().await;
        state.home_workers.retain(|other| other.name != worker.name);
        state.home_workers.push(worker.clone());
    }
}

/// Registers this node under its name. If the name is taken, it watches the holder: another heartbeat means that it is
/// alive, otherwise its lease expires.
pub(super) async fn join(core: &Core) -> Result<()> {
    let mut last = None;
    while !register_node(core).await? {
        let holder = store::node_by_name(&core.db, &core.instance).await?;
        match (last, holder) {
            (Some((watched, before)), Some((id, now))) if watched == id && now > before => {
                return Err(Error::Unavailable {
                    message: format!(
                        "another living node is called {}: stop it, or give this node a name of its own (server.node, \
                         VERDIGRAPH_SERVER_NODE)",
                        core.instance
                    ),
                    retry_after_seconds: 1,
                });
            }
            (None, Some(_)) => {
                tracing::warn!(
                    node.name = core.instance,
                    "waiting for the lease of an earlier process of this node to expire"
                );
            }
            _ => {}
        }
        last = holder;
        tokio::time::sleep(NAME_POLL_INTERVAL).await;
    }
    Ok(())
}

/// `false` if a living node has the name.
async fn register_node(core: &Core) -> Result<bool> {
    let weight = i32::try_from(core.settings.fleet.weight).unwrap_or(i32::MAX);
    Ok(store::register_node(&core.db, core.node, &core.instance, weight, lease_seconds(core)).await?)
}

#[expect(clippy::cast_precision_loss, reason = "seconds of a setting")]
fn lease_seconds(core: &Core) -> f64 {
    core.settings.jobs.lease_seconds as f64
}

pub(super) fn with_node_name(core: &Core, view: WorkerView) -> WorkerView {
    let names = core.fleet.ownership.names.read().unwrap_or_else(PoisonError::into_inner);
    WorkerView { node_name: view.node.and_then(|node| names.get(&node).cloned()), ..view }
}

/// Refreshes the capabilities of a worker of this node. Returns once the connection has reported them, or got no reply.
pub(super) async fn refresh_connection(core: &Core, worker: WorkerId) {
    if let Some(link) = core.fleet.roster().link(worker)
        && link.refresh.send(Refresh).await.is_err()
    {
        tracing::warn!(worker.id = %worker, "the connection of the worker does not answer");
    }
}

impl NodeState {
    /// This node was removed by the others: it registers again, if its name is free.
    async fn rejoin(&mut self, core: &Core) -> Result<()> {
        if !register_node(core).await? {
            if !std::mem::replace(&mut self.is_replaced, true) {
                tracing::error!(
                    node.name = core.instance,
                    "this node was removed, and another one has its name now: it takes no more jobs; stop it, or give it a name \
                     of its own (server.node)"
                );
            }
            return Ok(());
        }
        self.is_replaced = false;
        tracing::warn!("this node was removed by the others; registering again");
        // The other nodes removed them together with this node.
        for worker in &self.home_workers {
            store::insert(&core.db, worker, core.clock.now()).await?;
        }
        Ok(())
    }

    /// Loads the capability sets that the rows name and this node does not have yet, and drops those that no row names.
    async fn read_capabilities(&mut self, core: &Core, rows: &[WorkerRow]) -> Result<()> {
        let named: HashSet<&CapabilityKey> = rows.iter().filter_map(|row| row.capabilities.as_ref()).collect();
        self.capability_sets.retain(|key, _| named.contains(key));
        let missing: Vec<&CapabilityKey> =
            named.into_iter().filter(|key| !self.capability_sets.contains_key(*key)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let hashes: Vec<String> = missing.iter().map(|key| key.hash.clone()).collect();
        for (hash, object_info, models) in store::capability_sets(&core.db, &hashes).await? {
            let definitions = Arc::new(NodeDefinitions::from_object_info(&object_info));
            for key in missing.iter().filter(|key| key.hash == hash) {
                let capabilities = Capabilities::new(key.version.clone(), Arc::clone(&definitions), models.clone());
                self.capability_sets.insert((*key).clone(), Arc::new(capabilities));
            }
        }
        Ok(())
    }
}

/// Refreshes a worker of this node because a node requested it.
async fn answer_refresh(core: &Core, worker: WorkerId, asked_at: DateTime<Utc>) {
    refresh_connection(core, worker).await;
    core.fleet.flush().await;
    let kept = async {
        if let Some(can) = core.fleet.roster().capabilities(worker) {
            let hash = content_hash(&can.definitions.to_object_info());
            store::save_capabilities(&core.db, worker, &hash, &can, core.clock.now()).await?;
        }
        store::record_refresh(&core.db, worker, asked_at).await
    };
    if let Err(error) = kept.await {
        tracing::warn!(worker.id = %worker, %error, "cannot save a worker's capabilities for the other nodes");
    }
    core.fleet.ownership.state.lock().await.asking.remove(&worker);
}
