//! Tests of promotions and of the reasons of flex jobs.

use std::collections::{BTreeSet, HashSet};

use chrono::Duration;
use serde_json::json;

use crate::fleet::WorkerState;
use crate::graph::Needs;
use crate::ids::{JobId, UserId};
use crate::jobs::flight::claims::ClaimRound;
use crate::jobs::flight::rescue;
use crate::jobs::price_classes::class::Promotion;
use crate::jobs::price_classes::timing::{JobTiming, NewRun, timing};
use crate::jobs::queue::tags;
use crate::jobs::tests::{TestJob, held_job, reason, stage, worker};
use crate::jobs::{Job, Lane, PriceClass, RunTerms, Status, StatusReasonCode, promote_due, store};
use crate::testing::TestCore;
use crate::{Code, Core, Error};

/// The margin of the default settings, and a run of ten seconds that was made often.
const MARGIN: i64 = 60;
const RUN: i64 = 10;

async fn stage_with_runs() -> TestCore {
    let core = stage().await;
    for _ in 0..200 {
        core.queue.estimates().learn("blur", "cpu", RUN * 1000);
    }
    core
}

fn flex() -> TestJob {
    TestJob { lane: Lane::Flex, ..TestJob::default() }
}

async fn found(core: &TestCore, id: JobId) -> Job {
    store::find(&core.db, id).await.expect("a row").expect("a job")
}

async fn promoted(core: &Core) -> u64 {
    promote_due(core).await.expect("a round")
}

#[actix::test]
async fn job_is_promoted_before_its_deadline_and_keeps_its_class() {
    let core = stage_with_runs().await;
    worker(&core, "cpu", &["Blur"], Some(WorkerState::Idle), false).await;
    let job = TestJob { deadline: Some(3600), ..flex() }.insert(&core).await;
    assert_eq!(promoted(&core).await, 0, "an hour is left");
    assert_eq!((found(&core, job).await.lane, found(&core, job).await.price_class()), (Lane::Flex, PriceClass::Flex));
    core.clock.advance(Duration::seconds(3600 - MARGIN - 2 * RUN));
    assert_eq!(promoted(&core).await, 0, "a run and the margin are left, and more");
    core.clock.advance(Duration::seconds(RUN));
    assert_eq!(promoted(&core).await, 1);
    let found = found(&core, job).await;
    assert_eq!(
        (found.lane, found.price_class(), found.promoted_at),
        (Lane::Api, PriceClass::Flex, Some(core.clock.now()))
    );
    assert_eq!(promoted(&core).await, 0, "it is promoted once");
}

#[actix::test]
async fn job_without_a_deadline_is_promoted_after_its_longest_wait() {
    let core = stage_with_runs().await;
    let job = TestJob { promoted_in: 600, ..flex() }.insert(&core).await;
    core.clock.advance(Duration::seconds(599));
    assert_eq!(promoted(&core).await, 0);
    core.clock.advance(Duration::seconds(1));
    assert_eq!((promoted(&core).await, found(&core, job).await.lane), (1, Lane::Api));
}

#[actix::test]
async fn claimed_and_canceled_jobs_are_not_promoted() {
    let core = stage_with_runs().await;
    let running = TestJob { promoted_in: 0, status: Status::Running, ..flex() }.insert(&core).await;
    TestJob { promoted_in: 0, status: Status::Canceled, ..flex() }.insert(&core).await;
    assert_eq!((promoted(&core).await, found(&core, running).await.lane), (0, Lane::Flex));
}

#[actix::test]
async fn promoted_job_goes_before_its_accounts_backlog_and_no_account_gets_more_than_two_turns() {
    let core = stage_with_runs().await;
    let (ann, bob) = (UserId::new(), UserId::new());
    let mut tags = Vec::new();
    for _ in 0..5 {
        tags.push(tags::next(&core, "cpu", Lane::Api, ann, 10_000, 1).await);
    }
    let last = tags.last().copied().expect("a backlog");
    let mut jobs = Vec::new();
    for deadline in [70, 71, 72] {
        jobs.push(TestJob { user: ann, deadline: Some(deadline), ..flex() }.insert(&core).await);
    }
    assert_eq!(promoted(&core).await, 3);
    let mut starts = Vec::new();
    for job in jobs {
        starts.push(found(&core, job).await.vstart);
    }
    assert_eq!(starts.first(), tags.first(), "beside the first of the backlog");
    assert!(starts.is_sorted() && starts.iter().all(|start| *start < last), "{starts:?} {tags:?}");
    let next = tags::next(&core, "cpu", Lane::Api, bob, 10_000, 1).await;
    assert_eq!(starts.iter().filter(|start| **start <= next).count(), 1, "another account waits for one of them");
    let own = tags::next(&core, "cpu", Lane::Api, ann, 10_000, 1).await;
    assert_eq!(own, last + 10_000, "the account's own turns do not move");
}

#[actix::test]
async fn worker_gets_the_promoted_job_and_the_flex_lane_waits_for_all_others() {
    let core = stage_with_runs().await;
    let worker = worker(&core, "cpu", &["Blur"], Some(WorkerState::Idle), false).await;
    let waits = flex().insert(&core).await;
    let due = TestJob { promoted_in: 0, vstart: 9, ..flex() }.insert(&core).await;
    let standard = TestJob { lane: Lane::Training, ..TestJob::default() }.insert(&core).await;
    rescue::sweep(&core, HashSet::new()).await;
    assert_eq!(promoted(&core).await, 1);
    let mut round = ClaimRound::default();
    let mut order = Vec::new();
    for _ in 0..3 {
        for (job, at) in round.claim_all(&core, &core.db).await {
            order.push(job.id);
            core.fleet.roster().released(at.id, job.id);
        }
    }
    assert_eq!(order, [due, standard, waits], "at {worker}");
}

