//! Prefetched prompts: a prompt is posted behind the running one, so that its worker starts it without a pause.
//!
//! A prefetched prompt has left its lane, where a more urgent job may arrive at any time. So it is posted a few seconds
//! before the expected end of the running one, which is enough to send its inputs, and withdrawn where another worker
//! or another job is the better choice.

use std::time::Duration;

use crate::ids::WorkerId;
use crate::jobs::queue::estimate::Estimate;
use crate::jobs::status::Lane;

/// How long before the expected end of a run the next prompt is posted.
const LEAD_MS: f64 = 3000.0;
/// A job that was withdrawn so often stays in its worker's queue.
const MAX_WITHDRAWALS: i16 = 10;

/// How long after the start of a run the next prompt may be posted.
pub(in crate::jobs) fn prefetch_delay(run: Estimate) -> Duration {
    Duration::try_from_secs_f64((run.mean_ms - LEAD_MS).max(0.0) / 1000.0).unwrap_or(Duration::MAX)
}

/// A job in a worker's queue, as of its claim.
#[derive(Debug, Clone)]
pub(in crate::jobs) struct Prefetch {
    pub worker: WorkerId,
    pub pool: String,
    pub lane: Lane,
    pub needs: String,
    /// How often the job was withdrawn before.
    pub withdrawn: i16,
    /// Version of the change log at the claim.
    pub seen_version: u64,
    /// Lanes that had waiting jobs at the claim.
    pub busy_lanes: [bool; 4],
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::jobs) struct WithdrawalInput {
    /// Whether the worker accepts new jobs.
    pub accepts_jobs: bool,
    /// Whether another worker that can run the job is idle.
    pub another_is_idle: bool,
    /// Whether an earlier lane that was empty at the claim has a job for the worker.
    pub has_urgent_job: bool,
    pub withdrawn: i16,
}

/// Whether to withdraw a prefetched job that has not begun.
pub(in crate::jobs) fn should_withdraw(input: WithdrawalInput) -> bool {
    let is_better = input.another_is_idle || input.has_urgent_job;
    !input.accepts_jobs || (is_better && input.withdrawn < MAX_WITHDRAWALS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_prompt_is_posted_shortly_before_the_end_of_a_long_run_and_at_once_behind_a_short_one() {
        let run = |mean_ms| prefetch_delay(Estimate { mean_ms, deviation_ms: 0.0 });
        assert_eq!(run(60_000.0), Duration::from_secs(57));
        assert_eq!(run(3_000.0), Duration::ZERO);
        assert_eq!(run(5.0), Duration::ZERO);
        assert_eq!(run(f64::INFINITY), Duration::MAX, "a run without an end");
    }

    #[test]
    fn prefetched_job_is_withdrawn_only_for_a_better_choice_or_a_draining_worker() {
        let stays = WithdrawalInput { accepts_jobs: true, ..WithdrawalInput::default() };
        assert!(!should_withdraw(stays));
        assert!(should_withdraw(WithdrawalInput { another_is_idle: true, ..stays }));
        assert!(should_withdraw(WithdrawalInput { has_urgent_job: true, ..stays }));
        assert!(should_withdraw(WithdrawalInput { accepts_jobs: false, ..stays }));
        let often =
            WithdrawalInput { has_urgent_job: true, another_is_idle: true, withdrawn: MAX_WITHDRAWALS, ..stays };
        assert!(!should_withdraw(often), "withdrawals of one job are limited");
        assert!(should_withdraw(WithdrawalInput { accepts_jobs: false, ..often }), "a draining worker keeps no job");
    }
}
