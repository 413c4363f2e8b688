//! What a node counts and measures while it works, by name.
//!
//! Every series that is recorded stands in [`SERIES`], and every place that records uses one of the handles here, so
//! that dashboards have one list to be checked against. Until [`record`] is called nothing is kept, and a handle costs
//! one atomic load; afterwards it costs that and one atomic add. Labels are few and fixed, or come from a closed list.
//!
//! What a node *is* at the moment of asking (jobs by status, workers by state) is not recorded here: it is read when
//! somebody asks.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use metrics::{Counter, Histogram, Recorder};

/// How a series moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Goes up, from zero at the start of the process.
    Counter,
    /// Durations in seconds, in buckets.
    Seconds,
    /// Sizes in pieces, in buckets.
    Pieces,
}

/// A recorded series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Series {
    pub name: &'static str,
    pub form: Form,
    /// What it tells, for people who read it.
    pub help: &'static str,
}

/// Submits, by outcome.
pub(crate) const JOB_SUBMITS: &str = "verdigraph_job_submits_total";
/// Changes of statuses, by the new one.
pub(crate) const JOB_TRANSITIONS: &str = "verdigraph_job_transitions_total";
/// Jobs that went back into the queue.
pub(crate) const JOB_RETRIES: &str = "verdigraph_job_retries_total";
/// Jobs that were lost with their node.
pub(crate) const JOBS_LOST: &str = "verdigraph_jobs_lost_total";
/// From acceptance to the first worker, by lane.
pub(crate) const JOB_DISPATCH: &str = "verdigraph_job_dispatch_seconds";
/// Time on the worker, by lane.
pub(crate) const JOB_RUN: &str = "verdigraph_job_run_seconds";
/// Claims.
pub(crate) const JOB_CLAIM: &str = "verdigraph_job_claim_seconds";
/// Group commits.
pub(crate) const LEDGER_COMMIT: &str = "verdigraph_ledger_commit_seconds";
/// Posts in a group commit.
pub(crate) const LEDGER_BATCH: &str = "verdigraph_ledger_batch_posts";
/// Entries, by kind.
pub(crate) const LEDGER_MOVEMENTS: &str = "verdigraph_ledger_movements_total";
/// Credits, by the kind of entry that moved them.
pub(crate) const LEDGER_CREDITS: &str = "verdigraph_ledger_credits_total";
/// Posts that were sent away.
pub(crate) const LEDGER_REFUSALS: &str = "verdigraph_ledger_refusals_total";
/// Accounts that nodes take turns with.
pub(crate) const LEDGER_CONFLICTS: &str = "verdigraph_ledger_conflicts_total";
/// Differences that audits of the upkeep found.
pub(crate) const LEDGER_DIFFERENCES: &str = "verdigraph_ledger_differences_total";
/// Panics, by part of the node.
pub(crate) const PANICS: &str = "verdigraph_panics_total";
/// Files that were deleted.
pub(crate) const FILES_DELETED: &str = "verdigraph_files_deleted_total";
/// Events that got their position.
pub(crate) const EVENTS: &str = "verdigraph_events_total";
/// How long events waited for their position.
pub(crate) const EVENT_SECONDS: &str = "verdigraph_event_wait_seconds";
/// Rounds of upkeep, by task.
pub(crate) const UPKEEP_SECONDS: &str = "verdigraph_upkeep_seconds";
/// Things that upkeep did, by task.
pub(crate) const UPKEEP_DONE: &str = "verdigraph_upkeep_done_total";
/// Rounds of upkeep that failed, by task.
pub(crate) const UPKEEP_FAILURES: &str = "verdigraph_upkeep_failures_total";
/// Requests that were answered, by route template, method and status.
pub const HTTP_REQUESTS: &str = "verdigraph_http_requests_total";
/// How long answers took, by route template and method.
pub const HTTP_SECONDS: &str = "verdigraph_http_request_seconds";

