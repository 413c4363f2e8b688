//! How often a job's row is written, and what listeners hear of it.

use std::any::Any;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use tokio::sync::Semaphore;
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, JobEvent, Status};
use verdigraph_core::ledger::{AttachedOutcome, AttachedRow, AttachedWriter, Movement, Post};
use verdigraph_scripted::Step;

use crate::harness::one_picture;
use crate::platform::{PATIENCE, Platform, until};

/// A row whose commit takes until it is let go: the lane for rows without credits does nothing else meanwhile.
struct Slow {
    begun: Semaphore,
    go_on: Semaphore,
}

struct SlowWriter;

impl AttachedWriter for SlowWriter {
    fn order(&self) -> u8 {
        201
    }

    fn write<'a>(
        &'a self,
        _: &'a mut PgConnection,
        rows: &'a [Arc<dyn Any + Send + Sync>],
    ) -> BoxFuture<'a, sqlx::Result<Vec<AttachedOutcome>>> {
        Box::pin(async move {
            for slow in rows.iter().filter_map(|row| row.downcast_ref::<Slow>()) {
                slow.begun.add_permits(1);
                drop(slow.go_on.acquire().await);
            }
            Ok(rows.iter().map(|_| AttachedOutcome::Done).collect())
        })
    }
}

/// Holds the lane up; what is returned lets it go.
async fn hold_up(platform: &Platform) -> Arc<Slow> {
    let slow = Arc::new(Slow { begun: Semaphore::new(0), go_on: Semaphore::new(0) });
    let row: Arc<dyn Any + Send + Sync> = Arc::clone(&slow) as _;
    let (ledger, account) = (platform.core.ledger.clone(), platform.user);
    actix::spawn(async move {
        let attached = Some(AttachedRow { writer: &SlowWriter, row });
        ledger.post(Post { account, movement: Movement::None, attached }).await.expect("a slow commit");
    });
    tokio::time::timeout(PATIENCE, slow.begun.acquire()).await.expect("a commit in time").expect("a commit").forget();
    slow
}

/// Has each status that is written noted, in its order.
async fn note_writes(platform: &Platform) {
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

/// The statuses that somebody hears of who listens from before its claim to its end.
async fn heard(mut subscription: jobs::Subscription) -> Vec<Status> {
    let mut heard = std::mem::take(&mut subscription.missed);
    while !matches!(heard.last(), Some((_, JobEvent::Status(status))) if status.is_terminal()) {
        let event = tokio::time::timeout(PATIENCE, subscription.live.recv()).await;
        heard.push(event.expect("an event in time").expect("a listener that keeps up"));
    }
    let statuses = heard.into_iter().filter_map(|(_, event)| match event {
        JobEvent::Status(status) => Some(status),
        _ => None,
    });
    statuses.collect()
}

#[actix::test]
async fn moves_that_gather_behind_a_commit_go_with_the_end_of_their_job_and_nothing_of_them_is_lost() {
    let platform = Platform::open(1).await;
    note_writes(&platform).await;
    platform.servers[0].script(one_picture().with_before("execution_start", Step::Hold));
    let job = platform.submit().await;
    let (_, subscription) = jobs::subscribe(&platform.core, &platform.caller, job, None).await.expect("it is theirs");
    platform.until_status(job, Status::Connected).await;
    let slow = hold_up(&platform).await;
    platform.servers[0].release();
    let done = platform.until_status(job, Status::Done).await.job;
    let all = numbers([Status::Connecting, Status::Connected, Status::Done]);
    assert_eq!(written(&platform, job).await, all, "Running was written by itself");
    let (created, started, ended) = (done.created_at, done.started_at.expect("it has run"), done.ended_at);
    assert!(created <= started && ended.is_some_and(|ended| started <= ended), "when it began to run: {done:?}");
    assert!(
        heard(subscription).await.ends_with(&[Status::Connected, Status::Running, Status::Done]),
        "each is told of"
    );
    slow.go_on.add_permits(1);
    platform.until_idle(1).await;
    // The lane goes on, and has nothing to write of it any more.
    let after = platform.submit().await;
    platform.until_status(after, Status::Done).await;
    assert_eq!(written(&platform, job).await, all, "what was taken back was written nevertheless");
    platform.audit().await;
}

#[actix::test]
async fn a_worker_that_answers_at_once_has_a_jobs_row_written_twice_while_the_lane_is_busy() {
    let platform = Platform::open(1).await;
    note_writes(&platform).await;
    platform.servers[0].script(one_picture());
    let slow = hold_up(&platform).await;
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
        heard(subscription).await.ends_with(&[Status::Connected, Status::Running, Status::Done]),
        "each is told of"
    );
    slow.go_on.add_permits(1);
    platform.until_idle(1).await;
    platform.audit().await;
}

#[actix::test]
async fn the_end_of_a_job_waits_for_a_move_of_it_that_is_being_written() {
    let platform = Platform::open(1).await;
    note_writes(&platform).await;
    platform.servers[0].script(one_picture().with_before("execution_start", Step::Hold));
    let job = platform.submit().await;
    platform.until_status(job, Status::Connected).await;
    // Its move is written, and its commit waits for this.
    let mut lock = platform.core.db.begin().await.expect("a transaction");
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
