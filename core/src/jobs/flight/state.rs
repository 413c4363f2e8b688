//! The state machine of an attempt: a pure function.
//!
//! ```text
//!  Pending ─claim─▶ Connecting ─accepted─▶ Connected ─started─▶ Running ─finished─▶ Done
//!     ▲                 │                      │                   │
//!     └──── requeued: protocol error, lost (while tries are left) ───────┘
//!     └──── put back: withdrawn, unreachable, lost before start ┘  (no try is spent)
//!
//!  refused by this worker only ─▶ requeued
//!  refused ─▶ InvalidPrompt            raised ─▶ ExecuteError          silent, operator ─▶ ForceTimeout
//!  stop asked for ─▶ (worker stops) ─▶ Canceled | ExecutionTimeout | ForceTimeout
//!  its actor panicked ─▶ requeued, once; then UnknownError
//!  no tries left:  unreachable ─▶ WorkerConnectError   protocol error ─▶ WorkerExceptionError   lost ─▶ WorkerShutdownError
//! ```
//!
//! Only a prompt that has begun spends a try. A prefetched prompt whose worker died, and a prompt that never reached its
//! worker, are put back. After [`MAX_NOT_BEGUN`] such attempts each further one counts as a try, so that every job ends.
//!
//! A complete result counts even after a stop request: the job is Done. While outputs are fetched or wait for the
//! storage, the worker is done, and no timer ends or charges the job; a cancel request still ends it. A silent worker
//! ends the job without another try, because a graph that hangs one worker would hang the next. An interrupt without a
//! stop request comes from an operator at the worker. A stopped job is charged until the stop request, however long its
//! worker takes to stop.

use crate::jobs::status::Status;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) struct AttemptState {
    /// `Connecting`, `Connected` or `Running`.
    pub status: Status,
    /// Counts from 1.
    pub attempt: i16,
    pub attempts_allowed: i16,
    /// Attempts that ended before the prompt began. `attempt` and `attempts_allowed` count them too.
    pub not_begun: i16,
    /// Attempts that ended by a panic of the job actor.
    pub panics: i16,
    /// Why the worker was asked to stop.
    pub stopping: Option<StopReason>,
    /// How long the job had run at the stop request.
    pub stopped_at_ms: Option<i64>,
    /// How long the job ran, once its prompt is done and its outputs are not stored yet.
    pub prompt_done_ms: Option<i64>,
}

/// Why a worker is asked to stop a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) enum StopReason {
    Canceled,
    RanTooLong,
    CreditsUsedUp,
    Operator,
}

impl StopReason {
    /// Whether the stop comes from a timer, which does not know whether the prompt is done.
    fn is_timer(self) -> bool {
        matches!(self, Self::RanTooLong | Self::CreditsUsedUp)
    }
}

/// An event of an attempt. `ran_ms` is the worker's time on the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) enum AttemptEvent {
    Accepted,
    Started,
    Finished {
        ran_ms: i64,
    },
    /// The run is complete, and none of its outputs can be delivered. Another run would make the same.
    NothingDelivered,
    Refused,
    /// The worker refused the prompt, and another worker may accept it.
    RefusedByWorker,
    Raised {
        ran_ms: i64,
    },
    Interrupted {
        ran_ms: i64,
    },
    Unreachable,
    ProtocolError,
    /// The worker is lost, and the prompt may have begun.
    Lost,
    /// The worker is lost, and the prompt had not begun.
    LostBeforeStart,
    /// The job actor panicked. `panics` counts it already.
    Panicked,
    Silent,
    /// The prompt was withdrawn from the worker's queue before it began.
    Withdrawn,
    /// The run is complete, and its outputs are being fetched.
    PromptDone {
        ran_ms: i64,
    },
    /// The run is complete, and its outputs wait for the storage.
    AwaitingStorage {
        ran_ms: i64,
    },
    /// The worker did not accept the prompt in time.
    AcceptTimedOut,
    /// A stop request; `ran_ms` by this node's clock.
    StopRequested {
        reason: StopReason,
        ran_ms: i64,
    },
    /// The worker did not stop in time; `ran_ms` by this node's clock.
    StopTimedOut {
        ran_ms: i64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) struct TransitionOutcome {
    pub run: AttemptState,
    pub write: Option<Write>,
    /// Whether to ask the worker to stop. The message may be lost.
    pub stop_worker: bool,
}

