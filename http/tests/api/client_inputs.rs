//! Values and requests that no correct client sends, to the APIs of ComfyUI's own clients: each is refused in the words of
//! its API, and none changes anything.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use verdigraph_core::jobs::{self, Status};
use verdigraph_scripted::{Options, Run};

use crate::comfy_v2::{Client, graph};
use crate::editor_client::PlainClient;
use crate::editor_socket::with_scripted_as;
use crate::jobs::{frames, prompt, with_idle_worker, with_worker};
use crate::mcp;
use crate::posts::png;
use crate::site::{Site, text};

const UNKNOWN: &str = "01970000-0000-7000-8000-00000000dead";

/// Status, code and first wrong field of an error of Comfy API v2.
fn named((status, body): (u16, Value)) -> (u16, String, Value) {
    let error = &body["error"];
    (status, text(error, "code"), error["details"]["fields"][0]["field"].clone())
}

#[actix_web::test]
async fn wrong_values_name_their_field_to_clients_of_comfy_api_v2() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let job = |field: &str, value: Value| {
        let mut body = json!({ "workflow": graph(1) });
        body[field] = value;
        body
    };
    let of_hash = |field: &str, value: Value| {
        let mut body = json!({ "hash": "blake3:00" });
        body[field] = value;
        body
    };
    let many: serde_json::Map<String, Value> = (0..17).map(|n| (format!("k{n}"), json!("v"))).collect();
    for (path, body, status, code, field) in [
        ("/jobs", json!([]), 400, "invalid_request", "body"),
        ("/jobs", job("workflow", json!("graph")), 422, "invalid_workflow", "workflow"),
        ("/jobs", job("workflow", json!(7)), 422, "invalid_workflow", "workflow"),
        ("/jobs", job("extra_data", json!([])), 400, "invalid_request", "extra_data"),
        ("/jobs", job("webhook_url", json!(7)), 422, "invalid_workflow", "webhook_url"),
        ("/jobs", job("metadata", json!("acme")), 422, "metadata_invalid", "metadata"),
        ("/jobs", job("metadata", json!({ "k": null })), 422, "metadata_invalid", "metadata"),
        ("/jobs", job("metadata", json!({ "k": "\u{0}" })), 422, "metadata_invalid", "metadata"),
        ("/jobs", job("metadata", json!({ "k": "v".repeat(257) })), 422, "metadata_invalid", "metadata"),
        ("/jobs", job("metadata", Value::Object(many)), 422, "metadata_invalid", "metadata"),
        ("/assets/from-hash", of_hash("hash", json!(7)), 400, "invalid_request", "hash"),
        ("/assets/from-hash", of_hash("tags", json!("input")), 400, "invalid_request", "tags"),
        ("/assets/from-hash", of_hash("tags", json!([7])), 400, "invalid_request", "tags[0]"),
        ("/assets/from-hash", of_hash("file_path", json!({})), 400, "invalid_request", "file_path"),
        ("/assets/from-hash", of_hash("expires_in", json!("60")), 400, "invalid_request", "expires_in"),
        ("/assets/from-hash", of_hash("expires_in", json!(i64::MAX)), 400, "invalid_request", "expires_in"),
    ] {
        let told = named(ann.post(path, &body).await);
        assert_eq!(told, (status, code.to_owned(), json!(field)), "{path} {body}");
    }
    let long = "k".repeat(256);
    for key in ["", "a b", long.as_str()] {
        let request = ann.ask(Method::POST, "/jobs").header("Idempotency-Key", key).json(&job("later", json!(1)));
        let response = request.send().await.expect("an answer");
        let told = named((response.status().as_u16(), response.json().await.expect("JSON")));
        assert_eq!(told, (400, "invalid_request".to_owned(), json!("Idempotency-Key")), "{key}");
    }
    for (query, code) in [
        ("limit=101", "invalid_request"),
        ("limit=99999999999999999999", "invalid_request"),
        ("cursor=", "invalid_cursor"),
        ("cursor=%00", "invalid_cursor"),
        ("metadata[k]=%00", "invalid_metadata_filter"),
        ("metadata[k][l]=v", "invalid_metadata_filter"),
    ] {
        let (status, refused, _) = named(ann.get(&format!("/jobs?{query}")).await);
        assert_eq!((status, refused.as_str()), (400, code), "{query}");
    }
    let unknown = ann.get("/jobs?status=queued&order=up").await;
    assert_eq!(
        unknown,
        (200, json!({ "jobs": [] })),
        "unknown parameters are for later versions, and nothing was made"
    );
    assert_eq!(ann.post("/jobs", &job("later", json!(1))).await.0, 201, "unknown fields too");
    let (_, page) = ann.get("/jobs").await;
    let id = text(&page["jobs"][0], "id");
    ann.post(&format!("/jobs/{id}/cancel"), &Value::Null).await;
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn names_of_uploads_are_made_safe() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    for (number, (name, stored)) in
        [("", "image.png"), ("../../a.png", "a.png"), ("a\u{0}b\u{202e}.png", "ab.png")].into_iter().enumerate()
    {
        let bytes = png(u8::try_from(40 + number).expect("few"));
        let (status, asset) = ann.upload("x.png", bytes, &[("file_path", name)]).await;
        assert_eq!((status, &asset["file_path"]), (201, &json!(stored)), "{name:?}");
        let hash = json!({ "hash": asset["hash"], "file_path": "c\u{0}/d.png" });
        let (status, copy) = ann.post("/assets/from-hash", &hash).await;
        assert_eq!((status, &copy["file_path"]), (201, &json!("d.png")), "{name:?}");
    }
    let (status, code, field) = named(ann.upload("a.png", png(50), &[("tags", "a\u{7}")]).await);
    assert_eq!((status, code.as_str(), field), (400, "invalid_request", json!("tags")));
    site.finish().await;
}

