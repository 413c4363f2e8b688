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
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stop(why: Stopping) -> Event {
        Event::StopAsked { why, ran_ms: 700 }
    }

    fn run(status: Status) -> Run {
        Run {
            status,
            attempt: 1,
            attempts_allowed: 3,
            not_begun: 0,
            panics: 0,
            stopping: None,
            stopped_at_ms: None,
            over_after_ms: None,
        }
    }

    fn last(status: Status) -> Run {
        Run { attempt: 3, ..run(status) }
    }

    fn write(run: Run, event: Event) -> Option<Write> {
        next(&run, event).expect("a legal transition").write
    }

    const IN_FLIGHT: [Status; 3] = [Status::Connecting, Status::Connected, Status::Running];

    #[test]
    fn a_job_goes_from_connecting_over_connected_and_running_to_done() {
        assert_eq!(write(run(Status::Connecting), Event::Accepted), Some(Write::Status(Status::Connected)));
        assert_eq!(write(run(Status::Connected), Event::Started), Some(Write::Status(Status::Running)));
        let done = Write::End { status: Status::Done, charged_ms: 1200 };
        assert_eq!(write(run(Status::Running), Event::Finished { ran_ms: 1200 }), Some(done));
    }

    #[test]
    fn what_is_lost_with_its_worker_is_tried_again_until_no_try_is_left() {
        let endings = [(Event::Broke, Status::WorkerExceptionError), (Event::Lost, Status::WorkerShutdownError)];
        for status in IN_FLIGHT {
            for (event, ending) in endings {
                assert_eq!(write(run(status), event), Some(Write::Requeue), "{event:?} while {status:?}");
                let ended = Write::End { status: ending, charged_ms: 0 };
                assert_eq!(write(last(status), event), Some(ended), "{event:?} while {status:?}, last try");
            }
        }
    }

    #[test]
    fn an_attempt_that_ended_before_the_prompt_began_spends_no_try() {
        let cases = [
            (Event::Unreachable, Write::PutBackLater, Status::WorkerConnectError),
            (Event::LostBeforeStart, Write::PutBack, Status::WorkerShutdownError),
        ];
        for (event, put_back, ending) in cases {
            for status in [Status::Connecting, Status::Connected] {
                assert_eq!(write(last(status), event), Some(put_back), "{event:?} while {status:?}, last try");
                let often = |run| Run { not_begun: NOT_BEGUN_AT_MOST, ..run };
                assert_eq!(write(often(run(status)), event), Some(Write::Requeue), "{event:?}, too often");
                let ended = Write::End { status: ending, charged_ms: 0 };
                assert_eq!(write(often(last(status)), event), Some(ended), "{event:?}, too often, last try");
                let stopped = next(&run(status), stop(Stopping::Canceled)).expect("legal").run;
                let canceled = Write::End { status: Status::Canceled, charged_ms: 0 };
                assert_eq!(write(stopped, event), Some(canceled), "{event:?} after a stop");
            }
            assert_eq!(write(run(Status::Running), event), Some(Write::Requeue), "{event:?} of one that ran");
        }
    }

    #[test]
    fn two_panics_end_a_job_however_often_it_was_lost_with_its_worker() {
        for status in IN_FLIGHT {
            let panicked = |attempt, panics| write(Run { attempt, panics, ..run(status) }, Event::Panicked);
            let ended = Some(Write::End { status: Status::UnknownError, charged_ms: 0 });
            assert_eq!(panicked(1, 1), Some(Write::Requeue), "the first time");
            assert_eq!(panicked(2, 1), Some(Write::Requeue), "the first time, after its worker was lost");
            assert_eq!(panicked(2, 2), ended, "a second time, with a try left");
            assert_eq!(panicked(3, 1), ended, "no try is left");
        }
    }

    #[test]
    fn a_silent_worker_ends_the_job_at_once_and_free_of_charge() {
        let ended = Write::End { status: Status::ForceTimeout, charged_ms: 0 };
        assert_eq!(write(run(Status::Running), Event::Silent), Some(ended));
    }

    #[test]
    fn a_stop_ends_as_its_first_reason_says() {
        let asked = next(&run(Status::Running), stop(Stopping::Canceled)).expect("legal");
        assert!(asked.stop_worker, "the worker must hear of it");
        let again = next(&asked.run, stop(Stopping::RanTooLong)).expect("harmless when repeated");
        assert_eq!(again.run.stopping, Some(Stopping::Canceled));
        let ended = Write::End { status: Status::Canceled, charged_ms: 700 };
        assert_eq!(write(again.run, Event::Interrupted { ran_ms: 700 }), Some(ended));
    }

    #[test]
    fn a_worker_that_does_not_stop_costs_nothing_after_the_stop() {
        let asked = next(&run(Status::Running), stop(Stopping::Canceled)).expect("legal").run;
        for ended in [Event::StopTimedOut { ran_ms: 90_000 }, Event::Interrupted { ran_ms: 90_000 }] {
            let charged = Write::End { status: Status::Canceled, charged_ms: 700 };
            assert_eq!(write(asked, ended), Some(charged), "{ended:?}");
        }
        let early = Write::End { status: Status::Canceled, charged_ms: 200 };
        assert_eq!(write(asked, Event::Interrupted { ran_ms: 200 }), Some(early), "the worker's shorter time counts");
    }

    #[test]
    fn no_clock_ends_a_job_that_only_waits_for_the_storage() {
        for why in [Stopping::RanTooLong, Stopping::CreditsUsedUp] {
            let early = next(&run(Status::Running), stop(why)).expect("legal").run;
            for before in [run(Status::Running), early] {
                let kept = next(&before, Event::KeptWaiting { ran_ms: 600 }).expect("legal");
                assert!(!kept.stop_worker, "what it made would be thrown away");
                let asked = next(&kept.run, stop(why)).expect("harmless");
                assert_eq!((asked.write, asked.stop_worker), (None, false));
                assert_eq!(write(asked.run, Event::StopTimedOut { ran_ms: 90_000 }), None);
                let done = Write::End { status: Status::Done, charged_ms: 600 };
                assert_eq!(write(asked.run, Event::Finished { ran_ms: 600 }), Some(done));
                let canceled = next(&asked.run, Event::StopAsked { why: Stopping::Canceled, ran_ms: 600 });
                let canceled = canceled.expect("legal");
                assert!(canceled.stop_worker, "the worker's connection goes on waiting");
                let ended = Write::End { status: Status::Canceled, charged_ms: 600 };
                assert_eq!(write(canceled.run, Event::Interrupted { ran_ms: 600 }), Some(ended));
            }
        }
    }

    #[test]
    fn a_job_that_was_canceled_does_not_wait_for_the_storage() {
        let asked = next(&run(Status::Running), stop(Stopping::Canceled)).expect("legal").run;
        assert!(next(&asked, Event::KeptWaiting { ran_ms: 600 }).expect("legal").stop_worker);
    }

    #[test]
    fn a_stop_asked_for_before_the_worker_has_the_prompt_is_repeated_when_it_has() {
        let asked = next(&run(Status::Connecting), stop(Stopping::Canceled)).expect("legal");
        assert!(next(&asked.run, Event::Accepted).expect("legal").stop_worker);
    }

    #[test]
    fn a_job_that_was_taken_back_waits_again_unless_somebody_stopped_it_or_it_runs() {
        for status in [Status::Connecting, Status::Connected] {
            assert_eq!(write(last(status), Event::Withdrawn), Some(Write::PutBack), "no try is spent");
            let stopped = next(&run(status), stop(Stopping::Canceled)).expect("legal").run;
            let ended = Write::End { status: Status::Canceled, charged_ms: 0 };
            assert_eq!(write(stopped, Event::Withdrawn), Some(ended));
        }
        assert!(next(&run(Status::Running), Event::Withdrawn).is_err());
    }

    #[test]
    fn a_canceled_job_is_not_tried_again_when_its_worker_goes_away() {
        let asked = next(&run(Status::Running), stop(Stopping::Canceled)).expect("legal");
        assert_eq!(write(asked.run, Event::Lost), Some(Write::End { status: Status::Canceled, charged_ms: 0 }));
    }

    fn event() -> impl Strategy<Value = Event> {
        prop_oneof![
            Just(Event::Accepted),
            Just(Event::Started),
            (0_i64..5000).prop_map(|ran_ms| Event::Finished { ran_ms }),
            Just(Event::Refused),
            Just(Event::RefusedHere),
            (0_i64..5000).prop_map(|ran_ms| Event::Raised { ran_ms }),
            (0_i64..5000).prop_map(|ran_ms| Event::Interrupted { ran_ms }),
            Just(Event::Unreachable),
            Just(Event::Broke),
            Just(Event::Lost),
            Just(Event::LostBeforeStart),
            Just(Event::Silent),
            Just(Event::Withdrawn),
            Just(Event::AcceptTimedOut),
            Just(stop(Stopping::Canceled)),
            Just(stop(Stopping::RanTooLong)),
            Just(stop(Stopping::CreditsUsedUp)),
            Just(stop(Stopping::Operator)),
            (0_i64..5000).prop_map(|ran_ms| Event::StopTimedOut { ran_ms }),
            (0_i64..5000).prop_map(|ran_ms| Event::Over { ran_ms }),
            (0_i64..5000).prop_map(|ran_ms| Event::KeptWaiting { ran_ms }),
        ]
    }

    #[test]
    fn nothing_happens_to_a_job_that_has_ended_or_waits() {
        let out_of_flight = Status::ALL.into_iter().filter(|status| !IN_FLIGHT.contains(status));
        for status in out_of_flight {
            for event in [Event::Accepted, Event::Started, Event::Lost, Event::Finished { ran_ms: 1 }, Event::Silent] {
                assert_eq!(next(&run(status), event), Err(IllegalTransition { status, event }));
            }
        }
    }

    proptest! {
        #[test]
        fn over_any_history_a_job_ends_at_most_once_and_only_charged_endings_cost(
            events in proptest::collection::vec(event(), 0..40)
        ) {
            let mut state = run(Status::Connecting);
            let mut ended = 0;
            for event in events {
                let Ok(outcome) = next(&state, event) else { continue };
                if let Some(Write::End { status, charged_ms }) = outcome.write {
                    ended += 1;
                    prop_assert!(status.is_terminal());
                    prop_assert!(charged_ms >= 0 && (charged_ms == 0 || status.is_charged()));
                }
                if outcome.write == Some(Write::Requeue) {
                    prop_assert!(outcome.run.attempt < outcome.run.attempts_allowed);
                    prop_assert!(outcome.run.stopping.is_none());
                    state = Run { status: Status::Connecting, attempt: state.attempt + 1, ..outcome.run };
                } else if matches!(outcome.write, Some(Write::PutBack | Write::PutBackLater)) {
                    prop_assert!(outcome.run.stopping.is_none());
                    prop_assert!(state.status != Status::Running, "what runs is not taken back");
                    let (attempt, attempts_allowed) = (state.attempt + 1, state.attempts_allowed + 1);
                    let not_begun = state.not_begun + 1;
                    state = Run { status: Status::Connecting, attempt, attempts_allowed, not_begun, ..outcome.run };
                } else {
                    state = outcome.run;
                }
            }
            prop_assert!(ended <= 1);
            prop_assert_eq!(ended == 1, state.status.is_terminal());
        }
    }
}
