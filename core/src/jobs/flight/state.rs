//! The life of a job in flight, as a pure function.
//!
//! ```text
//!  Pending ─claim─▶ Connecting ─accepted─▶ Connected ─started─▶ Running ─finished─▶ Done
//!     ▲                 │                      │                   │
//!     └──── requeued: broke, lost (while tries are left) ────────────────┘
//!     └──── put back: withdrawn, unreachable, lost before start ┘  (no try is spent)
//!
//!  refused here, another worker may take it ─▶ requeued
//!  refused ─▶ InvalidPrompt            raised ─▶ ExecuteError          silent, operator ─▶ ForceTimeout
//!  stop asked for ─▶ (worker stops) ─▶ Canceled | ExecutionTimeout | ForceTimeout
//!  its actor panicked ─▶ requeued, once; then UnknownError
//!  no tries left:  unreachable ─▶ WorkerConnectError   broke ─▶ WorkerExceptionError   lost ─▶ WorkerShutdownError
//! ```
//!
//! Only what ran spends a try. A prompt that waited behind another one when its worker died, or that never reached its
//! worker, goes back as it was. After [`NOT_BEGUN_AT_MOST`] such attempts each further one counts as a try, so that
//! every job ends.
//!
//! A result that is complete when a stop was asked for counts: the job is Done. So does one that is only fetched, or waits
//! for the storage: the worker is done, and no clock ends or charges that; who cancels what waits is heard. A silent worker ends the job without
//! another try, because a graph that hangs one worker would hang the next. An interrupt that nobody here asked for
//! came from an operator at the worker. Who stops a job pays for the time until then, however long its worker takes.

use crate::jobs::status::Status;

/// A job in flight, as far as decisions need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) struct Run {
    /// `Connecting`, `Connected` or `Running`.
    pub status: Status,
    /// Counts from 1.
    pub attempt: i16,
    pub attempts_allowed: i16,
    /// Attempts that ended before the prompt began; they are counted in `attempt` and in `attempts_allowed`.
    pub not_begun: i16,
    /// Attempts that a panic of ours ended.
    pub panics: i16,
    /// Why the worker was asked to stop, where it was.
    pub stopping: Option<Stopping>,
    /// How long it had run by then, in milliseconds.
    pub stopped_at_ms: Option<i64>,
    /// How long it ran, where its worker is done and what it made is still to be stored.
    pub over_after_ms: Option<i64>,
}

/// Why a worker is asked to stop a job. The first reason stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) enum Stopping {
    Canceled,
    RanTooLong,
    CreditsUsedUp,
    Operator,
}

impl Stopping {
    /// Whether nobody asked for it but a clock of ours, which knows nothing of a worker that is done.
    fn is_by_clock(self) -> bool {
        matches!(self, Self::RanTooLong | Self::CreditsUsedUp)
    }
}

/// What happened. `ran_ms` is the worker's time on the job, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) enum Event {
    Accepted,
    Started,
    Finished {
        ran_ms: i64,
    },
    /// The worker is done, and nothing that it made can be delivered: another run would make the same.
    NothingDelivered,
    Refused,
    /// The worker refused the prompt, and another one is there that may take it.
    RefusedHere,
    Raised {
        ran_ms: i64,
    },
    Interrupted {
        ran_ms: i64,
    },
    Unreachable,
    Broke,
    /// The worker is gone, and the prompt with it, which may have begun.
    Lost,
    /// The worker is gone, and the prompt with it, which waited behind another one.
    LostBeforeStart,
    /// The job's own actor panicked, which is counted in `panics` already.
    Panicked,
    Silent,
    /// The prompt was taken back from the worker's queue before it began.
    Withdrawn,
    /// The worker is done, and what it made is being fetched.
    Over {
        ran_ms: i64,
    },
    /// The worker is done, and what it made waits for the storage.
    KeptWaiting {
        ran_ms: i64,
    },
    /// The worker did not accept the prompt in time.
    AcceptTimedOut,
    /// Somebody wants the job to stop, which has run so long by our own clock.
    StopAsked {
        why: Stopping,
        ran_ms: i64,
    },
    /// The worker did not stop in time; `ran_ms` by our own clock.
    StopTimedOut {
        ran_ms: i64,
    },
}

