//! Patience: silent workers, prompts of others that stand before ours, and what an earlier process left behind.

use std::time::Duration;

use verdigraph_scripted::{Fault, Options, Step, What};

use crate::harness::one_picture;
use crate::stage::{Stage, bounded, hurried, name, picture};

/// After so long a worker is given up: many times what an answer takes, also on a busy machine.
const SILENCE: Duration = Duration::from_secs(3);

#[actix::test]
async fn a_silent_worker_that_answers_is_waited_for_and_one_that_does_not_is_given_up() {
    let mut settings = hurried();
    settings.pace.silence = SILENCE;
    settings.pace.poll_every = SILENCE / 4;
    settings.timeouts.answer = SILENCE / 2;
    let mut stage = Stage::with(Options::default(), settings).await;
    stage.server.script(one_picture().with_before("executed", Step::Hold));
    let job = stage.assign(picture(), Vec::new());
    bounded("the server", stage.server.heard("holds", 1)).await;
    // Long enough for the silence to be over several times; each answer of the queue is a sign of life.
    bounded("the server", stage.server.heard("GET /queue", 12)).await;
    stage.server.fault(Fault::always("GET /", What::Hang));
    stage.until("said to be silent", |changed| changed.unanswered_for.is_some()).await;
    let event = stage.last(job).await;
    assert_eq!(name(&event), "Silent", "{event:?}");
    stage.until("said to be silent no more", |changed| changed.unanswered_for.is_none()).await;
    stage.works().await;
}

#[actix::test]
async fn a_worker_that_claims_to_run_for_ever_is_given_up() {
    let mut settings = hurried();
    settings.pace.silence_hard = SILENCE;
    let mut stage = Stage::with(Options::default(), settings).await;
    stage.server.script(one_picture().with_before("executed", Step::Hold));
    assert_eq!(name(&stage.run().await), "Silent");
    bounded("the server", stage.server.heard("POST /interrupt", 1)).await;
    stage.works().await;
}

/// A prompt that another client of the server sends, and that holds until it is released or interrupted.
async fn post_held(stage: &Stage, client_id: &str) {
    stage.server.script(one_picture().with_before("executed", Step::Hold));
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let body = serde_json::json!({ "prompt": picture(), "client_id": client_id });
    let sent = http.post(format!("{}/prompt", stage.server.url())).json(&body).send().await.unwrap();
    assert!(sent.status().is_success());
}

#[actix::test]
async fn what_an_earlier_process_left_at_the_worker_is_stopped_and_others_prompts_are_not() {
    let mut stage = Stage::open().await;
    post_held(&stage, &format!("vg-{}-killed", stage.worker.0.simple())).await;
    post_held(&stage, "somebody else").await;
    bounded("the server", stage.server.heard("holds", 1)).await;
    // As a new process does, the connection comes anew and finds a queue.
    stage.server.cut_sockets();
    bounded("the next prompt to begin", stage.server.heard("holds", 2)).await;
    stage.server.release();
    stage.works().await;
    assert_eq!(stage.server.count("POST /interrupt"), 1, "only what is ours may be stopped");
}

#[actix::test]
async fn a_prompt_that_never_gets_its_turn_is_tried_elsewhere() {
    let mut settings = hurried();
    settings.pace.silence_hard = SILENCE;
    let mut stage = Stage::with(Options::default(), settings).await;
    post_held(&stage, "somebody else").await;
    bounded("the server", stage.server.heard("holds", 1)).await;
    assert_eq!(name(&stage.run().await), "Lost");
    stage.server.release();
    stage.works().await;
}
