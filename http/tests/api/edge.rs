//! Rules for all responses: the gate holds for every spelling of an address, and methods and headers follow HTTP.

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::site::{Browser, Site, error};

/// Head and body of the response to a raw address, which client libraries would normalize.
async fn raw(site: &Site, method: &str, target: &str) -> (u16, String) {
    let host = site.url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).await.expect("a connection");
    let request = format!("{method} {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("a request");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("an answer");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, answer.to_lowercase())
}

#[actix_web::test]
async fn encoded_paths_do_not_bypass_the_gate() {
    let site = Site::start().await;
    for closed in [
        "/api/general/workflow",
        "/api/gener%61l/workflow",
        "/%61pi/general/credit",
        "/%61%70%69/%67eneral/credit/",
        "/api/gener%61l/workflow/?filter=%7B%7D",
        "/api/%61dmin/audit",
    ] {
        let (status, answer) = raw(&site, "GET", closed).await;
        assert_eq!(status, 401, "{closed}");
        assert!(answer.contains("cache-control: no-store"), "{closed}: {answer}");
    }
    // Routing finds nothing at these addresses.
    for elsewhere in [
        "/api//general/workflow",
        "/api/./general/workflow",
        "/api/x/../general/workflow",
        "/api%2fgeneral%2fworkflow.json",
        "/api/general%2fworkflow",
        "/api/gener%2561l/workflow",
        "//api/general/workflow",
        "/./api/general/workflow.json",
    ] {
        let (status, answer) = raw(&site, "GET", elsewhere).await;
        assert!(status == 404 || status == 401, "{elsewhere} gave {status}: {answer}");
    }
    let person = site.person().await;
    let (status, code, _) = error(site.get(&person, "/api/%61dmin/audit").await).await;
    assert_eq!((status, code.as_str()), (403, "FORBIDDEN"));
    let open = raw(&site, "GET", "/%61pi/public/workflow").await;
    assert!(open.0 == 200 && open.1.contains("cache-control: no-store"), "{open:?}");
    let file = raw(&site, "GET", "/%6dedia/raw/nothing.png").await;
    assert!(file.0 == 404 && file.1.contains("sandbox"), "{file:?}");
    site.finish().await;
}

#[actix_web::test]
async fn head_equals_get_without_a_body() {
    let site = Site::start().await;
    let ann = site.person().await;
    for path in ["/api/public/workflow", "/api/auth", "/api/openapi.json", "/api/general/credit"] {
        let get = site.get(&ann, path).await;
        let head = ann.sign(site.ask(Method::HEAD, path)).send().await.expect("an answer");
        assert_eq!((head.status(), get.status().as_u16()), (get.status(), 200), "{path}");
        assert_eq!(head.headers().get("content-type"), get.headers().get("content-type"), "{path}");
        assert!(head.text().await.expect("a body").is_empty(), "{path}");
    }
    let refused = site.ask(Method::HEAD, "/api/general/credit").send().await.expect("an answer");
    assert_eq!(refused.status(), 401, "a guest is none the wiser");
    let stream = ann.sign(site.ask(Method::HEAD, "/api/general/notification-box/events")).send();
    let stream = tokio::time::timeout(std::time::Duration::from_secs(30), stream).await;
    assert_eq!(stream.expect("a stream is not begun").expect("an answer").status(), 200);
    site.finish().await;
}

#[actix_web::test]
async fn wrong_method_gets_405_with_allow() {
    let site = Site::start().await;
    for (method, path, allowed) in [
        (Method::PUT, "/api/auth", vec!["GET", "HEAD"]),
        (Method::GET, "/api/auth/logout", vec!["POST"]),
        (Method::PUT, "/api/auth/me/session", vec!["DELETE", "GET", "HEAD"]),
        (Method::POST, "/media/raw/x.png", vec!["GET", "HEAD"]),
        (Method::DELETE, "/gallery", vec!["GET", "HEAD"]),
    ] {
        let answer = site.ask(method.clone(), path).send().await.expect("an answer");
        let told = answer.headers().get("allow").map(|value| value.to_str().expect("text").to_owned());
        let mut told: Vec<String> = told.iter().flat_map(|text| text.split(", ").map(str::to_owned)).collect();
        told.sort();
        let (status, code, _) = error(answer).await;
        assert_eq!((status, code.as_str()), (405, "METHOD_NOT_ALLOWED"), "{method} {path}");
        assert_eq!(told, allowed, "{method} {path}");
    }
    site.finish().await;
}

#[actix_web::test]
async fn clients_request_id_is_not_used() {
    let site = Site::start().await;
    let given = "01234567-chosen-by-the-sender";
    let answer = site.ask(Method::GET, "/api/auth").header("X-Request-Id", given).send().await.expect("an answer");
    let ours = answer.headers()["x-request-id"].to_str().expect("text").to_owned();
    assert!(ours != given && uuid::Uuid::parse_str(&ours).is_ok(), "{ours}");
    let admin = site.admin().await;
    let grant = json!({ "user": site.get(&admin, "/api/auth").await.json::<Value>().await.expect("JSON")["_id"],
        "amount": 5, "reason": "a test" });
    let request = admin.sign(site.ask(Method::POST, "/api/admin/credit/grant")).header("X-Request-Id", given);
    let answer = request.json(&grant).send().await.expect("an answer");
    assert_eq!(answer.status(), 201);
    let log: Value = site.get(&admin, "/api/admin/audit?action=credit.grant").await.json().await.expect("JSON");
    assert!(!log.to_string().contains(given) && log.to_string().contains("requestId"), "{log}");
    site.finish().await;
}

