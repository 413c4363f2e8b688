//! Tests the decisions without a socket, a clock or an actor.

mod collecting;
mod posting;
mod prefetch;
mod reconnecting;
mod relay;

use std::sync::Arc;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Value, json};
use verdigraph_core::fleet::{AssignMode, ReportEvent, WorkerState};
use verdigraph_core::ids::JobId;

use super::ports::{Limits, Pace};
use super::state::{
    Action, CollectError, CollectPolicy, DesiredState, Event, LocateFailure, Phase, PromptLocation, State, WorkEvent,
    in_order, merge, next,
};
use crate::comfy::{HistoryEntry, PostAnswer, PromptEnd, ServerMessage};

const PROMPT: &str = "3b1f8d6e-0000-4000-8000-000000000001";
const SERIAL: u64 = 1;

impl From<WorkEvent> for Event {
    fn from(event: WorkEvent) -> Self {
        Self::Work { serial: SERIAL, event }
    }
}

/// A connection state without an actor. `now` moves only when a test says so.
struct TestConnection {
    state: State,
    now: Instant,
    job: JobId,
    actions: Vec<Action>,
}

impl TestConnection {
    fn new() -> Self {
        let now = Instant::now();
        let state = State::new(DesiredState::Work, Pace::default(), Limits::default(), now);
        Self { state, now, job: JobId::new(), actions: Vec::new() }
    }

    fn idle() -> Self {
        let mut connection = Self::new();
        connection.apply(Event::Tick);
        connection.apply(Event::Connected { probed: true });
        connection
    }

    fn running() -> Self {
        let mut connection = Self::idle();
        connection.assign();
        connection.apply(WorkEvent::Posted(PostAnswer::Queued { prompt_id: PROMPT.into(), node_errors: json!({}) }));
        connection.apply(message(ServerMessage::ExecutionStart { prompt_id: PROMPT.into(), timestamp: Some(1_000) }));
        connection
    }

    fn assign(&mut self) {
        self.assign_job(SERIAL, self.job, PROMPT, AssignMode::Post);
    }

    /// Assigns the first attempt of a job without uploads.
    fn assign_job(&mut self, serial: u64, job: JobId, prompt_id: &str, begin: AssignMode) {
        self.apply(Event::Assign {
            serial,
            job,
            attempt: 1,
            prompt_id: prompt_id.to_owned(),
            uploads: false,
            node_order: Arc::default(),
            relays: false,
            begin,
        });
    }

    /// Applies an event and returns the resulting actions.
    fn apply(&mut self, event: impl Into<Event>) -> &[Action] {
        let outcome = next(&self.state, event.into(), self.now);
        self.state = outcome.state;
        self.actions = outcome.actions;
        &self.actions
    }

    fn after(&mut self, passed: Duration) -> &[Action] {
        self.now += passed;
        self.apply(Event::Tick)
    }

    fn last_report(&self) -> Option<&ReportEvent> {
        self.actions.iter().find_map(|action| match action {
            Action::Report { event, .. } if event.is_last() => Some(event),
            _ => None,
        })
    }

    fn does(&self, wanted: impl Fn(&Action) -> bool) -> bool {
        self.actions.iter().any(wanted)
    }
}

fn message(message: ServerMessage) -> Event {
    Event::Message(message)
}

fn success(timestamp: i64) -> Event {
    message(ServerMessage::ExecutionSuccess { prompt_id: PROMPT.into(), timestamp: Some(timestamp) })
}

fn ended(end: PromptEnd, started_ms: Option<i64>, ended_ms: Option<i64>) -> WorkEvent {
    WorkEvent::Located(PromptLocation::Ended(Box::new(HistoryEntry {
        end,
        outputs: Vec::new(),
        display_nodes: Vec::new(),
        started_ms,
        ended_ms,
    })))
}

fn ran_ms(connection: &TestConnection) -> u64 {
    match connection.last_report() {
        Some(ReportEvent::Finished { ran_ms, .. }) => *ran_ms,
        other => panic!("{other:?}"),
    }
}

#[test]
fn running_time_is_measured_by_the_worker_if_plausible() {
    let mut connection = TestConnection::running();
    connection.now += Duration::from_secs(2);
    connection.apply(success(3_500));
    connection.apply(ended(PromptEnd::Success, Some(1_000), Some(3_500)));
    connection.apply(WorkEvent::Collected(Ok(Vec::new())));
    assert_eq!(ran_ms(&connection), 2_500);
}

#[test]
fn implausible_worker_clock_is_ignored() {
    for end in [900, 1_000_000_000] {
        let mut connection = TestConnection::running();
        connection.now += Duration::from_secs(2);
        connection.apply(success(end));
        // Waiting for history and files does not count as running.
        connection.now += Duration::from_secs(3);
        connection.apply(ended(PromptEnd::Success, Some(1_000), Some(end)));
        connection.apply(WorkEvent::Collected(Ok(Vec::new())));
        assert_eq!(ran_ms(&connection), 2_000, "an end at {end}");
    }
}

