//! The server of the Model Context Protocol, in both eras.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use verdigraph_core::assets::Blake3Hash;

use crate::calls::done;
use crate::jobs::{prompt, with_idle_worker, with_worker};
use crate::mcp_schemas::differences;
use crate::posts::{self, png};
use crate::shares::private_app;
use crate::site::{Browser, Site, text};

const MODERN: &str = "2026-07-28";
const NO_JOB: &str = "0192f0c1-2b3c-4d4e-8f50-123456789abc";

/// The tools, which are the same on each site.
static TOOLS: OnceCell<Vec<Value>> = OnceCell::const_new();

/// An assistant with an API key.
pub struct Client<'a> {
    site: &'a Site,
    pub person: Browser,
    key: String,
}

impl<'a> Client<'a> {
    pub async fn new(site: &'a Site) -> Self {
        let person = site.person().await;
        let made = done(site, &person, Method::POST, "/api/general/api-key", json!({ "name": "assistant" })).await;
        Self { site, person, key: text(&made, "key") }
    }

    fn ask(&self) -> RequestBuilder {
        let accepted = "application/json, text/event-stream";
        self.site.ask(Method::POST, "/mcp").bearer_auth(&self.key).header("accept", accepted)
    }

    async fn send(&self, message: &Value) -> Response {
        self.ask().json(message).send().await.expect("an answer")
    }

    /// The answer to a request of the era with a handshake.
    async fn legacy(&self, method: &str, params: Value) -> (u16, Value) {
        let message = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
        let request = self.ask().header("MCP-Protocol-Version", "2025-11-25").json(&message);
        answer(request.send().await.expect("an answer")).await
    }

    /// The answer to a request of the era without one.
    async fn modern(&self, method: &str, mut params: Value) -> (u16, Value) {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let mut request = self.ask().header("MCP-Protocol-Version", MODERN).header("Mcp-Method", method);
        if let Some(name) = params["name"].as_str() {
            request = request.header("Mcp-Name", name);
        }
        let message = json!({ "jsonrpc": "2.0", "id": "a", "method": method, "params": params });
        answer(request.json(&message).send().await.expect("an answer")).await
    }

    /// The list of tools.
    pub async fn tools(&self) -> &'static [Value] {
        let listed = TOOLS.get_or_init(|| async {
            let (_, answer) = self.legacy("tools/list", json!({})).await;
            answer["result"]["tools"].as_array().cloned().expect("tools")
        });
        listed.await
    }

    /// The result of a tool, after a check of its shape.
    pub async fn result(&self, name: &str, arguments: Value) -> Value {
        let (status, answer) = self.legacy("tools/call", json!({ "name": name, "arguments": arguments })).await;
        assert_eq!(status, 200, "{answer}");
        let result = answer["result"].clone();
        let first: Value = serde_json::from_str(&text(&result["content"][0], "text")).expect("JSON");
        assert_eq!(first, result["structuredContent"], "the text is for clients that read no objects");
        let tool = self.tools().await.iter().find(|tool| tool["name"] == name).expect("a tool");
        assert_eq!(differences(&tool["outputSchema"], &first, name), Vec::<String>::new());
        result
    }

    /// What a tool returns.
    pub async fn call(&self, name: &str, arguments: Value) -> Value {
        let result = self.result(name, arguments).await;
        assert_eq!(result["isError"], false, "{name}: {result}");
        result["structuredContent"].clone()
    }

    /// Code and fields of a failure.
    pub async fn refused(&self, name: &str, arguments: Value) -> (String, Value) {
        let result = self.result(name, arguments).await;
        assert_eq!(result["isError"], true, "{name}: {result}");
        let error = &result["structuredContent"]["error"];
        assert!(error["message"].is_string(), "{result}");
        (text(error, "code"), error["fields"].clone())
    }
}

async fn answer(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    assert!(status < 500, "{:?}", response.text().await);
    (status, response.json().await.expect("JSON"))
}

