//! The decisions without a socket, a clock or an actor.

mod behind;
mod beside;

use std::sync::Arc;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Value, json};
use verdigraph_core::fleet::{Begin, ReportEvent, WorkerState};
use verdigraph_core::ids::JobId;

use super::ports::{Limits, Pace};
use super::state::{
    Action, CollectError, Duty, Event, Link, Located, Need, Phase, State, Unanswered, WorkEvent, in_order, merge, next,
};
use crate::comfy::{End, Ended, NodeStep, PostAnswer, ServerMessage};

const PROMPT: &str = "3b1f8d6e-0000-4000-8000-000000000001";

/// The number of the assignment.
const SERIAL: u64 = 1;

impl From<WorkEvent> for Event {
    fn from(event: WorkEvent) -> Self {
        Self::Work { serial: SERIAL, event }
    }
}

/// A connection whose decisions are carried out by nobody; `now` moves only when told.
struct Bench {
    state: State,
    now: Instant,
    job: JobId,
    actions: Vec<Action>,
}

impl Bench {
    fn new() -> Self {
        let now = Instant::now();
        let state = State::new(Duty::Work, Pace::default(), Limits::default(), now);
        Self { state, now, job: JobId::new(), actions: Vec::new() }
    }

    fn idle() -> Self {
        let mut bench = Self::new();
        bench.apply(Event::Tick);
        bench.apply(Event::Connected { probed: true });
        bench
    }

    fn running() -> Self {
        let mut bench = Self::idle();
        bench.assign();
        bench.apply(WorkEvent::Posted(PostAnswer::Taken { prompt_id: PROMPT.into(), node_errors: json!({}) }));
        bench.apply(message(ServerMessage::ExecutionStart { prompt_id: PROMPT.into(), timestamp: Some(1_000) }));
        bench
    }

    fn assign(&mut self) {
        let (job, prompt_id) = (self.job, PROMPT.to_owned());
        self.apply(Event::Assign {
            serial: SERIAL,
            job,
            attempt: 1,
            prompt_id,
            uploads: false,
            node_order: Arc::default(),
            begin: Begin::Post,
        });
    }

