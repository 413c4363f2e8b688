//! Repeated requests with the same idempotency key.

use serde_json::json;
use verdigraph_core::Error;
use verdigraph_core::jobs::{self};

use crate::platform::{Platform, graph, until};

#[actix::test]
async fn repeated_key_returns_the_first_job() {
    let platform = Platform::open(1).await;
    let first = platform.try_submit(graph(), Some("key-1")).await.unwrap();
    let again = platform.try_submit(graph(), Some("key-1")).await.unwrap();
    assert_eq!(first.id, again.id);
    let mut other = graph();
    other["1"]["inputs"]["color"] = json!(7);
    let mismatch = platform.try_submit(other, Some("key-1")).await;
    assert!(matches!(mismatch, Err(Error::IdempotencyMismatch)), "{mismatch:?}");
    let (left, right) =
        futures_util::join!(platform.try_submit(graph(), Some("k2")), platform.try_submit(graph(), Some("k2")));
    // The second of two concurrent requests waits for the first and returns its job.
    let (left, right) = (left.expect("a job"), right.expect("a job"));
    assert_eq!(left.id, right.id);
    assert_ne!(left.replayed, right.replayed, "one of them made the job");
    let mine = jobs::list(&platform.core, &platform.caller, &jobs::JobFilter::default(), None, 10).await.unwrap();
    assert_eq!(mine.len(), 2, "two keys, two jobs");
    for job in mine {
        platform.end(job.id).await;
    }
    platform.audit().await;
}

#[actix::test]
async fn repeated_key_succeeds_even_if_it_would_be_rejected_now() {
    let platform = Platform::with(1, |settings| {
        settings.plans.iter_mut().for_each(|plan| plan.max_queued_jobs = 1);
    })
    .await;
    platform.servers[0].kill();
    until("the worker is gone", || async { platform.core.fleet.roster().free().is_empty().then_some(()) }).await;
    let first = platform.try_submit(graph(), Some("k1")).await.unwrap();
    let another = platform.try_submit(graph(), Some("k2")).await;
    assert!(matches!(another, Err(Error::RateLimited { .. })), "one may wait: {another:?}");
    assert_eq!(platform.try_submit(graph(), Some("k1")).await.unwrap().id, first.id);
    jobs::cancel(&platform.core, &platform.caller, first.id).await.unwrap();
    let second = platform.try_submit(graph(), Some("k2")).await.expect("a refused key is as good as new");
    jobs::cancel(&platform.core, &platform.caller, second.id).await.unwrap();
    platform.audit().await;
}