fn code((status, body): (u16, Value)) -> (u16, i64) {
    (status, body["error"]["code"].as_i64().unwrap_or_default())
}

/// The messages of a stream.
fn messages(body: &str) -> Vec<Value> {
    let data = body.split("\n\n").filter_map(|frame| frame.lines().find_map(|line| line.strip_prefix("data: ")));
    data.map(|data| serde_json::from_str(data).expect("JSON")).collect()
}

#[actix_web::test]
async fn both_eras_are_served_on_one_path() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    let begin =
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let (status, begun) = ann.legacy("initialize", begin).await;
    assert_eq!((status, &begun["id"], &begun["result"]["protocolVersion"]), (200, &json!(7), &json!("2025-06-18")));
    assert!(begun["result"]["serverInfo"]["name"].is_string() && begun["result"]["capabilities"]["tools"].is_object());
    let noted = ann.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    assert_eq!((noted.status().as_u16(), noted.text().await.expect("no body")), (202, String::new()));
    assert_eq!(ann.legacy("ping", json!({})).await.1["result"], json!({}));
    let (_, old) = ann.legacy("tools/list", json!({})).await;
    assert_eq!(old, ann.legacy("tools/list", json!({})).await.1, "the order is stable");
    assert_eq!(old["result"].get("resultType"), None);

    let (status, found) = ann.modern("server/discover", json!({})).await;
    assert_eq!((status, &found["result"]["supportedVersions"][0]), (200, &json!(MODERN)), "{found}");
    assert!(found["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["version"].is_string(), "{found}");
    let (_, new) = ann.modern("tools/list", json!({})).await;
    assert_eq!((&new["result"]["tools"], &new["result"]["resultType"]), (&old["result"]["tools"], &json!("complete")));
    assert!(new["result"]["ttlMs"].is_u64() && new["result"]["cacheScope"].is_string());
    let account = json!({ "name": "get_account", "arguments": {} });
    let (status, called) = ann.modern("tools/call", account).await;
    assert_eq!((status, &called["id"], &called["result"]["resultType"]), (200, &json!("a"), &json!("complete")));

    for method in [Method::GET, Method::DELETE] {
        let response = site.ask(method, "/mcp").bearer_auth(&ann.key).send().await.expect("an answer");
        assert_eq!(response.status(), 405);
    }
    assert_eq!(
        site.ask(Method::POST, "/mcp/more").bearer_auth(&ann.key).send().await.expect("an answer").status(),
        404
    );
    site.finish().await;
}

#[actix_web::test]
async fn wrong_messages_are_answered_with_the_code_of_their_fault() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    let raw = async |body: &'static str| {
        let request = ann.ask().header("content-type", "application/json").body(body);
        code(answer(request.send().await.expect("an answer")).await)
    };
    assert_eq!(raw("nonsense").await, (400, -32700));
    assert_eq!(raw(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#).await, (400, -32600));
    assert_eq!(raw("{}").await, (400, -32600));
    assert_eq!(code(ann.legacy("resources/list", json!({})).await), (200, -32601));
    assert_eq!(code(ann.modern("ping", json!({})).await), (404, -32601));
    assert_eq!(code(ann.legacy("tools/call", json!({ "name": "no_tool" })).await), (200, -32602));
    assert_eq!(code(ann.legacy("tools/call", json!({ "name": 5 })).await), (400, -32602));
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {
        "_meta": { "io.modelcontextprotocol/protocolVersion": MODERN } } });
    let headed = async |version: &str, method: &str| {
        let request = ann.ask().header("MCP-Protocol-Version", version).header("Mcp-Method", method).json(&message);
        answer(request.send().await.expect("an answer")).await
    };
    assert_eq!(code(headed(MODERN, "tools/call").await), (400, -32020));
    assert_eq!(code(headed("2025-11-25", "tools/list").await), (400, -32020));
    assert_eq!(headed(MODERN, "tools/list").await.0, 200);
    let old = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let request = ann.ask().header("MCP-Protocol-Version", "1900-01-01").json(&old);
    let (status, unsupported) = answer(request.send().await.expect("an answer")).await;
    assert_eq!((status, &unsupported["error"]["code"]), (400, &json!(-32022)));
    assert!(unsupported["error"]["data"]["supported"].as_array().is_some_and(|all| all.len() > 1));
    site.finish().await;
}