#[test]
fn history_is_read_once_it_is_complete() {
    let mut connection = TestConnection::running();
    connection.apply(success(2_000));
    let asks = |action: &Action| {
        !matches!(action, Action::Report { event: ReportEvent::PromptDone { .. }, .. } | Action::Announce)
    };
    assert!(!connection.does(asks), "the entry may not be there yet: {:?}", connection.actions);
    connection.apply(message(ServerMessage::Status { queue_remaining: Some(0) }));
    assert!(connection.does(|action| matches!(action, Action::Locate(SERIAL))));
    connection.apply(message(ServerMessage::Executing {
        prompt_id: Some(PROMPT.into()),
        node: None,
        display_node: None,
    }));
    assert!(connection.actions.is_empty(), "one question at a time");
}

#[test]
fn slow_history_is_awaited_and_missing_history_is_not() {
    let collects = |action: &Action| matches!(action, Action::Collect { .. });
    let mut connection = TestConnection::running();
    connection.apply(success(2_000));
    connection.apply(message(ServerMessage::Status { queue_remaining: Some(0) }));
    connection.after(Pace::default().grace * 2);
    assert!(!connection.does(collects), "what it showed is lost: {:?}", connection.actions);
    connection.apply(WorkEvent::Located(PromptLocation::TooLarge));
    assert!(connection.does(collects), "{:?}", connection.actions);

    let mut connection = TestConnection::running();
    connection.apply(success(2_000));
    connection.apply(WorkEvent::Located(PromptLocation::Unknown(LocateFailure::Unresponsive)));
    connection.after(Pace::default().grace);
    assert!(connection.does(collects), "{:?}", connection.actions);
}

#[test]
fn cleared_history_is_replaced_by_messages() {
    let mut connection = TestConnection::running();
    let output = json!({"text": ["said"]});
    connection.apply(message(ServerMessage::Executed {
        prompt_id: PROMPT.into(),
        node: "2".into(),
        display_node: None,
        output,
    }));
    connection.apply(success(2_000));
    connection.apply(WorkEvent::Located(PromptLocation::Absent));
    assert!(
        connection.does(|action| matches!(action, Action::Collect { outputs, policy: CollectPolicy::Required, .. } if outputs.len() == 1))
    );
}

#[test]
fn other_clients_prompts_are_ignored() {
    let mut connection = TestConnection::running();
    let id = || "3b1f8d6e-0000-4000-8000-000000000002".to_owned();
    for foreign in [
        ServerMessage::ExecutionSuccess { prompt_id: id(), timestamp: None },
        ServerMessage::ExecutionError { prompt_id: id(), exception: Value::Null, timestamp: None },
        ServerMessage::ExecutionInterrupted { prompt_id: id(), timestamp: None },
        ServerMessage::Executing { prompt_id: Some(id()), node: None, display_node: None },
        ServerMessage::Executed { prompt_id: id(), node: "1".into(), display_node: None, output: Value::Null },
        ServerMessage::Status { queue_remaining: Some(3) },
        ServerMessage::Text { node: "1".into(), text: "x".into() },
    ] {
        connection.apply(message(foreign.clone()));
        assert!(connection.actions.is_empty(), "{foreign:?} led to {:?}", connection.actions);
    }
    assert_eq!(connection.state.current().map(|work| &work.phase), Some(&Phase::Running));
}

#[test]
fn prompt_is_lost_if_worker_is_gone_for_too_long() {
    let cases = [(LocateFailure::Refused, 20), (LocateFailure::Unresponsive, 120), (LocateFailure::Unreachable, 150)];
    for (why, seconds) in cases {
        let mut connection = TestConnection::running();
        connection.apply(Event::SocketClosed { reason: "reset".into(), jitter: 0.0 });
        connection.apply(WorkEvent::Located(PromptLocation::Unknown(why)));
        connection.after(Duration::from_secs(seconds - 1));
        assert!(connection.last_report().is_none(), "{why:?}");
        connection.after(Duration::from_secs(1));
        assert!(matches!(connection.last_report(), Some(ReportEvent::Lost { reason }) if reason == "reset"), "{why:?}");
        assert_eq!(connection.state.orphans, [PROMPT], "it may still run and is stopped when the worker is back");
    }
}