/// The write that is committed with the new state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) enum Write {
    Status(Status),
    /// The job ends: `charged_ms` of worker time are captured, and the rest of the hold is released.
    End {
        status: Status,
        charged_ms: i64,
    },
    /// The job waits for another try.
    Requeue,
    /// The job waits again, without spending a try.
    PutBack,
    /// As `PutBack`, after a pause: the worker cannot be reached.
    PutBackLater,
}

/// Attempts that may end before the prompt began without spending a try.
const MAX_NOT_BEGUN: i16 = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{event:?} cannot happen to a job that is {status:?}")]
pub(in crate::jobs) struct IllegalTransition {
    pub status: Status,
    pub event: AttemptEvent,
}

/// The outcome of an event.
pub(in crate::jobs) fn next(run: &AttemptState, event: AttemptEvent) -> Result<TransitionOutcome, IllegalTransition> {
    use Status::{Connected, Connecting, Running};
    let run = *run;
    match (run.status, event) {
        (Connecting, AttemptEvent::Accepted) => Ok(advanced(run, Connected)),
        (Connecting | Connected, AttemptEvent::Started) => Ok(advanced(run, Running)),

        (Connecting | Connected | Running, AttemptEvent::Finished { ran_ms }) => Ok(end(run, Status::Done, ran_ms)),
        (Connecting | Connected | Running, AttemptEvent::Raised { ran_ms }) => {
            Ok(end(run, Status::ExecuteError, ran_ms))
        }
        (Connecting | Connected, AttemptEvent::Refused) => Ok(end(run, Status::InvalidPrompt, 0)),
        (Connecting | Connected, AttemptEvent::RefusedByWorker) => Ok(requeue_or_end(run, Status::InvalidPrompt)),
        (Connecting | Connected | Running, AttemptEvent::StopTimedOut { .. })
            if run.prompt_done_ms.is_some() && run.stopping.is_none_or(StopReason::is_timer) =>
        {
            Ok(TransitionOutcome { run, write: None, stop_worker: false })
        }
        (
            Connecting | Connected | Running,
            AttemptEvent::Interrupted { ran_ms } | AttemptEvent::StopTimedOut { ran_ms },
        ) => {
            // The time after the stop request is not charged.
            let ran_ms = run.stopped_at_ms.map_or(ran_ms, |asked_ms| ran_ms.min(asked_ms));
            Ok(end(run, stopped_as(run.stopping.unwrap_or(StopReason::Operator)), ran_ms))
        }

        (Connecting, AttemptEvent::AcceptTimedOut) => {
            Ok(TransitionOutcome { stop_worker: true, ..requeue_or_end(run, Status::WorkerConnectError) })
        }
        (Connecting | Connected, AttemptEvent::Unreachable) => {
            Ok(put_back_or_end(run, Write::PutBackLater, Status::WorkerConnectError))
        }
        (Connecting | Connected, AttemptEvent::LostBeforeStart) => {
            Ok(put_back_or_end(run, Write::PutBack, Status::WorkerShutdownError))
        }
        (Running, AttemptEvent::Unreachable) => Ok(requeue_or_end(run, Status::WorkerConnectError)),
        (Running, AttemptEvent::LostBeforeStart) => Ok(requeue_or_end(run, Status::WorkerShutdownError)),
        (Connecting | Connected | Running, AttemptEvent::ProtocolError) => {
            Ok(requeue_or_end(run, Status::WorkerExceptionError))
        }
        (Connecting | Connected | Running, AttemptEvent::Lost) => Ok(requeue_or_end(run, Status::WorkerShutdownError)),
        (Connecting | Connected | Running, AttemptEvent::NothingDelivered) => {
            Ok(requeue_or_end(AttemptState { attempts_allowed: run.attempt, ..run }, Status::WorkerExceptionError))
        }
        // A job whose actor panicked twice would make it panic again, so it ends without its other tries.
        (Connecting | Connected | Running, AttemptEvent::Panicked) => {
            let attempts_allowed = if run.panics < 2 { run.attempts_allowed } else { run.attempt };
            Ok(requeue_or_end(AttemptState { attempts_allowed, ..run }, Status::UnknownError))
        }
        (Connecting | Connected | Running, AttemptEvent::Silent) => {
            Ok(end(run, run.stopping.map_or(Status::ForceTimeout, stopped_as), 0))
        }

        (Connecting | Connected, AttemptEvent::Withdrawn) => Ok(match run.stopping {
            Some(reason) => end(run, stopped_as(reason), 0),
            None => {
                let run = AttemptState { status: Status::Pending, ..run };
                TransitionOutcome { run, write: Some(Write::PutBack), stop_worker: false }
            }
        }),

        // The prompt may be done because of a stop request. Its last report will tell.
        (Connecting | Connected | Running, AttemptEvent::PromptDone { ran_ms }) => {
            let run = AttemptState { prompt_done_ms: Some(ran_ms), ..run };
            Ok(TransitionOutcome { run, write: None, stop_worker: false })
        }
        (Connecting | Connected | Running, AttemptEvent::AwaitingStorage { ran_ms }) => {
            let stop_worker = run.stopping.is_some_and(|reason| !reason.is_timer());
            let run = AttemptState { prompt_done_ms: Some(ran_ms), ..run };
            Ok(TransitionOutcome { run, write: None, stop_worker })
        }

        (Connecting | Connected | Running, AttemptEvent::StopRequested { reason, .. })
            if run.prompt_done_ms.is_some() && reason.is_timer() =>
        {
            Ok(TransitionOutcome { run, write: None, stop_worker: false })
        }
        (Connecting | Connected | Running, AttemptEvent::StopRequested { reason, ran_ms }) => {
            // The first reason counts, but an explicit stop overrides an earlier timeout once the prompt is done.
            let before = run.stopping.filter(|reason| run.prompt_done_ms.is_none() || !reason.is_timer());
            let (stopping, stopped_at_ms) = (before.unwrap_or(reason), run.stopped_at_ms.unwrap_or(ran_ms));
            let run = AttemptState { stopping: Some(stopping), stopped_at_ms: Some(stopped_at_ms), ..run };
            Ok(TransitionOutcome { run, write: None, stop_worker: true })
        }
        (status, event) => Err(IllegalTransition { status, event }),
    }
}