#[actix_web::test]
async fn ended_job_answers_each_way_of_asking_for_it() {
    let site = Site::start().await;
    let (ann, bob) = (Client::new(&site).await, Client::new(&site).await);
    let (worker, _folder) = with_worker(&site).await;
    let submit = async |who: &Client<'_>| {
        let request = who.ask(Method::POST, "/jobs").header("Idempotency-Key", "one");
        let response = request.json(&json!({ "workflow": graph(61) })).send().await.expect("an answer");
        let is_replayed = response.headers().contains_key("idempotent-replayed");
        let job: Value = response.json().await.expect("JSON");
        (is_replayed, text(&job, "id"))
    };
    let (_, id) = submit(&ann).await;
    let (is_replayed, theirs) = submit(&bob).await;
    assert!(!is_replayed && theirs != id, "a key belongs to its account");
    for (who, id) in [(&ann, &id), (&bob, &theirs)] {
        assert_eq!(who.wait(id).await["status"], "succeeded");
    }
    assert_eq!(submit(&ann).await, (true, id.clone()), "a key is replayed after the end, too");
    let (status, late) = ann.post(&format!("/jobs/{id}/cancel"), &Value::Null).await;
    assert_eq!((status, &late["status"]), (200, &json!("succeeded")), "what has ended is not canceled");

    let ask = async |method: Method, path: &str| {
        let response = ann.ask(method, path).send().await.expect("an answer");
        (response.status().as_u16(), response.bytes().await.expect("a body").len())
    };
    assert_eq!(ask(Method::HEAD, &format!("/jobs/{id}")).await, (200, 0));
    assert_eq!(ask(Method::HEAD, &format!("/jobs/{UNKNOWN}")).await, (404, 0));
    assert_eq!(ask(Method::OPTIONS, &format!("/jobs/{id}")).await.0, 405);
    assert_eq!(ask(Method::GET, &format!("/jobs/{}", id.replace('-', "%2D"))).await.0, 200, "an id in percent signs");
    assert_eq!(ask(Method::GET, &format!("/jobs/{id}/")).await.0, 200, "a slash at the end");
    for path in [format!("/jobs/{id}%2Fevents"), format!("/jobs/{id}%00"), "/jobs/%FF".to_owned()] {
        let (status, code, _) = named(ann.get(&path).await);
        assert!(status == 404 && ["not_found", "job_not_found"].contains(&code.as_str()), "{path}: {status} {code}");
    }
    let events = ann.ask(Method::GET, &format!("/jobs/{id}/events")).header("Last-Event-ID", "7");
    let told = frames(&events.send().await.expect("a stream").text().await.expect("its end"));
    assert_eq!(told.len(), 1, "there is no replay: {told:?}");
    assert_eq!((told[0].1.as_str(), &told[0].2["status"]), ("status", &json!("succeeded")));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn key_that_is_too_old_makes_another_job() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let submit = async || {
        let request = ann.ask(Method::POST, "/jobs").header("Idempotency-Key", "old");
        let response = request.json(&json!({ "workflow": graph(1) })).send().await.expect("an answer");
        text(&response.json().await.expect("JSON"), "id")
    };
    let first = submit().await;
    let hours = i64::from(site.core.settings.jobs.idempotency_hours);
    let after = async |minutes: i64| {
        sqlx::query("UPDATE job_keys SET created_at = $1")
            .bind(site.core.clock.now() - chrono::TimeDelta::minutes(60 * hours + minutes))
            .execute(&site.core.db)
            .await
            .expect("a change");
        jobs::forget_keys(&site.core).await.expect("a count")
    };
    assert_eq!((after(-1).await, submit().await), (0, first.clone()), "it is remembered for {hours} hours");
    assert_eq!(after(1).await, 1);
    let later = submit().await;
    assert_ne!(later, first);
    for id in [first, later] {
        ann.post(&format!("/jobs/{id}/cancel"), &Value::Null).await;
    }
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn full_queue_and_too_many_streams_are_told_with_a_time_to_come_again() {
    let site = Site::with(|settings| {
        settings.limits.streams_per_account = 1;
        settings.plans.iter_mut().for_each(|plan| plan.max_queued_jobs = 1);
    })
    .await;
    let ann = Client::new(&site).await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let later = async |request: RequestBuilder| {
        let response = request.send().await.expect("an answer");
        let seconds =
            response.headers().get("retry-after").and_then(|seconds| seconds.to_str().ok()?.parse::<u64>().ok());
        assert!(seconds.is_some(), "SDKs read whole seconds");
        let (status, code, _) = named((response.status().as_u16(), response.json().await.expect("JSON")));
        (status, code)
    };
    let submit = || ann.ask(Method::POST, "/jobs").json(&json!({ "workflow": graph(1) }));
    let (status, job) = ann.post("/jobs", &json!({ "workflow": graph(1) })).await;
    assert_eq!(status, 201, "{job}");
    assert_eq!(later(submit()).await, (429, "queue_full".to_owned()));
    let events = format!("/jobs/{}/events", text(&job, "id"));
    let mut open = ann.ask(Method::GET, &events).send().await.expect("a stream");
    open.chunk().await.expect("an open stream").expect("the status");
    assert_eq!(later(ann.ask(Method::GET, &events)).await, (429, "too_many_streams".to_owned()));
    drop(open);
    ann.post(&format!("/jobs/{}/cancel", text(&job, "id")), &Value::Null).await;
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn part_of_a_text_output_is_sent() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    let server = with_scripted_as(&site, Options::default()).await;
    let nodes = ["1".to_owned(), "2".to_owned()];
    let shown = json!({ "text": ["0123456789"] });
    server.script(Run::success(&nodes, &[("2".to_owned(), shown)], std::time::Duration::ZERO));
    let (_, job) = ann.post("/jobs", &json!({ "workflow": graph(6) })).await;
    let ended = ann.wait(&text(&job, "id")).await;
    let output = &ended["outputs"][0];
    assert_eq!((&output["type"], &output["size_bytes"]), (&json!("text"), &json!(10)), "{ended}");
    let content = format!("/assets/{}/content", text(output, "id"));
    let asked = async |range: &str| {
        let response = ann.ask(Method::GET, &content).header("range", range).send().await.expect("an answer");
        let place = response.headers().get("content-range").map(|place| place.to_str().expect("text").to_owned());
        (response.status().as_u16(), place, response.text().await.expect("a body"))
    };
    assert_eq!(asked("bytes=2-4").await, (206, Some("bytes 2-4/10".to_owned()), "234".to_owned()));
    assert_eq!(asked("lines=2-4").await, (200, None, "0123456789".to_owned()));
    let (status, place, body) = asked("bytes=10-").await;
    assert_eq!((status, place.as_deref()), (416, Some("bytes */10")), "the length is told for the next try");
    let body: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(body["error"]["code"], "range_not_satisfiable");
    site.finish().await;
}

