//! Connections that are late or fail, and capabilities of connected workers.

use std::time::Duration;

use serde_json::json;
use verdigraph_core::fleet::WorkerState;
use verdigraph_scripted::{Fault, FaultKind, Options, Run, Scripted};

use crate::stage::{Stage, bounded, hurried, name};

#[actix::test]
async fn missing_worker_is_connected_once_it_starts() {
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
async fn server_with_malformed_answers_is_not_connected() {
    for path in ["/system_stats", "/object_info", "/models", "/models/loras", "/features", "/ws"] {
        for what in [
            FaultKind::Body("<html>hello</html>".into()),
            FaultKind::Status(502, "bad gateway".into()),
            FaultKind::Drop,
        ] {
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
async fn capabilities_contain_version_classes_and_models() {
    let mut stage = Stage::open().await;
    let capabilities = stage.is(WorkerState::Idle).await.capabilities.unwrap();
    assert_eq!(capabilities.version.as_deref(), Some("0.33.0"));
    assert!(capabilities.definitions.contains("KSampler"));
    assert!(capabilities.models["checkpoints"].contains("test.safetensors"));
    bounded("the announcement", stage.server.heard("feature flags", 1)).await;
    assert_eq!(stage.server.count("feature flags"), 1, "previews with metadata must be announced first of all");
}

#[actix::test]
async fn refused_prompt_refreshes_models() {
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
async fn dead_idle_worker_is_detected_and_reconnected() {
    let mut stage = Stage::open().await;
    stage.server.kill();
    stage.is(WorkerState::Connecting).await;
    stage.works().await;
}

#[actix::test]
async fn hanging_idle_worker_is_detected() {
    let mut settings = hurried();
    // An answer of a healthy server on a busy machine is sooner.
    settings.timeouts.answer = Duration::from_secs(1);
    let mut stage = Stage::with(Options::default(), settings).await;
    stage.server.fault(Fault::always("GET /prompt", FaultKind::Hang));
    stage.is(WorkerState::Connecting).await;
    stage.works().await;
}
