//! Ended prompts while the next ones run.

use super::*;

pub(super) const NEXT: u64 = 2;
pub(super) const NEXT_PROMPT: &str = "3b1f8d6e-0000-4000-8000-000000000009";

impl TestConnection {
    /// Makes a second assignment, which is posted at once.
    fn assign_next(&mut self) {
        self.assign_job(NEXT, JobId::new(), NEXT_PROMPT, AssignMode::Post);
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
fn worker_takes_next_prompt_while_outputs_are_fetched() {
    let mut connection = TestConnection::running();
    assert_eq!(connection.state.worker_state(), WorkerState::Busy);
    connection.apply(success(2_000));
    assert!(connection.does(|action| matches!(action, Action::Announce)));
    assert_eq!((connection.state.worker_state(), connection.state.over()), (WorkerState::Idle, vec![connection.job]));
    connection.assign_next();
    assert!(connection.does(|action| matches!(action, Action::Post(NEXT))), "{:?}", connection.actions);
    assert_eq!(connection.state.worker_state(), WorkerState::Busy);
    connection.apply(ended(PromptEnd::Success, Some(1_000), Some(2_000)));
    assert!(connection.does(|action| matches!(action, Action::Collect { serial: SERIAL, .. })));
    connection.apply(WorkEvent::Collected(Ok(Vec::new())));
    assert!(matches!(connection.ends_of(connection.job)[..], [ReportEvent::Finished { .. }]));
    assert_eq!(connection.state.current().map(|work| work.serial), Some(NEXT));
}

#[test]
fn ended_prompt_survives_a_lost_connection() {
    let limit = Limits::default().malformed;
    for collecting in [false, true] {
        let mut connection = TestConnection::running();
        connection.apply(success(2_000));
        if collecting {
            connection.apply(ended(PromptEnd::Success, Some(1_000), Some(2_000)));
        }
        connection.assign_next();
        for _ in 0..=limit {
            connection.apply(Event::Malformed { reason: "rubbish".into(), jitter: 0.0 });
            assert!(connection.ends_of(connection.job).is_empty(), "{:?}", connection.actions);
        }
        assert!(connection.state.current().is_none(), "the next one is broken");
        assert_eq!(connection.state.over(), [connection.job]);
        connection.after(Duration::from_secs(1));
        connection.apply(Event::Connected { probed: true });
        connection.apply(ended(PromptEnd::Success, Some(1_000), Some(2_000)));
        connection.apply(WorkEvent::Collected(Ok(Vec::new())));
        assert!(
            matches!(connection.ends_of(connection.job)[..], [ReportEvent::Finished { .. }]),
            "{:?}",
            connection.actions
        );
    }
}

#[test]
fn worker_faster_than_the_storage_waits() {
    let mut connection = TestConnection::idle();
    for serial in 1..=3 {
        assert_eq!(connection.state.worker_state(), WorkerState::Idle, "before prompt {serial}");
        connection.assign_job(serial, JobId::new(), &serial.to_string(), AssignMode::Post);
        let taken = PostAnswer::Queued { prompt_id: serial.to_string(), node_errors: json!({}) };
        connection.apply(Event::Work { serial, event: WorkEvent::Posted(taken) });
        let success = ServerMessage::ExecutionSuccess { prompt_id: serial.to_string(), timestamp: None };
        connection.apply(message(success));
    }
    assert_eq!((connection.state.worker_state(), connection.state.over().len()), (WorkerState::Busy, 3));
    for serial in [2, 1] {
        let located = PromptLocation::Ended(Box::new(HistoryEntry {
            display_nodes: Vec::new(),
            end: PromptEnd::Success,
            outputs: Vec::new(),
            started_ms: None,
            ended_ms: None,
        }));
        connection.apply(Event::Work { serial, event: WorkEvent::Located(located) });
        connection.apply(Event::Work { serial, event: WorkEvent::Collected(Ok(Vec::new())) });
        assert_eq!(connection.state.worker_state(), WorkerState::Idle);
    }
}
