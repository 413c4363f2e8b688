//! What is measured of jobs.

use chrono::{DateTime, Utc};

use super::status::{Lane, Status};
use super::store::flight::Claimed;
use super::submit::submission::Submitted;
use crate::Error;
use crate::metrics::{self, Counters, Histograms, Timer};

/// The lanes' words, by their numbers.
const LANES: [&str; 3] = ["interactive", "api", "training"];

static ACCEPTED: Counters<1> = Counters::new(metrics::JOB_SUBMITS, "outcome", || ["accepted"]);
static TRANSITIONS: Counters<15> = Counters::new(metrics::JOB_TRANSITIONS, "status", || Status::ALL.map(Status::name));
static RETRIES: Counters<1> = Counters::new(metrics::JOB_RETRIES, "", || [""]);
static LOST: Counters<1> = Counters::new(metrics::JOBS_LOST, "", || [""]);
static DISPATCH: Histograms<3> = Histograms::new(metrics::JOB_DISPATCH, "lane", || LANES);
static RUNS: Histograms<3> = Histograms::new(metrics::JOB_RUN, "lane", || LANES);
static CLAIMS: Histograms<1> = Histograms::new(metrics::JOB_CLAIM, "", || [""]);

/// Shows every counter from the start.
pub(super) fn begin() {
    ACCEPTED.begin();
    TRANSITIONS.begin();
    RETRIES.begin();
    LOST.begin();
}

/// A submit was accepted.
pub(super) fn accepted(_: &Submitted) {
    ACCEPTED.add(0, 1);
}

/// A submit was refused.
pub(super) fn refused(error: &Error) {
    metrics::count(metrics::JOB_SUBMITS, "outcome", error.code().name());
}

/// A job came to this status on this node.
pub(super) fn moved(status: Status) {
    TRANSITIONS.add(status as usize, 1);
}

/// A job goes back into the queue after it was lost with its worker.
pub(super) fn retried() {
    RETRIES.add(0, 1);
}

/// A job was lost with its node.
pub(super) fn lost() {
    LOST.add(0, 1);
}

/// A claim begins; it lasts until the value is dropped.
pub(super) fn claim() -> Timer<1> {
    CLAIMS.time()
}

/// A job was claimed. Its id tells when it was accepted; only the first try says how long it waited.
pub(super) fn claimed(job: &Claimed, now: DateTime<Utc>) {
    let accepted = job.id.0.get_timestamp().map(|at| at.to_unix());
    if let (1, Some((seconds, nanos))) = (job.attempt, accepted) {
        let accepted = DateTime::from_timestamp(i64::try_from(seconds).unwrap_or(0), nanos).unwrap_or(now);
        DISPATCH.note_ms(job.lane as usize, (now - accepted).num_milliseconds());
    }
}

/// A job was done after so long on its worker.
pub(super) fn ran(lane: Lane, ran_ms: i64) {
    RUNS.note_ms(lane as usize, ran_ms);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lane_is_measured_under_its_own_name() {
        assert_eq!(Lane::ALL.map(|lane| LANES[lane as usize]), Lane::ALL.map(Lane::name));
    }

    #[test]
    fn every_status_is_counted_under_its_own_name() {
        for (number, status) in Status::ALL.into_iter().enumerate() {
            assert_eq!(status as usize, number, "{}", status.name());
        }
    }
}
