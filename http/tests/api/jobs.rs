//! Jobs from submit to outputs, through the built-in worker and its real protocol.

use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use verdigraph_core::fleet::{self, NewWorker};
use verdigraph_core::jobs;
use verdigraph_workers::connection;
use verdigraph_workers::cpu::server::{self, Options, Running};
use verdigraph_workers::fleet::Fleet;

use crate::site::{Browser, Site, error, text};

/// Connects a CPU worker and waits until the site can run jobs.
pub async fn with_worker(site: &Site) -> (Running, tempfile::TempDir) {
    let worker = with_idle_worker(site).await;
    jobs::start(&site.core.core);
    let ready = async {
        while site.ask(Method::GET, "/api/health").send().await.expect("an answer").status() != 200 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), ready).await.expect("the worker is connected");
    worker
}

/// Connects a paused CPU worker: jobs are accepted, and wait.
pub async fn with_idle_worker(site: &Site) -> (Running, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let running = server::serve(Options::new(([127, 0, 0, 1], 0).into(), folder.path())).await.expect("a worker");
    let files = Arc::new(site.core.files.clone());
    let connections = {
        let (arbiter, reports) = (actix_rt::Arbiter::current(), site.core.fleet.reports());
        Fleet::start(&arbiter, &site.core.supervisor, files, reports, connection::Settings::default())
    };
    site.core.fleet.connect(connections.recipient());
    let url = format!("http://{}", running.address());
    let worker = NewWorker { name: "cpu".to_owned(), url, pool: "cpu".to_owned(), home: None };
    fleet::start(&site.core, &[worker]).await.expect("a fleet");
    let connected = async {
        while site.core.fleet.roster().connected_in("cpu") == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), connected).await.expect("the worker is connected");
    (running, folder)
}

pub fn prompt(color: i64) -> Value {
    json!({ "prompt": {
        "1": { "class_type": "EmptyImage", "inputs": { "width": 16, "height": 8, "batch_size": 1, "color": color } },
        "2": { "class_type": "SaveImage", "inputs": { "images": ["1", 0], "filename_prefix": "test" } },
    } })
}

pub async fn submit(site: &Site, who: &Browser, body: &Value, key: &str) -> reqwest::Response {
    let request = who.sign(site.ask(Method::POST, "/api/general/job/prompt")).header("Idempotency-Key", key);
    request.json(body).send().await.expect("an answer")
}

