//! Where a waiting job stands, and when it will begin.

use chrono::{DateTime, Utc};

use super::estimate::Estimate;
use super::forecast::{Ahead, Work, begins};
use super::snapshot::{self, COUNTED, Lines};
use super::spot::Spot;
use crate::fleet::Prospects;
use crate::ids::WorkerId;
use crate::jobs::status::Lane;
use crate::{Core, Result};

/// A place in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueuePosition {
    /// 1 is next; 1001 stands for anything beyond a thousand.
    pub position: i64,
    /// When it will begin, in seconds from now: hardly before, and hardly after. From what ran lately; `None` while no
    /// worker is there that can run it.
    pub eta_seconds: Option<(i64, i64)>,
}

/// Where a waiting job stands.
pub(in crate::jobs) async fn place(core: &Core, job: &Spot) -> Result<QueuePosition> {
    let lines = snapshot::of(core, job).await?;
    let prospects = match core.queue.needs(core, &job.needs).await? {
        Some(needs) => core.fleet.roster().prospects(&job.pool, &needs),
        None => Prospects::default(),
    };
    let stand = lines.stand(job);
    let counted = stand.before.len() + lines.earlier(job.lane).count();
    let position = if stand.beyond { COUNTED + 1 } else { (counted + 1).min(COUNTED + 1) };
    let ahead = ahead(core, job, &lines, &prospects);
    Ok(QueuePosition {
        position: i64::try_from(position).unwrap_or(i64::MAX),
        eta_seconds: begins(&ahead).map(|(low, high)| (seconds(low.floor()), seconds(high.ceil()).max(1))),
    })
}

/// Milliseconds as whole seconds: down for what was rounded down, up for what was rounded up.
fn seconds(ms: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "saturates")]
    let seconds = (ms / 1000.0).round() as i64;
    seconds.max(0)
}

/// What goes before a job, and who works on it.
fn ahead(core: &Core, job: &Spot, lines: &Lines, prospects: &Prospects) -> Ahead {
    let shares = core.settings.jobs.lane_shares.map(f64::from);
    let total = shares.iter().sum::<f64>().max(1.0);
    let share =
        |lane: Lane| Lane::ALL.into_iter().zip(shares).find(|(of, _)| *of == lane).map_or(0.0, |(_, s)| s / total);
    let stand = lines.stand(job);
    let mut before = stand.work;
    if stand.beyond {
        // Virtual start times are work divided by weight: so much of what was not read lies before the job.
        let unread = unread(core, &job.pool, lines, job.lane);
        let span = core.queue.lane_total(&job.pool, job.lane).finish - lines.lane(job.lane).last_vstart();
        let into = job.vstart - lines.lane(job.lane).last_vstart();
        #[expect(clippy::cast_precision_loss, reason = "virtual milliseconds of one queue")]
        let part = if span > 0 { (into as f64 / span as f64).clamp(0.0, 1.0) } else { 1.0 };
        before = before.plus(unread.scaled(part));
    }
    let whole = |lane| lines.lane(lane).work().plus(unread(core, &job.pool, lines, lane));
    let lanes = || Lane::ALL.into_iter();
    Ahead {
        before,
        earlier: lanes().filter(|lane| *lane < job.lane).map(whole).fold(Work::default(), Work::plus),
        own_share: share(job.lane),
        later: lanes().filter(|lane| *lane > job.lane).map(|lane| (whole(lane), share(lane))).collect(),
        workers: workers(core, lines, &job.pool, prospects),
    }
}

/// The work of a lane beyond what was read, as the last sweep counted it.
fn unread(core: &Core, pool: &str, lines: &Lines, lane: Lane) -> Work {
    let head = lines.lane(lane);
    if !head.is_cut() {
        return Work::default();
    }
    let read = head.work();
    #[expect(clippy::cast_precision_loss, reason = "jobs of one queue")]
    let jobs = (core.queue.lane_total(pool, lane).count as f64 - read.jobs).max(0.0);
    // What was not read is taken to be like what was.
    read.scaled(jobs / read.jobs.max(1.0))
}

/// What is left of the run of each worker that can take the job.
fn workers(core: &Core, lines: &Lines, pool: &str, prospects: &Prospects) -> Vec<Estimate> {
    let now = core.clock.now();
    let free = Estimate { mean_ms: 0.0, deviation_ms: 0.0 };
    let left = |kind: &str, started_at: Option<DateTime<Utc>>| {
        let elapsed = started_at.map_or(0, |at| (now - at).num_milliseconds().max(0));
        core.queue.estimates().of(kind, pool).left(elapsed)
    };
    // One may wait there behind the other.
    let all = |able: &WorkerId| {
        let runs = lines.running.iter().filter(|run| run.worker == Some(*able));
        runs.map(|run| left(&run.kind, run.started_at)).fold(free, |sum, run| Estimate {
            mean_ms: sum.mean_ms + run.mean_ms,
            deviation_ms: sum.deviation_ms + run.deviation_ms,
        })
    };
    prospects.able.iter().map(all).collect()
}
