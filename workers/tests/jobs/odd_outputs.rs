//! Unusual outputs: files that cannot be fetched, nodes that expand into others.

use std::time::Duration;

use serde_json::{Value, json};
use verdigraph_core::assets::{AssetKind, MediaType};
use verdigraph_core::fleet::{self, UndeliveredCode};
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, JobEvent, OutputPiece, Status};
use verdigraph_core::{Caller, Code, Error, gallery};
use verdigraph_scripted::{Fault, FaultKind, Options, Run, Step, custom_nodes};

use crate::platform::{PATIENCE, Platform};

async fn platform() -> Platform {
    Platform::of(vec![Options::with_custom_nodes()], |_| {}).await
}

async fn submit(platform: &Platform, class: &str) -> JobId {
    let prompt = json!({"12": {"class_type": class, "inputs": {"seed": 1}, "_meta": {"title": "the maker"}}});
    platform.try_submit(prompt, None).await.expect("an accepted job").id
}

/// The number of delivered files, and notes about the others.
async fn found(platform: &Platform, job: JobId) -> (usize, Vec<(String, UndeliveredCode)>) {
    let outputs = jobs::outputs(&platform.core, &platform.caller, job).await.expect("outputs");
    assert!(outputs.iter().all(|output| output.node_id == "12"), "{outputs:?}");
    let (mut files, mut notes) = (0, Vec::new());
    for (_, piece) in outputs.into_iter().flat_map(|output| output.pieces) {
        match piece {
            OutputPiece::Undelivered(note) => notes.push((note.name, note.code)),
            _ => files += 1,
        }
    }
    (files, notes)
}

#[actix::test]
async fn job_delivers_valid_files_and_notes_the_others() {
    for (class, name, code) in [
        ("WildElsewhere", "away_00001_.png", UndeliveredCode::FileRefused),
        ("WildEmpty", "empty_00001_.png", UndeliveredCode::FileEmpty),
    ] {
        let platform = platform().await;
        let job = submit(&platform, class).await;
        let done = platform.until_status(job, Status::Done).await.job;
        assert_eq!((done.attempt, platform.servers[0].posted().len()), (1, 1), "{class} ran again");
        assert_eq!(found(&platform, job).await, (1, vec![(name.to_owned(), code)]), "{class}");
        let noted = jobs::undelivered(&platform.core, &platform.caller, &[done]).await.expect("notes");
        assert!(matches!(noted[&job].as_slice(), [(node, note)] if node == "12" && note.name == name), "{noted:?}");
        platform.audit().await;
    }
}

#[actix::test]
async fn job_without_deliverable_outputs_fails_without_charge() {
    let platform = platform().await;
    platform.servers[0].fault(Fault::always("GET /view", FaultKind::Status(403, String::new())));
    let job = submit(&platform, "WildElsewhere").await;
    let ended = platform.end(job).await.job;
    assert_eq!((ended.status, ended.attempt), (Status::WorkerExceptionError, 1), "{ended:?}");
    let reason = ended.validate_exception.as_ref().and_then(|why| why["message"].as_str()).unwrap_or_default();
    assert!(reason.contains("good_00001_.png") && reason.contains("2 in all"), "{reason}");
    assert_eq!(ended.credits_used, Some(0), "nothing was delivered, and it was charged");
    platform.audit().await;
}

#[actix::test]
async fn missing_files_are_retried_once() {
    let platform = platform().await;
    platform.servers[0].fault(Fault::always("GET /view", FaultKind::Status(404, String::new())));
    let job = submit(&platform, "WildEmpty").await;
    let ended = platform.end(job).await.job;
    assert_eq!((ended.status, ended.attempt), (Status::WorkerExceptionError, 2), "{ended:?}");
    platform.audit().await;
}

#[actix::test]
async fn expanded_nodes_report_as_the_prompts_node() {
    let platform = platform().await;
    // Its progress comes after the subscription.
    let run = custom_nodes::expanding("12");
    platform.servers[0].script(run.with_before("execution_start", Step::Hold));
    let job = submit(&platform, "WildLoop").await;
    let mut live = jobs::subscribe(&platform.core, &platform.caller, job, None).await.expect("a stream").1.live;
    platform.servers[0].heard("holds", 1).await;
    platform.servers[0].release();
    let listened = async {
        let mut steps = 0;
        loop {
            match live.recv().await.expect("an event").1 {
                JobEvent::Progress(progress) => {
                    assert_eq!((progress.node_id.as_str(), progress.node_title.as_str()), ("12", "the maker"));
                    assert!(progress.nodes_done <= progress.nodes_total, "{progress:?}");
                    steps += 1;
                }
                JobEvent::Status(status) if status.is_terminal() => return (status, steps),
                _ => {}
            }
        }
    };
    let (status, steps) = tokio::time::timeout(PATIENCE, listened).await.expect("a terminal status");
    assert_eq!(status, Status::Done);
    assert!(steps > 0, "no progress of the node was told");
    assert_eq!(found(&platform, job).await, (1, Vec::new()));
    platform.audit().await;
}

