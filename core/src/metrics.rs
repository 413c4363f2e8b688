//! Metrics that a node records.
//!
//! [`SERIES`] lists every recorded series, so that dashboards can be checked against it. Until [`record`] is called, a
//! handle costs one atomic load; afterwards also one atomic add. Labels are few and fixed, or come from a closed list.
//!
//! Gauges of the current state (jobs by status, workers by state) are not recorded here: they are read when metrics are
//! scraped.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use metrics::{Counter, Histogram, Recorder};

/// The type of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeriesType {
    /// A counter since the start of the process.
    Counter,
    /// A histogram of durations in seconds.
    Seconds,
    /// A histogram of sizes.
    Pieces,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Series {
    pub name: &'static str,
    pub form: SeriesType,
    /// The description for operators.
    pub help: &'static str,
}

pub(crate) const JOB_SUBMITS: &str = "verdigraph_job_submits_total";
pub(crate) const JOB_TRANSITIONS: &str = "verdigraph_job_transitions_total";
pub(crate) const JOB_RETRIES: &str = "verdigraph_job_retries_total";
pub(crate) const JOBS_LOST: &str = "verdigraph_jobs_lost_total";
pub(crate) const JOB_PROMOTIONS: &str = "verdigraph_job_promotions_total";
pub(crate) const JOB_DEADLINES_MISSED: &str = "verdigraph_job_deadlines_missed_total";
pub(crate) const JOB_DISPATCH: &str = "verdigraph_job_dispatch_seconds";
pub(crate) const JOB_RUN: &str = "verdigraph_job_run_seconds";
pub(crate) const JOB_CLAIM: &str = "verdigraph_job_claim_seconds";
pub(crate) const LEDGER_COMMIT: &str = "verdigraph_ledger_commit_seconds";
pub(crate) const LEDGER_BATCH: &str = "verdigraph_ledger_batch_posts";
pub(crate) const LEDGER_MOVEMENTS: &str = "verdigraph_ledger_movements_total";
pub(crate) const LEDGER_CREDITS: &str = "verdigraph_ledger_credits_total";
pub(crate) const LEDGER_REFUSALS: &str = "verdigraph_ledger_refusals_total";
pub(crate) const LEDGER_CONFLICTS: &str = "verdigraph_ledger_conflicts_total";
pub(crate) const LEDGER_DIFFERENCES: &str = "verdigraph_ledger_differences_total";
pub(crate) const PANICS: &str = "verdigraph_panics_total";
pub(crate) const FILES_DELETED: &str = "verdigraph_files_deleted_total";
pub(crate) const BILLING_KEYS_GIVEN_UP: &str = "verdigraph_billing_keys_given_up_total";
pub(crate) const EVENTS: &str = "verdigraph_events_total";
pub(crate) const EVENT_SECONDS: &str = "verdigraph_event_wait_seconds";
pub(crate) const UPKEEP_SECONDS: &str = "verdigraph_upkeep_seconds";
pub(crate) const UPKEEP_DONE: &str = "verdigraph_upkeep_done_total";
pub(crate) const UPKEEP_FAILURES: &str = "verdigraph_upkeep_failures_total";
pub const HTTP_REQUESTS: &str = "verdigraph_http_requests_total";
pub const HTTP_SECONDS: &str = "verdigraph_http_request_seconds";

pub const SERIES: [Series; 26] = [
    series(JOB_SUBMITS, SeriesType::Counter, "submits by outcome: accepted, or the code of the refusal"),
    series(JOB_TRANSITIONS, SeriesType::Counter, "changes of jobs' statuses on this node, by the status they came to"),
    series(JOB_RETRIES, SeriesType::Counter, "jobs that went back into the queue after they were lost with a worker"),
    series(JOBS_LOST, SeriesType::Counter, "jobs that were lost with their node, or had no actor any more"),
    series(
        JOB_PROMOTIONS,
        SeriesType::Counter,
        "jobs of the class flex that this node moved into another lane in time",
    ),
    series(
        JOB_DEADLINES_MISSED,
        SeriesType::Counter,
        "jobs that ended after their deadline, or found no worker before it",
    ),
    series(JOB_DISPATCH, SeriesType::Seconds, "from the acceptance of a job to its first worker, by lane"),
    series(JOB_RUN, SeriesType::Seconds, "time on the worker of jobs that were done, by lane"),
    series(JOB_CLAIM, SeriesType::Seconds, "one claim of a job for a free worker"),
    series(LEDGER_COMMIT, SeriesType::Seconds, "one group commit of the ledger, from its first query to its answers"),
    series(LEDGER_BATCH, SeriesType::Pieces, "posts in one group commit"),
    series(LEDGER_MOVEMENTS, SeriesType::Counter, "entries that were committed, by kind"),
    series(LEDGER_CREDITS, SeriesType::Counter, "credits that were moved, by kind of entry"),
    series(LEDGER_REFUSALS, SeriesType::Counter, "posts that a full ledger lane sent away"),
    series(
        LEDGER_CONFLICTS,
        SeriesType::Counter,
        "accounts that two nodes changed at once, and that take turns for a while",
    ),
    series(
        LEDGER_DIFFERENCES,
        SeriesType::Counter,
        "balances that an audit of the upkeep on this node could not derive",
    ),
    series(PANICS, SeriesType::Counter, "panics of parts of this node that are started again, by part; job: its actor"),
    series(FILES_DELETED, SeriesType::Counter, "unreferenced files that this node deleted"),
    series(
        BILLING_KEYS_GIVEN_UP,
        SeriesType::Counter,
        "billing keys of removed cards that their provider did not delete within a week",
    ),
    series(EVENTS, SeriesType::Counter, "events to which this node gave their place in the log"),
    series(
        EVENT_SECONDS,
        SeriesType::Seconds,
        "from the writing of the oldest event of a round until all could be seen",
    ),
    series(UPKEEP_SECONDS, SeriesType::Seconds, "one round of a task of upkeep on this node, by task"),
    series(UPKEEP_DONE, SeriesType::Counter, "things that upkeep did on this node, by task"),
    series(UPKEEP_FAILURES, SeriesType::Counter, "rounds of upkeep that failed on this node or took too long, by task"),
    series(HTTP_REQUESTS, SeriesType::Counter, "requests that were answered, by route, method and status"),
    series(HTTP_SECONDS, SeriesType::Seconds, "until the head of an answer was ready, by route and method"),
];

