//! Comfy API v2, as the SDKs of ComfyUI call it.

use std::time::{Duration, Instant};

use reqwest::multipart::{Form, Part};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};
use verdigraph_core::assets::Blake3Hash;

use crate::jobs::{frames, prompt, with_idle_worker, with_worker};
use crate::posts::png;
use crate::site::{Site, text};

const API: &str = "/api/v2";

/// A client with an API key.
pub struct Client<'a> {
    pub site: &'a Site,
    key: String,
}

impl<'a> Client<'a> {
    pub async fn new(site: &'a Site) -> Self {
        let made =
            site.send(&site.person().await, Method::POST, "/api/general/api-key", &json!({ "name": "sdk" })).await;
        let made: Value = made.json().await.expect("a key");
        Self { site, key: text(&made, "key") }
    }

    pub fn ask(&self, method: Method, path: &str) -> RequestBuilder {
        self.site.ask(method, &format!("{API}{path}")).bearer_auth(&self.key)
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        answer(self.ask(Method::GET, path).send().await.expect("an answer")).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        answer(self.ask(Method::POST, path).json(body).send().await.expect("an answer")).await
    }

    async fn has(&self, hash: &str) -> u16 {
        let path = format!("/assets/by-hash/{hash}");
        self.ask(Method::HEAD, &path).send().await.expect("an answer").status().as_u16()
    }

    pub async fn upload(&self, name: &str, bytes: Vec<u8>, fields: &[(&str, &str)]) -> (u16, Value) {
        let mut form = Form::new().text("file_path", name.to_owned()).text("content_type", "image/png");
        for (field, value) in fields {
            form = form.text((*field).to_owned(), (*value).to_owned());
        }
        let form = form.part("file", Part::bytes(bytes).file_name(name.to_owned()));
        answer(self.ask(Method::POST, "/assets").multipart(form).send().await.expect("an answer")).await
    }

