//! How a node stops, as load balancers and operators see it.

#[expect(dead_code, reason = "shared with the tests of what a node does")]
mod node;

use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use verdigraph_core::testing::TestDatabase;

use node::Node;

const PATIENCE: Duration = Duration::from_secs(60);

#[actix_web::test]
async fn node_drains_before_it_stops_and_a_second_signal_ends_it_at_once() {
    rustls::crypto::ring::default_provider().install_default().expect("the first one");
    let database = TestDatabase::new().await;
    let mut node = Node::with(database.url(), &[("VERDIGRAPH_SERVER_DRAIN_SECONDS", "600")], Stdio::null());
    let http = reqwest::Client::builder().no_proxy().build().expect("a client");
    let ask = async |path: &str| {
        let response = http.get(format!("{}{path}", node.url)).send().await.expect("it answers yet");
        (response.status().as_u16(), response.text().await.expect("a text"))
    };
    let pid = i32::try_from(node.process.id()).ok().and_then(Pid::from_raw).expect("a process");
    assert_eq!(ask("/api/ready").await.0, 200);
    // Its standard output is closed, which must not end it.
    kill_process(pid, Signal::TERM).expect("a signal");
    let began = Instant::now();
    loop {
        let (status, told) = ask("/api/ready").await;
        if status == 503 {
            assert!(told.contains("\"draining\""), "{told}");
            break;
        }
        assert!(began.elapsed() < PATIENCE, "it does not say that it stops");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!((ask("/api/live").await.0, ask("/api/health").await.0), (200, 200), "a draining node still serves");
    kill_process(pid, Signal::TERM).expect("a signal");
    let ended = loop {
        if let Some(status) = node.process.try_wait().expect("a process") {
            break status;
        }
        assert!(began.elapsed() < PATIENCE, "it was asked twice, and goes on");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert!(!ended.success(), "an end in a hurry is no clean one: {ended}");
}
