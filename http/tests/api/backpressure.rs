//! Every queue has a limit: requests beyond it are refused at once, and accepted work continues.

use std::time::{Duration, Instant};
use verdigraph_core::database;

use futures_util::future::join_all;
use reqwest::{Method, Response, StatusCode};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::jobs::{prompt, submit};
use crate::site::{Browser, Site, error, text};
use crate::streams::{standing_still, waiting_job};

/// The response is a refusal with `Retry-After`.
async fn is_refused(response: Response, status: StatusCode) {
    assert_eq!(response.status(), status);
    let after = response.headers().get("retry-after").and_then(|value| value.to_str().ok()).unwrap_or_default();
    assert!(after.parse::<u64>().is_ok_and(|seconds| seconds >= 1), "Retry-After: {after:?}");
    error(response).await;
}

#[actix_web::test]
async fn submits_beyond_the_queue_limits_are_refused() {
    let site = Site::with(|settings| {
        // While a sweep counts, a job may be counted twice.
        settings.jobs.sweep_seconds = 600;
        settings.jobs.max_waiting = 3;
        for plan in &mut settings.plans {
            plan.max_queued_jobs = 2;
        }
    })
    .await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (_worker, _folder) = standing_still(&site).await;
    let first = waiting_job(&site, &ann, "1").await;
    waiting_job(&site, &ann, "2").await;
    is_refused(submit(&site, &ann, &prompt(1), "3").await, StatusCode::TOO_MANY_REQUESTS).await;
    waiting_job(&site, &bob, "1").await;
    is_refused(submit(&site, &bob, &prompt(1), "2").await, StatusCode::SERVICE_UNAVAILABLE).await;
    let cancel = format!("/api/general/job/{first}/cancel");
    assert_eq!(site.send(&ann, Method::POST, &cancel, &Value::Null).await.status(), 200);
    waiting_job(&site, &ann, "3").await;
    site.finish().await;
}

#[actix_web::test]
async fn hung_database_answers_503_in_time_and_recovers() {
    let site = Site::with(|settings| {
        // Shorter than the time of an answer, and enough to open a connection before and after the outage. A sign-up on a
        // busy machine takes more than a second.
        settings.database.acquire_timeout_ms = 3000;
        settings.server.answer_seconds = 4;
    })
    .await;
    let ann = site.person().await;
    let (_worker, _folder) = standing_still(&site).await;
    waiting_job(&site, &ann, "before").await;

    let mut lock = database::begin(&site.core.db).await.expect("a transaction");
    sqlx::raw_sql("LOCK TABLE jobs IN ACCESS EXCLUSIVE MODE").execute(&mut *lock).await.expect("a lock");
    let began = Instant::now();
    let body = prompt(1);
    let submitted = submit(&site, &ann, &body, "outage");
    let lists = join_all((0..40).map(|_| site.get(&ann, "/api/general/job")));
    let (submitted, lists) = futures_util::join!(submitted, lists);
    let waited = began.elapsed();
    is_refused(submitted, StatusCode::SERVICE_UNAVAILABLE).await;
    for answer in lists {
        is_refused(answer, StatusCode::SERVICE_UNAVAILABLE).await;
    }
    // The database itself ends statements after 30 seconds.
    assert!(waited < Duration::from_secs(10), "a response took {waited:?}");
    lock.rollback().await.expect("the lock is gone");

    let list: Value = site.get(&ann, "/api/general/job").await.json().await.expect("JSON");
    assert!(list["items"].as_array().is_some_and(|items| !items.is_empty()), "{list}");
    // The submit may have succeeded; the same key returns the same job, or creates it now.
    let job = waiting_job(&site, &ann, "outage").await;
    assert_eq!(waiting_job(&site, &ann, "outage").await, job);
    let list: Value = site.get(&ann, "/api/general/job").await.json().await.expect("JSON");
    assert_eq!(list["items"].as_array().map(Vec::len), Some(2), "one job for each key: {list}");
    site.finish().await;
}

#[actix_web::test]
async fn missing_body_times_out() {
    let site = Site::with(|settings| settings.server.body_seconds = 1).await;
    let address = site.url.trim_start_matches("http://");
    let mut slow = tokio::net::TcpStream::connect(address).await.expect("a connection");
    let head = format!(
        "POST /api/auth/login/email-password HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         content-length: 100\r\n\r\n{{\"email\":"
    );
    slow.write_all(head.as_bytes()).await.expect("a request that begins");
    let mut answer = [0; 12];
    let read = tokio::time::timeout(Duration::from_secs(30), slow.read_exact(&mut answer)).await;
    read.expect("an answer in time").expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 408");
    assert_eq!(site.get(&Browser::default(), "/api/public/mini-app").await.status(), 200);
    site.finish().await;
}

#[actix_web::test]
async fn busy_uploads_and_sign_ins_are_refused() {
    let site = Site::with(|settings| settings.limits.decodes_at_once = 0).await;
    let ann = site.person().await;
    let part = reqwest::multipart::Part::bytes(b"\x89PNG\r\n\x1a\n".to_vec()).file_name("a.png");
    let form = reqwest::multipart::Form::new().part("image", part);
    let upload = ann.sign(site.ask(Method::POST, "/api/general/asset/file/image")).multipart(form);
    is_refused(upload.send().await.expect("an answer"), StatusCode::SERVICE_UNAVAILABLE).await;
    let me: Value = site.get(&ann, "/api/auth").await.json().await.expect("JSON");
    assert_eq!(text(&me, "email"), ann.email, "everything else goes on: {me}");
    site.finish().await;
}