#[actix::test]
async fn flex_job_without_a_worker_waits_until_it_is_promoted_and_then_for_as_long_as_others() {
    let core = stage_with_runs().await;
    let id = held_job(&core, UserId::new()).await;
    sqlx::query("UPDATE jobs SET lane = 3, promote_to = 1, promote_at = $2 WHERE id = $1")
        .bind(id.0)
        .bind(core.clock.now() + Duration::hours(10))
        .execute(&core.db)
        .await
        .expect("a flex job");
    // Each sweep is of another node, because a node pauses after a slow count.
    let sweep = async |node: &str| {
        rescue::sweep(&core.another(node), HashSet::new()).await;
        found(&core, id).await.status
    };
    core.clock.advance(Duration::hours(9));
    assert_eq!(sweep("first").await, Status::Pending, "it has time");
    core.clock.advance(Duration::hours(1));
    assert_eq!((promoted(&core).await, sweep("second").await), (1, Status::Pending), "a worker may connect");
    core.clock.advance(Duration::seconds(121));
    assert_eq!(sweep("third").await, Status::ConnectError);
}

#[actix::test]
async fn flex_job_tells_that_it_waits_for_an_idle_worker_and_until_when() {
    let core = stage().await;
    worker(&core, "free", &["Blur"], Some(WorkerState::Idle), false).await;
    let busy = worker(&core, "busy", &["Blur"], Some(WorkerState::Idle), false).await;
    core.fleet.roster().assigned(busy, JobId::new(), "blur");
    assert_eq!(reason(&core, TestJob { pool: "free", ..flex() }).await.code, StatusReasonCode::Next);
    let told = reason(&core, TestJob { pool: "busy", deadline: Some(7200), promoted_in: 3600, ..flex() }).await;
    assert_eq!((told.code, &told.details["pool"]), (StatusReasonCode::WaitsForIdle, &json!("busy")), "{told:?}");
    assert!(told.details["until"].is_string() && told.details["deadline"].is_string(), "{told:?}");
    TestJob { pool: "free", ..TestJob::default() }.insert(&core).await;
    let job = TestJob { pool: "free", vstart: 5, ..flex() };
    assert_eq!(reason(&core, job).await.code, StatusReasonCode::WaitsForIdle, "another lane goes first");
}

#[actix::test]
async fn deadline_is_accepted_only_if_wait_run_and_margin_fit() {
    let core = stage_with_runs().await;
    worker(&core, "cpu", &["Blur"], Some(WorkerState::Idle), false).await;
    let needs = Needs { classes: BTreeSet::from(["Blur".to_owned()]), ..Needs::default() };
    let user = UserId::new();
    let run = NewRun { user, lane: Lane::Api, pool: "cpu", kind: "blur", max_run_ms: 600_000, needs: &needs };
    let at = |seconds| Some(core.clock.now() + Duration::seconds(seconds));
    let ask = async |class, deadline| timing(&core, run, &RunTerms { class, deadline, ..RunTerms::default() }).await;
    for class in [PriceClass::Standard, PriceClass::Flex] {
        for seconds in [-1, RUN + MARGIN - 1] {
            let refused = ask(class, at(seconds)).await;
            assert!(
                matches!(&refused, Err(Error::Refused { code: Code::DeadlineNotPossible, details, .. })
                    if details["earliest"].is_string()),
                "{seconds} s: {refused:?}"
            );
        }
        assert!(matches!(ask(class, at(31 * 86_400)).await, Err(Error::Invalid { field, .. }) if field == "deadline"));
    }
    let standard = ask(PriceClass::Standard, at(3600)).await.expect("time enough");
    assert_eq!(standard, JobTiming { lane: Lane::Api, deadline: at(3600), promotion: None });
    let flex = ask(PriceClass::Flex, at(3600)).await.expect("time enough");
    let Some(Promotion { to: Lane::Api, at: promoted }) = flex.promotion else { panic!("no promotion: {flex:?}") };
    assert_eq!(flex.lane, Lane::Flex);
    assert!(Some(promoted) <= at(3600 - RUN - MARGIN) && Some(promoted) > at(3600 - 2 * RUN - MARGIN), "{promoted}");
    let endless = ask(PriceClass::Flex, None).await.expect("no deadline");
    assert_eq!(endless.promotion.map(|promotion| promotion.at), at(86_400));
}

#[actix::test]
async fn another_node_serves_a_promoted_job_from_its_new_lane() {
    let core = stage_with_runs().await;
    let job = TestJob { promoted_in: 0, ..flex() }.insert(&core).await;
    let other = core.another("beside");
    worker(&other, "cpu", &["Blur"], Some(WorkerState::Idle), false).await;
    assert_eq!(promoted(&core).await, 1);
    rescue::sweep(&other, HashSet::new()).await;
    assert_eq!(other.queue.waiting().counts_in("cpu"), [0, 1, 0, 0]);
    let claimed = ClaimRound::default().claim_all(&other, &other.db).await;
    assert_eq!(claimed.iter().map(|(job, _)| (job.id, job.lane)).collect::<Vec<_>>(), [(job, Lane::Api)]);
}
