//! Prompts that are posted behind a running one.

use super::collecting::{NEXT, NEXT_PROMPT};
use super::*;

impl TestConnection {
    /// One prompt runs and one waits behind it.
    fn with_prefetch() -> (Self, JobId) {
        let mut connection = Self::running();
        let next = connection.assign_prefetch();
        let taken = PostAnswer::Queued { prompt_id: NEXT_PROMPT.into(), node_errors: json!({}) };
        connection.apply(of_next(WorkEvent::Posted(taken)));
        (connection, next)
    }

    fn assign_prefetch(&mut self) -> JobId {
        let job = JobId::new();
        self.assign_job(NEXT, job, NEXT_PROMPT, AssignMode::Prefetch);
        job
    }
}

fn of_next(event: WorkEvent) -> Event {
    Event::Work { serial: NEXT, event }
}

fn begins_next() -> Event {
    message(ServerMessage::ExecutionStart { prompt_id: NEXT_PROMPT.into(), timestamp: None })
}

#[test]
fn second_prompt_is_posted_and_third_is_not() {
    let (mut connection, _) = TestConnection::with_prefetch();
    let third = JobId::new();
    connection.assign_job(3, third, "3", AssignMode::Prefetch);
    assert!(matches!(connection.ends_of(third)[..], [ReportEvent::Withdrawn]), "{:?}", connection.actions);
    assert!(!connection.does(|action| matches!(action, Action::Post(_))));
    connection.apply(Event::DesiredState(DesiredState::Drain));
    let mut drained = TestConnection::running();
    drained.apply(Event::DesiredState(DesiredState::Drain));
    let late = drained.assign_prefetch();
    assert!(matches!(drained.ends_of(late)[..], [ReportEvent::Withdrawn]), "a worker that drains gets nothing");
}

#[test]
fn worker_continues_with_the_next_prompt() {
    let (mut connection, next) = TestConnection::with_prefetch();
    connection.apply(success(2_000));
    assert_eq!(connection.state.worker_state(), WorkerState::Busy, "there is no gap in which it had nothing");
    connection.apply(begins_next());
    let started =
        |action: &Action| matches!(action, Action::Report { job, event: ReportEvent::Started, .. } if *job == next);
    assert!(connection.does(started), "{:?}", connection.actions);
    connection.apply(ended(PromptEnd::Success, Some(1_000), Some(2_000)));
    connection.apply(WorkEvent::Collected(Ok(Vec::new())));
    assert!(matches!(connection.ends_of(connection.job)[..], [ReportEvent::Finished { .. }]));
}

#[test]
fn waiting_prompt_does_not_count_as_silent() {
    let (mut connection, next) = TestConnection::with_prefetch();
    for _ in 0..200 {
        let step =
            ServerMessage::Executing { prompt_id: Some(PROMPT.into()), node: Some("1".into()), display_node: None };
        connection.apply(message(step));
        connection.after(Duration::from_secs(60));
        assert!(
            connection.ends_of(next).is_empty() && connection.ends_of(connection.job).is_empty(),
            "{:?}",
            connection.actions
        );
        connection.apply(WorkEvent::Located(PromptLocation::Running));
        connection.apply(of_next(WorkEvent::Located(PromptLocation::Pending)));
    }
}

#[test]
fn running_time_starts_at_the_prompts_own_start() {
    let (mut connection, next) = TestConnection::with_prefetch();
    connection.now += Duration::from_secs(90);
    connection.apply(success(91_000));
    connection.apply(begins_next());
    connection.now += Duration::from_secs(2);
    connection.apply(message(ServerMessage::ExecutionSuccess { prompt_id: NEXT_PROMPT.into(), timestamp: None }));
    let over = connection.actions.iter().find_map(|action| match action {
        Action::Report { job, event: ReportEvent::PromptDone { ran_ms }, .. } if *job == next => Some(*ran_ms),
        _ => None,
    });
    assert_eq!(over, Some(2_000));
}

#[test]
fn waiting_prompt_is_withdrawn_and_running_one_is_not() {
    let (mut connection, next) = TestConnection::with_prefetch();
    connection.apply(Event::Withdraw { job: next, attempt: 1 });
    assert!(connection.does(|action| matches!(action, Action::Withdraw(NEXT))), "{:?}", connection.actions);
    assert!(!connection.does(|action| matches!(action, Action::Cancel(_))), "the prompt that runs may be hit");
    connection.apply(of_next(WorkEvent::Located(PromptLocation::Absent)));
    assert!(matches!(connection.ends_of(next)[..], [ReportEvent::Withdrawn]), "{:?}", connection.actions);
    assert_eq!(connection.state.current().map(|work| work.serial), Some(SERIAL));

    let (mut connection, next) = TestConnection::with_prefetch();
    connection.apply(Event::Withdraw { job: next, attempt: 1 });
    connection.apply(success(2_000));
    connection.apply(begins_next());
    connection.apply(of_next(WorkEvent::Located(PromptLocation::Running)));
    connection.apply(Event::Withdraw { job: next, attempt: 1 });
    assert!(connection.ends_of(next).is_empty() && !connection.does(|action| matches!(action, Action::Withdraw(_))));
}

#[test]
fn withdrawal_before_the_answer_happens_after_it() {
    let mut connection = TestConnection::running();
    let next = connection.assign_prefetch();
    connection.apply(Event::Withdraw { job: next, attempt: 1 });
    assert!(connection.ends_of(next).is_empty(), "it may be there by now");
    let taken = PostAnswer::Queued { prompt_id: NEXT_PROMPT.into(), node_errors: json!({}) };
    connection.apply(of_next(WorkEvent::Posted(taken)));
    assert!(connection.does(|action| matches!(action, Action::Withdraw(NEXT))), "{:?}", connection.actions);
}

