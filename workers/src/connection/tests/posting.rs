//! Prompts that this node withholds because it may have lost the worker.

use super::*;

/// A connection with a prompt to post, at which this event happens before the prompt is withheld.
fn withheld_after(event: impl Fn(JobId) -> Option<Event>) -> TestConnection {
    let mut connection = TestConnection::idle();
    connection.assign();
    if let Some(event) = event(connection.job) {
        connection.apply(event);
        assert!(connection.last_report().is_none(), "{:?}", connection.actions);
    }
    connection.apply(WorkEvent::Posted(PostAnswer::Withheld));
    connection
}

#[test]
fn withheld_prompt_is_posted_again() {
    let mut connection = withheld_after(|_| None);
    assert!(matches!(connection.actions.as_slice(), [Action::Post(SERIAL)]), "{:?}", connection.actions);
    let closed = Event::SocketClosed { reason: "r".into(), jitter: 0.0 };
    connection.apply(closed);
    assert!(connection.last_report().is_none(), "{:?}", connection.actions);
    connection.apply(WorkEvent::Posted(PostAnswer::Queued { prompt_id: PROMPT.into(), node_errors: json!({}) }));
    assert!(connection.does(|action| matches!(action, Action::Report { event: ReportEvent::Accepted, .. })));
}

#[test]
fn withheld_prompt_ends_at_once_if_it_is_not_wanted_any_more() {
    let stopped = withheld_after(|job| Some(Event::Stop { job, attempt: 1 }));
    assert!(matches!(stopped.last_report(), Some(ReportEvent::Interrupted { .. })), "{:?}", stopped.actions);
    let withdrawn = withheld_after(|job| Some(Event::Withdraw { job, attempt: 1 }));
    assert!(matches!(withdrawn.last_report(), Some(ReportEvent::Withdrawn)), "{:?}", withdrawn.actions);
    for connection in [stopped, withdrawn] {
        assert!(!connection.does(|action| matches!(action, Action::Post(_))), "{:?}", connection.actions);
        assert!(connection.state.works.is_empty());
    }
}

#[test]
fn withheld_prompt_of_a_lost_worker_is_released() {
    let mut connection = withheld_after(|_| None);
    connection.apply(Event::Released);
    assert!(matches!(connection.last_report(), Some(ReportEvent::Released)), "{:?}", connection.actions);
    assert!(connection.apply(WorkEvent::Posted(PostAnswer::Withheld)).is_empty(), "it would be posted again");
}
