//! Unicode normalization: names and comments are stored composed, and found in either form.

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::posts::post;
use crate::site::{Browser, Site, cookie, text};

/// The same words, composed and decomposed.
const CAFE: [&str; 2] = ["Caf\u{e9}", "Cafe\u{301}"];
const HANGUL: [&str; 2] = ["\u{ac01}\u{ad6d}", "\u{1100}\u{1161}\u{11a8}\u{1100}\u{116e}\u{11a8}"];

/// Signs a user up under this name.
async fn named(site: &Site, name: &str) -> Result<Browser, u16> {
    let email = format!("{}@example.com", Uuid::now_v7().simple());
    let form = json!({
        "email": email, "password": "correct horse", "name": name, "termsAccepted": true, "privacyAccepted": true,
    });
    let answer = site.send(&Browser::default(), Method::POST, "/api/auth/signup/email-password", &form).await;
    match answer.status().as_u16() {
        201 => Ok(Browser { email, session: cookie(&answer, "vg_session"), xsrf: cookie(&answer, "XSRF-TOKEN") }),
        status => Err(status),
    }
}

async fn asked(site: &Site, who: &Browser, path: &str, words: &str) -> Value {
    let url = reqwest::Url::parse_with_params(&format!("{}{path}", site.url), [words.split_once('=').expect("a pair")]);
    let answer = who.sign(site.http.get(url.expect("an address"))).send().await.expect("an answer");
    assert_eq!(answer.status(), 200, "{path} {words}");
    answer.json().await.expect("JSON")
}

#[actix_web::test]
async fn decomposed_text_is_stored_composed_and_found() {
    let site = Site::start().await;
    let admin = site.admin().await;
    for (number, [composed, apart]) in [CAFE, HANGUL].into_iter().enumerate() {
        let ann = named(&site, &format!("{apart} {number}")).await.expect("a name");
        let id = post(&site, &ann, &format!("{apart} picture")).await;
        let workflow: Value =
            site.get(&ann, &format!("/api/general/workflow/{id}")).await.json().await.expect("a post");
        assert_eq!(text(&workflow, "name"), format!("{composed} picture"));
        assert_eq!(workflow["user"]["name"], format!("{composed} {number}"));
        let said = json!({ "workflow": id, "content": format!("<p>A {apart} for me</p>") });
        let comment: Value =
            site.send(&admin, Method::POST, "/api/general/comment", &said).await.json().await.expect("a comment");
        assert_eq!(comment["content"], format!("<p>A {composed} for me</p>"));
        let key = site.send(&ann, Method::POST, "/api/general/api-key", &json!({ "name": apart })).await;
        assert_eq!(text(&key.json().await.expect("a key"), "name"), composed);
        for typed in [composed, apart] {
            let found = asked(&site, &ann, "/api/public/search", &format!("q={typed}")).await;
            assert_eq!(found["workflows"][0]["_id"], id, "{typed}: {found}");
            assert_eq!(found["people"][0]["name"], format!("{composed} {number}"), "{typed}: {found}");
            let people = asked(&site, &admin, "/api/admin/user", &format!("keyword={typed}")).await;
            assert_eq!(people["items"].as_array().map(Vec::len), Some(1), "{typed}: {people}");
            let comments = asked(&site, &admin, "/api/admin/comment", &format!("keyword={typed}")).await;
            assert_eq!(comments["items"][0]["_id"], comment["_id"], "{typed}: {comments}");
        }
    }
    site.finish().await;
}

#[actix_web::test]
async fn length_limits_count_composed_letters() {
    let site = Site::start().await;
    let ann = named(&site, &HANGUL[1].repeat(10)).await.expect("20 letters");
    assert_eq!(named(&site, &HANGUL[1].repeat(11)).await.err(), Some(400), "22 letters");
    let content =
        json!({ "workflow": post(&site, &ann, "Long").await, "content": format!("<p>{}</p>", HANGUL[1].repeat(290)) });
    let said = site.send(&ann, Method::POST, "/api/general/comment", &content).await;
    assert!(said.status().is_success(), "580 letters of a comment: {:?}", said.text().await);
    site.finish().await;
}
