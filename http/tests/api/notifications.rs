//! The notification box: content, permissions, and live events.

use reqwest::Method;
use serde_json::{Value, json};

use crate::posts::post;
use crate::site::{Browser, Site, error, text};
use crate::streams::Events;

const BOX: &str = "/api/general/notification-box";

/// A post of Ann's with a comment of Bob's.
async fn commented(site: &Site, ann: &Browser, bob: &Browser, words: &str) {
    let post = post(site, ann, "Plain").await;
    let body = json!({ "workflow": post, "content": format!("<p>{words}</p>") });
    assert_eq!(site.send(bob, Method::POST, "/api/general/comment", &body).await.status(), 201);
}

async fn get(site: &Site, who: &Browser, path: &str) -> Value {
    let answer = site.get(who, &format!("{BOX}/{path}")).await;
    assert_eq!(answer.status(), 200, "{path}");
    answer.json().await.unwrap()
}

#[actix_web::test]
async fn comment_notification_arrives_live_and_is_marked_read() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let mut events = Events::at(&site, &ann, &format!("{BOX}/events")).await;
    assert_eq!(events.until("count", |_| true).await, json!({ "count": 0 }));
    commented(&site, &ann, &bob, "Lovely").await;
    events.until("count", |data| data["count"] == 1).await;

    let list = get(&site, &ann, "list/ALL/10").await;
    let item = &list["items"][0];
    assert_eq!(
        (&item["type"], &item["categoryType"], &item["content"]),
        (&json!("COMMENT"), &json!("WORKFLOW"), &json!("Lovely"))
    );
    assert_eq!((&item["title"]["workflow"], &item["recomment"]), (&json!("Plain"), &json!(false)));
    assert!(item["user"]["name"].is_string() && item["user"]["roles"] == json!(["Customer"]), "{item}");
    assert_eq!(get(&site, &ann, "list/LIKE/10").await["items"], json!([]));
    let unread = get(&site, &ann, "count-all").await;
    let by_type = json!({ "COMMENT": 1, "LIKE": 0, "NOTICE": 0, "REQUESTS": 0, "OTHERS": 0 });
    assert_eq!((&unread["count"], &unread["byType"]), (&json!(1), &by_type));
    let counted = get(&site, &ann, "count-type?pagination=true&type=COMMENT").await;
    assert_eq!((&counted["count"], &counted["pagination"]["totalCount"]), (&json!(1), &json!(1)));

    let ids = json!({ "ids": [{ "id": text(item, "_id"), "type": "COMMENT" }] });
    let checked: Value = site.send(&bob, Method::PATCH, &format!("{BOX}/check"), &ids).await.json().await.unwrap();
    assert_eq!(checked["checkedCount"], 0, "a stranger's id");
    let checked: Value = site.send(&ann, Method::PATCH, &format!("{BOX}/check"), &ids).await.json().await.unwrap();
    assert_eq!(checked["checkedCount"], 1);
    events.until("count", |data| data["count"] == 0).await;
    commented(&site, &ann, &bob, "Again").await;
    let all = site.send(&ann, Method::PATCH, &format!("{BOX}/check-all/ALL"), &json!({})).await;
    assert_eq!(all.json::<Value>().await.unwrap()["checkedCount"], 1);
    assert_eq!(get(&site, &ann, "count-all").await["count"], 0);
    let history = get(&site, &ann, "history?type=COMMENT&limit=20&skip=1&sort=-1").await;
    assert_eq!(
        (history["items"].as_array().map(Vec::len), &history["items"][0]["content"]),
        (Some(1), &json!("Lovely"))
    );
    site.finish().await;
}

#[actix_web::test]
async fn box_is_private_and_invalid_queries_are_refused() {
    let site = Site::start().await;
    let (ann, guest) = (site.person().await, Browser::default());
    for path in ["list/ALL/10", "history", "count-all", "count-type?type=ALL", "events"] {
        assert_eq!(error(site.get(&guest, &format!("{BOX}/{path}")).await).await.0, 401, "{path}");
    }
    for path in [
        "list/NONE/10",
        "list/ALL/0",
        "list/ALL/101",
        "history?type=x",
        "history?skip=-1",
        "history?sort=0",
        "count-type?type=x",
    ] {
        let (status, code, _) = error(site.get(&ann, &format!("{BOX}/{path}")).await).await;
        assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"), "{path}");
    }
    let settings = "/api/general/notification-settings";
    let kept: Value = site
        .send(&ann, Method::PATCH, settings, &json!({ "mailedTypes": ["COMMENT", "NOTICE"] }))
        .await
        .json()
        .await
        .unwrap();
    assert_eq!(kept["mailedTypes"], json!(["COMMENT", "NOTICE"]));
    let wrong = site.send(&ann, Method::PATCH, settings, &json!({ "mailedTypes": ["SMS"] })).await;
    assert_eq!(error(wrong).await.0, 400);
    assert_eq!(
        site.get(&ann, settings).await.json::<Value>().await.unwrap(),
        kept,
        "a refused change changed something"
    );
    site.finish().await;
}

