//! Jobs from submit to their end, on scripted workers over real sockets.

mod platform;
#[expect(dead_code, reason = "shared with the tests of connections")]
mod stage;

use std::time::Duration;

use platform::{PATIENCE, Platform, graph, raw, start, until};
use serde_json::json;
use verdigraph_core::assets::AssetKind;
use verdigraph_core::graph::Prompt;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, FormSubmit, JobEvent, OutputPiece, Status};
use verdigraph_core::ledger::Balance;
use verdigraph_core::mini_apps::{self, InputEntry, NewMiniApp, OutputEntry, describe_input, describe_output};
use verdigraph_core::{Caller, Error, Result, assets, users, workflows};
use verdigraph_workers::scripted::{Fault, Options, Run, Step, THIS_PROMPT, What, text};

fn nodes() -> Vec<String> {
    vec!["1".into(), "2".into()]
}

fn run() -> Run {
    Run::success(&nodes(), &[], Duration::ZERO)
}

/// A run that goes on until somebody interrupts it.
fn endless() -> Run {
    let mut run = run().until("execution_success", Step::AwaitInterrupt);
    run.steps.push(text(
        "execution_interrupted",
        json!({"prompt_id": THIS_PROMPT, "node_id": "2", "node_type": "SaveImage", "executed": ["1"], "timestamp": null}),
    ));
    run.steps.push(text("executing", json!({"node": null, "prompt_id": THIS_PROMPT})));
    run
}

#[actix::test]
async fn a_prompt_runs_from_submit_to_done_with_its_picture_kept_and_its_time_charged() {
    let platform = Platform::open(1).await;
    let job = platform.submit().await;
    let done = platform.until_status(job, Status::Done).await.job;
    assert_eq!(done.attempt, 1);
    assert!(done.started_at.is_some() && done.ended_at.is_some());
    let outputs = jobs::outputs(&platform.core, &platform.caller, job).await.unwrap();
    let [output] = outputs.as_slice() else { panic!("one output node, found {outputs:?}") };
    assert_eq!(output.node_id, "2");
    let [(kind, OutputPiece::Asset(asset))] = output.pieces.as_slice() else { panic!("one picture: {output:?}") };
    assert_eq!((kind.as_str(), asset.width, asset.user), ("images", Some(16), platform.user));
    assert!(asset.is_private, "a picture is its owner's until it is published");
    let Balance { available, held } = platform.balance().await;
    assert_eq!((available, held), (6000 - done.credits_used.unwrap(), 0));
    platform.audit().await;
}

#[actix::test]
async fn events_tell_the_whole_way_in_order() {
    let platform = Platform::open(1).await;
    platform.servers[0].script(run().with_before("execution_start", Step::Hold));
    let job = platform.submit().await;
    let mut live = jobs::subscribe(&platform.core, &platform.caller, job, None).await.unwrap().1.live;
    platform.servers[0].heard("run", 1).await;
    platform.servers[0].release();
    let mut seen = Vec::new();
    let listened = async {
        loop {
            if let JobEvent::Status(status) = live.recv().await.unwrap().1 {
                seen.push(status);
                if status.is_terminal() {
                    return;
                }
            }
        }
    };
    tokio::time::timeout(PATIENCE, listened).await.expect("a terminal status");
    let order = [Status::Connecting, Status::Connected, Status::Running, Status::Done];
    let expected: Vec<Status> = order.into_iter().filter(|status| seen.contains(status)).collect();
    assert_eq!(seen, expected, "no status twice, none before its time");
    assert!(seen.ends_with(&[Status::Running, Status::Done]));
    platform.audit().await;
}

#[actix::test]
async fn a_job_whose_worker_dies_while_it_runs_is_done_by_another_one() {
    let platform = Platform::open(2).await;
    for server in &platform.servers {
        server.script(run().until("execution_success", Step::Kill));
    }
    let job = platform.submit().await;
    until("both workers died", || async {
        platform.servers.iter().all(|server| server.count("run") > 0).then_some(())
    })
    .await;
    for server in &platform.servers {
        server.revive();
    }
    let done = platform.until_status(job, Status::Done).await.job;
    assert_eq!(done.attempt, 3, "two tries were lost, the third was not");
    platform.audit().await;
}

