//! How often a job's row is written, and which statuses subscribers receive.

use std::any::Any;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tokio::sync::Semaphore;
use verdigraph_core::database;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, JobEvent, Status};
use verdigraph_core::ledger::{AttachedOutcome, AttachedRow, AttachedWriter, LedgerPost, Movement};
use verdigraph_scripted::Step;

use crate::harness::one_picture;
use crate::platform::{PATIENCE, Platform, until};

/// A row whose commit waits until it is released. It blocks the lane for rows without credits.
struct BlockedRow {
    begun: Semaphore,
    go_on: Semaphore,
}

struct BlockedRowWriter;

impl AttachedWriter for BlockedRowWriter {
    fn order(&self) -> u8 {
        201
    }

    fn write<'a>(
        &'a self,
        _: &'a mut PgConnection,
        rows: &'a [Arc<dyn Any + Send + Sync>],
    ) -> BoxFuture<'a, sqlx::Result<Vec<AttachedOutcome>>> {
        Box::pin(async move {
            for slow in rows.iter().filter_map(|row| row.downcast_ref::<BlockedRow>()) {
                slow.begun.add_permits(1);
                drop(slow.go_on.acquire().await);
            }
            Ok(rows.iter().map(|_| AttachedOutcome::Done).collect())
        })
    }
}

/// Blocks the lane until the returned row is released.
async fn block_lane(platform: &Platform) -> Arc<BlockedRow> {
    let slow = Arc::new(BlockedRow { begun: Semaphore::new(0), go_on: Semaphore::new(0) });
    let row: Arc<dyn Any + Send + Sync> = Arc::clone(&slow) as _;
    let (ledger, account) = (platform.core.ledger.clone(), platform.user);
    actix::spawn(async move {
        let attached = Some(AttachedRow { writer: &BlockedRowWriter, row });
        ledger.post(LedgerPost { account, movement: Movement::None, attached }).await.expect("a slow commit");
    });
    tokio::time::timeout(PATIENCE, slow.begun.acquire()).await.expect("a commit in time").expect("a commit").forget();
    slow
}

/// Records each status that is written, in order.
async fn record_writes(platform: &Platform) {
    sqlx::raw_sql(
        "CREATE TABLE noted (number bigserial, job uuid, status smallint);
         CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
           BEGIN INSERT INTO noted (job, status) VALUES (NEW.id, NEW.status); RETURN NEW; END $$;
         CREATE TRIGGER note AFTER UPDATE OF status ON jobs FOR EACH ROW EXECUTE FUNCTION note();
         CREATE TRIGGER note AFTER INSERT ON ended_jobs FOR EACH ROW EXECUTE FUNCTION note()",
    )
    .execute(&platform.core.db)
    .await
    .expect("a trigger");
}

async fn written(platform: &Platform, job: JobId) -> Vec<i16> {
    let noted = sqlx::query_scalar("SELECT status FROM noted WHERE job = $1 ORDER BY number").bind(job.0);
    noted.fetch_all(&platform.core.db).await.expect("what was written")
}

const fn numbers<const N: usize>(statuses: [Status; N]) -> [i16; N] {
    let mut numbers = [0; N];
    let mut at = 0;
    while at < N {
        numbers[at] = statuses[at] as i16;
        at += 1;
    }
    numbers
}

/// The statuses that a subscriber receives from before the claim to the end.
async fn received_statuses(mut subscription: jobs::EventSubscription) -> Vec<Status> {
    let mut received_statuses = std::mem::take(&mut subscription.missed);
    while !matches!(received_statuses.last(), Some((_, JobEvent::Status(status))) if status.is_terminal()) {
        let event = tokio::time::timeout(PATIENCE, subscription.live.recv()).await;
        received_statuses.push(event.expect("an event in time").expect("a listener that keeps up"));
    }
    let statuses = received_statuses.into_iter().filter_map(|(_, event)| match event {
        JobEvent::Status(status) => Some(status),
        _ => None,
    });
    statuses.collect()
}

