//! A round of claims: which jobs the workers get that are free now.
//!
//! Workers that can run the same are a group, and one statement asks for all groups of a pool that do not want the same
//! jobs. How many of each lane are asked for is what the lanes would give one worker after the other.
//!
//! A worker that runs something is given a job to wait behind that ([`behind`]) when no idle one can run it.

mod able;
pub(in crate::jobs) mod behind;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use sqlx::PgPool;

use self::able::Ables;
use self::behind::{Behind, Outlook, must_yield};
use crate::Core;
use crate::fleet::FreeWorker;
use crate::ids::WorkerId;
use crate::jobs::metrics;
use crate::jobs::queue::lanes::Lanes;
use crate::jobs::queue::tags;
use crate::jobs::queue::waiting::Queued;
use crate::jobs::status::{Lane, Status};
use crate::jobs::store::claims::{self, Ask, Claim, Hand};
use crate::jobs::store::flight::Claimed;

/// Workers that one statement claims for: the last of them waits for all.
const AT_ONCE: usize = 250;
/// How many of the first jobs are looked at beyond those that are wanted: a few, and where others are taking all of these,
/// more.
const WINDOWS: [i64; 2] = [16, 512];

/// What a round of claims works with.
#[derive(Default)]
pub(in crate::jobs) struct ClaimRound {
    /// By pool.
    lanes: HashMap<String, Lanes>,
    ables: Ables,
}

/// Free workers of one pool, while they are given jobs.
struct Pool<'a> {
    name: &'a str,
    /// With the groups that they are of.
    free: Vec<(usize, FreeWorker)>,
    /// How many of [`WINDOWS`] were of no use for a group in a lane.
    tried: HashMap<(usize, Lane), usize>,
}

/// What one statement asks for.
#[derive(Default)]
struct Plan {
    asks: Vec<Ask>,
    /// The lanes as the workers would have asked for them.
    order: Vec<Lane>,
}

impl ClaimRound {
    /// One job for each free worker, as far as there are any, and for busy ones what no free one can run.
    pub async fn round(&mut self, core: &Core, db: &PgPool) -> Vec<(Claimed, FreeWorker)> {
        let roster = core.fleet.roster();
        let mut workers = roster.free();
        workers.extend(roster.with_room_behind(Instant::now()));
        workers.retain(|worker| core.queue.waiting().waits(&worker.pool));
        if workers.is_empty() {
            return Vec::new();
        }
        if let Err(error) = self.ables.read(core).await {
            tracing::warn!(%error, "reading what jobs need");
        }
        let mut pools: BTreeMap<String, [Vec<(usize, FreeWorker)>; 2]> = BTreeMap::new();
        for worker in workers {
            let group = self.ables.group(&worker.capabilities);
            let [free, busy] = pools.entry(worker.pool.clone()).or_default();
            (if worker.is_busy { busy } else { free }).push((group, worker));
        }
        let mut claimed = Vec::new();
        for (name, [free, mut busy]) in pools {
            let mut pool = Pool { name: &name, free, tried: HashMap::new() };
            self.serve(core, db, &mut pool, &mut claimed).await;
            let mut idle: Vec<usize> = pool.free.iter().map(|(group, _)| *group).collect();
            idle.sort_unstable();
            idle.dedup();
            let mut cut: HashMap<usize, usize> = HashMap::new();
            for (group, _) in &mut busy {
                *group = *cut.entry(*group).or_insert_with_key(|group| self.ables.without(*group, &idle));
            }
            let mut pool = Pool { name: &name, free: busy, tried: HashMap::new() };
            self.serve(core, db, &mut pool, &mut claimed).await;
        }
        claimed
    }

    /// What has to be known of a job that was claimed for a busy worker, to take it back later.
    pub fn note_behind(&self, core: &Core, job: &Claimed, worker: &FreeWorker) -> Behind {
        Behind {
            worker: worker.id,
            pool: job.pool.clone(),
            lane: job.lane,
            needs: job.needs.clone(),
            withdrawn: job.withdrawn,
            stood: core.queue.arrivals().now(),
            passed_over: core.queue.waiting().counts_in(&job.pool).map(|count| count > 0),
        }
    }

