//! Comments: who may read, write, change and like them.

use reqwest::Method;
use serde_json::{Value, json};

use crate::posts::post;
use crate::site::{Browser, Site, error, text};
use crate::workflows::workflow;

async fn say(site: &Site, who: &Browser, body: Value) -> Value {
    let made = site.send(who, Method::POST, "/api/general/comment", &body).await;
    assert_eq!(made.status(), 201, "{:?}", made.text().await);
    made.json().await.unwrap()
}

async fn read(site: &Site, who: &Browser, path: &str) -> Value {
    let answer = site.get(who, path).await;
    assert_eq!(answer.status(), 200, "{path}");
    answer.json().await.unwrap()
}

#[actix_web::test]
async fn comments_are_public_and_written_by_signed_in_users() {
    let site = Site::start().await;
    let (ann, bob, guest) = (site.person().await, site.person().await, Browser::default());
    let post = post(&site, &ann, "Plain").await;
    let body = json!({ "workflow": post, "content": "<p>Nice <b>one</b><script>alert(1)</script></p>", "depth": 0 });
    let comment = say(&site, &bob, body.clone()).await;
    let id = text(&comment, "_id");
    assert_eq!((&comment["depth"], &comment["workflow"], &comment["isLike"]), (&json!(0), &json!(post), &Value::Null));
    assert_eq!(comment["content"], "<p>Nice one</p>");
    let answer = say(&site, &ann, json!({ "parent": id, "content": "<p>Thanks</p>", "depth": 1 })).await;
    assert_eq!((&answer["depth"], &answer["parent"]), (&json!(1), &json!(id)));

    let page = read(&site, &guest, &format!("/api/public/comment/workflow/{post}?page=1&limit=20")).await;
    assert_eq!((page["items"].as_array().map(Vec::len), &page["commentCount"]), (Some(1), &json!(2)), "replies count");
    assert_eq!(page["items"][0]["replyCount"], 1);
    assert!(page["items"][0]["user"]["name"].is_string() && page["items"][0]["user"].get("email").is_none());
    assert_eq!(page["pagination"], json!({ "currentPage": 1, "totalPages": 1, "totalCount": 1, "limit": 20 }));
    let children = read(&site, &guest, &format!("/api/public/comment/child/{id}")).await;
    assert_eq!(children["items"][0]["content"], "<p>Thanks</p>");

    let like = format!("/api/general/comment-like/like/{id}");
    let liked: Value = site.send(&ann, Method::POST, &like, &json!({})).await.json().await.unwrap();
    assert_eq!((&liked["likeCount"], &liked["isLike"]), (&json!(1), &json!(true)));
    let disliked: Value =
        site.send(&ann, Method::POST, &like.replace("/like/", "/dislike/"), &json!({})).await.json().await.unwrap();
    assert_eq!(
        (&disliked["likeCount"], &disliked["dislikeCount"], &disliked["isLike"]),
        (&json!(0), &json!(1), &json!(false))
    );
    assert_eq!(error(site.send(&bob, Method::POST, &like, &json!({})).await).await.0, 403, "one's own");

    let path = format!("/api/general/comment/{id}");
    assert_eq!(site.send(&bob, Method::PATCH, &path, &json!({ "content": "<p>Better</p>" })).await.status(), 200);
    assert_eq!(site.send(&ann, Method::PATCH, &path, &json!({ "content": "<p>Hers</p>" })).await.status(), 403);
    assert_eq!(site.send(&bob, Method::DELETE, &path, &json!({})).await.status(), 204);
    let page = read(&site, &guest, &format!("/api/public/comment/workflow/{post}")).await;
    let left = &page["items"][0];
    assert_eq!((&left["user"], &left["content"], &left["replyCount"]), (&Value::Null, &json!(""), &json!(1)));
    site.finish().await;
}