    /// Polls a job until its end, as the SDKs do.
    pub async fn wait(&self, id: &str) -> Value {
        let begun = Instant::now();
        loop {
            let (_, job) = self.get(&format!("/jobs/{id}")).await;
            if !["queued", "running", "canceling"].contains(&text(&job, "status").as_str()) {
                return job;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "the job does not end: {job}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// Status and body, after a check of what every answer has.
async fn answer(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    assert!(response.headers().contains_key("x-comfy-request-id"), "an answer without the request's id");
    let waits = response.headers().get("retry-after").map(|seconds| seconds.to_str().expect("text").parse::<u64>());
    assert!(waits.is_none_or(|seconds| seconds.is_ok()), "only whole seconds are read");
    let body: Value = match response.text().await.expect("a body").as_str() {
        "" => Value::Null,
        body => serde_json::from_str(body).expect("JSON"),
    };
    if status >= 400 {
        let error = &body["error"];
        assert!(error["code"].is_string() && error["message"].is_string(), "{body}");
        assert!(error["details"].is_null() || error["details"].is_object(), "SDKs read only objects: {body}");
    }
    (status, body)
}

/// The code of an error.
fn refused((status, body): (u16, Value)) -> (u16, String) {
    (status, text(&body["error"], "code"))
}

fn coded(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

pub fn graph(colour: i64) -> Value {
    prompt(colour)["prompt"].clone()
}

#[actix_web::test]
async fn every_refusal_has_the_shape_of_the_api() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    let guest = site.ask(Method::GET, &format!("{API}/jobs")).send().await.expect("an answer");
    assert_eq!(refused(answer(guest).await), coded(401, "unauthorized"));
    let wrong = Client { site: &site, key: "vg_wrong".to_owned() };
    assert_eq!(refused(wrong.get("/jobs").await), coded(401, "unauthorized"));
    assert_eq!(refused(ann.get("/nothing").await), coded(404, "not_found"));
    assert_eq!(refused(ann.get("").await), coded(404, "not_found"));
    assert_eq!(refused(ann.post("/jobs/x/workflow", &json!({})).await), coded(405, "method_not_allowed"));
    for id in ["x", "0192f0c1-2b3c-4d4e-8f50-123456789abc"] {
        for path in ["", "/events", "/workflow", "/logs"] {
            assert_eq!(refused(ann.get(&format!("/jobs/{id}{path}")).await), coded(404, "job_not_found"), "{id}{path}");
        }
        for path in ["", "/content"] {
            assert_eq!(refused(ann.get(&format!("/assets/{id}{path}")).await), coded(404, "asset_not_found"));
        }
    }
    let text_of_nothing = "/assets/0192f0c1-2b3c-4d4e-8f50-123456789abc.0";
    assert_eq!(refused(ann.get(text_of_nothing).await), coded(404, "asset_not_found"));
    for (query, code) in [
        ("limit=0", "invalid_request"),
        ("limit=x", "invalid_request"),
        ("cursor=x", "invalid_cursor"),
        ("metadata[a b]=x", "invalid_metadata_filter"),
        ("metadata[a]=1&metadata[b]=2&metadata[c]=3&metadata[d]=4", "invalid_metadata_filter"),
    ] {
        assert_eq!(refused(ann.get(&format!("/jobs?{query}")).await), coded(400, code), "{query}");
    }
    let body = ann.ask(Method::POST, "/jobs").body("nonsense").send().await.expect("an answer");
    assert_eq!(refused(answer(body).await), coded(400, "invalid_request"));
    let form = ann.ask(Method::POST, "/assets/from-hash").body("nonsense").send().await.expect("an answer");
    assert_eq!(refused(answer(form).await).0, 415, "errors of extractors too");
    site.finish().await;
}

#[actix_web::test]
async fn request_over_the_rate_is_told_when_to_come_again() {
    let site = Site::with(|settings| settings.limits.requests_per_minute_per_key = 6).await;
    let ann = Client::new(&site).await;
    let mut last = (0, Value::Null);
    for _ in 0..4 {
        let response = ann.ask(Method::GET, "/jobs").send().await.expect("an answer");
        let waits = response.headers().contains_key("retry-after");
        last = answer(response).await;
        assert_eq!(waits, last.0 == 429);
    }
    assert_eq!(refused(last), coded(429, "rate_limited"));
    site.finish().await;
}

#[actix_web::test]
async fn asset_is_uploaded_once_and_found_by_its_hash_by_its_owner() {
    let site = Site::start().await;
    let (ann, bob) = (Client::new(&site).await, Client::new(&site).await);
    let bytes = png(11);
    let hash = Blake3Hash::of(&bytes).to_string();
    assert_eq!(ann.has(&hash).await, 404);
    assert_eq!(ann.has("sha256:00").await, 404);
    let other = Blake3Hash::of(b"other").to_string();
    let mismatch = ann.upload("a.png", bytes.clone(), &[("expected_hash", &other)]).await;
    assert_eq!(refused(mismatch), coded(409, "hash_mismatch"));
    assert_eq!(ann.has(&hash).await, 404, "a refused upload leaves nothing");
    for seconds in ["59", "604801", "x"] {
        let refusal = ann.upload("a.png", bytes.clone(), &[("expires_in", seconds)]).await;
        assert_eq!(refused(refusal), coded(400, "invalid_request"), "{seconds}");
    }
    let fields = [("expected_hash", hash.as_str()), ("tags", "input"), ("tags", "b"), ("expires_in", "3600")];
    let (status, asset) = ann.upload("a.png", bytes.clone(), &fields).await;
    assert_eq!((status, &asset["created_new"], &asset["hash"]), (201, &json!(true), &json!(hash)), "{asset}");
    assert_eq!((&asset["file_path"], &asset["content_type"]), (&json!("a.png"), &json!("image/png")));
    assert_eq!(asset["expires_at"], "2026-01-01T01:00:00Z", "{asset}");
    assert!(asset["size_bytes"].is_i64(), "{asset}");
    let id = text(&asset, "id");
    let longer = json!({ "hash": hash, "expires_in": 7200 });
    let (status, longer) = ann.post("/assets/from-hash", &longer).await;
    assert_eq!((status, &longer["id"], &longer["expires_at"]), (200, &asset["id"], &json!("2026-01-01T02:00:00Z")));
    let (status, again) = ann.upload("a.png", bytes.clone(), &[]).await;
    assert_eq!((status, &again["id"], &again["created_new"]), (200, &asset["id"], &json!(false)));
    assert_eq!(again["expires_at"], Value::Null, "sent again without an expiry, it stays");
    assert_eq!(ann.has(&hash).await, 200);
    let (status, same) = ann.post("/assets/from-hash", &json!({ "hash": hash, "tags": ["input"] })).await;
    assert_eq!((status, &same["id"]), (200, &asset["id"]));
    let (status, named) = ann.post("/assets/from-hash", &json!({ "hash": hash, "file_path": "b.png" })).await;
    assert_eq!((status, &named["file_path"], &named["hash"]), (201, &json!("b.png"), &json!(hash)));

    let (status, found) = ann.get(&format!("/assets/{id}")).await;
    assert_eq!((status, &found["hash"], found.get("created_new")), (200, &json!(hash), None));
    for url in ["url_expires_at", "created_at"] {
        assert!(text(&found, url).ends_with('Z'), "a time has a zone: {found}");
    }
    let content = ann.ask(Method::GET, &format!("/assets/{id}/content")).send().await.expect("an answer");
    assert_eq!(content.status(), 302);
    let location = content.headers()["location"].to_str().expect("an address").to_owned();
    for address in [location, text(&found, "url")] {
        assert!(address.starts_with(&site.url), "absolute: {address}");
        let whole = site.http.get(&address).send().await.expect("an answer");
        assert_eq!(whole.status(), 200, "the address needs no key");
        assert_eq!(whole.headers()["content-type"], "image/png");
        let part = site.http.get(&address).header("range", "bytes=0-3").send().await.expect("an answer");
        assert_eq!((part.status().as_u16(), part.bytes().await.expect("bytes").as_ref()), (206, &b"\x89PNG"[..]));
        let beyond = site.http.get(&address).header("range", "bytes=9999999-").send().await.expect("an answer");
        assert_eq!(beyond.status(), 416);
    }

    assert_eq!(bob.has(&hash).await, 404, "another account's bytes are revealed");
    let foreign = bob.post("/assets/from-hash", &json!({ "hash": hash })).await;
    assert_eq!(refused(foreign), coded(404, "blob_not_found"));
    for path in ["", "/content"] {
        assert_eq!(refused(bob.get(&format!("/assets/{id}{path}")).await), coded(404, "asset_not_found"));
    }
    let delete = async |who: &Client<'_>, id: &str| {
        let response = who.ask(Method::DELETE, &format!("/assets/{id}")).send().await.expect("an answer");
        answer(response).await
    };
    assert_eq!(refused(delete(&bob, &id).await), coded(404, "asset_not_found"));
    let keep = json!({ "asset": named["id"], "isPrivate": true });
    let kept = site.ask(Method::POST, "/api/general/input-asset").header("api-key", &ann.key).json(&keep);
    assert!(kept.send().await.expect("an answer").status().is_success());
    assert_eq!(refused(delete(&ann, &text(&named, "id")).await), coded(409, "asset_in_use"));
    assert_eq!(delete(&ann, &id).await, (204, Value::Null));
    assert_eq!(refused(delete(&ann, &id).await), coded(404, "asset_not_found"));
    site.finish().await;
}

#[actix_web::test]
async fn job_with_an_asset_runs_and_its_outputs_are_fetched_without_a_key() {
    let site = Site::start().await;
    let (ann, bob) = (Client::new(&site).await, Client::new(&site).await);
    let (worker, _folder) = with_worker(&site).await;
    let (_, asset) = ann.upload("보트.png", png(12), &[]).await;
    let reference = |id: &Value| json!({ "__type": "core/ASSET", "info": { "id": id, "hash": null } });
    let load = |id: &Value| {
        json!({
            "1": { "class_type": "LoadImage", "inputs": { "image": reference(id) } },
            "2": { "class_type": "SaveImage", "inputs": { "images": ["1", 0], "filename_prefix": "loaded" } },
        })
    };
    let foreign = bob.post("/jobs", &json!({ "workflow": load(&asset["id"]) })).await;
    let details = &foreign.1["error"]["details"];
    assert_eq!(details["missing_ids"], json!([asset["id"]]));
    assert_eq!(details["fields"][0]["field"], "workflow.1.inputs.image");
    assert_eq!(refused(foreign), coded(422, "missing_asset"));
    let body = json!({ "workflow": load(&asset["id"]), "metadata": { "client": "acme" },
                       "extra_data": { "api_key_comfy_org": "secret" } });
    let (status, job) = ann.post("/jobs", &body).await;
    assert_eq!(status, 201, "{job}");
    for field in ["started_at", "completed_at", "queue_position", "progress", "error"] {
        assert!(job.as_object().expect("an object").contains_key(field), "SDKs refuse a job without {field}");
    }
    assert_eq!((&job["metadata"], &job["urls"]["logs"]), (&json!({ "client": "acme" }), &Value::Null));
    let id = text(&job, "id");
    for (name, path) in [("self", ""), ("events", "/events"), ("cancel", "/cancel")] {
        assert_eq!(job["urls"][name], json!(format!("{}{API}/jobs/{id}{path}", site.url)));
    }
    let ended = ann.wait(&id).await;
    assert_eq!((&ended["status"], &ended["error"]), (&json!("succeeded"), &Value::Null), "{ended}");
    assert!(ended["metrics"]["execution_ms"].is_i64() && text(&ended, "completed_at").ends_with('Z'), "{ended}");
    let output = &ended["outputs"][0];
    assert_eq!((&output["node_id"], &output["type"], &output["job_id"]), (&json!("2"), &json!("image"), &json!(id)));
    assert!(output.as_object().expect("an object").contains_key("hash"), "{output}");
    let file = site.http.get(text(output, "url")).send().await.expect("an answer");
    assert_eq!((file.status().as_u16(), file.content_length()), (200, output["size_bytes"].as_u64()));
    let made = text(output, "id");
    let (_, as_asset) = ann.get(&format!("/assets/{made}")).await;
    assert_eq!((&as_asset["job_id"], &as_asset["hash"]), (&json!(id), &Value::Null));
    assert_eq!(refused(bob.get(&format!("/assets/{made}")).await), coded(404, "asset_not_found"));

    let (_, workflow) = ann.get(&format!("/jobs/{id}/workflow")).await;
    assert_eq!(workflow["format"], "api");
    let name = text(&workflow["workflow"]["1"]["inputs"], "image");
    assert_eq!(name, format!("{}.png", text(&asset, "id")), "the graph that ran has a file name");
    let (status, same) = ann.post("/jobs", &json!({ "workflow": workflow["workflow"] })).await;
    assert_eq!(status, 201, "it can be sent again: {same}");
    let (status, next) = ann.post("/jobs", &json!({ "workflow": load(&output["id"]) })).await;
    assert_eq!(status, 201, "an output is an asset of the next graph: {next}");
    for job in [same, next] {
        assert_eq!(ann.wait(&text(&job, "id")).await["status"], "succeeded");
    }
    assert_eq!(
        ann.get(&format!("/jobs/{id}/logs")).await,
        (204, Value::Null),
        "there is no log of a job that succeeded"
    );
    for path in ["", "/events", "/workflow", "/logs"] {
        assert_eq!(refused(bob.get(&format!("/jobs/{id}{path}")).await), coded(404, "job_not_found"));
    }
    assert_eq!(refused(bob.post(&format!("/jobs/{id}/cancel"), &json!({})).await), coded(404, "job_not_found"));
    let raw: Option<String> = sqlx::query_scalar("SELECT extra_data FROM all_jobs WHERE id = $1::uuid")
        .bind(&id)
        .fetch_one(&site.core.db)
        .await
        .expect("a row");
    assert!(!raw.unwrap_or_default().contains("secret"), "the key of another service is stored");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn stream_begins_with_the_status_and_ends_after_the_final_one() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    let (worker, _folder) = with_worker(&site).await;
    let (_, job) = ann.post("/jobs", &json!({ "workflow": graph(21) })).await;
    let id = text(&job, "id");
    let read = async || {
        let request = ann.ask(Method::GET, &format!("/jobs/{id}/events")).header("accept", "text/event-stream");
        let response = request.timeout(Duration::from_secs(60)).send().await.expect("a stream");
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        frames(&response.text().await.expect("its end"))
    };
    let told = read().await;
    assert_eq!(told[0].1, "status", "the first event is a snapshot: {told:?}");
    let last = &told[told.len() - 1];
    assert_eq!((last.1.as_str(), &last.2["status"]), ("status", &json!("succeeded")));
    assert!(told.iter().all(|(id, ..)| id.is_none()), "there is no replay, so there are no ids");
    if told.len() > 1 {
        let output = told.iter().find(|(_, name, _)| name == "output").expect("an output before the end");
        assert_eq!(output.2["node_id"], "2");
    }
    let late = read().await;
    assert_eq!((late.len(), &late[0].2["status"]), (1, &json!("succeeded")));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn waiting_jobs_are_listed_by_labels_replayed_by_key_and_canceled() {
    let site = Site::start().await;
    let (ann, bob) = (Client::new(&site).await, Client::new(&site).await);
    let (worker, _folder) = with_idle_worker(&site).await;
    let keyed = async |key: &str, body: &Value| {
        let request = ann.ask(Method::POST, "/jobs").header("Idempotency-Key", key).json(body);
        let response = request.send().await.expect("an answer");
        let replayed =
            response.headers().get("idempotent-replayed").map(|value| value.to_str().expect("text").to_owned());
        (replayed, answer(response).await)
    };
    let body = |run: &str| json!({ "workflow": graph(1), "metadata": { "client": "acme & co", "run": run } });
    let (replayed, (status, first)) = keyed("one", &body("1")).await;
    assert_eq!((replayed, status, &first["status"]), (None, 201, &json!("queued")));
    assert!(first["queue_position"].is_i64(), "{first}");
    let (replayed, (status, again)) = keyed("one", &body("1")).await;
    assert_eq!((replayed.as_deref(), status, &again["id"]), (Some("true"), 201, &first["id"]));
    let (_, other) = keyed("one", &body("2")).await;
    assert_eq!(refused(other), coded(422, "idempotency_key_reuse"));
    let (_, (_, second)) = keyed("two", &body("2")).await;
    bob.post("/jobs", &body("1")).await;

    let ids = |page: &Value| -> Vec<Value> {
        page["jobs"].as_array().expect("jobs").iter().map(|job| job["id"].clone()).collect()
    };
    let (_, page) = ann.get("/jobs?metadata%5Bclient%5D=acme+%26+co").await;
    assert_eq!((ids(&page), page.get("next_cursor")), (vec![second["id"].clone(), first["id"].clone()], None));
    let item = &page["jobs"][0];
    assert_eq!((&item["status"], &item["metadata"]["run"]), (&json!("queued"), &json!("2")));
    assert!(text(item, "create_time").ends_with('Z') && text(item, "update_time").ends_with('Z'));
    let (_, page) = ann.get("/jobs?metadata[client]=acme+%26+co&metadata[run]=1").await;
    assert_eq!(ids(&page), [first["id"].clone()]);
    let (_, page) = ann.get("/jobs?limit=1").await;
    assert_eq!(ids(&page), [second["id"].clone()]);
    let (_, page) = ann.get(&format!("/jobs?limit=1&cursor={}", text(&page, "next_cursor"))).await;
    assert_eq!((ids(&page), page.get("next_cursor")), (vec![first["id"].clone()], None));
    let own = async |query: &str| {
        let request = site.ask(Method::GET, &format!("/api/general/job{query}")).header("api-key", &ann.key);
        request.send().await.expect("an answer").json::<Value>().await.expect("JSON")
    };
    let listed = own("?label=run%3D2").await;
    assert_eq!((&listed["items"][0]["_id"], listed["items"].as_array().map(Vec::len)), (&second["id"], Some(1)));
    assert_eq!(listed["items"][0]["labels"], json!({ "client": "acme & co", "run": "2" }));
    assert_eq!(own("/count?filter=%7B%22label%22%3A%22run%3D2%22%7D").await["count"], 1);

    let cancel = format!("/jobs/{}/cancel", text(&first, "id"));
    for _ in 0..2 {
        let (status, canceled) = ann.post(&cancel, &json!({})).await;
        assert_eq!((status, &canceled["status"]), (200, &json!("canceled")));
    }
    let canceled = ann.ask(Method::GET, &format!("/jobs/{}/events", text(&first, "id")));
    let told = frames(&canceled.send().await.expect("a stream").text().await.expect("its end"));
    assert_eq!(told[0].2, json!({ "status": "canceled", "queue_position": null }));
    ann.post(&format!("/jobs/{}/cancel", text(&second, "id")), &json!({})).await;
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn submit_is_refused_with_the_code_of_its_fault() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    let early = ann.ask(Method::POST, "/jobs").json(&json!({ "workflow": graph(1) })).send().await.expect("an answer");
    assert!(early.headers().contains_key("retry-after"), "a missing worker may come");
    assert_eq!(refused(answer(early).await), coded(429, "deployment_not_ready"));
    let (worker, _folder) = with_idle_worker(&site).await;
    let invalid = json!({ "1": { "class_type": "SaveImage", "inputs": { "filename_prefix": "a" } } });
    let (status, body) = ann.post("/jobs", &json!({ "workflow": invalid })).await;
    assert!(body["error"]["details"]["node_errors"]["1"]["errors"].is_array(), "{body}");
    assert_eq!(refused((status, body)), coded(422, "invalid_workflow"));
    for (body, code) in [
        (json!({ "workflow": { "nodes": [], "links": [], "last_node_id": 1 } }), "workflow_format_ui"),
        (json!({ "workflow": { "1": { "class_type": "None", "inputs": {} } } }), "invalid_workflow"),
        (json!({ "workflow": graph(1), "inputs": {} }), "invalid_workflow"),
        (json!({ "workflow": graph(1), "metadata": { "a": 1 } }), "metadata_invalid"),
        (json!({ "workflow": { "1": { "inputs": { "image": { "__type": "core/ASSET" } } } } }), "missing_asset"),
    ] {
        assert_eq!(refused(ann.post("/jobs", &body).await), coded(422, code), "{body}");
    }
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn missing_credits_are_no_answer_to_repeat() {
    let site = Site::with(|settings| {
        for plan in &mut settings.plans {
            plan.monthly_credits = 0;
        }
    })
    .await;
    let ann = Client::new(&site).await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let response =
        ann.ask(Method::POST, "/jobs").json(&json!({ "workflow": graph(1) })).send().await.expect("an answer");
    assert!(!response.headers().contains_key("retry-after"));
    assert_eq!(refused(answer(response).await), coded(402, "insufficient_credits"));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}
