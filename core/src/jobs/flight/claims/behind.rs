//! Prompts that are posted behind the one that a worker runs, so that it goes from one to the next by itself: from when
//! on, and when they are taken back.
//!
//! What stands in a worker's queue has left the line, where something more urgent may come at any time. So a prompt is
//! posted late: a few seconds before the one that runs is expected to end, which is time enough to send its inputs. Where
//! runs are shorter than that, at once.

use std::time::Duration;

use crate::ids::WorkerId;
use crate::jobs::queue::estimate::Estimate;
use crate::jobs::status::Lane;

/// How long before the expected end of a run the next prompt is posted.
const BEFORE_THE_END_MS: f64 = 3000.0;
/// How often a job is taken back for the sake of others, and of itself: then it stays where it stands.
const TAKEN_BACK_AT_MOST: i16 = 10;

/// How long after the start of a run like this the next prompt may be posted.
pub(in crate::jobs) fn room_after(run: Estimate) -> Duration {
    Duration::try_from_secs_f64((run.mean_ms - BEFORE_THE_END_MS).max(0.0) / 1000.0).unwrap_or(Duration::MAX)
}

/// A job that waits in a worker's queue, as it was when it was claimed.
#[derive(Debug, Clone)]
pub(in crate::jobs) struct Behind {
    pub worker: WorkerId,
    pub pool: String,
    pub lane: Lane,
    pub needs: String,
    /// How often it was taken back before.
    pub withdrawn: i16,
    /// Where the count of arrivals stood.
    pub stood: u64,
    /// The lanes in which something waited, which the order of the lanes passed over.
    pub passed_over: [bool; 3],
}

/// How things stand with such a job now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::jobs) struct Outlook {
    /// Its worker gets new jobs.
    pub gets_more: bool,
    /// A worker that can run it has nothing to do.
    pub another_is_idle: bool,
    /// Something came into an earlier lane in which nothing waited, and its worker can run it.
    pub urgent_came: bool,
    pub withdrawn: i16,
}

/// Whether the job is to be taken back, as long as it has not begun.
pub(in crate::jobs) fn must_yield(outlook: Outlook) -> bool {
    let is_better = outlook.another_is_idle || outlook.urgent_came;
    !outlook.gets_more || (is_better && outlook.withdrawn < TAKEN_BACK_AT_MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_prompt_is_posted_shortly_before_the_end_of_a_run_and_at_once_behind_a_short_one() {
        let run = |mean_ms| room_after(Estimate { mean_ms, deviation_ms: 0.0 });
        assert_eq!(run(60_000.0), Duration::from_secs(57));
        assert_eq!(run(3_000.0), Duration::ZERO);
        assert_eq!(run(5.0), Duration::ZERO);
        assert_eq!(run(f64::INFINITY), Duration::MAX, "a run without an end");
    }

    #[test]
    fn a_prompt_stays_where_it_stands_unless_it_or_others_are_served_better() {
        let stays = Outlook { gets_more: true, ..Outlook::default() };
        assert!(!must_yield(stays));
        assert!(must_yield(Outlook { another_is_idle: true, ..stays }));
        assert!(must_yield(Outlook { urgent_came: true, ..stays }));
        assert!(must_yield(Outlook { gets_more: false, ..stays }));
        let often = Outlook { urgent_came: true, another_is_idle: true, withdrawn: TAKEN_BACK_AT_MOST, ..stays };
        assert!(!must_yield(often), "nobody is sent back for ever");
        assert!(must_yield(Outlook { gets_more: false, ..often }), "a worker that is drained is left by all");
    }
}
