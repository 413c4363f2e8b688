//! ComfyUI's calls about prompts: submit, queue, history and jobs, as ComfyUI's and Comfy Cloud's clients make them.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::jobs::{prompt, with_idle_worker, with_worker};
use crate::site::{Browser, Site, error, text};

pub const API: &str = "/comfyui-editor/api";

async fn ask(site: &Site, who: &Browser, method: Method, path: &str, body: &Value) -> (u16, Value) {
    // As the front end sends JSON.
    let request = who.sign(site.ask(method, &format!("{API}{path}")));
    let request = if body.is_null() {
        request
    } else {
        request.header("content-type", "text/plain;charset=UTF-8").body(body.to_string())
    };
    let response = request.send().await.expect("an answer");
    let status = response.status().as_u16();
    let body = response.text().await.expect("a body");
    (status, serde_json::from_str(&body).unwrap_or(Value::Null))
}

pub async fn get(site: &Site, who: &Browser, path: &str) -> (u16, Value) {
    ask(site, who, Method::GET, path, &Value::Null).await
}

pub async fn post(site: &Site, who: &Browser, path: &str, body: &Value) -> (u16, Value) {
    ask(site, who, Method::POST, path, body).await
}

pub async fn submit(site: &Site, who: &Browser, body: &Value) -> String {
    let (status, accepted) = post(site, who, "/prompt", body).await;
    assert_eq!(status, 200, "{accepted}");
    text(&accepted, "prompt_id")
}

