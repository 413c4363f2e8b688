use proptest::prelude::*;

use super::*;

fn stop(why: StopReason) -> AttemptEvent {
    AttemptEvent::StopRequested { reason: why, ran_ms: 700 }
}

fn run(status: Status) -> AttemptState {
    AttemptState {
        status,
        attempt: 1,
        attempts_allowed: 3,
        not_begun: 0,
        panics: 0,
        stopping: None,
        stopped_at_ms: None,
        prompt_done_ms: None,
    }
}

fn last(status: Status) -> AttemptState {
    AttemptState { attempt: 3, ..run(status) }
}

fn write(run: AttemptState, event: AttemptEvent) -> Option<Write> {
    next(&run, event).expect("a legal transition").write
}

const IN_FLIGHT: [Status; 3] = [Status::Connecting, Status::Connected, Status::Running];

#[test]
fn job_passes_connecting_connected_and_running_before_done() {
    assert_eq!(write(run(Status::Connecting), AttemptEvent::Accepted), Some(Write::Status(Status::Connected)));
    assert_eq!(write(run(Status::Connected), AttemptEvent::Started), Some(Write::Status(Status::Running)));
    let done = Write::End { status: Status::Done, charged_ms: 1200 };
    assert_eq!(write(run(Status::Running), AttemptEvent::Finished { ran_ms: 1200 }), Some(done));
}

#[test]
fn lost_attempt_is_requeued_until_no_try_is_left() {
    let endings = [
        (AttemptEvent::ProtocolError, Status::WorkerExceptionError),
        (AttemptEvent::Lost, Status::WorkerShutdownError),
    ];
    for status in IN_FLIGHT {
        for (event, ending) in endings {
            assert_eq!(write(run(status), event), Some(Write::Requeue), "{event:?} while {status:?}");
            let ended = Write::End { status: ending, charged_ms: 0 };
            assert_eq!(write(last(status), event), Some(ended), "{event:?} while {status:?}, last try");
        }
    }
}

#[test]
fn attempt_whose_prompt_had_not_begun_spends_no_try() {
    let cases = [
        (AttemptEvent::Unreachable, Write::PutBackLater, Status::WorkerConnectError),
        (AttemptEvent::LostBeforeStart, Write::PutBack, Status::WorkerShutdownError),
    ];
    for (event, put_back, ending) in cases {
        for status in [Status::Connecting, Status::Connected] {
            assert_eq!(write(last(status), event), Some(put_back), "{event:?} while {status:?}, last try");
            let often = |run| AttemptState { not_begun: MAX_NOT_BEGUN, ..run };
            assert_eq!(write(often(run(status)), event), Some(Write::Requeue), "{event:?}, too often");
            let ended = Write::End { status: ending, charged_ms: 0 };
            assert_eq!(write(often(last(status)), event), Some(ended), "{event:?}, too often, last try");
            let stopped = next(&run(status), stop(StopReason::Canceled)).expect("legal").run;
            let canceled = Write::End { status: Status::Canceled, charged_ms: 0 };
            assert_eq!(write(stopped, event), Some(canceled), "{event:?} after a stop");
        }
        assert_eq!(write(run(Status::Running), event), Some(Write::Requeue), "{event:?} of one that ran");
    }
}

#[test]
fn run_without_deliverable_outputs_ends_without_another_try_and_free_of_charge() {
    for status in IN_FLIGHT {
        let ended = Write::End { status: Status::WorkerExceptionError, charged_ms: 0 };
        assert_eq!(write(run(status), AttemptEvent::NothingDelivered), Some(ended), "{status:?}, with tries left");
        let stopped = next(&run(status), stop(StopReason::Canceled)).expect("legal").run;
        let canceled = Write::End { status: Status::Canceled, charged_ms: 0 };
        assert_eq!(write(stopped, AttemptEvent::NothingDelivered), Some(canceled), "{status:?}, after a stop");
    }
}

