//! The account: picture, password, sessions, plan, export, deletion.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use verdigraph_core::account_deletion;

use crate::site::{Browser, Site, cookie, error, text};

async fn upload(site: &Site, who: &Browser) -> Value {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(90, 90, image::Rgb([200, 20, 30]));
    picture.write_to(&mut bytes, image::ImageFormat::Png).expect("a picture");
    let part = Part::bytes(bytes.into_inner()).file_name("me.png");
    let request = who.sign(site.ask(Method::POST, "/api/general/asset/file/image"));
    request.multipart(Form::new().part("image", part)).send().await.unwrap().json().await.unwrap()
}

/// The same user in another browser.
async fn elsewhere(site: &Site, who: &Browser) -> Browser {
    let form = json!({ "email": who.email, "password": "correct horse" });
    let response = site.send(&Browser::default(), Method::POST, "/api/auth/login/email-password", &form).await;
    assert_eq!(response.status(), 200);
    let (session, xsrf) = (cookie(&response, "vg_session"), cookie(&response, "XSRF-TOKEN"));
    Browser { email: who.email.clone(), session, xsrf }
}

#[actix_web::test]
async fn refused_profile_picture_leaves_the_name_unchanged() {
    let site = Site::start().await;
    let ann = site.person().await;
    let before: Value = site.get(&ann, "/api/auth").await.json().await.expect("the caller");
    let asset = upload(&site, &ann).await;
    sqlx::query("UPDATE files SET size_bytes = 10485761").execute(&site.core.db).await.expect("a large picture");
    let path = format!("/api/general/user/{}", text(&before, "_id"));
    let refused = site.send(&ann, Method::PATCH, &path, &json!({ "name": "Berta", "profile": asset["_id"] })).await;
    let (status, code, _) = error(refused).await;
    assert_eq!((status, code.as_str()), (413, "FILE_TOO_LARGE"));
    let after: Value = site.get(&ann, "/api/auth").await.json().await.expect("the caller");
    assert_eq!((&after["name"], &after["profile"]), (&before["name"], &Value::Null));
    site.finish().await;
}

#[actix_web::test]
async fn profile_picture_is_public_and_belongs_to_its_owner() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let asset = upload(&site, &ann).await;
    let body = json!({ "assetId": asset["_id"] });
    let theirs = site.send(&bob, Method::PATCH, "/api/auth/me/profile", &body).await;
    assert_eq!(error(theirs).await.0, 404, "another's private picture is not even told of");
    assert_eq!(site.get(&bob, &text(&asset, "url")).await.status(), 404);
    let user = site.send(&ann, Method::PATCH, "/api/auth/me/profile", &body).await;
    assert_eq!(user.status(), 200);
    let user: Value = user.json().await.unwrap();
    assert_eq!(user["profile"]["_id"], asset["_id"]);
    assert_eq!(site.get(&Browser::default(), &text(&asset, "url")).await.status(), 200);
    // The picture is public now, but still not Bob's.
    let theirs = site.send(&bob, Method::PATCH, "/api/auth/me/profile", &body).await;
    assert_eq!(error(theirs).await.0, 404);
    let none = site.send(&ann, Method::PATCH, "/api/auth/me/profile", &json!({ "assetId": null })).await;
    let none: Value = none.json().await.unwrap();
    assert_eq!(none["profile"], Value::Null);
    let guest = site.send(&Browser::default(), Method::PATCH, "/api/auth/me/profile", &body).await;
    assert_eq!(error(guest).await.0, 401);
    site.finish().await;
}

#[actix_web::test]
async fn owner_lists_and_ends_sessions() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let other = elsewhere(&site, &ann).await;
    let list: Value = site.get(&ann, "/api/auth/me/session").await.json().await.unwrap();
    let items = list["items"].as_array().unwrap();
    assert_eq!(items.len(), 2);
    let theirs = items.iter().find(|session| session["isCurrent"] == false).unwrap();
    let path = format!("/api/auth/me/session/{}", text(theirs, "_id"));
    assert_eq!(error(site.send(&bob, Method::DELETE, &path, &json!({})).await).await.0, 404);
    assert_eq!(site.send(&ann, Method::DELETE, &path, &json!({})).await.status(), 204);
    assert_eq!(site.get(&other, "/api/auth").await.status(), 401);
    let other = elsewhere(&site, &ann).await;
    assert_eq!(site.send(&ann, Method::DELETE, "/api/auth/me/session", &json!({})).await.status(), 204);
    assert_eq!(site.get(&other, "/api/auth").await.status(), 401);
    assert_eq!(site.get(&ann, "/api/auth").await.status(), 200, "the one that asks stays");
    site.finish().await;
}

#[actix_web::test]
async fn password_change_needs_the_old_password() {
    let site = Site::start().await;
    let ann = site.person().await;
    let other = elsewhere(&site, &ann).await;
    let path = "/api/auth/me/password";
    let wrong = json!({ "current": "wrong horse", "password": "battery staple" });
    let (status, code, body) = error(site.send(&ann, Method::PATCH, path, &wrong).await).await;
    assert_eq!((status, code.as_str(), &body["details"][0]["field"]), (400, "VALIDATION_FAILED", &json!("current")));
    let right = json!({ "current": "correct horse", "password": "battery staple" });
    assert_eq!(site.send(&ann, Method::PATCH, path, &right).await.status(), 200);
    assert_eq!(site.get(&ann, "/api/auth").await.status(), 200);
    assert_eq!(site.get(&other, "/api/auth").await.status(), 401);
    site.finish().await;
}