fn advanced(run: AttemptState, status: Status) -> TransitionOutcome {
    // Repeats a stop request from before the worker had the prompt.
    let stop_worker = run.stopping.is_some();
    TransitionOutcome { run: AttemptState { status, ..run }, write: Some(Write::Status(status)), stop_worker }
}

fn end(run: AttemptState, status: Status, ran_ms: i64) -> TransitionOutcome {
    let charged_ms = if status.is_charged() { ran_ms.max(0) } else { 0 };
    let write = Some(Write::End { status, charged_ms });
    TransitionOutcome { run: AttemptState { status, ..run }, write, stop_worker: false }
}

/// Requeues the job, or ends it with `last` where no try is left.
fn requeue_or_end(run: AttemptState, last: Status) -> TransitionOutcome {
    match run.stopping {
        Some(reason) => end(run, stopped_as(reason), 0),
        None if run.attempt < run.attempts_allowed => {
            let run = AttemptState { status: Status::Pending, ..run };
            TransitionOutcome { run, write: Some(Write::Requeue), stop_worker: false }
        }
        None => end(run, last, 0),
    }
}

/// Puts back a job whose prompt had not begun, as often as [`MAX_NOT_BEGUN`] allows.
fn put_back_or_end(run: AttemptState, write: Write, last: Status) -> TransitionOutcome {
    if run.stopping.is_some() || run.not_begun >= MAX_NOT_BEGUN {
        return requeue_or_end(run, last);
    }
    TransitionOutcome { run: AttemptState { status: Status::Pending, ..run }, write: Some(write), stop_worker: false }
}

fn stopped_as(reason: StopReason) -> Status {
    match reason {
        StopReason::Canceled => Status::Canceled,
        StopReason::RanTooLong | StopReason::CreditsUsedUp => Status::ExecutionTimeout,
        StopReason::Operator => Status::ForceTimeout,
    }
}

#[cfg(test)]
mod tests;