#[test]
fn repeated_withdrawal_deletes_the_prompt_once_and_again_if_it_still_waits() {
    let (mut connection, next) = TestConnection::with_prefetch();
    let withdraw = Event::Withdraw { job: next, attempt: 1 };
    connection.apply(withdraw.clone());
    assert!(connection.does(|action| matches!(action, Action::Withdraw(NEXT))), "{:?}", connection.actions);
    connection.apply(withdraw);
    assert!(!connection.does(|action| matches!(action, Action::Withdraw(_))), "it is under way");
    connection.apply(of_next(WorkEvent::Located(PromptLocation::Pending)));
    connection.after(Pace::default().poll_every);
    assert!(connection.does(|action| matches!(action, Action::Withdraw(NEXT))), "{:?}", connection.actions);
}

#[test]
fn repeated_stop_interrupts_the_prompt_once_and_again_if_it_still_runs() {
    let (mut connection, _) = TestConnection::with_prefetch();
    let stop = Event::Stop { job: connection.job, attempt: 1 };
    connection.apply(stop.clone());
    assert!(connection.does(|action| matches!(action, Action::Cancel(SERIAL))), "{:?}", connection.actions);
    connection.apply(stop);
    assert!(!connection.does(|action| matches!(action, Action::Cancel(_))), "the next prompt may run by now");
    connection.apply(WorkEvent::Located(PromptLocation::Running));
    connection.after(Pace::default().poll_every);
    assert!(connection.does(|action| matches!(action, Action::Cancel(SERIAL))), "{:?}", connection.actions);
}

fn any_of_two() -> impl Strategy<Value = (Event, u64)> {
    let ours = any_event();
    let next = vec![
        Event::Assign {
            serial: NEXT,
            job: JobId(uuid::Uuid::nil()),
            attempt: 1,
            prompt_id: NEXT_PROMPT.into(),
            uploads: false,
            node_order: Arc::default(),
            relays: false,
            begin: AssignMode::Prefetch,
        },
        Event::Withdraw { job: JobId(uuid::Uuid::nil()), attempt: 1 },
        Event::Stop { job: JobId(uuid::Uuid::nil()), attempt: 1 },
        of_next(WorkEvent::Posted(PostAnswer::Queued { prompt_id: NEXT_PROMPT.into(), node_errors: json!({}) })),
        of_next(WorkEvent::Posted(PostAnswer::Unknown { reason: "r".into() })),
        of_next(WorkEvent::Located(PromptLocation::Pending)),
        of_next(WorkEvent::Located(PromptLocation::Running)),
        of_next(WorkEvent::Located(PromptLocation::Absent)),
        of_next(WorkEvent::Collected(Ok(Vec::new()))),
        begins_next(),
        message(ServerMessage::ExecutionSuccess { prompt_id: NEXT_PROMPT.into(), timestamp: None }),
    ];
    let any = prop_oneof![ours, prop::sample::select(next)];
    (any, 0_u64..3000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// For any events of two prompts in any order: each gets at most one last report and nothing after it, none that
    /// started is withdrawn, and at most two are at the worker.
    #[test]
    fn two_prompts_end_once_each_and_running_ones_are_not_withdrawn(
        events in prop::collection::vec(any_of_two(), 0..60),
    ) {
        let mut connection = TestConnection::idle();
        connection.assign();
        let mut began = std::collections::HashSet::new();
        let mut open: std::collections::HashSet<u64> = [SERIAL].into();
        let mut used = false;
        for (event, millis) in events {
            if let Event::Assign { serial, .. } = &event {
                if std::mem::replace(&mut used, true) {
                    continue;
                }
                open.insert(*serial);
            }
            connection.now += Duration::from_millis(millis);
            connection.apply(event);
            for action in &connection.actions {
                let Action::Report { serial, event, .. } = action else { continue };
                prop_assert!(open.contains(serial), "a report after the last one: {event:?}");
                match event {
                    ReportEvent::Started => prop_assert!(began.insert(*serial), "begun twice"),
                    ReportEvent::Withdrawn => prop_assert!(!began.contains(serial), "it runs"),
                    _ => {}
                }
                if event.is_last() {
                    open.remove(serial);
                }
            }
            let at_worker = connection.state.works.iter().filter(|work| !work.has_ended()).count();
            prop_assert!(at_worker <= 2);
        }
    }
}

#[test]
fn waiting_prompt_counts_as_not_started_when_worker_dies() {
    let (mut connection, next) = TestConnection::with_prefetch();
    connection.apply(Event::SocketClosed { reason: "reset".into(), jitter: 0.0 });
    connection.apply(Event::Connected { probed: true });
    connection.apply(WorkEvent::Located(PromptLocation::Absent));
    assert!(matches!(connection.ends_of(connection.job)[..], [ReportEvent::Lost { .. }]), "{:?}", connection.actions);
    connection.apply(of_next(WorkEvent::Located(PromptLocation::Absent)));
    assert!(matches!(connection.ends_of(next)[..], [ReportEvent::LostBeforeStart { .. }]), "{:?}", connection.actions);

    let (mut connection, next) = TestConnection::with_prefetch();
    connection.apply(success(2_000));
    connection.apply(Event::SocketClosed { reason: "reset".into(), jitter: 0.0 });
    connection.apply(of_next(WorkEvent::Located(PromptLocation::Absent)));
    let lost = connection.ends_of(next);
    assert!(matches!(lost[..], [ReportEvent::Lost { .. }]), "it was the next, and may have begun: {lost:?}");
}