    /// Decides, and returns what is to be done.
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

fn ended(end: End, started_ms: Option<i64>, ended_ms: Option<i64>) -> WorkEvent {
    WorkEvent::Located(Located::Ended(Box::new(Ended {
        end,
        outputs: Vec::new(),
        display_nodes: Vec::new(),
        started_ms,
        ended_ms,
    })))
}

fn ran_ms(bench: &Bench) -> u64 {
    match bench.last_report() {
        Some(ReportEvent::Finished { ran_ms, .. }) => *ran_ms,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_running_time_is_the_workers_own_where_it_can_be_true() {
    let mut bench = Bench::running();
    bench.now += Duration::from_secs(2);
    bench.apply(success(3_500));
    bench.apply(ended(End::Success, Some(1_000), Some(3_500)));
    bench.apply(WorkEvent::Collected(Ok(Vec::new())));
    assert_eq!(ran_ms(&bench), 2_500);
}

#[test]
fn a_worker_whose_clock_is_wrong_charges_nobody_for_it() {
    for end in [900, 1_000_000_000] {
        let mut bench = Bench::running();
        bench.now += Duration::from_secs(2);
        bench.apply(success(end));
        // Waiting for history and files is not running.
        bench.now += Duration::from_secs(3);
        bench.apply(ended(End::Success, Some(1_000), Some(end)));
        bench.apply(WorkEvent::Collected(Ok(Vec::new())));
        assert_eq!(ran_ms(&bench), 2_000, "an end at {end}");
    }
}

#[test]
fn history_is_asked_once_the_server_says_that_it_is_complete() {
    let mut bench = Bench::running();
    bench.apply(success(2_000));
    let asks =
        |action: &Action| !matches!(action, Action::Report { event: ReportEvent::Over { .. }, .. } | Action::Announce);
    assert!(!bench.does(asks), "the entry may not be there yet: {:?}", bench.actions);
    bench.apply(message(ServerMessage::Status { queue_remaining: Some(0) }));
    assert!(bench.does(|action| matches!(action, Action::Locate(SERIAL))));
    bench.apply(message(ServerMessage::Executing { prompt_id: Some(PROMPT.into()), node: None, display_node: None }));
    assert!(bench.actions.is_empty(), "one question at a time");
}

#[test]
fn a_history_that_takes_long_is_waited_for_and_one_that_does_not_come_is_not() {
    let collects = |action: &Action| matches!(action, Action::Collect { .. });
    let mut bench = Bench::running();
    bench.apply(success(2_000));
    bench.apply(message(ServerMessage::Status { queue_remaining: Some(0) }));
    bench.after(Pace::default().grace * 2);
    assert!(!bench.does(collects), "what it showed is lost: {:?}", bench.actions);
    bench.apply(WorkEvent::Located(Located::TooLarge));
    assert!(bench.does(collects), "{:?}", bench.actions);

    let mut bench = Bench::running();
    bench.apply(success(2_000));
    bench.apply(WorkEvent::Located(Located::Unanswered(Unanswered::Mute)));
    bench.after(Pace::default().grace);
    assert!(bench.does(collects), "{:?}", bench.actions);
}

#[test]
fn an_end_whose_history_was_cleared_is_taken_from_the_messages() {
    let mut bench = Bench::running();
    let output = json!({"text": ["said"]});
    bench.apply(message(ServerMessage::Executed {
        prompt_id: PROMPT.into(),
        node: "2".into(),
        display_node: None,
        output,
    }));
    bench.apply(success(2_000));
    bench.apply(WorkEvent::Located(Located::Absent));
    assert!(
        bench.does(|action| matches!(action, Action::Collect { outputs, need: Need::All, .. } if outputs.len() == 1))
    );
}

#[test]
fn a_step_told_twice_is_reported_once() {
    let mut bench = Bench::running();
    let step = |value| NodeStep { node: "3".into(), display_node: None, value, max: 20.0, finished: false };
    let progress =
        |value| ServerMessage::Progress { prompt_id: Some(PROMPT.into()), node: Some("3".into()), value, max: 20.0 };
    bench.apply(message(progress(4.0)));
    assert_eq!(bench.actions.len(), 1);
    bench.apply(message(ServerMessage::ProgressState { prompt_id: PROMPT.into(), nodes: vec![step(4.0)] }));
    assert!(bench.actions.is_empty());
    bench.apply(message(ServerMessage::ProgressState { prompt_id: PROMPT.into(), nodes: vec![step(5.0)] }));
    assert_eq!(bench.actions.len(), 1);
}

#[test]
fn other_peoples_prompts_change_nothing() {
    let mut bench = Bench::running();
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
        bench.apply(message(foreign.clone()));
        assert!(bench.actions.is_empty(), "{foreign:?} led to {:?}", bench.actions);
    }
    assert_eq!(bench.state.current().map(|work| &work.phase), Some(&Phase::Running));
}

#[test]
fn a_cut_link_waits_longer_each_time_and_never_beyond_its_maximum() {
    let mut bench = Bench::new();
    let mut waits = Vec::new();
    for _ in 0..12 {
        bench.now += Pace::default().backoff_max;
        bench.apply(Event::Tick);
        bench.apply(Event::ConnectFailed { reason: "refused".into(), jitter: 1.0 });
        let Link::Waiting { until, .. } = bench.state.link else { panic!("{:?}", bench.state.link) };
        waits.push(until - bench.now);
    }
    assert_eq!(waits[..3], [500, 1000, 2000].map(Duration::from_millis));
    assert_eq!(waits.last(), Some(&Pace::default().backoff_max));
}

#[test]
fn a_prompt_is_lost_when_its_workers_process_or_the_way_to_it_is_gone_for_too_long() {
    let cases = [(Unanswered::Refused, 20), (Unanswered::Mute, 120), (Unanswered::Unreachable, 150)];
    for (why, seconds) in cases {
        let mut bench = Bench::running();
        bench.apply(Event::SocketClosed { reason: "reset".into(), jitter: 0.0 });
        bench.apply(WorkEvent::Located(Located::Unanswered(why)));
        bench.after(Duration::from_secs(seconds - 1));
        assert!(bench.last_report().is_none(), "{why:?}");
        bench.after(Duration::from_secs(1));
        assert!(matches!(bench.last_report(), Some(ReportEvent::Lost { reason }) if reason == "reset"), "{why:?}");
        assert_eq!(bench.state.orphans, [PROMPT], "it may still run and is stopped when the worker is back");
    }
}

#[test]
fn a_prompt_of_an_agents_worker_is_waited_for_while_the_agent_is_away() {
    let mut bench = Bench::running();
    bench.apply(Event::Way { is_cut: true });
    bench.apply(Event::SocketClosed { reason: "reset".into(), jitter: 0.0 });
    bench.apply(WorkEvent::Located(Located::Unanswered(Unanswered::Mute)));
    bench.after(Duration::from_secs(149));
    assert!(bench.last_report().is_none());
    bench.apply(Event::ConnectFailed { reason: "refused".into(), jitter: 1.0 });
    bench.apply(Event::Way { is_cut: false });
    assert!(bench.does(|action| matches!(action, Action::Connect { fresh: false })), "{:?}", bench.actions);
    bench.apply(Event::Connected { probed: true });
    bench.apply(ended(End::Success, Some(1_000), Some(2_000)));
    bench.apply(WorkEvent::Collected(Ok(Vec::new())));
    assert!(matches!(bench.last_report(), Some(ReportEvent::Finished { .. })), "{:?}", bench.actions);
}

#[test]
fn a_prompt_that_was_given_up_is_stopped_when_its_worker_is_back() {
    let mut bench = Bench::running();
    bench.apply(Event::SocketClosed { reason: "reset".into(), jitter: 0.0 });
    bench.apply(WorkEvent::Located(Located::Unanswered(Unanswered::Refused)));
    bench.after(Duration::from_secs(20));

    bench.after(Duration::from_secs(60));
    bench.apply(Event::Connected { probed: true });
    assert!(bench.does(|action| matches!(action, Action::Discard(ids) if ids == &[PROMPT])));
}

#[test]
fn an_answer_within_the_time_starts_it_again() {
    let mut bench = Bench::running();
    bench.apply(Event::SocketClosed { reason: "reset".into(), jitter: 0.0 });
    for _ in 0..10 {
        bench.apply(WorkEvent::Located(Located::Unanswered(Unanswered::Refused)));
        bench.after(Duration::from_secs(15));
        assert!(bench.last_report().is_none());
        bench.apply(WorkEvent::Located(Located::Running));
    }
}

#[test]
fn a_long_node_is_waited_for_as_long_as_the_queue_says_that_it_runs() {
    let mut bench = Bench::running();
    for _ in 0..100 {
        bench.after(Duration::from_secs(30));
        bench.apply(WorkEvent::Located(Located::Running));
        assert!(bench.state.current().is_some(), "a node of {:?} is no fault", Duration::from_secs(3000));
    }
    bench.after(Duration::from_secs(601));
    assert!(matches!(bench.last_report(), Some(ReportEvent::Silent { .. })));
}

#[test]
fn a_removed_worker_hears_nothing_more() {
    let mut bench = Bench::running();
    bench.apply(Event::Duty(Duty::Gone));
    assert!(matches!(bench.last_report(), Some(ReportEvent::Lost { .. })));
    for event in [Event::Tick, Event::Connected { probed: true }, success(1), Event::Duty(Duty::Work)] {
        assert!(bench.apply(event).is_empty());
        assert_eq!(bench.state.shown(), WorkerState::Gone);
    }
}

#[test]
fn outputs_stand_in_the_order_of_the_prompt_and_history_overrules_messages() {
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
        WorkEvent::UploadFailed { reason: reason(), broke: true }.into(),
        WorkEvent::UploadFailed { reason: reason(), broke: false }.into(),
        WorkEvent::Posted(PostAnswer::Taken { prompt_id: id(), node_errors: json!({}) }).into(),
        WorkEvent::Posted(PostAnswer::Refused { validation: Value::Null }).into(),
        WorkEvent::Posted(PostAnswer::Unreachable { reason: reason() }).into(),
        WorkEvent::Posted(PostAnswer::Broke { reason: reason() }).into(),
        WorkEvent::Posted(PostAnswer::Unknown { reason: reason() }).into(),
        Event::Malformed { reason: reason(), jitter },
        WorkEvent::Located(Located::Pending).into(),
        WorkEvent::Located(Located::Running).into(),
        WorkEvent::Located(Located::Absent).into(),
        WorkEvent::Located(Located::TooLarge).into(),
        WorkEvent::Located(Located::Unanswered(Unanswered::Refused)).into(),
        ended(End::Success, Some(1), Some(2)).into(),
        ended(End::Error(Value::Null), None, None).into(),
        ended(End::Interrupted, Some(2), Some(1)).into(),
        WorkEvent::Collected(Ok(Vec::new())).into(),
        WorkEvent::Collected(Err(CollectError::Gone(reason()))).into(),
        WorkEvent::Collected(Err(CollectError::Bad(reason()))).into(),
        WorkEvent::Collected(Err(CollectError::Missing(reason()))).into(),
        WorkEvent::TakenInPart { prompt_id: id(), validation: json!({}) }.into(),
        WorkEvent::InputsGone { prompt_id: id(), taken: Some(id()) }.into(),
        Event::Duty(Duty::Drain),
        Event::Duty(Duty::Pause),
        Event::Duty(Duty::Work),
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

    /// Whatever happens in whatever order: an assignment gets at most one last report and nothing after it, is accepted
    /// before it starts, and is over in the end; and the worker can be brought back to work.
    #[test]
    fn every_history_of_an_assignment_ends_exactly_once(
        uploads in any::<bool>(),
        stops in any::<bool>(),
        events in prop::collection::vec((any_event(), 0_u64..3000), 0..60),
    ) {
        let mut bench = Bench::idle();
        let job = bench.job;
        let mut reports: Vec<ReportEvent> = Vec::new();
        let mut note = |bench: &Bench| {
            for action in &bench.actions {
                if let Action::Report { event, .. } = action {
                    reports.push(event.clone());
                }
            }
        };
        bench.apply(Event::Assign { serial: SERIAL, job, attempt: 1, prompt_id: PROMPT.into(), uploads, node_order: Arc::default(), begin: Begin::Post });
        note(&bench);
        if stops {
            bench.apply(Event::Stop { job, attempt: 1 });
            note(&bench);
        }
        for (event, millis) in events {
            bench.now += Duration::from_millis(millis);
            bench.apply(event);
            note(&bench);
        }
        // The tasks behind the phases without a deadline of their own always answer.
        for event in [WorkEvent::Uploaded, WorkEvent::Posted(PostAnswer::Unreachable { reason: "end".into() })] {
            bench.apply(event);
            note(&bench);
        }
        bench.apply(Event::SocketClosed { reason: "end".into(), jitter: 0.0 });
        note(&bench);
        for _ in 0..3 {
            bench.apply(WorkEvent::Located(Located::Unanswered(Unanswered::Mute)));
            note(&bench);
            bench.after(Duration::from_secs(4000));
            note(&bench);
            bench.apply(WorkEvent::Collected(Ok(Vec::new())));
            note(&bench);
        }
        prop_assert!(bench.state.works.is_empty(), "still at it: {:?}", bench.state.works);
        let lasts = reports.iter().filter(|event| event.is_last()).count();
        prop_assert_eq!(lasts, 1, "{:?}", reports);
        prop_assert!(reports.last().is_some_and(ReportEvent::is_last), "{:?}", reports);
        let place = |wanted: fn(&ReportEvent) -> bool| reports.iter().position(wanted);
        if let Some(started) = place(|event| matches!(event, ReportEvent::Started)) {
            let accepted = place(|event| matches!(event, ReportEvent::Accepted));
            prop_assert!(accepted.is_some_and(|accepted| accepted < started), "{:?}", reports);
        }

        bench.apply(Event::Duty(Duty::Work));
        bench.after(Duration::from_secs(60));
        bench.apply(Event::Connected { probed: true });
        prop_assert_eq!(bench.state.shown(), WorkerState::Idle);
    }
}
