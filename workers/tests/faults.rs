//! A worker that fails in each phase of a job: what the job is told, and that the connection is of use afterwards.

mod stage;

use std::time::{Duration, Instant};

use bytes::Bytes;
use serde_json::json;
use stage::{Stage, bounded, hurried, name, picture};
use verdigraph_core::fleet::{FleetCommand, InputFile, OutputItem, OutputKind, ReportEvent, WorkerState};
use verdigraph_core::ids::JobId;
use verdigraph_workers::scripted::{Fault, Options, Run, Scripted, Step, THIS_PROMPT, What, text};

fn one_picture() -> Run {
    let shown = json!({"images": [{"filename": "a.png", "subfolder": "", "type": "output"}]});
    Run::success(&["1".into(), "2".into()], &[("2".into(), shown)], Duration::ZERO)
}

/// Runs one job on a server with this fault; says how it ended, and checks that the next one is done.
async fn ends_with(fault: Fault, expected: &str) -> Stage {
    let mut stage = Stage::open().await;
    stage.server.fault(fault.clone());
    let event = stage.run().await;
    assert_eq!(name(&event), expected, "{fault:?} ended with {event:?}");
    stage.works().await;
    stage
}

/// The same with a script for the prompt.
async fn run_ends_with(run: Run, expected: &str) -> (Stage, ReportEvent) {
    let mut stage = Stage::open().await;
    stage.server.script(run);
    let event = stage.run().await;
    assert_eq!(name(&event), expected, "ended with {event:?}");
    stage.works().await;
    (stage, event)
}

fn input(stage: &Stage, name: &str, bytes: &'static [u8]) -> InputFile {
    InputFile { name: name.into(), content: stage.files.put(Bytes::from_static(bytes)) }
}

// Connecting

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

// Uploading

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

// Posting

#[actix::test]
async fn outputs_that_the_worker_leaves_out_are_told_or_refuse_a_job_that_wants_all() {
    let mut stage = Stage::open().await;
    let errors = json!({"5": {"errors": [], "dependent_outputs": ["6"], "class_type": "EmptyImage"}});
    let run = || Run { node_errors: Some(errors.clone()), ..one_picture() };
    stage.server.script(run());
    let job = stage.assign(picture(), Vec::new());
    let events = stage.all(job).await;
    let told = events.iter().find_map(|event| match event {
        ReportEvent::Partial { node_errors } => Some(node_errors),
        _ => None,
    });
    assert_eq!(told, Some(&errors), "{events:?}");
    assert_eq!(name(events.last().unwrap()), "Finished");
    stage.idle().await;

    stage.server.script(run().with_before("execution_start", Step::Hold));
    stage.strict = true;
    let job = stage.assign(picture(), Vec::new());
    let event = stage.last(job).await;
    assert!(matches!(&event, ReportEvent::Refused { validation } if validation["node_errors"] == errors), "{event:?}");
    bounded("the prompt is stopped", stage.server.heard("POST /interrupt", 1)).await;
    stage.works().await;
}

#[actix::test]
async fn a_worker_that_dies_before_it_answers_the_prompt_has_lost_it() {
    ends_with(Fault::once("POST /prompt", What::Kill), "Lost").await;
    ends_with(Fault::once("POST /prompt", What::KillAfter), "Lost").await;
}

#[actix::test]
async fn a_prompt_that_was_taken_without_an_answer_is_found_and_finished() {
    let stage = ends_with(Fault::once("POST /prompt", What::DropAfter), "Finished").await;
    assert_eq!(stage.server.count("run"), 2, "the prompt must not run twice");
}

#[actix::test]
async fn a_prompt_that_was_not_taken_goes_elsewhere() {
    let stage = ends_with(Fault::once("POST /prompt", What::Drop), "Unreachable").await;
    assert_eq!(stage.server.count("run"), 1);
}

#[actix::test]
async fn a_server_that_was_started_again_while_we_posted_has_not_got_the_prompt() {
    let mut stage = Stage::open().await;
    stage.server.fault(Fault::once("POST /prompt", What::Kill));
    let job = stage.assign(picture(), Vec::new());
    bounded("the server's death", stage.server.died()).await;
    stage.server.revive();
    assert_eq!(name(&stage.last(job).await), "Unreachable");
    stage.works().await;
}