#[actix::test]
async fn pending_status_writes_merge_with_the_end() {
    let platform = Platform::open(1).await;
    record_writes(&platform).await;
    platform.servers[0].script(one_picture().with_before("execution_start", Step::Hold));
    let job = platform.submit().await;
    let (_, subscription) = jobs::subscribe(&platform.core, &platform.caller, job, None).await.expect("it is theirs");
    platform.until_status(job, Status::Connected).await;
    platform.servers[0].heard("holds", 1).await;
    let slow = block_lane(&platform).await;
    platform.servers[0].release();
    let done = platform.until_status(job, Status::Done).await.job;
    let all = numbers([Status::Connecting, Status::Connected, Status::Done]);
    assert_eq!(written(&platform, job).await, all, "Running was written by itself");
    let (created, started, ended) = (done.created_at, done.started_at.expect("it has run"), done.ended_at);
    assert!(created <= started && ended.is_some_and(|ended| started <= ended), "when it began to run: {done:?}");
    assert!(
        received_statuses(subscription).await.ends_with(&[Status::Connected, Status::Running, Status::Done]),
        "each is told of"
    );
    slow.go_on.add_permits(1);
    platform.until_idle(1).await;
    // The lane continues, and has no more writes for the job.
    let after = platform.submit().await;
    platform.until_status(after, Status::Done).await;
    assert_eq!(written(&platform, job).await, all, "what was taken back was written nevertheless");
    platform.audit().await;
}

#[actix::test]
async fn fast_job_is_written_twice_while_the_lane_is_busy() {
    let platform = Platform::open(1).await;
    record_writes(&platform).await;
    platform.servers[0].script(one_picture());
    let slow = block_lane(&platform).await;
    let job = platform.submit().await;
    let (_, subscription) = jobs::subscribe(&platform.core, &platform.caller, job, None).await.expect("it is theirs");
    let done = platform.until_status(job, Status::Done).await.job;
    assert_eq!(
        written(&platform, job).await,
        numbers([Status::Connecting, Status::Done]),
        "once at its claim, once at its end"
    );
    assert!(done.started_at.is_some(), "{done:?}");
    assert!(
        received_statuses(subscription).await.ends_with(&[Status::Connected, Status::Running, Status::Done]),
        "each is told of"
    );
    slow.go_on.add_permits(1);
    platform.until_idle(1).await;
    platform.audit().await;
}

#[actix::test]
async fn end_waits_for_a_status_write_in_progress() {
    let platform = Platform::open(1).await;
    record_writes(&platform).await;
    platform.servers[0].script(one_picture().with_before("execution_start", Step::Hold));
    let job = platform.submit().await;
    platform.until_status(job, Status::Connected).await;
    platform.servers[0].heard("holds", 1).await;
    // The status is written, and its commit waits for this lock.
    let mut lock = database::begin(&platform.core.db).await.expect("a transaction");
    sqlx::raw_sql("LOCK TABLE ledger_commits IN SHARE MODE").execute(&mut *lock).await.expect("a lock");
    platform.servers[0].release();
    let stuck = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%ledger_commits%'
                 AND datname = current_database()";
    let is_stuck = || async {
        let count: i64 = sqlx::query_scalar(stuck).fetch_one(&platform.core.db).await.expect("a count");
        (count > 0).then_some(())
    };
    until("the commit waits", is_stuck).await;
    let finished = || async { (platform.servers[0].count("GET /view") > 0).then_some(()) };
    until("its picture is fetched", finished).await;
    lock.commit().await.expect("it goes on");
    platform.until_status(job, Status::Done).await;
    let all = numbers([Status::Connecting, Status::Connected, Status::Running, Status::Done]);
    assert_eq!(written(&platform, job).await, all);
    platform.audit().await;
}
