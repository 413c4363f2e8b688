//! When a waiting job will begin: the work that goes first, poured over the workers that can run it.
//!
//! ```text
//!   worker 1  ▓▓▓▓ what is left of its run ░░░░░░ work ahead ░░░░░░ │ begins here
//!   worker 2  ▓▓ ░░░░░░░░░░░░░░░░ work ahead ░░░░░░░░░░░░░░░░░░░░░░ │
//! ```
//!
//! Waiting jobs of earlier lanes go first, but a lane that waits has a share that it gets meanwhile; and a job of an
//! early lane gives the later ones theirs.

use super::estimate::Estimate;

/// Standard deviations between the middle and the ends of the range: four of five jobs begin within it.
const SPREAD: f64 = 1.28;
/// Standard deviation of what is distributed normally, by its mean absolute deviation.
const NORMAL: f64 = 1.25;
/// Jobs of one kind are all slower than estimated, or all faster: so much of the time is not evened out by their number.
const COMMON: f64 = 0.1;

/// Some runs, one after another.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::jobs) struct Work {
    pub jobs: f64,
    pub mean_ms: f64,
    pub variance: f64,
}

impl Work {
    /// One more run.
    pub fn add(&mut self, run: Estimate) {
        self.jobs += 1.0;
        self.mean_ms += run.mean_ms;
        self.variance += (run.deviation_ms * NORMAL).powi(2);
    }

    /// `times` as much of the same.
    pub fn scaled(self, times: f64) -> Self {
        Self { jobs: self.jobs * times, mean_ms: self.mean_ms * times, variance: self.variance * times }
    }

    /// Both.
    pub fn plus(self, more: Self) -> Self {
        Self {
            jobs: self.jobs + more.jobs,
            mean_ms: self.mean_ms + more.mean_ms,
            variance: self.variance + more.variance,
        }
    }

    fn mean_of_one(self) -> f64 {
        if self.jobs > 0.0 { self.mean_ms / self.jobs } else { 0.0 }
    }
}

/// Everything that decides when a job begins.
#[derive(Debug, Clone, Default)]
pub(in crate::jobs) struct Ahead {
    /// Jobs of its own lane that go first.
    pub before: Work,
    /// All that waits in earlier lanes.
    pub earlier: Work,
    /// The job's own lane's share in each job of an earlier lane, as a part of a job.
    pub own_share: f64,
    /// What waits in later lanes, each with its share in each job that goes before it.
    pub later: Vec<(Work, f64)>,
    /// What is left of the run of each worker that can take the job; nothing for a free one.
    pub workers: Vec<Estimate>,
}

/// When it begins, in milliseconds from now: hardly before, and hardly after. `None` where no worker can take it.
pub(in crate::jobs) fn begins(ahead: &Ahead) -> Option<(f64, f64)> {
    if ahead.workers.is_empty() {
        return None;
    }
    let taken = |(later, share): &(Work, f64)| {
        let share = (ahead.before.jobs * share / later.jobs.max(1.0)).min(1.0);
        later.scaled(share)
    };
    let own = ahead.later.iter().map(taken).fold(ahead.before, Work::plus);
    let all = own.plus(ahead.earlier);
    // Where the earlier lanes never ran dry: each of its jobs, and it too, waits until its lane is owed a whole one.
    let turns = (ahead.before.jobs + 1.0) / ahead.own_share.max(1e-6);
    let per_turn = ahead.earlier.scaled(1.0 / ahead.earlier.jobs.max(1.0));
    let by_share = own.plus(per_turn.scaled(turns.min(ahead.earlier.jobs)));
    let work = if by_share.mean_ms < all.mean_ms { by_share } else { all };

    let middle = pour(work.mean_ms, &ahead.workers);
    #[expect(clippy::cast_precision_loss, reason = "workers are few")]
    let count = ahead.workers.len() as f64;
    // The runs that go on now end one after another; what is before the job waits for all of them, else for the first.
    let running = ahead.workers.iter().map(|left| (left.deviation_ms * NORMAL).powi(2));
    let running = if work.jobs > 0.0 {
        running.sum::<f64>() / count.powi(2)
    } else {
        let first = ahead.workers.iter().min_by(|a, b| a.mean_ms.total_cmp(&b.mean_ms));
        first.filter(|left| left.mean_ms > 0.0).map_or(0.0, |left| (left.deviation_ms * NORMAL).powi(2))
    };
    let spread = SPREAD * (work.variance / count.powi(2) + running).sqrt() + COMMON * middle;
    // Work is not a liquid: the last of several workers ends up to one run later than the first.
    let uneven = if count > 1.0 { work.mean_of_one() / 2.0 } else { 0.0 };
    Some(((middle - spread - uneven).max(0.0), middle + spread + uneven))
}

