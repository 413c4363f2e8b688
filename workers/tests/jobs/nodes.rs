//! Nodes that come and go while jobs run.

use verdigraph_core::fleet;
use verdigraph_core::jobs::{self, Status};
use verdigraph_scripted::Step;

use crate::harness::{one_picture, run};
use crate::platform::{Platform, start, until};
use crate::stage;

#[actix::test]
async fn jobs_of_a_node_that_went_away_are_done_by_its_successor_and_late_results_are_refused() {
    let platform = Platform::open(1).await;
    platform.servers[0].script(run().with_before("execution_success", Step::Hold));
    let job = platform.submit().await;
    platform.until_status(job, Status::Running).await;
    // The same installation, started again: the first node counts as dead, although its actors still live here.
    let successor = platform.core.another("test");
    let server = verdigraph_scripted::Scripted::start(Default::default()).unwrap();
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

/// A job runs at the only worker when its node leaves; `meanwhile` happens before the next node comes, and `then` after
/// that. The prompt must have been posted once, and nobody may have stopped it.
async fn goes_on(meanwhile: impl AsyncFnOnce(&Platform), then: impl AsyncFnOnce(&Platform)) {
    let platform = Platform::open(1).await;
    platform.servers[0].script(one_picture().with_before("execution_success", Step::Hold));
    let job = platform.submit().await;
    platform.until_status(job, Status::Running).await;
    fleet::leave(&platform.core).await.expect("it leaves");
    meanwhile(&platform).await;
    let successor = platform.core.another("next");
    start(&successor, &platform.servers, stage::hurried()).await;
    then(&platform).await;
    let done = until("the successor has done it", || async {
        let job = platform.status(job).await.job;
        job.status.is_terminal().then_some(job)
    })
    .await;
    assert_eq!((done.status, done.attempt), (Status::Done, 1), "{done:?}");
    let outputs = jobs::outputs(&platform.core, &platform.caller, job).await.unwrap();
    assert_eq!(outputs.iter().map(|output| output.pieces.len()).sum::<usize>(), 1);
    let server = &platform.servers[0];
    assert_eq!((server.count("POST /prompt"), server.count("POST /interrupt")), (1, 0), "posted once, never stopped");
    platform.audit().await;
}

#[actix::test]
async fn a_prompt_that_runs_when_its_node_leaves_goes_on_under_the_next_one() {
    let listens = async |platform: &Platform| {
        let server = &platform.servers[0];
        // The first node's, one under an id of its own, and one under the id with which the prompt was posted.
        until("the next node hears of it", || async { (server.count("socket opened") >= 3).then_some(()) }).await;
        server.release();
    };
    goes_on(async |_| {}, listens).await;
}

#[actix::test]
async fn a_prompt_that_ends_while_no_node_has_its_worker_is_collected_by_the_next_one() {
    let ends = async |platform: &Platform| {
        platform.servers[0].release();
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        until("the prompt has ended", || async {
            let queue = http.get(format!("{}/queue", platform.servers[0].url())).send().await.unwrap();
            let queue: serde_json::Value = queue.json().await.unwrap();
            queue["queue_running"].as_array().is_some_and(Vec::is_empty).then_some(())
        })
        .await;
    };
    goes_on(ends, async |_| {}).await;
}