/// Waits until a job ends, and returns it.
pub async fn ended(site: &Site, who: &Browser, job: &str) -> Value {
    let begun = Instant::now();
    loop {
        let found: Value = site.get(who, &format!("/api/general/job/{job}")).await.json().await.expect("a job");
        if !matches!(found["status"].as_str(), Some("Pending" | "Connecting" | "Connected" | "Running")) {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "the job does not end: {found}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A job's whole stream as (id, event, data); ends when the job does.
async fn events(site: &Site, who: &Browser, job: &str, after: Option<u64>) -> Vec<(Option<u64>, String, Value)> {
    let mut request = who.sign(site.ask(Method::GET, &format!("/api/general/job/{job}/events")));
    if let Some(after) = after {
        request = request.header("Last-Event-ID", after);
    }
    let body = request.timeout(Duration::from_secs(60)).send().await.expect("a stream").text().await.expect("its end");
    frames(&body)
}

/// The events of a stream as (id, event, data).
pub fn frames(body: &str) -> Vec<(Option<u64>, String, Value)> {
    let field = |frame: &str, name: &str| frame.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
    body.split("\n\n")
        .filter_map(|frame| {
            let id = field(frame, "id: ").and_then(|id| id.parse().ok());
            Some((id, field(frame, "event: ")?, serde_json::from_str(&field(frame, "data: ")?).expect("JSON")))
        })
        .collect()
}

#[actix_web::test]
async fn job_is_followed_to_its_output_and_hidden_from_others() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_worker(&site).await;
    let accepted = submit(&site, &ann, &prompt(255), "one").await;
    assert_eq!(accepted.status(), 201, "{:?}", accepted.text().await);
    let accepted: Value = accepted.json().await.unwrap();
    let job = text(&accepted, "_id");

    let told = events(&site, &ann, &job, None).await;
    let (_, last, status) = told.last().expect("events");
    assert_eq!((last.as_str(), status["status"].as_str()), ("status", Some("Done")), "{told:?}");
    let before_last = &told[told.len() - 2];
    assert_eq!(before_last.1, "outputs", "outputs come before the end: {told:?}");
    let url = text(&before_last.2[0]["outputs"]["images"][0], "url");
    assert_eq!(site.get(&ann, &url).await.status(), 200);

    let ended: Value = site.get(&ann, &format!("/api/general/job/{job}")).await.json().await.unwrap();
    let node = before_last.2[0]["nodeId"].as_str().expect("a node");
    let made = &ended["promptResult"][node]["images"][0];
    assert_eq!((&made["type"], &made["subfolder"], text(made, "url")), (&json!("output"), &json!(""), url.clone()));
    assert_eq!(made["filename"], before_last.2[0]["outputs"]["images"][0]["fileName"], "{ended}");
    assert!(text(made, "filename").ends_with(".png"), "{made}");

    // A client that connects after the end gets the final status, and the stream ends.
    let again = events(&site, &ann, &job, told.iter().filter_map(|(id, ..)| *id).max()).await;
    assert_eq!(again.iter().filter(|(_, name, _)| name == "status").count(), 1, "{again:?}");

    // Callers who may see the picture may see its graph, which is not part of the file.
    let listed: Value = site.get(&ann, "/api/general/output-asset/my").await.json().await.unwrap();
    let picture = text(&listed["items"][0], "_id");
    let graph = format!("/api/general/output-asset/{picture}?select=prompt name");
    let made: Value = site.get(&ann, &graph).await.json().await.unwrap();
    let drawn: Value = serde_json::from_str(&text(&made, "prompt")).expect("a JSON text");
    assert_eq!(drawn["output"]["1"]["inputs"]["color"], 255);
    assert_eq!(
        (text(&made, "_id"), &made["workflow"]),
        (picture.clone(), &Value::Null),
        "a raw prompt has no workflow"
    );
    assert_eq!(site.get(&bob, &graph).await.status(), 404, "the graph of a private picture was told");
    assert_eq!(site.get(&ann, &graph.replace("prompt name", "form")).await.status(), 400);
    for select in ["-prompt", ""] {
        let plain: Value = site.get(&ann, &graph.replace("prompt name", select)).await.json().await.unwrap();
        assert_eq!((text(&plain, "id"), plain.get("prompt")), (picture.clone(), None), "{select:?}");
    }

    for path in ["", "/status", "/api-outputs", "/events"] {
        assert_eq!(site.get(&bob, &format!("/api/general/job/{job}{path}")).await.status(), 404, "{path}");
    }
    let cancel = format!("/api/general/job/{job}/cancel");
    assert_eq!(site.send(&bob, Method::POST, &cancel, &json!({})).await.status(), 404);
    assert_eq!(site.get(&bob, &url).await.status(), 404, "an output is private");
    let late: Value = site.send(&ann, Method::POST, &cancel, &json!({})).await.json().await.unwrap();
    assert_eq!(late["status"], "Done", "canceling what has ended changes nothing");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn repeated_submit_creates_one_job() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_worker(&site).await;
    let first: Value = submit(&site, &ann, &prompt(1), "key").await.json().await.unwrap();
    let second = submit(&site, &ann, &prompt(1), "key").await;
    assert_eq!(second.status(), 201);
    assert_eq!(second.json::<Value>().await.unwrap()["_id"], first["_id"]);
    let (status, code, _) = error(submit(&site, &ann, &prompt(2), "key").await).await;
    assert_eq!((status, code.as_str()), (422, "IDEMPOTENCY_MISMATCH"));
    events(&site, &ann, &text(&first, "_id"), None).await;
    let list: Value = site.get(&ann, "/api/general/job").await.json().await.unwrap();
    assert_eq!(list["items"].as_array().map(Vec::len), Some(1));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn concurrent_submits_with_one_key_return_one_job() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_worker(&site).await;
    for round in 0..5 {
        let (body, key) = (prompt(round), format!("press-{round}"));
        let presses = futures_util::future::join_all((0..4).map(|_| submit(&site, &ann, &body, &key))).await;
        let mut jobs = Vec::new();
        for answer in presses {
            assert_eq!(answer.status(), 201, "a second press was refused");
            jobs.push(text(&answer.json().await.expect("JSON"), "_id"));
        }
        assert!(jobs.windows(2).all(|pair| pair[0] == pair[1]), "{jobs:?}");
        events(&site, &ann, &jobs[0], None).await;
    }
    let list: Value = site.get(&ann, "/api/general/job").await.json().await.unwrap();
    assert_eq!(list["items"].as_array().map(Vec::len), Some(5));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn prompt_errors_name_their_nodes() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_worker(&site).await;
    let mut body = prompt(1);
    body["prompt"]["1"]["inputs"]["width"] = json!(-5);
    body["prompt"]["2"]["inputs"]["images"] = json!(["9", 0]);
    let (status, code, body) = error(submit(&site, &ann, &body, "bad").await).await;
    assert_eq!((status, code.as_str()), (422, "INVALID_PROMPT"));
    assert!(body["details"]["node_errors"]["2"]["errors"].is_array(), "{body}");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn form_keeps_field_order_large_seeds_and_negative_zero() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_worker(&site).await;
    let noise = json!({ "image": ["9", 0], "seed": u64::MAX, "strength": -0.0 });
    let graph = json!({
        "9": { "class_type": "EmptyImage", "inputs": { "width": 16, "height": 8, "batch_size": 1, "color": 255 } },
        "1": { "class_type": "ImageAddNoise", "inputs": noise },
        "2": { "class_type": "SaveImage", "inputs": { "images": ["1", 0], "filename_prefix": "test" } },
    });
    let body = json!({ "name": "Noisy", "description": "", "prompt": { "output": graph } });
    let made = site.send(&ann, Method::POST, "/api/general/workflow", &body).await;
    let workflow = text(&made.json().await.expect("a workflow"), "_id");
    let input = |order: u32, node: &str, class: &str, name: &str| {
        let adapter = json!({ "apiFieldName": name, "isRandom": false });
        json!({ "order": order, "id": node, "name": name, "nodeName": class, "adapter": adapter })
    };
    let inputs = json!({
        "1.strength": input(1, "1", "ImageAddNoise", "strength"),
        "1.seed": input(2, "1", "ImageAddNoise", "seed"),
        "9.height": input(3, "9", "EmptyImage", "height"),
    });
    let outputs = json!({ "2": { "id": "2", "order": 1, "name": "Picture" } });
    let body = json!({ "workflow": workflow, "inputs": inputs, "outputs": outputs });
    let made = site.send(&ann, Method::POST, "/api/general/workflow-api", &body).await;
    assert_eq!(made.status(), 201, "{:?}", made.text().await);
    let app = text(&made.json().await.expect("an app"), "_id");

    // Compare the text: parsed numbers do not distinguish -0.0 from 0.0.
    let words = async |path: String| site.get(&ann, &path).await.text().await.expect("a text");
    let shown = words(format!("/api/general/workflow-api/{app}")).await;
    let places = ["\"strength\":{\"type", "\"seed\":{\"type", "\"height\":{\"type"].map(|name| shown.find(name));
    assert!(places[0].is_some() && places.is_sorted(), "the form is in another order: {shown}");
    for default in ["\"default\":-0.0", "\"default\":18446744073709551615", "\"maximum\":18446744073709551615"] {
        assert!(shown.contains(default), "{default} is lost: {shown}");
    }

    let sent = r#"{"height":16,"seed":18446744073709551615,"strength":-0.0}"#;
    let submit = async || {
        let request = ann.sign(site.ask(Method::POST, &format!("/api/general/job/workflow-api/{app}")));
        let request = request.header("Idempotency-Key", "noise").header("content-type", "application/json");
        let answer = request.body(sent).send().await.expect("an answer");
        (answer.status().as_u16(), answer.text().await.expect("a text"))
    };
    let (status, accepted) = submit().await;
    assert_eq!(status, 201, "{accepted}");
    let job = text(&serde_json::from_str(&accepted).expect("JSON"), "_id");
    events(&site, &ann, &job, None).await;

    let form =
        r#""form":{"strength":-0.0,"seed":18446744073709551615,"height":16},"seeds":{"seed":18446744073709551615}"#;
    let shown = words(format!("/api/general/job/{job}")).await;
    assert!(shown.contains(r#""status":"Done""#) && shown.contains(form), "{shown}");
    let (_, again) = submit().await;
    assert!(again.contains(r#""seeds":{"seed":18446744073709551615}"#) && again.contains(&job), "{again}");

    let ran = site.http.get(format!("http://{}/history", worker.address())).send().await.expect("an answer");
    let ran = ran.text().await.expect("a text").replace(' ', "");
    let ran_with = r#""inputs":{"image":["9",0],"seed":18446744073709551615,"strength":-0.0}"#;
    assert!(ran.contains(ran_with), "the worker was given something else: {ran}");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}
