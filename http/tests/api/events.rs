//! The event feed: pages, waiting, and streams.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use verdigraph_core::{Caller, events};

use crate::jobs::{prompt, submit, with_worker};
use crate::site::{Browser, Site, error, text};

const PATIENCE: Duration = Duration::from_secs(30);

async fn page(site: &Site, who: &Browser, query: &str) -> Value {
    let request = who.sign(site.ask(Method::GET, &format!("/api/general/event{query}"))).timeout(PATIENCE);
    let response = request.send().await.expect("an answer");
    assert_eq!(response.status(), 200, "{query}");
    response.json().await.expect("JSON")
}

/// Reads pages until there are `count` events.
async fn read(site: &Site, who: &Browser, count: usize) -> (Vec<Value>, String) {
    let (mut all, mut after) = (Vec::new(), "oldest".to_owned());
    while all.len() < count {
        let page = page(site, who, &format!("?after={after}&wait=20")).await;
        let items = page["items"].as_array().expect("items");
        assert!(!items.is_empty(), "there is no event after {all:?}");
        all.extend(items.iter().cloned());
        page["nextCursor"].as_str().expect("a cursor").clone_into(&mut after);
    }
    (all, after)
}

fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().expect("a type")).collect()
}

#[actix_web::test]
async fn job_events_are_sent_once_and_only_to_the_owner() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_worker(&site).await;
    events::start(&site.core.core);
    let accepted: Value = submit(&site, &ann, &prompt(1), "one").await.json().await.expect("JSON");
    let job = text(&accepted, "_id");
    let (all, after) = read(&site, &ann, 3).await;
    assert_eq!(kinds(&all), ["job.created", "job.started", "job.done"]);
    assert!(all.iter().all(|event| event["data"]["job"] == json!(job)));
    let done = &all[2]["data"];
    assert_eq!(
        (&done["status"], &done["outputCount"], &done["workflowApi"]),
        (&json!("Done"), &json!(1), &Value::Null)
    );
    let outputs = done["links"]["outputs"].as_str().expect("a link");
    let path = &outputs[outputs.find("/api/").expect("a path")..];
    let made: Value = site.get(&ann, path).await.json().await.expect("JSON");
    assert!(made.to_string().contains(text(&done["outputs"][0], "outputAsset").as_str()), "{made}");
    assert!(page(&site, &bob, "").await["items"].as_array().expect("items").is_empty(), "it is told to others");
    let foreign = page(&site, &bob, &format!("?after={after}")).await;
    assert_eq!(
        foreign,
        json!({ "items": [], "nextCursor": after }),
        "a cursor names a position in the log of all accounts"
    );

    // A second read is equal; a stream from the first event's id has the rest.
    assert_eq!(page(&site, &ann, "?limit=3").await["items"], json!(all));
    let only = page(&site, &ann, "?types=job.done,test").await;
    assert_eq!(only["items"], json!([all[2]]));
    let first = page(&site, &ann, "?limit=1").await;
    let stream = ann.sign(site.ask(Method::GET, "/api/general/event")).header("Accept", "text/event-stream");
    let mut stream = stream.header("Last-Event-ID", text(&first, "nextCursor")).send().await.expect("a stream");
    let mut told = String::new();
    while told.matches("event: event").count() < 2 {
        let chunk = tokio::time::timeout(PATIENCE, stream.chunk()).await.expect("in time").expect("an open stream");
        told.push_str(std::str::from_utf8(&chunk.expect("more of the stream")).expect("text"));
    }
    let data: Vec<Value> = told
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).expect("JSON"))
        .filter(|data: &Value| data.get("id").is_some())
        .collect();
    assert_eq!(data, all[1..]);
    assert!(told.contains(&format!("id: {after}\nevent: event")), "the ids of a stream are cursors: {told}");
    drop(stream);

    // Deleting the account deletes its events.
    let me: Value = site.get(&ann, "/api/auth").await.json().await.expect("JSON");
    let user = text(&me, "_id").parse().expect("an id");
    events::forget(&site.core, user).await.expect("forgotten");
    let none =
        events::feed(&site.core, &Caller::customer(user), events::FeedPosition::Oldest, &[], 10).await.expect("a page");
    assert!(none.items.is_empty());
    worker.stop().await.expect("the worker stops");
}

#[actix_web::test]
async fn invalid_cursor_and_limit_are_refused() {
    let site = Site::start().await;
    let ann = site.person().await;
    for query in [
        "?after=x",
        "?after=-1",
        "?after=%2B1",
        "?after=99999999999999999999",
        "?types=job.done,nothing",
        "?limit=0",
        "?limit=501",
        "?wait=31",
        "?wait=-1",
        "?wait=1.5",
        "?wait=99999999999999999999999",
    ] {
        let response = site.get(&ann, &format!("/api/general/event{query}")).await;
        assert_eq!(response.status(), 400, "{query}");
    }
    for last in ["z", "-1", "+1", "1.5", "", "99999999999999999999"] {
        for accept in ["application/json", "text/event-stream"] {
            let request = ann.sign(site.ask(Method::GET, "/api/general/event")).header("Accept", accept);
            let response = request.header("Last-Event-ID", last).send().await.expect("an answer");
            assert_eq!(response.status(), 400, "{last:?} as {accept}");
        }
    }
    let (status, code, _) = error(site.get(&ann, "/api/general/event?after=7").await).await;
    assert_eq!((status, code.as_str()), (422, "EVENTS_CURSOR_AHEAD"));
    let stream = ann.sign(site.ask(Method::GET, "/api/general/event")).header("Accept", "text/event-stream");
    let (status, code, _) = error(stream.header("Last-Event-ID", "7").send().await.expect("an answer")).await;
    assert_eq!((status, code.as_str()), (422, "EVENTS_CURSOR_AHEAD"), "a stream leaves a gap");
    for accept in ["application/json", "text/event-stream"] {
        let head = ann.sign(site.ask(Method::HEAD, "/api/general/event")).header("Accept", accept).timeout(PATIENCE);
        let head = head.send().await.expect("an answer");
        assert_eq!((head.status().as_u16(), head.text().await.expect("the end").as_str()), (200, ""), "{accept}");
    }
    let guest = site.ask(Method::GET, "/api/general/event").send().await.expect("an answer");
    assert_eq!(guest.status(), 401);
    let latest = page(&site, &ann, "?after=latest").await;
    assert_eq!(latest, json!({ "items": [], "nextCursor": "0" }));
}