/// The node that an output under this id is delivered for, if only `meta` of the history names it.
async fn told_by_history(id: &str, meta: Value) -> (usize, Vec<(String, UndeliveredCode)>) {
    let platform = platform().await;
    let picture = json!({"images": [{"filename": "a_00001_.png", "subfolder": "", "type": "output"}]});
    let history = json!({"outputs": {id: picture}, "status": {"status_str": "success", "messages": []}, "meta": meta});
    let run = Run { history: Some(history), ..Run::success(&["12".to_owned()], &[], Duration::ZERO) };
    platform.servers[0].script(run);
    let job = submit(&platform, "WildLoop").await;
    platform.until_status(job, Status::Done).await;
    found(&platform, job).await
}

#[actix::test]
async fn history_names_the_expanding_node() {
    let named = json!({"whatever": {"node_id": "whatever", "display_node": "12", "parent_node": "12"}});
    assert_eq!(told_by_history("whatever", named).await, (1, Vec::new()));
    assert_eq!(told_by_history("12.0.0.3", json!({})).await, (1, Vec::new()), "the id alone says it");
    let nested = json!({"12.0.0.3.1.0.2": {"display_node": "12.0.0.3", "parent_node": "12.0.0.3"}});
    assert_eq!(told_by_history("12.0.0.3.1.0.2", nested).await, (1, Vec::new()));
}

/// A job's outputs by kind, and notes about undelivered ones.
async fn pieces(platform: &Platform, job: JobId) -> Vec<(String, OutputPiece)> {
    let outputs = jobs::outputs(&platform.core, &platform.caller, job).await.expect("outputs");
    outputs.into_iter().flat_map(|output| output.pieces).collect()
}

#[actix::test]
async fn other_file_types_keep_name_and_type() {
    let platform = platform().await;
    let mut found = Vec::new();
    for class in ["WildMesh", "WildFiles"] {
        let job = submit(&platform, class).await;
        platform.until_status(job, Status::Done).await;
        for (kind, piece) in pieces(&platform, job).await {
            let OutputPiece::Asset(asset) = piece else { panic!("{class} delivers files: {piece:?}") };
            assert_eq!((kind.as_str(), asset.media.kind()), ("files", AssetKind::File), "{asset:?}");
            assert!(!asset.is_publishable && !asset.has_preview, "{asset:?}");
            found.push((asset.name.clone().expect("a name"), asset.content_type(), asset.saved_as(), asset.ending()));
        }
    }
    let thing = |ending: &str| format!("thing_00001_.{ending}");
    let expected = [
        ("statue_00001_.glb".to_owned(), "model/gltf-binary"),
        ("statue_00001_.obj".to_owned(), "model/obj"),
        (thing("ply"), "model/ply"),
        (thing("svg"), "image/svg+xml"),
        (thing("mov"), "video/quicktime"),
        (thing("mkv"), "video/matroska"),
        (thing("txt"), "text/plain"),
        (thing("csv"), "text/csv"),
        (thing("json"), "application/json"),
        (thing("latent"), "application/octet-stream"),
        (thing("html"), "text/html"),
    ];
    let told: Vec<_> = found.iter().map(|(name, content_type, ..)| (name.clone(), *content_type)).collect();
    assert_eq!(told, expected);
    for (name, _, saved_as, ending) in &found {
        assert_eq!(saved_as, name);
        assert!(name.ends_with(&format!(".{ending}")), "{name} ends with {ending}");
    }
    platform.audit().await;
}

