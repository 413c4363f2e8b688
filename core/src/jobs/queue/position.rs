//! The position of a waiting job, and when it will begin.

use chrono::{DateTime, Utc};

use super::entry::QueueEntry;
use super::estimate::Estimate;
use super::forecast::{ForecastInput, Workload, start_range};
use super::snapshot::{self, MAX_JOBS, PoolSnapshot};
use crate::fleet::PoolAvailability;
use crate::graph::Needs;
use crate::ids::{JobId, UserId, WorkerId};
use crate::jobs::status::Lane;
use crate::{Core, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueuePosition {
    /// 1 is next; 1001 is anything beyond a thousand.
    pub position: i64,
    /// The range of its start in seconds from now, estimated from recent runs. `None` while no worker can run it.
    pub eta_seconds: Option<(i64, i64)>,
}

pub(in crate::jobs) async fn position(core: &Core, job: &QueueEntry) -> Result<QueuePosition> {
    let snapshot = snapshot::of(core, job).await?;
    let workers = match core.queue.needs(core, &job.needs).await? {
        Some(needs) => core.fleet.roster().availability(&job.pool, &needs),
        None => PoolAvailability::default(),
    };
    let place = snapshot.place(job);
    let counted = place.before.len() + snapshot.earlier(job.lane).count();
    let position = if place.is_beyond { MAX_JOBS + 1 } else { (counted + 1).min(MAX_JOBS + 1) };
    let input = forecast_input(core, job, &snapshot, &workers);
    Ok(QueuePosition { position: i64::try_from(position).unwrap_or(i64::MAX), eta_seconds: eta_seconds(&input) })
}

/// The range of the start of a job that the account submits now, in seconds; `None` while no worker can run it.
pub(in crate::jobs) async fn start_of_new(
    core: &Core,
    account: Option<UserId>,
    pool: &str,
    lane: Lane,
    needs: &Needs,
) -> Result<Option<(i64, i64)>> {
    let workers = core.fleet.roster().availability(pool, needs);
    if workers.able.is_empty() {
        return Ok(None);
    }
    let entry = QueueEntry { id: JobId::new(), pool: pool.to_owned(), lane, vstart: i64::MAX, needs: String::new() };
    let snapshot = snapshot::of(core, &entry).await?;
    let entry = QueueEntry { vstart: snapshot.lane(lane).vstart_of_new(account), ..entry };
    Ok(eta_seconds(&forecast_input(core, &entry, &snapshot, &workers)))
}

fn eta_seconds(input: &ForecastInput) -> Option<(i64, i64)> {
    start_range(input).map(|(low, high)| (seconds(low.floor()), seconds(high.ceil()).max(1)))
}

fn seconds(ms: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "saturates")]
    let seconds = (ms / 1000.0).round() as i64;
    seconds.max(0)
}

fn forecast_input(core: &Core, job: &QueueEntry, snapshot: &PoolSnapshot, workers: &PoolAvailability) -> ForecastInput {
    let shares = core.settings.jobs.lane_shares.map(f64::from);
    let total = shares.iter().sum::<f64>().max(1.0);
    let share =
        |lane: Lane| Lane::ALL.into_iter().zip(shares).find(|(of, _)| *of == lane).map_or(0.0, |(_, s)| s / total);
    let place = snapshot.place(job);
    let mut before = place.work;
    if place.is_beyond {
        // Virtual start times are work divided by weight, so they tell which part of the unread work goes first.
        let unread = unread(core, &job.pool, snapshot, job.lane);
        let last_vstart = snapshot.lane(job.lane).last_vstart();
        let span = core.queue.lane_total(&job.pool, job.lane).finish - last_vstart;
        let into = job.vstart - last_vstart;
        #[expect(clippy::cast_precision_loss, reason = "virtual milliseconds of one queue")]
        let part = if span > 0 { (into as f64 / span as f64).clamp(0.0, 1.0) } else { 1.0 };
        before = before.plus(unread.scaled(part));
    }
    let whole = |lane| snapshot.lane(lane).work().plus(unread(core, &job.pool, snapshot, lane));
    let lanes = || Lane::ALL.into_iter();
    ForecastInput {
        before,
        earlier: lanes().filter(|lane| *lane < job.lane).map(whole).fold(Workload::default(), Workload::plus),
        own_share: share(job.lane),
        later: lanes().filter(|lane| *lane > job.lane).map(|lane| (whole(lane), share(lane))).collect(),
        workers: remaining_runs(core, snapshot, &job.pool, workers),
    }
}

/// The work of a lane beyond its head, by the count of the last sweep. Its runs are assumed to be like those of the head.
fn unread(core: &Core, pool: &str, snapshot: &PoolSnapshot, lane: Lane) -> Workload {
    let head = snapshot.lane(lane);
    if !head.is_cut() {
        return Workload::default();
    }
    let read = head.work();
    #[expect(clippy::cast_precision_loss, reason = "jobs of one queue")]
    let jobs = (core.queue.lane_total(pool, lane).count as f64 - read.jobs).max(0.0);
    read.scaled(jobs / read.jobs.max(1.0))
}

/// The remaining run of each worker that can run the job, with the run that it has prefetched.
fn remaining_runs(core: &Core, snapshot: &PoolSnapshot, pool: &str, workers: &PoolAvailability) -> Vec<Estimate> {
    let now = core.clock.now();
    let free = Estimate { mean_ms: 0.0, deviation_ms: 0.0 };
    let remaining = |kind: &str, started_at: Option<DateTime<Utc>>| {
        let elapsed = started_at.map_or(0, |at| (now - at).num_milliseconds().max(0));
        core.queue.estimates().of(kind, pool).remaining(elapsed)
    };
    let sum_of = |worker: &WorkerId| {
        let runs = snapshot.running.iter().filter(|run| run.worker == Some(*worker));
        runs.map(|run| remaining(&run.kind, run.started_at)).fold(free, |sum, run| Estimate {
            mean_ms: sum.mean_ms + run.mean_ms,
            deviation_ms: sum.deviation_ms + run.deviation_ms,
        })
    };
    workers.able.iter().map(sum_of).collect()
}