/// Runs one job on a worker that is spoilt for good; every try meets the same fault.
async fn ends_as(fault: Fault, expected: Status) {
    let platform = Platform::open(1).await;
    platform.servers[0].fault(fault.clone());
    let job = platform.submit().await;
    let ended = platform.end(job).await.job;
    assert_eq!(ended.status, expected, "{fault:?}: {:?}", ended.validate_exception);
    assert_eq!(ended.attempt, 3, "{fault:?}: two more tries come before the end");
    assert_eq!(ended.credits_used, Some(0), "nobody pays for a worker's fault");
    let why = ended.validate_exception.unwrap()["message"].as_str().unwrap().to_owned();
    assert!(why.contains("500") && why.contains("boom"), "the owner is told what the worker answered: {why}");
    assert_eq!(platform.balance().await, Balance { available: 6000, held: 0 });
    platform.audit().await;
}

#[actix::test]
async fn a_worker_that_answers_rubbish_to_every_prompt_ends_as_worker_exception_error() {
    ends_as(Fault::always("POST /prompt", What::Status(500, "boom".into())), Status::WorkerExceptionError).await;
}

#[actix::test]
async fn a_worker_that_dies_in_every_run_ends_as_worker_shutdown_error() {
    let platform = Platform::open(1).await;
    for _ in 0..3 {
        platform.servers[0].script(run().until("execution_success", Step::Restart));
    }
    let job = platform.submit().await;
    let ended = platform.end(job).await.job;
    assert_eq!((ended.status, ended.attempt), (Status::WorkerShutdownError, 3));
    assert_eq!(platform.balance().await, Balance { available: 6000, held: 0 });
    platform.audit().await;
}

#[actix::test]
async fn a_refusal_of_the_worker_ends_as_invalid_prompt_and_says_which_node() {
    let platform = Platform::open(1).await;
    let body = json!({
        "error": {"type": "prompt_outputs_failed_validation", "message": "Prompt outputs failed validation", "details": ""},
        "node_errors": {"2": {"errors": [{"type": "x", "message": "no", "details": "", "extra_info": {}}],
                               "dependent_outputs": ["2"], "class_type": "SaveImage"}},
    });
    platform.servers[0].script(Run { refusal: Some((400, body.to_string())), ..Run::default() });
    let job = platform.submit().await;
    let ended = platform.end(job).await.job;
    assert_eq!((ended.status, ended.attempt), (Status::InvalidPrompt, 1), "the same graph is refused again elsewhere");
    assert!(ended.validate_exception.unwrap()["node_errors"]["2"].is_object());
    assert_eq!(platform.balance().await.available, 6000);
    platform.audit().await;
}

#[actix::test]
async fn a_node_that_raises_ends_as_execute_error_and_says_what_was_raised() {
    let platform = Platform::open(1).await;
    platform.servers[0].script(Run::failure(&nodes(), Duration::ZERO));
    let job = platform.submit().await;
    let ended = platform.end(job).await.job;
    assert_eq!(ended.status, Status::ExecuteError);
    assert_eq!(ended.execute_exception.unwrap()["exception_type"], "RuntimeError");
    platform.audit().await;
}

#[actix::test]
async fn a_waiting_job_is_canceled_at_once_and_gives_its_hold_back() {
    let platform = Platform::open(1).await;
    platform.servers[0].script(run().with_before("execution_success", Step::Hold));
    let running = platform.submit().await;
    platform.until_status(running, Status::Running).await;
    let waiting = platform.submit().await;
    until("it is next: a place is told as it was at most a second ago", || async {
        (platform.status(waiting).await.queue.expect("a place in the queue").position == 1).then_some(())
    })
    .await;
    let canceled = jobs::cancel(&platform.core, &platform.caller, waiting).await.unwrap();
    assert_eq!(canceled.status, Status::Canceled);
    let again = jobs::cancel(&platform.core, &platform.caller, waiting).await.unwrap();
    assert_eq!(again.status, Status::Canceled, "harmless when repeated");
    platform.servers[0].release();
    platform.until_status(running, Status::Done).await;
    platform.audit().await;
}

