//! Outputs that cannot be fetched.

use std::time::Duration;

use serde_json::json;
use verdigraph_core::fleet::{OutputItem, ReportEvent, Undelivered, UndeliveredCode, WorkerState};
use verdigraph_scripted::{Fault, Options, Run, What};

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
        (Fault::always("GET /view", What::Body(String::new())), "Finished"),
        (Fault::always("GET /view", What::Status(403, String::new())), "Finished"),
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
async fn an_output_over_the_limit_is_noted() {
    let mut settings = hurried();
    settings.limits.file_bytes = 50;
    let mut stage = Stage::with(Options::default(), settings).await;
    let notes = undelivered(stage.run().await);
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0].code, UndeliveredCode::FileTooLarge);
    assert!(notes[0].message.contains("larger than 50 bytes"), "{notes:?}");
}

/// What a finished run did not deliver.
fn undelivered(event: ReportEvent) -> Vec<Undelivered> {
    let ReportEvent::Finished { outputs, .. } = event else { panic!("the run ended with {event:?}") };
    let items = outputs.into_iter().flat_map(|output| output.items);
    let notes = items.filter_map(|item| match item {
        OutputItem::Undelivered(note) => Some(note),
        _ => None,
    });
    notes.collect()
}

#[actix::test]
async fn a_file_that_cannot_be_fetched_costs_no_other_file() {
    let files = ["a.png", "b.png", "c.png"].map(|name| json!({"filename": name, "subfolder": "", "type": "output"}));
    let shown = json!({ "images": files });
    let status = |status| What::Status(status, String::new());
    for (what, code) in [
        (status(403), UndeliveredCode::FileRefused),
        (status(404), UndeliveredCode::FileMissing),
        (status(410), UndeliveredCode::FileRefused),
        (status(500), UndeliveredCode::WorkerError),
        (What::Drop, UndeliveredCode::FileCutOff),
        (What::CutBody(20), UndeliveredCode::FileCutOff),
        (What::Body(String::new()), UndeliveredCode::FileEmpty),
        (What::Hang, UndeliveredCode::NotInTime),
    ] {
        let mut settings = hurried();
        settings.pace.collect = Duration::from_secs(3);
        let mut stage = Stage::with(Options::default(), settings).await;
        stage.server.script(Run::success(&["1".into(), "2".into()], &[("2".into(), shown.clone())], Duration::ZERO));
        stage.server.fault(Fault::always("GET /view?b.png", what.clone()));
        let event = stage.run().await;
        let ReportEvent::Finished { outputs, .. } = &event else { panic!("{what:?} ended with {event:?}") };
        let files = outputs.iter().flat_map(|output| &output.items);
        assert_eq!(files.filter(|item| matches!(item, OutputItem::File { .. })).count(), 2, "{what:?}");
        let notes = undelivered(event);
        let notes: Vec<_> = notes.iter().map(|note| (note.name.as_str(), note.code, note.count)).collect();
        assert_eq!(notes, [("b.png", code, 1)], "{what:?}");
    }
}

#[actix::test]
async fn files_beyond_the_limit_are_counted_and_the_others_are_delivered() {
    let mut settings = hurried();
    settings.limits.files = 30;
    let mut stage = Stage::with(Options::default(), settings).await;
    let files: Vec<_> = (0..100).map(|n| json!({"filename": format!("{n}.png"), "type": "output"})).collect();
    let shown = ("2".to_owned(), json!({ "images": files }));
    stage.server.script(Run::success(&["1".into(), "2".into()], &[shown], Duration::ZERO));
    let notes = undelivered(stage.run().await);
    assert_eq!(notes.iter().map(|note| note.count).sum::<usize>(), 70);
    assert!(notes.iter().all(|note| note.code == UndeliveredCode::TooManyFiles), "{notes:?}");
    assert!(notes.len() < 30, "a job has few notes, found {}", notes.len());
}
