//! The installation's workers, each owned by one living node: taken, given up, taken over, and told of to all nodes.
//!
//! A node lives for as long as its row does, in the database's time: it gives a sign of life every second, and one that
//! has given none for a lease is given up by the others. What it owned has no owner then, and is taken by those that have
//! less than their share ([`share`]). A node that was given up though it lives finds that out at its next sign of
//! life: it owns nothing any more, disconnects, and begins again.

pub(super) mod share;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

use chrono::{DateTime, Utc};
use tokio::sync::Mutex;

use self::share::Owned;
use super::store::{self, Said, WorkerRow};
use super::{Capabilities, FleetCommand, NewWorker, Refresh};
use crate::graph::{NodeDefinitions, content_hash};
use crate::ids::{JobId, WorkerId};
use crate::{Core, Result};

/// What this node knows beside the roster.
#[derive(Default)]
pub(super) struct Ownership {
    /// Held while the rows are read and acted on.
    known: Mutex<Known>,
    clock_skew_ms: AtomicI64,
    living: AtomicUsize,
}

impl Ownership {
    pub fn clock_skew_ms(&self) -> i64 {
        self.clock_skew_ms.load(Ordering::Relaxed)
    }

    pub fn living(&self) -> usize {
        self.living.load(Ordering::Relaxed).max(1)
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
    let mut known = core.fleet.ownership.known.lock().await;
    if known.has_left {
        return Ok(Kept::default());
    }
    let (db, me) = (&core.db, core.node);
    #[expect(clippy::cast_precision_loss, reason = "seconds of a setting")]
    let lease_seconds = core.settings.jobs.lease_seconds as f64;
    match store::heartbeat(db, me, lease_seconds).await? {
        Some(now) => {
            let skew = core.clock.now() - now;
            core.fleet.ownership.clock_skew_ms.store(skew.num_milliseconds(), Ordering::Relaxed);
        }
        None => {
            tracing::warn!("this node was given up by the others; it begins again");
            register_node(core).await?;
            // The others took them for lost with it.
            for worker in &known.at_home {
                store::insert(db, worker, core.clock.now()).await?;
            }
        }
    }
    let given_up = store::give_up_the_silent(db, me, lease_seconds).await?;
    if given_up > 0 {
        tracing::warn!(nodes = given_up, "nodes gave no sign of life and were given up");
        store::remove_homeless(db).await?;
    }
    let nodes = store::nodes(db).await?;
    core.fleet.ownership.note_living(core, nodes.len());
    let mut rows = store::workers(db).await?;
    let roster = core.fleet.roster();
    let owned = |row: &WorkerRow| Owned {
        worker: row.config.id,
        home: row.home.clone(),
        owner: row.owner,
        tunnel: row.tunnel,
    };
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
    for (worker, asked_at) in wishes {
        if known.asking.insert(worker) {
            let core = core.clone();
            actix_rt::spawn(async move { answer(&core, worker, asked_at).await });
        }
    }
    Ok(Kept { taken, given_up })
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

/// Says that this node lives.
pub(super) async fn register_node(core: &Core) -> Result<()> {
    let weight = i32::try_from(core.settings.fleet.weight).unwrap_or(i32::MAX);
    Ok(store::register_node(&core.db, core.node, &core.instance, weight).await?)
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
