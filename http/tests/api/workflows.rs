//! Workflows: who may see and change one.

use reqwest::Method;
use serde_json::{Value, json};

use crate::posts::{TAG, picture};
use crate::site::{Browser, Site, error, text};

pub async fn workflow(site: &Site, who: &Browser) -> String {
    let prompt = json!({ "1": { "class_type": "EmptyImage", "inputs": { "width": 8, "height": 8, "batch_size": 1, "color": 0 } } });
    let body =
        json!({ "name": "Plain", "description": "<p>x<script>alert(1)</script></p>", "prompt": { "output": prompt } });
    let made = site.send(who, Method::POST, "/api/general/workflow", &body).await;
    assert_eq!(made.status(), 201, "{:?}", made.text().await);
    let made: Value = made.json().await.unwrap();
    assert_eq!((made["isPrivate"].as_bool(), text(&made, "description").contains("script")), (Some(true), false));
    text(&made, "_id")
}

#[actix_web::test]
async fn only_owner_and_admins_see_and_change_a_private_workflow() {
    let site = Site::start().await;
    let (ann, bob, admin) = (site.person().await, site.person().await, site.admin().await);
    let id = workflow(&site, &ann).await;
    let path = format!("/api/general/workflow/{id}");
    for (who, status) in [(&ann, 200), (&admin, 200), (&bob, 404)] {
        assert_eq!(site.get(who, &path).await.status(), status);
        assert_eq!(site.send(who, Method::PATCH, &path, &json!({ "name": "New" })).await.status(), status);
    }
    assert_eq!(site.get(&Browser::default(), &path.replace("general", "public")).await.status(), 404);

    let show = json!({ "isPrivate": false, "thumbnails": [picture(&site, &ann, 1).await], "workflowTags": [TAG] });
    assert_eq!(site.send(&ann, Method::PATCH, &path, &show).await.status(), 200);
    assert_eq!(site.get(&Browser::default(), &path.replace("general", "public")).await.status(), 200);
    let hide = json!({ "isPrivate": true });
    assert_eq!(error(site.send(&bob, Method::PATCH, &path, &hide).await).await.0, 403);
    assert_eq!(site.send(&bob, Method::DELETE, &path, &json!({})).await.status(), 403);
    assert_eq!(site.send(&ann, Method::DELETE, &path, &json!({})).await.status(), 204);
    assert_eq!(site.get(&ann, &path).await.status(), 404);
    site.finish().await;
}

#[actix_web::test]
async fn graph_is_returned_unchanged() {
    let site = Site::start().await;
    let ann = site.person().await;
    let id = workflow(&site, &ann).await;
    let got: Value =
        site.get(&ann, &format!("/api/general/workflow/{id}?select=prompt%20name")).await.json().await.unwrap();
    let prompt: Value = serde_json::from_str(got["prompt"].as_str().unwrap()).unwrap();
    assert_eq!(prompt["output"]["1"]["class_type"], "EmptyImage");
    assert_eq!(prompt["workflow"], Value::Null);
    site.finish().await;
}

