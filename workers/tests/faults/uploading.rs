//! Uploads of input files to the worker.

use serde_json::json;
use verdigraph_core::fleet::{InputFile, WorkerState};
use verdigraph_scripted::{Fault, FaultKind};

use crate::harness::input;
use crate::stage::{Stage, name, picture};

#[actix::test]
async fn inputs_are_uploaded_once_per_server() {
    let mut stage = Stage::open().await;
    let files = vec![input(&stage, "vg-a.png", b"first"), input(&stage, "sub/vg-b.png", b"second")];
    for _ in 0..2 {
        let job = stage.assign(picture(), files.clone());
        assert_eq!(name(&stage.last(job).await), "Finished");
        stage.idle().await;
    }
    assert_eq!(stage.server.count("POST /upload/image"), 2, "a file that is there is not sent again");
    assert_eq!(stage.server.uploaded("vg-a.png").as_deref(), Some(&b"first"[..]));
    assert_eq!(stage.server.uploaded("sub/vg-b.png").as_deref(), Some(&b"second"[..]));

    stage.server.kill();
    stage.is(WorkerState::Connecting).await;
    stage.works().await;
    let job = stage.assign(picture(), files);
    assert_eq!(name(&stage.last(job).await), "Finished");
    assert_eq!(stage.server.count("POST /upload/image"), 4, "another server may not have the files");
}

#[actix::test]
async fn upload_fault_distinguishes_unreachable_worker() {
    let cases = [
        (FaultKind::Kill, "Unreachable"),
        (FaultKind::Drop, "Unreachable"),
        (FaultKind::DropAfter, "Unreachable"),
        (FaultKind::Status(500, "no space".into()), "ProtocolError"),
        (FaultKind::Body("{}".into()), "ProtocolError"),
        (FaultKind::Body(r#"{"name": "other.png", "subfolder": "", "type": "input"}"#.into()), "ProtocolError"),
    ];
    for (what, expected) in cases {
        let mut stage = Stage::open().await;
        stage.server.fault(Fault::once("POST /upload/image", what.clone()));
        let job = stage.assign(picture(), vec![input(&stage, "vg-a.png", b"bytes")]);
        let event = stage.last(job).await;
        assert_eq!(name(&event), expected, "{what:?} ended with {event:?}");
        assert_eq!(stage.server.count("POST /prompt"), 0, "a prompt without its inputs must not be posted");
        stage.works().await;
    }
}

#[actix::test]
async fn missing_input_breaks_only_the_attempt() {
    let mut stage = Stage::open().await;
    let missing = InputFile { name: "x.png".into(), content: verdigraph_core::assets::ContentHash("00".into()) };
    let job = stage.assign(picture(), vec![missing]);
    assert_eq!(name(&stage.last(job).await), "ProtocolError");
    stage.works().await;
}

#[actix::test]
async fn input_lost_by_the_server_is_uploaded_again() {
    let mut stage = Stage::open().await;
    let file = input(&stage, "vg-a.png", b"bytes");
    let mut prompt = picture();
    prompt["1"] = json!({"class_type": "LoadImage", "inputs": {"image": "vg-a.png"}});
    let job = stage.assign(prompt.clone(), vec![file.clone()]);
    assert_eq!(name(&stage.last(job).await), "Finished");
    stage.idle().await;
    stage.server.clean_inputs();
    let job = stage.assign(prompt.clone(), vec![file]);
    let event = stage.last(job).await;
    assert_eq!(name(&event), "Finished", "the file was there once: {event:?}");
    assert_eq!(stage.server.count("POST /upload/image"), 2);
    stage.idle().await;

    prompt["1"]["inputs"]["image"] = json!("theirs.png");
    let job = stage.assign(prompt, vec![input(&stage, "vg-b.png", b"more")]);
    assert_eq!(name(&stage.last(job).await), "Refused", "a file that is none of ours is the prompt's fault");
    stage.works().await;
}
