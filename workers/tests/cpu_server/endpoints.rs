//! Other endpoints that the editor uses.

use reqwest::Method;
use serde_json::{Value as Json, json};
use verdigraph_workers::cpu::ComfyVersion;

use crate::harness::Harness;

#[actix_web::test]
async fn paths_work_with_and_without_prefix_and_wrong_methods_get_405() {
    let harness = Harness::start().await;
    for path in ["/prompt", "/system_stats", "/object_info/TestAdd", "/users", "/models", "/extensions", "/i18n"] {
        let plain = harness.get(path).await;
        assert_eq!(plain.status(), 200, "{path}");
        assert!(plain.headers()["content-type"].to_str().unwrap().starts_with("application/json"), "{path}");
        assert_eq!(harness.get(&format!("/api{path}")).await.status(), 200, "/api{path}");
        assert_eq!(harness.client.head(harness.url(path)).send().await.unwrap().status(), 200, "HEAD {path}");
    }
    for (method, path, status) in [
        ("GET", "/nope", 404),
        ("GET", "/api/nope", 404),
        ("GET", "/api/jobs", 200),
        ("GET", "/jobs", 404),
        ("GET", "/api/assets", 503),
        ("GET", "/api/assets/seed/status", 503),
        ("GET", "/api/tags", 503),
        ("GET", "/assets", 404),
        ("GET", "/global_subgraphs", 200),
        ("GET", "/api/node_replacements", 200),
        ("GET", "/interrupt", 404),
        ("PUT", "/prompt", 405),
        ("DELETE", "/queue", 405),
        ("POST", "/object_info", 405),
        ("OPTIONS", "/prompt", 200),
        ("GET", "/models/checkpoints", 200),
        ("GET", "/models/nope", 404),
        ("GET", "/experiment/models/nope", 404),
        ("GET", "/view_metadata/checkpoints?filename=x.safetensors", 404),
        ("GET", "/internal/files/output", 200),
        ("GET", "/internal/files/nope", 400),
        ("GET", "/internal/folder_paths", 200),
        ("GET", "/api/internal/folder_paths", 404),
    ] {
        let method: Method = method.parse().unwrap();
        let response = harness.client.request(method.clone(), harness.url(path)).send().await.unwrap();
        assert_eq!(response.status(), status, "{method} {path}");
    }
    harness.stop().await;
}

#[actix_web::test]
async fn cross_origin_page_cannot_use_a_local_worker() {
    let harness = Harness::start().await;
    let ask = |origin: String| harness.client.get(harness.url("/system_stats")).header("origin", origin).send();
    assert_eq!(ask("http://evil.example".to_owned()).await.unwrap().status(), 403);
    assert_eq!(ask(harness.url("")).await.unwrap().status(), 200);
    harness.stop().await;
}

#[actix_web::test]
async fn worker_lists_its_capabilities() {
    let harness = Harness::start().await;
    let all = harness.json("/object_info").await;
    assert_eq!(all["TestAdd"]["output"], json!(["INT"]));
    assert_eq!(harness.json("/object_info/TestAdd").await, json!({"TestAdd": all["TestAdd"]}));
    assert_eq!(harness.json("/object_info/NoSuchNode").await, json!({}));
    let stats = harness.json("/system_stats").await;
    assert_eq!(stats["system"]["comfyui_version"], "0.33.0");
    assert_eq!(stats["devices"][0]["type"], "cpu");
    assert!(stats["system"]["ram_total"].as_u64().is_some_and(|bytes| bytes > 1 << 20));
    harness.stop().await;
}

/// The keys of an object and of the objects and lists in it.
fn shape(value: &Json) -> Json {
    match value {
        Json::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), shape(value))).collect(),
        Json::Array(items) => items.iter().map(shape).collect(),
        _ => Json::Null,
    }
}

/// A recorded answer of a real server.
fn recorded(like: ComfyVersion, path: &str) -> Json {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/traces/v{like}"));
    let trace = std::fs::read_to_string(folder.join("21-other-endpoints.jsonl")).unwrap();
    let events = trace.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let mut answers = events.filter(|event| event["kind"] == "http_response" && event["path"] == path);
    answers.next().unwrap_or_else(|| panic!("{path} was not recorded"))["json"].clone()
}

