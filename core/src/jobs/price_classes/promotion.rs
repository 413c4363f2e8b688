//! Promotes jobs of the lane flex in time for their deadlines, or after a long wait.
//!
//! A lost round costs nothing: the next one finds the same rows. Other nodes learn of promoted jobs by the message about
//! waiting jobs, or by their sweep.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, Utc};

use super::deadline::{QueueAhead, WaitingRun, due};
use super::store::{self, FlexJob};
use super::timing::{run_time, wait_ms};
use crate::ids::{JobId, UserId};
use crate::jobs::metrics;
use crate::jobs::queue::tags;
use crate::jobs::queue::waiting::QueuedJob;
use crate::jobs::status::Lane;
use crate::{Core, Result, users};

/// The most jobs of one round.
pub const PROMOTED_AT_ONCE: i64 = 500;
/// The jobs of a pool that a round looks at.
const LOOKED_AT: i64 = 2000;

/// A round of promotions; returns their number.
///
/// # Errors
/// Of the database. No job is promoted then.
pub async fn promote_due(core: &Core) -> Result<u64> {
    let now = core.clock.now();
    let mut pools: BTreeMap<String, Vec<FlexJob>> = BTreeMap::new();
    for job in store::next(&core.db, &core.settings.pool_names(), LOOKED_AT).await? {
        pools.entry(job.pool.clone()).or_default().push(job);
    }
    if pools.is_empty() {
        return Ok(0);
    }
    let promoted = store::promoted_work(&core.db).await?;
    let mut jobs = Vec::new();
    for (pool, waiting) in pools {
        let promoted_ms = promoted.get(&pool).copied().unwrap_or_default();
        jobs.extend(due_in(core, &pool, waiting, (now, promoted_ms)).await?);
    }
    jobs.truncate(usize::try_from(PROMOTED_AT_ONCE).unwrap_or(usize::MAX));
    if jobs.is_empty() {
        return Ok(0);
    }
    let starts = starts(core, &jobs).await;
    let promoted: HashSet<JobId> = store::promote(&core.db, &starts, now).await?.into_iter().collect();
    for job in jobs.iter().filter(|job| promoted.contains(&job.id)) {
        tracing::debug!(job.id = %job.id, lane = job.to.name(), "job {} is promoted", job.id);
        core.queue.waiting().promote(job.id, QueuedJob::new(job.user, &job.pool, Lane::Flex), job.to);
        core.queue.change_log().invalidate(&job.pool, job.to);
    }
    let count = promoted.len() as u64;
    if count > 0 {
        metrics::promoted(count);
        core.queue.wake();
    }
    Ok(count)
}

/// The jobs of a pool that must be promoted now, those with the earliest deadlines first. `promoted_ms` is the work of jobs
/// that were promoted before.
async fn due_in(
    core: &Core,
    pool: &str,
    waiting: Vec<FlexJob>,
    (now, promoted_ms): (DateTime<Utc>, i64),
) -> Result<Vec<FlexJob>> {
    let mut late = Vec::new();
    let mut with_deadline: Vec<(WaitingRun, FlexJob)> = Vec::new();
    for job in waiting {
        // By what is known now, which is more than at the submit.
        match job.deadline {
            Some(deadline) => {
                let latest_start = run_time(core, &job.kind, pool, job.max_run_ms).latest_start(deadline);
                let work_ms = core.queue.estimates().of(&job.kind, pool).mean().min(job.max_run_ms);
                with_deadline.push((WaitingRun { latest_start, work_ms }, job));
            }
            None if job.promote_at <= now => late.push(job),
            None => {}
        }
    }
    with_deadline.sort_by_key(|(run, job)| (run.latest_start, job.id));
    let (runs, mut jobs): (Vec<WaitingRun>, Vec<FlexJob>) = with_deadline.into_iter().unzip();
    let wait_ms = longest_wait(core, pool, &jobs).await?;
    let ahead = QueueAhead { wait_ms, promoted_ms, workers: core.fleet.roster().connected_in(pool) };
    jobs.truncate(due(&runs, now, ahead));
    jobs.extend(late);
    Ok(jobs)
}

/// The longest wait in the lanes to which these jobs are promoted. The first job of each lane stands for the others.
async fn longest_wait(core: &Core, pool: &str, jobs: &[FlexJob]) -> Result<i64> {
    let mut longest = 0;
    let mut lanes = HashSet::new();
    for job in jobs.iter().filter(|job| lanes.insert(job.to)) {
        if let Some(needs) = core.queue.needs(core, &job.needs).await? {
            longest = longest.max(wait_ms(core, None, pool, job.to, &needs).await?);
        }
    }
    Ok(longest)
}

/// A virtual start time for each job, in the order of the jobs.
async fn starts(core: &Core, jobs: &[FlexJob]) -> Vec<(JobId, i64)> {
    let mut weights: HashMap<UserId, u32> = HashMap::new();
    let mut starts = Vec::with_capacity(jobs.len());
    for job in jobs {
        let weight = match weights.get(&job.user) {
            Some(weight) => *weight,
            None => {
                let weight = users::plan(core, job.user).await.map_or(1, |plan| plan.weight);
                weights.insert(job.user, weight);
                weight
            }
        };
        let estimate_ms = core.queue.estimates().of(&job.kind, &job.pool).mean().min(job.max_run_ms);
        let flow = tags::of_promoted(job.user);
        starts.push((job.id, tags::next(core, &job.pool, job.to, flow, estimate_ms, weight).await));
    }
    starts
}