#[actix_web::test]
async fn translations_are_used_in_views_previews_and_search() {
    let site = Site::start().await;
    let ann = site.person().await;
    let empty =
        json!({ "class_type": "EmptyImage", "inputs": { "width": 8, "height": 8, "batch_size": 1, "color": 0 } });
    let korean = json!({ "name": "주름진 비단", "description": "<p>주름<script>alert(1)</script></p>" });
    let body = json!({
        "name": "Folded Silk", "description": "<p>folds</p>", "translations": { "ko": korean },
        "prompt": { "output": { "1": empty } }, "isPrivate": false,
        "thumbnails": [picture(&site, &ann, 7).await], "workflowTags": [TAG],
    });
    let made = site.send(&ann, Method::POST, "/api/general/workflow", &body).await;
    assert_eq!(made.status(), 201);
    let id = text(&made.json::<Value>().await.unwrap(), "_id");
    let path = format!("/api/general/workflow/{id}");
    let cleaned = json!({ "ko": { "name": "주름진 비단", "description": "<p>주름</p>" } });
    let guest = Browser::default();
    let seen: Value = site.get(&guest, &path.replace("general", "public")).await.json().await.unwrap();
    assert_eq!((&seen["translations"], text(&seen, "name")), (&cleaned, "Folded Silk".to_owned()));
    let found: Value = site.get(&guest, "/api/public/search?q=%EB%B9%84%EB%8B%A8").await.json().await.unwrap();
    assert_eq!(found["workflows"][0]["translations"], cleaned, "{found}");

    let address = format!("{}/workflows/{id}", site.core.settings.public_url());
    for (language, title) in [("ko", "주름진 비단"), ("en", "Folded Silk")] {
        let path = format!("/api/public/oembed?url={address}&lang={language}");
        let preview: Value = site.get(&guest, &path).await.json().await.unwrap();
        assert_eq!(text(&preview, "title"), title);
    }

    for (wrong, field) in [
        (json!({ "fr": { "name": "Soie" } }), "translations"),
        (json!({ "ko": { "title": "비단" } }), "translations.ko"),
        (json!({ "ko": { "name": "" } }), "translations.ko.name"),
    ] {
        let sent = site.send(&ann, Method::PATCH, &path, &json!({ "translations": wrong })).await;
        let (status, code, body) = error(sent).await;
        assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"), "{body}");
        assert!(body["details"][0]["field"].as_str().unwrap().starts_with(field), "{body}");
    }
    let none: Value = site.send(&ann, Method::PATCH, &path, &json!({ "translations": {} })).await.json().await.unwrap();
    assert_eq!(none.get("translations"), None, "{none}");
    site.finish().await;
}

#[actix_web::test]
async fn versions_and_drafts_keep_graphs_as_sent() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let id = workflow(&site, &ann).await;
    let path = format!("/api/general/workflow/{id}");
    let drawn = r#"{"nodes":[{"id":1,"widgets_values":[18446744073709551615,7.50]}],"links":[],"a":1}"#;

    let draft = format!(r#"{{"name":"Plain","workflow":{drawn},"baseVersion":1,"page":"one"}}"#);
    let put = |page: &str| {
        let request = ann.sign(site.ask(Method::PUT, &format!("{path}/draft")));
        request.header("content-type", "application/json").body(draft.replace("one", page)).send()
    };
    let saved = put("one").await.unwrap();
    assert_eq!(saved.status(), 200);
    let revision = text(&saved.json::<Value>().await.unwrap(), "revision");
    let (status, code, _) = error(put("two").await.unwrap()).await;
    assert_eq!((status, code.as_str()), (409, "DRAFT_CHANGED"), "another page replaced a draft that it does not know");
    let got: Value = site.get(&ann, &format!("{path}/draft")).await.json().await.unwrap();
    assert_eq!(got["draft"]["workflow"], drawn, "the graph lost digits or order");
    assert_eq!((text(&got["draft"], "revision"), got["draft"]["baseVersion"].as_i64()), (revision, Some(1)));
    let none: Value = site.get(&ann, "/api/general/workflow/draft").await.json().await.unwrap();
    assert_eq!(none["draft"], Value::Null);

    let save = |base: i32| {
        let request = ann.sign(site.ask(Method::PATCH, &path)).header("content-type", "application/json");
        request.body(format!(r#"{{"prompt":{{"workflow":{drawn}}},"baseVersion":{base}}}"#)).send()
    };
    let saved: Value = save(1).await.unwrap().json().await.unwrap();
    assert_eq!(saved["version"], 2);
    let got: Value = site.get(&ann, &format!("{path}/draft")).await.json().await.unwrap();
    assert_eq!(got["draft"], Value::Null, "a saved draft is offered again");
    let (status, code, _) = error(save(1).await.unwrap()).await;
    assert_eq!((status, code.as_str()), (409, "WORKFLOW_CHANGED"));

    let listed: Value = site.get(&ann, &format!("{path}/version?limit=1")).await.json().await.unwrap();
    assert_eq!((&listed["items"][0]["version"], &listed["nextCursor"]), (&json!(2), &json!("2")));
    let one: Value = site.get(&ann, &format!("{path}/version/2")).await.json().await.unwrap();
    assert_eq!(one["prompt"], format!(r#"{{"workflow":{drawn},"output":null}}"#));
    assert_eq!(site.get(&bob, &format!("{path}/version")).await.status(), 404);
    let restore = format!("{path}/version/1/restore");
    let restored = site.send(&ann, Method::POST, &restore, &json!({ "baseVersion": 2 })).await;
    assert_eq!(restored.json::<Value>().await.unwrap()["version"], 3);
    site.finish().await;
}
