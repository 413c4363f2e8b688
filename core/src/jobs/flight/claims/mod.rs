//! A round of claims: gives the free workers their next jobs.
//!
//! Workers that meet the same needs form a group ([`groups`]). One statement claims for all groups of a pool whose needs
//! do not overlap. The quota of each lane is what the lane shares would give one worker after the other.
//!
//! A busy worker gets a job to prefetch ([`prefetch`]) when no idle worker can run that job.

mod groups;
pub(in crate::jobs) mod prefetch;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use sqlx::PgPool;

use self::groups::CapabilityGroups;
use self::prefetch::{Prefetch, WithdrawalInput, should_withdraw};
use crate::Core;
use crate::fleet::FreeWorker;
use crate::ids::WorkerId;
use crate::jobs::metrics;
use crate::jobs::queue::lanes::LaneShares;
use crate::jobs::queue::tags;
use crate::jobs::queue::waiting::QueuedJob;
use crate::jobs::status::{Lane, Status};
use crate::jobs::store::claims::{self, Claim, ClaimRequest, ClaimSlot, Remaining};
use crate::jobs::store::flight::Claimed;

/// Workers that one statement claims for. Its first workers wait until the last one is served.
const MAX_WORKERS: usize = 250;
/// How many of the first jobs a statement looks at beyond its quota: a few, and more where other nodes lock all of these.
const WINDOWS: [i64; 2] = [16, 512];

/// State that is kept from one round to the next.
#[derive(Default)]
pub(in crate::jobs) struct ClaimRound {
    /// By pool.
    lanes: HashMap<String, LaneShares>,
    groups: CapabilityGroups,
}

/// The workers of one pool that have no job yet in this round.
struct PoolRound<'a> {
    name: &'a str,
    /// By group.
    free: Vec<(usize, FreeWorker)>,
    /// How many of [`WINDOWS`] a group has used up in a lane.
    tried: HashMap<(usize, Lane), usize>,
}

/// The input of one statement.
#[derive(Default)]
struct ClaimPlan {
    requests: Vec<ClaimRequest>,
    /// The lane of each worker, in the order of the lane shares.
    order: Vec<Lane>,
}

impl ClaimRound {
    /// Claims a job for each free worker, then for each busy worker a job that no free worker can run.
    pub async fn claim_all(&mut self, core: &Core, db: &PgPool) -> Vec<(Claimed, FreeWorker)> {
        let roster = core.fleet.roster();
        let mut workers = roster.free();
        workers.extend(roster.prefetchable(Instant::now()));
        workers.retain(|worker| core.queue.waiting().waits(&worker.pool));
        if workers.is_empty() {
            return Vec::new();
        }
        if let Err(error) = self.groups.read_needs(core).await {
            tracing::warn!(%error, "the needs of jobs could not be read");
        }
        let mut pools: BTreeMap<String, [Vec<(usize, FreeWorker)>; 2]> = BTreeMap::new();
        for worker in workers {
            let group = self.groups.group(&worker.capabilities);
            let [free, busy] = pools.entry(worker.pool.clone()).or_default();
            (if worker.is_busy { busy } else { free }).push((group, worker));
        }
        let mut claimed = Vec::new();
        for (name, [free, mut busy]) in pools {
            let mut pool = PoolRound { name: &name, free, tried: HashMap::new() };
            self.serve(core, db, &mut pool, &mut claimed).await;
            let mut idle: Vec<usize> = pool.free.iter().map(|(group, _)| *group).collect();
            idle.sort_unstable();
            idle.dedup();
            let mut cut: HashMap<usize, usize> = HashMap::new();
            for (group, _) in &mut busy {
                *group = *cut.entry(*group).or_insert_with_key(|group| self.groups.without(*group, &idle));
            }
            let mut pool = PoolRound { name: &name, free: busy, tried: HashMap::new() };
            self.serve(core, db, &mut pool, &mut claimed).await;
        }
        claimed
    }

    /// Remembers a job that was claimed for a busy worker.
    pub fn prefetch(&self, core: &Core, job: &Claimed, worker: &FreeWorker) -> Prefetch {
        Prefetch {
            worker: worker.id,
            pool: job.pool.clone(),
            lane: job.lane,
            needs: job.needs.clone(),
            withdrawn: job.withdrawn,
            seen_version: core.queue.change_log().version(),
            busy_lanes: core.queue.waiting().counts_in(&job.pool).map(|count| count > 0),
        }
    }

