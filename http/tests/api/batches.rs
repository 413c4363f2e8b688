//! Batches over real connections: answered during the upload, interrupted anywhere, sent again, canceled.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::stream;
use reqwest::{Body, Method, RequestBuilder, Response};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use uuid::Uuid;
use verdigraph_core::ledger::{self, GrantKind, NewGrant};
use verdigraph_core::{events, jobs};

use crate::jobs::{prompt, with_idle_worker, with_worker};
use crate::site::{Browser, Site, error, text};

const PATIENCE: Duration = Duration::from_secs(30);

fn request(site: &Site, who: &Browser, key: &str) -> RequestBuilder {
    let request = who.sign(site.ask(Method::POST, "/api/general/job/batch")).timeout(PATIENCE);
    request.header("content-type", "application/x-ndjson").header("Idempotency-Key", key)
}

async fn send(site: &Site, who: &Browser, key: &str, file: impl Into<String>) -> Vec<Value> {
    let response = request(site, who, key).body(file.into()).send().await.expect("an answer");
    assert_eq!(response.status(), 200);
    lines(&response.text().await.expect("the whole answer"))
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// A valid item; items differ by color.
fn item(number: usize) -> String {
    let color = i64::try_from(number).expect("a small number");
    format!("{}\n", json!({ "key": format!("item-{number}"), "prompt": prompt(color)["prompt"] }))
}

/// The next line of a response that is still being written.
struct Reader(Response, Vec<u8>);

impl Reader {
    async fn line(&mut self) -> Option<Value> {
        loop {
            if let Some(end) = self.1.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.1.drain(..=end).collect();
                return Some(serde_json::from_slice(&line).expect("a line is JSON"));
            }
            self.1.extend(self.0.chunk().await.expect("a piece")?);
        }
    }
}

/// Grants credits for more jobs than a new account can hold.
async fn rich(site: &Site, who: &Browser) {
    let me: Value = site.get(who, "/api/auth").await.json().await.expect("who I am");
    let id = me["_id"].as_str().or(me["user"]["_id"].as_str()).and_then(|id| id.parse().ok()).expect("an id");
    let grant = NewGrant { kind: GrantKind::Operator, source: "test".into(), amount: 1_000_000, expires_at: None };
    ledger::grant(&site.core, id, grant).await.expect("a grant");
}

async fn rows(site: &Site) -> i64 {
    sqlx_count(site, "SELECT count(*) FROM all_jobs").await
}

async fn sqlx_count(site: &Site, sql: &'static str) -> i64 {
    site.core.database.count(sql).await
}

