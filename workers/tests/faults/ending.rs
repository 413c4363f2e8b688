//! Outputs that cannot be fetched.

use std::time::Duration;

use serde_json::json;
use verdigraph_core::fleet::{ReportEvent, WorkerState};
use verdigraph_scripted::{Fault, Options, What};

use crate::harness::{ends_with, one_picture};
use crate::stage::{Stage, bounded, hurried, name};

#[actix::test]
async fn outputs_that_do_not_come_in_time_count_as_the_workers_fault() {
    let mut settings = hurried();
    settings.pace.collect = Duration::from_millis(300);
    let mut stage = Stage::with(Options::default(), settings).await;
    stage.server.script(one_picture());
    stage.server.fault(Fault::once("GET /view", What::Hang));
    assert_eq!(name(&stage.run().await), "Broke");
    stage.works().await;
}

#[actix::test]
async fn a_fault_after_the_end_is_lived_with_or_told() {
    let cases = [
        (Fault::once("GET /history", What::Status(500, String::new())), "Finished"),
        (Fault::once("GET /history", What::Drop), "Finished"),
        (Fault::once("GET /history", What::Body("<html>".into())), "Finished"),
        (Fault::once("GET /history", What::Kill), "Lost"),
        (Fault::once("GET /view", What::Status(503, String::new())), "Finished"),
        (Fault::once("GET /view", What::Drop), "Finished"),
        (Fault::once("GET /view", What::CutBody(20)), "Finished"),
        (Fault::always("GET /view", What::CutBody(20)), "Lost"),
        (Fault::always("GET /view", What::Status(500, String::new())), "Broke"),
        (Fault::always("GET /view", What::Status(404, String::new())), "Broke"),
        (Fault::always("GET /view", What::Body(String::new())), "Broke"),
        (Fault::once("GET /view", What::Kill), "Lost"),
        (Fault::once("GET /view", What::KillAfter), "Lost"),
    ];
    for (fault, expected) in cases {
        ends_with(fault, expected).await;
    }
}

#[actix::test]
async fn a_server_whose_outputs_were_cleaned_is_asked_to_forget_them() {
    let mut stage = Stage::open().await;
    assert_eq!(name(&stage.run().await), "Finished");
    stage.idle().await;
    stage.server.clean_outputs();
    let event = stage.run().await;
    assert!(matches!(&event, ReportEvent::Broke { reason } if reason.contains("404")), "{event:?}");
    stage.idle().await;
    assert_eq!(name(&stage.run().await), "Finished", "the next try makes the pictures again");
    assert_eq!(stage.server.count("POST /free"), 1);
}

#[actix::test]
async fn a_worker_that_is_asked_again_tells_of_what_was_added() {
    let mut stage = Stage::open().await;
    stage.server.answer("/models/loras", json!(["new.safetensors"]));
    let link = stage.is(WorkerState::Idle).await.link;
    bounded("the answer", link.refresh.send(verdigraph_core::fleet::Refresh)).await.unwrap();
    let has_model = |changed: &verdigraph_core::fleet::WorkerChanged| {
        changed.capabilities.as_ref().is_some_and(|capable| capable.models["loras"].contains("new.safetensors"))
    };
    stage.until("informed of the model", has_model).await;
}

#[actix::test]
async fn an_output_over_the_limit_breaks_the_attempt() {
    let mut settings = hurried();
    settings.limits.file_bytes = 50;
    let mut stage = Stage::with(Options::default(), settings).await;
    let event = stage.run().await;
    assert!(matches!(&event, ReportEvent::Broke { reason } if reason.contains("larger than 50 bytes")), "{event:?}");
}
