//! Prompts that are over, beside those that follow them.

use super::*;

pub(super) const NEXT: u64 = 2;
pub(super) const NEXT_PROMPT: &str = "3b1f8d6e-0000-4000-8000-000000000009";

impl Bench {
    /// Another assignment, which is posted at once.
    fn assign_next(&mut self) {
        let (job, prompt_id) = (JobId::new(), NEXT_PROMPT.to_owned());
        let (node_order, begin) = (Arc::default(), Begin::Post);
        self.apply(Event::Assign { serial: NEXT, job, attempt: 1, prompt_id, uploads: false, node_order, begin });
    }

    pub(super) fn ends_of(&self, job: JobId) -> Vec<&ReportEvent> {
        let reports = self.actions.iter().filter_map(|action| match action {
            Action::Report { job: of, event, .. } if *of == job && event.is_last() => Some(event),
            _ => None,
        });
        reports.collect()
    }
}

#[test]
fn a_worker_whose_prompt_has_ended_takes_the_next_one_while_the_outputs_are_fetched() {
    let mut bench = Bench::running();
    assert_eq!(bench.state.shown(), WorkerState::Busy);
    bench.apply(success(2_000));
    assert!(bench.does(|action| matches!(action, Action::Announce)));
    assert_eq!((bench.state.shown(), bench.state.over()), (WorkerState::Idle, vec![bench.job]));
    bench.assign_next();
    assert!(bench.does(|action| matches!(action, Action::Post(NEXT))), "{:?}", bench.actions);
    assert_eq!(bench.state.shown(), WorkerState::Busy);
    bench.apply(ended(End::Success, Some(1_000), Some(2_000)));
    assert!(bench.does(|action| matches!(action, Action::Collect { serial: SERIAL, .. })));
    bench.apply(WorkEvent::Collected(Ok(Vec::new())));
    assert!(matches!(bench.ends_of(bench.job)[..], [ReportEvent::Finished { .. }]));
    assert_eq!(bench.state.current().map(|work| work.serial), Some(NEXT));
}

#[test]
fn what_takes_the_connection_down_does_not_touch_a_prompt_that_is_over() {
    let limit = Limits::default().malformed;
    for collecting in [false, true] {
        let mut bench = Bench::running();
        bench.apply(success(2_000));
        if collecting {
            bench.apply(ended(End::Success, Some(1_000), Some(2_000)));
        }
        bench.assign_next();
        for _ in 0..=limit {
            bench.apply(Event::Malformed { reason: "rubbish".into(), jitter: 0.0 });
            assert!(bench.ends_of(bench.job).is_empty(), "{:?}", bench.actions);
        }
        assert!(bench.state.current().is_none(), "the next one is broken");
        assert_eq!(bench.state.over(), [bench.job]);
        bench.after(Duration::from_secs(1));
        bench.apply(Event::Connected { probed: true });
        bench.apply(ended(End::Success, Some(1_000), Some(2_000)));
        bench.apply(WorkEvent::Collected(Ok(Vec::new())));
        assert!(matches!(bench.ends_of(bench.job)[..], [ReportEvent::Finished { .. }]), "{:?}", bench.actions);
    }
}

#[test]
fn a_worker_that_is_faster_than_the_storage_waits_for_it() {
    let mut bench = Bench::idle();
    for serial in 1..=3 {
        assert_eq!(bench.state.shown(), WorkerState::Idle, "before prompt {serial}");
        let (job, prompt_id) = (JobId::new(), serial.to_string());
        let (node_order, begin) = (Arc::default(), Begin::Post);
        bench.apply(Event::Assign { serial, job, attempt: 1, prompt_id, uploads: false, node_order, begin });
        let taken = PostAnswer::Taken { prompt_id: serial.to_string(), node_errors: json!({}) };
        bench.apply(Event::Work { serial, event: WorkEvent::Posted(taken) });
        let success = ServerMessage::ExecutionSuccess { prompt_id: serial.to_string(), timestamp: None };
        bench.apply(message(success));
    }
    assert_eq!((bench.state.shown(), bench.state.over().len()), (WorkerState::Busy, 3));
    for serial in [2, 1] {
        let located = Located::Ended(Box::new(Ended {
            display_nodes: Vec::new(),
            end: End::Success,
            outputs: Vec::new(),
            started_ms: None,
            ended_ms: None,
        }));
        bench.apply(Event::Work { serial, event: WorkEvent::Located(located) });
        bench.apply(Event::Work { serial, event: WorkEvent::Collected(Ok(Vec::new())) });
        assert_eq!(bench.state.shown(), WorkerState::Idle);
    }
}