#[actix_web::test]
async fn https_installation_sends_hsts() {
    for (base, told) in [(Some("https://verdigraph.example"), true), (Some("http://verdigraph.example"), false)] {
        let site = Site::with(|settings| settings.server.base_url = base.map(str::to_owned)).await;
        for path in ["/api/public/sign-in-options", "/api/nothing", "/media/raw/x.png", "/gallery"] {
            let answer = site.get(&Browser::default(), path).await;
            assert_eq!(answer.headers().contains_key("strict-transport-security"), told, "{base:?} {path}");
        }
        site.finish().await;
    }
}

#[actix_web::test]
async fn array_instead_of_an_object_is_refused() {
    let site = Site::start().await;
    let ann = site.person().await;
    for (path, body, field) in [
        ("/api/general/api-key", json!(["script"]), "body"),
        ("/api/auth/login/email-password", json!(["a@example.com", "correct horse"]), "body"),
        ("/api/general/contact-point", json!({ "homepage": ["https://a.example", 1] }), "homepage"),
    ] {
        let (status, code, body) = error(site.send(&ann, Method::POST, path, &body).await).await;
        assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"), "{path}: {body}");
        assert_eq!(body["details"][0]["field"], field, "{path}");
    }
    site.finish().await;
}

#[actix_web::test]
async fn invalid_dates_are_refused() {
    let site = Site::start().await;
    let admin = site.admin().await;
    let me = site.get(&admin, "/api/auth").await.json::<Value>().await.expect("JSON")["_id"].clone();
    for day in ["-4714-01-01", "-262000-01-01", "%2B262142-12-31", "%2B10000-01-01"] {
        let time = format!("{day}T00:00:00Z");
        let asked = [
            format!("/api/general/workflow?filter=%7B%22createdAt%22%3A%7B%22%24gte%22%3A%22{time}%22%7D%7D"),
            format!("/api/general/output-asset/count?filter=%7B%22createdAt%22%3A%7B%22%24lt%22%3A%22{time}%22%7D%7D"),
            format!("/api/general/output-asset/stats?startDate={day}&endDate={day}"),
            format!("/api/general/user/stats?startDate={time}&endDate={time}"),
            format!("/api/general/job/stats?startDate={day}"),
            format!("/api/general/comment/stats?endDate={time}"),
            format!("/api/public/comment/stats?startDate={day}"),
            format!("/api/general/notification/stats?startDate={time}"),
            format!("/api/general/input-asset/stats?startDate={day}"),
            format!("/api/general/workflow-api/stats?endDate={day}"),
            format!("/api/admin/audit?from={time}"),
            format!("/api/admin/audit?to={time}"),
        ];
        for path in asked {
            let (status, code, body) = error(site.get(&admin, &path).await).await;
            assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"), "{path}: {body}");
        }
        let expires_at = time.replace("%2B", "+");
        let video = json!({ "url": "https://youtu.be/dQw4w9WgXcQ", "youtubeCreatedAt": expires_at });
        let refused = site.send(&admin, Method::POST, "/api/admin/youtube-community", &video).await;
        let (status, _, body) = error(refused).await;
        assert_eq!((status, &body["details"][0]["field"]), (400, &json!("youtubeCreatedAt")), "{day}: {body}");
        let grant = json!({ "user": me, "amount": 5, "reason": "a test", "expiresAt": expires_at });
        let refused = site.send(&admin, Method::POST, "/api/admin/credit/grant", &grant).await;
        let (status, _, body) = error(refused).await;
        assert_eq!((status, &body["details"][0]["field"]), (400, &json!("expiresAt")), "{day}: {body}");
    }
    site.finish().await;
}

#[actix_web::test]
async fn impossible_grants_are_refused() {
    let site = Site::start().await;
    let admin = site.admin().await;
    let me = site.get(&admin, "/api/auth").await.json::<Value>().await.expect("JSON")["_id"].clone();
    let before: Value = site.get(&admin, "/api/general/credit").await.json().await.expect("JSON");
    let good = json!({ "user": me, "amount": 5, "reason": "a test" });
    let with = |field: &str, value: Value| {
        let mut body = good.clone();
        body[field] = value;
        body
    };
    for (field, value) in [
        ("amount", json!(0)),
        ("amount", json!(-5)),
        ("amount", json!(1_000_000_000_001_i64)),
        ("amount", json!(i64::MAX)),
        ("expiresAt", json!("2025-12-31T23:59:59Z")),
        ("kind", json!("Present")),
        ("reason", json!(" ")),
        ("reason", json!("x".repeat(201))),
    ] {
        let refused = site.send(&admin, Method::POST, "/api/admin/credit/grant", &with(field, value.clone())).await;
        let (status, code, body) = error(refused).await;
        assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"), "{field} {value}: {body}");
        assert_eq!(body["details"][0]["field"], field, "{value}: {body}");
    }
    let unknown = with("user", json!(uuid::Uuid::now_v7()));
    assert_eq!(error(site.send(&admin, Method::POST, "/api/admin/credit/grant", &unknown).await).await.0, 404);
    let after: Value = site.get(&admin, "/api/general/credit").await.json().await.expect("JSON");
    assert_eq!(after, before, "a grant that was refused has changed something");
    assert_eq!(site.send(&admin, Method::POST, "/api/admin/credit/grant", &good).await.status(), 201);
    site.finish().await;
}
