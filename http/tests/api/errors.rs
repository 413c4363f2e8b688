//! All errors have one shape: from the core, an extractor, or the router.

use reqwest::Method;
use serde_json::json;

use crate::site::{Browser, Site, error};

#[actix_web::test]
async fn extractor_errors_have_the_common_shape() {
    let site = Site::start().await;
    let ann = site.person().await;
    let ask = |method: Method, path: &str| ann.sign(site.ask(method, path));
    let json_type = ("content-type", "application/json");
    let cases = [
        (
            "no json",
            ask(Method::POST, "/api/general/api-key").header(json_type.0, json_type.1).body("{"),
            400,
            "VALIDATION_FAILED",
            Some("body"),
        ),
        (
            "a wrong type",
            ask(Method::POST, "/api/general/api-key").json(&json!({ "name": 5 })),
            400,
            "VALIDATION_FAILED",
            Some("name"),
        ),
        (
            "an unknown field",
            ask(Method::POST, "/api/general/api-key").json(&json!({ "name": "a", "x": 1 })),
            400,
            "VALIDATION_FAILED",
            Some("x"),
        ),
        (
            "a form",
            ask(Method::POST, "/api/general/api-key").form(&[("name", "a")]),
            415,
            "UNSUPPORTED_MEDIA_TYPE",
            None,
        ),
        ("an id that is none", ask(Method::GET, "/api/general/job/nonsense"), 400, "VALIDATION_FAILED", Some("id")),
        (
            "an id in the query that is none",
            ask(Method::GET, "/api/general/job?workflowApi=nonsense"),
            400,
            "VALIDATION_FAILED",
            Some("workflowApi"),
        ),
        (
            "a missing field",
            ask(Method::POST, "/api/general/api-key").json(&json!({})),
            400,
            "VALIDATION_FAILED",
            Some("name"),
        ),
        (
            "a limit that is none",
            ask(Method::GET, "/api/general/job?limit=many"),
            400,
            "VALIDATION_FAILED",
            Some("limit"),
        ),
        ("a limit too high", ask(Method::GET, "/api/general/job?limit=1000"), 400, "VALIDATION_FAILED", Some("limit")),
        ("an invalid cursor", ask(Method::GET, "/api/general/job?cursor=x"), 400, "VALIDATION_FAILED", Some("cursor")),
        (
            "a status that is none",
            ask(Method::GET, "/api/general/job?status=Lost"),
            400,
            "VALIDATION_FAILED",
            Some("status"),
        ),
        (
            "a filter that is none",
            ask(Method::DELETE, "/api/general/output-asset?filter=%7B%22user%22%3A1%7D"),
            400,
            "VALIDATION_FAILED",
            Some("filter.user"),
        ),
        (
            "no multipart",
            ask(Method::POST, "/api/general/asset/file/image").body("x"),
            400,
            "VALIDATION_FAILED",
            Some("body"),
        ),
        ("nothing there", ask(Method::GET, "/api/nothing"), 404, "NOT_FOUND", None),
        ("no such method", ask(Method::PUT, "/api/auth"), 405, "METHOD_NOT_ALLOWED", None),
        ("no such file", ask(Method::GET, "/media/raw/nothing.png"), 404, "NOT_FOUND", None),
        (
            "no document at a well-known place",
            ask(Method::GET, "/.well-known/oauth-protected-resource/mcp"),
            404,
            "NOT_FOUND",
            None,
        ),
        ("no such page file", ask(Method::GET, "/missing.js"), 404, "NOT_FOUND", None),
    ];
    for (what, request, status, code, field) in cases {
        let (found_status, found_code, body) = error(request.send().await.expect("an answer")).await;
        assert_eq!((found_status, found_code.as_str()), (status, code), "{what}: {body}");
        if let Some(field) = field {
            assert_eq!(body["details"][0]["field"], field, "{what}: the place is named: {body}");
        }
    }
    site.finish().await;
}

#[actix_web::test]
async fn too_large_body_is_refused() {
    let site = Site::start().await;
    let ann = site.person().await;
    let long = "a".repeat(site.core.settings.limits.json_bytes + 1);
    let response = site.send(&ann, Method::POST, "/api/general/api-key", &json!({ "name": long })).await;
    let (status, code, _) = error(response).await;
    assert_eq!((status, code.as_str()), (413, "BODY_TOO_LARGE"));
    site.finish().await;
}

#[actix_web::test]
async fn invalid_sign_ups_have_their_codes() {
    let site = Site::start().await;
    let ann = site.person().await;
    let form = |email: &str, name: &str, password: &str, terms: bool| json!({ "email": email, "password": password, "name": name, "termsAccepted": terms, "privacyAccepted": true });
    let cases = [
        (form(&ann.email, "Ann", "correct horse", true), 409, "AUTH_ALREADY_EMAIL"),
        (form("new@example.com", "Ann", "correct horse", false), 400, "AUTH_TERMS_REQUIRED"),
        (form("new@example.com", "A", "correct horse", true), 400, "VALIDATION_FAILED"),
        (form("new@example.com", "Ann", "short", true), 400, "VALIDATION_FAILED"),
        (form("no address", "Ann", "correct horse", true), 400, "VALIDATION_FAILED"),
    ];
    for (body, status, code) in cases {
        let response = site.send(&Browser::default(), Method::POST, "/api/auth/signup/email-password", &body).await;
        let (found_status, found_code, _) = error(response).await;
        assert_eq!((found_status, found_code.as_str()), (status, code), "{body}");
    }
    site.finish().await;
}

#[actix_web::test]
async fn documented_limits_are_enforced() {
    let site = Site::start().await;
    let ann = site.person().await;
    let beyond = i64::from(i32::MAX) + 1;
    for (query, field) in [
        (format!("/api/general/input-asset/my?page={beyond}"), "page"),
        ("/api/general/input-asset/my?page=0".to_owned(), "page"),
        ("/api/general/input-asset/my?limit=101".to_owned(), "limit"),
        (format!("/api/general/notification-box/history?skip={beyond}"), "skip"),
    ] {
        let (status, _, refusal) = error(site.get(&ann, &query).await).await;
        assert_eq!((status, refusal["details"][0]["field"].as_str()), (400, Some(field)), "{query} was taken");
    }
    let names = [("/api/auth/me/name", Method::PATCH, 20), ("/api/general/api-key", Method::POST, 50)];
    for (path, method, most) in names {
        let name = format!("{} ", "a".repeat(most));
        let (status, _, refusal) = error(site.send(&ann, method, path, &json!({ "name": name })).await).await;
        assert_eq!((status, refusal["details"][0]["field"].as_str()), (400, Some("name")), "{path}: blanks count too");
    }
    let body = json!({ "name": "a", "prompt": { "workflow": { "nodes": [] } }, "thumbnails": [uuid::Uuid::nil()] });
    let (status, ..) = error(site.send(&ann, Method::POST, "/api/general/workflow", &body).await).await;
    let described = &verdigraph_http::openapi::value()["paths"]["/api/general/workflow"]["post"]["responses"];
    assert!(described[status.to_string()].is_object(), "{status} for an unknown picture is not described");
    site.finish().await;
}
