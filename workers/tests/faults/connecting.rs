//! Connections that come about late, or not, and what is known of a worker that is there.

use std::time::Duration;

use serde_json::json;
use verdigraph_core::fleet::WorkerState;
use verdigraph_scripted::{Fault, Options, Run, Scripted, What};

use crate::stage::{Stage, bounded, hurried, name};

#[actix::test]
async fn a_worker_that_is_not_there_is_connected_as_soon_as_it_comes() {
    let server = Scripted::start(Options::default()).unwrap();
    server.kill();
    let mut stage = Stage::on(server, hurried());
    let changed = stage.until("refused", |changed| changed.reason.is_some()).await;
    assert_eq!(changed.state, WorkerState::Connecting);
    assert!(changed.capabilities.is_none(), "nothing is known of a worker that never answered");
    stage.server.revive();
    stage.works().await;
}

#[actix::test]
async fn a_server_that_answers_rubbish_is_not_taken_for_a_worker() {
    for path in ["/system_stats", "/object_info", "/models", "/models/loras", "/features", "/ws"] {
        for what in [What::Body("<html>hello</html>".into()), What::Status(502, "bad gateway".into()), What::Drop] {
            let server = Scripted::start(Options::default()).unwrap();
            server.fault(Fault::always(&format!("GET {path}"), what.clone()));
            let mut stage = Stage::on(server, hurried());
            let changed = stage.until("refused", |changed| changed.reason.is_some()).await;
            assert_eq!(changed.state, WorkerState::Connecting, "{path} with {what:?}");
            stage.works().await;
        }
    }
}

#[actix::test]
async fn capabilities_say_version_classes_and_models() {
    let mut stage = Stage::open().await;
    let capabilities = stage.is(WorkerState::Idle).await.capabilities.unwrap();
    assert_eq!(capabilities.version.as_deref(), Some("0.33.0"));
    assert!(capabilities.definitions.contains("KSampler"));
    assert!(capabilities.models["checkpoints"].contains("test.safetensors"));
    bounded("the announcement", stage.server.heard("feature flags", 1)).await;
    assert_eq!(stage.server.count("feature flags"), 1, "previews with metadata must be announced first of all");
}

#[actix::test]
async fn a_model_that_appeared_is_known_after_a_refused_prompt() {
    let mut stage = Stage::open().await;
    stage.server.answer("/models/loras", json!(["new.safetensors"]));
    stage.server.script(Run {
        refusal: Some((400, json!({"error": {"type": "x"}, "node_errors": {}}).to_string())),
        ..Run::default()
    });
    assert_eq!(name(&stage.run().await), "Refused");
    let has_model = |changed: &verdigraph_core::fleet::WorkerChanged| {
        changed.capabilities.as_ref().is_some_and(|capable| capable.models["loras"].contains("new.safetensors"))
    };
    stage.until("informed of the model", has_model).await;
}

#[actix::test]
async fn an_idle_worker_that_dies_is_noticed_and_comes_back() {
    let mut stage = Stage::open().await;
    stage.server.kill();
    stage.is(WorkerState::Connecting).await;
    stage.works().await;
}

#[actix::test]
async fn an_idle_worker_that_hangs_is_noticed() {
    let mut settings = hurried();
    settings.timeouts.answer = Duration::from_millis(200);
    let mut stage = Stage::with(Options::default(), settings).await;
    stage.server.fault(Fault::always("GET /prompt", What::Hang));
    stage.is(WorkerState::Connecting).await;
    stage.works().await;
}