    /// Whether to withdraw a prefetched job. Called after all free workers were served.
    pub fn should_withdraw(&mut self, core: &Core, prefetch: &Prefetch) -> bool {
        let roster = core.fleet.roster();
        let free = roster.free();
        let idle: Vec<usize> = free
            .iter()
            .filter(|free| free.pool == prefetch.pool)
            .map(|free| self.groups.group(&free.capabilities))
            .collect();
        let own = roster.reachable(prefetch.worker).map(|worker| self.groups.group(&worker.capabilities));
        let can_run = |group: usize| self.groups.needs(group).binary_search(&prefetch.needs).is_ok();
        let waiting = core.queue.waiting().counts_in(&prefetch.pool);
        let has_changed = |lane: Lane, group: usize| {
            let needs = self.groups.needs(group);
            core.queue.change_log().has_changed_since(prefetch.seen_version, &prefetch.pool, lane, needs)
        };
        let mut earlier = Lane::ALL.into_iter().filter(|lane| *lane < prefetch.lane);
        let has_urgent_job = earlier.any(|lane| {
            let is_new = waiting[lane as usize] > 0 && !prefetch.busy_lanes[lane as usize];
            is_new && own.is_some_and(|group| has_changed(lane, group))
        });
        should_withdraw(WithdrawalInput {
            accepts_jobs: roster.accepts_jobs(prefetch.worker),
            another_is_idle: idle.into_iter().any(can_run),
            has_urgent_job,
            withdrawn: prefetch.withdrawn,
        })
    }

    /// Claims for the workers of one pool until each has a job or the pool has none for it.
    async fn serve(
        &mut self,
        core: &Core,
        db: &PgPool,
        pool: &mut PoolRound<'_>,
        claimed: &mut Vec<(Claimed, FreeWorker)>,
    ) {
        loop {
            let plan = self.plan(core, pool);
            if plan.requests.is_empty() {
                return;
            }
            // Read before the rows, so that a change during the statement causes another claim.
            let seen_version = core.queue.change_log().version();
            let found = match self.claim(core, db, pool, &plan.requests).await {
                Ok(found) => found,
                Err(error) => return tracing::warn!(%error, pool = pool.name, "jobs could not be claimed"),
            };
            let mut short = plan.requests.clone();
            for (job, worker) in self.in_order(core, pool.name, found, &plan.order) {
                let Some(at) = pool.free.iter().position(|(_, free)| free.id == worker) else { continue };
                let (group, worker) = pool.free.swap_remove(at);
                let of_lane = |request: &&mut ClaimRequest| {
                    request.lane == job.lane && usize::try_from(request.group) == Ok(group)
                };
                if let Some(request) = short.iter_mut().find(of_lane) {
                    request.quota -= 1;
                }
                core.fleet.roster().assigned(worker.id, job.id, &job.needs);
                claimed.push((job, worker));
            }
            short.retain(|request| request.quota > 0);
            if let Err(error) = self.note_remaining(core, db, pool, &short, seen_version).await {
                return tracing::warn!(%error, pool = pool.name, "jobs that remain to claim could not be counted");
            }
        }
    }

    /// The next statement. Groups with common needs go into different statements: one statement would give both the
    /// same jobs.
    fn plan(&self, core: &Core, pool: &PoolRound<'_>) -> ClaimPlan {
        let mut lanes = self.lanes_of(core, pool.name);
        let mut waiting = core.queue.waiting().counts_in(pool.name);
        let mut plan = ClaimPlan::default();
        let mut joined: HashSet<usize> = HashSet::new();
        let mut wanted: HashSet<&str> = HashSet::new();
        let now = core.clock.now();
        let mut open: HashMap<(usize, Lane), bool> = HashMap::new();
        for (group, _) in &pool.free {
            if plan.order.len() >= MAX_WORKERS {
                break;
            }
            let mut has_job = |lane: &Lane| {
                let is_tried = pool.tried.get(&(*group, *lane)).is_some_and(|window| *window >= WINDOWS.len());
                let may_have = || !is_tried && self.groups.may_have(core, *group, pool.name, *lane, now);
                waiting[*lane as usize] > 0 && *open.entry((*group, *lane)).or_insert_with(may_have)
            };
            let Some(lane) = lanes.order().into_iter().find(|lane| has_job(lane)) else { continue };
            let needs = self.groups.needs(*group);
            if !joined.contains(group) {
                if needs.is_empty() || needs.iter().any(|hash| wanted.contains(hash.as_str())) {
                    continue;
                }
                wanted.extend(needs.iter().map(String::as_str));
                joined.insert(*group);
            }
            waiting[lane as usize] -= 1;
            lanes.record(lane, |lane| waiting[lane as usize] > 0);
            plan.order.push(lane);
            let (Ok(party), at) = (i32::try_from(*group), pool.tried.get(&(*group, lane)).copied().unwrap_or(0)) else {
                continue;
            };
            match plan.requests.iter_mut().find(|request| request.group == party && request.lane == lane) {
                Some(request) => (request.quota, request.window) = (request.quota + 1, request.window + 1),
                None => {
                    let window = WINDOWS.get(at).copied().unwrap_or_default();
                    let needs = Arc::clone(needs);
                    plan.requests.push(ClaimRequest { group: party, lane, needs, quota: 1, window });
                }
            }
        }
        plan
    }

