//! Limits by credits and by the plan's maximum time.

use verdigraph_core::Error;
use verdigraph_core::jobs::{self, Status};

use crate::harness::endless;
use crate::platform::{Platform, graph};

#[actix::test]
async fn submit_without_credits_leaves_nothing_behind() {
    let platform =
        Platform::with(1, |settings| settings.plans.iter_mut().for_each(|plan| plan.monthly_credits = 0)).await;
    let refused = platform.try_submit(graph(), None).await;
    assert!(matches!(refused, Err(Error::OutOfCredits { needed: 1, available: 0 })), "{refused:?}");
    let mine = jobs::list(&platform.core, &platform.caller, &jobs::JobFilter::default(), None, 10).await.unwrap();
    assert!(mine.is_empty(), "a refused job leaves no row");
    platform.audit().await;
}

#[actix::test]
async fn job_stops_when_credits_run_out() {
    let platform = Platform::with(1, |settings| {
        settings.plans.iter_mut().for_each(|plan| plan.monthly_credits = 2);
        settings.jobs.hold_seconds = 1;
    })
    .await;
    platform.servers[0].script(endless());
    let job = platform.submit().await;
    let ended = platform.end(job).await.job;
    assert_eq!(ended.status, Status::ExecutionTimeout);
    assert!(ended.validate_exception.unwrap()["message"].as_str().unwrap().contains("credits"));
    let balance = platform.balance().await;
    assert!(balance.available >= 0 && balance.held == 0, "never negative: {balance:?}");
    platform.audit().await;
}

#[actix::test]
async fn job_stops_at_the_plans_time_limit() {
    let platform = Platform::with(1, |settings| {
        settings.plans.iter_mut().for_each(|plan| plan.max_run_seconds = 1);
    })
    .await;
    platform.servers[0].script(endless());
    let job = platform.submit().await;
    let ended = platform.end(job).await.job;
    assert_eq!(ended.status, Status::ExecutionTimeout);
    assert!(ended.credits_used.unwrap() >= 1, "the time on the worker is charged");
    platform.audit().await;
}
