//! Jobs that their owner cancels.

use serde_json::json;
use uuid::Uuid;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, OutputPiece, Status};
use verdigraph_core::{Caller, Error, users};
use verdigraph_scripted::Step;

use crate::harness::{endless, one_picture, run};
use crate::platform::{Platform, until};

#[actix::test]
async fn canceled_waiting_job_ends_at_once_and_releases_its_hold() {
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
async fn cancel_stops_only_its_own_job() {
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
async fn stop_from_another_node_requires_the_row() {
    let platform = Platform::open(2).await;
    for server in &platform.servers {
        server.script(endless());
    }
    let (forged, asked) = (platform.submit().await, platform.submit().await);
    platform.until_status(forged, Status::Running).await;
    platform.until_status(asked, Status::Running).await;
    let stop = async |job: JobId| {
        let message = json!({ "from": Uuid::now_v7(), "news": { "stop": job } }).to_string();
        platform.core.shared.publish("queue", message.into()).await;
    };
    stop(forged).await;
    sqlx::query("UPDATE jobs SET cancel_requested = true WHERE id = $1")
        .bind(asked.0)
        .execute(&platform.core.db)
        .await
        .expect("another node asks in the row");
    stop(asked).await;
    assert_eq!(platform.end(asked).await.job.status, Status::Canceled);
    assert_eq!(platform.status(forged).await.job.status, Status::Running, "a message alone stopped a job");
    jobs::cancel(&platform.core, &platform.caller, forged).await.unwrap();
    platform.end(forged).await;
    platform.audit().await;
}

#[actix::test]
async fn other_users_job_cannot_be_seen_or_canceled() {
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
async fn canceled_job_ends_even_if_worker_does_not_stop() {
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
async fn canceled_job_keeps_what_its_worker_had_made() {
    let platform = Platform::open(1).await;
    platform.servers[0].script(one_picture().with_before("execution_success", Step::Hold));
    let job = platform.submit().await;
    platform.servers[0].heard("holds", 1).await;
    jobs::cancel(&platform.core, &platform.caller, job).await.unwrap();
    assert_eq!(platform.end(job).await.job.status, Status::Canceled);
    let outputs = jobs::outputs(&platform.core, &platform.caller, job).await.expect("outputs");
    assert!(matches!(outputs[0].pieces[..], [(_, OutputPiece::Asset(_))]), "{outputs:?}");
    platform.audit().await;
}
