//! Webhooks over HTTP: paths, fields and texts of the specification, and deliveries to a local receiver.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use verdigraph_core::{events, webhooks};

use crate::calls::read;
use crate::jobs::with_worker;
use crate::shares::private_app;
use crate::site::{Browser, Site, error, text};

const CONFIG: &str = "/api/general/webhook-config";

async fn made(site: &Site, who: &Browser, path: &str, body: &Value) -> Value {
    let answer = site.send(who, Method::POST, path, body).await;
    assert_eq!(answer.status(), 201, "{path}: {:?}", answer.text().await);
    answer.json().await.expect("JSON")
}

fn ids(config: &Value) -> Vec<&str> {
    let events = config["webhookEvents"].as_array().expect("events");
    events.iter().map(|event| event["_id"].as_str().expect("an id")).collect()
}

/// A receiver that answers every request with this status and `heard`; returns its URL and the bodies.
async fn receiver(status: &'static str) -> (String, Arc<Mutex<Vec<Value>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://127.0.0.1:{}/hook", listener.local_addr().expect("an address").port());
    let bodies = Arc::<Mutex<Vec<Value>>>::default();
    let kept = Arc::clone(&bodies);
    actix_web::rt::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut read = Vec::new();
            // A delivery is one JSON object.
            let body = loop {
                let start = read.windows(4).position(|four| four == b"\r\n\r\n").map(|end| end + 4);
                let body = start.and_then(|start| serde_json::from_slice::<Value>(read.get(start..)?).ok());
                if let Some(body) = body {
                    break body;
                }
                if stream.read_buf(&mut read).await.expect("a request") == 0 {
                    return;
                }
            };
            kept.lock().expect("the bodies").push(body);
            let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 5\r\nconnection: close\r\n\r\nheard");
            stream.write_all(answer.as_bytes()).await.expect("an answer");
        }
    });
    (url, bodies)
}

/// The history, once it has this many attempts.
async fn history(site: &Site, who: &Browser, config: &str, query: &str, count: usize) -> Value {
    let wait = async {
        loop {
            let page = read(site, who, &format!("/api/general/webhook-history/{config}{query}")).await;
            if page["data"].as_array().is_some_and(|data| data.len() == count) {
                return page;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), wait).await.expect("the attempts in time")
}

#[actix_web::test]
async fn configs_have_the_paths_and_fields_of_the_specification() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_worker(&site).await;
    let (app, _) = private_app(&site, &ann).await;
    let kinds = read(&site, &ann, "/api/general/webhook-event").await;
    let kinds = kinds["items"].as_array().expect("events");
    assert_eq!(kinds.len(), 9);
    for kind in kinds {
        assert!(!text(kind, "name").is_empty() && text(kind, "description").ends_with('.'), "{kind}");
    }

    // GET and POST take the workflow API's id; both names of the events field are read, here and in PATCH.
    let of_app = format!("{CONFIG}/{app}");
    let url = "https://example.com/hook";
    let one = json!({ "name": "One", "webhookUrl": url, "webhookEventIds": ["job.done"] });
    let two = json!({ "name": " Two ", "webhookUrl": url, "webhookEvents": ["job.failed", "job.failed"] });
    let one = made(&site, &ann, &of_app, &one).await;
    let two = made(&site, &ann, &of_app, &two).await;
    assert_eq!((text(&two, "name").as_str(), ids(&two).as_slice()), ("Two", ["job.failed"].as_slice()));
    assert!(text(&one, "secret").starts_with("whsec_"));
    let listed = read(&site, &ann, &of_app).await;
    let names: Vec<String> =
        listed["items"].as_array().expect("configs").iter().map(|config| text(config, "name")).collect();
    assert_eq!(names, ["One", "Two"]);
    let config = &listed["items"][0];
    assert_eq!((&config["_id"], &config["webhookUrl"]), (&one["_id"], &json!(url)));
    assert_eq!((&config["workflowApi"], config.get("secret")), (&json!(app), None), "the secret is shown once");
    assert_eq!(read(&site, &ann, CONFIG).await["items"], json!([]), "the account has its own");

    // PATCH and DELETE take the config's id.
    let path = format!("{CONFIG}/{}", text(&one, "_id"));
    for (body, kinds) in [
        (json!({ "webhookEvents": ["job.started"] }), ["job.started"]),
        (json!({ "webhookEventIds": ["job.canceled"], "name": "New" }), ["job.canceled"]),
    ] {
        let answer = site.send(&ann, Method::PATCH, &path, &body).await;
        assert_eq!(answer.status(), 200);
        assert_eq!(ids(&answer.json().await.expect("a config")), kinds);
    }
    let deleted = site.send(&ann, Method::DELETE, &path, &json!({})).await;
    assert_eq!(deleted.status(), 204);
    assert_eq!(read(&site, &ann, &of_app).await["items"].as_array().map(Vec::len), Some(1));
    worker.stop().await.expect("the worker stops");
}

