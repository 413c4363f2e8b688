//! Sessions, XSRF, API keys, and who may use which prefix.

use reqwest::Method;
use serde_json::{Value, json};

use crate::site::{Browser, Site, cookie, error, text};

#[actix_web::test]
async fn user_signs_up_out_and_in_again() {
    let site = Site::start().await;
    let ann = site.person().await;
    let user: Value = site.get(&ann, "/api/auth").await.json().await.unwrap();
    assert_eq!(text(&user, "email"), ann.email);
    assert_eq!(user["subscriptions"][0]["name"], "Free");
    assert!(user["credits"]["available"].as_i64().unwrap() > 0, "the plan's allowance is there from the start: {user}");

    let out = site.send(&ann, Method::POST, "/api/auth/logout", &json!({})).await;
    assert_eq!(out.status(), 204);
    assert_eq!(cookie(&out, "vg_session"), "", "the cookie is taken away");
    assert_eq!(site.get(&ann, "/api/auth").await.status(), 401, "the old session must be dead on the server too");

    let form = json!({ "email": ann.email, "password": "wrong horse" });
    let (status, code, _) =
        error(site.send(&Browser::default(), Method::POST, "/api/auth/login/email-password", &form).await).await;
    assert_eq!((status, code.as_str()), (401, "AUTH_WRONG_CREDENTIALS"));
    let form = json!({ "email": ann.email.to_uppercase(), "password": "correct horse" });
    let back = site.send(&Browser::default(), Method::POST, "/api/auth/login/email-password", &form).await;
    assert_eq!(back.status(), 200);
    let header = back.headers().get_all("set-cookie").iter().find(|value| value.as_bytes().starts_with(b"vg_session="));
    let header = header.unwrap().to_str().unwrap();
    assert!(header.contains("HttpOnly") && header.contains("SameSite=Lax"), "{header}");
    site.finish().await;
}

#[actix_web::test]
async fn guest_gets_an_xsrf_token() {
    let site = Site::start().await;
    let response = site.get(&Browser::default(), "/api/auth").await;
    assert!(cookie(&response, "XSRF-TOKEN").len() >= 32);
    let (status, code, _) = error(response).await;
    assert_eq!((status, code.as_str()), (401, "AUTH_LOGIN_REQUIRED"));
    site.finish().await;
}

#[actix_web::test]
async fn request_without_the_xsrf_token_is_refused() {
    let site = Site::start().await;
    let ann = site.person().await;
    let path = "/api/auth/me/name";
    for forged in [Browser { xsrf: String::new(), ..ann.clone() }, ann.clone()] {
        let mut request = site.ask(Method::PATCH, path).json(&json!({ "name": "Mallory" }));
        // The browser sends cookies by itself; another site cannot set the header.
        request = request.header("cookie", format!("vg_session={}; XSRF-TOKEN={}", ann.session, forged.xsrf));
        let (status, code, _) = error(request.send().await.unwrap()).await;
        assert_eq!((status, code.as_str()), (403, "XSRF_MISMATCH"));
    }
    // A neighbouring host can set our cookie, and knows the token of its own session.
    let mallory = site.person().await;
    let tossed = Browser { xsrf: mallory.xsrf, ..ann.clone() };
    for forged in [tossed, Browser { xsrf: "chosen by another site, 32 long!".to_owned(), ..ann.clone() }] {
        let (status, code, _) =
            error(site.send(&forged, Method::PATCH, path, &json!({ "name": "Mallory" })).await).await;
        assert_eq!((status, code.as_str()), (403, "XSRF_MISMATCH"));
        let healed = site.get(&forged, "/api/auth").await;
        assert_eq!(cookie(&healed, "XSRF-TOKEN"), ann.xsrf, "the page gets the token of its session back");
    }
    let user: Value = site.get(&ann, "/api/auth").await.json().await.unwrap();
    assert_eq!(text(&user, "name"), "Ann");
    assert_eq!(site.send(&ann, Method::PATCH, path, &json!({ "name": "Anna" })).await.status(), 200);
    site.finish().await;
}

#[actix_web::test]
async fn api_key_works_until_revoked_and_cannot_create_keys() {
    let site = Site::start().await;
    let ann = site.person().await;
    let made = site.send(&ann, Method::POST, "/api/general/api-key", &json!({ "name": "script" })).await;
    assert_eq!(made.status(), 201);
    let made: Value = made.json().await.unwrap();
    let key = text(&made, "key");
    let with = |header: &'static str, value: String| site.ask(Method::GET, "/api/general/credit").header(header, value);
    assert_eq!(with("api-key", key.clone()).send().await.unwrap().status(), 200);
    assert_eq!(with("Authorization", format!("Bearer {key}")).send().await.unwrap().status(), 200);
    let more = site.ask(Method::POST, "/api/general/api-key").header("api-key", &key).json(&json!({ "name": "more" }));
    assert_eq!(more.send().await.unwrap().status(), 403);
    let list: Value = site.get(&ann, "/api/general/api-key").await.json().await.unwrap();
    assert!(!list.to_string().contains(&key), "a key is shown once");

    let gone =
        site.send(&ann, Method::DELETE, &format!("/api/general/api-key/{}", text(&made, "_id")), &json!({})).await;
    assert_eq!(gone.status(), 204);
    let (status, code, _) = error(with("api-key", key).send().await.unwrap()).await;
    assert_eq!((status, code.as_str()), (401, "API_KEY_INVALID"));
    site.finish().await;
}
