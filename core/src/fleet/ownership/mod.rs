//! The installation's workers, each owned by one living node: taken, given up, taken over, and told of to all nodes.
//!
//! A node lives for as long as its row does, in the database's time: it gives a sign of life every second, and one that
//! has given none for a lease is given up by the others. What it owned has no owner then, and is taken by those that have
//! less than their share ([`share`]). A node that was given up though it lives finds that out at its next sign of
//! life: it owns nothing any more, disconnects, and begins again.
//!
//! A node's id is that of its process, so that leases are never another's; its name stays when it is started again, and
//! no two living nodes have the same one. A node that was given up and whose name another one has taken meanwhile owns
//! nothing, and takes no part until the name is free.

pub(super) mod share;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use tokio::sync::{Mutex, watch};

use self::share::{LivingNode, Owned};
use super::store::{self, Said, WorkerRow};
use super::{Capabilities, FleetCommand, NewWorker, Refresh, WorkerView};
use crate::graph::{NodeDefinitions, content_hash};
use crate::ids::{JobId, NodeId, WorkerId};
use crate::{Core, Error, Result, supervision};

/// How often a node that has this one's name is looked at.
const WATCH_EVERY: Duration = Duration::from_millis(200);

/// What this node knows beside the roster.
#[derive(Default)]
pub(super) struct Ownership {
    /// Held while the rows are read and acted on.
    known: Mutex<Known>,
    clock_skew_ms: AtomicI64,
    living: AtomicUsize,
    /// What the living nodes are called.
    names: RwLock<HashMap<NodeId, String>>,
    /// Until when the others cannot have given this node up. Of this process' own clock, which goes on while it stands
    /// still: who was asleep knows it at once.
    leased_until: watch::Sender<Option<Instant>>,
}

impl Ownership {
    pub fn clock_skew_ms(&self) -> i64 {
        self.clock_skew_ms.load(Ordering::Relaxed)
    }

    pub fn living(&self) -> usize {
        self.living.load(Ordering::Relaxed).max(1)
    }

    fn has_lease(&self) -> bool {
        is_ahead(*self.leased_until.borrow())
    }

    fn note_names(&self, nodes: &[LivingNode]) {
        let names = nodes.iter().map(|node| (node.id, node.instance.clone())).collect();
        *self.names.write().unwrap_or_else(PoisonError::into_inner) = names;
    }

    /// So many nodes live: what each allows by itself depends on it.
    fn note_living(&self, core: &Core, living: usize) {
        let before = self.living.swap(living, Ordering::Relaxed);
        core.shared.note_nodes(living);
        if living > 1 && before <= 1 && core.settings.redis.url.is_none() {
            tracing::warn!(
                nodes = living,
                "several nodes and no Redis (redis.url): each allows its part of the request rates, streams of an account \
                 are counted on each node, and what is revoked elsewhere is heard of seconds later"
            );
        }
    }
}

fn is_ahead(until: Option<Instant>) -> bool {
    until.is_some_and(|until| Instant::now() < until)
}

#[derive(Default)]
struct Known {
    /// What workers can do that said so; each is in memory once, however many workers are alike.
    sets: HashMap<Said, Arc<Capabilities>>,
    /// Workers that are being asked what they can do.
    asking: HashSet<WorkerId>,
    /// The workers that this node alone can reach.
    at_home: Vec<NewWorker>,
    /// This node has left the fleet, and gives no sign of life any more.
    has_left: bool,
    /// Another node has this one's name.
    is_replaced: bool,
}

/// What has changed among the nodes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kept {
    /// Workers that this node took.
    pub taken: u64,
    /// Nodes that were given up.
    pub given_up: u64,
}

impl Kept {
    /// Whether jobs of somebody who is gone may wait for a rescue.
    #[must_use]
    pub fn is_other(self) -> bool {
        self.taken > 0 || self.given_up > 0
    }
}

