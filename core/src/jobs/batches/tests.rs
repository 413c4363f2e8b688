//! Tests of the end of batches.

use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Batch, batch_status, cancel_batch, finish_batches, open_batch, receive_batch, store as batches};
use crate::database;
use crate::events::EventKind;
use crate::ids::{JobId, UserId, WorkflowApiId};
use crate::jobs::tests::{hold, stage};
use crate::jobs::{Status, ended, forget};
use crate::ledger::{GrantKind, LedgerPost, Movement};
use crate::testing::TestCore;
use crate::{Caller, Core};

/// A batch with a job that waits.
async fn batch(core: &TestCore, user: UserId) -> (Batch, JobId) {
    let batch = open_batch(core, &Caller::customer(user), Some("mine".into())).await.expect("a batch");
    (batch.clone(), job(core, &batch).await)
}

/// Another job of a batch.
async fn job(core: &TestCore, batch: &Batch) -> JobId {
    let (job, source) = (JobId::new(), Uuid::now_v7().to_string());
    let movement = Movement::Grant { kind: GrantKind::Operator, source, amount: 10, expires_at: None };
    core.ledger.post(LedgerPost { account: batch.user, movement, attached: None }).await.expect("a grant");
    hold(core, batch.user, job, batch.id).await;
    job
}

async fn end(core: &TestCore, job: JobId, status: Status) {
    ended::factory::end(&core.db, job, status, core.clock.now()).await;
}

async fn finish(core: &Core) -> u64 {
    finish_batches(core).await.expect("a round")
}

async fn finished_at(core: &TestCore, batch: &Batch) -> Option<DateTime<Utc>> {
    let owner = Caller::customer(batch.user);
    batch_status(core, &owner, batch.id).await.expect("a status").batch.finished_at
}

/// The data of the events about the end of a batch.
async fn end_events(core: &TestCore, batch: &Batch) -> Vec<Value> {
    sqlx::query_scalar(
        "SELECT data::jsonb FROM events_outbox WHERE kind = $1 AND batch_id = $2 AND user_id = $3 ORDER BY seq",
    )
    .bind(EventKind::BatchFinished as i16)
    .bind(batch.id.0)
    .bind(batch.user.0)
    .fetch_all(&core.db)
    .await
    .expect("events")
}

#[actix::test]
async fn one_node_finishes_a_batch_when_its_last_job_has_ended() {
    let core = stage().await;
    let other = core.another("other");
    let (batch, first) = batch(&core, UserId::new()).await;
    let second = job(&core, &batch).await;
    end(&core, first, Status::Done).await;
    assert_eq!((finish(&core).await, finished_at(&core, &batch).await), (0, None), "a job waits");
    end(&core, second, Status::ExecuteError).await;
    core.clock.advance(Duration::seconds(5));
    let (one, two) = tokio::join!(finish(&core), finish(&other));
    assert_eq!(one + two, 1, "each batch has one end");
    let at = core.clock.now();
    assert_eq!(finished_at(&core, &batch).await, Some(at));
    let listed = batches::of_user(&core.db, batch.user, None, 1).await.expect("batches");
    assert_eq!(listed[0].finished_at, Some(at));
    let facts = json!({
        "key": "mine", "total": 2, "counts": { "Done": 1, "ExecuteError": 1 },
        "createdAt": batch.created_at, "finishedAt": at,
    });
    assert_eq!(end_events(&core, &batch).await, [facts]);
    assert_eq!(finish(&core).await, 0, "a second event was written");
}

#[actix::test]
async fn late_job_opens_a_finished_batch_again_and_an_upload_without_new_jobs_does_not() {
    let core = stage().await;
    let (batch, first) = batch(&core, UserId::new()).await;
    end(&core, first, Status::Done).await;
    assert_eq!(finish(&core).await, 1);
    let again = open_batch(&core, &Caller::customer(batch.user), Some("mine".into())).await.expect("the same");
    assert_eq!(again.id, batch.id);
    receive_batch(&core, &again).await.expect("an upload").end().await;
    assert_eq!(finish(&core).await, 0, "the file had nothing new");
    assert!(finished_at(&core, &batch).await.is_some());

    let late = job(&core, &batch).await;
    assert_eq!((finish(&core).await, finished_at(&core, &batch).await), (0, None));
    end(&core, late, Status::Done).await;
    assert_eq!(finish(&core).await, 1);
    let totals: Vec<_> = end_events(&core, &batch).await.into_iter().map(|data| data["total"].clone()).collect();
    assert_eq!(totals, [json!(1), json!(2)]);
}