#[test]
fn prompt_behind_an_agent_waits_for_the_agent() {
    let mut connection = TestConnection::running();
    connection.apply(Event::Tunnel { is_down: true });
    connection.apply(Event::SocketClosed { reason: "reset".into(), jitter: 0.0 });
    connection.apply(WorkEvent::Located(PromptLocation::Unknown(LocateFailure::Unresponsive)));
    connection.after(Duration::from_secs(149));
    assert!(connection.last_report().is_none());
    connection.apply(Event::ConnectFailed { reason: "refused".into(), jitter: 1.0 });
    connection.apply(Event::Tunnel { is_down: false });
    assert!(connection.does(|action| matches!(action, Action::Connect { fresh: false })), "{:?}", connection.actions);
    connection.apply(Event::Connected { probed: true });
    connection.apply(ended(PromptEnd::Success, Some(1_000), Some(2_000)));
    connection.apply(WorkEvent::Collected(Ok(Vec::new())));
    assert!(matches!(connection.last_report(), Some(ReportEvent::Finished { .. })), "{:?}", connection.actions);
}

#[test]
fn abandoned_prompt_is_stopped_when_worker_returns() {
    let mut connection = TestConnection::running();
    connection.apply(Event::SocketClosed { reason: "reset".into(), jitter: 0.0 });
    connection.apply(WorkEvent::Located(PromptLocation::Unknown(LocateFailure::Refused)));
    connection.after(Duration::from_secs(20));

    connection.after(Duration::from_secs(60));
    connection.apply(Event::Connected { probed: true });
    assert!(connection.does(|action| matches!(action, Action::Discard(ids) if ids == &[PROMPT])));
}

#[test]
fn answer_in_time_restarts_the_deadline() {
    let mut connection = TestConnection::running();
    connection.apply(Event::SocketClosed { reason: "reset".into(), jitter: 0.0 });
    for _ in 0..10 {
        connection.apply(WorkEvent::Located(PromptLocation::Unknown(LocateFailure::Refused)));
        connection.after(Duration::from_secs(15));
        assert!(connection.last_report().is_none());
        connection.apply(WorkEvent::Located(PromptLocation::Running));
    }
}

#[test]
fn silent_prompt_is_awaited_while_the_queue_lists_it() {
    let mut connection = TestConnection::running();
    for _ in 0..100 {
        connection.after(Duration::from_secs(30));
        connection.apply(WorkEvent::Located(PromptLocation::Running));
        assert!(connection.state.current().is_some(), "a node of {:?} is no fault", Duration::from_secs(3000));
    }
    connection.after(Duration::from_secs(601));
    assert!(matches!(connection.last_report(), Some(ReportEvent::Silent { .. })));
}

#[test]
fn removed_worker_ignores_events() {
    let mut connection = TestConnection::running();
    connection.apply(Event::DesiredState(DesiredState::Gone));
    assert!(matches!(connection.last_report(), Some(ReportEvent::Lost { .. })));
    for event in [Event::Tick, Event::Connected { probed: true }, success(1), Event::DesiredState(DesiredState::Work)] {
        assert!(connection.apply(event).is_empty());
        assert_eq!(connection.state.worker_state(), WorkerState::Gone);
    }
}

#[test]
fn outputs_are_in_prompt_order_and_history_overrides_messages() {
    let of = |node: &str, text: &str| (node.to_owned(), Arc::new(json!({"text": [text]})));
    let order = ["7", "3", "5"].map(str::to_owned);
    let merged = merge(&[of("5", "message"), of("3", "old")], vec![of("x", "new"), of("3", "history"), of("7", "h")]);
    let merged = in_order(merged, &order);
    assert_eq!(merged, [of("7", "h"), of("3", "history"), of("5", "message"), of("x", "new")]);
}

