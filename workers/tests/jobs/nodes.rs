//! Nodes that come and go while jobs run.

use verdigraph_core::jobs::{self, Status};
use verdigraph_scripted::Step;

use crate::harness::run;
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
