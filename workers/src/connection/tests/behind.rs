//! A prompt that is posted behind the one that runs.

use super::beside::{NEXT, NEXT_PROMPT};
use super::*;

impl Bench {
    /// One prompt runs and one waits behind it.
    fn with_one_behind() -> (Self, JobId) {
        let mut bench = Self::running();
        let next = bench.assign_behind();
        let taken = PostAnswer::Taken { prompt_id: NEXT_PROMPT.into(), node_errors: json!({}) };
        bench.apply(of_next(WorkEvent::Posted(taken)));
        (bench, next)
    }

    fn assign_behind(&mut self) -> JobId {
        let (job, prompt_id) = (JobId::new(), NEXT_PROMPT.to_owned());
        let (node_order, begin) = (Arc::default(), Begin::Behind);
        self.apply(Event::Assign { serial: NEXT, job, attempt: 1, prompt_id, uploads: false, node_order, begin });
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
fn a_prompt_is_posted_behind_one_that_runs_and_a_third_one_is_not() {
    let (mut bench, _) = Bench::with_one_behind();
    let third = JobId::new();
    let (node_order, begin) = (Arc::default(), Begin::Behind);
    bench.apply(Event::Assign {
        serial: 3,
        job: third,
        attempt: 1,
        prompt_id: "3".into(),
        uploads: false,
        node_order,
        begin,
    });
    assert!(matches!(bench.ends_of(third)[..], [ReportEvent::Withdrawn]), "{:?}", bench.actions);
    assert!(!bench.does(|action| matches!(action, Action::Post(_))));
    bench.apply(Event::Duty(Duty::Drain));
    let mut drained = Bench::running();
    drained.apply(Event::Duty(Duty::Drain));
    let late = drained.assign_behind();
    assert!(matches!(drained.ends_of(late)[..], [ReportEvent::Withdrawn]), "a worker that drains gets nothing");
}

#[test]
fn a_worker_goes_from_one_prompt_to_the_next_by_itself() {
    let (mut bench, next) = Bench::with_one_behind();
    bench.apply(success(2_000));
    assert_eq!(bench.state.shown(), WorkerState::Busy, "there is no gap in which it had nothing");
    bench.apply(begins_next());
    let started =
        |action: &Action| matches!(action, Action::Report { job, event: ReportEvent::Started, .. } if *job == next);
    assert!(bench.does(started), "{:?}", bench.actions);
    bench.apply(ended(End::Success, Some(1_000), Some(2_000)));
    bench.apply(WorkEvent::Collected(Ok(Vec::new())));
    assert!(matches!(bench.ends_of(bench.job)[..], [ReportEvent::Finished { .. }]));
}

#[test]
fn waiting_behind_another_prompt_is_no_silence() {
    let (mut bench, next) = Bench::with_one_behind();
    for _ in 0..200 {
        let step =
            ServerMessage::Executing { prompt_id: Some(PROMPT.into()), node: Some("1".into()), display_node: None };
        bench.apply(message(step));
        bench.after(Duration::from_secs(60));
        assert!(bench.ends_of(next).is_empty() && bench.ends_of(bench.job).is_empty(), "{:?}", bench.actions);
        bench.apply(WorkEvent::Located(Located::Running));
        bench.apply(of_next(WorkEvent::Located(Located::Pending)));
    }
}

#[test]
fn its_time_is_counted_from_its_own_begin() {
    let (mut bench, next) = Bench::with_one_behind();
    bench.now += Duration::from_secs(90);
    bench.apply(success(91_000));
    bench.apply(begins_next());
    bench.now += Duration::from_secs(2);
    bench.apply(message(ServerMessage::ExecutionSuccess { prompt_id: NEXT_PROMPT.into(), timestamp: None }));
    let over = bench.actions.iter().find_map(|action| match action {
        Action::Report { job, event: ReportEvent::Over { ran_ms }, .. } if *job == next => Some(*ran_ms),
        _ => None,
    });
    assert_eq!(over, Some(2_000));
}

#[test]
fn it_is_taken_back_while_it_waits_and_goes_on_where_it_has_begun() {
    let (mut bench, next) = Bench::with_one_behind();
    bench.apply(Event::Withdraw { job: next, attempt: 1 });
    assert!(bench.does(|action| matches!(action, Action::Withdraw(NEXT))), "{:?}", bench.actions);
    assert!(!bench.does(|action| matches!(action, Action::Cancel(_))), "the prompt that runs may be hit");
    bench.apply(of_next(WorkEvent::Located(Located::Absent)));
    assert!(matches!(bench.ends_of(next)[..], [ReportEvent::Withdrawn]), "{:?}", bench.actions);
    assert_eq!(bench.state.current().map(|work| work.serial), Some(SERIAL));

    let (mut bench, next) = Bench::with_one_behind();
    bench.apply(Event::Withdraw { job: next, attempt: 1 });
    bench.apply(success(2_000));
    bench.apply(begins_next());
    bench.apply(of_next(WorkEvent::Located(Located::Running)));
    bench.apply(Event::Withdraw { job: next, attempt: 1 });
    assert!(bench.ends_of(next).is_empty() && !bench.does(|action| matches!(action, Action::Withdraw(_))));
}

#[test]
fn what_is_to_be_taken_back_before_its_post_is_answered_is_taken_back_then() {
    let mut bench = Bench::running();
    let next = bench.assign_behind();
    bench.apply(Event::Withdraw { job: next, attempt: 1 });
    assert!(bench.ends_of(next).is_empty(), "it may be there by now");
    let taken = PostAnswer::Taken { prompt_id: NEXT_PROMPT.into(), node_errors: json!({}) };
    bench.apply(of_next(WorkEvent::Posted(taken)));
    assert!(bench.does(|action| matches!(action, Action::Withdraw(NEXT))), "{:?}", bench.actions);
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
            begin: Begin::Behind,
        },
        Event::Withdraw { job: JobId(uuid::Uuid::nil()), attempt: 1 },
        Event::Stop { job: JobId(uuid::Uuid::nil()), attempt: 1 },
        of_next(WorkEvent::Posted(PostAnswer::Taken { prompt_id: NEXT_PROMPT.into(), node_errors: json!({}) })),
        of_next(WorkEvent::Posted(PostAnswer::Unknown { reason: "r".into() })),
        of_next(WorkEvent::Located(Located::Pending)),
        of_next(WorkEvent::Located(Located::Running)),
        of_next(WorkEvent::Located(Located::Absent)),
        of_next(WorkEvent::Collected(Ok(Vec::new()))),
        begins_next(),
        message(ServerMessage::ExecutionSuccess { prompt_id: NEXT_PROMPT.into(), timestamp: None }),
    ];
    let any = prop_oneof![ours, prop::sample::select(next)];
    (any, 0_u64..3000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// Whatever happens to two prompts in whatever order: each gets at most one last report and nothing after it, none
    /// that has begun is taken back, and no more than two are at the worker.
    #[test]
    fn two_prompts_at_a_worker_end_once_each_and_none_that_runs_is_taken_back(
        events in prop::collection::vec(any_of_two(), 0..60),
    ) {
        let mut bench = Bench::idle();
        bench.assign();
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
            bench.now += Duration::from_millis(millis);
            bench.apply(event);
            for action in &bench.actions {
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
            let at_worker = bench.state.works.iter().filter(|work| !work.is_over()).count();
            prop_assert!(at_worker <= 2);
        }
    }
}

#[test]
fn a_prompt_that_waits_is_not_counted_as_run_when_its_worker_dies() {
    let (mut bench, next) = Bench::with_one_behind();
    bench.apply(Event::SocketClosed { reason: "reset".into(), jitter: 0.0 });
    bench.apply(Event::Connected { probed: true });
    bench.apply(WorkEvent::Located(Located::Absent));
    assert!(matches!(bench.ends_of(bench.job)[..], [ReportEvent::Lost { .. }]), "{:?}", bench.actions);
    bench.apply(of_next(WorkEvent::Located(Located::Absent)));
    assert!(matches!(bench.ends_of(next)[..], [ReportEvent::LostBeforeStart { .. }]), "{:?}", bench.actions);

    let (mut bench, next) = Bench::with_one_behind();
    bench.apply(success(2_000));
    bench.apply(Event::SocketClosed { reason: "reset".into(), jitter: 0.0 });
    bench.apply(of_next(WorkEvent::Located(Located::Absent)));
    let lost = bench.ends_of(next);
    assert!(matches!(lost[..], [ReportEvent::Lost { .. }]), "it was the next, and may have begun: {lost:?}");
}
