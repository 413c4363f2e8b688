//! Jobs that succeed: outputs, events, and retries after a loss.

use serde_json::json;
use verdigraph_core::jobs::{self, JobEvent, OutputPiece, RunTerms, Status};
use verdigraph_core::ledger::Balance;
use verdigraph_core::{Caller, users};
use verdigraph_scripted::Step;

use crate::harness::run;
use crate::platform::{PATIENCE, Platform, graph, raw, until};

#[actix::test]
async fn job_stores_its_picture_and_charges_its_time() {
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
async fn events_cover_the_job_in_order() {
    let platform = Platform::open(1).await;
    platform.servers[0].script(run().with_before("execution_start", Step::Hold));
    let job = platform.submit().await;
    let mut live = jobs::subscribe(&platform.core, &platform.caller, job, None).await.unwrap().1.live;
    platform.servers[0].heard("holds", 1).await;
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
async fn job_of_a_dead_worker_runs_at_another() {
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

#[actix::test]
async fn job_with_missing_pictures_is_retried() {
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
async fn job_behind_another_clients_prompt_reports_worker_queue() {
    let platform = Platform::open(1).await;
    let server = &platform.servers[0];
    server.script(run().with_before("execution_success", Step::Hold));
    let foreign = json!({ "prompt": graph(), "client_id": "another" }).to_string();
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
async fn many_jobs_of_one_user_do_not_delay_another() {
    let platform = Platform::open(1).await;
    platform.servers[0].script(run().with_before("execution_success", Step::Hold));
    let first = platform.submit().await;
    platform.servers[0].heard("holds", 1).await;
    let mut many = Vec::new();
    for _ in 0..30 {
        many.push(platform.submit().await);
    }
    let newcomer = users::factory::user().insert(&platform.core.db).await;
    let mut prompt = graph();
    prompt["2"]["inputs"]["filename_prefix"] = json!("newcomer");
    let submit = jobs::PromptSubmit {
        prompt: raw(&prompt),
        files: Default::default(),
        extra_data: None,
        strict: false,
        terms: RunTerms::default(),
        idempotency_key: None,
        batch: None,
        labels: jobs::JobLabels::default(),
    };
    let job = jobs::submit_prompt(&platform.core, &Caller::customer(newcomer), submit).await.unwrap().id;
    platform.servers[0].release();
    until("the newcomer's job has ended", || async {
        let job = jobs::find(&platform.core, &Caller::customer(newcomer), job).await.unwrap();
        job.status.is_terminal().then_some(())
    })
    .await;
    for job in many.iter().chain([&first]) {
        platform.end(*job).await;
    }
    // The worker runs prompts in the order of their posts. Their outputs are stored beside each other, in any order.
    let posted = platform.servers[0].posted();
    let place = posted.iter().position(|body| body.contains("newcomer")).expect("the newcomer's prompt");
    let before = place - 1;
    assert!(before <= 2, "{before} of thirty jobs went before the newcomer's");
    platform.audit().await;
}
