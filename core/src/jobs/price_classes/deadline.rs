//! When runs with a deadline begin. Nothing here reads a clock or a row.

use chrono::{DateTime, TimeDelta, Utc};

/// The latest deadline from now.
pub(super) const MAX_DAYS: i64 = 30;

/// What has to fit between now and a deadline.
#[derive(Debug, Clone, Copy)]
pub(super) struct RunTime {
    /// A time that few runs exceed.
    pub run_ms: i64,
    /// For what no estimate knows: starts of workers, files, other jobs.
    pub margin_ms: i64,
}

/// A waiting job of the lane flex with a deadline.
#[derive(Debug, Clone, Copy)]
pub(super) struct WaitingRun {
    pub latest_start: DateTime<Utc>,
    /// The expected run.
    pub work_ms: i64,
}

/// What a promoted job waits for.
#[derive(Debug, Clone, Copy)]
pub(super) struct QueueAhead {
    /// For a turn of its new lane.
    pub wait_ms: i64,
    /// The work of jobs that were promoted before and still wait.
    pub promoted_ms: i64,
    pub workers: usize,
}

impl RunTime {
    /// When a run that waits for so long has ended, with the margin, in whole seconds.
    pub fn earliest_end(self, now: DateTime<Utc>, wait_ms: i64) -> DateTime<Utc> {
        let end = later(now, wait_ms.saturating_add(self.run_ms).saturating_add(self.margin_ms));
        let whole = DateTime::from_timestamp(end.timestamp(), 0).unwrap_or(end);
        if whole < end { whole.checked_add_signed(TimeDelta::seconds(1)).unwrap_or(end) } else { end }
    }

    /// When a run must begin to end by its deadline.
    pub fn latest_start(self, deadline: DateTime<Utc>) -> DateTime<Utc> {
        later(deadline, self.run_ms.saturating_add(self.margin_ms).saturating_neg())
    }
}

/// How many of the jobs, which are in the order of their latest starts, must be promoted now. Each waits for a turn of its
/// new lane and for the jobs before it. Half of the workers count, because other jobs of the lane use them too.
pub(super) fn due(jobs: &[WaitingRun], now: DateTime<Utc>, ahead: QueueAhead) -> usize {
    let QueueAhead { wait_ms, promoted_ms, workers } = ahead;
    let workers = i64::try_from(workers).unwrap_or(i64::MAX).max(1);
    let (mut due, mut before_ms) = (0, promoted_ms);
    for (count, job) in (1..).zip(jobs) {
        let start = later(now, wait_ms.saturating_add(before_ms.saturating_mul(2) / workers));
        if start >= job.latest_start {
            due = count;
        }
        before_ms = before_ms.saturating_add(job.work_ms);
    }
    due
}

pub(super) fn later(at: DateTime<Utc>, ms: i64) -> DateTime<Utc> {
    let moved = TimeDelta::try_milliseconds(ms).and_then(|by| at.checked_add_signed(by));
    moved.unwrap_or(if ms < 0 { DateTime::<Utc>::MIN_UTC } else { DateTime::<Utc>::MAX_UTC })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: DateTime<Utc> = DateTime::UNIX_EPOCH;
    const RUN: RunTime = RunTime { run_ms: 20_000, margin_ms: 60_000 };

    fn at(seconds: i64) -> DateTime<Utc> {
        NOW + TimeDelta::seconds(seconds)
    }

    /// Jobs of ten seconds with these latest starts.
    fn jobs(latest: &[i64]) -> Vec<WaitingRun> {
        latest.iter().map(|seconds| WaitingRun { latest_start: at(*seconds), work_ms: 10_000 }).collect()
    }

    fn ahead(wait_ms: i64, workers: usize) -> QueueAhead {
        QueueAhead { wait_ms, promoted_ms: 0, workers }
    }

    #[test]
    fn earliest_end_has_wait_run_and_margin_in_whole_seconds() {
        assert_eq!(RUN.earliest_end(NOW, 5000), at(85));
        assert_eq!(RUN.earliest_end(NOW, 5001), at(86));
        assert_eq!(RUN.earliest_end(NOW, i64::MAX), DateTime::<Utc>::MAX_UTC, "no such time");
    }

    #[test]
    fn run_at_the_latest_start_ends_a_margin_before_the_deadline() {
        assert_eq!(RUN.latest_start(at(100)), at(20));
        assert_eq!(RUN.earliest_end(RUN.latest_start(at(100)), 0), at(100));
    }

    #[test]
    fn job_is_due_when_its_wait_reaches_its_latest_start() {
        let waits = |now| due(&jobs(&[100]), at(now), ahead(30_000, 4));
        assert_eq!((waits(69), waits(70), waits(500)), (0, 1, 1));
        assert_eq!(due(&[], NOW, ahead(0, 4)), 0);
    }

    #[test]
    fn jobs_with_one_deadline_are_promoted_early_enough_for_the_last_of_them() {
        // The last of ten has 90 seconds of work before it, for two of four workers.
        let same = jobs(&[100; 10]);
        assert_eq!((due(&same, at(54), ahead(0, 4)), due(&same, at(55), ahead(0, 4))), (0, 10));
        assert_eq!(due(&same, at(0), ahead(0, 1)), 10, "a single worker needs longer");
        assert_eq!(due(&jobs(&[100, 5000]), at(100), ahead(0, 4)), 1, "a later deadline waits on");
        assert_eq!(due(&jobs(&[100, 101]), at(96), ahead(0, 4)), 2, "an earlier one goes with the one that needs it");
    }

    #[test]
    fn jobs_that_were_promoted_and_still_wait_go_first() {
        let behind = |now| due(&jobs(&[100]), at(now), QueueAhead { promoted_ms: 60_000, ..ahead(0, 4) });
        assert_eq!((behind(69), behind(70)), (0, 1), "a minute of work for two of four workers");
    }

    proptest! {
        #[test]
        fn longer_wait_less_workers_or_later_time_promote_no_fewer_jobs(
            mut latest in proptest::collection::vec(0_i64..1000, 0..20), now in 0_i64..1000, wait in 0_i64..100_000,
            workers in 1_usize..10,
        ) {
            latest.sort_unstable();
            let jobs = jobs(&latest);
            let count = due(&jobs, at(now), ahead(wait, workers));
            prop_assert!(count <= jobs.len());
            prop_assert!(due(&jobs, at(now + 1), ahead(wait, workers)) >= count);
            prop_assert!(due(&jobs, at(now), ahead(wait + 1000, workers)) >= count);
            prop_assert!(due(&jobs, at(now), ahead(wait, workers + 1)) <= count);
            prop_assert!(jobs.iter().filter(|job| job.latest_start <= at(now)).count() <= count, "none is late");
        }
    }
}
