//! Apps of ComfyUI: proposed as mini apps and exported; and workflows of the editor that are sent in place of prompts.

use reqwest::Method;
use serde_json::{Value, json};

use crate::editor_prompts;
use crate::jobs::{with_idle_worker, with_worker};
use crate::site::{Browser, Site, error, text};

/// A graph with an app of two inputs. Its seed has more digits than a JavaScript number.
fn graph() -> (Value, Value) {
    let workflow = json!({
        "nodes": [
            { "id": 9, "type": "EmptyImage", "widgets_values": [16, 8, 1, 255], "inputs": [
                { "name": "color", "type": "INT", "widget": { "name": "color" }, "link": null, "label": "Colour" },
            ] },
            { "id": 1, "type": "ImageAddNoise", "widgets_values": [u64::MAX, "fixed", 0.5] },
            { "id": 2, "type": "SaveImage", "title": "The picture", "widgets_values": ["test"] },
        ],
        "links": [[1, 9, 0, 1, 0, "IMAGE"], [2, 1, 0, 2, 0, "IMAGE"]],
        "version": 0.4,
        "extra": { "linearMode": true, "linearData": {
            "inputs": [[9, "color"], [1, "strength"], [7, "gone"]],
            "outputs": [2],
        } },
    });
    let output = json!({
        "9": { "class_type": "EmptyImage", "inputs": { "width": 16, "height": 8, "batch_size": 1, "color": 255 } },
        "1": { "class_type": "ImageAddNoise", "inputs": { "image": ["9", 0], "seed": u64::MAX, "strength": 0.5 } },
        "2": {
            "class_type": "SaveImage", "inputs": { "images": ["1", 0], "filename_prefix": "test" },
            "_meta": { "title": "The picture" },
        },
    });
    (workflow, output)
}

async fn workflow(site: &Site, who: &Browser) -> String {
    let (workflow, output) = graph();
    let body = json!({ "name": "Noise", "description": "", "prompt": { "workflow": workflow, "output": output } });
    let made = site.send(who, Method::POST, "/api/general/workflow", &body).await;
    assert_eq!(made.status(), 201, "{:?}", made.text().await);
    text(&made.json().await.expect("a workflow"), "_id")
}

#[actix_web::test]
async fn app_of_a_graph_is_proposed_saved_and_exported() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_worker(&site).await;
    let id = workflow(&site, &ann).await;
    let editor: Value =
        site.get(&ann, &format!("/api/general/workflow-api/editor/{id}")).await.json().await.expect("an editor");
    let proposal = &editor["proposal"];
    let keys = |value: &Value| value.as_object().map(|all| all.keys().cloned().collect::<Vec<_>>().join(" "));
    assert_eq!(keys(&proposal["inputs"]).as_deref(), Some("9.color 1.strength"), "in the order of the app");
    assert_eq!(keys(&proposal["outputs"]).as_deref(), Some("2"));
    assert_eq!(proposal["inputs"]["9.color"]["adapter"]["name"], "Colour", "the label of the slot");
    assert_eq!(editor["dropped"], json!(["#7: gone"]), "what a mini app cannot have is named");

    let download = format!("/api/general/workflow/{id}/download");
    let name = |response: &reqwest::Response| {
        let header = response.headers().get("content-disposition").and_then(|value| value.to_str().ok());
        header.unwrap_or_default().to_owned()
    };
    let before = site.get(&ann, &download).await;
    assert!(name(&before).contains("Noise.json"), "{}", name(&before));

    let mut inputs = proposal["inputs"].clone();
    inputs["1.strength"]["adapter"]["name"] = json!("How much");
    inputs["1.strength"]["order"] = json!(1);
    inputs["9.color"]["order"] = json!(2);
    let body = json!({ "workflow": id, "inputs": inputs, "outputs": proposal["outputs"] });
    let saved = site.send(&ann, Method::POST, "/api/general/workflow-api", &body).await;
    assert_eq!(saved.status(), 201, "{:?}", saved.text().await);

    let after = site.get(&ann, &download).await;
    assert!(name(&after).contains("Noise.app.json"), "{}", name(&after));
    let text = after.text().await.expect("a file");
    assert!(text.contains("18446744073709551615"), "{text}");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(file["extra"]["linearData"], json!({ "inputs": [[1, "strength"], [9, "color"]], "outputs": [2] }));
    assert_eq!(file["nodes"][1]["inputs"][0]["label"], "How much");

    let export = format!("/api/general/workflow/{id}/export");
    let changed = json!({ "workflow": { "nodes": [{ "id": 9, "type": "EmptyImage" }], "version": 0.4 } });
    let exported: Value = site.send(&ann, Method::POST, &export, &changed).await.json().await.expect("a graph");
    assert_eq!(exported["extra"]["linearMode"], true, "an unsaved graph gets the app too: {exported}");
    assert_eq!(error(site.send(&bob, Method::POST, &export, &changed).await).await.0, 404, "another user's workflow");
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn workflow_of_the_editor_in_place_of_a_prompt_is_named_with_what_to_do() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (worker, _folder) = with_idle_worker(&site).await;
    let (workflow, _) = graph();
    let is_named = |refused: &Value| {
        let error = &refused["error"];
        assert_eq!(error["type"], "workflow_format_ui", "{refused}");
        assert!(text(error, "details").contains("Export (API)"), "{refused}");
    };
    for body in [json!({ "prompt": workflow }), json!({ "prompt": workflow, "strict": true }), workflow.clone()] {
        let answer = site.send(&ann, Method::POST, "/api/general/job/prompt", &body).await;
        let (status, code, refused) = error(answer).await;
        assert_eq!((status, code.as_str()), (422, "INVALID_PROMPT"));
        is_named(&refused["details"]);
    }
    for body in [json!({ "prompt": workflow, "client_id": "a" }), workflow.clone()] {
        let (status, refused) = editor_prompts::post(&site, &ann, "/prompt", &body).await;
        assert_eq!(status, 400);
        is_named(&refused);
    }
    let line = json!({ "key": "one", "prompt": workflow }).to_string();
    let request = ann.sign(site.ask(Method::POST, "/api/general/job/batch"));
    let answer = request.header("content-type", "application/x-ndjson").body(line).send().await.expect("an answer");
    let lines = answer.text().await.expect("lines");
    let refused: Value = serde_json::from_str(lines.lines().nth(1).unwrap_or_default()).expect("an item");
    assert_eq!(refused["error"]["code"], "INVALID_PROMPT", "{lines}");
    is_named(&refused["error"]["details"]);
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}