#[actix::test]
async fn a_running_job_is_canceled_and_no_other() {
    let platform = Platform::open(2).await;
    for server in &platform.servers {
        server.script(endless());
    }
    let (one, other) = (platform.submit().await, platform.submit().await);
    platform.until_status(one, Status::Running).await;
    platform.until_status(other, Status::Running).await;
    jobs::cancel(&platform.core, &platform.caller, one).await.unwrap();
    let ended = platform.end(one).await.job;
    assert_eq!(ended.status, Status::Canceled);
    assert_eq!(platform.status(other).await.job.status, Status::Running, "the neighbour goes on");
    jobs::cancel(&platform.core, &platform.caller, other).await.unwrap();
    platform.end(other).await;
    platform.audit().await;
}

#[actix::test]
async fn a_job_of_somebody_else_can_be_neither_seen_nor_canceled() {
    let platform = Platform::open(1).await;
    let job = platform.submit().await;
    let stranger = Caller::customer(users::factory::user().insert(&platform.core.db).await);
    let seen = jobs::find(&platform.core, &stranger, job).await;
    assert!(matches!(seen, Err(Error::NotFound { .. })), "{seen:?}");
    let canceled = jobs::cancel(&platform.core, &stranger, job).await;
    assert!(matches!(canceled, Err(Error::NotFound { .. })), "{canceled:?}");
    platform.end(job).await;
    platform.audit().await;
}

#[actix::test]
async fn who_has_no_credits_is_refused_and_nothing_is_left_behind() {
    let platform =
        Platform::with(1, |settings| settings.plans.iter_mut().for_each(|plan| plan.monthly_credits = 0)).await;
    let refused = platform.try_submit(graph(), None).await;
    assert!(matches!(refused, Err(Error::OutOfCredits { needed: 1, available: 0 })), "{refused:?}");
    let mine = jobs::list(&platform.core, &platform.caller, &jobs::JobFilter::default(), None, 10).await.unwrap();
    assert!(mine.is_empty(), "a refused job leaves no row");
    platform.audit().await;
}

#[actix::test]
async fn a_job_is_stopped_when_the_credits_run_out_and_says_so() {
    let platform = Platform::with(1, |settings| {
        settings.plans.iter_mut().for_each(|plan| plan.monthly_credits = 2);
        settings.jobs.hold_seconds = 1;
    })
    .await;
    platform.servers[0].script(endless());
    let job = platform.submit().await;
    let ended = platform.end(job).await.job;
    assert_eq!(ended.status, Status::ExecutionTimeout);
    assert!(ended.validate_exception.unwrap()["message"].as_str().unwrap().contains("credits"));
    let balance = platform.balance().await;
    assert!(balance.available >= 0 && balance.held == 0, "never negative: {balance:?}");
    platform.audit().await;
}

#[actix::test]
async fn a_job_that_runs_longer_than_its_plan_allows_is_stopped() {
    let platform = Platform::with(1, |settings| {
        settings.plans.iter_mut().for_each(|plan| plan.max_run_seconds = 1);
    })
    .await;
    platform.servers[0].script(endless());
    let job = platform.submit().await;
    let ended = platform.end(job).await.job;
    assert_eq!(ended.status, Status::ExecutionTimeout);
    assert!(ended.credits_used.unwrap() >= 1, "the time on the worker is charged");
    platform.audit().await;
}

#[actix::test]
async fn a_worker_that_does_not_stop_does_not_keep_a_canceled_job_for_ever() {
    let platform = Platform::with(1, |settings| settings.jobs.stop_seconds = 1).await;
    platform.servers[0].script(run().with_before("execution_success", Step::Hold));
    let job = platform.submit().await;
    platform.until_status(job, Status::Running).await;
    jobs::cancel(&platform.core, &platform.caller, job).await.unwrap();
    assert_eq!(platform.end(job).await.job.status, Status::Canceled);
    platform.servers[0].release();
    platform.audit().await;
}

