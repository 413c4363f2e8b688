//! The head of each line of a pool, and what its workers do: what places and estimates are read off.
//!
//! It is read once for all who ask within [`FRESH`], so that ten thousand waiting pages cost as much as one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::estimate::Estimate;
use super::forecast::Work;
use super::spot::{Runner, Spot, Waiter};
use crate::jobs::status::Lane;
use crate::jobs::store::flight;
use crate::{Core, Result};

/// Jobs of each lane that are read; beyond it a place is "more than", and the time is told by the lane as a whole.
pub(in crate::jobs) const COUNTED: usize = 1000;
/// How old a reading may be.
const FRESH: Duration = Duration::from_secs(1);
/// How old it may be for a job that should stand in it and does not: one that has just come.
const FRESH_FOR_NEW: Duration = Duration::from_millis(200);

/// The lines of one pool.
#[derive(Debug)]
pub(in crate::jobs) struct Lines {
    lanes: [Head; 3],
    pub running: Vec<Runner>,
    read_at: Instant,
}

/// The first waiting jobs of a lane, in their order.
#[derive(Debug)]
pub(in crate::jobs) struct Head {
    pub waiters: Vec<Waiter>,
    /// The work of the first 0, 1, 2, … of them.
    sums: Vec<Work>,
}

/// Where a job stands among those that were read.
#[derive(Debug)]
pub(in crate::jobs) struct Stand<'a> {
    /// Jobs of its own lane that go first.
    pub before: &'a [Waiter],
    pub work: Work,
    /// Whether more may go first than were read.
    pub beyond: bool,
}

impl Head {
    fn new(waiters: Vec<Waiter>, estimate: impl Fn(&Waiter) -> Estimate) -> Self {
        let mut sums = vec![Work::default()];
        let mut sum = Work::default();
        for waiter in &waiters {
            sum.add(estimate(waiter));
            sums.push(sum);
        }
        Self { waiters, sums }
    }

    /// The work of all that were read.
    pub fn work(&self) -> Work {
        self.sums.last().copied().unwrap_or_default()
    }

    /// Whether there may be more than were read.
    pub fn is_cut(&self) -> bool {
        self.waiters.len() > COUNTED
    }

    pub fn last_vstart(&self) -> i64 {
        self.waiters.last().map_or(0, |waiter| waiter.vstart)
    }
}

impl Lines {
    /// The first waiting jobs of a lane.
    pub fn lane(&self, lane: Lane) -> &Head {
        let [interactive, api, training] = &self.lanes;
        match lane {
            Lane::Interactive => interactive,
            Lane::Api => api,
            Lane::Training => training,
        }
    }

    /// Where a waiting job stands in its lane.
    pub fn stand(&self, job: &Spot) -> Stand<'_> {
        let head = self.lane(job.lane);
        let at = head.waiters.partition_point(|waiter| (waiter.vstart, waiter.id) < (job.vstart, job.id));
        Stand {
            before: head.waiters.get(..at).unwrap_or(&head.waiters),
            work: head.sums.get(at).copied().unwrap_or_default(),
            beyond: at == head.waiters.len() && head.is_cut(),
        }
    }

    /// Waiting jobs of the lanes that go before this one.
    pub fn earlier(&self, lane: Lane) -> impl Iterator<Item = &Waiter> {
        Lane::ALL.into_iter().filter(move |other| *other < lane).flat_map(|other| &self.lane(other).waiters)
    }

    /// Whether a job stands where it should, or too far back to be read.
    fn shows(&self, job: &Spot) -> bool {
        let stand = self.stand(job);
        stand.beyond || self.lane(job.lane).waiters.get(stand.before.len()).is_some_and(|waiter| waiter.id == job.id)
    }
}

/// The lines of a waiting job's pool, as they were at most a second ago.
pub(in crate::jobs) async fn of(core: &Core, job: &Spot) -> Result<Arc<Lines>> {
    let place = core.queue.lines(&job.pool);
    let mut known = place.lock().await;
    if let Some(lines) = known.as_ref() {
        let age = lines.read_at.elapsed();
        if age < FRESH_FOR_NEW || (age < FRESH && lines.shows(job)) {
            return Ok(Arc::clone(lines));
        }
    }
    let limit = i64::try_from(COUNTED + 1).unwrap_or(i64::MAX);
    let head = async |lane| {
        let estimate = |waiter: &Waiter| core.queue.estimates().of(&waiter.kind, &job.pool);
        flight::head(&core.db, &job.pool, lane, limit).await.map(|waiters| Head::new(waiters, estimate))
    };
    let read = Lines {
        lanes: [head(Lane::Interactive).await?, head(Lane::Api).await?, head(Lane::Training).await?],
        running: flight::running(&core.db, &job.pool).await?,
        read_at: Instant::now(),
    };
    let read = Arc::new(read);
    *known = Some(Arc::clone(&read));
    Ok(read)
}
