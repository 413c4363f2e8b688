//! A round of claims: which jobs the workers get that are free now.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::future::join_all;
use sqlx::PgPool;

use crate::Core;
use crate::fleet::{Capabilities, FreeWorker};
use crate::graph::Needs;
use crate::jobs::queue::lanes::Lanes;
use crate::jobs::queue::tags;
use crate::jobs::queue::waiting::Queued;
use crate::jobs::status::Lane;
use crate::jobs::store::flight::{self, Claim, Claimed};
use crate::jobs::{metrics, store};

/// Workers that ask at the same time; each takes a connection of the dispatcher's pool.
const AT_ONCE: usize = 4;
/// How many of the first jobs a worker looks at: a few, and where others are taking all of these, more.
const WINDOWS: [i64; 2] = [16, 512];

/// What a round of claims works with.
#[derive(Default)]
pub(in crate::jobs) struct ClaimRound {
    /// By pool.
    lanes: HashMap<String, Lanes>,
    needs: HashMap<String, Needs>,
    able: Vec<Able>,
}

/// What workers with some capabilities can run.
struct Able {
    capabilities: Arc<Capabilities>,
    /// The hashes of the needs that they meet, in order.
    needs: Arc<[String]>,
    /// Where the count of arrivals stood when nothing was there for them, by pool and lane.
    nothing: HashMap<(String, Lane), u64>,
}

/// What a worker's question found.
struct Answer {
    job: Option<Claimed>,
    /// Lanes that have nothing for it, and where the count of arrivals stood before it asked.
    nothing: Vec<(Lane, u64)>,
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
                    let (needs, lanes) = self.questions(core, &worker, order);
                    async move {
                        let answer = claim(core, claims, &worker, &needs, lanes).await;
                        (worker, answer)
                    }
                })
                .collect();
            for (worker, answer) in join_all(asking).await {
                match answer {
                    Ok(Answer { job, nothing }) => {
                        let able = self.able(&worker);
                        able.nothing.extend(nothing.into_iter().map(|(lane, at)| ((worker.pool.clone(), lane), at)));
                        if let Some(job) = job {
                            self.took(core, &job);
                            core.fleet.roster().assigned(worker.id, job.id, &job.needs);
                            claimed.push((job, worker));
                        }
                    }
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
        let was_last = !core.queue.waiting().waits_in(&job.pool, job.lane);
        tags::taken(core, &job.pool, job.lane, job.vstart, was_last);
        core.queue.tell(job.id, crate::jobs::status::Status::Connecting, core.clock.now());
    }

    /// What a worker can run, and the lanes where something may wait for it, in the order in which it asks. A lane that
    /// had nothing for workers like it is asked again when something has come that they can run.
    fn questions(&mut self, core: &Core, worker: &FreeWorker, order: [Lane; 3]) -> (Arc<[String]>, Vec<Lane>) {
        let arrivals = core.queue.arrivals();
        let able = self.able(worker);
        let mut lanes = order.to_vec();
        lanes.retain(|lane| {
            let nothing = able.nothing.get(&(worker.pool.clone(), *lane));
            core.queue.waiting().waits_in(&worker.pool, *lane)
                && nothing.is_none_or(|then| arrivals.since(*then, &worker.pool, *lane, &able.needs))
        });
        (Arc::clone(&able.needs), lanes)
    }

    /// What a worker can run; worked out once for what it can do.
    fn able(&mut self, worker: &FreeWorker) -> &mut Able {
        let known = self.able.iter().position(|able| Arc::ptr_eq(&able.capabilities, &worker.capabilities));
        let at = known.unwrap_or_else(|| {
            let met = self.needs.iter().filter(|(_, needs)| worker.capabilities.meet(needs));
            let mut needs: Vec<String> = met.map(|(hash, _)| hash.clone()).collect();
            needs.sort_unstable();
            let capabilities = Arc::clone(&worker.capabilities);
            self.able.push(Able { capabilities, needs: needs.into(), nothing: HashMap::new() });
            self.able.len() - 1
        });
        &mut self.able[at]
    }

    /// Learns of needs that were added since, here or on another node.
    async fn read_needs(&mut self, core: &Core) -> sqlx::Result<()> {
        if !core.queue.take_new_needs() {
            return Ok(());
        }
        // Whoever else holds a worker's capabilities is the roster; what it has let go of is of no use here.
        self.able.retain(|able| Arc::strong_count(&able.capabilities) > 1);
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
    lanes: Vec<Lane>,
) -> sqlx::Result<Answer> {
    let mut nothing = Vec::new();
    if needs.is_empty() {
        return Ok(Answer { job: None, nothing });
    }
    for lane in lanes {
        // Before the rows are asked: what comes meanwhile is asked for again.
        let stood = core.queue.arrivals().now();
        let mut waiting = i64::MAX;
        for window in WINDOWS {
            #[expect(clippy::cast_precision_loss, reason = "seconds of a setting")]
            let claim = Claim {
                node: core.node,
                worker: worker.id,
                pool: &worker.pool,
                lane,
                needs,
                warm: worker.warm.as_deref(),
                warm_window_seconds: core.settings.jobs.warm_window_seconds as f64,
                window,
                now: core.clock.now(),
            };
            let timer = metrics::claim();
            let claimed = flight::claim(claims, &claim).await?;
            drop(timer);
            if claimed.is_some() {
                return Ok(Answer { job: claimed, nothing });
            }
            waiting = flight::count_waiting(claims, &worker.pool, lane, needs, window + 1).await?;
            if waiting <= window {
                break;
            }
        }
        if waiting == 0 {
            nothing.push((lane, stood));
        }
    }
    Ok(Answer { job: None, nothing })
}
