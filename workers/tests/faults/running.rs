//! A running prompt: its job's reports, and failures of the worker.

use std::time::{Duration, Instant};

use bytes::Bytes;
use serde_json::json;
use verdigraph_core::fleet::{OutputItem, OutputKind, ReportEvent, WorkerState};
use verdigraph_scripted::{Options, Run, Step, THIS_PROMPT, text};

use crate::harness::{one_picture, run_ends_with};
use crate::stage::{Stage, bounded, hurried, name, picture};

#[actix::test]
async fn job_reports_every_step() {
    let mut stage = Stage::open().await;
    let job = stage.assign(picture(), Vec::new());
    let events = stage.all(job).await;
    let names: Vec<_> = events.iter().map(name).collect();
    assert_eq!(names[..2], ["Accepted", "Started"]);
    assert!(names.contains(&"Progress"), "{names:?}");
    let Some(ReportEvent::Finished { outputs, .. }) = events.last() else { panic!("{names:?}") };
    assert_eq!((outputs[0].node_id.as_str(), outputs[0].kind), ("2", OutputKind::Images));
    let OutputItem::File { content, width, temporary, .. } = &outputs[0].items[0] else { panic!("{outputs:?}") };
    assert_eq!((*width, *temporary), (Some(16), false));
    assert!(stage.files.get(content).unwrap().starts_with(b"\x89PNG"), "the picture is in the storage");
}

#[actix::test]
async fn job_survives_a_lost_socket() {
    let run = one_picture().with_before("executed", Step::CutSocket);
    run_ends_with(run.clone(), "Finished").await;
    run_ends_with(run.with_before("executed", Step::AwaitSocket), "Finished").await;
}

#[actix::test]
async fn socket_reconnects_under_the_same_client_id() {
    let mut stage = Stage::open().await;
    let run = one_picture().with_before("executed", Step::CutSocket).with_before("executed", Step::AwaitSocket);
    stage.server.script(run);
    let job = stage.assign(picture(), Vec::new());
    // The script continues only when a socket with the prompt's own client id is connected again.
    assert_eq!(name(&stage.last(job).await), "Finished");
}

#[actix::test]
async fn history_replaces_messages_of_a_forgotten_socket() {
    for message in ["execution_start", "execution_success"] {
        let run = one_picture().with_before(message, Step::ForgetSocket);
        let (stage, _) = run_ends_with(run, "Finished").await;
        bounded("the second socket", stage.server.heard("socket opened", 2)).await;
        assert_eq!(stage.server.count("socket opened"), 2, "a socket that hears nothing is of no use to the next job");
    }
}

#[actix::test]
async fn worker_dying_during_a_run_loses_the_job() {
    let (_, event) = run_ends_with(one_picture().until("executed", Step::Kill), "Lost").await;
    assert!(matches!(event, ReportEvent::Lost { reason } if !reason.is_empty()));
}

#[actix::test]
async fn restarted_worker_loses_the_job_at_once() {
    let mut settings = hurried();
    settings.pace.grace = Duration::from_secs(25);
    let mut stage = Stage::with(Options::default(), settings).await;
    stage.server.script(one_picture().until("executed", Step::Restart));
    let begun = Instant::now();
    assert_eq!(name(&stage.run().await), "Lost");
    assert!(begun.elapsed() < Duration::from_secs(20), "the new server's empty queue tells it without waiting");
    stage.works().await;
}

#[actix::test]
async fn job_missing_from_the_queue_is_lost() {
    let run = Run { steps: vec![Step::Vanish], unrecorded: true, ..Run::default() };
    run_ends_with(run, "Lost").await;
}