    /// Whether a job that waits behind another one is to be taken back. Asked when free workers were given what there is.
    pub fn must_yield(&mut self, core: &Core, behind: &Behind) -> bool {
        let roster = core.fleet.roster();
        let free = roster.free();
        let groups: Vec<usize> = free
            .iter()
            .filter(|free| free.pool == behind.pool)
            .map(|free| self.ables.group(&free.capabilities))
            .collect();
        let own = roster.reachable(behind.worker).map(|worker| self.ables.group(&worker.capabilities));
        let can = |group: usize| self.ables.needs(group).binary_search(&behind.needs).is_ok();
        let waiting = core.queue.waiting().counts_in(&behind.pool);
        let came = |lane: Lane, group: usize| {
            core.queue.arrivals().since(behind.stood, &behind.pool, lane, self.ables.needs(group))
        };
        let mut earlier = Lane::ALL.into_iter().filter(|lane| *lane < behind.lane);
        let urgent_came = earlier.any(|lane| {
            let is_new = waiting[lane as usize] > 0 && !behind.passed_over[lane as usize];
            is_new && own.is_some_and(|group| came(lane, group))
        });
        must_yield(Outlook {
            gets_more: roster.gets_more(behind.worker),
            another_is_idle: groups.into_iter().any(can),
            urgent_came,
            withdrawn: behind.withdrawn,
        })
    }

    /// Asks for the workers of one pool until each has a job or there is none for it.
    async fn serve(&mut self, core: &Core, db: &PgPool, pool: &mut Pool<'_>, claimed: &mut Vec<(Claimed, FreeWorker)>) {
        loop {
            let plan = self.plan(core, pool);
            if plan.asks.is_empty() {
                return;
            }
            // Before the rows are asked: what comes meanwhile is asked for again.
            let stood = core.queue.arrivals().now();
            let found = match self.ask(core, db, pool, &plan.asks).await {
                Ok(found) => found,
                Err(error) => return tracing::warn!(%error, "claiming jobs"),
            };
            let mut short = plan.asks.clone();
            for (job, worker) in self.in_order(core, pool.name, found, &plan.order) {
                let Some(at) = pool.free.iter().position(|(_, free)| free.id == worker) else { continue };
                let (group, worker) = pool.free.swap_remove(at);
                let of = short.iter_mut().find(|ask| ask.lane == job.lane && usize::try_from(ask.group) == Ok(group));
                if let Some(ask) = of {
                    ask.quota -= 1;
                }
                core.fleet.roster().assigned(worker.id, job.id, &job.needs);
                claimed.push((job, worker));
            }
            short.retain(|ask| ask.quota > 0);
            if let Err(error) = self.look_for_more(core, db, pool, &short, stood).await {
                return tracing::warn!(%error, "counting what is left to claim");
            }
        }
    }

    /// What to ask for next. Groups that can run some of the same jobs are not asked for in one statement: both would be
    /// given the same ones.
    fn plan(&self, core: &Core, pool: &Pool<'_>) -> Plan {
        let mut lanes = self.lanes_of(core, pool.name);
        let mut waiting = core.queue.waiting().counts_in(pool.name);
        let mut plan = Plan::default();
        let mut joined: HashSet<usize> = HashSet::new();
        let mut wanted: HashSet<&str> = HashSet::new();
        let now = core.clock.now();
        let mut open: HashMap<(usize, Lane), bool> = HashMap::new();
        for (group, _) in &pool.free {
            if plan.order.len() >= AT_ONCE {
                break;
            }
            let mut asks = |lane: &Lane| {
                let is_tried = pool.tried.get(&(*group, *lane)).is_some_and(|window| *window >= WINDOWS.len());
                let may_have = || !is_tried && self.ables.may_have(core, *group, pool.name, *lane, now);
                waiting[*lane as usize] > 0 && *open.entry((*group, *lane)).or_insert_with(may_have)
            };
            let Some(lane) = lanes.order().into_iter().find(|lane| asks(lane)) else { continue };
            let needs = self.ables.needs(*group);
            if !joined.contains(group) {
                if needs.is_empty() || needs.iter().any(|hash| wanted.contains(hash.as_str())) {
                    continue;
                }
                wanted.extend(needs.iter().map(String::as_str));
                joined.insert(*group);
            }
            waiting[lane as usize] -= 1;
            lanes.took(lane, |lane| waiting[lane as usize] > 0);
            plan.order.push(lane);
            let (Ok(party), at) = (i32::try_from(*group), pool.tried.get(&(*group, lane)).copied().unwrap_or(0)) else {
                continue;
            };
            match plan.asks.iter_mut().find(|ask| ask.group == party && ask.lane == lane) {
                Some(ask) => (ask.quota, ask.look) = (ask.quota + 1, ask.look + 1),
                None => {
                    let look = WINDOWS.get(at).copied().unwrap_or_default();
                    plan.asks.push(Ask { group: party, lane, needs: Arc::clone(needs), quota: 1, look });
                }
            }
        }
        plan
    }