#[actix_web::test]
async fn items_are_answered_in_order_during_the_upload() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let (upload, pieces) = mpsc::channel::<Result<String, io::Error>>(1);
    let pieces = stream::unfold(pieces, |mut pieces| async { Some((pieces.recv().await?, pieces)) });
    let asked = request(&site, &ann, "live").body(Body::wrap_stream(pieces)).send();
    let mut answer = Reader(tokio::time::timeout(PATIENCE, asked).await.expect("in time").expect("an answer"), vec![]);
    let batch = answer.line().await.expect("a first line");
    assert!(batch["batch"].is_string(), "{batch}");

    upload.send(Ok(item(1))).await.unwrap();
    let first = answer.line().await.expect("an answer before the upload ends");
    assert_eq!((&first["line"], &first["key"], &first["replayed"]), (&json!(1), &json!("item-1"), &json!(false)));
    assert!(first["id"].is_string() && first["seeds"].is_object() && first.get("error").is_none(), "{first}");

    let bad = json!({ "key": "bad", "prompt": { "1": { "class_type": "Nothing", "inputs": {} } } });
    let twice = item(1);
    upload.send(Ok(format!("{bad}\n\nnot json\n{twice}"))).await.unwrap();
    upload.send(Ok(item(2).trim_end().to_owned())).await.unwrap();
    drop(upload);
    let mut rest = Vec::new();
    while let Some(line) = answer.line().await {
        rest.push(line);
    }
    let codes: Vec<_> = rest.iter().map(|line| (line["line"].as_u64(), line["error"]["code"].as_str())).collect();
    let expected = [
        (Some(2), Some("INVALID_PROMPT")),
        (Some(4), Some("VALIDATION_FAILED")),
        (Some(5), None),
        (Some(6), None),
        (None, None),
    ];
    assert_eq!(codes, expected, "{rest:?}");
    assert!(rest[0]["error"]["details"]["node_errors"].is_object() || rest[0]["error"]["details"].is_object());
    assert_eq!((&rest[2]["id"], &rest[2]["replayed"]), (&first["id"], &json!(true)), "one key is one job");
    let last = json!({ "batch": batch["batch"], "accepted": 3, "refused": 2, "replayed": 1, "complete": true });
    assert_eq!(rest[4], last);
    assert_eq!(rows(&site).await, 2);
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn interrupted_batch_sent_again_creates_each_job_once() {
    const ITEMS: usize = 60;
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let file: String = (0..ITEMS).map(item).collect();
    let mut seed = Uuid::now_v7().as_u128() as u64 | 1;
    println!("seed {seed}");
    let mut ids: BTreeMap<String, String> = BTreeMap::new();
    let mut note = |lines: &[Value]| {
        for line in lines.iter().filter(|line| line["id"].is_string()) {
            let before = ids.insert(text(line, "key"), text(line, "id"));
            assert!(before.is_none_or(|before| before == text(line, "id")), "another job for {line}");
        }
    };
    for _ in 0..50 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let cut = usize::try_from(seed >> 33).expect("31 bits") % file.len();
        let mut pieces: Vec<Result<String, io::Error>> =
            file.as_bytes()[..cut].chunks(700).map(|piece| Ok(String::from_utf8(piece.to_vec()).unwrap())).collect();
        pieces.push(Err(io::Error::other("cut")));
        let asked = request(&site, &ann, "cut").body(Body::wrap_stream(stream::iter(pieces))).send().await;
        // Whether any of the response arrives before the cut depends on timing.
        if let Ok(mut response) = asked {
            let mut told = Vec::new();
            while let Ok(Some(piece)) = response.chunk().await {
                told.extend(piece);
            }
            let whole = told.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            let told = lines(std::str::from_utf8(&told[..whole]).expect("text"));
            assert!(!told.iter().any(|line| line["complete"] == true), "a cut upload was called complete: {told:?}");
            note(&told);
        }
        let so_far = usize::try_from(rows(&site).await).expect("a count");
        assert!(so_far <= ITEMS, "{so_far} jobs of {ITEMS} items");
    }
    let told = send(&site, &ann, "cut", file.clone()).await;
    note(&told);
    let last = told.last().expect("a last line");
    assert_eq!((last["accepted"].as_u64(), last["refused"].as_u64()), (Some(60), Some(0)), "{last}");
    assert_eq!(ids.len(), ITEMS);
    assert_eq!(rows(&site).await, 60, "exactly the file's jobs");
    let holds = sqlx_count(&site, "SELECT count(*) FROM credit_holds").await;
    assert_eq!(holds, 60, "one hold for each");
    let again = send(&site, &ann, "cut", file).await;
    assert_eq!(again.last().expect("a last line")["replayed"], 60);
    let batches: Value = site.get(&ann, "/api/general/job/batch").await.json().await.unwrap();
    assert_eq!(batches["items"].as_array().map(Vec::len), Some(1), "one key is one batch: {batches}");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn too_long_line_and_wrong_content_type_are_refused() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let long =
        format!("{{\"key\":\"long\",\"prompt\":{{\"1\":\"{}\"}}}}\n", "x".repeat(site.core.settings.limits.json_bytes));
    let told = send(&site, &ann, "long", format!("{}{long}{}", item(1), item(2))).await;
    let codes: Vec<_> = told.iter().map(|line| line["error"]["code"].as_str()).collect();
    assert_eq!(codes, [None, None, Some("BODY_TOO_LARGE"), None, None], "{told:?}");
    let json = post_json(&site, &ann).await;
    assert_eq!((json.0, json.1.as_str()), (415, "UNSUPPORTED_MEDIA_TYPE"));
    let guest = request(&site, &Browser::default(), "guest").body(item(1)).send().await.expect("an answer");
    assert_eq!(guest.status(), 401);
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

