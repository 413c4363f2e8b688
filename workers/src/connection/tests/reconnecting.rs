//! How soon a server that answers again is connected.

use super::super::state::LinkState;
use super::*;

#[test]
fn reconnect_pause_grows_up_to_the_maximum() {
    let mut connection = TestConnection::new();
    let mut waits = Vec::new();
    for _ in 0..12 {
        connection.now += Pace::default().backoff_max;
        connection.apply(Event::Tick);
        connection.apply(Event::ConnectFailed { reason: "refused".into(), jitter: 1.0 });
        let LinkState::Waiting { until, .. } = connection.state.link else { panic!("{:?}", connection.state.link) };
        waits.push(until - connection.now);
    }
    assert_eq!(waits[..3], [500, 1000, 2000].map(Duration::from_millis));
    assert_eq!(waits.last(), Some(&Pace::default().backoff_max));
}

/// A connection that failed for ten minutes, in its last pause.
fn long_unreachable() -> TestConnection {
    let mut connection = TestConnection::new();
    for _ in 0..150 {
        connection.after(Pace::default().backoff_max);
        connection.apply(Event::ConnectFailed { reason: "refused".into(), jitter: 1.0 });
    }
    connection
}

#[test]
fn worker_that_answers_again_is_tried_within_five_seconds() {
    let mut connection = long_unreachable();
    let wait = Duration::from_secs(5) - Pace::default().tick;
    assert!(connection.after(wait).iter().any(|action| matches!(action, Action::Connect { .. })));
}

#[test]
fn worker_behind_an_agent_is_tried_within_two_seconds_of_the_tunnel() {
    let mut waiting = long_unreachable();
    waiting.apply(Event::Tunnel { is_down: true });
    waiting.apply(Event::Tunnel { is_down: false });
    assert!(waiting.does(|action| matches!(action, Action::Connect { .. })), "{:?}", waiting.actions);

    // An attempt that began before the tunnel came fails after it.
    let mut connecting = long_unreachable();
    connecting.after(Pace::default().backoff_max);
    assert!(matches!(connecting.state.link, LinkState::Connecting { .. }));
    connecting.apply(Event::Tunnel { is_down: false });
    connecting.apply(Event::ConnectFailed { reason: "reset".into(), jitter: 1.0 });
    connecting.after(Duration::from_secs(2) - Pace::default().tick);
    assert!(connecting.does(|action| matches!(action, Action::Connect { .. })), "{:?}", connecting.state.link);
}