const fn series(name: &'static str, form: SeriesType, help: &'static str) -> Series {
    Series { name, form, help }
}

static RECORDING: AtomicBool = AtomicBool::new(false);

/// Starts recording, once per process; `false` if it was started before.
pub fn record(recorder: impl Recorder + Sync + 'static) -> bool {
    let first = metrics::set_global_recorder(recorder).is_ok();
    RECORDING.store(true, Ordering::Release);
    first
}

#[must_use]
pub fn is_recording() -> bool {
    RECORDING.load(Ordering::Acquire)
}

/// A counter for each value of one label, addressed by index.
pub(crate) struct Counters<const N: usize> {
    name: &'static str,
    label: &'static str,
    values: fn() -> [&'static str; N],
    handles: OnceLock<[Counter; N]>,
}

impl<const N: usize> Counters<N> {
    /// Counters of a series in [`SERIES`]. An empty label makes a single one without label.
    pub const fn new(name: &'static str, label: &'static str, values: fn() -> [&'static str; N]) -> Self {
        Self { name, label, values, handles: OnceLock::new() }
    }

    /// Registers all counters: a counter that appears with its first event hides that event.
    pub fn begin(&self) {
        self.add(0, 0);
    }

    pub fn add(&self, number: usize, count: u64) {
        if !is_recording() {
            return;
        }
        let make = || (self.values)().map(|value| counter(self.name, self.label, value));
        if let Some(handle) = self.handles.get_or_init(make).get(number) {
            handle.increment(count);
        }
    }
}

/// A histogram for each value of one label.
pub(crate) struct Histograms<const N: usize> {
    name: &'static str,
    label: &'static str,
    values: fn() -> [&'static str; N],
    handles: OnceLock<[Histogram; N]>,
}

impl<const N: usize> Histograms<N> {
    pub const fn new(name: &'static str, label: &'static str, values: fn() -> [&'static str; N]) -> Self {
        Self { name, label, values, handles: OnceLock::new() }
    }

    /// Records a size, or a duration in seconds.
    pub fn note(&self, number: usize, value: f64) {
        if !is_recording() {
            return;
        }
        let make = || {
            (self.values)().map(|value| match self.label {
                "" => metrics::histogram!(self.name),
                label => metrics::histogram!(self.name, label => value),
            })
        };
        if let Some(handle) = self.handles.get_or_init(make).get(number) {
            handle.record(value);
        }
    }

    /// Records a duration in milliseconds.
    pub fn note_ms(&self, number: usize, ms: i64) {
        self.note(number, Duration::from_millis(u64::try_from(ms).unwrap_or(0)).as_secs_f64());
    }

    /// Records the time until the returned value is dropped.
    pub fn time(&'static self) -> Timer<N> {
        Timer { histograms: self, began: Instant::now() }
    }
}

/// Records its lifetime when dropped.
pub(crate) struct Timer<const N: usize> {
    histograms: &'static Histograms<N>,
    began: Instant,
}

impl<const N: usize> Drop for Timer<N> {
    fn drop(&mut self) {
        self.histograms.note(0, self.began.elapsed().as_secs_f64());
    }
}

/// Counts a value of an open list, such as error codes; only for rare events.
pub(crate) fn count(name: &'static str, label: &'static str, value: &'static str) {
    if is_recording() {
        counter(name, label, value).increment(1);
    }
}

fn counter(name: &'static str, label: &'static str, value: &'static str) -> Counter {
    match label {
        "" => metrics::counter!(name),
        label => metrics::counter!(name, label => value),
    }
}
