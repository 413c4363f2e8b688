//! Jobs that are stopped in each phase.

use verdigraph_core::fleet::ReportEvent;
use verdigraph_core::ids::JobId;
use verdigraph_scripted::{Fault, FaultKind, Run, Step};

use crate::harness::{input, one_picture};
use crate::stage::{Stage, bounded, name, picture};

#[actix::test]
async fn stop_interrupts_only_its_own_prompt() {
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
async fn stopped_waiting_job_is_deleted_without_interrupt() {
    let mut stage = Stage::open().await;
    stage.server.script(Run { steps: vec![Step::AwaitDelete], ..Run::default() });
    let job = stage.assign(picture(), Vec::new());
    stage.reported(job, |event| name(event) == "Accepted").await;
    stage.stop(job);
    let event = stage.last(job).await;
    assert!(matches!(event, ReportEvent::Interrupted { ran_ms: 0, .. }), "{event:?}");
    assert_eq!(stage.server.count("POST /interrupt"), 0, "an interrupt could hit another client's prompt");
    stage.works().await;
}

#[actix::test]
async fn stop_before_the_post_posts_nothing() {
    let mut stage = Stage::open().await;
    stage.server.fault(Fault::once("POST /upload/image", FaultKind::Hang));
    let job = stage.assign(picture(), vec![input(&stage, "a.png", b"a")]);
    bounded("the server", stage.server.heard("POST /upload/image", 1)).await;
    stage.stop(job);
    assert_eq!(name(&stage.last(job).await), "Interrupted");
    assert_eq!(stage.server.count("POST /prompt"), 0);
    stage.works().await;
}

#[actix::test]
async fn stop_during_the_post_stops_the_prompt_once_found() {
    let mut stage = Stage::open().await;
    stage.server.script(one_picture().with_before("execution_success", Step::Hold));
    stage.server.fault(Fault::once("POST /prompt", FaultKind::DropAfter));
    let job = stage.assign(picture(), Vec::new());
    stage.stop(job);
    assert_eq!(name(&stage.last(job).await), "Interrupted");
    stage.works().await;
}

#[actix::test]
async fn job_that_ended_before_the_stop_is_finished() {
    let mut stage = Stage::open().await;
    stage.server.script(one_picture().with_before("execution_start", Step::ForgetSocket));
    stage.server.fault(Fault::once("POST /queue", FaultKind::Status(500, String::new())));
    let job = stage.assign(picture(), Vec::new());
    stage.reported(job, |event| name(event) == "Accepted").await;
    bounded("the server", stage.server.heard("ended", 1)).await;
    stage.stop(job);
    assert_eq!(name(&stage.last(job).await), "Finished", "history decides the race between end and stop");
}

#[actix::test]
async fn stop_works_without_a_socket() {
    let mut stage = Stage::open().await;
    stage.server.script(one_picture().with_before("executed", Step::ForgetSocket).with_before("executed", Step::Hold));
    let job = stage.assign(picture(), Vec::new());
    bounded("the server", stage.server.heard("holds", 1)).await;
    stage.stop(job);
    assert_eq!(name(&stage.last(job).await), "Interrupted");
    stage.works().await;
}