#[actix::test]
async fn oversized_picture_stays_a_picture() {
    let platform = platform().await;
    let job = submit(&platform, "WildLarge").await;
    platform.until_status(job, Status::Done).await;
    let found = pieces(&platform, job).await;
    let [(kind, OutputPiece::Asset(asset))] = found.as_slice() else { panic!("one picture: {found:?}") };
    assert_eq!((kind.as_str(), asset.media, asset.content_type()), ("images", MediaType::Png, "image/png"));
    assert_eq!((asset.name.as_deref(), asset.width, asset.height), (Some("large_00001_.png"), Some(17_000), Some(4)));
    assert!(!asset.has_preview && !asset.is_publishable, "{asset:?}");
    let seen = |caller: Caller| {
        let core = &platform.core;
        async move { gallery::may_see_content(core, &caller, &asset.content).await.expect("an answer") }
    };
    assert!(seen(platform.caller.clone()).await && !seen(Caller::guest()).await);
    let shown = gallery::set_private(&platform.core, &platform.caller, &[asset.id], false).await;
    assert!(matches!(&shown, Err(Error::Refused { code: Code::NotPublishable, .. })), "{shown:?}");
    platform.audit().await;
}

#[actix::test]
async fn values_of_any_key_are_delivered_and_others_noted() {
    let platform = platform().await;
    let job = submit(&platform, "WildValues").await;
    platform.until_status(job, Status::Done).await;
    let (mut texts, mut notes) = (Vec::new(), Vec::new());
    for (_, piece) in pieces(&platform, job).await {
        match piece {
            OutputPiece::Text(text) => texts.push(text),
            OutputPiece::Undelivered(note) => notes.push((note.name, note.code, note.count)),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(texts, ["1girl, solo", "outdoors", "42", "a text"]);
    assert_eq!(notes, [("result".to_owned(), UndeliveredCode::ValueNotShown, 2)]);
    platform.audit().await;
}

/// Runs a job whose node shows `output`.
async fn shown(output: Value) -> (Platform, JobId) {
    let mut patience = crate::stage::hurried();
    // A longer message closes the socket, and the output is read from the history.
    patience.limits.message_bytes = 1 << 20;
    let platform = Platform::patient(vec![Options::with_custom_nodes()], patience, |_| {}).await;
    let run = Run::success(&["12".to_owned()], &[("12".to_owned(), output)], Duration::ZERO);
    platform.servers[0].script(run);
    let job = submit(&platform, "WildLoop").await;
    platform.end(job).await;
    (platform, job)
}

#[actix::test]
async fn job_with_undeliverable_values_only_is_done_with_notes() {
    let (platform, job) = shown(json!({"camera": [{"x": 1}]})).await;
    assert_eq!(platform.status(job).await.job.status, Status::Done);
    assert_eq!(found(&platform, job).await, (0, vec![("camera".to_owned(), UndeliveredCode::ValueNotShown)]));
    platform.audit().await;
}

#[actix::test]
async fn long_text_is_delivered_up_to_the_limit() {
    let (platform, job) = shown(json!({"text": ["w".repeat(8 << 20), "short\0"]})).await;
    let done = platform.status(job).await.job;
    assert_eq!((done.status, done.attempt), (Status::Done, 1), "{done:?}");
    let found = pieces(&platform, job).await;
    let [(_, OutputPiece::Text(long)), (_, OutputPiece::Text(short)), (_, OutputPiece::Undelivered(note))] =
        found.as_slice()
    else {
        panic!("two texts and a note")
    };
    assert_eq!((long.len(), short.as_str()), (fleet::SHOWN_BYTES, "short\u{fffd}"));
    assert_eq!((note.name.as_str(), note.code), ("text", UndeliveredCode::TextCut));
    platform.audit().await;
}

#[actix::test]
async fn too_many_values_become_notes() {
    let (platform, job) = shown(json!({"value": vec![0; 600_000]})).await;
    let ended = platform.status(job).await.job;
    assert_eq!((ended.status, ended.credits_used), (Status::WorkerExceptionError, Some(0)), "{ended:?}");
    assert_eq!(found(&platform, job).await, (0, vec![("output".to_owned(), UndeliveredCode::ValueTooLarge)]));
    platform.audit().await;
}

#[actix::test]
async fn texts_over_the_limit_become_one_note() {
    let (platform, job) = shown(json!({"tags": vec!["a tag"; 1500]})).await;
    assert_eq!(platform.status(job).await.job.status, Status::Done);
    let notes = jobs::undelivered(&platform.core, &platform.caller, &[platform.status(job).await.job]).await;
    let notes = notes.expect("notes").remove(&job).expect("some");
    assert!(notes.iter().all(|(_, note)| note.code == UndeliveredCode::TooManyTexts), "{notes:?}");
    assert_eq!(notes.iter().map(|(_, note)| note.count).sum::<usize>(), 500);
    assert!(found(&platform, job).await.0 == 1000);
    platform.audit().await;
}