#[actix::test]
async fn an_answer_that_breaks_the_protocol_breaks_the_attempt() {
    ends_with(Fault::once("POST /prompt", What::Status(500, "500 Internal Server Error".into())), "Broke").await;
    ends_with(Fault::once("POST /prompt", What::Status(404, String::new())), "Broke").await;
    ends_with(Fault::once("POST /prompt", What::Body("hello".into())), "Broke").await;
    ends_with(Fault::once("POST /prompt", What::Body("{}".into())), "Broke").await;
}

#[actix::test]
async fn a_hanging_post_is_given_up() {
    let mut settings = hurried();
    settings.timeouts.prompt = Duration::from_millis(200);
    let mut stage = Stage::with(Options::default(), settings).await;
    stage.server.fault(Fault::once("POST /prompt", What::Hang));
    assert_eq!(name(&stage.run().await), "Unreachable");
    stage.works().await;
}

// Running

#[actix::test]
async fn a_job_is_reported_step_by_step() {
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
async fn a_job_survives_its_socket() {
    let run = one_picture().with_before("executed", Step::CutSocket);
    run_ends_with(run.clone(), "Finished").await;
    run_ends_with(run.with_before("executed", Step::AwaitSocket), "Finished").await;
}

#[actix::test]
async fn the_socket_comes_back_under_the_same_client_id_while_a_prompt_runs() {
    let mut stage = Stage::open().await;
    let run = one_picture().with_before("executed", Step::CutSocket).with_before("executed", Step::AwaitSocket);
    stage.server.script(run);
    let job = stage.assign(picture(), Vec::new());
    // The script goes on only when a socket with the prompt's own client id is there again.
    assert_eq!(name(&stage.last(job).await), "Finished");
}

#[actix::test]
async fn a_forgotten_socket_is_made_good_by_the_history() {
    for message in ["execution_start", "execution_success"] {
        let run = one_picture().with_before(message, Step::ForgetSocket);
        let (stage, _) = run_ends_with(run, "Finished").await;
        bounded("the second socket", stage.server.heard("socket opened", 2)).await;
        assert_eq!(stage.server.count("socket opened"), 2, "a socket that hears nothing is of no use to the next job");
    }
}

#[actix::test]
async fn a_worker_that_dies_while_running_has_lost_the_job() {
    let (_, event) = run_ends_with(one_picture().until("executed", Step::Kill), "Lost").await;
    assert!(matches!(event, ReportEvent::Lost { reason } if !reason.is_empty()));
}

#[actix::test]
async fn a_worker_that_was_started_again_is_known_to_have_lost_the_job_at_once() {
    let mut settings = hurried();
    settings.pace.grace = Duration::from_secs(25);
    let mut stage = Stage::with(Options::default(), settings).await;
    stage.server.script(one_picture().until("executed", Step::Restart));
    let begun = Instant::now();
    assert_eq!(name(&stage.run().await), "Lost");
    assert!(begun.elapsed() < Duration::from_secs(10), "the new server's empty queue tells it without waiting");
    stage.works().await;
}

#[actix::test]
async fn a_job_that_vanished_from_the_queue_is_lost() {
    let run = Run { steps: vec![Step::Vanish], unrecorded: true, ..Run::default() };
    run_ends_with(run, "Lost").await;
}

#[actix::test]
async fn some_rubbish_on_the_socket_does_no_harm_and_much_of_it_breaks_the_attempt() {
    let rubbish = |count: usize| {
        let mut run = one_picture();
        let lines = ["{", "null", "\u{0}", r#"{"type": "executed", "data": []}"#, r#"{"type": 7}"#];
        for index in 0..count {
            run = run.with_before("executed", Step::Raw(lines[index % lines.len()].into()));
        }
        run.with_before("executed", Step::Binary(Bytes::from_static(&[0, 0])))
            .with_before("executed", Step::Binary(Bytes::from_static(&[0, 0, 0, 99, 1])))
            .with_before("executed", text("something_new", json!({"a": 1})))
            .with_before("executed", text("executing", json!({"node": "1", "prompt_id": "of-somebody-else"})))
    };
    run_ends_with(rubbish(10), "Finished").await;
    run_ends_with(rubbish(200), "Broke").await;
}

#[actix::test]
async fn a_failing_node_tells_everything_and_keeps_what_was_made_before() {
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
async fn previews_name_their_node_and_large_ones_are_dropped() {
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
async fn ten_thousand_messages_lose_no_report_that_matters() {
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
async fn a_busy_worker_sends_a_second_job_elsewhere_and_goes_on() {
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

#[actix::test]
async fn a_silent_worker_that_answers_is_waited_for_and_one_that_does_not_is_given_up() {
    let mut settings = hurried();
    settings.pace.silence = Duration::from_millis(400);
    settings.timeouts.answer = Duration::from_millis(150);
    let mut stage = Stage::with(Options::default(), settings).await;
    stage.server.script(one_picture().with_before("executed", Step::Hold));
    let job = stage.assign(picture(), Vec::new());
    bounded("the server", stage.server.heard("holds", 1)).await;
    // Long enough for the silence to be over several times; each answer of the queue is a sign of life.
    bounded("the server", stage.server.heard("GET /queue", 12)).await;
    stage.server.fault(Fault::always("GET /", What::Hang));
    let event = stage.last(job).await;
    assert_eq!(name(&event), "Silent", "{event:?}");
    stage.works().await;
}

#[actix::test]
async fn a_worker_that_claims_to_run_for_ever_is_given_up() {
    let mut settings = hurried();
    settings.pace.silence_hard = Duration::from_millis(600);
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
    settings.pace.silence_hard = Duration::from_millis(600);
    let mut stage = Stage::with(Options::default(), settings).await;
    post_held(&stage, "somebody else").await;
    bounded("the server", stage.server.heard("holds", 1)).await;
    assert_eq!(name(&stage.run().await), "Lost");
    stage.server.release();
    stage.works().await;
}

// Ending

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

// Stopping

#[actix::test]
async fn a_running_job_is_interrupted_and_no_other() {
    let mut stage = Stage::open().await;
    stage.server.script(one_picture().with_before("executed", Step::Hold));
    let job = stage.assign(picture(), Vec::new());
    bounded("the server", stage.server.heard("holds", 1)).await;
    stage.stop(JobId::new());
    stage.stop(job);
    stage.stop(job);
    let events = stage.all(job).await;
    assert_eq!(name(events.last().unwrap()), "Interrupted");
    stage.stop(job);
    stage.works().await;
}

#[actix::test]
async fn a_waiting_job_is_deleted_and_nothing_is_interrupted() {
    let mut stage = Stage::open().await;
    stage.server.script(Run { steps: vec![Step::AwaitDelete], ..Run::default() });
    let job = stage.assign(picture(), Vec::new());
    stage.reported(job, |event| name(event) == "Accepted").await;
    stage.stop(job);
    let event = stage.last(job).await;
    assert!(matches!(event, ReportEvent::Interrupted { ran_ms: 0, .. }), "{event:?}");
    assert_eq!(stage.server.count("POST /interrupt"), 0, "an interrupt could hit somebody else's prompt");
    stage.works().await;
}

#[actix::test]
async fn a_stop_before_the_prompt_is_posted_posts_nothing() {
    let mut stage = Stage::open().await;
    stage.server.fault(Fault::once("POST /upload/image", What::Hang));
    let job = stage.assign(picture(), vec![input(&stage, "a.png", b"a")]);
    bounded("the server", stage.server.heard("POST /upload/image", 1)).await;
    stage.stop(job);
    assert_eq!(name(&stage.last(job).await), "Interrupted");
    assert_eq!(stage.server.count("POST /prompt"), 0);
    stage.works().await;
}

#[actix::test]
async fn a_stop_while_the_prompt_is_posted_stops_it_as_soon_as_it_is_found() {
    let mut stage = Stage::open().await;
    stage.server.script(one_picture().with_before("execution_success", Step::Hold));
    stage.server.fault(Fault::once("POST /prompt", What::DropAfter));
    let job = stage.assign(picture(), Vec::new());
    stage.stop(job);
    assert_eq!(name(&stage.last(job).await), "Interrupted");
    stage.works().await;
}

#[actix::test]
async fn a_job_that_ended_before_the_stop_is_finished() {
    let mut stage = Stage::open().await;
    stage.server.script(one_picture().with_before("execution_start", Step::ForgetSocket));
    stage.server.fault(Fault::once("POST /queue", What::Status(500, String::new())));
    let job = stage.assign(picture(), Vec::new());
    stage.reported(job, |event| name(event) == "Accepted").await;
    bounded("the server", stage.server.heard("run", 1)).await;
    stage.stop(job);
    assert_eq!(name(&stage.last(job).await), "Finished", "history decides the race between end and stop");
}

#[actix::test]
async fn a_stop_whose_socket_is_gone_is_still_carried_out() {
    let mut stage = Stage::open().await;
    stage.server.script(one_picture().with_before("executed", Step::ForgetSocket).with_before("executed", Step::Hold));
    let job = stage.assign(picture(), Vec::new());
    bounded("the server", stage.server.heard("holds", 1)).await;
    stage.stop(job);
    assert_eq!(name(&stage.last(job).await), "Interrupted");
    stage.works().await;
}

// Operators

#[actix::test]
async fn draining_finishes_the_job_and_takes_no_other() {
    let mut stage = Stage::open().await;
    stage.server.script(one_picture().with_before("executed", Step::Hold));
    let job = stage.assign(picture(), Vec::new());
    bounded("the server", stage.server.heard("holds", 1)).await;
    stage.command(FleetCommand::Drain(stage.worker));
    stage.is(WorkerState::Draining).await;
    stage.server.release();
    assert_eq!(name(&stage.last(job).await), "Finished");
    let refused = stage.assign(picture(), Vec::new());
    assert_eq!(name(&stage.last(refused).await), "Unreachable");
    stage.command(FleetCommand::Resume(stage.worker));
    stage.works().await;
}

#[actix::test]
async fn a_paused_worker_stays_connected_and_works_when_resumed() {
    let mut stage = Stage::open().await;
    stage.command(FleetCommand::Pause(stage.worker));
    stage.is(WorkerState::Paused).await;
    let refused = stage.assign(picture(), Vec::new());
    assert_eq!(name(&stage.last(refused).await), "Unreachable");
    assert_eq!(stage.server.count("socket closed"), 0);
    stage.command(FleetCommand::Resume(stage.worker));
    stage.works().await;
}

#[actix::test]
async fn removing_a_worker_gives_its_job_away_and_stops_the_prompt() {
    let mut stage = Stage::open().await;
    stage.server.script(one_picture().with_before("executed", Step::Hold));
    let job = stage.assign(picture(), Vec::new());
    bounded("the server", stage.server.heard("holds", 1)).await;
    stage.command(FleetCommand::Remove(stage.worker));
    assert_eq!(name(&stage.last(job).await), "Lost");
    stage.is(WorkerState::Gone).await;
    bounded("the server", stage.server.heard("POST /interrupt", 1)).await;
    bounded("the server", stage.server.heard("socket closed", 1)).await;
    stage.command(FleetCommand::Add(stage.config()));
    stage.works().await;
}

#[actix::test]
async fn a_changed_address_moves_the_connection() {
    let mut stage = Stage::open().await;
    let other = Scripted::start(Options { version: "0.3.64".into(), ..Options::default() }).unwrap();
    let mut config = stage.config();
    config.url = other.url();
    stage.command(FleetCommand::Add(config));
    bounded("the server", stage.server.heard("socket closed", 1)).await;
    bounded("the server", other.heard("socket opened", 1)).await;
    stage.server = other;
    let at_the_new_one = |changed: &verdigraph_core::fleet::WorkerChanged| {
        changed.state == WorkerState::Idle
            && changed.capabilities.as_ref().is_some_and(|capable| capable.version.as_deref() == Some("0.3.64"))
    };
    stage.until("moved", at_the_new_one).await;
    stage.works().await;
}
