//! When a waiting job will begin: the work that goes first is distributed over the workers that can run it.
//!
//! ```text
//!   worker 1  ▓▓▓▓ rest of its run ░░░░░░░░░░░░░░ work ahead ░░░░░░ │ begins here
//!   worker 2  ▓▓ ░░░░░░░░░░░░░░░░ work ahead ░░░░░░░░░░░░░░░░░░░░░░ │
//! ```
//!
//! Jobs of earlier lanes go first, except for the share of each later lane.

use super::estimate::Estimate;

/// Half the width of the range in standard deviations: four of five jobs begin within it.
const SPREAD: f64 = 1.28;
/// Ratio of standard deviation to mean absolute deviation in a normal distribution.
const NORMAL: f64 = 1.25;
/// Part of the time by which all jobs of a kind may differ from the estimate together, whatever their number.
const COMMON: f64 = 0.1;

/// A number of runs, one after another.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::jobs) struct Workload {
    pub jobs: f64,
    pub mean_ms: f64,
    pub variance: f64,
}

impl Workload {
    pub fn add(&mut self, run: Estimate) {
        self.jobs += 1.0;
        self.mean_ms += run.mean_ms;
        self.variance += (run.deviation_ms * NORMAL).powi(2);
    }

    pub fn scaled(self, times: f64) -> Self {
        Self { jobs: self.jobs * times, mean_ms: self.mean_ms * times, variance: self.variance * times }
    }

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

#[derive(Debug, Clone, Default)]
pub(in crate::jobs) struct ForecastInput {
    /// Jobs of its own lane that go first.
    pub before: Workload,
    /// Waiting jobs of earlier lanes.
    pub earlier: Workload,
    /// The share of the job's own lane, as a part of a job for each job of an earlier lane.
    pub own_share: f64,
    /// Waiting jobs of each later lane, with the lane's share for each job that goes before it.
    pub later: Vec<(Workload, f64)>,
    /// The remaining run of each worker that can run the job; zero for a free one.
    pub workers: Vec<Estimate>,
}

/// The range of the job's start, in milliseconds from now. `None` where no worker can run it.
pub(in crate::jobs) fn start_range(input: &ForecastInput) -> Option<(f64, f64)> {
    if input.workers.is_empty() {
        return None;
    }
    let taken = |(later, share): &(Workload, f64)| {
        let share = (input.before.jobs * share / later.jobs.max(1.0)).min(1.0);
        later.scaled(share)
    };
    let own = input.later.iter().map(taken).fold(input.before, Workload::plus);
    let all = own.plus(input.earlier);
    // If the earlier lanes never run empty, each job of the own lane waits until its lane is owed a whole job.
    let turns = (input.before.jobs + 1.0) / input.own_share.max(1e-6);
    let per_turn = input.earlier.scaled(1.0 / input.earlier.jobs.max(1.0));
    let by_share = own.plus(per_turn.scaled(turns.min(input.earlier.jobs)));
    let work = if by_share.mean_ms < all.mean_ms { by_share } else { all };

    let middle = distribute(work.mean_ms, &input.workers);
    #[expect(clippy::cast_precision_loss, reason = "workers are few")]
    let count = input.workers.len() as f64;
    // Jobs before this one wait for all running ones; without such jobs, this one waits for the first to end.
    let running = input.workers.iter().map(|run| (run.deviation_ms * NORMAL).powi(2));
    let running = if work.jobs > 0.0 {
        running.sum::<f64>() / count.powi(2)
    } else {
        let first = input.workers.iter().min_by(|a, b| a.mean_ms.total_cmp(&b.mean_ms));
        first.filter(|run| run.mean_ms > 0.0).map_or(0.0, |run| (run.deviation_ms * NORMAL).powi(2))
    };
    let spread = SPREAD * (work.variance / count.powi(2) + running).sqrt() + COMMON * middle;
    // Runs are indivisible: the last of several workers ends up to one run later than the first.
    let uneven = if count > 1.0 { work.mean_of_one() / 2.0 } else { 0.0 };
    Some(((middle - spread - uneven).max(0.0), middle + spread + uneven))
}

/// The time at which workers have done this work after the rest of their runs.
fn distribute(work_ms: f64, workers: &[Estimate]) -> f64 {
    let mut free_at: Vec<f64> = workers.iter().map(|run| run.mean_ms).collect();
    free_at.sort_by(f64::total_cmp);
    let mut working = 0.0;
    let mut sum = 0.0;
    for (at, next) in free_at.iter().zip(free_at.iter().skip(1).map(Some).chain([None])) {
        working += 1.0;
        sum += at;
        let level = (work_ms + sum) / working;
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

    fn work(jobs: usize, mean_ms: f64) -> Workload {
        let mut work = Workload::default();
        for _ in 0..jobs {
            work.add(run(mean_ms));
        }
        work
    }

    /// The middle of the range, which is symmetric unless its lower bound is cut at 0.
    fn middle(ahead: &ForecastInput) -> f64 {
        let (low, high) = start_range(ahead).expect("a time");
        assert!(low <= high);
        (low + high) / 2.0
    }

    #[test]
    fn job_begins_at_once_with_a_free_worker_and_never_without_workers() {
        let ahead = ForecastInput { workers: vec![run(5000.0), run(0.0)], own_share: 0.3, ..ForecastInput::default() };
        assert_eq!(start_range(&ahead), Some((0.0, 0.0)));
        assert_eq!(start_range(&ForecastInput::default()), None);
    }

    #[test]
    fn work_ahead_begins_after_the_running_jobs_and_is_spread_over_the_workers() {
        assert!((distribute(4000.0, &[run(1000.0), run(3000.0)]) - 4000.0).abs() < 1e-9);
        assert!((distribute(1000.0, &[run(1000.0), run(3000.0)]) - 2000.0).abs() < 1e-9);
        assert!((distribute(6000.0, &[run(0.0), run(0.0), run(0.0)]) - 2000.0).abs() < 1e-9);
        let ahead = ForecastInput {
            before: work(5, 2000.0),
            workers: vec![run(1000.0)],
            own_share: 0.3,
            ..ForecastInput::default()
        };
        assert!((middle(&ahead) - 11_000.0).abs() < 1e-6, "{}", middle(&ahead));
    }

    #[test]
    fn lane_waits_for_earlier_ones_no_longer_than_its_share_allows() {
        let one = vec![run(0.0)];
        let behind = |jobs| ForecastInput {
            earlier: work(jobs, 1000.0),
            own_share: 0.3,
            workers: one.clone(),
            ..ForecastInput::default()
        };
        assert!((middle(&behind(2)) - 2000.0).abs() < 1e-6, "behind both");
        let (_, high) = start_range(&behind(10_000)).expect("a time");
        assert!(high < 5000.0, "its lane's turn comes after every third job or so: {high}");
    }

    #[test]
    fn later_lanes_take_their_share_of_their_waiting_jobs() {
        let before = work(10, 1000.0);
        let with = |later| ForecastInput {
            before,
            later,
            own_share: 1.0,
            workers: vec![run(0.0)],
            ..ForecastInput::default()
        };
        assert!((middle(&with(Vec::new())) - 10_000.0).abs() < 1e-6);
        assert!((middle(&with(vec![(work(100, 2000.0), 0.3)])) - 16_000.0).abs() < 1e-6, "three of them come between");
        assert!((middle(&with(vec![(work(1, 2000.0), 0.3)])) - 12_000.0).abs() < 1e-6, "there is but one");
    }

    #[test]
    fn range_grows_with_the_deviation_of_runs() {
        let mut before = Workload::default();
        for _ in 0..4 {
            before.add(Estimate { mean_ms: 1000.0, deviation_ms: 400.0 });
        }
        let unsure = ForecastInput { before, own_share: 0.3, workers: vec![run(0.0)], ..ForecastInput::default() };
        let sure = ForecastInput { before: work(4, 1000.0), ..unsure.clone() };
        let width = |ahead: &ForecastInput| start_range(ahead).map(|(low, high)| high - low).expect("a time");
        assert!(width(&unsure) > 2.0 * width(&sure), "{} and {}", width(&unsure), width(&sure));
        assert!((middle(&unsure) - 4000.0).abs() < 1e-6);
    }
}
