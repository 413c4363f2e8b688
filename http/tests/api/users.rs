//! Public profiles, and changes by their users.

use reqwest::Method;
use serde_json::{Value, json};

use crate::site::{Browser, Site, error, text};

#[actix_web::test]
async fn profile_has_ordered_contact_points_without_secrets() {
    let site = Site::start().await;
    let ann = site.person().await;
    let user: Value = site.get(&ann, "/api/auth").await.json().await.expect("a user");
    let path = format!("/api/public/user/{}", text(&user, "_id"));
    let points = json!({
        "homepage": { "value": "ann.example", "order": 2 },
        "email": { "value": "hello@ann.example", "order": 1 },
    });
    let kept: Value = site
        .send(&ann, Method::POST, "/api/general/contact-point", &points)
        .await
        .json()
        .await
        .expect("contact points");
    assert_eq!(kept["homepage"], json!({ "value": "https://ann.example", "order": 1 }));
    let profile: Value = site.get(&Browser::default(), &path).await.json().await.expect("a profile");
    assert_eq!(profile["contactPoints"], kept);
    assert_eq!(profile["counts"], json!({ "workflows": 0, "images": 0, "likes": 0 }));
    assert!(!profile.to_string().contains(&ann.email), "the sign-in address is public");
    site.finish().await;
}

#[actix_web::test]
async fn only_the_owner_changes_contact_points() {
    let site = Site::start().await;
    let ann = site.person().await;
    let path = "/api/general/contact-point";
    let good = json!({ "instagram": { "value": "@ann", "order": 0 } });
    assert_eq!(site.send(&Browser::default(), Method::POST, path, &good).await.status(), 401);
    assert_eq!(site.send(&ann, Method::POST, path, &good).await.status(), 200);
    let bad = json!({ "homepage": { "value": "javascript:alert(1)", "order": 0 } });
    let (status, code, body) = error(site.send(&ann, Method::POST, path, &bad).await).await;
    assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"));
    assert_eq!(body["details"][0]["field"], "homepage");
    let unknown = json!({ "phone": { "value": "1", "order": 0 } });
    assert_eq!(error(site.send(&ann, Method::POST, path, &unknown).await).await.0, 400);
    site.finish().await;
}

#[actix_web::test]
async fn unknown_user_has_no_profile() {
    let site = Site::start().await;
    let path = "/api/public/user/01900000-0000-7000-8000-000000000000";
    assert_eq!(error(site.get(&Browser::default(), path).await).await.0, 404);
    site.finish().await;
}
