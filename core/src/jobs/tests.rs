//! Tests of positions, estimates and status reasons.

mod claims;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::Duration;
use serde_json::{Value, json};
use uuid::Uuid;

use super::flight::{rescue, rows};
use super::queue::{estimates, position, waiting};
use super::*;
use crate::fleet::{self, Capabilities, WorkerState};
use crate::graph::{Needs, NodeDefinitions};
use crate::ids::{BatchId, JobId, UserId, WorkerId};
use crate::ledger::{LedgerPost, Movement};
use crate::settings::Settings;
use crate::testing::TestCore;
use crate::{Caller, Clock, Core, Error};

/// A row of `jobs`.
pub(in crate::jobs) struct TestJob {
    pub user: UserId,
    pub status: Status,
    pub lane: Lane,
    pub pool: &'static str,
    pub needs: &'static str,
    pub vstart: i64,
    pub worker: Option<WorkerId>,
    /// Seconds since its start.
    pub runs_for: Option<i64>,
    /// Seconds until its next try.
    pub pauses: Option<i64>,
    pub stopping: bool,
    /// Seconds until its deadline.
    pub deadline: Option<i64>,
    /// In the lane flex: seconds until it is promoted to the lane API.
    pub promoted_in: i64,
}

impl Default for TestJob {
    fn default() -> Self {
        Self {
            user: UserId::new(),
            status: Status::Pending,
            lane: Lane::Interactive,
            pool: "cpu",
            needs: "blur",
            vstart: 0,
            worker: None,
            runs_for: None,
            pauses: None,
            stopping: false,
            deadline: None,
            promoted_in: 86_400,
        }
    }
}

impl TestJob {
    pub async fn insert(self, core: &TestCore) -> JobId {
        let (id, now) = (JobId::new(), core.clock.now());
        sqlx::query(
            "INSERT INTO jobs (id, user_id, status, lane, pool, needs, vstart, attempt, worker_id, not_before,
                               cancel_requested, prompt_hash, rate, max_run_ms, estimate_ms, created_at, started_at,
                               deadline, promote_to, promote_at)
             VALUES ($1, $2, $3, $4, $5, $12, $6, 1, $7, $8, $9, 'p', 1, 600000, 1000, $10, $11, $13, 1, $14)",
        )
        .bind(id.0)
        .bind(self.user.0)
        .bind(if self.status.is_terminal() { Status::Running } else { self.status } as i16)
        .bind(self.lane as i16)
        .bind(self.pool)
        .bind(self.vstart)
        .bind(self.worker.map(|worker| worker.0))
        .bind(self.pauses.map(|seconds| now + Duration::seconds(seconds)))
        .bind(self.stopping)
        .bind(now)
        .bind(self.runs_for.map(|seconds| now - Duration::seconds(seconds)))
        .bind(self.needs)
        .bind(self.deadline.map(|seconds| now + Duration::seconds(seconds)))
        .bind(now + Duration::seconds(self.promoted_in))
        .execute(&core.db)
        .await
        .expect("a job");
        if self.status.is_terminal() {
            ended::factory::end(&core.db, id, self.status, now).await;
        }
        id
    }
}

pub(in crate::jobs) async fn stage() -> TestCore {
    stage_with(|_| ()).await
}