/// Gives a sign of life, gives up nodes that give none, takes and gives up workers, and learns what the rows say of all
/// of them. Called every second, and by whoever changed a row.
///
/// # Errors
/// Database errors; what was left undone is done the next time.
pub async fn keep(core: &Core) -> Result<Kept> {
    let (db, me, lease_seconds) = (&core.db, core.node, lease_seconds(core));
    let asked = Instant::now();
    // Before it waits for its turn: a node that waits is alive.
    let sign_of_life = store::heartbeat(db, me, lease_seconds).await?;
    let mut known = core.fleet.ownership.known.lock().await;
    if known.has_left {
        return Ok(Kept::default());
    }
    match sign_of_life {
        Some(now) => {
            let skew = core.clock.now() - now;
            core.fleet.ownership.clock_skew_ms.store(skew.num_milliseconds(), Ordering::Relaxed);
        }
        None => known.begin_again(core).await?,
    }
    let given_up = store::give_up_the_silent(db, me, lease_seconds).await?;
    if given_up > 0 {
        tracing::warn!(nodes = given_up, "nodes gave no sign of life and were given up");
        store::remove_homeless(db).await?;
    }
    let nodes = store::nodes(db).await?;
    core.fleet.ownership.note_living(core, nodes.len());
    core.fleet.ownership.note_names(&nodes);
    let mut rows = store::workers(db).await?;
    let roster = core.fleet.roster();
    let owned =
        |row: &WorkerRow| Owned { worker: row.config.id, home: row.home.clone(), owner: row.owner, tunnel: row.tunnel };
    let moves = share::moves(me, &nodes, &rows.iter().map(owned).collect::<Vec<_>>(), &roster.busy());
    let mut ready = roster.giving(&moves.give);
    ready.extend(moves.hand_over);
    if !ready.is_empty() {
        store::give(db, me, &ready).await?;
    }
    let taken = if moves.take.is_empty() { 0 } else { store::take(db, me, &moves.take).await? };
    if taken > 0 || !ready.is_empty() {
        tracing::info!(taken, given = ready.len(), nodes = nodes.len(), "workers change their nodes");
        rows = store::workers(db).await?;
    }
    for row in &mut rows {
        // What the owner said last counts for as long as it lives.
        row.connected &= row.owner.is_some_and(|owner| nodes.iter().any(|node| node.id == owner));
    }
    known.read_sets(core, &rows).await?;
    let untold = roster.untold(&rows);
    if !untold.is_empty() {
        store::tell(db, me, &untold).await?;
    }
    let wishes: Vec<(WorkerId, DateTime<Utc>)> = rows
        .iter()
        .filter(|row| row.owner == Some(me))
        .filter_map(|row| Some((row.config.id, row.asked_at?)))
        .collect();
    for command in roster.settle(me, rows, |row| known.sets.get(row.can.as_ref()?).cloned()) {
        core.fleet.command(command);
    }
    if !known.is_replaced {
        // What it does meanwhile has to arrive before the others act.
        let lease = Duration::from_secs(core.settings.jobs.lease_seconds);
        core.fleet.ownership.leased_until.send_replace(Some(asked + lease - lease / 8));
    }
    for (worker, asked_at) in wishes {
        if known.asking.insert(worker) {
            let core = core.clone();
            supervision::spawn(async move { answer(&core, worker, asked_at).await });
        }
    }
    Ok(Kept { taken, given_up })
}

/// Whether this node's workers are still its own for sure. One that stood still for longer than its lease may have been
/// given up, and its workers may run what others gave them: it begins nothing before its next sign of life has told.
pub fn has_lease(core: &Core) -> bool {
    core.fleet.ownership.has_lease()
}

/// Waits for that.
pub async fn until_leased(core: &Core) {
    // Whoever keeps the other end lives as long as the fleet.
    drop(core.fleet.ownership.leased_until.subscribe().wait_for(|until| is_ahead(*until)).await);
}

/// Workers that this node has taken, and for which nobody has looked yet what an earlier owner left at them.
#[must_use]
pub fn uncleared(core: &Core) -> Vec<WorkerId> {
    core.fleet.roster().uncleared()
}

/// What an earlier owner left at these workers was looked for: they may get jobs, and what still runs there and nobody
/// waits for may be stopped. `found` are the attempts of jobs that go on there.
pub fn clear(core: &Core, workers: &[WorkerId], found: &HashMap<WorkerId, Vec<(JobId, i32)>>) {
    for command in core.fleet.roster().clear(workers, found) {
        core.fleet.command(command);
    }
}

/// See [`super::leave`].
pub(super) async fn leave(core: &Core) -> Result<()> {
    let mut known = core.fleet.ownership.known.lock().await;
    known.has_left = true;
    let left = core.fleet.roster().leave();
    for worker in &left {
        core.fleet.command(FleetCommand::Release(*worker));
    }
    store::give(&core.db, core.node, &left).await?;
    store::remove_from_home(&core.db, &core.instance, &[]).await?;
    Ok(store::unregister_node(&core.db, core.node).await?)
}

/// Remembers a worker that this node alone can reach.
pub(super) async fn note_at_home(core: &Core, worker: &NewWorker) {
    if worker.home.as_ref() == Some(&core.instance) {
        let mut known = core.fleet.ownership.known.lock().await;
        known.at_home.retain(|other| other.name != worker.name);
        known.at_home.push(worker.clone());
    }
}