#[test]
fn second_panic_ends_the_job_even_with_tries_left() {
    for status in IN_FLIGHT {
        let panicked = |attempt, panics| write(AttemptState { attempt, panics, ..run(status) }, AttemptEvent::Panicked);
        let ended = Some(Write::End { status: Status::UnknownError, charged_ms: 0 });
        assert_eq!(panicked(1, 1), Some(Write::Requeue), "the first time");
        assert_eq!(panicked(2, 1), Some(Write::Requeue), "the first time, after its worker was lost");
        assert_eq!(panicked(2, 2), ended, "a second time, with a try left");
        assert_eq!(panicked(3, 1), ended, "no try is left");
    }
}

#[test]
fn silent_worker_ends_the_job_without_another_try_and_free_of_charge() {
    let ended = Write::End { status: Status::ForceTimeout, charged_ms: 0 };
    assert_eq!(write(run(Status::Running), AttemptEvent::Silent), Some(ended));
}

#[test]
fn stopped_job_ends_by_its_first_stop_reason() {
    let asked = next(&run(Status::Running), stop(StopReason::Canceled)).expect("legal");
    assert!(asked.stop_worker, "the worker gets no stop");
    let again = next(&asked.run, stop(StopReason::RanTooLong)).expect("harmless when repeated");
    assert_eq!(again.run.stopping, Some(StopReason::Canceled));
    let ended = Write::End { status: Status::Canceled, charged_ms: 700 };
    assert_eq!(write(again.run, AttemptEvent::Interrupted { ran_ms: 700 }), Some(ended));
}

#[test]
fn time_after_the_stop_request_is_not_charged() {
    let asked = next(&run(Status::Running), stop(StopReason::Canceled)).expect("legal").run;
    for ended in [AttemptEvent::StopTimedOut { ran_ms: 90_000 }, AttemptEvent::Interrupted { ran_ms: 90_000 }] {
        let charged = Write::End { status: Status::Canceled, charged_ms: 700 };
        assert_eq!(write(asked, ended), Some(charged), "{ended:?}");
    }
    let early = Write::End { status: Status::Canceled, charged_ms: 200 };
    assert_eq!(
        write(asked, AttemptEvent::Interrupted { ran_ms: 200 }),
        Some(early),
        "the worker's shorter time counts"
    );
}

#[test]
fn timers_do_not_end_a_job_that_awaits_the_storage() {
    for why in [StopReason::RanTooLong, StopReason::CreditsUsedUp] {
        let early = next(&run(Status::Running), stop(why)).expect("legal").run;
        for before in [run(Status::Running), early] {
            let kept = next(&before, AttemptEvent::AwaitingStorage { ran_ms: 600 }).expect("legal");
            assert!(!kept.stop_worker, "its outputs would be lost");
            let asked = next(&kept.run, stop(why)).expect("harmless");
            assert_eq!((asked.write, asked.stop_worker), (None, false));
            assert_eq!(write(asked.run, AttemptEvent::StopTimedOut { ran_ms: 90_000 }), None);
            let done = Write::End { status: Status::Done, charged_ms: 600 };
            assert_eq!(write(asked.run, AttemptEvent::Finished { ran_ms: 600 }), Some(done));
            let canceled = next(&asked.run, AttemptEvent::StopRequested { reason: StopReason::Canceled, ran_ms: 600 });
            let canceled = canceled.expect("legal");
            assert!(canceled.stop_worker, "the worker's connection would wait on");
            let ended = Write::End { status: Status::Canceled, charged_ms: 600 };
            assert_eq!(write(canceled.run, AttemptEvent::Interrupted { ran_ms: 600 }), Some(ended));
        }
    }
}

#[test]
fn canceled_job_does_not_wait_for_the_storage() {
    let asked = next(&run(Status::Running), stop(StopReason::Canceled)).expect("legal").run;
    assert!(next(&asked, AttemptEvent::AwaitingStorage { ran_ms: 600 }).expect("legal").stop_worker);
}

#[test]
fn early_stop_request_is_repeated_when_the_worker_has_accepted_the_prompt() {
    let asked = next(&run(Status::Connecting), stop(StopReason::Canceled)).expect("legal");
    assert!(next(&asked.run, AttemptEvent::Accepted).expect("legal").stop_worker);
}

