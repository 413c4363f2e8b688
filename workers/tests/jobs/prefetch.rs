//! Jobs that are posted behind the running job of a worker.

use std::time::Duration;

use verdigraph_core::Caller;
use verdigraph_core::caller::AuthMethod;
use verdigraph_core::fleet::{self, WorkerAction};
use verdigraph_core::ids::{ApiKeyId, JobId};
use verdigraph_core::jobs::{self, RunTerms, Status};
use verdigraph_scripted::{Options, Step};

use crate::harness::{one_picture, run};
use crate::platform::{Platform, graph, raw, until};

/// A node that has seen runs so short that it posts the next prompt at once.
async fn learned(workers: usize) -> Platform {
    let platform = Platform::open(workers).await;
    learn(&platform, workers).await;
    platform
}

/// Runs jobs until the node knows how long they take.
async fn learn(platform: &Platform, workers: usize) {
    for _ in 0..3 * workers {
        let job = platform.submit().await;
        platform.until_status(job, Status::Done).await;
    }
    platform.until_idle(workers).await;
}

/// Submits a job that runs until the worker is released.
async fn held(platform: &Platform) -> JobId {
    platform
        .servers
        .iter()
        .for_each(|server| server.script(one_picture().with_before("execution_success", Step::Hold)));
    let job = platform.submit().await;
    platform.until_status(job, Status::Running).await;
    job
}

/// Submits a job. Jobs through an API key enter a later lane than jobs from the pages.
async fn submit_in(platform: &Platform, auth_method: AuthMethod) -> JobId {
    let caller = Caller { auth_method, ..platform.caller.clone() };
    let submit = jobs::PromptSubmit {
        prompt: raw(&graph()),
        files: Default::default(),
        extra_data: None,
        strict: false,
        terms: RunTerms::default(),
        idempotency_key: None,
        batch: None,
        labels: jobs::JobLabels::default(),
    };
    jobs::submit_prompt(&platform.core, &caller, submit).await.expect("an accepted job").id
}

fn posts(platform: &Platform) -> usize {
    platform.servers.iter().map(|server| server.count("POST /prompt")).sum()
}

#[actix::test]
async fn next_job_is_posted_before_the_running_one_ends() {
    let platform = learned(1).await;
    let before = posts(&platform);
    let first = held(&platform).await;
    let (second, third) = (platform.submit().await, platform.submit().await);
    platform.until_status(second, Status::Connected).await;
    assert_eq!(platform.status(third).await.job.status, Status::Pending, "one, and no more");
    assert_eq!(platform.status(second).await.job.started_at, None);
    assert_eq!(posts(&platform), before + 2);
    platform.servers[0].release();
    for job in [first, second, third] {
        let done = platform.until_status(job, Status::Done).await.job;
        assert_eq!(done.attempt, 1);
    }
    assert_eq!(posts(&platform), before + 3);
    platform.audit().await;
}

#[actix::test]
async fn canceled_waiting_prompt_is_deleted_and_running_one_continues() {
    let platform = learned(1).await;
    let first = held(&platform).await;
    let second = platform.submit().await;
    platform.until_status(second, Status::Connected).await;
    jobs::cancel(&platform.core, &platform.caller, second).await.expect("it can be canceled");
    let canceled = platform.until_status(second, Status::Canceled).await.job;
    assert_eq!(canceled.credits_used, Some(0));
    assert_eq!(platform.servers[0].count("POST /interrupt"), 0, "the job that runs was interrupted");
    platform.servers[0].release();
    platform.until_status(first, Status::Done).await;
    platform.audit().await;
}

#[actix::test]
async fn waiting_prompt_is_withdrawn_when_another_worker_is_free() {
    let platform = learned(2).await;
    for server in &platform.servers {
        server.script(one_picture().with_before("execution_success", Step::Hold));
    }
    let (first, second) = (platform.submit().await, platform.submit().await);
    for job in [first, second] {
        platform.until_status(job, Status::Running).await;
    }
    let posted = || platform.servers.iter().map(|server| server.posted().len()).collect::<Vec<usize>>();
    let before = posted();
    let third = platform.submit().await;
    platform.until_status(third, Status::Connected).await;
    let behind = |server: &&verdigraph_scripted::Scripted| server.count("POST /queue") == 0;
    // The job is at either worker: the other one becomes free, or this one runs it next.
    let has_it = usize::from(posted()[1] > before[1]);
    assert!(platform.servers.iter().filter(behind).count() == 2, "nothing was deleted yet");
    platform.servers[1 - has_it].release();
    let done = platform.until_status(third, Status::Done).await.job;
    assert_eq!(done.attempt, 1, "no try was spent: {done:?}");
    assert_eq!(posted()[has_it], before[has_it] + 1, "it was posted there once");
    assert_eq!(platform.servers[has_it].count("POST /queue"), 1, "it was deleted where it waited, once");
    platform.servers[has_it].release();
    for job in [first, second] {
        platform.until_status(job, Status::Done).await;
    }
    platform.audit().await;
}