#[actix::test]
async fn a_repeated_request_with_the_same_key_gives_the_first_job_again() {
    let platform = Platform::open(1).await;
    let first = platform.try_submit(graph(), Some("key-1")).await.unwrap();
    let again = platform.try_submit(graph(), Some("key-1")).await.unwrap();
    assert_eq!(first.id, again.id);
    let mut other = graph();
    other["1"]["inputs"]["color"] = json!(7);
    let mismatch = platform.try_submit(other, Some("key-1")).await;
    assert!(matches!(mismatch, Err(Error::IdempotencyMismatch)), "{mismatch:?}");
    let (left, right) =
        futures_util::join!(platform.try_submit(graph(), Some("k2")), platform.try_submit(graph(), Some("k2")));
    // The second of two presses waits for the first, and is answered with its job.
    let (left, right) = (left.expect("a job"), right.expect("a job"));
    assert_eq!(left.id, right.id);
    assert_ne!(left.replayed, right.replayed, "one of them made the job");
    let mine = jobs::list(&platform.core, &platform.caller, &jobs::JobFilter::default(), None, 10).await.unwrap();
    assert_eq!(mine.len(), 2, "two keys, two jobs");
    for job in mine {
        platform.end(job.id).await;
    }
    platform.audit().await;
}

#[actix::test]
async fn a_repeated_request_is_answered_as_the_first_time_even_where_it_would_be_refused_by_now() {
    let platform = Platform::with(1, |settings| {
        settings.plans.iter_mut().for_each(|plan| plan.max_queued_jobs = 1);
    })
    .await;
    platform.servers[0].kill();
    until("the worker is gone", || async { platform.core.fleet.roster().free().is_empty().then_some(()) }).await;
    let first = platform.try_submit(graph(), Some("k1")).await.unwrap();
    let another = platform.try_submit(graph(), Some("k2")).await;
    assert!(matches!(another, Err(Error::RateLimited { .. })), "one may wait: {another:?}");
    assert_eq!(platform.try_submit(graph(), Some("k1")).await.unwrap().id, first.id);
    jobs::cancel(&platform.core, &platform.caller, first.id).await.unwrap();
    let second = platform.try_submit(graph(), Some("k2")).await.expect("a refused key is as good as new");
    jobs::cancel(&platform.core, &platform.caller, second.id).await.unwrap();
    platform.audit().await;
}

#[actix::test]
async fn a_graph_with_faults_is_refused_before_any_worker_is_asked_and_all_of_them_are_told() {
    let platform = Platform::open(1).await;
    let prompt = json!({
        "1": {"class_type": "EmptyImage", "inputs": {"width": 0, "height": "x", "batch_size": 1, "color": 0}},
        "2": {"class_type": "SaveImage", "inputs": {"images": ["9", 0], "filename_prefix": "t"}},
        "3": {"class_type": "NoSuchNode", "inputs": {}},
        "4": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "t"}},
    });
    let refused = platform.try_submit(prompt, None).await;
    let Err(Error::InvalidPrompt { validation }) = refused else { panic!("{refused:?}") };
    let faults = validation["node_errors"].as_object().unwrap();
    assert_eq!(faults.keys().collect::<Vec<_>>(), ["1", "2", "3"], "{validation:#}");
    assert_eq!(faults["1"]["errors"].as_array().unwrap().len(), 2, "width and height: {validation:#}");
    assert_eq!(platform.servers[0].count("POST /prompt"), 0);
    platform.audit().await;
}

