//! Limits by credits and by the plan's maximum time.

use std::collections::HashMap;

use verdigraph_core::jobs::{self, JobEvent, PriceClass, RunTerms, Status};
use verdigraph_core::{Code, Error, Result, ledger, users};
use verdigraph_scripted::Step;

use crate::harness::{endless, run};
use crate::platform::{PATIENCE, Platform, graph};

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
async fn kind_that_has_run_before_holds_what_its_runs_take() {
    let platform = Platform::open(1).await;
    let rate = platform.core.settings.pools.first().expect("a pool").credits_per_second;
    let server = &platform.servers[0];
    let mut held = Vec::new();
    for count in 1..=2 {
        server.script(run().with_before("execution_start", Step::Hold));
        let job = platform.submit().await;
        server.heard("holds", count).await;
        held.push(platform.balance().await.held);
        let (_, mut events) = jobs::subscribe(&platform.core, &platform.caller, job, None).await.expect("a stream");
        server.release();
        // The node tells the end once it has learned from the run. The row has ended before.
        let told = async {
            while events.live.recv().await.expect("a listener that keeps up").1 != JobEvent::Status(Status::Done) {}
        };
        tokio::time::timeout(PATIENCE, told).await.expect("an end");
    }
    assert_eq!(held[0], 60 * rate, "a new kind holds jobs.hold_seconds");
    assert!(held[1] < held[0] / 2, "a short run is followed by a hold of {}", held[1]);
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

async fn submit_with(platform: &Platform, terms: RunTerms) -> Result<jobs::Submitted> {
    let submit = jobs::PromptSubmit {
        prompt: serde_json::value::to_raw_value(&graph()).expect("JSON"),
        files: HashMap::new(),
        extra_data: None,
        strict: true,
        terms,
        idempotency_key: None,
        batch: None,
        labels: jobs::JobLabels::default(),
    };
    jobs::submit_prompt(&platform.core, &platform.caller, submit).await
}

#[actix::test]
async fn job_costs_at_most_what_its_submit_or_its_owner_says() {
    let platform = Platform::open(1).await;
    let rate = platform.core.settings.pools.first().expect("a pool").credits_per_second;
    let (core, caller) = (&platform.core, &platform.caller);
    let reason = |job: &jobs::Job| job.validate_exception.as_ref().expect("a reason")["message"].to_string();
    let submit = async |most| submit_with(&platform, RunTerms { max_credits: most, ..RunTerms::default() }).await;
    platform.servers[0].script(endless());
    let job = submit(Some(rate)).await.expect("a job").id;
    assert_eq!(platform.balance().await.held, rate, "no more is held than it may cost");
    let ended = platform.end(job).await.job;
    assert_eq!(
        (ended.status, ended.credits_used, ended.max_credits),
        (Status::ExecutionTimeout, Some(rate), Some(rate))
    );
    assert!(reason(&ended).contains("the most that it may cost"), "{}", reason(&ended));

    let ceilings = users::Ceilings { run: Some(rate), day: None };
    users::set_ceilings(core, caller, ceilings).await.expect("a ceiling");
    platform.servers[0].script(endless());
    let job = submit(Some(100 * rate)).await.expect("a job").id;
    let ended = platform.end(job).await.job;
    assert_eq!((ended.status, ended.credits_used), (Status::ExecutionTimeout, Some(rate)), "the lower ceiling counts");
    platform.audit().await;
}

#[actix::test]
async fn flex_run_costs_its_part_of_the_price_and_runs_longer_for_the_same_credits() {
    let platform = Platform::with(1, |settings| settings.credits.flex_percent = 50).await;
    let rate = platform.core.settings.pools.first().expect("a pool").credits_per_second;
    let terms = RunTerms { max_credits: Some(rate), class: PriceClass::Flex, ..RunTerms::default() };
    platform.servers[0].script(endless());
    let job = submit_with(&platform, terms).await.expect("a job").id;
    assert_eq!(platform.balance().await.held, rate, "no more is held than it may cost");
    let ended = platform.end(job).await.job;
    assert_eq!((ended.status, ended.credits_used), (Status::ExecutionTimeout, Some(rate)));
    assert_eq!((ended.lane, ended.price_class(), ended.percent), (jobs::Lane::Flex, PriceClass::Flex, 50));
    assert!(ended.ran_ms > Some(1500), "nearly two seconds at half of the price: {:?}", ended.ran_ms);
    platform.audit().await;
}

#[actix::test]
async fn ceiling_of_a_day_stops_runs_and_refuses_submits() {
    let platform = Platform::with(1, |settings| settings.jobs.hold_seconds = 1).await;
    let rate = platform.core.settings.pools.first().expect("a pool").credits_per_second;
    let ceilings = users::Ceilings { run: None, day: Some(2 * rate) };
    users::set_ceilings(&platform.core, &platform.caller, ceilings).await.expect("a ceiling");
    platform.servers[0].script(endless());
    let job = platform.submit().await;
    let ended = platform.end(job).await.job;
    assert_eq!(ended.status, Status::ExecutionTimeout);
    let reason = ended.validate_exception.expect("a reason")["message"].to_string();
    assert!(reason.contains(&format!("{} credits a day", 2 * rate)), "{reason}");
    assert_eq!(ledger::spent_today(&platform.core, &platform.caller).await.expect("a sum"), 2 * rate);
    let refused = platform.try_submit(graph(), None).await;
    assert!(matches!(&refused, Err(Error::Refused { code: Code::CreditCeiling, .. })), "{refused:?}");
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