#[actix::test]
async fn waiting_prompt_is_withdrawn_when_worker_is_paused() {
    let platform = learned(1).await;
    let first = held(&platform).await;
    let second = platform.submit().await;
    platform.until_status(second, Status::Connected).await;
    let worker = platform.core.fleet.roster().views()[0].id;
    let admin = Caller::system();
    fleet::change(&platform.core, &admin, worker, WorkerAction::Pause).await.expect("a paused worker");
    let waiting = platform.until_status(second, Status::Pending).await.job;
    assert_eq!(waiting.attempt, 0, "no try was spent");
    platform.servers[0].release();
    platform.until_status(first, Status::Done).await;
    assert_eq!(platform.status(second).await.job.status, Status::Pending);
    fleet::change(&platform.core, &admin, worker, WorkerAction::Resume).await.expect("a worker");
    assert_eq!(platform.until_status(second, Status::Done).await.job.attempt, 1);
    platform.audit().await;
}

#[actix::test]
async fn waiting_prompt_is_withdrawn_for_an_earlier_lane() {
    let platform = learned(1).await;
    let first = held(&platform).await;
    let later = submit_in(&platform, AuthMethod::ApiKey(ApiKeyId::new())).await;
    platform.until_status(later, Status::Connected).await;
    let urgent = submit_in(&platform, platform.caller.auth_method).await;
    platform.until_status(urgent, Status::Connected).await;
    assert_eq!(platform.until_status(later, Status::Pending).await.job.attempt, 0);
    platform.servers[0].release();
    let mut ended = Vec::new();
    for job in [first, urgent, later] {
        ended.push(platform.until_status(job, Status::Done).await.job.started_at);
    }
    assert!(ended.is_sorted(), "{ended:?}");
    platform.audit().await;
}

#[actix::test]
async fn worker_death_costs_a_try_only_for_the_running_prompt() {
    let platform = learned(1).await;
    platform.servers[0]
        .script(run().with_before("execution_success", Step::Hold).until("execution_success", Step::Kill));
    let first = platform.submit().await;
    platform.until_status(first, Status::Running).await;
    let second = platform.submit().await;
    platform.until_status(second, Status::Connected).await;
    platform.servers[0].release();
    platform.servers[0].died().await;
    platform.servers[0].revive();
    for (job, attempt) in [(first, 2), (second, 1)] {
        assert_eq!(platform.until_status(job, Status::Done).await.job.attempt, attempt);
    }
    platform.audit().await;
}

#[actix::test]
async fn next_node_takes_over_both_prompts() {
    let platform = learned(1).await;
    let first = held(&platform).await;
    let second = platform.submit().await;
    platform.until_status(second, Status::Connected).await;
    let (posted, server) = (posts(&platform), &platform.servers[0]);
    fleet::leave(&platform.core).await.expect("it leaves");
    let successor = platform.core.another("next");
    let sockets = server.count("socket opened");
    crate::platform::start(&successor, &platform.servers, crate::stage::hurried()).await;
    until("the next node hears of it", || async { (server.count("socket opened") > sockets).then_some(()) }).await;
    server.release();
    for job in [first, second] {
        let done = until("the successor has done it", || async {
            let job = platform.status(job).await.job;
            job.status.is_terminal().then_some(job)
        })
        .await;
        assert_eq!((done.status, done.attempt), (Status::Done, 1), "{done:?}");
    }
    assert_eq!((posts(&platform), server.count("POST /interrupt")), (posted, 0), "posted once each, never stopped");
    platform.audit().await;
}

#[actix::test]
async fn slow_storage_does_not_delay_the_next_prompt() {
    const JOBS: usize = 5;
    let slow = Options { view_delay: Duration::from_millis(500), ..Options::default() };
    let platform = Platform::of(vec![slow], |_| {}).await;
    learn(&platform, 1).await;
    let (server, before) = (&platform.servers[0], posts(&platform));
    let mut all = Vec::new();
    for _ in 0..JOBS {
        server.script(one_picture().with_before("execution_success", Step::Hold));
        all.push(platform.submit().await);
    }
    for running in 1..=JOBS {
        until("the prompt runs", || async { (server.count("holds") >= running).then_some(()) }).await;
        // The prompt does not end before the next one is posted, so that a node that waits for the end never continues.
        let posted = before + JOBS.min(running + 1);
        until("the next prompt", || async { (posts(&platform) >= posted).then_some(()) }).await;
        server.release();
    }
    for job in all {
        assert_eq!(platform.until_status(job, Status::Done).await.job.attempt, 1);
    }
    platform.audit().await;
}