/// A mini app of somebody's that others run, with one field; and that field's name.
async fn app(platform: &Platform, prompt: &serde_json::Value, node: &str, input: &str) -> (mini_apps::MiniApp, String) {
    let core = &platform.core;
    let author = users::factory::user().insert(&core.db).await;
    let definitions = core.fleet.roster().definitions(&["cpu".to_owned()]);
    let workflow = workflows::workflow(author).prompt(prompt.clone()).published(core.clock.now());
    let workflow = workflow.insert(&core.db).await;
    let prompt = Prompt::from_value(prompt.clone()).expect("a prompt");
    let (last, _) = prompt.0.last().expect("an output");
    let entry = describe_input(&definitions, &prompt, node, input).expect("an input");
    let output = describe_output(&definitions, &prompt, last).expect("an output");
    let inputs = [(format!("{node}.{input}"), InputEntry { order: 1, ..entry })].into_iter().collect();
    let outputs = [(last.clone(), OutputEntry { order: 1, ..output })].into_iter().collect();
    let new = NewMiniApp { workflow: workflow.id, inputs, outputs };
    let app = mini_apps::save(core, &Caller::customer(author), &definitions, new).await.expect("a mini app");
    let field = mini_apps::version(core, app.version).await.expect("a version").fields()[0].name.clone();
    (app, field)
}

async fn run_app(
    platform: &Platform,
    app: &mini_apps::MiniApp,
    field: &str,
    value: serde_json::Value,
) -> Result<JobId> {
    let form = [(field.to_owned(), value)].into_iter().collect();
    let submit = FormSubmit { app: app.id, form, idempotency_key: None, batch: None };
    Ok(jobs::submit_form(&platform.core, &platform.caller, submit).await?.id)
}

#[actix::test]
async fn a_run_of_a_mini_app_counts_once_when_it_is_done_and_not_otherwise() {
    let platform = Platform::open(1).await;
    let (app, field) = app(&platform, &graph(), "1", "width").await;
    let launches = async || {
        workflows::settle_visits(&platform.core).await.expect("counts that are settled");
        workflows::find(&platform.core, &Caller::guest(), app.workflow.id).await.expect("a post").launch_count
    };
    platform.servers[0].script(Run::failure(&nodes(), Duration::ZERO));
    let failed = run_app(&platform, &app, &field, json!(32)).await.expect("a job");
    platform.until_status(failed, Status::ExecuteError).await;
    platform.until_idle(1).await;
    platform.servers[0].script(endless());
    let canceled = run_app(&platform, &app, &field, json!(48)).await.expect("a job");
    platform.until_status(canceled, Status::Running).await;
    jobs::cancel(&platform.core, &platform.caller, canceled).await.expect("a cancel");
    platform.until_status(canceled, Status::Canceled).await;
    platform.until_idle(1).await;
    let raw = platform.submit().await;
    platform.until_status(raw, Status::Done).await;
    assert_eq!(launches().await, 0, "what did not end well counts, or what was no run of it");
    for (number, width) in [(1, 64), (2, 80)] {
        let done = run_app(&platform, &app, &field, json!(width)).await.expect("a job");
        platform.until_status(done, Status::Done).await;
        until("the run counts", || async { (launches().await >= number).then_some(()) }).await;
        assert_eq!(launches().await, number, "a run counts twice");
    }
    platform.audit().await;
}

#[actix::test]
async fn a_job_whose_pictures_its_worker_has_lost_is_done_at_the_next_try() {
    let platform = Platform::open(1).await;
    let first = platform.submit().await;
    platform.until_status(first, Status::Done).await;
    platform.until_idle(1).await;
    platform.servers[0].clean_outputs();
    let job = platform.submit().await;
    let done = platform.until_status(job, Status::Done).await.job;
    assert_eq!(done.attempt, 2, "the first try found nothing where its picture should lie");
    assert_eq!(platform.servers[0].count("POST /free"), 1, "the worker was not asked to forget what is gone");
    let outputs = jobs::outputs(&platform.core, &platform.caller, job).await.expect("outputs");
    assert!(matches!(outputs[0].pieces.as_slice(), [(_, OutputPiece::Asset(_))]), "{outputs:?}");
    platform.audit().await;
}