#[actix_web::test]
async fn answers_match_the_recorded_version() {
    for like in ComfyVersion::ALL {
        let harness = Harness::start_with(|options| options.like = like).await;
        assert_eq!(harness.json("/models").await, recorded(like, "/models"), "{like}");
        assert_eq!(harness.json("/features").await, recorded(like, "/api/features"), "{like}");
        let mut stats = recorded(like, "/system_stats");
        let (mut ours, version) = (harness.json("/system_stats").await, like.version());
        assert_eq!(ours["system"]["comfyui_version"], version);
        for name in ["os", "required_frontend_version"] {
            assert_eq!(ours["system"][name], stats["system"][name], "{like} {name}");
        }
        ours["system"].as_object_mut().unwrap().remove("verdigraph_version");
        stats["system"]["argv"] = json!([]);
        if like >= ComfyVersion::V0_33_0 {
            stats["system"]["comfy_package_versions"] = json!([]);
        }
        let sorted =
            |value: &Json| serde_json::from_str::<std::collections::BTreeMap<String, Json>>(&shape(value).to_string());
        assert_eq!(sorted(&ours["system"]).unwrap(), sorted(&stats["system"]).unwrap(), "{like}");
        let folders =
            |listed: &Json| listed.as_array().unwrap().iter().map(|folder| folder["name"].clone()).collect::<Vec<_>>();
        let listed = harness.json("/experiment/models").await;
        assert_eq!(folders(&listed), folders(&recorded(like, "/experiment/models")), "{like}");
        let is_new = like >= ComfyVersion::V0_33_0;
        assert_eq!(harness.get("/api/jobs").await.status(), if is_new { 200 } else { 404 }, "{like}");
        assert_eq!(harness.get("/api/global_subgraphs").await.status(), if is_new { 200 } else { 404 }, "{like}");
        std::fs::write(harness.folder.path().join("output/a.html"), "x").unwrap();
        let file = if is_new { "a.html [output]" } else { "a.html" };
        assert_eq!(harness.json("/internal/files/output").await, json!([file]), "{like}");
        let page = harness.get("/view?filename=a.html").await;
        assert_eq!(page.headers()["content-type"], "application/octet-stream", "{like}");
        let shown = if is_new { "attachment; filename=\"a.html\"" } else { "filename=\"a.html\"" };
        assert_eq!(page.headers()["content-disposition"], shown, "{like}");
        assert_eq!(page.headers().contains_key("cache-control"), is_new, "{like}");
        harness.stop().await;
    }
}

#[actix_web::test]
async fn object_info_matches_the_recorded_version() {
    for like in ComfyVersion::ALL {
        let harness = Harness::start_with(|options| options.like = like).await;
        let ours = harness.json("/object_info").await;
        assert_eq!(ours["EmptyImage"], recorded(like, "/object_info/EmptyImage")["EmptyImage"], "{like}");
        let outputs = if like >= ComfyVersion::V0_33_0 { json!(["IMAGE"]) } else { json!([]) };
        assert_eq!(ours["SaveImage"]["output"], outputs, "{like}");
        assert_eq!(ours["Canny"]["output"], json!(["IMAGE"]), "{like}");
        harness.stop().await;
    }
}