/// The time at which so much work is done by workers that are free after what is left of their runs.
fn pour(work_ms: f64, workers: &[Estimate]) -> f64 {
    let mut free_at: Vec<f64> = workers.iter().map(|left| left.mean_ms).collect();
    free_at.sort_by(f64::total_cmp);
    let mut pouring = 0.0;
    let mut sum = 0.0;
    for (at, next) in free_at.iter().zip(free_at.iter().skip(1).map(Some).chain([None])) {
        pouring += 1.0;
        sum += at;
        let level = (work_ms + sum) / pouring;
        if next.is_none_or(|next| level <= *next) {
            return level;
        }
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(mean_ms: f64) -> Estimate {
        Estimate { mean_ms, deviation_ms: 0.0 }
    }

    fn work(jobs: usize, mean_ms: f64) -> Work {
        let mut work = Work::default();
        for _ in 0..jobs {
            work.add(run(mean_ms));
        }
        work
    }

    /// The middle of the range, which is even where no bound is cut off at 0.
    fn middle(ahead: &Ahead) -> f64 {
        let (low, high) = begins(ahead).expect("a time");
        assert!(low <= high);
        (low + high) / 2.0
    }

    #[test]
    fn a_free_worker_means_now_and_no_worker_means_never() {
        let ahead = Ahead { workers: vec![run(5000.0), run(0.0)], own_share: 0.3, ..Ahead::default() };
        assert_eq!(begins(&ahead), Some((0.0, 0.0)));
        assert_eq!(begins(&Ahead::default()), None);
    }

    #[test]
    fn work_ahead_waits_for_the_runs_that_go_on_and_is_spread_over_the_workers() {
        assert!((pour(4000.0, &[run(1000.0), run(3000.0)]) - 4000.0).abs() < 1e-9);
        assert!((pour(1000.0, &[run(1000.0), run(3000.0)]) - 2000.0).abs() < 1e-9);
        assert!((pour(6000.0, &[run(0.0), run(0.0), run(0.0)]) - 2000.0).abs() < 1e-9);
        let ahead = Ahead { before: work(5, 2000.0), workers: vec![run(1000.0)], own_share: 0.3, ..Ahead::default() };
        assert!((middle(&ahead) - 11_000.0).abs() < 1e-6, "{}", middle(&ahead));
    }

    #[test]
    fn a_lane_waits_for_earlier_ones_but_never_longer_than_its_share() {
        let one = vec![run(0.0)];
        let behind =
            |jobs| Ahead { earlier: work(jobs, 1000.0), own_share: 0.3, workers: one.clone(), ..Ahead::default() };
        assert!((middle(&behind(2)) - 2000.0).abs() < 1e-6, "behind both");
        let (_, high) = begins(&behind(10_000)).expect("a time");
        assert!(high < 5000.0, "its lane's turn comes after every third job or so: {high}");
    }

    #[test]
    fn later_lanes_take_their_share_of_what_they_have() {
        let before = work(10, 1000.0);
        let with = |later| Ahead { before, later, own_share: 1.0, workers: vec![run(0.0)], ..Ahead::default() };
        assert!((middle(&with(Vec::new())) - 10_000.0).abs() < 1e-6);
        assert!((middle(&with(vec![(work(100, 2000.0), 0.3)])) - 16_000.0).abs() < 1e-6, "three of them come between");
        assert!((middle(&with(vec![(work(1, 2000.0), 0.3)])) - 12_000.0).abs() < 1e-6, "there is but one");
    }

    #[test]
    fn the_range_is_as_wide_as_runs_differ() {
        let mut before = Work::default();
        for _ in 0..4 {
            before.add(Estimate { mean_ms: 1000.0, deviation_ms: 400.0 });
        }
        let unsure = Ahead { before, own_share: 0.3, workers: vec![run(0.0)], ..Ahead::default() };
        let sure = Ahead { before: work(4, 1000.0), ..unsure.clone() };
        let width = |ahead: &Ahead| begins(ahead).map(|(low, high)| high - low).expect("a time");
        assert!(width(&unsure) > 2.0 * width(&sure), "{} and {}", width(&unsure), width(&sure));
        assert!((middle(&unsure) - 4000.0).abs() < 1e-6);
    }
}