#[actix::test]
async fn a_job_behind_a_prompt_of_somebody_elses_says_that_it_stands_in_the_workers_queue() {
    let platform = Platform::open(1).await;
    let server = &platform.servers[0];
    server.script(run().with_before("execution_success", Step::Hold));
    let foreign = json!({ "prompt": graph(), "client_id": "somebody" }).to_string();
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let posted = client.post(format!("{}/prompt", server.url())).body(foreign);
    let posted = posted.header("content-type", "application/json").send().await.expect("an answer");
    assert_eq!(posted.status(), 200);
    server.heard("run", 1).await;
    let job = platform.submit().await;
    platform.until_status(job, Status::Connected).await;
    let why = jobs::why(&platform.core, &platform.caller, job).await.expect("a reason");
    assert_eq!(why.code.name(), "QUEUED_AT_WORKER", "{why:?}");
    server.release();
    platform.until_status(job, Status::Done).await;
    assert_eq!(jobs::why(&platform.core, &platform.caller, job).await.expect("a reason").code.name(), "ENDED");
    platform.audit().await;
}

#[actix::test]
async fn an_uploaded_sound_and_film_reach_the_worker_each_time_and_another_kind_is_refused() {
    let mut options = Options::default();
    for (class, input, flag) in [("LoadAudio", "audio", "audio_upload"), ("LoadVideo", "file", "video_upload")] {
        options.object_info[class] = json!({
            "input": {"required": {input: [["example"], {flag: true}]}}, "input_order": {"required": [input]},
            "output": ["AUDIO"], "output_is_list": [false], "output_name": ["AUDIO"], "name": class,
            "display_name": class, "description": "", "python_module": "nodes", "category": "audio",
            "output_node": false,
        });
    }
    let platform = Platform::of(vec![options], |_| {}).await;
    let (core, caller) = (&platform.core, &platform.caller);
    let film = verdigraph_core::testing::MP4.to_vec();
    let sound = assets::upload_played(core, caller, "a.wav", AssetKind::Audio, verdigraph_core::testing::wav())
        .await
        .expect("a sound");
    let film = assets::upload_played(core, caller, "a.mp4", AssetKind::Video, film).await.expect("a film");
    let mut ended = Vec::new();
    for (class, input, asset, other) in [("LoadAudio", "audio", &sound, &film), ("LoadVideo", "file", &film, &sound)] {
        let loading = json!({
            "1": {"class_type": class, "inputs": {input: "example"}},
            "2": {"class_type": "PreviewAny", "inputs": {"source": ["1", 0]}},
        });
        let submit = jobs::PromptSubmit {
            prompt: raw(&loading),
            files: [("example".to_owned(), asset.id)].into(),
            extra_data: None,
            strict: false,
            idempotency_key: None,
            batch: None,
        };
        let job = jobs::submit_prompt(core, caller, submit).await.expect("a job").id;
        platform.until_status(job, Status::Done).await;
        let posted = platform.servers[0].posted().pop().expect("a prompt");
        let posted: serde_json::Value = serde_json::from_str(&posted).expect("JSON");
        let name = posted["prompt"]["1"]["inputs"][input].as_str().expect("a name").to_owned();
        let bytes = core.files.storage.get(&asset.stored.content).await.expect("its bytes");
        assert_eq!(platform.servers[0].uploaded(&name), Some(bytes), "{class} finds no {name}");

        let (app, field) = app(&platform, &loading, "1", input).await;
        let refused = run_app(&platform, &app, &field, json!(other.id)).await;
        assert!(matches!(&refused, Err(Error::Invalid { field: told, .. }) if *told == field), "{class}: {refused:?}");
        let run = run_app(&platform, &app, &field, json!(asset.id)).await.expect("a file of the kind");
        platform.until_status(run, Status::Done).await;

        for first in [job, run] {
            let again = jobs::again(core, caller, first, None).await.expect("the same once more").id;
            platform.until_status(again, Status::Done).await;
            let posted = platform.servers[0].posted().pop().expect("a prompt");
            assert!(posted.contains(&name), "{posted} has no {name}");
        }
        ended.extend([job, run]);
    }
    let stranger = Caller::customer(users::factory::user().insert(&core.db).await);
    let refused = jobs::again(core, &stranger, ended[0], None).await;
    assert!(matches!(refused, Err(Error::NotFound { .. })), "{refused:?}");
    let owner = caller.user.expect("somebody");
    assert_eq!(assets::delete(core, owner, &[sound.id, film.id]).await.expect("an answer"), 2);
    for job in ended {
        let refused = jobs::again(core, caller, job, None).await;
        assert!(matches!(refused, Err(Error::Invalid { .. } | Error::InvalidFields { .. })), "{refused:?}");
    }
    platform.audit().await;
}

