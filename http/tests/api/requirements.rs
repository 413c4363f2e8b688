//! Node classes and models that a prompt requires and the caller's workers do not have, and requests for them.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use verdigraph_scripted::{Options, Scripted};

use crate::jobs::{prompt, with_worker};
use crate::site::{Browser, Site, error};

const CHECK: &str = "/api/general/workflow/requirements";
const REQUEST: &str = "/api/general/requirement-request";
const REQUESTED: &str = "/api/admin/requirement-request";

async fn check(site: &Site, who: &Browser, prompt: &Value) -> Value {
    let answer = site.send(who, Method::POST, CHECK, &json!({ "prompt": prompt })).await;
    assert_eq!(answer.status(), 200);
    answer.json().await.expect("JSON")
}

/// A worker of the pool "pro", which the first plan does not include, with one class of its own.
async fn pro_worker(site: &Site) -> Scripted {
    let class = json!({ "input": { "required": {} }, "output": ["IMAGE"], "output_node": true });
    let object_info = json!({ "LargeSampler": class });
    let worker = Scripted::start(Options { object_info, ..Options::default() }).expect("a worker");
    let new = json!({ "name": "pro", "url": worker.url(), "pool": "pro" });
    let added = site.send(&site.admin().await, Method::POST, "/api/admin/worker", &new).await;
    assert_eq!(added.status(), 201);
    let connected = async {
        while site.core.fleet.roster().connected_in("pro") == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), connected).await.expect("the worker is connected");
    worker
}

#[actix_web::test]
async fn missing_nodes_are_told_with_the_plans_that_have_them_and_can_be_requested() {
    let site = Site::start().await;
    let (ann, admin) = (site.person().await, site.admin().await);
    let (worker, _folder) = with_worker(&site).await;
    let pro = pro_worker(&site).await;
    let runs = prompt(1)["prompt"].clone();
    assert_eq!(check(&site, &ann, &runs).await, json!({ "missing": [], "oneWorkerMeetsAll": true }));

    let mut graph = runs;
    graph["3"] = json!({ "class_type": "LargeSampler", "inputs": {} });
    graph["4:1"] = json!({ "class_type": "Anything Everywhere", "inputs": {} });
    let missing = |name: &str, node: &str, pools: Value, is_requested: bool| {
        json!({
            "kind": "NodeClass", "folder": null, "name": name, "nodes": [node], "pools": pools,
            "isRequested": is_requested,
        })
    };
    let pools = json!([{ "name": "pro", "title": "Pro GPU", "gpu": "80 GB", "plans": ["Advanced", "Pro"] }]);
    let expected = |is_requested| {
        let first = missing("LargeSampler", "3", pools.clone(), is_requested);
        let missing = [first, missing("Anything Everywhere", "4:1", json!([]), false)];
        json!({ "missing": missing, "oneWorkerMeetsAll": false })
    };
    assert_eq!(check(&site, &ann, &graph).await, expected(false));

    let wanted = json!({ "kind": "NodeClass", "name": "LargeSampler" });
    let mut ids = Vec::new();
    for who in [&ann, &ann, &admin] {
        let made = site.send(who, Method::POST, REQUEST, &wanted).await;
        assert_eq!(made.status(), 201);
        ids.push(made.json::<Value>().await.expect("JSON")["_id"].clone());
    }
    assert_eq!(ids[0], ids[1], "a user requests a class once");
    assert_eq!(check(&site, &ann, &graph).await, expected(true));
    let listed: Value = site.get(&admin, REQUESTED).await.json().await.expect("JSON");
    let rows = listed["items"].as_array().expect("a list");
    let row = json!([rows[0]["_id"], rows[0]["name"], rows[0]["requests"], rows[0]["pools"]]);
    assert_eq!((rows.len(), row), (1, json!([ids[0], "LargeSampler", 2, ["pro"]])));
    let path = format!("{REQUESTED}/{}", ids[0].as_str().expect("an id"));
    assert_eq!(site.send(&admin, Method::DELETE, &path, &json!({})).await.status(), 204);
    assert_eq!(check(&site, &ann, &graph).await, expected(false));
    let acts: Value =
        site.get(&admin, "/api/admin/audit?action=requirement-request.close").await.json().await.expect("JSON");
    let before = json!({ "kind": "NodeClass", "folder": null, "name": "LargeSampler", "requests": 2 });
    assert_eq!(acts["items"][0]["before"], before);

    pro.kill();
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn only_names_that_can_be_missing_are_requested() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_worker(&site).await;
    for (wanted, field) in [
        (json!({ "kind": "Node", "name": "A" }), "kind"),
        (json!({ "kind": "NodeClass", "name": " " }), "name"),
        (json!({ "kind": "NodeClass", "name": "SaveImage" }), "name"),
        (json!({ "kind": "NodeClass", "folder": "loras", "name": "A" }), "folder"),
        (json!({ "kind": "Model", "folder": "../loras", "name": "a.safetensors" }), "folder"),
    ] {
        let (status, _, body) = error(site.send(&ann, Method::POST, REQUEST, &wanted).await).await;
        assert_eq!((status, &body["details"][0]["field"]), (400, &json!(field)), "{wanted}: {body}");
    }
    let (status, code, _) = error(site.send(&ann, Method::POST, CHECK, &json!({ "prompt": { "1": 2 } })).await).await;
    assert_eq!((status, code.as_str()), (422, "INVALID_PROMPT"));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}
