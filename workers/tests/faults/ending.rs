//! Outputs that cannot be fetched.

use std::time::Duration;

use serde_json::json;
use verdigraph_core::fleet::{OutputItem, ReportEvent, Undelivered, UndeliveredCode, WorkerState};
use verdigraph_scripted::{Fault, FaultKind, Options, Run};

use crate::harness::{ends_with, one_picture};
use crate::stage::{Stage, bounded, hurried, name};

#[actix::test]
async fn outputs_not_fetched_in_time_break_the_attempt() {
    let mut settings = hurried();
    // Many times as long as the next job takes to fetch its picture, even on a busy machine.
    settings.pace.collect = Duration::from_secs(3);
    let mut stage = Stage::with(Options::default(), settings).await;
    stage.server.script(one_picture());
    stage.server.fault(Fault::once("GET /view", FaultKind::Hang));
    assert_eq!(name(&stage.run().await), "ProtocolError");
    stage.works().await;
}

#[actix::test]
async fn fault_after_the_end_is_tolerated_or_reported() {
    let cases = [
        (Fault::once("GET /history", FaultKind::Status(500, String::new())), "Finished"),
        (Fault::once("GET /history", FaultKind::Drop), "Finished"),
        (Fault::once("GET /history", FaultKind::Body("<html>".into())), "Finished"),
        (Fault::once("GET /history", FaultKind::Kill), "Lost"),
        (Fault::once("GET /view", FaultKind::Status(503, String::new())), "Finished"),
        (Fault::once("GET /view", FaultKind::Drop), "Finished"),
        (Fault::once("GET /view", FaultKind::CutBody(20)), "Finished"),
        (Fault::always("GET /view", FaultKind::CutBody(20)), "Lost"),
        (Fault::always("GET /view", FaultKind::Status(500, String::new())), "ProtocolError"),
        (Fault::always("GET /view", FaultKind::Status(404, String::new())), "ProtocolError"),
        (Fault::always("GET /view", FaultKind::Body(String::new())), "Finished"),
        (Fault::always("GET /view", FaultKind::Status(403, String::new())), "Finished"),
        (Fault::once("GET /view", FaultKind::Kill), "Lost"),
        (Fault::once("GET /view", FaultKind::KillAfter), "Lost"),
    ];
    for (fault, expected) in cases {
        ends_with(fault, expected).await;
    }
}

#[actix::test]
async fn missing_outputs_make_the_server_drop_its_cache() {
    let mut stage = Stage::open().await;
    assert_eq!(name(&stage.run().await), "Finished");
    stage.idle().await;
    stage.server.clean_outputs();
    let event = stage.run().await;
    assert!(matches!(&event, ReportEvent::ProtocolError { reason } if reason.contains("404")), "{event:?}");
    stage.idle().await;
    assert_eq!(name(&stage.run().await), "Finished", "the next try makes the pictures again");
    assert_eq!(stage.server.count("POST /free"), 1);
}

#[actix::test]
async fn refresh_finds_added_models() {
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
async fn output_over_the_limit_becomes_a_note() {
    let mut settings = hurried();
    settings.limits.file_bytes = 50;
    let mut stage = Stage::with(Options::default(), settings).await;
    let notes = undelivered(stage.run().await);
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0].code, UndeliveredCode::FileTooLarge);
    assert!(notes[0].message.contains("larger than 50 bytes"), "{notes:?}");
}

/// The undelivered outputs of a finished run.
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
async fn unfetchable_file_does_not_affect_others() {
    let files = ["a.png", "b.png", "c.png"].map(|name| json!({"filename": name, "subfolder": "", "type": "output"}));
    let shown = json!({ "images": files });
    let status = |status| FaultKind::Status(status, String::new());
    for (what, code) in [
        (status(403), UndeliveredCode::FileRefused),
        (status(404), UndeliveredCode::FileMissing),
        (status(410), UndeliveredCode::FileRefused),
        (status(500), UndeliveredCode::WorkerError),
        (FaultKind::Drop, UndeliveredCode::FileCutOff),
        (FaultKind::CutBody(20), UndeliveredCode::FileCutOff),
        (FaultKind::Body(String::new()), UndeliveredCode::FileEmpty),
        (FaultKind::Hang, UndeliveredCode::NotInTime),
    ] {
        let mut settings = hurried();
        // Failed fetches are repeated for two seconds and more, and end by themselves.
        settings.pace.collect = Duration::from_secs(if matches!(what, FaultKind::Hang) { 3 } else { 20 });
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
async fn files_over_the_count_limit_become_one_note() {
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