#[test]
fn withdrawn_job_is_put_back_unless_it_was_stopped_or_runs() {
    for status in [Status::Connecting, Status::Connected] {
        assert_eq!(write(last(status), AttemptEvent::Withdrawn), Some(Write::PutBack), "no try is spent");
        let stopped = next(&run(status), stop(StopReason::Canceled)).expect("legal").run;
        let ended = Write::End { status: Status::Canceled, charged_ms: 0 };
        assert_eq!(write(stopped, AttemptEvent::Withdrawn), Some(ended));
    }
    assert!(next(&run(Status::Running), AttemptEvent::Withdrawn).is_err());
}

#[test]
fn canceled_job_is_not_requeued_when_its_worker_is_lost() {
    let asked = next(&run(Status::Running), stop(StopReason::Canceled)).expect("legal");
    assert_eq!(write(asked.run, AttemptEvent::Lost), Some(Write::End { status: Status::Canceled, charged_ms: 0 }));
}

fn event() -> impl Strategy<Value = AttemptEvent> {
    prop_oneof![
        Just(AttemptEvent::Accepted),
        Just(AttemptEvent::Started),
        (0_i64..5000).prop_map(|ran_ms| AttemptEvent::Finished { ran_ms }),
        Just(AttemptEvent::NothingDelivered),
        Just(AttemptEvent::Refused),
        Just(AttemptEvent::RefusedByWorker),
        (0_i64..5000).prop_map(|ran_ms| AttemptEvent::Raised { ran_ms }),
        (0_i64..5000).prop_map(|ran_ms| AttemptEvent::Interrupted { ran_ms }),
        Just(AttemptEvent::Unreachable),
        Just(AttemptEvent::ProtocolError),
        Just(AttemptEvent::Lost),
        Just(AttemptEvent::LostBeforeStart),
        Just(AttemptEvent::Silent),
        Just(AttemptEvent::Withdrawn),
        Just(AttemptEvent::AcceptTimedOut),
        Just(stop(StopReason::Canceled)),
        Just(stop(StopReason::RanTooLong)),
        Just(stop(StopReason::CreditsUsedUp)),
        Just(stop(StopReason::Operator)),
        (0_i64..5000).prop_map(|ran_ms| AttemptEvent::StopTimedOut { ran_ms }),
        (0_i64..5000).prop_map(|ran_ms| AttemptEvent::PromptDone { ran_ms }),
        (0_i64..5000).prop_map(|ran_ms| AttemptEvent::AwaitingStorage { ran_ms }),
    ]
}

#[test]
fn events_are_illegal_for_jobs_that_wait_or_have_ended() {
    let out_of_flight = Status::ALL.into_iter().filter(|status| !IN_FLIGHT.contains(status));
    for status in out_of_flight {
        for event in [
            AttemptEvent::Accepted,
            AttemptEvent::Started,
            AttemptEvent::Lost,
            AttemptEvent::Finished { ran_ms: 1 },
            AttemptEvent::Silent,
        ] {
            assert_eq!(next(&run(status), event), Err(IllegalTransition { status, event }));
        }
    }
}

proptest! {
    #[test]
    fn any_history_ends_a_job_at_most_once_and_only_charged_ends_cost(
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
                state = AttemptState { status: Status::Connecting, attempt: state.attempt + 1, ..outcome.run };
            } else if matches!(outcome.write, Some(Write::PutBack | Write::PutBackLater)) {
                prop_assert!(outcome.run.stopping.is_none());
                prop_assert!(state.status != Status::Running, "a running job was put back");
                let (attempt, attempts_allowed) = (state.attempt + 1, state.attempts_allowed + 1);
                let not_begun = state.not_begun + 1;
                state = AttemptState { status: Status::Connecting, attempt, attempts_allowed, not_begun, ..outcome.run };
            } else {
                state = outcome.run;
            }
        }
        prop_assert!(ended <= 1);
        prop_assert_eq!(ended == 1, state.status.is_terminal());
    }
}
