//! Metrics of jobs.

use chrono::{DateTime, Utc};

use super::status::{Lane, Status};
use super::store::flight::Claimed;
use super::submit::submission::Submitted;
use crate::Error;
use crate::metrics::{self, Counters, Histograms, Timer};

/// Names of the lanes by number.
const LANES: [&str; 4] = ["interactive", "api", "training", "flex"];

static ACCEPTED: Counters<1> = Counters::new(metrics::JOB_SUBMITS, "outcome", || ["accepted"]);
static TRANSITIONS: Counters<15> = Counters::new(metrics::JOB_TRANSITIONS, "status", || Status::ALL.map(Status::name));
static RETRIES: Counters<1> = Counters::new(metrics::JOB_RETRIES, "", || [""]);
static LOST: Counters<1> = Counters::new(metrics::JOBS_LOST, "", || [""]);
static PROMOTIONS: Counters<1> = Counters::new(metrics::JOB_PROMOTIONS, "", || [""]);
static MISSED: Counters<1> = Counters::new(metrics::JOB_DEADLINES_MISSED, "", || [""]);
static DISPATCH: Histograms<4> = Histograms::new(metrics::JOB_DISPATCH, "lane", || LANES);
static RUNS: Histograms<4> = Histograms::new(metrics::JOB_RUN, "lane", || LANES);
static CLAIMS: Histograms<1> = Histograms::new(metrics::JOB_CLAIM, "", || [""]);

/// Exposes all counters with zero.
pub(super) fn begin() {
    ACCEPTED.begin();
    TRANSITIONS.begin();
    RETRIES.begin();
    LOST.begin();
    PROMOTIONS.begin();
    MISSED.begin();
}

pub(super) fn accepted(_: &Submitted) {
    ACCEPTED.add(0, 1);
}

pub(super) fn refused(error: &Error) {
    metrics::count(metrics::JOB_SUBMITS, "outcome", error.code().name());
}

/// A job got this status on this node.
pub(super) fn moved(status: Status) {
    TRANSITIONS.add(status as usize, 1);
}

/// A job is requeued after a lost attempt.
pub(super) fn retried() {
    RETRIES.add(0, 1);
}

/// A job was lost with its node or actor.
pub(super) fn lost() {
    LOST.add(0, 1);
}

/// Jobs of the class flex were promoted.
pub(super) fn promoted(count: u64) {
    PROMOTIONS.add(0, count);
}

/// A job ended. Counts it where that is after its deadline, or without the run that it wanted by then.
pub(super) fn ended(status: Status, at: DateTime<Utc>, deadline: Option<DateTime<Utc>>) {
    let is_missed = |deadline: DateTime<Utc>| at > deadline || status == Status::ConnectError;
    if status != Status::Canceled && deadline.is_some_and(is_missed) {
        MISSED.add(0, 1);
    }
}

/// Times a claim until the value is dropped.
pub(super) fn claim() -> Timer<1> {
    CLAIMS.time()
}

/// Records the wait of a claimed job, from the time in its id. Later attempts do not count. A promoted job counts in the
/// lane where it waited for most of the time.
pub(super) fn claimed(job: &Claimed, now: DateTime<Utc>) {
    let accepted = job.id.0.get_timestamp().map(|at| at.to_unix());
    if let (1, Some((seconds, nanos))) = (job.attempt, accepted) {
        let accepted = DateTime::from_timestamp(i64::try_from(seconds).unwrap_or(0), nanos).unwrap_or(now);
        let lane = if job.promoted_at.is_some() { Lane::Flex } else { job.lane };
        DISPATCH.note_ms(lane as usize, (now - accepted).num_milliseconds());
    }
}

/// A job was completed.
pub(super) fn ran(lane: Lane, ran_ms: i64) {
    RUNS.note_ms(lane as usize, ran_ms);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lane_names_match_lane_numbers() {
        assert_eq!(Lane::ALL.map(|lane| LANES[lane as usize]), Lane::ALL.map(Lane::name));
    }

    #[test]
    fn status_numbers_match_their_order() {
        for (number, status) in Status::ALL.into_iter().enumerate() {
            assert_eq!(status as usize, number, "{}", status.name());
        }
    }
}