#[actix_web::test]
async fn only_key_holders_call_and_no_page_of_another_site() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let ask = || site.ask(Method::POST, "/mcp").json(&message);
    for refused in [ask(), ask().bearer_auth("vg_wrong")] {
        let refused = refused.send().await.expect("an answer");
        assert_eq!(refused.status(), 401);
        assert_eq!(refused.headers()["www-authenticate"], "Bearer");
    }
    assert_eq!(ask().header("X-API-Key", &ann.key).send().await.expect("an answer").status(), 200);
    let from = async |origin: &str| {
        ann.ask().header("origin", origin).json(&message).send().await.expect("an answer").status().as_u16()
    };
    assert_eq!(from("https://evil.example").await, 403);
    assert_eq!(from(&site.url).await, 200);
    site.finish().await;
}

#[actix_web::test]
async fn request_over_the_rate_is_refused_like_other_calls() {
    let site = Site::with(|settings| settings.limits.requests_per_minute_per_key = 6).await;
    let ann = Client::new(&site).await;
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let mut last = ann.send(&message).await;
    for _ in 0..3 {
        last = ann.send(&message).await;
    }
    assert_eq!(last.status(), 429);
    assert!(last.headers().contains_key("retry-after"));
    site.finish().await;
}

#[actix_web::test]
async fn app_is_found_priced_run_and_shown() {
    let site = Site::start().await;
    let (ann, bob) = (Client::new(&site).await, Client::new(&site).await);
    let (worker, _folder) = with_worker(&site).await;
    let (app, workflow) = private_app(&site, &ann.person).await;
    assert_eq!(bob.refused("get_app", json!({ "app_id": app })).await.0, "NOT_FOUND");
    posts::publish(&site, &ann.person, &workflow, 7).await;

    let found = bob.call("search_apps", json!({ "makes": "image", "limit": 5 })).await;
    assert_eq!((&found["apps"][0]["app_id"], &found["apps"][0]["title"]), (&json!(app), &json!("Noisy")), "{found}");
    assert_eq!(found["apps"][0]["price"]["expected"], Value::Null, "it has not run yet");
    assert_eq!(bob.call("search_apps", json!({ "makes": "video" })).await["apps"], json!([]));
    let wished = bob.call("search_apps", json!({ "query": "noisy picture" })).await;
    assert_eq!(wished["apps"][0]["app_id"], json!(app), "{wished}");
    let read = bob.call("get_app", json!({ "app_id": app })).await;
    let inputs = read["inputs"]["properties"].as_object().expect("inputs");
    let width = inputs.keys().find(|name| name.contains("width")).expect("a width").clone();
    assert_eq!(read["outputs"][0]["node_id"], "2", "{read}");
    let pinned = json!({ "app_id": app, "version": read["version"] });
    assert_eq!(bob.call("get_app", pinned.clone()).await["inputs"], read["inputs"], "a version is read by its id");
    assert!(bob.call("quote", pinned).await["price"]["least_credits"].is_i64(), "and priced");
    let quoted = bob.call("quote", json!({ "app_id": app, "inputs": { &width: 24 }, "max_credits": 50 })).await;
    assert_eq!((&quoted["price"]["most_credits"], &quoted["fits_max_credits"]), (&json!(50), &json!(true)), "{quoted}");

    let arguments = json!({ "app_id": app, "inputs": { &width: 24 }, "max_credits": 50, "wait_s": 50 });
    let result = bob.result("run_app", arguments).await;
    let run = &result["structuredContent"];
    assert_eq!((&run["status"], &result["isError"]), (&json!("succeeded"), &json!(false)), "{result}");
    assert!(run["credits_used"].as_i64().is_some_and(|used| used <= 50) && run["max_credits"] == json!(50), "{run}");
    let content = result["content"].as_array().expect("content");
    let picture = content.iter().find(|item| item["type"] == "image").expect("a picture");
    assert!(text(picture, "mimeType").starts_with("image/"));
    assert!(!BASE64_STANDARD.decode(text(picture, "data")).expect("Base64").is_empty());
    let link = content.iter().find(|item| item["type"] == "resource_link").expect("a link");
    let file = site.http.get(text(link, "uri")).send().await.expect("an answer");
    assert_eq!(file.status(), 200, "the address needs no key");
    assert_eq!(run["outputs"][0]["width"], json!(24), "{run}");

    let job = json!({ "job_id": run["job_id"] });
    let told = bob.call("get_job", job.clone()).await;
    assert_eq!((&told["status"], &told["credits_used"]), (&json!("succeeded"), &run["credits_used"]));
    let outputs = bob.call("get_outputs", json!({ "job_id": run["job_id"], "preview": false })).await;
    assert_eq!(outputs["outputs"][0]["output_id"], run["outputs"][0]["output_id"]);
    let upload = bob.call("upload_input", json!({ "output_id": run["outputs"][0]["output_id"] })).await;
    assert!(upload["asset_id"].is_string(), "an output becomes an input: {upload}");
    let listed = bob.call("list_jobs", json!({ "status": "succeeded", "limit": 1 })).await;
    assert_eq!(listed["jobs"][0]["job_id"], run["job_id"]);
    for tool in ["get_job", "wait_for_job", "get_outputs", "cancel_job"] {
        let (code, fields) = ann.refused(tool, job.clone()).await;
        assert_eq!((code.as_str(), &fields[0]["field"]), ("NOT_FOUND", &json!("job_id")), "another account's job");
    }
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn progress_is_sent_before_the_result() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    let (worker, _folder) = with_worker(&site).await;
    let arguments = json!({ "workflow": prompt(3)["prompt"], "max_credits": 500, "wait_s": 50 });
    let params = json!({ "name": "submit_workflow", "arguments": arguments, "_meta": { "progressToken": "p" } });
    let response = ann.send(&json!({ "jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": params })).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert_eq!(response.headers()["x-accel-buffering"], "no");
    let told = messages(&response.text().await.expect("its end"));
    let (last, before) = told.split_last().expect("messages");
    assert_eq!(
        (&last["id"], &last["result"]["structuredContent"]["status"]),
        (&json!(4), &json!("succeeded")),
        "{last}"
    );
    let progress: Vec<f64> = before.iter().map(|note| note["params"]["progress"].as_f64().expect("a number")).collect();
    assert!(!progress.is_empty() && progress.is_sorted_by(|one, next| one < next), "it increases: {progress:?}");
    assert!(
        before.iter().all(|note| note["method"] == "notifications/progress" && note["params"]["progressToken"] == "p")
    );
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn waiting_jobs_are_replayed_by_key_watched_and_canceled() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let (app, _) = private_app(&site, &ann.person).await;
    let run = |key: &str, most: i64| json!({ "app_id": app, "max_credits": most, "wait_s": 0, "idempotency_key": key });
    let first = ann.call("run_app", run("one", 50)).await;
    assert_eq!((&first["status"], &first["replayed"]), (&json!("queued"), &json!(false)), "{first}");
    assert!(first["queue"]["place"].is_i64() && first["waits_for"]["message"].is_string(), "{first}");
    let again = ann.call("run_app", run("one", 50)).await;
    assert_eq!((&again["job_id"], &again["replayed"]), (&first["job_id"], &json!(true)));
    assert_eq!(ann.refused("run_app", run("one", 60)).await.0, "IDEMPOTENCY_MISMATCH");
    let (code, fields) = ann.refused("run_app", run("a b", 50)).await;
    assert_eq!((code.as_str(), &fields[0]["field"]), ("VALIDATION_FAILED", &json!("idempotency_key")));
    let waited = ann.call("wait_for_job", json!({ "job_id": first["job_id"], "wait_s": 1 })).await;
    assert_eq!(waited["status"], "queued", "the time was over: {waited}");

    let many = json!({ "app_id": app, "runs": [{}, {}, { "none": 1 }], "max_credits": 90, "idempotency_key": "many" });
    let made = ann.call("run_many", many.clone()).await;
    assert_eq!((&made["accepted"], &made["max_credits_each"]), (&json!(2), &json!(30)), "{made}");
    let fault = &made["runs"][2]["error"]["fields"][0];
    assert_eq!((&fault["field"], &fault["given"]), (&json!("inputs.none"), &json!(1)), "{made}");
    assert!(fault["allowed"]["enum"].is_array(), "the names of the inputs: {made}");
    let again = ann.call("run_many", many).await;
    assert_eq!(again["runs"][0]["job_id"], made["runs"][0]["job_id"], "a repeated call makes no new jobs");

    let listed = ann.call("list_jobs", json!({ "status": "queued", "limit": 2 })).await;
    assert_eq!(listed["jobs"].as_array().map(Vec::len), Some(2));
    let rest = ann.call("list_jobs", json!({ "status": "queued", "cursor": listed["next_cursor"] })).await;
    assert_eq!((&rest["jobs"][0]["job_id"], &rest["next_cursor"]), (&first["job_id"], &Value::Null), "{rest}");
    for job in [&first["job_id"], &made["runs"][0]["job_id"], &made["runs"][1]["job_id"]] {
        assert_eq!(ann.call("cancel_job", json!({ "job_id": job })).await["status"], "canceled");
    }
    let canceled = ann.call("get_outputs", json!({ "job_id": first["job_id"] })).await;
    assert_eq!(canceled["outputs"], json!([]));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn wrong_inputs_are_told_with_what_is_allowed() {
    let site = Site::start().await;
    let ann = Client::new(&site).await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let (app, _) = private_app(&site, &ann.person).await;
    let read = ann.call("get_app", json!({ "app_id": app })).await;
    let inputs = &read["inputs"]["properties"];
    let width =
        inputs.as_object().expect("inputs").keys().find(|name| name.contains("width")).expect("a width").clone();
    let run = json!({ "app_id": app, "inputs": { &width: -3 }, "max_credits": 50, "wait_s": 0 });
    let (code, fields) = ann.refused("run_app", run).await;
    assert_eq!((code.as_str(), &fields[0]["field"]), ("VALIDATION_FAILED", &json!(format!("inputs.{width}"))));
    assert_eq!((&fields[0]["given"], &fields[0]["allowed"]), (&json!(-3), &inputs[&width]), "{fields}");

    let graph = json!({
        "1": { "class_type": "EmptyImage", "inputs": { "width": -1, "height": 8, "batch_size": 1, "color": 0 } },
        "2": { "class_type": "SaveImage", "inputs": { "images": ["1", 0], "filename_prefix": "a" } },
    });
    let result = ann.result("submit_workflow", json!({ "workflow": graph, "max_credits": 50 })).await;
    let error = &result["structuredContent"]["error"];
    assert_eq!((&result["isError"], &error["code"]), (&json!(true), &json!("INVALID_PROMPT")));
    assert!(error["details"]["node_errors"]["1"]["errors"][0]["extra_info"].is_object(), "node and value: {error}");
    for (tool, arguments, field) in [
        ("get_job", json!({}), "job_id"),
        ("get_job", json!({ "job_id": "x" }), "job_id"),
        ("get_job", json!({ "job_id": NO_JOB }), "job_id"),
        ("get_app", json!({ "app_id": NO_JOB }), "app_id"),
        ("get_app", json!({ "app_id": app, "version": NO_JOB }), "version"),
        ("quote", json!({ "app_id": app, "version": NO_JOB }), "version"),
        ("quote", json!({ "workflow": {}, "version": NO_JOB }), "version"),
        ("run_app", json!({ "app_id": NO_JOB, "max_credits": 5 }), "app_id"),
        ("run_app", json!({ "app_id": app, "max_credits": 50, "wait_s": 51 }), "wait_s"),
        ("run_many", json!({ "app_id": app, "max_credits": 50, "runs": [] }), "runs"),
        ("run_many", json!({ "app_id": app, "max_credits": 1, "runs": [{}, {}] }), "max_credits"),
        ("quote", json!({}), "app_id"),
        ("quote", json!({ "app_id": app, "workflow": {} }), "workflow"),
        ("search_apps", json!({ "makes": "cakes" }), "makes"),
        ("search_apps", json!({ "limit": 21 }), "limit"),
        ("search_apps", json!({ "more": 1 }), "more"),
        ("list_jobs", json!({ "status": "Done" }), "status"),
        ("list_jobs", json!({ "since": "yesterday" }), "since"),
        ("list_jobs", json!({ "cursor": "x" }), "cursor"),
        ("upload_input", json!({}), "data"),
        ("upload_input", json!({ "data": "*" }), "data"),
        ("upload_input", json!({ "hash": "x" }), "hash"),
        ("upload_input", json!({ "output_id": NO_JOB }), "output_id"),
        ("get_account", json!({ "more": 1 }), "more"),
    ] {
        let (_, fields) = ann.refused(tool, arguments.clone()).await;
        assert_eq!(fields[0]["field"], field, "{tool} {arguments}: {fields}");
    }
    let (_, fields) = ann.refused("run_many", json!({ "app_id": app, "max_credits": 1, "runs": [{}, {}] })).await;
    assert_eq!((&fields[0]["given"], &fields[0]["allowed"]["minimum"]), (&json!(1), &json!(2)), "a credit each");
    let many = ann.result("run_many", json!({ "app_id": NO_JOB, "max_credits": 50, "runs": [{}] })).await;
    let fault = &many["structuredContent"]["runs"][0]["error"]["fields"][0];
    assert_eq!((&fault["field"], &fault["given"]), (&json!("app_id"), &json!(NO_JOB)), "{many}");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn uploaded_picture_is_the_input_of_a_workflow() {
    let site = Site::start().await;
    let (ann, bob) = (Client::new(&site).await, Client::new(&site).await);
    let (worker, _folder) = with_worker(&site).await;
    let bytes = png(12);
    let upload = ann.call("upload_input", json!({ "name": "a.png", "data": BASE64_STANDARD.encode(&bytes) })).await;
    assert_eq!((&upload["kind"], &upload["name"]), (&json!("Image"), &json!("a.png")), "{upload}");
    let hash = json!({ "hash": Blake3Hash::of(&bytes).to_string() });
    assert_eq!(ann.call("upload_input", hash.clone()).await["asset_id"], upload["asset_id"]);
    assert_eq!(bob.refused("upload_input", hash).await.0, "NOT_FOUND", "another account's bytes");
    let load = json!({
        "1": { "class_type": "LoadImage", "inputs": { "image": upload["workflow_value"] } },
        "2": { "class_type": "SaveImage", "inputs": { "images": ["1", 0], "filename_prefix": "loaded" } },
    });
    let run = json!({ "workflow": load, "max_credits": 500, "wait_s": 50 });
    assert_eq!(bob.refused("submit_workflow", run.clone()).await.0, "INVALID_PROMPT", "another account's file");
    let made = ann.call("submit_workflow", run).await;
    assert_eq!(made["status"], "succeeded", "{made}");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}