/// What follows: the writes are committed with the state, the sends go out afterwards and may be lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) struct Outcome {
    pub run: Run,
    pub write: Option<Write>,
    /// Whether the worker is told to stop this attempt.
    pub stop_worker: bool,
}

/// Rows that change with the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) enum Write {
    Status(Status),
    /// The job ends; `charged_ms` of worker time are captured, the rest of the hold is released.
    End {
        status: Status,
        charged_ms: i64,
    },
    /// Back into the queue, for another worker.
    Requeue,
    /// Back into the queue, where it stood.
    PutBack,
    /// The same, and not to be claimed again before a pause is over: its worker cannot be reached.
    PutBackLater,
}

/// How many attempts may end before the prompt began without costing a try.
const NOT_BEGUN_AT_MOST: i16 = 20;

/// An event that cannot happen where the job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{event:?} cannot happen to a job that is {status:?}")]
pub(in crate::jobs) struct IllegalTransition {
    pub status: Status,
    pub event: Event,
}

/// Decides what an event means for a job in flight.
pub(in crate::jobs) fn next(run: &Run, event: Event) -> Result<Outcome, IllegalTransition> {
    use Status::{Connected, Connecting, Running};
    let run = *run;
    match (run.status, event) {
        (Connecting, Event::Accepted) => Ok(moved(run, Connected)),
        (Connecting | Connected, Event::Started) => Ok(moved(run, Running)),

        (Connecting | Connected | Running, Event::Finished { ran_ms }) => Ok(end(run, Status::Done, ran_ms)),
        (Connecting | Connected | Running, Event::Raised { ran_ms }) => Ok(end(run, Status::ExecuteError, ran_ms)),
        (Connecting | Connected, Event::Refused) => Ok(end(run, Status::InvalidPrompt, 0)),
        (Connecting | Connected, Event::RefusedHere) => Ok(again_or(run, Status::InvalidPrompt)),
        (Connecting | Connected | Running, Event::StopTimedOut { .. })
            if run.over_after_ms.is_some() && run.stopping.is_none_or(Stopping::is_by_clock) =>
        {
            Ok(Outcome { run, write: None, stop_worker: false })
        }
        (Connecting | Connected | Running, Event::Interrupted { ran_ms } | Event::StopTimedOut { ran_ms }) => {
            // A worker that takes its time to stop, or hangs, does so at nobody's cost.
            let ran_ms = run.stopped_at_ms.map_or(ran_ms, |asked_ms| ran_ms.min(asked_ms));
            Ok(end(run, stopped_as(run.stopping.unwrap_or(Stopping::Operator)), ran_ms))
        }

        (Connecting, Event::AcceptTimedOut) => {
            Ok(Outcome { stop_worker: true, ..again_or(run, Status::WorkerConnectError) })
        }
        (Connecting | Connected, Event::Unreachable) => {
            Ok(put_back_or(run, Write::PutBackLater, Status::WorkerConnectError))
        }
        (Connecting | Connected, Event::LostBeforeStart) => {
            Ok(put_back_or(run, Write::PutBack, Status::WorkerShutdownError))
        }
        (Running, Event::Unreachable) => Ok(again_or(run, Status::WorkerConnectError)),
        (Running, Event::LostBeforeStart) => Ok(again_or(run, Status::WorkerShutdownError)),
        (Connecting | Connected | Running, Event::Broke) => Ok(again_or(run, Status::WorkerExceptionError)),
        (Connecting | Connected | Running, Event::Lost) => Ok(again_or(run, Status::WorkerShutdownError)),
        (Connecting | Connected | Running, Event::NothingDelivered) => {
            Ok(again_or(Run { attempts_allowed: run.attempt, ..run }, Status::WorkerExceptionError))
        }
        // What makes us fail twice would do so for ever: it ends before it takes its other tries.
        (Connecting | Connected | Running, Event::Panicked) => {
            let attempts_allowed = if run.panics < 2 { run.attempts_allowed } else { run.attempt };
            Ok(again_or(Run { attempts_allowed, ..run }, Status::UnknownError))
        }
        (Connecting | Connected | Running, Event::Silent) => {
            Ok(end(run, run.stopping.map_or(Status::ForceTimeout, stopped_as), 0))
        }

        (Connecting | Connected, Event::Withdrawn) => Ok(match run.stopping {
            Some(why) => end(run, stopped_as(why), 0),
            None => {
                let run = Run { status: Status::Pending, ..run };
                Outcome { run, write: Some(Write::PutBack), stop_worker: false }
            }
        }),

        // A stop that was asked for may have made it end, which its last report says.
        (Connecting | Connected | Running, Event::Over { ran_ms }) => {
            Ok(Outcome { run: Run { over_after_ms: Some(ran_ms), ..run }, write: None, stop_worker: false })
        }
        (Connecting | Connected | Running, Event::KeptWaiting { ran_ms }) => {
            let stop_worker = run.stopping.is_some_and(|why| !why.is_by_clock());
            Ok(Outcome { run: Run { over_after_ms: Some(ran_ms), ..run }, write: None, stop_worker })
        }

        (Connecting | Connected | Running, Event::StopAsked { why, .. })
            if run.over_after_ms.is_some() && why.is_by_clock() =>
        {
            Ok(Outcome { run, write: None, stop_worker: false })
        }
        (Connecting | Connected | Running, Event::StopAsked { why, ran_ms }) => {
            // What a clock wanted of a worker that is done since stands back behind what somebody wants now.
            let before = run.stopping.filter(|why| run.over_after_ms.is_none() || !why.is_by_clock());
            let (stopping, stopped_at_ms) = (before.unwrap_or(why), run.stopped_at_ms.unwrap_or(ran_ms));
            let run = Run { stopping: Some(stopping), stopped_at_ms: Some(stopped_at_ms), ..run };
            Ok(Outcome { run, write: None, stop_worker: true })
        }

        (status, event) => Err(IllegalTransition { status, event }),
    }
}