#[actix_web::test]
async fn signed_address_is_for_pages_of_other_sites_and_for_caches() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    let (_, asset) = ann.upload("a.png", png(60), &[]).await;
    let asked = async |header: &'static str, value: &str| {
        let request = site.http.get(text(&asset, "url")).header("origin", "https://other.example");
        request.header(header, value).header("range", "bytes=0-3").send().await.expect("an answer")
    };
    let part = asked("accept", "image/*").await;
    let head = |name: &str| part.headers()[name].to_str().expect("text").to_owned();
    assert_eq!((part.status().as_u16(), head("access-control-allow-origin").as_str()), (206, "*"));
    assert_eq!(head("cross-origin-resource-policy"), "cross-origin", "a page may show it as a picture");
    assert!(head("access-control-expose-headers").contains("content-range"), "a script may read the place of a part");
    let tag = head("etag");
    assert_eq!(asked("if-none-match", &tag).await.status(), 304);
    assert_eq!(asked("if-range", "\"other\"").await.status(), 200, "a part of other bytes is not sent");
    let other = site.ask(Method::GET, "/api/v2/jobs").send().await.expect("an answer");
    assert_eq!(other.headers()["cross-origin-resource-policy"], "same-origin", "nothing else is shown by other pages");
    site.finish().await;
}