#[actix_web::test]
async fn invalid_comment_is_refused_with_its_code() {
    let site = Site::start().await;
    let (ann, bob, guest) = (site.person().await, site.person().await, Browser::default());
    let (post, hidden) = (post(&site, &ann, "Plain").await, workflow(&site, &ann).await);
    let long = format!("<p>{}</p>", "a".repeat(581));
    let unknown = uuid::Uuid::now_v7();
    for (body, status, code) in [
        (json!({ "workflow": post, "content": "" }), 400, "VALIDATION_FAILED"),
        (json!({ "workflow": post, "content": long }), 400, "VALIDATION_FAILED"),
        (json!({ "content": "<p>x</p>" }), 400, "VALIDATION_FAILED"),
        (json!({ "workflow": post, "content": "<p>x</p>", "depth": 1 }), 400, "VALIDATION_FAILED"),
        (json!({ "workflow": "nonsense", "content": "<p>x</p>" }), 400, "VALIDATION_FAILED"),
        (json!({ "workflow": post, "content": "<p>x</p>", "isAdmin": true }), 400, "VALIDATION_FAILED"),
        (json!({ "workflow": hidden, "content": "<p>x</p>" }), 404, "NOT_FOUND"),
        (json!({ "workflow": unknown, "content": "<p>x</p>" }), 404, "NOT_FOUND"),
        (json!({ "parent": unknown, "content": "<p>x</p>" }), 404, "NOT_FOUND"),
    ] {
        let (found, told, _) = error(site.send(&bob, Method::POST, "/api/general/comment", &body).await).await;
        assert_eq!((found, told.as_str()), (status, code), "{body}");
    }
    let body = json!({ "workflow": post, "content": "<p>x</p>" });
    assert_eq!(error(site.send(&guest, Method::POST, "/api/general/comment", &body).await).await.0, 401);
    for page in ["page=0", "page=-1", "limit=0", "limit=101", "page=x"] {
        let path = format!("/api/public/comment/workflow/{post}?{page}");
        assert_eq!(error(site.get(&guest, &path).await).await.0, 400, "{page}");
    }
    let beyond = read(&site, &guest, &format!("/api/public/comment/workflow/{post}?page=2147483647")).await;
    assert_eq!(beyond["items"], json!([]));
    assert_eq!(error(site.get(&guest, &format!("/api/public/comment/workflow/{hidden}")).await).await.0, 404);
    site.finish().await;
}

#[actix_web::test]
async fn blocked_user_cannot_comment_until_unblocked() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let post = post(&site, &ann, "Plain").await;
    let me: Value = site.get(&bob, "/api/auth").await.json().await.unwrap();
    let his = me["_id"].as_str().or(me["user"]["_id"].as_str()).expect("an id").to_owned();
    let block = json!({ "user": his });
    for _ in 0..2 {
        assert_eq!(site.send(&ann, Method::POST, "/api/general/user-block", &block).await.status(), 204);
    }
    let blocked: Value = site.get(&ann, "/api/general/user-block").await.json().await.unwrap();
    assert_eq!(
        (blocked["items"].as_array().map(Vec::len), &blocked["items"][0]["user"]["_id"]),
        (Some(1), &json!(his))
    );
    let body = json!({ "workflow": post, "content": "<p>x</p>" });
    assert_eq!(error(site.send(&bob, Method::POST, "/api/general/comment", &body).await).await.0, 403);
    assert_eq!(
        site.send(&ann, Method::DELETE, &format!("/api/general/user-block/{his}"), &json!({})).await.status(),
        204
    );
    say(&site, &bob, body).await;
    let unknown = json!({ "user": uuid::Uuid::now_v7() });
    assert_eq!(error(site.send(&ann, Method::POST, "/api/general/user-block", &unknown).await).await.0, 404);
    site.finish().await;
}

#[actix_web::test]
async fn comment_is_found_by_link_and_exported() {
    let site = Site::start().await;
    let (ann, bob, guest) = (site.person().await, site.person().await, Browser::default());
    let post = post(&site, &ann, "Plain").await;
    let comment = say(&site, &bob, json!({ "workflow": post, "content": "<p>Lovely</p>" })).await;
    let answer = say(&site, &ann, json!({ "parent": text(&comment, "_id"), "content": "<p>Thanks</p>" })).await;
    let path = format!("/api/public/comment/{}", text(&answer, "_id"));
    let found = read(&site, &guest, &path).await;
    assert_eq!((&found["parent"], &found["content"]), (&comment["_id"], &json!("<p>Thanks</p>")));
    assert_eq!((&found["user"]["name"], &found["user"]["roles"]), (&json!("Ann"), &json!(["Customer"])));
    assert!(found["user"].get("isDeleted").is_none(), "no account was deleted");

    let block = json!({ "user": found["user"]["_id"] });
    assert_eq!(site.send(&bob, Method::POST, "/api/general/user-block", &block).await.status(), 204);
    let general = path.replace("/public/", "/general/");
    assert_eq!(error(site.get(&bob, &general).await).await.0, 404, "a blocked user is shown");
    assert_eq!(error(site.get(&guest, &general).await).await.0, 401);
    let unknown = format!("/api/public/comment/{}", uuid::Uuid::now_v7());
    assert_eq!(error(site.get(&guest, &unknown).await).await.0, 404);

    let export = read(&site, &bob, "/api/auth/me/export").await;
    assert_eq!((&export["comments"][0]["_id"], &export["comments"][1]), (&comment["_id"], &Value::Null));
    assert_eq!(export["notifications"][0]["content"], "Thanks");
    assert_eq!(export["blocks"][0]["user"]["_id"], found["user"]["_id"]);
    site.finish().await;
}