fn any_event() -> impl Strategy<Value = Event> {
    let jitter = 0.5;
    let reason = || "r".to_owned();
    let id = || PROMPT.to_owned();
    let events = vec![
        Event::Tick,
        Event::Connected { probed: true },
        Event::Connected { probed: false },
        Event::ConnectFailed { reason: reason(), jitter },
        Event::SocketClosed { reason: reason(), jitter },
        Event::Health { failure: Some(reason()), jitter },
        Event::Health { failure: None, jitter },
        WorkEvent::Uploaded.into(),
        WorkEvent::UploadFailed { reason: reason(), is_protocol_error: true }.into(),
        WorkEvent::UploadFailed { reason: reason(), is_protocol_error: false }.into(),
        WorkEvent::Posted(PostAnswer::Queued { prompt_id: id(), node_errors: json!({}) }).into(),
        WorkEvent::Posted(PostAnswer::Refused { validation: Value::Null }).into(),
        WorkEvent::Posted(PostAnswer::Unreachable { reason: reason() }).into(),
        WorkEvent::Posted(PostAnswer::ProtocolError { reason: reason() }).into(),
        WorkEvent::Posted(PostAnswer::Unknown { reason: reason() }).into(),
        WorkEvent::Posted(PostAnswer::Withheld).into(),
        Event::Malformed { reason: reason(), jitter },
        WorkEvent::Located(PromptLocation::Pending).into(),
        WorkEvent::Located(PromptLocation::Running).into(),
        WorkEvent::Located(PromptLocation::Absent).into(),
        WorkEvent::Located(PromptLocation::TooLarge).into(),
        WorkEvent::Located(PromptLocation::Unknown(LocateFailure::Refused)).into(),
        ended(PromptEnd::Success, Some(1), Some(2)).into(),
        ended(PromptEnd::Error(Value::Null), None, None).into(),
        ended(PromptEnd::Interrupted, Some(2), Some(1)).into(),
        WorkEvent::Collected(Ok(Vec::new())).into(),
        WorkEvent::Collected(Err(CollectError::WorkerGone(reason()))).into(),
        WorkEvent::Collected(Err(CollectError::Failed(reason()))).into(),
        WorkEvent::Collected(Err(CollectError::FileMissing(reason()))).into(),
        WorkEvent::TakenInPart { prompt_id: id(), validation: json!({}) }.into(),
        WorkEvent::InputsGone { prompt_id: id(), taken: Some(id()) }.into(),
        Event::DesiredState(DesiredState::Drain),
        Event::DesiredState(DesiredState::Pause),
        Event::DesiredState(DesiredState::Work),
        Event::Moved,
        message(ServerMessage::ExecutionStart { prompt_id: id(), timestamp: None }),
        message(ServerMessage::Executing { prompt_id: None, node: Some("1".into()), display_node: None }),
        message(ServerMessage::Executing { prompt_id: Some(id()), node: None, display_node: None }),
        message(ServerMessage::Executed { prompt_id: id(), node: "1".into(), display_node: None, output: Value::Null }),
        message(ServerMessage::Status { queue_remaining: None }),
        success(5),
        message(ServerMessage::ExecutionError { prompt_id: id(), exception: Value::Null, timestamp: None }),
        message(ServerMessage::ExecutionInterrupted { prompt_id: id(), timestamp: None }),
    ];
    prop::sample::select(events)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// For any events in any order, an assignment gets at most one last report and nothing after it, is accepted before
    /// it starts, and ends; and the worker can return to work.
    #[test]
    fn every_assignment_ends_exactly_once(
        uploads in any::<bool>(),
        stops in any::<bool>(),
        events in prop::collection::vec((any_event(), 0_u64..3000), 0..60),
    ) {
        let mut connection = TestConnection::idle();
        let job = connection.job;
        let mut reports: Vec<ReportEvent> = Vec::new();
        let mut note = |connection: &TestConnection| {
            for action in &connection.actions {
                if let Action::Report { event, .. } = action {
                    reports.push(event.clone());
                }
            }
        };
        connection.apply(Event::Assign { serial: SERIAL, job, attempt: 1, prompt_id: PROMPT.into(), uploads, node_order: Arc::default(), relays: false, begin: AssignMode::Post });
        note(&connection);
        if stops {
            connection.apply(Event::Stop { job, attempt: 1 });
            note(&connection);
        }
        for (event, millis) in events {
            connection.now += Duration::from_millis(millis);
            connection.apply(event);
            note(&connection);
        }
        // Tasks of phases without their own deadline always answer.
        for event in [WorkEvent::Uploaded, WorkEvent::Posted(PostAnswer::Unreachable { reason: "end".into() })] {
            connection.apply(event);
            note(&connection);
        }
        connection.apply(Event::SocketClosed { reason: "end".into(), jitter: 0.0 });
        note(&connection);
        for _ in 0..3 {
            connection.apply(WorkEvent::Located(PromptLocation::Unknown(LocateFailure::Unresponsive)));
            note(&connection);
            connection.after(Duration::from_secs(4000));
            note(&connection);
            connection.apply(WorkEvent::Collected(Ok(Vec::new())));
            note(&connection);
        }
        prop_assert!(connection.state.works.is_empty(), "still at it: {:?}", connection.state.works);
        let lasts = reports.iter().filter(|event| event.is_last()).count();
        prop_assert_eq!(lasts, 1, "{:?}", reports);
        prop_assert!(reports.last().is_some_and(ReportEvent::is_last), "{:?}", reports);
        let place = |wanted: fn(&ReportEvent) -> bool| reports.iter().position(wanted);
        if let Some(started) = place(|event| matches!(event, ReportEvent::Started)) {
            let accepted = place(|event| matches!(event, ReportEvent::Accepted));
            prop_assert!(accepted.is_some_and(|accepted| accepted < started), "{:?}", reports);
        }

        connection.apply(Event::DesiredState(DesiredState::Work));
        connection.after(Duration::from_secs(60));
        connection.apply(Event::Connected { probed: true });
        prop_assert_eq!(connection.state.worker_state(), WorkerState::Idle);
    }
}