async fn post_json(site: &Site, who: &Browser) -> (u16, String, Value) {
    error(site.send(who, Method::POST, "/api/general/job/batch", &json!({})).await).await
}

#[actix_web::test]
async fn only_the_owner_sees_and_cancels_a_batch() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    rich(&site, &ann).await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let file: String = (0..450).map(item).collect();
    let told = send(&site, &ann, "mine", file.clone()).await;
    let batch = text(&told[0], "batch");
    let path = format!("/api/general/job/batch/{batch}");
    let list = format!("/api/general/job?batch={batch}");

    for (method, path) in
        [(Method::GET, path.clone()), (Method::POST, format!("{path}/cancel")), (Method::GET, list.clone())]
    {
        let refused = bob.sign(site.ask(method, &path)).send().await.expect("an answer");
        assert_eq!(error(refused).await.0, 404, "{path}");
    }
    let others = send(&site, &bob, "mine", item(1)).await;
    assert_ne!(text(&others[0], "batch"), batch, "a key is its owner's");

    let status: Value = site.get(&ann, &path).await.json().await.unwrap();
    assert_eq!(
        (&status["total"], &status["active"], &status["statuses"]["Pending"]),
        (&json!(450), &json!(450), &json!(450))
    );
    let jobs: Value = site.get(&ann, &format!("{list}&limit=100&status=Pending")).await.json().await.unwrap();
    assert_eq!(jobs["items"].as_array().map(Vec::len), Some(100));
    assert!(jobs["nextCursor"].is_string() && jobs["items"][0]["batch"] == json!(batch), "{jobs}");

    let cancel_path = format!("{path}/cancel");
    let cancel = || site.send(&ann, Method::POST, &cancel_path, &Value::Null);
    tokio::time::timeout(PATIENCE, async { while cancel().await.json::<Value>().await.unwrap()["active"] != 0 {} })
        .await
        .expect("all are canceled");
    let after: Value = cancel().await.json().await.unwrap();
    assert_eq!((&after["statuses"], &after["total"]), (&json!({ "Canceled": 450 }), &json!(450)), "{after}");
    let again = request(&site, &ann, "mine").body(file).send().await.expect("an answer");
    let (status, code, _) = error(again).await;
    assert_eq!((status, code.as_str()), (409, "BATCH_CANCELED"));
    let held = sqlx_count(&site, "SELECT count(*) FROM credit_holds WHERE state = 0").await;
    assert_eq!(held, 1, "only the other person's job holds credits");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn revoked_key_ends_the_upload() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let made = site.send(&ann, Method::POST, "/api/general/api-key", &json!({ "name": "script" })).await;
    let key: Value = made.json().await.expect("JSON");
    let (upload, pieces) = mpsc::channel::<Result<String, io::Error>>(1);
    let pieces = stream::unfold(pieces, |mut pieces| async { Some((pieces.recv().await?, pieces)) });
    let asked = site.ask(Method::POST, "/api/general/job/batch").header("api-key", text(&key, "key"));
    let asked = asked.header("content-type", "application/x-ndjson").header("Idempotency-Key", "revoked");
    // Longer than the wait below, whose end it must not be.
    let asked = asked.timeout(3 * PATIENCE).body(Body::wrap_stream(pieces)).send();
    let mut answer = Reader(tokio::time::timeout(PATIENCE, asked).await.expect("in time").expect("an answer"), vec![]);
    assert!(answer.line().await.expect("a first line")["batch"].is_string());
    upload.send(Ok(item(1))).await.unwrap();
    assert!(answer.line().await.expect("an answer")["id"].is_string());

    let revoke = format!("/api/general/api-key/{}", text(&key, "_id"));
    assert_eq!(site.send(&ann, Method::DELETE, &revoke, &json!({})).await.status(), 204);
    let rest = tokio::time::timeout(PATIENCE, answer.0.chunk()).await.expect("the batch lives on");
    assert!(!matches!(rest, Ok(Some(_))), "{rest:?}");
    // The client no longer reads: sending fails, or the bytes go nowhere.
    drop(upload.send(Ok(item(2))).await);
    assert_eq!(rows(&site).await, 1, "an item was taken after its key had gone");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