pub(in crate::jobs) async fn stage_with(change: impl FnOnce(&mut Settings)) -> TestCore {
    let core = TestCore::with(Clock::held(TestCore::start_of_time()), change).await;
    sqlx::query(r#"INSERT INTO job_needs VALUES ('blur', '{"classes": ["Blur"], "models": []}', $1)"#)
        .bind(core.clock.now())
        .execute(&core.db)
        .await
        .expect("needs");
    core
}

/// A worker with these node classes. Without a state it is known but not connected.
pub(in crate::jobs) async fn worker(
    core: &Core,
    pool: &str,
    classes: &[&str],
    state: Option<WorkerState>,
    paused: bool,
) -> WorkerId {
    let capabilities = capabilities(classes);
    let id = fleet::factory::worker(core, pool, &capabilities, paused).await;
    if let Some(state) = state {
        fleet::factory::report(core, id, state, Some(capabilities)).await;
    }
    id
}

/// The capabilities of a worker with these node classes.
pub(in crate::jobs) fn capabilities(classes: &[&str]) -> Arc<Capabilities> {
    let info: Value = classes
        .iter()
        .map(|class| ((*class).to_owned(), json!({ "input": {}, "output": ["IMAGE"], "output_node": true })))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let definitions = Arc::new(NodeDefinitions::from_object_info(&info));
    Arc::new(Capabilities::new(None, definitions, BTreeMap::new()))
}

pub(in crate::jobs) async fn reason(core: &TestCore, job: TestJob) -> StatusReason {
    let owner = Caller::customer(job.user);
    let job = job.insert(core).await;
    why(core, &owner, job).await.expect("a reason")
}

#[actix::test]
async fn job_without_a_worker_has_a_reason_and_no_estimate() {
    let core = stage().await;
    worker(&core, "bare", &["Noise"], Some(WorkerState::Idle), false).await;
    worker(&core, "paused", &["Blur"], Some(WorkerState::Idle), true).await;
    worker(&core, "paused", &["Noise"], Some(WorkerState::Idle), false).await;
    worker(&core, "away", &["Blur"], None, false).await;
    for (pool, code) in [
        ("empty", StatusReasonCode::NoWorker),
        ("bare", StatusReasonCode::MissingCapability),
        ("paused", StatusReasonCode::WorkersKeptOut),
        ("away", StatusReasonCode::WorkersAway),
    ] {
        let user = UserId::new();
        let job = TestJob { user, pool, ..TestJob::default() }.insert(&core).await;
        let found = why(&core, &Caller::customer(user), job).await.expect("a reason");
        assert_eq!(found.code, code, "{found:?}");
        assert!(!found.released_by.is_empty() && found.details["endsAt"].is_string(), "{found:?}");
        let place = status(&core, &Caller::customer(user), job).await.expect("a status").queue.expect("a place");
        assert_eq!(place, QueuePosition { position: 1, eta_seconds: None }, "{pool}");
    }
    let found = reason(&core, TestJob { pool: "bare", ..TestJob::default() }).await;
    assert!(found.message.contains("Blur") && found.details["missing"] == json!(["Blur"]), "{found:?}");
}

#[actix::test]
async fn reason_of_a_waiting_job_tells_whose_jobs_go_first() {
    let core = stage().await;
    for pool in ["free", "own", "others"] {
        worker(&core, pool, &["Blur"], Some(WorkerState::Idle), false).await;
    }
    let busy = worker(&core, "busy", &["Blur"], Some(WorkerState::Idle), false).await;
    core.fleet.roster().assigned(busy, JobId::new(), "blur");

    assert_eq!(reason(&core, TestJob { pool: "free", ..TestJob::default() }).await.code, StatusReasonCode::Next);
    let found = reason(&core, TestJob { pool: "busy", ..TestJob::default() }).await;
    assert_eq!((found.code, &found.details["workers"]), (StatusReasonCode::WorkersBusy, &json!(1)));

    let (ann, bob) = (UserId::new(), UserId::new());
    for vstart in 0..3 {
        TestJob { user: ann, pool: "own", vstart, lane: Lane::Api, ..TestJob::default() }.insert(&core).await;
    }
    TestJob { user: bob, pool: "own", ..TestJob::default() }.insert(&core).await;
    let found =
        reason(&core, TestJob { user: ann, pool: "own", vstart: 3, lane: Lane::Api, ..TestJob::default() }).await;
    assert_eq!(
        (found.code, &found.details["own"], &found.details["others"]),
        (StatusReasonCode::OwnJobsAhead, &json!(3), &json!(1))
    );

    TestJob { user: ann, pool: "others", ..TestJob::default() }.insert(&core).await;
    TestJob { user: bob, pool: "others", vstart: 9, lane: Lane::Interactive, ..TestJob::default() }.insert(&core).await;
    let found = reason(&core, TestJob { user: bob, pool: "others", lane: Lane::Api, ..TestJob::default() }).await;
    assert_eq!(
        (found.code, &found.details["own"], &found.details["others"]),
        (StatusReasonCode::OtherJobsAhead, &json!(1), &json!(1))
    );
}

#[actix::test]
async fn jobs_that_do_not_wait_for_their_turn_have_their_own_reasons() {
    let core = stage().await;
    let found = reason(&core, TestJob { pauses: Some(30), ..TestJob::default() }).await;
    assert_eq!((found.code, &found.details["attempt"]), (StatusReasonCode::RetryPause, &json!(1)));
    assert_eq!(
        reason(&core, TestJob { stopping: true, status: Status::Running, ..TestJob::default() }).await.code,
        StatusReasonCode::Stopping
    );
    for (status, code) in
        [(Status::Connecting, StatusReasonCode::Starting), (Status::Connected, StatusReasonCode::QueuedAtWorker)]
    {
        assert_eq!(reason(&core, TestJob { status, ..TestJob::default() }).await.code, code);
    }
    assert_eq!(
        reason(&core, TestJob { status: Status::Running, ..TestJob::default() }).await.code,
        StatusReasonCode::Running
    );
    assert_eq!(
        reason(&core, TestJob { status: Status::Canceled, ..TestJob::default() }).await.code,
        StatusReasonCode::Ended
    );
    let job = TestJob::default().insert(&core).await;
    let stranger = why(&core, &Caller::customer(UserId::new()), job).await;
    assert!(matches!(stranger, Err(Error::NotFound { .. })));
    assert!(
        why(&core, &Caller { admin: true, ..Caller::customer(UserId::new()) }, job).await.is_ok(),
        "an operator sees every job"
    );
}

#[actix::test]
async fn estimate_is_the_rest_of_the_running_job_and_the_jobs_ahead() {
    let core = stage().await;
    for _ in 0..50 {
        core.queue.estimates().learn("blur", "cpu", 10_000);
    }
    let able = worker(&core, "cpu", &["Blur"], Some(WorkerState::Idle), false).await;
    core.fleet.roster().assigned(able, JobId::new(), "blur");
    TestJob { status: Status::Running, worker: Some(able), runs_for: Some(4), ..TestJob::default() }
        .insert(&core)
        .await;
    for vstart in 0..2 {
        TestJob { vstart, ..TestJob::default() }.insert(&core).await;
    }
    let user = UserId::new();
    let job = TestJob { user, vstart: 2, ..TestJob::default() }.insert(&core).await;
    let place = status(&core, &Caller::customer(user), job).await.expect("a status").queue.expect("a place");
    assert_eq!(place.position, 3);
    let (low, high) = place.eta_seconds.expect("a time");
    assert!(low <= 26 && 26 <= high, "6 s are left of one run and two of 10 s go first: {low} to {high}");
    assert!(high - low <= 12, "the range of equal runs is narrow: {low} to {high}");
}

#[actix::test]
async fn new_job_is_expected_behind_the_own_jobs_and_beside_those_of_others() {
    let core = stage().await;
    for _ in 0..50 {
        core.queue.estimates().learn("blur", "cpu", 10_000);
    }
    let needs = Needs { classes: BTreeSet::from(["Blur".to_owned()]), ..Needs::default() };
    let start = async |account| {
        position::start_of_new(&core, account, "cpu", Lane::Interactive, &needs).await.expect("a forecast")
    };
    assert_eq!(start(None).await, None, "no worker can run it");
    worker(&core, "cpu", &["Blur"], Some(WorkerState::Idle), false).await;
    let user = UserId::new();
    for vstart in 0..3 {
        TestJob { user, vstart: vstart * 1000, ..TestJob::default() }.insert(&core).await;
    }
    let (low, high) = start(Some(user)).await.expect("a time");
    assert!((20..=30).contains(&low) && high >= 30, "behind three runs of 10 s: {low} to {high}");
    let (low, high) = start(None).await.expect("a time");
    assert!(low <= 10 && (10..=20).contains(&high), "behind the first of them: {low} to {high}");
}

#[actix::test]
async fn positions_beyond_a_thousand_are_not_counted_and_still_have_an_estimate() {
    let core = stage().await;
    for _ in 0..50 {
        core.queue.estimates().learn("blur", "cpu", 1000);
    }
    worker(&core, "cpu", &["Blur"], Some(WorkerState::Idle), false).await;
    let user = UserId::new();
    sqlx::query(
        "INSERT INTO jobs (id, user_id, status, lane, pool, needs, vstart, prompt_hash, rate, max_run_ms, estimate_ms, created_at)
         SELECT gen_random_uuid(), $1, 0, 1, 'cpu', 'blur', n * 1000, 'p', 1, 600000, 1000, $2 FROM generate_series(0, 2999) n",
    )
    .bind(user.0)
    .bind(core.clock.now())
    .execute(&core.db)
    .await
    .expect("a backlog");
    rescue::sweep(&core, std::collections::HashSet::new()).await;
    let timed = async |vstart| {
        let job = TestJob { user, lane: Lane::Api, vstart, ..TestJob::default() }.insert(&core).await;
        status(&core, &Caller::customer(user), job).await.expect("a status").queue.expect("a place")
    };
    let near = timed(500_500).await;
    assert_eq!(near.position, 502);
    let far = timed(2_999_500).await;
    assert_eq!(far.position, 1001, "more than a thousand");
    let (low, high) = far.eta_seconds.expect("a time");
    assert!(low < 3000 && high > 3000, "3,000 runs of 1 s go first: {low} to {high}");
}

#[actix::test]
async fn nodes_exchange_estimates() {
    let core = stage().await;
    for _ in 0..30 {
        core.queue.estimates().learn("blur", "cpu", 4200);
    }
    estimates::exchange(&core).await.expect("written");
    let next = core.another("test");
    estimates::exchange(&next).await.expect("read");
    let known = next.queue.estimates().of("blur", "cpu");
    assert_eq!(known, core.queue.estimates().of("blur", "cpu"));
    // The exchange works in both directions, and does not overwrite newer estimates of this node.
    next.queue.estimates().learn("sharpen", "cpu", 900);
    estimates::exchange(&next).await.expect("written");
    estimates::exchange(&core).await.expect("read");
    assert!((core.queue.estimates().of("sharpen", "cpu").mean_ms - 900.0).abs() < 1.0);
}

#[actix::test]
async fn sweep_completes_an_interrupted_cancel_of_a_batch() {
    let core = stage().await;
    let user = UserId::new();
    let batch = open_batch(&core, &Caller::customer(user), Some("mine".into())).await.expect("a batch");
    for _ in 0..3 {
        let job = JobId::new();
        let post = Movement::Grant {
            kind: crate::ledger::GrantKind::Operator,
            source: job.to_string(),
            amount: 10,
            expires_at: None,
        };
        core.ledger.post(LedgerPost { account: user, movement: post, attached: None }).await.expect("a grant");
        hold(&core, user, job, batch.id).await;
    }
    sqlx::query("UPDATE job_batches SET cancel_requested_at = $1")
        .bind(core.clock.now())
        .execute(&core.db)
        .await
        .expect("the batch after an interrupted cancel");
    rescue::sweep(&core, std::collections::HashSet::new()).await;
    let after = batch_status(&core, &Caller::customer(user), batch.id).await.expect("a status");
    assert_eq!(after.counts, [(Status::Canceled, 3)]);
    assert!(matches!(
        open_batch(&core, &Caller::customer(user), Some("mine".into())).await,
        Err(Error::Conflict { .. })
    ));
    let report = crate::ledger::reconcile(&core.db).await.expect("an audit");
    assert!(report.is_clean() && report.held == 0, "{report:?}");
    core.clock.advance(Duration::minutes(2));
    rescue::sweep(&core, std::collections::HashSet::new()).await;
    let open: i64 = core.database.count("SELECT count(*) FROM job_batches WHERE cancel_finished_at IS NULL").await;
    assert_eq!(open, 0, "the sweep still looks for its jobs");
}

/// A waiting job with its hold, of an account with credits.
pub(in crate::jobs) async fn held_job(core: &TestCore, user: UserId) -> JobId {
    let (id, kind) = (JobId::new(), crate::ledger::GrantKind::Operator);
    let grant = Movement::Grant { kind, source: id.to_string(), amount: 10, expires_at: None };
    core.ledger.post(LedgerPost { account: user, movement: grant, attached: None }).await.expect("a grant");
    let batch = open_batch(core, &Caller::customer(user), None).await.expect("a batch");
    hold(core, user, id, batch.id).await;
    id
}

/// Inserts a job with its hold, as a submit does.
pub(in crate::jobs) async fn hold(core: &TestCore, user: UserId, id: JobId, batch: BatchId) {
    let row = rows::AcceptedRow {
        id,
        user,
        lane: Lane::Api,
        pool: "cpu".into(),
        needs: "blur".into(),
        vstart: 0,
        version: None,
        prompt_hash: Some("p".into()),
        form: None,
        seeds: None,
        files: None,
        extra_data: None,
        node_errors: None,
        strict: false,
        rate: 1,
        percent: 100,
        max_run_ms: 1000,
        max_credits: None,
        deadline: None,
        promotion: None,
        estimate_ms: 1000,
        created_at: core.clock.now(),
        batch: Some(batch),
        labels: None,
        key: Some((Uuid::now_v7().to_string(), "h".into())),
    };
    let movement = Movement::Hold { job: id, want: 5, at_least: 1, day_ceiling: None };
    core.ledger.post(LedgerPost { account: user, movement, attached: Some(row.attached()) }).await.expect("a hold");
}

#[actix::test]
async fn node_with_free_workers_learns_at_once_of_jobs_that_wait_at_another_node() {
    let core = TestCore::with(Clock::System, |settings| settings.jobs.sweep_seconds = 3600).await;
    sqlx::query(r#"INSERT INTO job_needs VALUES ('blur', '{"classes": ["Blur"], "models": []}', now())"#)
        .execute(&core.db)
        .await
        .expect("needs");
    let other = core.another("beside");
    worker(&other, "cpu", &["Blur"], Some(WorkerState::Idle), false).await;
    let lay = async || TestJob { lane: Lane::Api, ..TestJob::default() }.insert(&core).await;
    let claimed = async |job: JobId| {
        let until = std::time::Instant::now() + std::time::Duration::from_secs(30);
        while store::find(&core.db, job).await.expect("a row").is_some_and(|job| job.status == Status::Pending) {
            assert!(std::time::Instant::now() < until, "no node claimed it");
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    // The first sweep of the node finds the first job. The second one needs a message of the other node.
    let first = lay().await;
    queue::start(&other);
    claimed(first).await;
    queue::start(&core);
    let second = lay().await;
    core.queue.waiting().put_back(JobId::new(), waiting::QueuedJob::new(UserId::new(), "cpu", Lane::Api));
    core.queue.wake();
    claimed(second).await;
}

#[test]
fn count_of_another_node_raises_the_count_and_never_lowers_it() {
    let waiting = waiting::WaitingCounts::default();
    waiting.raise_to("cpu", Lane::Api, 3);
    assert!(waiting.waits_in("cpu", Lane::Api) && !waiting.waits_in("cpu", Lane::Interactive));
    waiting.raise_to("cpu", Lane::Api, 1);
    assert_eq!(waiting.by_lane().iter().map(|(_, _, count)| count).sum::<i64>(), 3);
}