#[actix_web::test]
async fn settings_are_stored_singly_and_together() {
    let harness = Harness::start().await;
    assert_eq!(harness.json("/users").await, json!({"storage": "server", "migrated": false}));
    assert_eq!(harness.json("/settings/A").await, Json::Null);
    assert_eq!(harness.post("/settings", r#"{"A": 1, "B": "x"}"#).await.status(), 200);
    assert_eq!(harness.post("/api/settings/C", "[1, 2]").await.status(), 200);
    assert_eq!(harness.json("/settings").await, json!({"A": 1, "B": "x", "C": [1, 2]}));
    assert_eq!(harness.json("/settings/C").await, json!([1, 2]));
    assert_eq!(harness.post("/settings", "nonsense").await.status(), 400);
    assert_eq!(harness.json("/users").await, json!({"storage": "server", "migrated": true}));
    harness.stop().await;
}

#[actix_web::test]
async fn files_of_the_user_are_listed_moved_and_deleted() {
    let harness = Harness::start().await;
    assert_eq!(harness.get("/userdata?dir=workflows").await.status(), 404);
    assert_eq!(harness.get("/userdata").await.status(), 400);
    assert_eq!(harness.get("/userdata?dir=../..").await.status(), 403);
    let written: Json = harness.post("/userdata/workflows%2Fa%20b.json", "{}").await.json().await.unwrap();
    assert_eq!(written, "workflows/a b.json");
    let info: Json =
        harness.post("/userdata/workflows%2Fsub%2Fc.json?full_info=true", "[1]").await.json().await.unwrap();
    assert_eq!(info["path"], "workflows/sub/c.json");
    assert_eq!(info["size"], 3);
    assert!(info["modified"].is_i64(), "milliseconds: {info}");
    assert_eq!(harness.post("/userdata/workflows%2Fa%20b.json?overwrite=false", "x").await.status(), 409);
    assert_eq!(harness.json("/userdata?dir=workflows").await, json!(["a b.json"]));
    assert_eq!(harness.json("/userdata?dir=workflows&recurse=true").await, json!(["a b.json", "sub/c.json"]));
    assert_eq!(
        harness.json("/userdata?dir=workflows&recurse=true&split=true").await,
        json!([["a b.json", "a b.json"], ["sub/c.json", "sub", "c.json"]])
    );
    assert_eq!(harness.get("/userdata/workflows%2Fa%20b.json").await.text().await.unwrap(), "{}");
    assert_eq!(harness.get("/userdata/workflows/a%20b.json").await.status(), 404, "a bare slash is another path");
    assert_eq!(harness.get("/userdata/..%2Fx").await.status(), 403);
    let moved = harness.post("/userdata/workflows%2Fa%20b.json/move/workflows%2Fd.json?overwrite=false", "").await;
    assert_eq!(moved.json::<Json>().await.unwrap(), "workflows/d.json");
    assert_eq!(harness.post("/userdata/workflows%2Fnope.json/move/workflows%2Fe.json", "").await.status(), 404);
    let delete = || harness.client.delete(harness.url("/userdata/workflows%2Fd.json")).send();
    assert_eq!(delete().await.unwrap().status(), 204);
    assert_eq!(delete().await.unwrap().status(), 404);
    harness.stop().await;
}

#[actix_web::test]
async fn worker_with_secret_rejects_requests_without_it() {
    let harness = Harness::start_with(|options| options.secret = Some("a long secret".into())).await;
    let told = |told: &'static str| {
        let request = harness.client.get(harness.url("/prompt"));
        let request = if told.is_empty() { request } else { request.header("authorization", told) };
        async { request.send().await.unwrap().status().as_u16() }
    };
    assert_eq!(told("").await, 401);
    for wrong in
        ["Bearer", "Bearer ", "a long secret", "Bearer a long secre", "Bearer a long secret2", "Basic a long secret"]
    {
        assert_eq!(told(wrong).await, 401, "{wrong}");
    }
    assert_eq!(told("Bearer a long secret").await, 200);
    for path in ["/ws", "/view?filename=x", "/object_info", "/nope", "/api/queue"] {
        assert_eq!(harness.get(path).await.status(), 401, "{path}");
    }
    let submitted = harness.post("/prompt", "{}").await;
    assert_eq!(submitted.status(), 401);
    harness.stop().await;
}

#[actix_web::test]
async fn editor_files_are_listed_as_tree_and_users_can_be_added() {
    let harness = Harness::start().await;
    for (file, body) in [("workflows%2Fa%20b.json", "{\"nodes\":[]}"), ("workflows%2Fsub%2Fc.json", "{}")] {
        assert_eq!(harness.post(&format!("/userdata/{file}"), body).await.status(), 200, "{file}");
    }
    let mut tree = harness.json("/v2/userdata?path=workflows").await;
    for entry in tree.as_array_mut().unwrap() {
        assert_eq!(entry.as_object_mut().unwrap().remove("modified").is_some(), entry["type"] == "file", "{entry}");
    }
    // As recorded from a real server.
    assert_eq!(
        tree,
        json!([
            {"name": "sub", "path": "workflows/sub", "type": "directory"},
            {"name": "a b.json", "path": "workflows/a b.json", "type": "file", "size": 12},
            {"name": "c.json", "path": "workflows/sub/c.json", "type": "file", "size": 2},
        ])
    );
    let all = harness.json("/v2/userdata").await;
    assert_eq!(all.as_array().map(Vec::len), Some(4), "{all}");
    assert_eq!(harness.get("/v2/userdata?path=..").await.status(), 403);
    assert_eq!(harness.get("/v2/userdata?path=nope").await.status(), 404);
    let user: Json = harness.post("/users", r#"{"username": "bob"}"#).await.json().await.unwrap();
    assert!(user.as_str().is_some_and(|id| id.starts_with("bob_") && id.len() == 40), "{user}");
    assert_eq!(harness.post("/users", "{}").await.status(), 400);
    harness.stop().await;
}
