//! The notification box.

use reqwest::Method;
use serde_json::{Value, json};

use super::town;
use crate::site::{Browser, error, text};

const BOX: &str = "/api/general/notification-box";

#[actix_web::test]
async fn deleted_notifications_are_no_longer_counted() {
    let town = town().await;
    let (owner, other, admin) = (town.person("owner"), town.person("other"), town.person("admin"));
    for number in 2..=4 {
        let said = json!({ "workflow": town.workflows[0], "content": format!("<p>{number}</p>"), "depth": 0 });
        assert_eq!(town.site.send(other, Method::POST, "/api/general/comment", &said).await.status(), 201);
    }
    let notice = json!({ "titleEn": "Hello", "titleKo": "안녕", "contentEn": "<p>Hi</p>", "contentKo": "<p>네</p>" });
    assert_eq!(town.site.send(admin, Method::POST, "/api/admin/notice", &notice).await.status(), 201);
    let events = format!("{BOX}/events");
    let mut events = crate::streams::Events::at(&town.site, owner, &events).await;
    events.until("count", |data| data["count"] == 5).await;

    let history = async |query: &str| -> (Vec<String>, Value) {
        let page: Value = town.site.get(owner, &format!("{BOX}/history{query}")).await.json().await.expect("a page");
        let items = page["items"].as_array().expect("items").iter().map(|item| text(item, "_id")).collect();
        (items, page["pagination"]["totalCount"].clone())
    };
    let (all, total) = history("").await;
    assert_eq!((all.len(), total), (5, json!(5)));
    let [notice, fourth, third, second, first] = all.as_slice() else { panic!("{all:?}") };

    let several = format!(r#"/api/general/notification?filter={{"_id":{{"$in":["{notice}","{third}"]}}}}"#);
    let deleted = async |who: &Browser| {
        let answer = town.site.send(who, Method::DELETE, &several, &json!({})).await;
        answer.json::<Value>().await.expect("a number")["deletedCount"].clone()
    };
    assert_eq!(deleted(other).await, 0, "a box is its owner's alone");
    assert_eq!(deleted(owner).await, 2);
    events.until("count", |data| data["count"] == 3).await;
    assert_eq!(deleted(owner).await, 0, "they are gone");
    assert_eq!(history("").await, (vec![fourth.clone(), second.clone(), first.clone()], json!(3)));
    assert_eq!(history("?limit=2&skip=1").await.0, [second.clone(), first.clone()], "pages have no holes");
    assert_eq!(history("?limit=2&sort=1&type=COMMENT").await, (vec![first.clone(), second.clone()], json!(3)));
    assert_eq!(history("?type=NOTICE").await, (Vec::new(), json!(0)));
    assert_eq!(town.found("owner", "notification", "{}").await, Ok(3));
    assert_eq!(town.found("other", "notification", r#"{"type":"NOTICE"}"#).await, Ok(1), "the notice of others stays");

    let one = format!("/api/general/notification/{fourth}");
    assert_eq!(error(town.site.send(other, Method::DELETE, &one, &json!({})).await).await.0, 404);
    assert_eq!(town.site.send(owner, Method::DELETE, &one, &json!({})).await.status(), 204);
    assert_eq!(error(town.site.send(owner, Method::DELETE, &one, &json!({})).await).await.0, 404);
    events.until("count", |data| data["count"] == 2).await;
    for (query, place) in
        [("", "filter"), ("?filter={}", "filter._id"), (r#"?filter={"type":"NOTICE"}"#, "filter.type")]
    {
        let path = format!("/api/general/notification{query}");
        let answer = town.site.send(owner, Method::DELETE, &path, &json!({})).await;
        let (status, _, body) = error(answer).await;
        assert_eq!((status, &body["details"][0]["field"]), (400, &json!(place)), "{query}: {body}");
    }
    drop(events);
    town.site.finish().await;
}
