//! Changes and deletions by id and by filter.

use reqwest::Method;
use serde_json::{Value, json};

use super::town;
use crate::site::{error, text};

#[actix_web::test]
async fn mini_app_is_changed_by_id_and_by_filter() {
    let town = town().await;
    let (site, owner, other) = (&town.site, town.person("owner"), town.person("other"));
    let (_running, _folder) = crate::jobs::with_idle_worker(site).await;
    let outputs = |name: &str| json!({ "2": { "id": "2", "order": 1, "name": name } });
    let body = json!({
        "workflow": town.workflows[0],
        "inputs": { "1.color": {
            "order": 1, "id": "1", "name": "color", "nodeName": "EmptyImage", "adapter": { "apiFieldName": "color" },
        } },
        "outputs": outputs("Picture"),
    });
    let made = site.send(owner, Method::POST, "/api/general/workflow-api", &body).await;
    let made: Value = made.json().await.expect("an app");
    let id = text(&made, "_id");
    assert_eq!(text(&made, "id"), id);
    let listed: Value = site.get(owner, "/api/general/workflow-api").await.json().await.expect("a list");
    assert_eq!(listed["items"][0]["id"], listed["items"][0]["_id"]);

    let path = format!("/api/general/workflow-api/{id}");
    let changed = site.send(owner, Method::PATCH, &path, &json!({ "outputs": outputs("Square") })).await;
    assert_eq!(changed.status(), 200);
    let changed: Value = changed.json().await.expect("an app");
    assert_eq!((text(&changed, "_id"), &changed["outputs"]["2"]["name"]), (id.clone(), &json!("Square")));
    assert!(changed["inputs"]["1.color"].is_object(), "what was left out stays: {changed}");
    let named = format!("/api/general/workflow-api?filter={{\"_id\":\"{id}\"}}");
    let changed = site.send(owner, Method::PATCH, &named, &json!({ "outputs": outputs("Blue") })).await;
    let changed: Value = changed.json().await.expect("an app");
    assert_eq!(changed["outputs"]["2"]["name"], "Blue");
    for (body, status) in [(json!({ "workflow": town.workflows[1] }), 400), (json!({ "inputs": {} }), 422)] {
        assert_eq!(site.send(owner, Method::PATCH, &path, &body).await.status(), status, "{body}");
    }
    assert_eq!(site.send(other, Method::PATCH, &path, &json!({ "outputs": outputs("Mine") })).await.status(), 403);

    let gone: Value = site.send(other, Method::DELETE, &named, &json!({})).await.json().await.expect("a count");
    assert_eq!(gone["deletedCount"], 0, "it is not theirs");
    let gone: Value = site.send(owner, Method::DELETE, &named, &json!({})).await.json().await.expect("a count");
    assert_eq!(gone["deletedCount"], 1);
    assert_eq!(site.get(owner, &path).await.status(), 404);
    town.site.finish().await;
}

#[actix_web::test]
async fn bulk_tag_changes_are_atomic() {
    let town = town().await;
    let (site, admin) = (&town.site, town.person("admin"));
    let mut ids = Vec::new();
    for name in ["Root", "One", "Two"] {
        let body = json!({ "name": name, "nameKo": name });
        let made = site.send(admin, Method::POST, "/api/general/workflow-tag", &body).await;
        ids.push(text(&made.json().await.expect("a tag"), "_id"));
    }
    let of = |ids: &[String]| format!("/api/general/workflow-tag?filter={{\"_id\":{{\"$in\":{}}}}}", json!(ids));
    let below = json!({ "parentTag": ids[0] });
    let moved = site.send(admin, Method::PATCH, &of(&ids[1..]), &below).await;
    assert_eq!(moved.status(), 200);
    let moved: Value = moved.json().await.expect("tags");
    assert!(moved["items"].as_array().is_some_and(|items| items.len() == 2), "{moved}");
    let (status, code, _) =
        error(site.send(admin, Method::PATCH, &of(&ids[1..]), &json!({ "name": "Same" })).await).await;
    assert_eq!((status, code.as_str()), (409, "TAG_NAME_TAKEN"));
    let one: Value =
        site.get(admin, &format!("/api/general/workflow-tag/{}", ids[1])).await.json().await.expect("a tag");
    assert_eq!(one["name"], "One", "the others were changed all the same");

    let with_parent = [ids[1].clone(), ids[0].clone()];
    assert_eq!(site.send(admin, Method::DELETE, &of(&with_parent), &json!({})).await.status(), 422, "it has a child");
    let all = [ids[1].clone(), ids[2].clone(), ids[0].clone(), ids[1].clone()];
    let gone: Value = site.send(admin, Method::DELETE, &of(&all), &json!({})).await.json().await.expect("a count");
    assert_eq!(gone["deletedCount"], 3);
    town.site.finish().await;
}

#[actix_web::test]
async fn users_change_only_their_own_account() {
    let town = town().await;
    let (site, owner, admin) = (&town.site, town.person("owner"), town.person("admin"));
    let path = format!("/api/general/user/{}", town.owner);
    let changed = site.send(owner, Method::PATCH, &path, &json!({ "name": "Anna", "language": "ko" })).await;
    assert_eq!(changed.status(), 200);
    let me: Value = changed.json().await.expect("a person");
    assert_eq!((text(&me, "name").as_str(), text(&me, "language").as_str()), ("Anna", "ko"));
    let named = format!("/api/general/user?filter={{\"_id\":\"{}\"}}", town.owner);
    let me: Value =
        site.send(owner, Method::PATCH, &named, &json!({ "profile": null })).await.json().await.expect("a person");
    assert_eq!(text(&me, "name"), "Anna");
    let missing = "01970000-0000-7000-8000-000000000001";
    for (body, status) in [
        (json!({ "roles": ["Admin"] }), 400),
        (json!({ "plan": "Pro" }), 400),
        (json!({ "name": "x" }), 400),
        (json!({ "name": "Berta", "profile": missing }), 404),
    ] {
        assert_eq!(site.send(owner, Method::PATCH, &path, &body).await.status(), status, "{body}");
    }
    let me: Value = site.get(owner, "/api/auth").await.json().await.expect("a person");
    assert_eq!(text(&me, "name"), "Anna", "a refused change was made in part");
    for address in [&path, &named] {
        assert_eq!(site.send(admin, Method::PATCH, address, &json!({ "name": "Eve" })).await.status(), 403);
    }
    town.site.finish().await;
}