/// Waits until a prompt is in the history, and returns its entry.
pub async fn entry_of(site: &Site, who: &Browser, id: &str) -> Value {
    let ended = async {
        loop {
            let (status, history) = get(site, who, &format!("/history/{id}")).await;
            assert_eq!(status, 200, "{history}");
            if let Some(entry) = history.get(id) {
                return entry.clone();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), ended).await.expect("the prompt ends")
}

#[actix_web::test]
async fn prompt_runs_and_its_history_has_the_shape_of_comfyui() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_worker(&site).await;
    let mut body = prompt(255);
    body["client_id"] = json!("client-a");
    body["extra_data"] = json!({
        "extra_pnginfo": { "workflow": { "id": "graph-1", "nodes": [], "links": [] } },
        "api_key_comfy_org": "secret-key",
    });
    let (status, accepted) = post(&site, &ann, "/prompt", &body).await;
    assert_eq!(status, 200, "{accepted}");
    assert_eq!((&accepted["node_errors"], accepted["number"].is_i64()), (&json!({}), true), "{accepted}");
    let id = text(&accepted, "prompt_id");
    let entry = entry_of(&site, &ann, &id).await;
    assert_eq!(
        (&entry["status"]["status_str"], &entry["status"]["completed"]),
        (&json!("success"), &json!(true)),
        "{entry}"
    );
    let item = &entry["prompt"];
    assert_eq!((&item[0], &item[1], &item[4]), (&accepted["number"], &json!(id), &json!(["2"])));
    assert_eq!(item[2], body["prompt"]);
    assert_eq!(item[3]["client_id"], "client-a");
    assert!(!entry.to_string().contains("secret-key"), "a key of another service is stored");

    // The file, as clients ask for it.
    let file = &entry["outputs"]["2"]["images"][0];
    let [name, folder] = ["filename", "subfolder"].map(|key| text(file, key));
    let view = format!("{API}/view?filename={name}&subfolder={folder}&type=output&rand=0.5");
    let shown = site.get(&ann, &view).await;
    assert_eq!((shown.status().as_u16(), &shown.headers()["content-type"]), (200, &"image/png".parse().unwrap()));
    let tag = shown.headers()["etag"].clone();
    let picture = image::load_from_memory(&shown.bytes().await.expect("bytes")).expect("a picture");
    assert_eq!((picture.width(), picture.height()), (16, 8));
    let again = ann.sign(site.ask(Method::GET, &view)).header("if-none-match", tag).send().await.expect("an answer");
    assert_eq!(again.status(), 304);
    let by_name = site.get(&ann, &format!("{API}/view?filename={name}")).await;
    assert_eq!(by_name.status(), 200, "clients of Comfy Cloud leave the subfolder out");
    let small = site.get(&ann, &format!("{view}&preview=webp;90")).await;
    assert_eq!(&small.headers()["content-type"], "image/webp");

    // The jobs API.
    let (_, listed) = get(&site, &ann, "/jobs?status=completed,failed,cancelled&limit=64&offset=0").await;
    assert_eq!(listed["pagination"], json!({ "offset": 0, "limit": 64, "total": 1, "has_more": false }));
    let job = &listed["jobs"][0];
    assert_eq!((&job["id"], &job["status"], &job["workflow_id"]), (&json!(id), &json!("completed"), &json!("graph-1")));
    assert_eq!((&job["preview_output"]["filename"], &job["outputs_count"]), (&json!(name), &json!(1)));
    let (_, detail) = get(&site, &ann, &format!("/jobs/{id}")).await;
    assert_eq!(detail["workflow"]["prompt"], body["prompt"]);
    assert_eq!(detail["workflow"]["extra_data"]["extra_pnginfo"], body["extra_data"]["extra_pnginfo"]);
    assert_eq!(detail["outputs"], entry["outputs"]);

    // Another user sees nothing of it.
    assert_eq!(get(&site, &bob, &format!("/history/{id}")).await.1, json!({}));
    assert_eq!(get(&site, &bob, "/history").await.1, json!({}));
    assert_eq!(get(&site, &bob, &format!("/jobs/{id}")).await, (404, json!({ "error": "Job not found" })));
    for path in [&view, &format!("{API}/view?filename={name}")] {
        assert_eq!(site.get(&bob, path).await.status(), 404, "{path}");
    }
    post(&site, &bob, "/history", &json!({ "delete": [id] })).await;
    post(&site, &bob, "/history", &json!({ "clear": true })).await;
    assert!(get(&site, &ann, "/history").await.1.get(&id).is_some(), "another user has cleared the history");

    // Removing it leaves the job and the file.
    assert_eq!(post(&site, &ann, "/history", &json!({ "delete": [id] })).await.0, 200);
    assert_eq!(get(&site, &ann, "/history").await.1, json!({}));
    assert_eq!(get(&site, &ann, "/jobs").await.1["jobs"], json!([]));
    assert_eq!(site.get(&ann, &format!("/api/general/job/{id}")).await.status(), 200);
    assert_eq!(site.get(&ann, &view).await.status(), 200);
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn refusals_have_the_shape_of_comfyui() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let mut bad = prompt(1);
    bad["prompt"]["1"]["inputs"]["width"] = json!(0);
    let (status, refused) = post(&site, &ann, "/prompt", &bad).await;
    assert_eq!((status, &refused["error"]["type"]), (400, &json!("prompt_outputs_failed_validation")), "{refused}");
    let node = &refused["node_errors"]["1"];
    assert_eq!((&node["class_type"], &node["dependent_outputs"]), (&json!("EmptyImage"), &json!(["2"])));
    assert_eq!(node["errors"][0]["type"], "value_smaller_than_min");
    let mut unknown = prompt(1);
    unknown["prompt"]["1"]["class_type"] = json!("NoSuchNode");
    let (status, refused) = post(&site, &ann, "/prompt", &unknown).await;
    assert_eq!((status, &refused["error"]["type"]), (400, &json!("missing_node_type")), "{refused}");
    for (body, kind) in [
        (json!({}), "no_prompt"),
        (json!({ "prompt": { "nodes": [], "links": [] } }), "workflow_format_ui"),
        (json!({ "prompt": {} }), "prompt_no_outputs"),
        (json!({ "prompt": prompt(1)["prompt"], "prompt_id": 7 }), "invalid_prompt_id"),
        (json!({ "prompt": prompt(1)["prompt"], "partial_execution_targets": [] }), "prompt_no_outputs"),
        (json!({ "prompt": prompt(1)["prompt"], "partial_execution_targets": ["77"] }), "prompt_no_outputs"),
    ] {
        let (status, refused) = post(&site, &ann, "/prompt", &body).await;
        assert_eq!((status, &refused["error"]["type"]), (400, &json!(kind)), "{refused}");
        assert!(refused["node_errors"].is_object() && refused["error"]["message"].is_string(), "{refused}");
    }
    let guest = post(&site, &Browser::default(), "/prompt", &prompt(1)).await;
    assert_eq!((guest.0, guest.1["error"]["message"].is_string()), (401, true), "{}", guest.1);
    assert_eq!(get(&site, &ann, "/prompt").await.1, json!({ "exec_info": { "queue_remaining": 0 } }));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

/// A site whose plans give no credits.
pub async fn site_without_credits() -> Site {
    Site::with(|settings| settings.plans.iter_mut().for_each(|plan| plan.monthly_credits = 0)).await
}

#[actix_web::test]
async fn missing_credits_are_told_without_the_words_of_another_billing_page() {
    let site = site_without_credits().await;
    let ann = site.person().await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let (status, refused) = post(&site, &ann, "/prompt", &prompt(1)).await;
    assert_eq!((status, &refused["error"]["type"]), (402, &json!("no_credits")), "{refused}");
    assert!(!refused.to_string().contains("Payment Required"), "{refused}");
    let (_, listed) = get(&site, &ann, "/jobs").await;
    assert_eq!(listed["jobs"], json!([]), "a refused prompt is in a list");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn client_chooses_the_id_of_its_prompt() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_idle_worker(&site).await;
    let id = "11111111-2222-4333-8444-555555555555";
    let mut body = prompt(7);
    body["prompt_id"] = json!(id);
    assert_eq!(submit(&site, &ann, &body).await, id);
    assert_eq!(submit(&site, &ann, &body).await, id, "the same prompt again is the same job");
    let (_, listed) = get(&site, &ann, "/jobs").await;
    assert_eq!((&listed["jobs"][0]["id"], listed["jobs"].as_array().map(Vec::len)), (&json!(id), Some(1)));
    let mut other = prompt(8);
    other["prompt_id"] = json!(id);
    let (status, refused) = post(&site, &ann, "/prompt", &other).await;
    assert_eq!((status, &refused["error"]["type"]), (400, &json!("invalid_prompt_id")), "{refused}");
    // The id is one user's: another may choose it too, and neither reaches the other's job.
    assert_eq!(submit(&site, &bob, &other).await, id);
    let color = async |who: &Browser| {
        let (_, job) = get(&site, who, &format!("/jobs/{id}")).await;
        job["workflow"]["prompt"]["1"]["inputs"]["color"].clone()
    };
    assert_eq!((color(&ann).await, color(&bob).await), (json!(7), json!(8)));
    post(&site, &bob, &format!("/jobs/{id}/cancel"), &Value::Null).await;
    assert_eq!(get(&site, &ann, &format!("/jobs/{id}")).await.1["status"], "pending");
    assert_eq!(get(&site, &bob, &format!("/jobs/{id}")).await.1["status"], "cancelled");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn queue_is_the_callers_own() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_idle_worker(&site).await;
    let mut own = Vec::new();
    for color in 0..4 {
        own.push(submit(&site, &ann, &prompt(color)).await);
    }
    let theirs = submit(&site, &bob, &prompt(9)).await;
    let ids = async |who: &Browser| -> Vec<String> {
        let (_, queue) = get(&site, who, "/queue").await;
        assert_eq!(queue["queue_running"], json!([]));
        queue["queue_pending"]
            .as_array()
            .expect("items")
            .iter()
            .map(|item| item[1].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(ids(&ann).await, own);
    assert_eq!(get(&site, &ann, "/prompt").await.1["exec_info"]["queue_remaining"], 4);

    // One goes first: a negative number, and the first place among the user's jobs.
    let mut first = prompt(10);
    first["front"] = json!(true);
    let (_, accepted) = post(&site, &ann, "/prompt", &first).await;
    assert!(accepted["number"].as_i64().is_some_and(|number| number < 0), "{accepted}");
    let front = text(&accepted, "prompt_id");
    let place = async |who: &Browser, id: &str| {
        let status: Value = site.get(who, &format!("/api/general/job/{id}/status")).await.json().await.unwrap();
        status["queue"]["position"].as_i64().expect("a place")
    };
    assert!(place(&ann, &front).await < place(&ann, &own[0]).await, "it waits behind an older job");
    assert!(place(&ann, &own[0]).await < place(&ann, &own[1]).await);

    for (who, change) in
        [(&bob, json!({ "delete": [own[0]] })), (&bob, json!({ "clear": true })), (&ann, json!({ "delete": [theirs] }))]
    {
        assert_eq!(post(&site, who, "/queue", &change).await.0, 200);
    }
    assert_eq!(ids(&ann).await.len(), 5, "another user took prompts out of the queue");
    assert_eq!(ids(&bob).await, Vec::<String>::new());
    post(&site, &ann, "/queue", &json!({ "delete": [own[1], "x"] })).await;
    assert!(!ids(&ann).await.contains(&own[1]));
    assert_eq!(get(&site, &ann, &format!("/history/{}", own[1])).await.1, json!({}), "it never ran");

    let (status, _) = post(&site, &bob, "/jobs/cancel", &json!({ "job_ids": [own[2]] })).await;
    assert_eq!(status, 200);
    assert!(ids(&ann).await.contains(&own[2]));
    assert_eq!(
        post(&site, &ann, "/jobs/cancel", &json!({ "job_ids": [own[2], theirs] })).await.1,
        json!({ "cancelled": true })
    );
    assert!(!ids(&ann).await.contains(&own[2]));
    let invalid = post(&site, &ann, "/jobs/cancel", &json!({ "job_ids": ["xyz", 5] })).await;
    assert_eq!(invalid.1["invalid_ids"], json!(["xyz", "5"]));
    for body in [json!({}), json!({ "prompt_id": own[3] }), Value::Null] {
        assert_eq!(post(&site, &bob, "/interrupt", &body).await.0, 200);
        assert_eq!(post(&site, &ann, "/interrupt", &body).await.0, 200, "a waiting prompt is not interrupted");
    }
    assert!(ids(&ann).await.contains(&own[3]));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn only_the_targets_are_run() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_worker(&site).await;
    let mut body = prompt(3);
    body["prompt"]["3"] =
        json!({ "class_type": "SaveImage", "inputs": { "images": ["1", 0], "filename_prefix": "other" } });
    body["partial_execution_targets"] = json!(["3"]);
    let id = submit(&site, &ann, &body).await;
    let entry = entry_of(&site, &ann, &id).await;
    let nodes: Vec<&String> = entry["outputs"].as_object().expect("outputs").keys().collect();
    assert_eq!(nodes, ["3"]);
    assert_eq!(entry["prompt"][4], json!(["3"]));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn client_of_comfy_cloud_polls_a_job_and_gets_its_file_by_a_signed_address() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_worker(&site).await;
    let key: Value =
        site.send(&ann, Method::POST, "/api/general/api-key", &json!({ "name": "cloud" })).await.json().await.unwrap();
    let key = text(&key, "key");
    let ask = |method: Method, path: &str| site.ask(method, &format!("{API}{path}")).header("X-API-Key", &key);
    let accepted: Value = ask(Method::POST, "/prompt").json(&prompt(5)).send().await.unwrap().json().await.unwrap();
    let id = text(&accepted, "prompt_id");
    let done = async {
        loop {
            let status: Value =
                ask(Method::GET, &format!("/job/{id}/status")).send().await.unwrap().json().await.unwrap();
            if status["status"] == "success" {
                return status;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let status = tokio::time::timeout(Duration::from_secs(30), done).await.expect("the job ends");
    assert_eq!((&status["id"], &status["error_message"]), (&json!(id), &Value::Null));
    let history: Value = ask(Method::GET, &format!("/history_v2/{id}")).send().await.unwrap().json().await.unwrap();
    let entry = &history[&id];
    assert_eq!((&entry["prompt"]["prompt_id"], &entry["status"]["completed"]), (&json!(id), &json!(true)), "{history}");
    let all: Value = ask(Method::GET, "/history_v2?max_items=5").send().await.unwrap().json().await.unwrap();
    assert_eq!(all["history"][0]["prompt_id"], json!(id));
    let unknown = ask(Method::GET, "/history_v2/01970000-0000-7000-8000-00000000dead").send().await.unwrap();
    assert_eq!(unknown.status(), 404);

    let name = text(&entry["outputs"]["2"]["images"][0], "filename");
    let found = ask(Method::GET, &format!("/view?filename={name}")).send().await.unwrap();
    assert_eq!(found.status(), 302);
    let address = found.headers()["location"].to_str().unwrap().to_owned();
    let path = address.find("/media/").map(|at| address[at..].to_owned()).expect("an address of a file");
    let file = site.ask(Method::GET, &path).send().await.unwrap();
    assert_eq!((file.status().as_u16(), &file.headers()["access-control-allow-origin"]), (200, &"*".parse().unwrap()));
    assert!(image::load_from_memory(&file.bytes().await.unwrap()).is_ok());
    for wrong in [
        path.replace("expires=", "expires=9"),
        path.replace("signature=", "signature=A"),
        path.replace("name=", "name=x"),
    ] {
        assert_eq!(site.ask(Method::GET, &wrong).send().await.unwrap().status(), 404, "{wrong}");
    }
    site.core.clock.advance(chrono::TimeDelta::hours(2));
    assert_eq!(site.ask(Method::GET, &path).send().await.unwrap().status(), 404, "the address never expires");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn page_of_a_job_shows_one_that_no_client_sent() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_idle_worker(&site).await;
    let accepted: Value = crate::jobs::submit(&site, &ann, &prompt(4), "one").await.json().await.unwrap();
    let id = text(&accepted, "_id");
    let (status, job) = get(&site, &ann, &format!("/jobs/{id}")).await;
    assert_eq!((status, &job["workflow"]["prompt"]), (200, &prompt(4)["prompt"]));
    assert_eq!(get(&site, &bob, &format!("/jobs/{id}")).await.0, 404);
    assert_eq!(get(&site, &ann, "/queue").await.1["queue_pending"], json!([]), "it is no prompt of a client");
    let (status, code, _) = error(site.get(&bob, &format!("{API}/job/{id}/status")).await).await;
    assert_eq!((status, code.as_str()), (404, "NOT_FOUND"));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}
