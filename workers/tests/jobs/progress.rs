//! Progress events at each quarter of a run, for subscribers.

use std::collections::HashSet;
use std::time::Duration;

use serde_json::{Value, json};
use verdigraph_core::events::{self, EventKind, FeedPosition};
use verdigraph_core::jobs::Status;
use verdigraph_scripted::{Run, Step, THIS_PROMPT, text};

use crate::harness::run;
use crate::platform::{PATIENCE, Platform, until};

fn step(node: &str, value: u32) -> Step {
    text("progress", json!({"value": value, "max": 20, "node": node, "prompt_id": THIS_PROMPT}))
}

/// Two nodes whose steps are followed by a hold: 20 %, 25 %, 25 % again, 45 %, 80 %.
fn in_steps() -> Run {
    let mut run = run();
    let place = run.steps.len() - 3;
    let steps = [("1", 8), ("1", 10), ("1", 11), ("1", 18), ("2", 12)];
    run.steps.truncate(2);
    run.steps.extend(steps.into_iter().flat_map(|(node, value)| [step(node, value), Step::Hold]));
    run.steps.extend(self::run().steps.into_iter().skip(place));
    run
}

/// The events of the platform's user, as the API shows them.
async fn sent_events(platform: &Platform) -> Vec<Value> {
    let page = events::wait(&platform.core, &platform.caller, FeedPosition::Oldest, &[], 100, Duration::ZERO).await;
    let sent_events = page.expect("a page").items.into_iter().map(|event| events::envelope(&event, None, ""));
    sent_events.map(|event| serde_json::to_value(event).expect("JSON")).collect()
}

async fn until_events(platform: &Platform, kind: EventKind, count: usize) -> Vec<Value> {
    until(&format!("{count} {kind:?}"), || async {
        let sent_events = sent_events(platform).await;
        (sent_events.iter().filter(|event| event["type"] == kind.name()).count() >= count).then_some(sent_events)
    })
    .await
}

#[actix::test]
async fn each_quarter_is_sent_once_before_the_end() {
    let platform = Platform::open(1).await;
    events::start(&platform.core);
    platform.core.events.set_progress_subscribers(HashSet::from([platform.user]));
    let server = &platform.servers[0];
    server.script(in_steps());
    let job = platform.submit().await;
    for (hold, quarters) in [0, 1, 1, 1, 2].into_iter().enumerate() {
        tokio::time::timeout(PATIENCE, server.heard("holds", hold + 1)).await.expect("a step of the run");
        platform.until_status(job, Status::Running).await;
        let sent_events = until_events(&platform, EventKind::JobProgress, quarters).await;
        let parts: Vec<_> = sent_events.iter().filter_map(|event| event["data"]["percent"].as_i64()).collect();
        assert_eq!(parts, [25, 75][..quarters], "after {} steps", hold + 1);
        server.release();
    }
    platform.until_status(job, Status::Done).await;
    let sent_events = until_events(&platform, EventKind::JobDone, 1).await;
    let kinds: Vec<_> = sent_events.iter().map(|event| event["type"].as_str().expect("a type")).collect();
    assert_eq!(kinds, ["job.created", "job.started", "job.progress", "job.progress", "job.done"]);
    let quarter = &sent_events[2]["data"];
    assert_eq!((&quarter["job"], &quarter["status"], &quarter["attempt"]), (&json!(job), &json!("Running"), &json!(1)));
    assert!(quarter["startedAt"].is_string() && quarter["links"].get("outputs").is_none(), "{quarter}");
    platform.audit().await;
}

#[actix::test]
async fn progress_needs_a_subscription_and_restarts_with_a_retry() {
    let platform = Platform::open(1).await;
    events::start(&platform.core);
    let job = platform.submit().await;
    platform.until_status(job, Status::Done).await;
    until_events(&platform, EventKind::JobDone, 1).await;
    assert!(sent_events(&platform).await.iter().all(|event| event["type"] != "job.progress"), "no subscription");

    platform.until_idle(1).await;
    platform.core.events.set_progress_subscribers(HashSet::from([platform.user]));
    let server = &platform.servers[0];
    let mut lost = in_steps();
    lost.steps.truncate(6);
    lost.steps.push(Step::Kill);
    server.script(lost);
    let job = platform.submit().await;
    for hold in 1..=2 {
        tokio::time::timeout(PATIENCE, server.heard("holds", hold)).await.expect("a step of the run");
        until_events(&platform, EventKind::JobProgress, hold - 1).await;
        platform.until_status(job, Status::Running).await;
        server.release();
    }
    until("the worker died", || async { platform.status(job).await.job.started_at.is_none().then_some(()) }).await;
    server.script(in_steps());
    server.revive();
    for hold in 3..=4 {
        tokio::time::timeout(PATIENCE, server.heard("holds", hold)).await.expect("a step of the run");
        platform.until_status(job, Status::Running).await;
        until_events(&platform, EventKind::JobProgress, hold - 2).await;
        server.release();
    }
    let attempts: Vec<_> = sent_events(&platform)
        .await
        .iter()
        .filter(|event| event["type"] == "job.progress")
        .map(|event| (event["data"]["attempt"].clone(), event["data"]["percent"].clone()))
        .collect();
    assert_eq!(attempts, [(json!(1), json!(25)), (json!(2), json!(25))]);
    for hold in 5..=7 {
        tokio::time::timeout(PATIENCE, server.heard("holds", hold)).await.expect("a step of the run");
        server.release();
    }
    platform.until_status(job, Status::Done).await;
    platform.audit().await;
}