/// The events of the batch and its jobs, in order.
async fn told(site: &Site, who: &Browser, count: usize) -> Vec<Value> {
    let (mut all, mut after) = (Vec::new(), "oldest".to_owned());
    while all.len() < count {
        let path = format!("/api/general/event?after={after}&wait=20");
        let page: Value = site.get(who, &path).await.json().await.expect("JSON");
        let items = page["items"].as_array().expect("items");
        assert!(!items.is_empty(), "nothing follows {all:?}");
        all.extend(items.iter().cloned());
        text(&page, "nextCursor").clone_into(&mut after);
    }
    all
}

#[actix_web::test]
async fn batch_finished_event_follows_the_last_job() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_worker(&site).await;
    events::start(&site.core.core);
    let (upload, pieces) = mpsc::channel::<Result<String, io::Error>>(1);
    let pieces = stream::unfold(pieces, |mut pieces| async { Some((pieces.recv().await?, pieces)) });
    let asked = request(&site, &ann, "ends").body(Body::wrap_stream(pieces)).send();
    let mut answer = Reader(tokio::time::timeout(PATIENCE, asked).await.expect("in time").expect("an answer"), vec![]);
    let batch = text(&answer.line().await.expect("a first line"), "batch");
    upload.send(Ok(item(1))).await.unwrap();
    answer.line().await.expect("an answer");
    assert_eq!(told(&site, &ann, 3).await[2]["type"], "job.done");
    assert_eq!(jobs::finish_batches(&site.core).await.expect("a round"), 0, "more may come");
    upload.send(Ok(item(2))).await.unwrap();
    answer.line().await.expect("an answer");
    drop(upload);
    assert_eq!(answer.line().await.expect("a last line")["complete"], true);
    assert_eq!(told(&site, &ann, 6).await[5]["type"], "job.done");
    let path = format!("/api/general/job/batch/{batch}");
    let goes_on: Value = site.get(&ann, &path).await.json().await.expect("JSON");
    assert_eq!(goes_on["finishedAt"], Value::Null);

    assert_eq!(jobs::finish_batches(&site.core).await.expect("a round"), 1);
    let all = told(&site, &ann, 7).await;
    let last = &all[6];
    let finished: Value = site.get(&ann, &path).await.json().await.expect("JSON");
    let data = &last["data"];
    assert_eq!((&last["type"], &data["batch"]), (&json!("batch.finished"), &json!(batch)));
    assert_eq!((&data["key"], &data["total"], &data["counts"]), (&json!("ends"), &json!(2), &json!({ "Done": 2 })));
    let time = |value: &Value| value.as_str().and_then(|at| at.parse::<DateTime<Utc>>().ok()).expect("a time");
    assert_eq!(time(&finished["finishedAt"]), time(&data["finishedAt"]));
    assert!(text(&data["links"], "batch").ends_with(&path), "{data}");

    // An interrupted file with a new job: the batch reopens, and ends once more.
    let pieces = [Ok(item(2)), Ok(item(3)), Err(io::Error::other("cut"))];
    let cut = request(&site, &ann, "ends").body(Body::wrap_stream(stream::iter(pieces))).send().await;
    if let Ok(mut response) = cut {
        while let Ok(Some(_)) = response.chunk().await {}
    }
    send(&site, &ann, "ends", item(3)).await;
    told(&site, &ann, 10).await;
    let again = async { while jobs::finish_batches(&site.core).await.expect("a round") == 0 {} };
    tokio::time::timeout(PATIENCE, again).await.expect("a cut upload keeps its batch from its end");
    let all = told(&site, &ann, 11).await;
    assert_eq!((&all[10]["type"], &all[10]["data"]["total"]), (&json!("batch.finished"), &json!(3)));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}
