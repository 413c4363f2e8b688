//! Mini apps, which are visible with their workflows.

use reqwest::Method;
use serde_json::{Value, json};

use super::{prefix, town};
use crate::site::text;

#[actix_web::test]
async fn mini_apps_are_visible_with_their_workflows() {
    let town = town().await;
    let owner = town.person("owner");
    let (_running, _folder) = crate::jobs::with_idle_worker(&town.site).await;
    let user = town.owner;
    let mut apps = Vec::new();
    for workflow in &town.workflows {
        let body = json!({
            "workflow": workflow,
            "inputs": { "1.color": {
                "order": 1, "id": "1", "name": "color", "nodeName": "EmptyImage", "adapter": { "apiFieldName": "color" },
            } },
            "outputs": { "2": { "id": "2", "order": 1, "name": "Picture" } },
        });
        let made = town.site.send(owner, Method::POST, "/api/general/workflow-api", &body).await;
        assert_eq!(made.status(), 201);
        apps.push(text(&made.json().await.expect("an app"), "_id"));
    }
    let both = format!(r#"{{"_id":{{"$in":{}}}}}"#, json!(apps));
    let below = format!(r#"{{"workflow":{{"$in":{}}}}}"#, json!(town.workflows));
    let of_owner = format!(r#"{{"user":"{user}"}}"#);
    let (none, login) = (Ok(0), Err(401));
    for (filter, expected) in [
        ("{}", [Ok(1), Ok(1), Ok(1), Ok(2)]),
        (both.as_str(), [Ok(1), Ok(1), Ok(2), Ok(2)]),
        (below.as_str(), [Ok(1), Ok(1), Ok(2), Ok(2)]),
        (of_owner.as_str(), [Ok(1), Ok(1), Ok(2), Ok(2)]),
        (r#"{"isPrivate":true}"#, [login, none, Ok(1), Ok(1)]),
        (r#"{"isNsfw":true}"#, [none, none, none, none]),
        (r#"{"createdAt":{"$lt":"1970-01-01T00:00:00Z"}}"#, [none, none, none, none]),
        (r#"{"_id":{"$in":[]}}"#, [none, none, none, none]),
        (r#"{"workflow":{"$in":[]}}"#, [none, none, none, none]),
        (r#"{"prompt":1}"#, [Err(400), Err(400), Err(400), Err(400)]),
    ] {
        for ((role, _), expected) in town.people.iter().zip(expected) {
            assert_eq!(town.found(role, "workflow-api", filter).await, expected, "{role} {filter}");
        }
    }

    let listed = async |role: &str, query: &str| -> Value {
        let path = format!("/api/{}/workflow-api?{query}", prefix(role));
        town.site.get(town.person(role), &path).await.json().await.expect("a list")
    };
    let strangers = listed("other", "populate=workflow").await;
    let app = &strangers["items"][0];
    assert_eq!((&app["_id"], &app["workflow"]["name"]), (&json!(apps[0]), &json!("open")));
    assert_eq!(app["rjsf"]["schema"]["type"], "object", "the form is for everybody: {app}");
    for key in ["inputs", "outputs", "prompt", "template"] {
        assert!(app.get(key).is_none(), "{key} is told to a stranger: {app}");
    }
    for role in ["owner", "admin"] {
        let own = listed(role, &format!("filter={both}")).await;
        assert!(own["items"][0]["inputs"]["1.color"].is_object(), "{role}: {own}");
        assert!(own["items"][0]["outputs"]["2"].is_object(), "{role}: {own}");
    }
    let first = listed("owner", &format!(r#"filter={of_owner}&options={{"limit":1,"sort":"createdAt"}}"#)).await;
    let cursor = text(&first, "nextCursor");
    let options = format!(r#"{{"limit":1,"sort":"createdAt","cursor":"{cursor}"}}"#);
    let second = listed("owner", &format!("filter={of_owner}&options={options}")).await;
    assert_eq!((&first["items"][0]["_id"], &second["items"][0]["_id"]), (&json!(apps[0]), &json!(apps[1])));
    assert_eq!(second["nextCursor"], Value::Null);

    for (role, expected) in [("guest", 1), ("other", 0), ("owner", 2), ("admin", 2)] {
        let path = format!("/api/{}/workflow-api/stats", prefix(role));
        let stats: Value = town.site.get(town.person(role), &path).await.json().await.expect("stats");
        assert_eq!(stats["total"], expected, "{role}: {stats}");
    }
    let gone =
        town.site.send(owner, Method::DELETE, &format!("/api/general/workflow-api/{}", apps[0]), &json!({})).await;
    assert_eq!(gone.status(), 204);
    assert_eq!(town.found("guest", "workflow-api", "{}").await, Ok(0));
    town.site.finish().await;
}