#[actix_web::test]
async fn only_admins_publish_notices() {
    let site = Site::start().await;
    let (ann, admin, guest) = (site.person().await, site.admin().await, Browser::default());
    let notice =
        json!({ "titleEn": "Hello", "titleKo": "안녕하세요", "contentEn": "<p>Hi</p>", "contentKo": "<p>네</p>" });
    for (who, status) in [(&guest, 401), (&ann, 403)] {
        assert_eq!(error(site.send(who, Method::POST, "/api/admin/notice", &notice).await).await.0, status);
        assert_eq!(error(site.get(who, "/api/admin/notice").await).await.0, status);
    }
    let made: Value = site.send(&admin, Method::POST, "/api/admin/notice", &notice).await.json().await.unwrap();
    let list = get(&site, &ann, "list/NOTICE/5").await;
    assert_eq!((&list["items"][0]["title"]["workflow"], &list["items"][0]["user"]), (&json!("Hello"), &Value::Null));
    let path = format!("/api/admin/notice/{}", text(&made, "_id"));
    assert_eq!(error(site.send(&ann, Method::DELETE, &path, &json!({})).await).await.0, 403);
    assert_eq!(site.send(&admin, Method::DELETE, &path, &json!({})).await.status(), 204);
    assert_eq!(get(&site, &ann, "list/NOTICE/5").await["items"], json!([]));
    let listed: Value = site.get(&admin, "/api/admin/notice").await.json().await.unwrap();
    assert_eq!(listed["items"], json!([]));
    site.finish().await;
}

#[actix_web::test]
async fn unsubscribe_link_works_without_sign_in() {
    let site = Site::start().await;
    let (ann, bob, guest) = (site.person().await, site.person().await, Browser::default());
    let settings = "/api/general/notification-settings";
    let unsubscribe = "/api/public/unsubscribe";
    // Through the page, and by a mail program.
    for one_click in [false, true] {
        let wanted = json!({ "mailedTypes": ["COMMENT"] });
        assert_eq!(site.send(&ann, Method::PATCH, settings, &wanted).await.status(), 200);
        commented(&site, &ann, &bob, "Lovely").await;
        site.core.clock.advance(chrono::TimeDelta::hours(2));
        assert_eq!(verdigraph_core::notifications::mail_due(&site.core).await.expect("a sweep"), 1);
        let code = site.core.code_for(&ann.email).await;
        let answer = if one_click {
            let path = format!("{unsubscribe}/one-click?code={code}");
            let opened = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build();
            let opened = opened.unwrap().get(format!("{}{path}", site.url)).send().await.unwrap();
            assert_eq!(
                (opened.status().as_u16(), &opened.headers()["location"]),
                (303, &reqwest::header::HeaderValue::from_str(&format!("/unsubscribe#code={code}")).unwrap())
            );
            let kept: Value = site.get(&ann, settings).await.json().await.unwrap();
            assert_eq!(kept, wanted, "opening the address has ended the letters already");
            site.ask(Method::POST, &path).body("List-Unsubscribe=One-Click").send().await.unwrap()
        } else {
            site.send(&guest, Method::POST, unsubscribe, &json!({ "code": code })).await
        };
        assert_eq!(answer.status(), 204);
        let kept: Value = site.get(&ann, settings).await.json().await.unwrap();
        assert_eq!(kept["mailedTypes"], json!([]));
    }
    let wrong = site.send(&guest, Method::POST, unsubscribe, &json!({ "code": "x" })).await;
    let (status, code, _) = error(wrong).await;
    assert_eq!((status, code.as_str()), (422, "UNSUBSCRIBE_LINK_INVALID"));
    site.finish().await;
}
