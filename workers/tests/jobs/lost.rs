//! Effects of a lost or unreachable worker on the running job, on the one behind it, and on one whose outputs are being
//! fetched.

use std::time::Duration;

use verdigraph_core::jobs::{self, Status};
use verdigraph_scripted::{Fault, FaultKind, Options, Scripted, Step};

use crate::harness::{one_picture, run};
use crate::platform::{Platform, until};
use crate::stage;

/// A platform with one worker, and longer patience than any of these tests takes.
async fn open() -> Platform {
    let mut patience = stage::hurried();
    patience.pace.gone = Duration::from_secs(60);
    patience.pace.silence = Duration::from_secs(60);
    patience.pace.collect = Duration::from_secs(60);
    Platform::patient(vec![Options::default()], patience, |_| {}).await
}

/// Makes the server unreachable. It keeps running.
fn cut(server: &Scripted) {
    for on in ["GET /", "POST /"] {
        server.fault(Fault::always(on, FaultKind::Drop));
    }
    server.cut_sockets();
}

#[actix::test]
async fn job_behind_a_worker_killer_loses_no_try() {
    let platform = open().await;
    for _ in 0..3 {
        let job = platform.submit().await;
        platform.until_status(job, Status::Done).await;
    }
    platform.until_idle(1).await;
    let server = &platform.servers[0];
    for _ in 0..3 {
        server.script(run().with_before("execution_success", Step::Hold).until("execution_success", Step::Restart));
    }
    let killer = platform.submit().await;
    platform.until_status(killer, Status::Running).await;
    let behind = platform.submit().await;
    platform.until_status(behind, Status::Connected).await;
    server.release();
    // The job that waited may meet a good run or another death. It succeeds in its first attempt.
    let killed = until("the first try is over", || async {
        let job = platform.status(killer).await.job;
        (job.attempt > 1 || job.status == Status::Pending).then_some(job)
    });
    killed.await;
    let waiting = platform.status(behind).await.job;
    assert!(waiting.attempt <= 1, "it never began, and a try was taken from it: {waiting:?}");
    let done = until("the job behind it is over", || async {
        server.release();
        let job = platform.status(behind).await.job;
        job.status.is_terminal().then_some(job)
    });
    let done = done.await;
    assert_eq!(done.status, Status::Done, "{done:?}");
    jobs::cancel(&platform.core, &platform.caller, killer).await.expect("it can be canceled");
    server.release();
    platform.end(killer).await;
    platform.audit().await;
}

#[actix::test]
async fn prompt_finished_while_unreachable_is_not_rerun() {
    let platform = open().await;
    let server = &platform.servers[0];
    server.script(one_picture().with_before("execution_success", Step::Hold));
    let job = platform.submit().await;
    platform.until_status(job, Status::Running).await;
    cut(server);
    server.release();
    // Many times as long as the grace for a worker whose process is gone.
    let asked = server.count("GET /history");
    server.heard("GET /history", asked + 100).await;
    server.heal();
    let done = platform.end(job).await.job;
    assert_eq!((done.status, done.attempt), (Status::Done, 1), "{done:?}");
    let outputs = jobs::outputs(&platform.core, &platform.caller, job).await.expect("outputs");
    assert_eq!(outputs.iter().map(|output| output.pieces.len()).sum::<usize>(), 1);
    assert_eq!((server.count("POST /prompt"), server.count("POST /interrupt")), (1, 0), "posted once, never stopped");
    platform.audit().await;
}

#[actix::test]
async fn interrupted_fetch_continues_when_worker_returns() {
    let platform = open().await;
    let server = &platform.servers[0];
    server.script(one_picture());
    server.fault(Fault::always("GET /view", FaultKind::CutBody(10)));
    let job = platform.submit().await;
    server.heard("GET /view", 6).await;
    server.heal();
    let done = platform.end(job).await.job;
    assert_eq!((done.status, done.attempt), (Status::Done, 1), "{done:?}");
    assert_eq!(server.count("POST /prompt"), 1);
    platform.audit().await;
}

#[actix::test]
async fn unposted_prompt_loses_no_try() {
    let platform = open().await;
    let server = &platform.servers[0];
    // The connection is refused. The socket stays open until the server is known to be gone.
    server.fault(Fault::once("POST /prompt", FaultKind::Kill));
    let job = platform.submit().await;
    server.died().await;
    server.revive();
    let done = platform.end(job).await.job;
    assert_eq!(done.status, Status::Done, "{done:?}");
    assert_eq!(done.attempt, 1, "the worker died before it had the prompt");
    platform.audit().await;
}

#[actix::test]
async fn job_shows_since_when_its_worker_is_unanswered() {
    let platform = open().await;
    let server = &platform.servers[0];
    server.script(run().with_before("execution_success", Step::Hold));
    let job = platform.submit().await;
    server.heard("run", 1).await;
    platform.until_status(job, Status::Running).await;
    let why = || async { jobs::why(&platform.core, &platform.caller, job).await.expect("a reason") };
    assert_eq!(why().await.code.name(), "RUNNING");
    cut(server);
    let is = |code: &'static str| async move { Some(why().await).filter(|why| why.code.name() == code) };
    let told = until("a silent worker", || is("WORKER_SILENT")).await;
    assert!(told.details["since"].is_string() && told.details["patienceSeconds"].is_u64(), "{told:?}");
    server.heal();
    until("a worker that is back", || is("RUNNING")).await;
    server.release();
    let done = platform.end(job).await.job;
    assert_eq!((done.status, done.attempt), (Status::Done, 1), "{done:?}");
    platform.audit().await;
}
