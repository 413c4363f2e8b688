//! A snapshot of a pool: the first waiting jobs of each lane, and the running jobs. Positions and estimates come from it.
//!
//! All requests within [`MAX_AGE`] share one snapshot, so that ten thousand open pages cost as much as one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::entry::{LaneJob, QueueEntry, RunningJob};
use super::estimate::Estimate;
use super::forecast::Workload;
use crate::ids::UserId;
use crate::jobs::status::Lane;
use crate::jobs::store::flight;
use crate::{Core, Result};

/// Jobs of each lane that are read. Beyond them, a position is "more than", and its time comes from the lane's totals.
pub(in crate::jobs) const MAX_JOBS: usize = 1000;
const MAX_AGE: Duration = Duration::from_secs(1);
/// Maximum age for a job that the snapshot should contain and does not: a new one.
const MAX_AGE_FOR_NEW: Duration = Duration::from_millis(200);

#[derive(Debug)]
pub(in crate::jobs) struct PoolSnapshot {
    /// By number.
    lanes: [LaneHead; 4],
    pub running: Vec<RunningJob>,
    read_at: Instant,
}

/// The first waiting jobs of a lane, in their order.
#[derive(Debug)]
pub(in crate::jobs) struct LaneHead {
    pub jobs: Vec<LaneJob>,
    /// The work of the first 0, 1, 2, … of them.
    sums: Vec<Workload>,
}

/// The place of a job in the head of its lane.
#[derive(Debug)]
pub(in crate::jobs) struct LanePlace<'a> {
    /// The jobs of its lane that go first.
    pub before: &'a [LaneJob],
    pub work: Workload,
    /// Whether the job is beyond the head, so that more jobs may go first.
    pub is_beyond: bool,
}

impl LaneHead {
    fn new(jobs: Vec<LaneJob>, estimate: impl Fn(&LaneJob) -> Estimate) -> Self {
        let mut sums = vec![Workload::default()];
        let mut sum = Workload::default();
        for job in &jobs {
            sum.add(estimate(job));
            sums.push(sum);
        }
        Self { jobs, sums }
    }

    /// The work of the whole head.
    pub fn work(&self) -> Workload {
        self.sums.last().copied().unwrap_or_default()
    }

    /// Whether the lane may have more jobs.
    pub fn is_cut(&self) -> bool {
        self.jobs.len() > MAX_JOBS
    }

    pub fn last_vstart(&self) -> i64 {
        self.jobs.last().map_or(0, |job| job.vstart)
    }

    /// The virtual start of a job that the account submits now: behind its own jobs, else with the first ones.
    pub fn vstart_of_new(&self, account: Option<UserId>) -> i64 {
        let own = self.jobs.iter().rfind(|job| Some(job.user) == account);
        own.or(self.jobs.first()).map_or(0, |job| job.vstart)
    }
}

impl PoolSnapshot {
    pub fn lane(&self, lane: Lane) -> &LaneHead {
        let [interactive, api, training, flex] = &self.lanes;
        match lane {
            Lane::Interactive => interactive,
            Lane::Api => api,
            Lane::Training => training,
            Lane::Flex => flex,
        }
    }

    pub fn place(&self, entry: &QueueEntry) -> LanePlace<'_> {
        let head = self.lane(entry.lane);
        let at = head.jobs.partition_point(|job| (job.vstart, job.id) < (entry.vstart, entry.id));
        LanePlace {
            before: head.jobs.get(..at).unwrap_or(&head.jobs),
            work: head.sums.get(at).copied().unwrap_or_default(),
            is_beyond: at == head.jobs.len() && head.is_cut(),
        }
    }

    /// Waiting jobs of the lanes before this one.
    pub fn earlier(&self, lane: Lane) -> impl Iterator<Item = &LaneJob> {
        Lane::ALL.into_iter().filter(move |other| *other < lane).flat_map(|other| &self.lane(other).jobs)
    }

    /// Whether the snapshot contains the job, or the job is beyond the head of its lane.
    fn covers(&self, entry: &QueueEntry) -> bool {
        let place = self.place(entry);
        place.is_beyond || self.lane(entry.lane).jobs.get(place.before.len()).is_some_and(|job| job.id == entry.id)
    }
}

/// A snapshot of the job's pool, at most [`MAX_AGE`] old.
pub(in crate::jobs) async fn of(core: &Core, entry: &QueueEntry) -> Result<Arc<PoolSnapshot>> {
    let shared = core.queue.snapshot(&entry.pool);
    let mut known = shared.lock().await;
    if let Some(snapshot) = known.as_ref() {
        let age = snapshot.read_at.elapsed();
        if age < MAX_AGE_FOR_NEW || (age < MAX_AGE && snapshot.covers(entry)) {
            return Ok(Arc::clone(snapshot));
        }
    }
    let limit = i64::try_from(MAX_JOBS + 1).unwrap_or(i64::MAX);
    let estimate = |job: &LaneJob| core.queue.estimates().of(&job.kind, &entry.pool);
    let heads = flight::heads(&core.db, &entry.pool, limit).await?;
    let read = PoolSnapshot {
        lanes: heads.map(|jobs| LaneHead::new(jobs, estimate)),
        running: flight::running(&core.db, &entry.pool).await?,
        read_at: Instant::now(),
    };
    let read = Arc::new(read);
    *known = Some(Arc::clone(&read));
    Ok(read)
}
