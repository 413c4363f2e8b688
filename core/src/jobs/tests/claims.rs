//! What workers that are free ask the rows for.

use std::time::Duration;

use super::*;
use crate::jobs::flight::claims::ClaimRound;

/// The jobs that a round finds.
async fn found(round: &mut ClaimRound, core: &Core) -> usize {
    let asked = round.round(core, &core.db);
    tokio::time::timeout(Duration::from_secs(10), asked).await.expect("an end of the round").len()
}

#[actix::test]
async fn nobody_asks_again_for_a_job_that_they_cannot_run() {
    let core = stage().await;
    for _ in 0..6 {
        worker(&core, "cpu", &["Sharpen"], Some(WorkerState::Idle), false).await;
    }
    let mut round = ClaimRound::default();
    Laid::default().insert(&core).await;
    core.queue.waiting().heard("cpu", Lane::Interactive, 1);
    // Needs of theirs that nothing waits for; else they would not ask at all.
    sqlx::query(r#"INSERT INTO job_needs VALUES ('sharpen', '{"classes": ["Sharpen"], "models": []}', now())"#)
        .execute(&core.db)
        .await
        .expect("needs");
    core.queue.note_new_needs();
    assert_eq!(found(&mut round, &core).await, 0);

    let mut lock = core.db.begin().await.expect("a transaction");
    sqlx::raw_sql("LOCK TABLE jobs IN ACCESS EXCLUSIVE MODE").execute(&mut *lock).await.expect("a lock");
    for other in ["blur", "grow"] {
        assert_eq!(found(&mut round, &core).await, 0, "whoever asked would wait for the lock");
        drop(core.queue.arrivals().coming("cpu", Lane::Interactive, other));
    }
    lock.rollback().await.expect("the lock is gone");

    let theirs = Laid::default().insert(&core).await;
    sqlx::query("UPDATE jobs SET needs = 'sharpen' WHERE id = $1")
        .bind(theirs.0)
        .execute(&core.db)
        .await
        .expect("a job");
    assert_eq!(found(&mut round, &core).await, 0, "nobody has said that it came");
    drop(core.queue.arrivals().coming("cpu", Lane::Interactive, "sharpen"));
    assert_eq!(found(&mut round, &core).await, 1);
}

#[actix::test]
async fn a_job_that_is_not_to_be_tried_yet_is_asked_for_until_it_is() {
    let core = stage().await;
    worker(&core, "cpu", &["Blur"], Some(WorkerState::Idle), false).await;
    Laid { pauses: Some(3), ..Laid::default() }.insert(&core).await;
    core.queue.waiting().heard("cpu", Lane::Interactive, 1);
    let mut round = ClaimRound::default();
    assert_eq!(found(&mut round, &core).await, 0);
    core.clock.advance(chrono::Duration::seconds(4));
    assert_eq!(found(&mut round, &core).await, 1, "nothing came, and its time has");
}

#[actix::test]
async fn a_worker_finds_a_job_behind_more_than_it_looks_at_first_that_others_are_taking() {
    let core = stage().await;
    worker(&core, "cpu", &["Blur"], Some(WorkerState::Idle), false).await;
    for vstart in 0..21 {
        Laid { vstart, ..Laid::default() }.insert(&core).await;
    }
    core.queue.waiting().heard("cpu", Lane::Interactive, 21);
    let mut others = core.db.begin().await.expect("a transaction");
    let taking = "SELECT id FROM jobs ORDER BY vstart LIMIT $1 FOR UPDATE SKIP LOCKED";
    sqlx::query(taking).bind(20).execute(&mut *others).await.expect("locks");
    let mut round = ClaimRound::default();
    assert_eq!(found(&mut round, &core).await, 1);
    let vstart: i64 =
        sqlx::query_scalar("SELECT vstart FROM jobs WHERE status = 1").fetch_one(&core.db).await.expect("it");
    assert_eq!(vstart, 20);

    // Where others are taking all that is there, what they give back is found without anything having come.
    let idle = worker(&core, "cpu", &["Blur"], Some(WorkerState::Idle), false).await;
    assert_eq!(found(&mut round, &core).await, 0);
    others.rollback().await.expect("they are gone");
    let claimed = round.round(&core, &core.db).await;
    assert!(claimed.iter().any(|(_, worker)| worker.id == idle));
}