#[actix_web::test]
async fn refusals_have_the_texts_of_the_specification() {
    let site = Site::start().await;
    let ann = site.person().await;
    let good = json!({ "name": "A", "webhookUrl": "https://example.com/", "webhookEventIds": ["job.done"] });
    let config = made(&site, &ann, CONFIG, &good).await;
    let path = format!("{CONFIG}/{}", text(&config, "_id"));
    let texts = ["Name is required", "Webhook URL is not valid", "Webhook Event IDs is required"];
    let empty = json!({ "name": " ", "webhookUrl": "example.com", "webhookEventIds": [] });
    for (method, path, body) in [
        (Method::POST, CONFIG, json!({})),
        (Method::POST, CONFIG, empty.clone()),
        (Method::PATCH, path.as_str(), empty),
    ] {
        let (status, code, body) = error(site.send(&ann, method, path, &body).await).await;
        assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"), "{body}");
        let said: Vec<String> =
            body["details"].as_array().expect("fields").iter().map(|field| text(field, "message")).collect();
        assert_eq!(said, texts);
    }
    for url in ["ftp://example.com/in", "http://example.com/"] {
        made(&site, &ann, CONFIG, &json!({ "name": "A", "webhookUrl": url, "webhookEvents": ["job.done"] })).await;
    }
    let private = json!({ "name": "A", "webhookUrl": "http://localhost/", "webhookEvents": ["job.done"] });
    let (status, code, _) = error(site.send(&ann, Method::POST, CONFIG, &private).await).await;
    assert_eq!((status, code.as_str()), (422, "WEBHOOK_URL_REFUSED"));
}

#[actix_web::test]
async fn history_has_payload_and_response_and_resends_up_to_ten_times() {
    let site = Site::with(|settings| {
        settings.outbound.private_hosts = vec!["127.0.0.1".to_owned()];
        settings.webhooks.retry_seconds = Vec::new();
    })
    .await;
    events::start(&site.core.core);
    webhooks::start(&site.core.core);
    let (ann, bob) = (site.person().await, site.person().await);
    let (url, bodies) = receiver("500 Sorry").await;
    let body = json!({ "name": "A", "webhookUrl": url, "webhookEventIds": ["job.done"] });
    let config = text(&made(&site, &ann, CONFIG, &body).await, "_id");
    let test = site.send(&ann, Method::POST, &format!("{CONFIG}/{config}/test"), &json!({})).await;
    assert_eq!(test.status(), 202);
    let group = text(&test.json().await.expect("a delivery"), "groupId");

    let page = history(&site, &ann, &config, "?page=1&limit=5", 1).await;
    assert_eq!(page["pagination"], json!({ "page": 1, "hasMore": false }));
    let attempt = &page["data"][0];
    let payload: Value = serde_json::from_str(&text(attempt, "payload")).expect("JSON");
    assert_eq!(payload, bodies.lock().expect("the bodies")[0]);
    assert_eq!(
        (&payload["type"], &payload["data"]),
        (&json!("test"), &json!({ "webhookConfig": config, "name": "A" }))
    );
    for (field, value) in [
        ("job", Value::Null),
        ("groupId", json!(group)),
        ("status", json!("Failed")),
        ("responseStatus", json!(500)),
        ("attemptNumber", json!(1)),
        ("attempts", json!(1)),
        ("response", json!("heard")),
        ("webhookEventEmbed", json!({ "name": "test" })),
    ] {
        assert_eq!(attempt[field], value, "{field}");
    }
    for field in ["_id", "attemptAt", "createdAt", "respondedAt"] {
        assert!(attempt[field].is_string(), "{field}");
    }
    assert_eq!(error(site.get(&bob, &format!("/api/general/webhook-history/{config}")).await).await.0, 404);

    let again = format!("{CONFIG}/resend/workflowHistory/{}", text(attempt, "_id"));
    assert_eq!(error(site.send(&bob, Method::POST, &again, &json!({})).await).await.0, 404);
    for number in 2..=10 {
        let resent = site.send(&ann, Method::POST, &again, &json!({})).await;
        assert_eq!(resent.status(), 202, "attempt {number}");
        history(&site, &ann, &config, "?limit=20", number).await;
    }
    let (status, code, _) = error(site.send(&ann, Method::POST, &again, &json!({})).await).await;
    assert_eq!((status, code.as_str()), (422, "WEBHOOK_ATTEMPTS"));
    assert_eq!(bodies.lock().expect("the bodies").len(), 10);

    // Pages of five, latest first; the search is exact.
    let first = history(&site, &ann, &config, "", 5).await;
    assert_eq!((&first["pagination"]["hasMore"], &first["data"][0]["attemptNumber"]), (&json!(true), &json!(10)));
    let second = history(&site, &ann, &config, "?page=2", 5).await;
    assert_eq!((&second["pagination"]["hasMore"], &second["data"][4]["attemptNumber"]), (&json!(false), &json!(1)));
    assert_eq!(second["data"][4]["attempts"], json!(10), "the first attempt's delivery has ten");
    for (search, count) in [(group.as_str(), 10), ("Failed", 10), ("Fail", 0), ("500", 10), ("50", 0), ("test", 10)] {
        history(&site, &ann, &config, &format!("?limit=20&search={search}"), count).await;
    }
}
