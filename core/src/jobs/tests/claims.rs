//! Tests of claims.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;

use super::*;
use crate::database;
use crate::jobs::flight::claims::ClaimRound;

/// The number of jobs that a round claims.
async fn found(round: &mut ClaimRound, core: &Core) -> usize {
    let asked = round.claim_all(core, &core.db);
    tokio::time::timeout(Duration::from_secs(20), asked).await.expect("an end of the round").len()
}

#[actix::test]
async fn workers_do_not_claim_again_for_jobs_that_they_cannot_run() {
    let core = stage().await;
    for _ in 0..6 {
        worker(&core, "cpu", &["Sharpen"], Some(WorkerState::Idle), false).await;
    }
    let mut round = ClaimRound::default();
    TestJob::default().insert(&core).await;
    core.queue.waiting().raise_to("cpu", Lane::Interactive, 1);
    // Needs that the workers meet and no job has; without them the workers would not claim at all.
    sqlx::query(r#"INSERT INTO job_needs VALUES ('sharpen', '{"classes": ["Sharpen"], "models": []}', now())"#)
        .execute(&core.db)
        .await
        .expect("needs");
    core.queue.note_new_needs();
    assert_eq!(found(&mut round, &core).await, 0);

    let mut lock = database::begin(&core.db).await.expect("a transaction");
    sqlx::raw_sql("LOCK TABLE jobs IN ACCESS EXCLUSIVE MODE").execute(&mut *lock).await.expect("a lock");
    for other in ["blur", "grow"] {
        assert_eq!(found(&mut round, &core).await, 0, "a claim would wait for the lock");
        drop(core.queue.change_log().begin_insert("cpu", Lane::Interactive, other));
    }
    lock.rollback().await.expect("the lock is gone");

    let theirs = TestJob::default().insert(&core).await;
    sqlx::query("UPDATE jobs SET needs = 'sharpen' WHERE id = $1")
        .bind(theirs.0)
        .execute(&core.db)
        .await
        .expect("a job");
    assert_eq!(found(&mut round, &core).await, 0, "the change log has no entry of it");
    drop(core.queue.change_log().begin_insert("cpu", Lane::Interactive, "sharpen"));
    assert_eq!(found(&mut round, &core).await, 1);
}

#[actix::test]
async fn paused_job_is_claimed_after_its_pause() {
    let core = stage().await;
    worker(&core, "cpu", &["Blur"], Some(WorkerState::Idle), false).await;
    TestJob { pauses: Some(3), ..TestJob::default() }.insert(&core).await;
    core.queue.waiting().raise_to("cpu", Lane::Interactive, 1);
    let mut round = ClaimRound::default();
    assert_eq!(found(&mut round, &core).await, 0);
    core.clock.advance(chrono::Duration::seconds(4));
    assert_eq!(found(&mut round, &core).await, 1, "its pause is over, without a change of the lane");
}

#[actix::test]
async fn worker_finds_a_job_behind_more_locked_ones_than_the_first_window_has() {
    let core = stage().await;
    worker(&core, "cpu", &["Blur"], Some(WorkerState::Idle), false).await;
    for vstart in 0..21 {
        TestJob { vstart, ..TestJob::default() }.insert(&core).await;
    }
    core.queue.waiting().raise_to("cpu", Lane::Interactive, 21);
    let mut others = database::begin(&core.db).await.expect("a transaction");
    let taking = "SELECT id FROM jobs ORDER BY vstart LIMIT $1 FOR UPDATE SKIP LOCKED";
    sqlx::query(taking).bind(20).execute(&mut *others).await.expect("locks");
    let mut round = ClaimRound::default();
    assert_eq!(found(&mut round, &core).await, 1);
    let vstart: i64 =
        sqlx::query_scalar("SELECT vstart FROM jobs WHERE status = 1").fetch_one(&core.db).await.expect("it");
    assert_eq!(vstart, 20);

    // If all jobs are locked, an unlocked one is found without a change of the lane.
    let idle = worker(&core, "cpu", &["Blur"], Some(WorkerState::Idle), false).await;
    assert_eq!(found(&mut round, &core).await, 0);
    others.rollback().await.expect("they are gone");
    let claimed = round.claim_all(&core, &core.db).await;
    assert!(claimed.iter().any(|(_, worker)| worker.id == idle));
}

/// A database pool that counts its statements.
fn counted(core: &TestCore) -> (PgPool, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let (first, later) = (Arc::clone(&count), Arc::clone(&count));
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .after_connect(move |_, _| {
            first.fetch_add(1, Ordering::Relaxed);
            Box::pin(async { Ok(()) })
        })
        .before_acquire(move |_, _| {
            later.fetch_add(1, Ordering::Relaxed);
            Box::pin(async { Ok(true) })
        })
        .connect_lazy_with((*core.db.connect_options()).clone());
    (pool, count)
}

async fn needs(core: &TestCore, hash: &str, class: &str) {
    sqlx::query("INSERT INTO job_needs VALUES ($1, $2, now())")
        .bind(hash)
        .bind(json!({ "classes": [class], "models": [] }))
        .execute(&core.db)
        .await
        .expect("needs");
    core.queue.note_new_needs();
}

#[actix::test]
async fn one_claim_serves_many_workers_and_each_gets_a_job_that_it_can_run() {
    let core = stage().await;
    needs(&core, "sharpen", "Sharpen").await;
    needs(&core, "grow", "Grow").await;
    let mut can: BTreeMap<WorkerId, Vec<&str>> = BTreeMap::new();
    for (count, kinds) in
        [(8, vec![("Blur", "blur")]), (8, vec![("Blur", "blur"), ("Sharpen", "sharpen")]), (4, vec![("Grow", "grow")])]
    {
        let classes: Vec<&str> = kinds.iter().map(|(class, _)| *class).collect();
        for _ in 0..count {
            let id = worker(&core, "cpu", &classes, Some(WorkerState::Idle), false).await;
            can.insert(id, kinds.iter().map(|(_, hash)| *hash).collect());
        }
    }
    for vstart in 0..200 {
        let needs = ["blur", "sharpen", "blur", "grow"][usize::try_from(vstart % 4).expect("small")];
        let lane = Lane::ALL[usize::try_from(vstart % 3).expect("small")];
        TestJob { vstart, needs, lane, ..TestJob::default() }.insert(&core).await;
    }
    for lane in [Lane::Interactive, Lane::Api, Lane::Training] {
        core.queue.waiting().raise_to("cpu", lane, 67);
    }
    let (pool, asked) = counted(&core);
    let mut round = ClaimRound::default();
    let mut running = round.claim_all(&core, &pool).await;
    assert_eq!(running.len(), 20, "every worker has a job");
    assert!(asked.load(Ordering::Relaxed) <= 4, "{asked:?} statements for twenty workers");
    let mut claimed = 0;
    while !running.is_empty() {
        // The worst case: the workers become free one after the other.
        let (job, free) = running.remove(0);
        claimed += 1;
        let able = can.get(&free.id).expect("a worker");
        assert!(able.contains(&job.needs.as_str()), "{} went to a worker that can run {able:?}", job.needs);
        core.fleet.roster().released(free.id, job.id);
        running.extend(round.claim_all(&core, &pool).await);
    }
    let asked = asked.load(Ordering::Relaxed);
    assert_eq!(claimed, 200);
    assert!(asked <= 240, "{asked} statements for 200 jobs");
}

#[actix::test]
async fn claim_prefers_loaded_models_and_gives_a_lost_job_to_another_worker() {
    let core = stage().await;
    needs(&core, "sharpen", "Sharpen").await;
    let mut workers = Vec::new();
    for warm in ["sharpen", "blur"] {
        let id = worker(&core, "cpu", &["Blur", "Sharpen"], Some(WorkerState::Idle), false).await;
        let before = JobId::new();
        core.fleet.roster().assigned(id, before, warm);
        core.fleet.roster().released(id, before);
        workers.push((id, warm));
    }
    for (vstart, needs) in [(1, "blur"), (2, "sharpen"), (3, "sharpen"), (4, "blur")] {
        TestJob { vstart, needs, ..TestJob::default() }.insert(&core).await;
    }
    core.queue.waiting().raise_to("cpu", Lane::Interactive, 4);
    let mut round = ClaimRound::default();
    for _ in 0..2 {
        let claimed = round.claim_all(&core, &core.db).await;
        assert_eq!(claimed.len(), 2);
        for (job, at) in claimed {
            let warm = workers.iter().find(|(id, _)| *id == at.id).expect("a worker").1;
            assert_eq!(job.needs, warm, "a job went to a worker that has to load its models");
            core.fleet.roster().released(at.id, job.id);
        }
    }

    let [(first, _), (second, _)] = workers[..] else { panic!("two workers") };
    core.fleet.roster().assigned(second, JobId::new(), "blur");
    let lost = TestJob { worker: Some(first), pauses: Some(-1), ..TestJob::default() }.insert(&core).await;
    core.queue.waiting().raise_to("cpu", Lane::Interactive, 1);
    assert_eq!(found(&mut round, &core).await, 0, "the other worker may become free");
    core.fleet.roster().release_all_but(&std::collections::HashSet::new());
    let claimed = round.claim_all(&core, &core.db).await;
    assert_eq!(claimed.iter().map(|(job, at)| (job.id, at.id)).collect::<Vec<_>>(), [(lost, second)]);
}

#[actix::test]
async fn lost_job_goes_back_to_the_only_worker_after_five_seconds() {
    let core = stage().await;
    let only = worker(&core, "cpu", &["Blur"], Some(WorkerState::Idle), false).await;
    TestJob { worker: Some(only), pauses: Some(-1), ..TestJob::default() }.insert(&core).await;
    core.queue.waiting().raise_to("cpu", Lane::Interactive, 1);
    let mut round = ClaimRound::default();
    assert_eq!(found(&mut round, &core).await, 0);
    core.clock.advance(chrono::Duration::seconds(5));
    assert_eq!(found(&mut round, &core).await, 1);
}

#[actix::test]
async fn lanes_keep_their_shares_in_one_claim_for_many_jobs() {
    let core = stage().await;
    for _ in 0..20 {
        worker(&core, "cpu", &["Blur"], Some(WorkerState::Idle), false).await;
    }
    for vstart in 0..20 {
        for lane in Lane::ALL {
            TestJob { vstart, lane, ..TestJob::default() }.insert(&core).await;
        }
    }
    for lane in Lane::ALL {
        core.queue.waiting().raise_to("cpu", lane, 20);
    }
    let claimed = ClaimRound::default().claim_all(&core, &core.db).await;
    let of = |lane| claimed.iter().filter(|(job, _)| job.lane == lane).count();
    let [people, api, training, flex] = Lane::ALL.map(of);
    assert_eq!((people + api + training, flex), (20, 0), "other lanes wait");
    assert!(people > api && api > training && training >= 1, "{people} {api} {training}");
}