fn moved(run: Run, status: Status) -> Outcome {
    // A stop that was asked for before the worker had the prompt is repeated now that it has.
    let stop_worker = run.stopping.is_some();
    Outcome { run: Run { status, ..run }, write: Some(Write::Status(status)), stop_worker }
}

fn end(run: Run, status: Status, ran_ms: i64) -> Outcome {
    let charged_ms = if status.is_charged() { ran_ms.max(0) } else { 0 };
    Outcome { run: Run { status, ..run }, write: Some(Write::End { status, charged_ms }), stop_worker: false }
}

fn again_or(run: Run, last: Status) -> Outcome {
    match run.stopping {
        Some(why) => end(run, stopped_as(why), 0),
        None if run.attempt < run.attempts_allowed => {
            Outcome { run: Run { status: Status::Pending, ..run }, write: Some(Write::Requeue), stop_worker: false }
        }
        None => end(run, last, 0),
    }
}

/// Of an attempt that ended before the prompt began.
fn put_back_or(run: Run, write: Write, last: Status) -> Outcome {
    if run.stopping.is_some() || run.not_begun >= NOT_BEGUN_AT_MOST {
        return again_or(run, last);
    }
    Outcome { run: Run { status: Status::Pending, ..run }, write: Some(write), stop_worker: false }
}

fn stopped_as(why: Stopping) -> Status {
    match why {
        Stopping::Canceled => Status::Canceled,
        Stopping::RanTooLong | Stopping::CreditsUsedUp => Status::ExecutionTimeout,
        Stopping::Operator => Status::ForceTimeout,
    }
}

#[cfg(test)]
mod tests;
