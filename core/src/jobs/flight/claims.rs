//! A round of claims: which jobs the workers get that are free now.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::future::join_all;
use sqlx::PgPool;

use crate::Core;
use crate::fleet::{Capabilities, FreeWorker};
use crate::graph::Needs;
use crate::jobs::queue::lanes::Lanes;
use crate::jobs::queue::waiting::Queued;
use crate::jobs::status::Lane;
use crate::jobs::store::flight::{self, Claim, Claimed};
use crate::jobs::{metrics, store};

/// Workers that ask at the same time; each takes a connection of the dispatcher's pool.
const AT_ONCE: usize = 4;

/// What a round of claims works with.
#[derive(Default)]
pub(super) struct ClaimRound {
    /// By pool.
    lanes: HashMap<String, Lanes>,
    needs: HashMap<String, Needs>,
    able: Vec<(Arc<Capabilities>, Arc<[String]>)>,
}

impl ClaimRound {
    /// One job for each free worker, as far as there are any. Several workers ask at the same time, so that the last
    /// one waits hardly longer than the first.
    pub async fn round(&mut self, core: &Core, claims: &PgPool) -> Vec<(Claimed, FreeWorker)> {
        let mut free = core.fleet.roster().free();
        free.retain(|worker| core.queue.waiting().waits(&worker.pool));
        if free.is_empty() {
            return Vec::new();
        }
        if let Err(error) = self.read_needs(core).await {
            tracing::warn!(%error, "reading what jobs need");
        }
        let mut claimed = Vec::new();
        while !free.is_empty() {
            let rest = free.split_off(free.len().min(AT_ONCE));
            let orders = self.orders(core, &free);
            let asking: Vec<_> = free
                .into_iter()
                .zip(orders)
                .map(|(worker, order)| {
                    let needs = self.able(&worker);
                    async move {
                        let job = claim(core, claims, &worker, &needs, order).await;
                        (worker, job)
                    }
                })
                .collect();
            for (worker, job) in join_all(asking).await {
                match job {
                    Ok(Some(job)) => {
                        self.took(core, &job);
                        core.fleet.roster().assigned(worker.id, job.id, &job.needs);
                        claimed.push((job, worker));
                    }
                    Ok(None) => {}
                    Err(error) => tracing::warn!(%error, worker.id = %worker.id, "claiming a job"),
                }
            }
            free = rest;
            free.retain(|worker| core.queue.waiting().waits(&worker.pool));
        }
        claimed
    }

    /// The lanes in which each of these workers asks. Those that ask together do not see what the others took, so
    /// each is given what the order would be if those before it had found a job where they look first.
    fn orders(&self, core: &Core, workers: &[FreeWorker]) -> Vec<[Lane; 3]> {
        let shares = core.settings.jobs.lane_shares;
        let mut expected: HashMap<&str, Lanes> = HashMap::new();
        workers
            .iter()
            .map(|worker| {
                let waits = |lane| core.queue.waiting().waits_in(&worker.pool, lane);
                let known = self.lanes.get(&worker.pool);
                let lanes = expected
                    .entry(&worker.pool)
                    .or_insert_with(|| known.cloned().unwrap_or_else(|| Lanes::new(shares)));
                let order = lanes.order();
                if let Some(first) = order.into_iter().find(|lane| waits(*lane)) {
                    lanes.took(first, waits);
                }
                order
            })
            .collect()
    }

    fn took(&mut self, core: &Core, job: &Claimed) {
        let lanes = self.lanes.entry(job.pool.clone()).or_insert_with(|| Lanes::new(core.settings.jobs.lane_shares));
        lanes.took(job.lane, |lane| core.queue.waiting().waits_in(&job.pool, lane));
        metrics::claimed(job, core.clock.now());
        core.queue.waiting().leave(job.id, Queued::new(job.user, &job.pool, job.lane));
        core.queue.tags().taken(&job.pool, job.lane, job.vstart);
        core.queue.tell(job.id, crate::jobs::status::Status::Connecting, core.clock.now());
    }

    /// The hashes of the needs that a worker meets; worked out once for what a worker can do.
    fn able(&mut self, worker: &FreeWorker) -> Arc<[String]> {
        if let Some((_, able)) = self.able.iter().find(|(known, _)| Arc::ptr_eq(known, &worker.capabilities)) {
            return Arc::clone(able);
        }
        let met = self.needs.iter().filter(|(_, needs)| worker.capabilities.meet(needs));
        let able: Arc<[String]> = met.map(|(hash, _)| hash.clone()).collect();
        self.able.push((Arc::clone(&worker.capabilities), Arc::clone(&able)));
        able
    }

    /// Learns of needs that were added since, here or on another node.
    async fn read_needs(&mut self, core: &Core) -> sqlx::Result<()> {
        if !core.queue.take_new_needs() {
            return Ok(());
        }
        // Whoever else holds a worker's capabilities is the roster; what it has let go of is of no use here.
        self.able.retain(|(capabilities, _)| Arc::strong_count(capabilities) > 1);
        let known: Vec<String> = self.needs.keys().cloned().collect();
        for (hash, needs) in store::other_needs(&core.db, &known).await? {
            match Needs::from_value(&needs) {
                Some(needs) => {
                    self.needs.insert(hash, needs);
                    self.able.clear();
                }
                None => tracing::error!(hash, "a row of needs cannot be read"),
            }
        }
        Ok(())
    }
}

/// Claims a job for a worker: the next one of the first lane that has one for it.
async fn claim(
    core: &Core,
    claims: &PgPool,
    worker: &FreeWorker,
    needs: &[String],
    order: [Lane; 3],
) -> sqlx::Result<Option<Claimed>> {
    if needs.is_empty() {
        return Ok(None);
    }
    for lane in order.into_iter().filter(|lane| core.queue.waiting().waits_in(&worker.pool, *lane)) {
        #[expect(clippy::cast_precision_loss, reason = "seconds of a setting")]
        let claim = Claim {
            node: core.node,
            worker: worker.id,
            pool: &worker.pool,
            lane,
            needs,
            warm: worker.warm.as_deref(),
            warm_window_seconds: core.settings.jobs.warm_window_seconds as f64,
            now: core.clock.now(),
        };
        let timer = metrics::claim();
        let claimed = flight::claim(claims, &claim).await?;
        drop(timer);
        if let Some(job) = claimed {
            return Ok(Some(job));
        }
    }
    Ok(None)
}
