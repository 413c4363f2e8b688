//! Mini apps: the editor's proposal, the preview, and saving.

use reqwest::Method;
use serde_json::{Value, json};

use crate::jobs::with_worker;
use crate::site::{Browser, Site, error, text};

/// A private workflow that adds noise of a seed to an empty picture, and previews and saves it.
pub async fn noisy(site: &Site, who: &Browser) -> String {
    let size = json!({ "width": 16, "height": 8, "batch_size": 1, "color": 255 });
    let graph = json!({
        "9": { "class_type": "EmptyImage", "inputs": size },
        "1": { "class_type": "ImageAddNoise", "inputs": { "image": ["9", 0], "seed": 7, "strength": 0.5 } },
        "2": { "class_type": "SaveImage", "inputs": { "images": ["1", 0], "filename_prefix": "test" } },
        "3": { "class_type": "PreviewImage", "inputs": { "images": ["1", 0] } },
    });
    let body = json!({ "name": "Noisy", "description": "", "prompt": { "output": graph } });
    let made = site.send(who, Method::POST, "/api/general/workflow", &body).await;
    assert_eq!(made.status(), 201, "{:?}", made.text().await);
    text(&made.json().await.expect("a workflow"), "_id")
}

#[actix_web::test]
async fn editor_proposal_can_be_previewed_and_saved() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let (worker, _folder) = with_worker(&site).await;
    let workflow = noisy(&site, &ann).await;
    let path = format!("/api/general/workflow-api/editor/{workflow}");
    assert_eq!(error(site.get(&bob, &path).await).await.0, 404, "another user's graph");
    let editor = async || -> Value { site.get(&ann, &path).await.json().await.expect("an editor") };

    let begun = editor().await;
    let nodes: Vec<_> = begun["nodes"].as_array().expect("nodes").iter().map(|node| text(node, "id")).collect();
    assert_eq!(
        (nodes.join(" ").as_str(), &begun["saved"], &begun["hasPrompt"]),
        ("1 2 3 9", &Value::Null, &json!(true))
    );
    let noise = &begun["nodes"][0]["inputs"]["required"];
    assert_eq!(noise["seed"]["kind"], "required", "{noise}");
    assert_eq!(noise.get("image"), None, "what another node gives cannot be chosen");

    let proposal = &begun["proposal"];
    let keys = |value: &Value| value.as_object().map(|all| all.keys().cloned().collect::<Vec<_>>().join(" "));
    assert_eq!(keys(&proposal["inputs"]).as_deref(), Some("9.width 9.height 9.batch_size 1.seed"), "{proposal}");
    assert_eq!(keys(&proposal["outputs"]).as_deref(), Some("2"), "what is saved, and not what is only shown");
    let body = json!({ "workflow": workflow, "inputs": proposal["inputs"], "outputs": proposal["outputs"] });

    let preview = "/api/general/workflow-api/preview";
    assert_eq!(error(site.send(&bob, Method::POST, preview, &body).await).await.0, 404);
    let tried: Value = site.send(&ann, Method::POST, preview, &body).await.json().await.expect("a form");
    assert_eq!(tried["health"]["ok"], true, "{tried}");
    assert_eq!(editor().await["saved"], Value::Null, "a preview writes nothing");

    let mut broken = body.clone();
    broken["inputs"]["1.seed"]["nodeName"] = json!("AnotherClass");
    let tried_broken: Value = site.send(&ann, Method::POST, preview, &broken).await.json().await.expect("a form");
    assert_eq!(tried_broken["health"]["ok"], false);
    assert_eq!(keys(&tried_broken["rjsf"]["schema"]["properties"]).expect("fields").split(' ').count(), 3);

    let made = site.send(&ann, Method::POST, "/api/general/workflow-api", &body).await;
    assert_eq!(made.status(), 201, "{:?}", made.text().await);
    let saved: Value = made.json().await.expect("an app");
    assert_eq!(saved["rjsf"], tried["rjsf"], "the form that was tried is the one that people see");
    assert_eq!(editor().await["saved"]["_id"], saved["_id"]);
    worker.stop().await.expect("the worker stops");
    site.finish().await;
}