#[actix_web::test]
async fn job_that_is_to_stop_has_the_same_word_alone_and_in_lists() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let cloud = PlainClient::of(&site, &ann, "x-api-key", "/api").await;
    let local = PlainClient::of(&site, &ann, "authorization", "/api").await;
    let id = text(&cloud.post("/prompt", &prompt(1)).await.1, "prompt_id");
    let becomes = async |status: Status, is_stopping: bool| {
        sqlx::query("UPDATE jobs SET status = $1, cancel_requested = $2 WHERE id = $3::uuid")
            .bind(status as i16)
            .bind(is_stopping)
            .bind(&id)
            .execute(&site.core.db)
            .await
            .expect("a change");
    };
    becomes(Status::Running, true).await;
    assert_eq!(cloud.get(&format!("/job/{id}/status")).await.1["status"], "cancel_requested");
    for (client, word) in [(&cloud, "cancelled"), (&local, "in_progress")] {
        assert_eq!(client.get(&format!("/jobs/{id}")).await.1["status"], word);
        assert_eq!(client.get("/jobs").await.1["jobs"][0]["status"], word);
        for states in ["cancelled", "pending,in_progress", "completed,failed"] {
            let (_, listed) = client.get(&format!("/jobs?status={states}")).await;
            let count = usize::from(states.contains(word));
            let found = (&listed["pagination"]["total"], listed["jobs"].as_array().map(Vec::len));
            assert_eq!(found, (&json!(count), Some(count)), "{word} among {states}");
        }
    }
    let v2 =
        async |path: &str| site.get(&ann, &format!("/api/v2/jobs{path}")).await.json::<Value>().await.expect("JSON");
    assert_eq!(v2(&format!("/{id}")).await["status"], "canceling");
    assert_eq!(v2("").await["jobs"][0]["status"], "canceling");
    becomes(Status::Pending, false).await;
    let canceled = cloud.post(&format!("/jobs/{id}/cancel"), &json!({})).await;
    assert_eq!(canceled, (200, json!({ "cancelled": true })));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn wrong_values_are_refused_in_the_words_of_comfy_cloud() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let client = PlainClient::of(&site, &ann, "x-api-key", "/api").await;
    let (_, sent) = client.post("/prompt", &prompt(1)).await;
    let graph = prompt(1)["prompt"].clone();
    let asset = format!("/assets/{UNKNOWN}");
    let tags = format!("{asset}/tags");
    for (method, path, body, status) in [
        (Method::POST, "/prompt", json!(5), 400),
        (Method::POST, "/prompt", json!({ "prompt": 5 }), 400),
        (Method::POST, "/prompt", json!({ "prompt": graph, "extra_data": 5 }), 400),
        (Method::POST, "/prompt", json!({ "prompt": graph, "prompt_id": 5 }), 400),
        (Method::POST, "/prompt", json!({ "prompt": graph, "partial_execution_targets": "2" }), 400),
        (Method::POST, "/queue", json!([true]), 400),
        (Method::POST, "/queue", json!({ "clear": "yes" }), 400),
        (Method::POST, "/queue", json!({ "delete": "all" }), 400),
        (Method::POST, "/history", json!([true]), 400),
        (Method::POST, "/jobs/cancel", json!({ "job_ids": UNKNOWN }), 400),
        (Method::POST, "/jobs/cancel", json!({ "job_ids": [5] }), 400),
        (Method::POST, "/assets/from-hash", json!({ "hash": 5 }), 400),
        (Method::POST, "/assets/from-hash", json!({ "hash": "sha256:zz" }), 404),
        (Method::POST, tags.as_str(), json!({ "tags": "a" }), 400),
        (Method::PUT, asset.as_str(), json!({ "name": 5 }), 400),
        (Method::PUT, asset.as_str(), json!({ "user_metadata": [] }), 400),
        (Method::PUT, asset.as_str(), json!({ "name": "a" }), 404),
        (Method::DELETE, "/assets/x", Value::Null, 404),
        (Method::POST, "/workflows", json!({ "name": 5, "workflow_json": {} }), 400),
        (Method::POST, "/workflows", json!({ "name": "a" }), 400),
        (Method::GET, "/jobs?limit=99999999999999999999", Value::Null, 400),
        (Method::GET, "/jobs?offset=x", Value::Null, 400),
        (Method::GET, "/jobs/x", Value::Null, 404),
        (Method::GET, "/job/x/status", Value::Null, 404),
        (Method::GET, "/history_v2?max_items=x", Value::Null, 400),
        (Method::GET, "/history_v2/x", Value::Null, 404),
        (Method::GET, "/workflows?limit=0", Value::Null, 400),
        (Method::GET, "/workflows/x/content", Value::Null, 404),
    ] {
        let response = client.ask(method, path).body(body.to_string()).send().await.expect("an answer");
        let answered = response.status().as_u16();
        let told: Value = response.json().await.expect("JSON");
        assert_eq!(answered, status, "{path} {body}: {told}");
        assert!(told["code"].is_string() && told["message"].is_string(), "{path} {body}: {told}");
    }
    assert_eq!(client.ask(Method::POST, "/interrupt").body("[5]").send().await.expect("an answer").status(), 200);
    let (_, left) = client.get("/queue").await;
    assert_eq!(left["queue_pending"][0][1], sent["prompt_id"], "nothing of this has removed the prompt");
    assert_eq!(client.post("/queue", &json!({ "clear": true })).await.0, 200);
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

