//! The first API of Comfy Cloud, on the address of the node editor: what differs from ComfyUI's server.

use std::time::Duration;

use reqwest::multipart::{Form, Part};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use verdigraph_core::assets::Blake3Hash;

use crate::editor_client::PlainClient;
use crate::editor_files::hash_of;
use crate::editor_prompts::{API, site_without_credits};
use crate::editor_socket::Socket;
use crate::jobs::{prompt, with_idle_worker, with_worker};
use crate::posts::png;
use crate::site::{Browser, Site, text};

const UNKNOWN: &str = "01970000-0000-7000-8000-00000000dead";

async fn cloud<'a>(site: &'a Site, who: &Browser) -> PlainClient<'a> {
    PlainClient::of(site, who, "x-api-key", "/api").await
}

/// Status and JSON of an answer; null for an empty body.
async fn answered(request: RequestBuilder) -> (u16, Value) {
    let answer = request.send().await.expect("an answer");
    let status = answer.status().as_u16();
    (status, serde_json::from_str(&answer.text().await.expect("a body")).unwrap_or_default())
}

async fn sent(client: &PlainClient<'_>, method: Method, path: &str, body: &Value) -> (u16, Value) {
    answered(client.ask(method, path).body(body.to_string())).await
}

/// The code of an error, which has a message too.
fn refused((status, body): (u16, Value)) -> (u16, String) {
    assert!(body["message"].is_string(), "{body}");
    (status, text(&body, "code"))
}