    async fn ask(
        &self,
        core: &Core,
        db: &PgPool,
        pool: &Pool<'_>,
        asks: &[Ask],
    ) -> sqlx::Result<Vec<(Claimed, WorkerId)>> {
        let hands = pool.free.iter().filter_map(|(group, worker)| {
            let group = i32::try_from(*group).ok().filter(|group| asks.iter().any(|ask| ask.group == *group))?;
            Some(Hand { group, worker: worker.id, warm: worker.warm.clone() })
        });
        #[expect(clippy::cast_precision_loss, reason = "seconds of a setting")]
        let claim = Claim {
            node: core.node,
            pool: pool.name,
            asks,
            hands: &hands.collect::<Vec<_>>(),
            warm_window_seconds: core.settings.jobs.warm_window_seconds as f64,
            now: core.clock.now(),
        };
        let _timed = metrics::claim();
        claims::claim(db, &claim).await
    }

    /// Notes what was taken, in the order in which the lanes gave it.
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
        let mut last: BTreeMap<Lane, i64> = BTreeMap::new();
        let mut lanes = self.lanes_of(core, pool);
        for (job, _) in &taken {
            lanes.took(job.lane, |lane| core.queue.waiting().waits_in(pool, lane));
            metrics::claimed(job, core.clock.now());
            core.queue.waiting().leave(job.id, Queued::new(job.user, pool, job.lane));
            core.queue.tell(job.id, Status::Connecting, core.clock.now());
            let start = last.entry(job.lane).or_insert(job.vstart);
            *start = job.vstart.max(*start);
        }
        for (lane, start) in last {
            tags::taken(core, pool, lane, start, !core.queue.waiting().waits_in(pool, lane));
        }
        self.lanes.insert(pool.to_owned(), lanes);
        taken
    }

    /// Where less was given than was wanted: whether there is nothing, whether others are taking it, or whether more has to
    /// be looked at.
    async fn look_for_more(
        &mut self,
        core: &Core,
        db: &PgPool,
        pool: &mut Pool<'_>,
        short: &[Ask],
        stood: u64,
    ) -> sqlx::Result<()> {
        if short.is_empty() {
            return Ok(());
        }
        let timed = metrics::claim();
        let left = claims::rest(db, pool.name, short, core.clock.now()).await?;
        drop(timed);
        for rest in left {
            let Ok(group) = usize::try_from(rest.group) else { continue };
            let tried = pool.tried.entry((group, rest.lane)).or_default();
            let look = WINDOWS.get(*tried).copied().unwrap_or(i64::MAX);
            *tried = if rest.waiting > look { *tried + 1 } else { WINDOWS.len() };
            if rest.waiting == 0 || (rest.paused_until.is_some() && rest.waiting <= look) {
                self.ables.note_nothing(group, pool.name, rest.lane, stood, rest.paused_until);
            }
        }
        Ok(())
    }

    fn lanes_of(&self, core: &Core, pool: &str) -> Lanes {
        self.lanes.get(pool).cloned().unwrap_or_else(|| Lanes::new(core.settings.jobs.lane_shares))
    }
}
