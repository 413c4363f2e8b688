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
fn a_run_of_which_nothing_can_be_delivered_ends_at_once_and_free_of_charge() {
    for status in IN_FLIGHT {
        let ended = Write::End { status: Status::WorkerExceptionError, charged_ms: 0 };
        assert_eq!(write(run(status), Event::NothingDelivered), Some(ended), "{status:?}, with tries left");
        let stopped = next(&run(status), stop(Stopping::Canceled)).expect("legal").run;
        let canceled = Write::End { status: Status::Canceled, charged_ms: 0 };
        assert_eq!(write(stopped, Event::NothingDelivered), Some(canceled), "{status:?}, after a stop");
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
        Just(Event::NothingDelivered),
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