/// Values that a schema of an argument forbids.
fn wrong_values(schema: &Value) -> Vec<Value> {
    let mut wrong = match schema["type"].as_str() {
        Some("string") => vec![json!(7), json!(["x"])],
        Some("integer") => vec![json!("7"), json!(1.5)],
        Some("boolean") => vec![json!("true")],
        Some("object") => vec![json!([]), json!("x")],
        Some("array") => vec![json!({}), json!("x")],
        other => panic!("an argument of {other:?}"),
    };
    wrong.extend(schema["minimum"].as_i64().map(|least| json!(least - 1)));
    wrong.extend(schema["maximum"].as_i64().map(|most| json!(most + 1)));
    if schema["enum"].is_array() || schema["format"].is_string() {
        wrong.push(json!("x"));
    }
    wrong
}

#[actix_web::test]
async fn wrong_value_of_each_argument_is_named_to_assistants() {
    let site = Site::start().await;
    let ann = mcp::Client::new(&site).await;
    let known = json!({ "app_id": UNKNOWN, "job_id": UNKNOWN, "max_credits": 5, "runs": [{}], "workflow": graph(1) });
    for tool in ann.tools().await {
        let name = text(tool, "name");
        let schema = &tool["inputSchema"];
        let required = schema["required"].as_array().expect("names").iter().filter_map(Value::as_str);
        let valid: serde_json::Map<String, Value> =
            required.map(|field| (field.to_owned(), known[field].clone())).collect();
        for (field, schema) in schema["properties"].as_object().expect("arguments") {
            // The core reads graphs, and names their nodes.
            if field == "workflow" {
                continue;
            }
            for wrong in wrong_values(schema) {
                let mut arguments = valid.clone();
                arguments.insert(field.clone(), wrong.clone());
                let (code, fields) = ann.refused(&name, Value::Object(arguments)).await;
                let told = (code.as_str(), &fields[0]["field"]);
                assert_eq!(told, ("VALIDATION_FAILED", &json!(field)), "{name}: {field} is {wrong}");
            }
        }
    }
    site.finish().await;
}
