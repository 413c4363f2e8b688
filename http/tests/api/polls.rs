//! Reads of jobs that wait for news.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::comfy_v2::{Client, graph};
use crate::jobs::with_idle_worker;
use crate::site::{Site, text};

/// A repeated read of a queued job, and what `then` gives once the read waits.
async fn waiting_read<T>(client: &Client<'_>, path: &str, then: impl Future<Output = T>) -> ((u16, Value), T) {
    assert_eq!(client.get(path).await.1["status"], "queued", "the first read is answered at once");
    let then = async {
        while client.site.edge.polls.count() == 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        then.await
    };
    let (read, then) = tokio::join!(client.get(path), tokio::time::timeout(Duration::from_secs(30), then));
    (read, then.expect("the repeated read waits"))
}

#[actix_web::test]
async fn repeated_read_of_a_queued_job_waits_for_news() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let (_, job) = ann.post("/jobs", &json!({ "workflow": graph(31) })).await;
    let path = format!("/jobs/{}", text(&job, "id"));
    let cancel = async { ann.post(&format!("{path}/cancel"), &json!({})).await };
    let ((status, repeated), canceled) = waiting_read(&ann, &path, cancel).await;
    assert_eq!(canceled.0, 200);
    assert_eq!((status, &repeated["status"]), (200, &json!("canceled")), "the read is answered with the news");
    assert_eq!(site.edge.polls.count(), 0);
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn read_that_waits_is_answered_at_once_when_the_node_stops() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let (_, job) = ann.post("/jobs", &json!({ "workflow": graph(31) })).await;
    let path = format!("/jobs/{}", text(&job, "id"));
    let stop = async {
        site.edge.stop();
        Instant::now()
    };
    let ((status, repeated), stopped) = waiting_read(&ann, &path, stop).await;
    let waited = stopped.elapsed();
    assert_eq!((status, &repeated["status"]), (200, &json!("queued")), "the status as it is: {repeated}");
    // It would have waited for ten seconds.
    assert!(waited < Duration::from_secs(8), "the read waited for {waited:?} longer");
    assert_eq!(ann.get(&path).await.0, 200, "later reads do not wait");
    ann.post(&format!("{path}/cancel"), &json!({})).await;
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}