#[actix::test]
async fn batch_is_not_finished_during_an_upload() {
    let core = stage().await;
    let (batch, first) = batch(&core, UserId::new()).await;
    let (one, two) = (receive_batch(&core, &batch).await, receive_batch(&core, &batch).await);
    end(&core, first, Status::Done).await;
    assert_eq!(finish(&core).await, 0, "two uploads are under way");
    one.expect("an upload").end().await;
    assert_eq!(finish(&core).await, 0, "the other upload is under way");
    // A broken connection drops the upload.
    drop(two.expect("an upload"));
    let until = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while finish(&core).await == 0 {
        assert!(std::time::Instant::now() < until, "a broken upload blocks the end of its batch");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    assert_eq!(end_events(&core, &batch).await.len(), 1);
}

#[actix::test]
async fn upload_of_a_lost_node_blocks_the_end_of_its_batch_until_its_lease_expires() {
    let core = stage().await;
    let (batch, first) = batch(&core, UserId::new()).await;
    end(&core, first, Status::Done).await;
    let until = core.clock.now() + Duration::seconds(30);
    batches::renew_upload(&core.db, Uuid::now_v7(), batch.id, until).await.expect("the upload of a lost node");
    core.clock.advance(Duration::seconds(29));
    assert_eq!(finish(&core).await, 0);
    core.clock.advance(Duration::seconds(1));
    assert_eq!(finish(&core).await, 1);
    assert_eq!(core.database.count("SELECT count(*) FROM job_batch_uploads").await, 0);
}

#[actix::test]
async fn canceled_batch_is_finished_and_one_without_jobs_is_not() {
    let core = stage().await;
    let (batch, _) = batch(&core, UserId::new()).await;
    job(&core, &batch).await;
    let owner = Caller::customer(batch.user);
    let empty = open_batch(&core, &owner, None).await.expect("a batch");
    cancel_batch(&core, &owner, batch.id).await.expect("canceled");
    assert_eq!(finish(&core).await, 1);
    assert_eq!(end_events(&core, &batch).await[0]["counts"], json!({ "Canceled": 2 }));
    assert_eq!(finished_at(&core, &empty).await, None);
    assert!(end_events(&core, &empty).await.is_empty());
    let report = crate::ledger::reconcile(&core.db).await.expect("an audit");
    assert!(report.is_clean() && report.held == 0, "{report:?}");
}

#[actix::test]
async fn job_that_is_accepted_during_the_finish_of_its_batch_opens_it_again() {
    let core = stage().await;
    let (batch, first) = batch(&core, UserId::new()).await;
    end(&core, first, Status::Done).await;
    let mut finishing = database::begin(&core.db).await.expect("a transaction");
    batches::lock_open(&mut finishing, batch.id).await.expect("a lock").expect("an open batch");
    assert_eq!(finish(&core).await, 0, "another node has the lock");
    let finishes = async {
        // The job's commit waits for this one.
        core.database.wait_for_locks(1).await;
        batches::finish(&mut finishing, batch.id, core.clock.now()).await.expect("an end");
        finishing.commit().await.expect("a commit");
    };
    let (late, ()) = tokio::join!(job(&core, &batch), finishes);
    assert_eq!((finish(&core).await, finished_at(&core, &batch).await), (0, None), "its job waits");
    end(&core, late, Status::Done).await;
    assert_eq!(finish(&core).await, 1);

    let mut accepting = database::begin(&core.db).await.expect("a transaction");
    job(&core, &batch).await;
    batches::open(&mut accepting, &[batch.id.0]).await.expect("an open batch");
    assert_eq!(finish(&core).await, 0, "a job is being added to it");
}

#[actix::test]
async fn batches_of_a_deleted_account_end_without_an_event() {
    let core = stage().await;
    let (batch, first) = batch(&core, UserId::new()).await;
    end(&core, first, Status::Done).await;
    forget(&core, batch.user).await.expect("forgotten");
    assert_eq!(finish(&core).await, 0);
    assert!(end_events(&core, &batch).await.is_empty());
}

/// A version of a workflow API.
async fn version(core: &TestCore, app: WorkflowApiId) -> Uuid {
    sqlx::query(
        "INSERT INTO workflow_apis (id, workflow_id, user_id, current_version_id, created_at, updated_at)
         VALUES ($1, $1, $1, $1, now(), now()) ON CONFLICT (id) DO NOTHING",
    )
    .bind(app.0)
    .execute(&core.db)
    .await
    .expect("a workflow api");
    sqlx::query_scalar(
        "INSERT INTO workflow_api_versions (id, workflow_api_id, template, inputs, outputs, fields, created_at)
         VALUES (gen_random_uuid(), $1, '{}', '[]', '[]', '[]', now()) RETURNING id",
    )
    .bind(app.0)
    .fetch_one(&core.db)
    .await
    .expect("a version")
}

#[actix::test]
async fn batch_belongs_to_a_workflow_api_if_all_of_its_jobs_ran_it() {
    let core = stage().await;
    let (app, other) = (WorkflowApiId::new(), WorkflowApiId::new());
    let (one, two) = (version(&core, app).await, version(&core, app).await);
    let foreign = version(&core, other).await;
    for (first, second, belongs_to) in [
        (Some(one), Some(one), Some(app)),
        (Some(one), Some(two), Some(app)),
        (Some(foreign), Some(foreign), Some(other)),
        (Some(one), Some(foreign), None),
        (Some(one), None, None),
        (None, None, None),
        // The version is gone with its workflow API.
        (Some(one), Some(Uuid::now_v7()), None),
    ] {
        let (batch, job_one) = batch(&core, UserId::new()).await;
        let job_two = job(&core, &batch).await;
        for (job, version) in [(job_one, first), (job_two, second)] {
            end(&core, job, Status::Done).await;
            let sql =
                "UPDATE ended_jobs SET version_id = $2, prompt_hash = CASE WHEN $2 IS NULL THEN 'p' END WHERE id = $1";
            sqlx::query(sql).bind(job.0).bind(version).execute(&core.db).await.expect("what it ran");
        }
        assert_eq!(finish(&core).await, 1);
        let told: Option<Uuid> =
            sqlx::query_scalar("SELECT workflow_api_id FROM events_outbox WHERE kind = $1 AND batch_id = $2")
                .bind(EventKind::BatchFinished as i16)
                .bind(batch.id.0)
                .fetch_one(&core.db)
                .await
                .expect("an event");
        assert_eq!(told.map(WorkflowApiId), belongs_to, "{first:?} and {second:?}");
    }
}