/// Every series that is recorded.
pub const SERIES: [Series; 23] = [
    series(JOB_SUBMITS, Form::Counter, "submits by outcome: accepted, or the code of the refusal"),
    series(JOB_TRANSITIONS, Form::Counter, "changes of jobs' statuses on this node, by the status they came to"),
    series(JOB_RETRIES, Form::Counter, "jobs that went back into the queue after they were lost with a worker"),
    series(JOBS_LOST, Form::Counter, "jobs that were lost with their node, or had no actor any more"),
    series(JOB_DISPATCH, Form::Seconds, "from the acceptance of a job to its first worker, by lane"),
    series(JOB_RUN, Form::Seconds, "time on the worker of jobs that were done, by lane"),
    series(JOB_CLAIM, Form::Seconds, "one claim of a job for a free worker"),
    series(LEDGER_COMMIT, Form::Seconds, "one group commit of the ledger, from its first query to its answers"),
    series(LEDGER_BATCH, Form::Pieces, "posts in one group commit"),
    series(LEDGER_MOVEMENTS, Form::Counter, "entries that were committed, by kind"),
    series(LEDGER_CREDITS, Form::Counter, "credits that were moved, by kind of entry"),
    series(LEDGER_REFUSALS, Form::Counter, "posts that a full ledger lane sent away"),
    series(LEDGER_CONFLICTS, Form::Counter, "accounts that two nodes changed at once, and that take turns for a while"),
    series(LEDGER_DIFFERENCES, Form::Counter, "balances that an audit of the upkeep on this node could not derive"),
    series(PANICS, Form::Counter, "panics of parts of this node that are started again, by part; job: its actor"),
    series(FILES_DELETED, Form::Counter, "files that this node deleted because nobody named them any more"),
    series(EVENTS, Form::Counter, "events to which this node gave their place in the log"),
    series(EVENT_SECONDS, Form::Seconds, "from the writing of the oldest event of a round until all could be seen"),
    series(UPKEEP_SECONDS, Form::Seconds, "one round of a task of upkeep on this node, by task"),
    series(UPKEEP_DONE, Form::Counter, "things that upkeep did on this node, by task"),
    series(UPKEEP_FAILURES, Form::Counter, "rounds of upkeep that failed on this node or took too long, by task"),
    series(HTTP_REQUESTS, Form::Counter, "requests that were answered, by route, method and status"),
    series(HTTP_SECONDS, Form::Seconds, "until the head of an answer was ready, by route and method"),
];

const fn series(name: &'static str, form: Form, help: &'static str) -> Series {
    Series { name, form, help }
}

static RECORDING: AtomicBool = AtomicBool::new(false);

/// Begins to record, once per process; `false` where somebody has begun before.
pub fn record(recorder: impl Recorder + Sync + 'static) -> bool {
    let first = metrics::set_global_recorder(recorder).is_ok();
    RECORDING.store(true, Ordering::Release);
    first
}

/// Whether anything is kept.
#[must_use]
pub fn is_recording() -> bool {
    RECORDING.load(Ordering::Acquire)
}

/// A counter for each value of one label, named once and then reached by its number.
pub(crate) struct Counters<const N: usize> {
    name: &'static str,
    label: &'static str,
    values: fn() -> [&'static str; N],
    handles: OnceLock<[Counter; N]>,
}

impl<const N: usize> Counters<N> {
    /// Counters of a series of [`SERIES`]. An empty label makes a single one without any.
    pub const fn new(name: &'static str, label: &'static str, values: fn() -> [&'static str; N]) -> Self {
        Self { name, label, values, handles: OnceLock::new() }
    }

    /// Shows all of them from the start: a counter that comes into being with its first event hides that event.
    pub fn begin(&self) {
        self.add(0, 0);
    }

    /// Adds to the counter of this number.
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

/// Histograms for the values of one label, as [`Counters`].
pub(crate) struct Histograms<const N: usize> {
    name: &'static str,
    label: &'static str,
    values: fn() -> [&'static str; N],
    handles: OnceLock<[Histogram; N]>,
}

impl<const N: usize> Histograms<N> {
    /// As [`Counters::new`].
    pub const fn new(name: &'static str, label: &'static str, values: fn() -> [&'static str; N]) -> Self {
        Self { name, label, values, handles: OnceLock::new() }
    }

    /// Notes a size, or a time in seconds.
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

    /// Notes a time in milliseconds.
    pub fn note_ms(&self, number: usize, ms: i64) {
        self.note(number, Duration::from_millis(u64::try_from(ms).unwrap_or(0)).as_secs_f64());
    }

    /// Measures until the returned value is dropped.
    pub fn time(&'static self) -> Timer<N> {
        Timer { histograms: self, began: Instant::now() }
    }
}

/// Notes how long it lived.
pub(crate) struct Timer<const N: usize> {
    histograms: &'static Histograms<N>,
    began: Instant,
}

impl<const N: usize> Drop for Timer<N> {
    fn drop(&mut self) {
        self.histograms.note(0, self.began.elapsed().as_secs_f64());
    }
}

/// Counts one of an open list of values, such as error codes: for what is rare.
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