fn coded(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

async fn submitted(client: &PlainClient<'_>, color: i64) -> String {
    let (status, accepted) = client.post("/prompt", &prompt(color)).await;
    assert_eq!(status, 200, "{accepted}");
    text(&accepted, "prompt_id")
}

/// Polls a job as the documentation of Comfy Cloud does, and returns its last state.
async fn ended(client: &PlainClient<'_>, id: &str) -> String {
    let polled = async {
        loop {
            let state = text(&client.get(&format!("/job/{id}/status")).await.1, "status");
            if ["success", "error", "non_retryable_error", "lost", "cancelled"].contains(&state.as_str()) {
                return state;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), polled).await.expect("the job ends")
}

#[actix_web::test]
async fn waiting_jobs_are_listed_and_canceled_in_the_words_of_the_cloud() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_idle_worker(&site).await;
    let (mine, theirs) = (cloud(&site, &ann).await, cloud(&site, &bob).await);
    let mut body = prompt(1);
    body["number"] = json!("nonsense");
    body["front"] = json!(true);
    body["workflow_id"] = json!("graph-1");
    body["extra_data"] = json!({ "comfy_usage_source": "cli", "api_key_comfy_org": "secret" });
    let (status, accepted) = mine.post("/prompt", &body).await;
    assert_eq!((status, &accepted["node_errors"]), (200, &json!({})), "{accepted}");
    let first = text(&accepted, "prompt_id");
    let second = submitted(&mine, 2).await;
    assert_eq!(mine.get("/prompt").await.1, json!({ "exec_info": { "queue_remaining": 2 } }));
    let (_, queue) = mine.get("/queue").await;
    let item = &queue["queue_pending"][0];
    assert_eq!((&item[1], &item[3]), (&json!(first), &json!(["2"])), "the oldest is first: {queue}");
    assert!(item[4]["create_time"].is_i64() && item.as_array().is_some_and(|parts| parts.len() == 5), "{item}");
    assert!(!queue.to_string().contains("secret"));
    assert_eq!(theirs.get("/queue").await.1, json!({ "queue_running": [], "queue_pending": [] }));

    let (_, listed) = mine.get("/jobs?workflow_id=graph-1&sort_by=create_time&sort_order=asc").await;
    assert_eq!(listed["pagination"], json!({ "offset": 0, "limit": 100, "total": 1, "has_more": false }));
    assert_eq!((&listed["jobs"][0]["id"], &listed["jobs"][0]["status"]), (&json!(first), &json!("pending")));
    assert_eq!(mine.get("/jobs?output_type=image").await.1["jobs"], json!([]), "it has no outputs yet");
    for query in ["limit=1001", "limit=0", "sort_by=x", "output_type=text", "status=queued"] {
        assert_eq!(refused(mine.get(&format!("/jobs?{query}")).await), coded(400, "BAD_REQUEST"), "{query}");
    }
    let (_, told) = mine.get(&format!("/job/{first}/status")).await;
    assert_eq!((&told["status"], &told["assigned_inference"]), (&json!("queued_waiting"), &Value::Null), "{told}");

    // The job's own id, because a client's id is the client's alone.
    assert_eq!(refused(theirs.get(&format!("/jobs/{first}")).await), coded(403, "FORBIDDEN"));
    assert_eq!(refused(theirs.get(&format!("/jobs/{UNKNOWN}")).await).0, 404);
    for path in [format!("/job/{first}/status"), format!("/history_v2/{first}")] {
        assert_eq!(refused(theirs.get(&path).await), coded(404, "NOT_FOUND"), "{path}");
    }
    for id in [first.as_str(), UNKNOWN] {
        let cancel = theirs.post(&format!("/jobs/{id}/cancel"), &json!({})).await;
        assert_eq!(refused(cancel), coded(404, "NOT_FOUND"), "{id}");
    }
    let guest = site.ask(Method::GET, &format!("{API}/jobs/{first}"));
    assert_eq!(answered(guest).await.0, 401);

    let changed = mine.post("/queue", &json!({ "delete": [second, UNKNOWN] })).await;
    assert_eq!(changed, (200, json!({ "deleted": [second], "cleared": false })));
    for expected in [true, false] {
        let canceled = mine.post(&format!("/jobs/{first}/cancel"), &json!({})).await;
        assert_eq!(canceled, (200, json!({ "cancelled": expected })), "it can be repeated");
    }
    assert_eq!(ended(&mine, &first).await, "cancelled");
    let (status, history) = mine.get(&format!("/history_v2/{first}")).await;
    assert_eq!((status, &history[&first]["status"]["status_str"]), (200, &json!("error")), "a waiting client ends");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn money_errors_are_answered_with_402() {
    let site = site_without_credits().await;
    let ann = site.person().await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let client = cloud(&site, &ann).await;
    let (status, body) = client.post("/prompt", &prompt(1)).await;
    assert!(body["error"]["message"].is_string() && body["node_errors"].is_object(), "ComfyUI's fields: {body}");
    assert_eq!(refused((status, body)), coded(402, "OUT_OF_CREDITS"));
    let (_, billing) = client.get("/billing/status").await;
    assert_eq!((&billing["has_funds"], &billing["subscription_status"]), (&json!(false), &json!("active")));
    let invalid = json!({ "prompt": { "1": { "class_type": "SaveImage", "inputs": { "filename_prefix": "a" } } } });
    let (status, body) = client.post("/prompt", &invalid).await;
    assert!(body["node_errors"]["1"].is_object(), "{body}");
    assert_eq!(refused((status, body)).0, 400);
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn ended_job_is_found_by_its_outputs_and_they_are_assets() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_worker(&site).await;
    let (mine, theirs) = (cloud(&site, &ann).await, cloud(&site, &bob).await);
    let id = submitted(&mine, 11).await;
    assert_eq!(ended(&mine, &id).await, "success");
    for (kind, count) in [("image", 1), ("video", 0), ("audio", 0)] {
        let (_, listed) = mine.get(&format!("/jobs?output_type={kind}&sort_by=execution_time")).await;
        assert_eq!(listed["pagination"]["total"], json!(count), "{kind}");
        assert_eq!(listed["jobs"].as_array().map(Vec::len), usize::try_from(count).ok(), "{kind}");
    }
    let (_, detail) = mine.get(&format!("/jobs/{id}")).await;
    assert_eq!(detail["execution_meta"]["2"]["node_id"], "2", "{detail}");
    assert!(detail["update_time"].is_i64() && detail["execution_status"]["completed"] == true, "{detail}");

    let (_, library) = mine.get("/assets?include_tags=output").await;
    assert_eq!((&library["total"], &library["has_more"]), (&json!(1), &json!(false)), "{library}");
    let output = &library["assets"][0];
    assert_eq!((&output["tags"], &output["is_immutable"]), (&json!(["output"]), &json!(false)), "{output}");
    assert_eq!(output["hash"], output["asset_hash"], "both names of the hash");
    let hash = text(output, "hash");
    let found = site.ask(Method::GET, &format!("{API}/view?filename={hash}&subfolder=none&type=temp"));
    let key = site.send(&ann, Method::POST, "/api/general/api-key", &json!({ "name": "view" })).await;
    let key = text(&key.json().await.expect("JSON"), "key");
    let found = found.header("x-api-key", &key).send().await.expect("an answer");
    assert_eq!(found.status(), 302, "the hash is a name, and the folder is ignored");
    let address = found.headers()["location"].to_str().expect("an address").to_owned();
    assert_eq!(site.http.get(&address).send().await.expect("an answer").status(), 200, "without a key");
    let missing = site.ask(Method::GET, &format!("{API}/view?filename=none.png")).header("x-api-key", &key);
    assert_eq!(refused(answered(missing).await), coded(404, "NOT_FOUND"));

    // An output is borrowed as an upload by its owner alone.
    let wanted = json!({ "hash": hash, "name": "again.png", "tags": ["input"] });
    assert_eq!(refused(theirs.post("/assets/from-hash", &wanted).await), coded(404, "BLOB_NOT_FOUND"));
    let (status, again) = mine.post("/assets/from-hash", &wanted).await;
    assert_eq!((status, &again["tags"]), (201, &json!(["input"])), "{again}");
    let made = text(output, "id");
    let (status, _) = sent(&theirs, Method::DELETE, &format!("/assets/{made}"), &Value::Null).await;
    assert_eq!(status, 404);
    assert_eq!(sent(&mine, Method::DELETE, &format!("/assets/{made}"), &Value::Null).await, (204, Value::Null));
    assert_eq!(mine.get("/assets?include_tags=output").await.1["total"], json!(0));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn asset_is_uploaded_tagged_renamed_and_deleted() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (mine, theirs) = (cloud(&site, &ann).await, cloud(&site, &bob).await);
    let bytes = png(21);
    let upload = async |tags: &[&str]| {
        let mut form = Form::new().text("name", "sea.png").text("user_metadata", r#"{"run":7}"#);
        for tag in tags {
            form = form.text("tags", (*tag).to_owned());
        }
        let form = form.part("file", Part::bytes(bytes.clone()).file_name("x.png"));
        answered(mine.ask(Method::POST, "/assets").multipart(form)).await
    };
    let (status, asset) = upload(&["input", "blue,calm"]).await;
    assert_eq!((status, &asset["created_new"], &asset["name"]), (201, &json!(true), &json!("sea.png")), "{asset}");
    assert_eq!((&asset["tags"], &asset["user_metadata"]), (&json!(["input", "blue", "calm"]), &json!({ "run": 7 })));
    let id = text(&asset, "id");
    let (status, again) = upload(&["input", "new"]).await;
    assert_eq!((status, &again["id"], &again["tags"]), (200, &json!(id), &json!(["input", "blue", "calm", "new"])));
    let tagged = json!({ "hash": Blake3Hash::of(&bytes).to_string(), "tags": ["v2"] });
    let known = answered(ann.sign(site.ask(Method::POST, "/api/v2/assets/from-hash")).json(&tagged)).await;
    let total = mine.get("/assets?include_tags=v2").await.1["total"].clone();
    assert_eq!((known.0, &total), (200, &json!(1)), "a tag of a client of Comfy API v2 is one of the same library");
    let url = json!({ "url": "https://example.com/a.png", "name": "a.png" });
    let import = mine.ask(Method::POST, "/assets").json(&url);
    assert_eq!(refused(answered(import).await), coded(422, "URL_IMPORT_NOT_SUPPORTED"));
    assert_eq!(refused(mine.post("/assets/download", &url).await), coded(422, "URL_IMPORT_NOT_SUPPORTED"));
    let (_, codes) = answered(site.ask(Method::GET, "/api/public/error-code")).await;
    for code in ["BLOB_NOT_FOUND", "URL_IMPORT_NOT_SUPPORTED"] {
        let is_listed = codes["items"].as_array().is_some_and(|items| items.iter().any(|item| item["code"] == code));
        assert!(is_listed, "{code} is explained like all other codes");
    }

    let stored = text(&asset, "hash");
    for hash in [stored.clone(), format!("sha256:{}", hash_of(&bytes)), Blake3Hash::of(&bytes).to_string()] {
        let path = format!("/assets/hash/{hash}");
        assert_eq!(answered(mine.ask(Method::HEAD, &path)).await.0, 200, "{hash}");
        assert_eq!(answered(theirs.ask(Method::HEAD, &path)).await.0, 404, "{hash}");
        let (status, known) = mine.post("/assets/from-hash", &json!({ "hash": hash })).await;
        assert_eq!((status, &known["id"]), (200, &json!(id)), "{hash}");
    }
    assert_eq!(
        refused(mine.post("/assets/from-hash", &json!({ "hash": "md5:00" })).await),
        coded(404, "BLOB_NOT_FOUND")
    );

    let path = format!("/assets/{id}");
    let change = json!({ "name": "Ocean", "user_metadata": { "run": 8 }, "mime_type": "x/y" });
    let (status, changed) = sent(&mine, Method::PUT, &path, &change).await;
    assert_eq!((status, &changed["name"], &changed["mime_type"]), (200, &json!("Ocean"), &json!("image/png")));
    let tags = format!("{path}/tags");
    let (status, added) = mine.post(&tags, &json!({ "tags": ["blue", "deep"] })).await;
    assert_eq!((status, &added["added"], &added["already_present"]), (200, &json!(["deep"]), &json!(["blue"])));
    let (_, removed) = sent(&mine, Method::DELETE, &tags, &json!({ "tags": ["calm", "none"] })).await;
    assert_eq!((&removed["removed"], &removed["not_present"]), (&json!(["calm"]), &json!(["none"])), "{removed}");
    assert_eq!(removed["total_tags"], json!(["input", "blue", "new", "v2", "deep"]));
    for body in [json!({ "tags": [] }), json!({ "tags": ["a\u{0}"] }), json!({})] {
        assert_eq!(mine.post(&tags, &body).await.0, 400, "{body}");
    }

    let other = png(22);
    mine.upload("other.png", other).await;
    for (query, count) in [
        ("", 2),
        ("?include_tags=blue,deep", 1),
        ("?include_tags=blue&include_tags=none", 0),
        ("?exclude_tags=blue", 1),
        ("?name_contains=oceAN", 1),
        (r#"?metadata_filter={"run":8}"#, 1),
        (r#"?metadata_filter={"run":7}"#, 0),
        ("?include_public=true&include_tags=models", 0),
    ] {
        assert_eq!(mine.get(&format!("/assets{query}")).await.1["total"], json!(count), "{query}");
    }
    let (_, page) = mine.get("/assets?sort=name&order=asc&limit=1").await;
    assert_eq!((&page["assets"][0]["name"], &page["has_more"]), (&json!("Ocean"), &json!(true)), "{page}");
    for query in ["limit=501", "sort=x", "order=up", "metadata_filter=x", "offset=-1"] {
        assert_eq!(mine.get(&format!("/assets?{query}")).await.0, 400, "{query}");
    }
    let counts = json!({ "tag_counts": { "blue": 1, "input": 1, "new": 1, "v2": 1, "deep": 1 } });
    assert_eq!(mine.get("/assets/tags/refine?include_tags=blue").await, (200, counts));
    let (_, all) = mine.get("/tags?limit=1").await;
    assert_eq!(all, json!({ "tags": [{ "name": "input", "count": 2 }], "total": 5, "has_more": true }));
    assert_eq!(theirs.get("/tags").await.1["tags"], json!([]));

    for (method, body) in [(Method::GET, Value::Null), (Method::PUT, change), (Method::DELETE, Value::Null)] {
        assert_eq!(sent(&theirs, method.clone(), &path, &body).await.0, 404, "{method}");
    }
    assert_eq!(sent(&mine, Method::DELETE, &path, &Value::Null).await, (204, Value::Null), "though it is an input");
    assert_eq!(sent(&mine, Method::DELETE, &path, &Value::Null).await.0, 404);
    assert_eq!(mine.get("/assets").await.1["total"], json!(1));
    site.finish().await;
}

#[actix_web::test]
async fn mask_tells_its_picture_and_its_layers() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (mine, theirs) = (cloud(&site, &ann).await, cloud(&site, &bob).await);
    let name = mine.upload("face.png", png(31)).await;
    let mut drawn = std::io::Cursor::new(Vec::new());
    let picture = image::RgbaImage::from_pixel(8, 8, image::Rgba([0, 0, 0, 0]));
    picture.write_to(&mut drawn, image::ImageFormat::Png).expect("a picture");
    let form = Form::new()
        .text("original_ref", json!({ "filename": name, "subfolder": "", "type": "input" }).to_string())
        .part("image", Part::bytes(drawn.into_inner()).file_name("mask.png"));
    let (status, masked) = answered(mine.ask(Method::POST, "/upload/mask").multipart(form)).await;
    let metadata = &masked["metadata"];
    assert_eq!((status, &metadata["is_mask"]), (200, &json!(true)), "{masked}");
    assert!(text(metadata, "original_hash").starts_with("sha256:"), "{masked}");
    let layer = text(&metadata["related_files"], "painted_masked");
    let layers = json!({ "mask": null, "paint": null, "painted": null, "painted_masked": layer });
    for filename in [layer.clone(), text(&masked, "name")] {
        assert_eq!(mine.get(&format!("/files/mask-layers?filename={filename}")).await, (200, layers.clone()));
    }
    for filename in [name.as_str(), "none.png", "../x"] {
        assert_eq!(mine.get(&format!("/files/mask-layers?filename={filename}")).await.0, 404, "{filename}");
    }
    assert_eq!(theirs.get(&format!("/files/mask-layers?filename={layer}")).await.0, 404);
    site.finish().await;
}

#[actix_web::test]
async fn saved_workflows_are_those_of_the_site() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (mine, theirs) = (cloud(&site, &ann).await, cloud(&site, &bob).await);
    let drawing = json!({ "nodes": [], "links": [], "version": 0.4 });
    let save = async |name: &str, graph: &Value| {
        let body = json!({ "name": name, "workflow_json": graph, "description": "words" });
        let (status, saved) = mine.post("/workflows", &body).await;
        assert_eq!((status, &saved["latest_version"]), (201, &json!(1)), "{saved}");
        text(&saved, "id")
    };
    let (beta, alpha) = (save("Beta", &prompt(1)["prompt"]).await, save("alpha", &drawing).await);
    for (id, graph) in [(&beta, &prompt(1)["prompt"]), (&alpha, &drawing)] {
        let (status, content) = mine.get(&format!("/workflows/{id}/content")).await;
        assert_eq!((status, &content["workflow_json"], &content["version"]), (200, graph, &json!(1)));
        assert_eq!(refused(theirs.get(&format!("/workflows/{id}/content")).await).0, 404);
    }
    let names = async |query: &str| {
        let (_, listed) = mine.get(&format!("/workflows{query}")).await;
        listed["data"].as_array().expect("rows").iter().map(|row| text(row, "name")).collect::<Vec<_>>()
    };
    assert_eq!(names("").await, ["alpha", "Beta"]);
    assert_eq!(names("?limit=1").await, ["alpha"]);
    assert_eq!(names("?sort=name&order=asc").await, ["alpha", "Beta"]);
    assert_eq!(names("?sort=create_time&order=asc").await, ["Beta", "alpha"]);
    assert_eq!(names("?name=BET").await, ["Beta"]);
    assert_eq!(mine.get("/workflows").await.1["data"][0]["default_view"], "graph");
    assert_eq!(mine.get("/workflows?sort=x").await.0, 400);
    assert_eq!(theirs.get("/workflows").await.1, json!({ "data": [] }));
    assert_eq!(site.get(&ann, &format!("/api/general/workflow/{beta}")).await.status(), 200);
    let delete = async |client: &PlainClient<'_>| {
        sent(client, Method::DELETE, &format!("/workflows/{beta}"), &Value::Null).await.0
    };
    assert_eq!((delete(&theirs).await, delete(&mine).await, delete(&mine).await), (404, 204, 404));
    site.finish().await;
}

#[actix_web::test]
async fn account_and_server_are_told_as_official_clients_read_them() {
    let site = Site::start().await;
    let ann = site.person().await;
    let client = cloud(&site, &ann).await;
    let (_, balance) = client.get("/billing/balance").await;
    let (credits, cents) = (balance["credits"].as_i64().expect("credits"), balance["amount_micros"].as_i64());
    assert_eq!((cents, &balance["currency"]), (Some(credits * 100 / 211), &json!("usd")), "{balance}");
    let (_, plans) = client.get("/billing/plans").await;
    assert_eq!(plans["current_plan_slug"], plans["plans"][0]["slug"], "{plans}");
    assert_eq!(plans["plans"][0]["price_cents"], json!(0));
    let (_, workspace) = client.get("/workspaces/current").await;
    assert_eq!((&workspace["type"], &workspace["role"]), (&json!("personal"), &json!("owner")), "{workspace}");
    assert!(client.get("/features").await.1["max_concurrent_jobs"].is_u64());
    let open = answered(site.ask(Method::GET, &format!("{API}/features"))).await;
    assert_eq!((open.0, open.1.get("max_concurrent_jobs")), (200, None));
    let (_, stats) = client.get("/system_stats").await;
    let system = stats["system"].as_object().expect("an object");
    for field in ["cloud_version", "comfyui_frontend_version", "workflow_templates_version"] {
        assert!(system.contains_key(field), "{field}");
    }
    let local = answered(ann.sign(site.ask(Method::GET, &format!("{API}/system_stats")))).await.1;
    assert!(local["system"].get("cloud_version").is_none(), "{local}");

    let file = client.ask(Method::GET, "/userdata/none.json").send().await.expect("an answer");
    assert_eq!(file.status(), 404);
    let kind = file.headers()["content-type"].to_str().expect("a type").to_owned();
    assert!(kind.starts_with("text/plain"), "{kind}");
    assert!(!file.text().await.expect("a text").starts_with('{'));
    assert_eq!(client.post("/userdata/a.json", &json!({})).await.0, 200);
    assert_eq!(client.post("/userdata/a.json?overwrite=false", &json!({})).await.0, 409);
    let form = Form::new().part("image", Part::bytes(b"nonsense".to_vec()).file_name("a.png"));
    let (status, _) = answered(client.ask(Method::POST, "/upload/image").multipart(form)).await;
    assert_eq!(status, 400, "it is no picture");
    site.finish().await;
}

#[actix_web::test]
async fn every_socket_with_the_token_gets_the_messages_of_its_account() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_worker(&site).await;
    let key = site.send(&ann, Method::POST, "/api/general/api-key", &json!({ "name": "socket" })).await;
    let key = text(&key.json().await.expect("JSON"), "key");
    let mut sockets = Vec::new();
    for client in ["one", "two"] {
        let query = format!("?clientId={client}&token={key}");
        let mut socket = Socket::open(&site, &Browser::default(), &query, None).await.expect("a socket");
        assert_eq!(socket.next().await.expect("a greeting").kind(), "status");
        sockets.push(socket);
    }
    let theirs = cloud(&site, &bob).await;
    let mut foreign = theirs.socket().await;
    let id = submitted(&cloud(&site, &ann).await, 41).await;
    for socket in &mut sockets {
        let frames = socket.until("executing", |data| data["node"].is_null() && data["prompt_id"] == id).await;
        assert!(frames.iter().any(|frame| frame.kind() == "executed"), "{frames:?}");
    }
    assert!(foreign.is_silent().await);
    drop((sockets, foreign));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn signed_address_is_that_of_one_file() {
    let site = Site::start().await;
    let ann = site.person().await;
    let cloud = cloud(&site, &ann).await;
    let other = png(8);
    cloud.upload("one.png", png(7)).await;
    cloud.upload("other.png", other.clone()).await;
    // This client follows redirects, so the address is read from an asset.
    let known = json!({ "hash": format!("sha256:{}", hash_of(&png(7))), "name": "one.png" });
    let (_, asset) = cloud.post("/assets/from-hash", &known).await;
    let address = text(&asset, "preview_url");
    let path = address.strip_prefix(&site.url).expect("an absolute address of this site").to_owned();
    assert_eq!(site.ask(Method::GET, &path).send().await.expect("an answer").status(), 200);
    let content = text(&asset, "asset_hash").replace("sha256:", "");
    for forged in [
        path.replace(&content, &hash_of(&other)),
        path.replace(&format!("{content}.png"), &format!("{content}.jpg")),
        path.replace("name=one.png", "name=one.html"),
        path.replace("signature=", "signature=%00"),
        path.split("&signature").next().unwrap_or_default().to_owned(),
        path.split('?').next().unwrap_or_default().to_owned(),
    ] {
        let status = site.ask(Method::GET, &forged).send().await.expect("an answer").status().as_u16();
        assert!([400, 404].contains(&status), "{forged}: {status}");
    }
    site.finish().await;
}
