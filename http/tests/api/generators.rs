//! Generators and simple apps, with the real built-in worker.

use reqwest::Method;
use serde_json::{Value, json};
use verdigraph_core::generators;

use crate::jobs::{ended, with_worker};
use crate::posts;
use crate::site::{Browser, Site, error, text};

async fn simple_app(site: &Site, address: &str) -> Value {
    site.get(&Browser::default(), &format!("/api/public/simple-app/{address}")).await.json().await.expect("an app")
}

/// Runs a mini app and returns the outputs of its first node.
async fn run(site: &Site, who: &Browser, app: &str, form: &Value) -> Value {
    let path = format!("/api/general/job/workflow-api/{app}");
    let sent = site.send(who, Method::POST, &path, form).await;
    assert_eq!(sent.status(), 201, "{:?}", sent.text().await);
    let job = ended(site, who, &text(&sent.json().await.expect("a job"), "_id")).await;
    assert_eq!(job["status"], "Done", "{job}");
    job["promptResult"].as_object().expect("outputs").values().next().expect("a node").clone()
}

#[actix_web::test]
async fn simple_apps_of_the_built_in_worker_run() {
    let site = Site::start().await;
    let ann = site.person().await;
    let unknown = site.get(&Browser::default(), "/api/public/simple-app/nothing").await;
    assert_eq!(error(unknown).await.0, 404);
    let before = simple_app(&site, "background-remover").await;
    assert_eq!((&before["state"], &before["workflowApi"]), (&json!("Unbound"), &Value::Null));

    let (worker, _folder) = with_worker(&site).await;
    assert!(generators::refresh(&site.core).await.expect("a round") >= 2);
    let all: Value = site.get(&ann, "/api/public/simple-app").await.json().await.expect("a list");
    let states: Vec<&str> =
        all["items"].as_array().expect("apps").iter().map(|app| app["state"].as_str().expect("a state")).collect();
    assert_eq!(states, ["Ready", "Unbound", "Ready"]);
    assert_eq!(all["items"][1]["missing"], json!(["ReActorFaceSwap"]));

    let picture = posts::picture(&site, &ann, 9).await;
    let remover = simple_app(&site, "background-remover").await;
    assert_eq!(remover["nameKo"], "배경 제거");
    let cut = run(&site, &ann, &text(&remover, "workflowApi"), &json!({ "image": picture })).await;
    let url = text(&cut["images"][0], "url");
    let bytes = site.get(&ann, &url).await.bytes().await.expect("a picture");
    assert!(image::load_from_memory(&bytes).expect("a PNG").color().has_alpha());

    let describer = simple_app(&site, "image-to-prompt").await;
    let said = run(&site, &ann, &text(&describer, "workflowApi"), &json!({ "image": picture })).await;
    assert!(said["text"][0].as_str().is_some_and(|words| words.contains("square")), "{said}");

    let found: Value = site
        .get(&ann, "/api/public/mini-app/suggest?text=remove%20the%20background%20from%20my%20photo")
        .await
        .json()
        .await
        .expect("suggestions");
    assert_eq!(found["task"], "RemoveBackground");
    assert_eq!(found["generators"][0]["workflowApi"], remover["workflowApi"]);
    let drawing: Value =
        site.get(&ann, "/api/public/mini-app/suggest?text=a%20fox").await.json().await.expect("suggestions");
    assert_eq!((&drawing["task"], &drawing["generators"]), (&json!("TextToImage"), &json!([])));
    let live: Value = site.get(&ann, "/api/public/generator").await.json().await.expect("a list");
    assert!(live["items"].as_array().expect("generators").iter().all(|item| item["app"]["kind"] == "generator"));
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn sentence_on_the_page_of_a_kind_asks_for_that_kind() {
    let site = Site::start().await;
    let guest = Browser::default();
    let ask = async |query: &str| site.get(&guest, &format!("/api/public/mini-app/suggest?text=a%20fox{query}")).await;
    for (query, task) in [("", "TextToImage"), ("&makes=image", "TextToImage"), ("&makes=video", "TextToVideo")] {
        let asked: Value = ask(query).await.json().await.expect("suggestions");
        assert_eq!(asked["task"], task, "{query}");
    }
    assert_eq!(error(ask("&makes=nothing").await).await.0, 400);
    site.finish().await;
}

#[actix_web::test]
async fn admin_binds_an_app_to_a_simple_app_and_takes_it_away() {
    let site = Site::start().await;
    let admin = site.admin().await;
    let (worker, _folder) = with_worker(&site).await;
    generators::refresh(&site.core).await.expect("a round");
    let remover = simple_app(&site, "background-remover").await;
    let bound = async || -> Value {
        let all: Value = site.get(&admin, "/api/admin/simple-app").await.json().await.expect("a list");
        all["items"][1]["workflowApi"].clone()
    };
    let binding = "/api/admin/simple-app/face-swap";
    let app = json!({ "workflowApi": remover["workflowApi"] });
    assert_eq!(site.send(&admin, Method::PUT, binding, &app).await.status(), 204);
    assert_eq!(bound().await, remover["workflowApi"]);
    let swap = simple_app(&site, "face-swap").await;
    assert_eq!((&swap["state"], &swap["workflowApi"]), (&json!("Ready"), &remover["workflowApi"]));
    assert_eq!(site.send(&admin, Method::DELETE, binding, &json!({})).await.status(), 204);
    assert_eq!(bound().await, Value::Null);
    assert_eq!(simple_app(&site, "face-swap").await["state"], "Unbound");
    let unknown = site.send(&admin, Method::PUT, "/api/admin/simple-app/nothing", &app).await;
    assert_eq!(error(unknown).await.0, 404);
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn kind_follows_from_the_workflow_or_an_admins_mark() {
    let site = Site::start().await;
    let (ann, admin) = (site.person().await, site.admin().await);
    let post = posts::post(&site, &ann, "Boats").await;
    let path = format!("/api/general/workflow/{post}");
    let kind = async || -> Value {
        let found: Value = site.get(&ann, &path).await.json().await.expect("a workflow");
        found["kind"].clone()
    };
    assert_eq!(kind().await, "comfy");
    let mark = async |who: &Browser, kind: Value| site.send(who, Method::PATCH, &path, &json!({ "kind": kind })).await;
    assert_eq!(error(mark(&ann, json!("generator")).await).await.0, 403);
    for refused in ["easyapp", "comfy", "workflow-api", "nothing"] {
        assert_eq!(error(mark(&admin, json!(refused)).await).await.0, 400, "{refused}");
    }
    assert_eq!(mark(&admin, json!("figma")).await.status(), 200);
    assert_eq!(kind().await, "figma");
    assert_eq!(mark(&admin, Value::Null).await.status(), 200);
    assert_eq!(kind().await, "comfy");
    site.finish().await;
}
