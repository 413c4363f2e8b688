//! Silent workers, prompts of other clients ahead of ours, and prompts of earlier processes.

use std::time::Duration;

use verdigraph_scripted::{Fault, FaultKind, Options, Step};

use crate::harness::one_picture;
use crate::stage::{Stage, bounded, hurried, name, picture};

/// When a silent worker is given up: many times the duration of an answer, even on a busy machine.
const SILENCE: Duration = Duration::from_secs(3);

#[actix::test]
async fn silent_worker_is_given_up_only_without_answers() {
    let mut settings = hurried();
    settings.pace.silence = SILENCE;
    settings.pace.poll_every = SILENCE / 4;
    settings.timeouts.answer = SILENCE / 2;
    let mut stage = Stage::with(Options::default(), settings).await;
    stage.server.script(one_picture().with_before("executed", Step::Hold));
    let job = stage.assign(picture(), Vec::new());
    bounded("the server", stage.server.heard("holds", 1)).await;
    // Long enough for several silences. Each answer of the queue resets it.
    bounded("the server", stage.server.heard("GET /queue", 12)).await;
    stage.server.fault(Fault::always("GET /", FaultKind::Hang));
    stage.until("said to be silent", |changed| changed.unanswered_for.is_some()).await;
    let event = stage.last(job).await;
    assert_eq!(name(&event), "Silent", "{event:?}");
    stage.until("said to be silent no more", |changed| changed.unanswered_for.is_none()).await;
    stage.works().await;
}

#[actix::test]
async fn endless_run_without_messages_is_given_up() {
    let mut settings = hurried();
    settings.pace.silence_hard = SILENCE;
    let mut stage = Stage::with(Options::default(), settings).await;
    stage.server.script(one_picture().with_before("executed", Step::Hold));
    assert_eq!(name(&stage.run().await), "Silent");
    bounded("the server", stage.server.heard("POST /interrupt", 1)).await;
    stage.works().await;
}

/// Posts another client's prompt, which runs until it is released or interrupted.
async fn post_held(stage: &Stage, client_id: &str) {
    stage.server.script(one_picture().with_before("executed", Step::Hold));
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let body = serde_json::json!({ "prompt": picture(), "client_id": client_id });
    let sent = http.post(format!("{}/prompt", stage.server.url())).json(&body).send().await.unwrap();
    assert!(sent.status().is_success());
}

#[actix::test]
async fn leftovers_of_an_earlier_process_are_stopped() {
    let mut stage = Stage::open().await;
    post_held(&stage, &format!("vg-{}-killed", stage.worker.0.simple())).await;
    post_held(&stage, "another client").await;
    bounded("the server", stage.server.heard("holds", 1)).await;
    // The connection reconnects as a new process does, and finds a queue.
    stage.server.cut_sockets();
    bounded("the next prompt to begin", stage.server.heard("holds", 2)).await;
    stage.server.release();
    stage.works().await;
    assert_eq!(stage.server.count("POST /interrupt"), 1, "only what is ours may be stopped");
}

#[actix::test]
async fn prompt_that_never_starts_is_lost() {
    let mut settings = hurried();
    settings.pace.silence_hard = SILENCE;
    let mut stage = Stage::with(Options::default(), settings).await;
    post_held(&stage, "another client").await;
    bounded("the server", stage.server.heard("holds", 1)).await;
    assert_eq!(name(&stage.run().await), "Lost");
    stage.server.release();
    stage.works().await;
}