#[actix::test]
async fn a_job_that_no_worker_can_run_any_more_ends_as_connect_error() {
    let platform = Platform::with(1, |settings| settings.jobs.no_worker_seconds = 1).await;
    platform.servers[0].kill();
    until("the worker is gone", || async { platform.core.fleet.roster().free().is_empty().then_some(()) }).await;
    let job = platform.submit().await;
    let ended = platform.end(job).await.job;
    assert_eq!(ended.status, Status::ConnectError);
    assert!(ended.validate_exception.unwrap()["message"].as_str().unwrap().contains("no worker"));
    assert_eq!(platform.balance().await, Balance { available: 6000, held: 0 });
    platform.audit().await;
}

#[actix::test]
async fn jobs_of_a_node_that_went_away_are_done_by_its_successor_and_late_results_are_refused() {
    let platform = Platform::open(1).await;
    platform.servers[0].script(run().with_before("execution_success", Step::Hold));
    let job = platform.submit().await;
    platform.until_status(job, Status::Running).await;
    // The same installation, started again: the first node counts as dead, although its actors still live here.
    let successor = platform.core.another("test");
    let server = verdigraph_workers::scripted::Scripted::start(Default::default()).unwrap();
    start(&successor, std::slice::from_ref(&server), stage::hurried()).await;
    let done = until("the successor has done it", || async {
        let job = platform.status(job).await.job;
        job.status.is_terminal().then_some(job)
    })
    .await;
    assert_eq!((done.status, done.attempt), (Status::Done, 2));
    platform.servers[0].release();
    platform.until_idle(1).await;
    let still = platform.status(job).await.job;
    assert_eq!(still.ended_at, done.ended_at, "the stale node's late result changed nothing");
    let outputs = jobs::outputs(&platform.core, &platform.caller, job).await.unwrap();
    assert_eq!(outputs.iter().map(|output| output.pieces.len()).sum::<usize>(), 1, "no output twice");
    platform.audit().await;
}

#[actix::test]
async fn many_jobs_of_one_account_do_not_keep_another_one_waiting() {
    let platform = Platform::open(1).await;
    platform.servers[0].script(run().with_before("execution_success", Step::Hold));
    let first = platform.submit().await;
    platform.until_status(first, Status::Running).await;
    let mut many = Vec::new();
    for _ in 0..30 {
        many.push(platform.submit().await);
    }
    let newcomer = users::factory::user().insert(&platform.core.db).await;
    let submit = jobs::PromptSubmit {
        prompt: raw(&graph()),
        files: Default::default(),
        extra_data: None,
        strict: false,
        idempotency_key: None,
        batch: None,
    };
    let job = jobs::submit_prompt(&platform.core, &Caller::customer(newcomer), submit).await.unwrap().id;
    platform.servers[0].release();
    let ended = until("the newcomer's job has ended", || async {
        let job = jobs::find(&platform.core, &Caller::customer(newcomer), job).await.unwrap();
        job.status.is_terminal().then_some(job)
    })
    .await;
    let mut before = 0;
    for job in &many {
        let status = platform.end(*job).await.job;
        before += usize::from(status.ended_at < ended.ended_at);
    }
    assert!(before <= 2, "{before} of thirty jobs went before the newcomer's");
    platform.audit().await;
}
