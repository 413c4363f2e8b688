//! Outputs of ended prompts are fetched and stored while the next prompts run.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::sync::watch;
use verdigraph_core::assets::{ContentHash, Spool};
use verdigraph_core::jobs::{self, Status};
use verdigraph_scripted::{Fault, FaultKind, Options, Step};
use verdigraph_workers::connection::{Files, FilesError, OpenFile, StoredFile};

use crate::harness::{one_picture, run};
use crate::platform::{Platform, until};
use crate::stage;

/// A storage that stores nothing until it is opened.
struct Gate {
    files: Arc<dyn Files>,
    open: watch::Receiver<bool>,
}

impl Files for Gate {
    fn open(&self, content: &ContentHash) -> BoxFuture<'static, Result<OpenFile, FilesError>> {
        self.files.open(content)
    }

    fn store(&self, file: Spool) -> BoxFuture<'static, Result<StoredFile, FilesError>> {
        let (files, mut open) = (Arc::clone(&self.files), self.open.clone());
        Box::pin(async move {
            // The sender is dropped only at the end of the test.
            drop(open.wait_for(|open| *open).await.map(|_| ()));
            files.store(file).await
        })
    }

    fn back(&self) -> BoxFuture<'static, ()> {
        self.files.back()
    }
}

async fn gated(workers: usize) -> (Platform, watch::Sender<bool>) {
    let (opener, open) = watch::channel(false);
    let options = vec![Options::default(); workers];
    let through = |files| -> Arc<dyn Files> { Arc::new(Gate { files, open }) };
    (Platform::storing(options, stage::hurried(), |_| {}, through).await, opener)
}

async fn runs(platform: &Platform, count: usize) {
    until("the prompts run", || async { (platform.servers[0].count("run") >= count).then_some(()) }).await;
}

#[actix::test]
async fn next_prompts_run_while_outputs_are_stored_up_to_a_limit() {
    let (platform, opener) = gated(1).await;
    let mut all = Vec::new();
    for _ in 0..6 {
        all.push(platform.submit().await);
    }
    runs(&platform, 3).await;
    let roster = platform.core.fleet.roster();
    until("three wait for the store", || async {
        let view = roster.views().pop()?;
        (view.job.is_none() && !roster.free().iter().any(|free| free.id == view.id)).then_some(())
    })
    .await;
    assert_eq!(platform.servers[0].count("POST /prompt"), 3, "what cannot be stored heaps up");
    for job in &all[..3] {
        platform.until_status(*job, Status::Running).await;
    }
    opener.send_replace(true);
    for job in all {
        let done = platform.until_status(job, Status::Done).await.job;
        assert_eq!(done.attempt, 1, "{done:?}");
        let outputs = jobs::outputs(&platform.core, &platform.caller, job).await.expect("outputs");
        assert_eq!(outputs.iter().map(|output| output.pieces.len()).sum::<usize>(), 1);
    }
    assert_eq!(platform.servers[0].count("POST /prompt"), 6);
    platform.audit().await;
}

#[actix::test]
async fn outputs_are_fetched_after_worker_crashes_at_next_prompt() {
    let platform = Platform::open(1).await;
    let server = &platform.servers[0];
    server.script(one_picture());
    server.script(run().until("execution_success", Step::Kill));
    server.fault(Fault::once("GET /view", FaultKind::Hang));
    let (first, second) = (platform.submit().await, platform.submit().await);
    server.died().await;
    server.heal();
    server.revive();
    for (job, attempt) in [(first, 1), (second, 2)] {
        let done = platform.until_status(job, Status::Done).await.job;
        assert_eq!(done.attempt, attempt, "{done:?}");
    }
    assert_eq!(server.count("POST /prompt"), 3, "only the prompt that was lost is posted again");
    platform.audit().await;
}

/// Every time limit of a job in the test below. A run takes milliseconds.
const LIMIT: Duration = Duration::from_secs(5);

#[actix::test]
async fn no_clock_of_a_job_runs_while_its_outputs_are_stored() {
    let (opener, open) = watch::channel(false);
    let through = |files| -> Arc<dyn Files> { Arc::new(Gate { files, open }) };
    let short = |settings: &mut verdigraph_core::settings::Settings| {
        settings.plans.iter_mut().for_each(|plan| plan.max_run_seconds = LIMIT.as_secs());
        settings.jobs.stop_seconds = LIMIT.as_secs();
    };
    let platform = Platform::storing(vec![Options::default(); 1], stage::hurried(), short, through).await;
    let job = platform.submit().await;
    runs(&platform, 1).await;
    let began = std::time::Instant::now();
    until("every time limit is over", || async { (began.elapsed() > LIMIT + Duration::from_secs(1)).then_some(()) })
        .await;
    assert_eq!(platform.status(job).await.job.status, Status::Running);
    opener.send_replace(true);
    let done = platform.until_status(job, Status::Done).await.job;
    let charged = Duration::from_millis(done.ran_ms.expect("a time").try_into().expect("a time"));
    assert!(charged < LIMIT, "charged for the storage: {done:?}");
    platform.audit().await;
}
