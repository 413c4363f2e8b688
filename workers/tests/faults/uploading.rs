//! Input files on their way to the worker.

use serde_json::json;
use verdigraph_core::fleet::{InputFile, WorkerState};
use verdigraph_scripted::{Fault, What};

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
async fn a_fault_while_uploading_says_whether_the_worker_was_there() {
    let cases = [
        (What::Kill, "Unreachable"),
        (What::Drop, "Unreachable"),
        (What::DropAfter, "Unreachable"),
        (What::Status(500, "no space".into()), "Broke"),
        (What::Body("{}".into()), "Broke"),
        (What::Body(r#"{"name": "other.png", "subfolder": "", "type": "input"}"#.into()), "Broke"),
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
async fn an_input_that_is_not_stored_breaks_the_attempt_and_not_the_worker() {
    let mut stage = Stage::open().await;
    let missing = InputFile { name: "x.png".into(), content: verdigraph_core::assets::ContentHash("00".into()) };
    let job = stage.assign(picture(), vec![missing]);
    assert_eq!(name(&stage.last(job).await), "Broke");
    stage.works().await;
}

#[actix::test]
async fn an_input_that_the_server_has_lost_is_sent_again_and_nobody_is_blamed() {
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