    async fn claim(
        &self,
        core: &Core,
        db: &PgPool,
        pool: &PoolRound<'_>,
        requests: &[ClaimRequest],
    ) -> sqlx::Result<Vec<(Claimed, WorkerId)>> {
        let slots = pool.free.iter().filter_map(|(group, worker)| {
            let group = i32::try_from(*group).ok()?;
            let is_asked = requests.iter().any(|request| request.group == group);
            is_asked.then(|| ClaimSlot { group, worker: worker.id, warm: worker.warm.clone() })
        });
        #[expect(clippy::cast_precision_loss, reason = "seconds of a setting")]
        let claim = Claim {
            node: core.node,
            pool: pool.name,
            requests,
            slots: &slots.collect::<Vec<_>>(),
            warm_window_seconds: core.settings.jobs.warm_window_seconds as f64,
            now: core.clock.now(),
        };
        let _timed = metrics::claim();
        claims::claim(db, &claim).await
    }

    /// Records the claimed jobs in the order in which the lane shares gave them out.
    fn in_order<T>(
        &mut self,
        core: &Core,
        pool: &str,
        mut found: Vec<(Claimed, T)>,
        order: &[Lane],
    ) -> Vec<(Claimed, T)> {
        found.sort_by_key(|(job, _)| std::cmp::Reverse((job.vstart, job.id)));
        let mut taken = Vec::new();
        for lane in order {
            let next = found.iter().rposition(|(job, _)| job.lane == *lane);
            taken.extend(next.map(|at| found.remove(at)));
        }
        // A job that was promoted during the statement has another lane than it was asked for.
        taken.extend(found);
        let mut last: BTreeMap<Lane, i64> = BTreeMap::new();
        let mut lanes = self.lanes_of(core, pool);
        for (job, _) in &taken {
            lanes.record(job.lane, |lane| core.queue.waiting().waits_in(pool, lane));
            metrics::claimed(job, core.clock.now());
            core.queue.waiting().leave(job.id, QueuedJob::new(job.user, pool, job.lane));
            core.queue.publish_status(job.id, Status::Connecting, core.clock.now());
            let start = last.entry(job.lane).or_insert(job.vstart);
            *start = job.vstart.max(*start);
        }
        for (lane, start) in last {
            tags::advance(core, pool, lane, start, !core.queue.waiting().waits_in(pool, lane));
        }
        self.lanes.insert(pool.to_owned(), lanes);
        taken
    }

    /// Decides about groups that got less than their quota: nothing waits, other nodes are claiming it, or the next
    /// statement has to look at a larger window.
    async fn note_remaining(
        &mut self,
        core: &Core,
        db: &PgPool,
        pool: &mut PoolRound<'_>,
        short: &[ClaimRequest],
        seen_version: u64,
    ) -> sqlx::Result<()> {
        if short.is_empty() {
            return Ok(());
        }
        let timed = metrics::claim();
        let remaining = claims::remaining(db, pool.name, short, core.clock.now()).await?;
        drop(timed);
        for Remaining { group, lane, waiting, paused_until } in remaining {
            let Ok(group) = usize::try_from(group) else { continue };
            let tried = pool.tried.entry((group, lane)).or_default();
            let window = WINDOWS.get(*tried).copied().unwrap_or(i64::MAX);
            *tried = if waiting > window { *tried + 1 } else { WINDOWS.len() };
            if waiting == 0 || (paused_until.is_some() && waiting <= window) {
                self.groups.cache_miss(group, pool.name, lane, seen_version, paused_until);
            }
        }
        Ok(())
    }

    fn lanes_of(&self, core: &Core, pool: &str) -> LaneShares {
        self.lanes.get(pool).cloned().unwrap_or_else(|| LaneShares::new(core.settings.jobs.lane_shares))
    }
}

#[cfg(test)]
mod tests;