/// Takes a place among the nodes, under this one's name. Where it is taken, the one that has it is watched: it lives if it
/// gives another sign of life, and otherwise its lease will be over.
pub(super) async fn join(core: &Core) -> Result<()> {
    let mut last = None;
    while !register_node(core).await? {
        let holder = store::named(&core.db, &core.instance).await?;
        match (last, holder) {
            (Some((watched, before)), Some((id, now))) if watched == id && now > before => {
                return Err(Error::Unavailable {
                    message: format!(
                        "another node that is called {} lives: stop that one, or give this one a name of its own (server.node, \
                         VERDIGRAPH_SERVER_NODE)",
                        core.instance
                    ),
                    retry_after_seconds: 1,
                });
            }
            (None, Some(_)) => {
                tracing::warn!(node.name = core.instance, "waiting for an earlier process of this node to be over");
            }
            _ => {}
        }
        last = holder;
        tokio::time::sleep(WATCH_EVERY).await;
    }
    Ok(())
}

/// Says that this node lives; `false` where another one does under its name.
async fn register_node(core: &Core) -> Result<bool> {
    let weight = i32::try_from(core.settings.fleet.weight).unwrap_or(i32::MAX);
    Ok(store::register_node(&core.db, core.node, &core.instance, weight, lease_seconds(core)).await?)
}

#[expect(clippy::cast_precision_loss, reason = "seconds of a setting")]
fn lease_seconds(core: &Core) -> f64 {
    core.settings.jobs.lease_seconds as f64
}

/// The same with what its node is called.
pub(super) fn with_name(core: &Core, view: WorkerView) -> WorkerView {
    let names = core.fleet.ownership.names.read().unwrap_or_else(PoisonError::into_inner);
    WorkerView { node_name: view.node.and_then(|node| names.get(&node).cloned()), ..view }
}

/// Asks a worker of this node again what it can do; it has said so then, as far as it says anything.
pub(super) async fn ask(core: &Core, worker: WorkerId) {
    if let Some(link) = core.fleet.roster().link(worker)
        && link.refresh.send(Refresh).await.is_err()
    {
        tracing::warn!(worker.id = %worker, "the worker's connection does not answer");
    }
}

impl Known {
    /// This node was given up: it takes its place again, if that is still free.
    async fn begin_again(&mut self, core: &Core) -> Result<()> {
        if !register_node(core).await? {
            if !std::mem::replace(&mut self.is_replaced, true) {
                tracing::error!(
                    node.name = core.instance,
                    "this node was given up, and another one has its name now: it takes no more jobs. Stop it, or give it a name \
                     of its own (server.node)"
                );
            }
            return Ok(());
        }
        self.is_replaced = false;
        tracing::warn!("this node was given up by the others; it begins again");
        // The others took them for lost with it.
        for worker in &self.at_home {
            store::insert(&core.db, worker, core.clock.now()).await?;
        }
        Ok(())
    }

    /// Learns what workers can do that nobody here has said yet, and forgets what nobody says any more.
    async fn read_sets(&mut self, core: &Core, rows: &[WorkerRow]) -> Result<()> {
        let said: HashSet<&Said> = rows.iter().filter_map(|row| row.can.as_ref()).collect();
        self.sets.retain(|known, _| said.contains(known));
        let new: Vec<&Said> = said.into_iter().filter(|said| !self.sets.contains_key(*said)).collect();
        if new.is_empty() {
            return Ok(());
        }
        let hashes: Vec<String> = new.iter().map(|said| said.hash.clone()).collect();
        for (hash, object_info, models) in store::capability_sets(&core.db, &hashes).await? {
            let definitions = Arc::new(NodeDefinitions::from_object_info(&object_info));
            for said in new.iter().filter(|said| said.hash == hash) {
                let can = Capabilities::new(said.version.clone(), Arc::clone(&definitions), models.clone());
                self.sets.insert((*said).clone(), Arc::new(can));
            }
        }
        Ok(())
    }
}

/// Asks a worker of this node what it can do, because some node wants to know.
async fn answer(core: &Core, worker: WorkerId, asked_at: DateTime<Utc>) {
    ask(core, worker).await;
    core.fleet.settle().await;
    let kept = async {
        if let Some(can) = core.fleet.roster().capabilities(worker) {
            let hash = content_hash(&can.definitions.to_object_info());
            store::keep_capabilities(&core.db, worker, &hash, &can, core.clock.now()).await?;
        }
        store::answered(&core.db, worker, asked_at).await
    };
    if let Err(error) = kept.await {
        tracing::warn!(worker.id = %worker, %error, "telling the other nodes what a worker can do");
    }
    core.fleet.ownership.known.lock().await.asking.remove(&worker);
}
