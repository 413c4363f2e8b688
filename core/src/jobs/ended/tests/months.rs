//! Tests of monthly partitions.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::{DateTime, Utc};
use sqlx::Connection as _;

use super::super::{ENDED, maintain_months as look_after};
use crate::database::monthly::Month;
use crate::ids::{JobId, UserId};
use crate::jobs::ended::factory;
use crate::jobs::{JobFilter, Status, find, list};
use crate::testing::TestCore;
use crate::{Caller, Clock, Error};

/// An ended job of this month, with an output.
async fn ended(core: &TestCore, user: UserId, month: Month) -> JobId {
    let id = JobId(month.new_id());
    sqlx::query(
        "INSERT INTO jobs (id, user_id, status, lane, pool, needs, vstart, prompt_hash, rate, max_run_ms, estimate_ms, created_at)
         VALUES ($1, $2, 0, 0, 'cpu', 'x', 0, 'p', 1, 1, 1, now())",
    )
    .bind(id.0)
    .bind(user.0)
    .execute(&core.db)
    .await
    .expect("a job");
    factory::end(&core.db, id, Status::Done, core.clock.now()).await;
    sqlx::query("INSERT INTO job_outputs (job_id, position, node_id, kind, text) VALUES ($1, 0, '1', 'text', 'x')")
        .bind(id.0)
        .execute(&core.db)
        .await
        .expect("an output");
    id
}

async fn table_of(core: &TestCore, job: JobId) -> String {
    let table = sqlx::query_scalar("SELECT tableoid::regclass::text FROM ended_jobs WHERE id = $1").bind(job.0);
    table.fetch_one(&core.db).await.expect("the job")
}

async fn keeping(months: u32) -> TestCore {
    TestCore::with(Clock::held(TestCore::start_of_time()), |settings| settings.jobs.keep_months = months).await
}

#[actix::test]
async fn partitions_are_created_ahead_and_take_over_rows_of_the_default_partition() {
    let core = keeping(0).await;
    let now: DateTime<Utc> = ENDED.now(&core.db).await.expect("a time");
    ENDED.drop_before(&core.db, Month::of(now).later(100)).await.expect("no months");
    let (user, month) = (UserId::new(), Month::of(now));
    let jobs = [ended(&core, user, month).await, ended(&core, user, month.later(3)).await];
    let far = ended(&core, user, month.later(4)).await;
    for job in jobs {
        assert_eq!(
            table_of(&core, job).await,
            "ended_jobs_default",
            "a job of a month without a partition did not end"
        );
    }
    assert_eq!(look_after(&core).await.expect("a round"), 4, "this month and three more");
    for (job, month) in jobs.into_iter().zip([month, month.later(3)]) {
        assert_eq!(table_of(&core, job).await, ENDED.partition_name(month), "it is not in the partition of its month");
        let seen = find(&core, &Caller::customer(user), job).await.expect("the job");
        assert_eq!(seen.status, Status::Done);
    }
    assert_eq!(table_of(&core, far).await, "ended_jobs_default");
    assert_eq!(look_after(&core).await.expect("a round"), 0, "they are made once");
    let kept = ended(&core, user, month).await;
    assert_eq!(table_of(&core, kept).await, ENDED.partition_name(month));
}

#[actix::test]
async fn old_partitions_are_dropped_while_jobs_end_and_lists_are_read() {
    let core = keeping(12).await;
    let now = Month::of(ENDED.now(&core.db).await.expect("a time"));
    let (old, first_kept) = (now.earlier(13), now.earlier(12));
    for month in [old, first_kept] {
        ENDED.make(&core.db, month).await.expect("a month");
    }
    let user = UserId::new();
    let mut gone = Vec::new();
    for _ in 0..20 {
        gone.push(ended(&core, user, old).await);
    }
    gone.push(ended(&core, user, now.earlier(14)).await);
    let kept = [ended(&core, user, first_kept).await, ended(&core, user, now).await];
    let (caller, stop) = (Caller::customer(user), Arc::new(AtomicBool::new(false)));
    let reader = actix::spawn({
        let (core, caller, stop) = (core.core.clone(), caller.clone(), Arc::clone(&stop));
        async move {
            let mut read = 0;
            while !stop.load(Ordering::Relaxed) {
                list(&core, &caller, &JobFilter::default(), None, 50).await.expect("a list during the drop");
                read += 1;
            }
            read
        }
    });
    let mut tries = 1;
    let done = loop {
        match look_after(&core).await {
            Ok(done) => break done,
            Err(error) => tracing::info!(%error, "the lists were in the way"),
        }
        tries += 1;
    };
    let during = ended(&core, user, now).await;
    stop.store(true, Ordering::Relaxed);
    reader.await.expect("a reader");
    assert!(done >= 22, "a month, a job without one and 21 outputs: {done}");
    // Each try gives up after a fifth of a second.
    assert!(tries <= 5, "the drop of a partition took {tries} tries");
    for job in gone {
        let found = find(&core, &caller, job).await;
        assert!(matches!(found, Err(Error::NotFound { .. })), "a dropped job is gone, not broken: {found:?}");
    }
    for job in kept.into_iter().chain([during]) {
        find(&core, &caller, job).await.expect("a job that is kept");
    }
    let outputs = core.database.count("SELECT count(*) FROM job_outputs").await;
    assert_eq!(outputs, 3, "outputs of dropped jobs are left");
    assert_eq!(look_after(&core).await.expect("a round"), 0, "nothing more is old");
}

#[actix::test]
async fn drop_does_not_wait_for_a_long_reader() {
    let core = keeping(1).await;
    let old = Month::of(ENDED.now(&core.db).await.expect("a time")).earlier(2);
    ENDED.make(&core.db, old).await.expect("a month");
    let mut reader = core.db.acquire().await.expect("a connection").detach();
    let mut long = reader.begin().await.expect("a transaction");
    sqlx::query("SELECT 1 FROM ended_jobs LIMIT 1").fetch_optional(&mut *long).await.expect("a look");
    let refused = look_after(&core).await;
    assert!(refused.is_err(), "it would have blocked others behind a long reader");
    assert!(ENDED.months(&core.db).await.expect("months").contains(&old), "half a month was dropped");
    long.commit().await.expect("an end");
    look_after(&core).await.expect("the next round");
    assert!(!ENDED.months(&core.db).await.expect("months").contains(&old), "the month is still there");
}