#[actix_web::test]
async fn plan_is_returned_with_its_limits() {
    let site = Site::start().await;
    let ann = site.person().await;
    let plan: Value = site.get(&ann, "/api/auth/me/subscription").await.json().await.unwrap();
    let free = site.core.settings.first_plan().unwrap();
    assert_eq!((text(&plan, "name"), plan["monthlyCredits"].as_i64()), (free.name.clone(), Some(free.monthly_credits)));
    assert_eq!(plan["stealthMode"], false);
    assert_eq!(plan["pools"].as_array().unwrap().len(), free.pools.len());
    assert_eq!(site.get(&Browser::default(), "/api/auth/me/subscription").await.status(), 401);
    site.finish().await;
}

#[actix_web::test]
async fn export_has_the_callers_data_without_others_and_secrets() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let made = site.send(&ann, Method::POST, "/api/general/api-key", &json!({ "name": "script" })).await;
    let made: Value = made.json().await.unwrap();
    for (number, who) in [(0, &ann), (1, &ann), (2, &bob)] {
        let graph = json!({"1": {"class_type": "EmptyImage", "inputs": {"width": 64}}});
        let workflow = json!({ "name": format!("workflow {number}"), "prompt": { "output": graph } });
        assert_eq!(site.send(who, Method::POST, "/api/general/workflow", &workflow).await.status(), 201);
    }
    let picture = upload(&site, &ann).await;
    let export = site.get(&ann, "/api/auth/me/export").await;
    assert_eq!(export.status(), 200);
    assert!(export.headers()["content-disposition"].to_str().unwrap().contains("verdigraph-2026-01-01.json"));
    let export = export.text().await.unwrap();
    let all: Value = serde_json::from_str(&export).expect("one JSON document");
    assert_eq!(text(&all["profile"], "email"), ann.email);
    assert_eq!((all["apiKeys"].as_array().unwrap().len(), text(&all["apiKeys"][0], "name")), (1, "script".to_owned()));
    assert_eq!(all["sessions"].as_array().unwrap().len(), 1);
    let workflows = all["workflows"].as_array().unwrap();
    assert_eq!(workflows.len(), 2);
    assert!(workflows.iter().all(|workflow| workflow["graph"]["output"]["1"]["class_type"] == "EmptyImage"));
    assert!(!all["creditEntries"].as_array().unwrap().is_empty(), "the allowance of the plan stands in it");
    assert_eq!(all["uploads"][0]["_id"], picture["_id"]);
    assert_eq!((&all["comments"], &all["notifications"], &all["blocks"]), (&json!([]), &json!([]), &json!([])));
    assert_eq!(all["notificationSettings"], json!({ "mailedTypes": [] }));
    assert!(all["jobs"].is_array() && all["pictures"].is_array() && all["creditGrants"].is_array());
    for secret in [&text(&made, "key"), &ann.session, &bob.email, "workflow 2", "argon2"] {
        assert!(!export.contains(secret), "{secret} stands in the export");
    }
    let key = text(&made, "key");
    let by_key = site.ask(Method::GET, "/api/auth/me/export").header("api-key", key).send().await.unwrap();
    assert_eq!(error(by_key).await.0, 403, "a leaked key must not take everything");
    for _ in 0..5 {
        assert_eq!(site.get(&ann, "/api/auth/me/export").await.status(), 200);
    }
    assert_eq!(error(site.get(&ann, "/api/auth/me/export").await).await.1, "RATE_LIMITED");
    site.finish().await;
}

#[actix_web::test]
async fn deleted_account_cannot_sign_in() {
    let site = Site::start().await;
    let ann = site.person().await;
    let made = site.send(&ann, Method::POST, "/api/general/api-key", &json!({ "name": "script" })).await;
    let key = text(&made.json::<Value>().await.unwrap(), "key");
    let picture = upload(&site, &ann).await;
    for wrong in [json!({}), json!({ "name": "Ann" }), json!({ "password": "wrong horse" })] {
        let (status, code, _) = error(site.send(&ann, Method::DELETE, "/api/auth/me", &wrong).await).await;
        assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"), "{wrong}");
    }
    let right = json!({ "password": "correct horse" });
    let by_key = site.ask(Method::DELETE, "/api/auth/me").header("api-key", &key).json(&right).send().await.unwrap();
    assert_eq!(error(by_key).await.0, 403);
    let gone = site.send(&ann, Method::DELETE, "/api/auth/me", &right).await;
    assert_eq!(gone.status(), 204);
    assert_eq!(cookie(&gone, "vg_session"), "");
    account_deletion::delete_data(&site.core).await.expect("a clearing");
    assert_eq!(site.get(&ann, "/api/auth").await.status(), 401);
    let by_key = site.ask(Method::GET, "/api/general/credit").header("api-key", key).send().await.unwrap();
    assert_eq!(error(by_key).await.1, "API_KEY_INVALID");
    let admin = site.admin().await;
    assert_eq!(site.get(&admin, &text(&picture, "url")).await.status(), 404, "private uploads are gone");
    let form = json!({
        "email": ann.email, "password": "correct horse", "name": "Ann", "termsAccepted": true, "privacyAccepted": true,
    });
    let again = site.send(&Browser::default(), Method::POST, "/api/auth/signup/email-password", &form).await;
    assert_eq!(again.status(), 201, "the address is free again");
    site.finish().await;
}