#[actix::test]
async fn few_malformed_messages_are_ignored_and_many_break_the_attempt() {
    let rubbish = |count: usize| {
        let mut run = one_picture();
        let lines = ["{", "null", "\u{0}", r#"{"type": "executed", "data": []}"#, r#"{"type": 7}"#];
        for index in 0..count {
            run = run.with_before("executed", Step::Raw(lines[index % lines.len()].into()));
        }
        run.with_before("executed", Step::Binary(Bytes::from_static(&[0, 0])))
            .with_before("executed", Step::Binary(Bytes::from_static(&[0, 0, 0, 99, 1])))
            .with_before("executed", text("something_new", json!({"a": 1})))
            .with_before("executed", text("executing", json!({"node": "1", "prompt_id": "of-another-client"})))
    };
    run_ends_with(rubbish(10), "Finished").await;
    run_ends_with(rubbish(200), "ProtocolError").await;
}

#[actix::test]
async fn failed_job_has_the_exception_and_earlier_outputs() {
    let mut run = Run::failure(&["1".into()], Duration::ZERO);
    let shown = json!({"images": [{"filename": "kept.png", "subfolder": "", "type": "output"}], "text": ["said"]});
    run = run.with_before(
        "execution_error",
        text("executed", json!({"node": "2", "display_node": "2", "output": shown, "prompt_id": THIS_PROMPT})),
    );
    let (_, event) = run_ends_with(run, "Failed").await;
    let ReportEvent::Failed { exception, outputs, .. } = event else { unreachable!() };
    assert_eq!(exception["exception_type"], "RuntimeError");
    let kinds: Vec<_> = outputs.iter().map(|output| output.kind).collect();
    assert_eq!(kinds, [OutputKind::Images, OutputKind::Text]);
}

#[actix::test]
async fn previews_name_their_node_and_oversized_ones_are_dropped() {
    let mut settings = hurried();
    settings.limits.preview_bytes = 1000;
    let mut stage = Stage::with(Options::default(), settings).await;
    let preview = |node: &str, length: usize| Step::Preview {
        metadata: json!({"node_id": node, "prompt_id": THIS_PROMPT, "image_type": "image/jpeg"}),
        bytes: Bytes::from(vec![1; length]),
    };
    let foreign =
        Step::Preview { metadata: json!({"node_id": "9", "prompt_id": "other"}), bytes: Bytes::from_static(b"x") };
    let run = one_picture()
        .with_before("executed", preview("1", 1001))
        .with_before("executed", foreign)
        .with_before("executed", preview("2", 1000))
        .with_before("executed", Step::Binary(Bytes::from_static(&[0, 0, 0, 1, 0, 0, 0, 2, 9])));
    stage.server.script(run);
    let job = stage.assign(picture(), Vec::new());
    let previews: Vec<_> = stage
        .all(job)
        .await
        .into_iter()
        .filter_map(|event| match event {
            ReportEvent::Preview(preview) => {
                Some((preview.node_id.unwrap(), preview.content_type, preview.bytes.len()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(previews, [("2".into(), "image/jpeg", 1000), ("2".into(), "image/png", 1)]);
}

#[actix::test]
async fn message_flood_loses_no_important_report() {
    let mut run = one_picture();
    let step =
        |value: u32| text("progress", json!({"value": value, "max": 10_000, "node": "1", "prompt_id": THIS_PROMPT}));
    let place = run.steps.len() - 4;
    run.steps.splice(place..place, (1..=10_000).map(step));
    let mut stage = Stage::open().await;
    stage.server.script(run);
    let job = stage.assign(picture(), Vec::new());
    let events = stage.all(job).await;
    assert_eq!(name(events.last().unwrap()), "Finished");
    assert_eq!(events.iter().filter(|event| name(event) == "Started").count(), 1);
    stage.works().await;
}

#[actix::test]
async fn busy_worker_rejects_a_second_job() {
    let mut stage = Stage::open().await;
    stage.server.script(one_picture().with_before("executed", Step::Hold));
    let first = stage.assign(picture(), Vec::new());
    stage.reported(first, |event| name(event) == "Started").await;
    stage.is(WorkerState::Busy).await;
    while name(&stage.report(first).await) != "Progress" {}
    bounded("the server", stage.server.heard("holds", 1)).await;
    stage.server.release();
    let before = stage.assign(picture(), Vec::new());
    let mut ends = Vec::new();
    while ends.len() < 2 {
        let report = stage.any_report().await;
        if report.event.is_last() {
            ends.push((report.job, name(&report.event)));
        }
    }
    ends.sort_by_key(|(job, _)| *job != first);
    assert_eq!(ends, [(first, "Finished"), (before, "Unreachable")]);
}
