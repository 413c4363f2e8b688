//! The node editor's front end, with a small folder in its place.

use std::path::Path;

use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
    ETAG, IF_NONE_MATCH, LOCATION, X_FRAME_OPTIONS,
};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::posts::{draft, post};
use crate::site::{Browser, Site, error};

const EDITOR: &str = "/comfyui-editor/";
const SCRIPT: &str = "/comfyui-editor/assets/index-BK-6hEfU.js";
const EXTENSION: &str = "/comfyui-editor/extensions/platform/v1/platform.js";
const PAGE: &str = "<!doctype html><html><head><title>Editor</title></head></html>";

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

/// A server with a front end of four files.
async fn site() -> (Site, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    write(at, "index.html", PAGE);
    write(at, "assets/index-BK-6hEfU.js", "plain");
    write(at, "assets/index-BK-6hEfU.js.br", "brotli");
    write(at, "assets/index-BK-6hEfU.js.gz", "gzip");
    write(at, "extensions/platform/v1/platform.js", "one()");
    write(at, "user.css", ":root{}");
    write(at, "editor.json", &json!({ "version": "1", "inline_scripts": ["sha256-abc="] }).to_string());
    write(at, ".installed", "mark");
    let front_end = at.to_path_buf();
    (Site::with(move |settings| settings.set_editor_folder(front_end)).await, folder)
}

fn navigation(site: &Site, who: &Browser, path: &str) -> RequestBuilder {
    who.sign(site.ask(Method::GET, path)).header(ACCEPT, "text/html,*/*;q=0.8")
}

async fn opened(site: &Site, who: &Browser, query: &str) -> Response {
    navigation(site, who, &format!("{EDITOR}{query}")).send().await.expect("an answer")
}

fn header(response: &Response, name: reqwest::header::HeaderName) -> String {
    response.headers().get(name).map(|value| value.to_str().expect("text").to_owned()).unwrap_or_default()
}

#[actix_web::test]
async fn page_is_for_signed_in_users_and_has_its_own_policy() {
    let (site, _folder) = site().await;
    let ann = site.person().await;
    let page = opened(&site, &ann, "?new=true").await;
    assert_eq!(page.status(), 200);
    assert_eq!(header(&page, X_FRAME_OPTIONS), "SAMEORIGIN");
    assert_eq!(header(&page, CACHE_CONTROL), "no-cache");
    let policy = header(&page, CONTENT_SECURITY_POLICY);
    assert!(policy.contains("script-src 'self' 'wasm-unsafe-eval' 'sha256-abc=';"), "{policy}");
    assert!(policy.contains("frame-ancestors 'self'") && !policy.contains("youtube"), "{policy}");
    assert_eq!(page.text().await.expect("a body"), PAGE);
    assert!(is_installed(&site).await);

    let refused = opened(&site, &Browser::default(), "?flow=%3Cb%3E&x=\"").await;
    assert_eq!((refused.status().as_u16(), header(&refused, CACHE_CONTROL).as_str()), (401, "no-store"));
    let text = refused.text().await.expect("a body");
    assert!(text.contains("href=\"/comfyui?flow=%3Cb%3E&amp;x=") && !text.contains("x=\"\""), "{text}");
    site.finish().await;
}

#[actix_web::test]
async fn guests_open_read_only_frames_of_public_workflows() {
    let (site, _folder) = site().await;
    let ann = site.person().await;
    let public = post(&site, &ann, "Boats").await;
    let private = draft(&site, &ann, "Cars").await;
    let guest = Browser::default();
    for (query, status) in [
        (format!("?flow={public}&readonly=true"), 200),
        (format!("?flow={public}"), 401),
        (format!("?flow={public}&readonly=false"), 401),
        (format!("?flow={private}&readonly=true"), 401),
        (format!("?flow={private}&image={private}&readonly=true"), 401),
        ("?flow=nothing&readonly=true".to_owned(), 401),
        ("?readonly=true".to_owned(), 401),
    ] {
        assert_eq!(opened(&site, &guest, &query).await.status(), status, "{query}");
    }
    assert_eq!(opened(&site, &ann, &format!("?flow={private}&readonly=true")).await.status(), 200);
    let index = navigation(&site, &guest, "/comfyui-editor/index.html").send().await.expect("an answer");
    assert_eq!(index.status(), 401, "the file is the page");
    site.finish().await;
}

#[actix_web::test]
async fn address_without_a_slash_redirects_with_its_query() {
    let (site, _folder) = site().await;
    let moved = site.get(&Browser::default(), "/comfyui-editor?flow=1&readonly=true").await;
    assert_eq!((moved.status().as_u16(), header(&moved, LOCATION)), (308, format!("{EDITOR}?flow=1&readonly=true")));
    let moved = site.get(&Browser::default(), "/comfyui-editor").await;
    assert_eq!(header(&moved, LOCATION), EDITOR);
    site.finish().await;
}

#[actix_web::test]
async fn hashed_files_never_change_and_come_compressed() {
    let (site, _folder) = site().await;
    for (accepted, encoding, body) in
        [("gzip, br", "br", "brotli"), ("gzip", "gzip", "gzip"), ("identity", "", "plain")]
    {
        let request = site.ask(Method::GET, SCRIPT).header(ACCEPT_ENCODING, accepted);
        let response = request.send().await.expect("an answer");
        assert_eq!(header(&response, CONTENT_ENCODING), encoding, "{accepted}");
        assert_eq!(header(&response, CACHE_CONTROL), "public, max-age=31536000, immutable");
        assert_eq!(header(&response, CONTENT_TYPE), "text/javascript; charset=utf-8");
        assert!(header(&response, CONTENT_SECURITY_POLICY).contains("wasm-unsafe-eval"), "workers have this policy");
        let tag = header(&response, ETAG);
        assert_eq!(response.text().await.expect("a body"), body, "{accepted}");
        let request = site.ask(Method::GET, SCRIPT).header(ACCEPT_ENCODING, accepted).header(IF_NONE_MATCH, tag);
        assert_eq!(request.send().await.expect("an answer").status(), 304, "{accepted}");
    }
    site.finish().await;
}

#[actix_web::test]
async fn other_files_are_revalidated() {
    let (site, folder) = site().await;
    let before = site.get(&Browser::default(), EXTENSION).await;
    assert_eq!(header(&before, CACHE_CONTROL), "no-cache");
    let tag = header(&before, ETAG);
    let again = || site.ask(Method::GET, EXTENSION).header(IF_NONE_MATCH, tag.clone()).send();
    assert_eq!(again().await.expect("an answer").status(), 304);
    write(folder.path(), "extensions/platform/v1/platform.js", "two()");
    let after = again().await.expect("an answer");
    assert_eq!(after.text().await.expect("a body"), "two()");
    assert_eq!(header(&site.get(&Browser::default(), "/comfyui-editor/user.css").await, CACHE_CONTROL), "no-cache");
    site.finish().await;
}

#[actix_web::test]
async fn only_files_of_the_front_end_are_served() {
    let (site, folder) = site().await;
    let ann = site.person().await;
    write(folder.path().parent().expect("a folder"), "secret.txt", "secret");
    for path in [
        "editor.json",
        ".installed",
        "assets/index-BK-6hEfU.js.br",
        "assets/nothing-BK-6hEfU.js",
        "fonts",
        "assets/..%2f..%2fsecret.txt",
        "assets/..%5c..%5csecret.txt",
        "%2fetc%2fpasswd",
    ] {
        let (status, _, body) = error(site.get(&ann, &format!("{EDITOR}{path}")).await).await;
        assert_eq!(status, 404, "{path}");
        // As ComfyUI's clients expect errors.
        assert_eq!((&body["error"]["type"], &body["node_errors"]), (&"not_found".into(), &json!({})), "{path}");
    }
    let (status, code, _) = error(site.send(&ann, Method::POST, SCRIPT, &Value::Null).await).await;
    assert_eq!((status, code.as_str()), (405, "METHOD_NOT_ALLOWED"));
    site.finish().await;
}

async fn is_installed(site: &Site) -> bool {
    let answer = site.get(&Browser::default(), "/comfyui-editor/installed.json").await;
    assert_eq!(answer.status(), 200);
    answer.json::<Value>().await.expect("JSON")["installed"].as_bool().expect("a bool")
}

#[actix_web::test]
async fn missing_front_end_is_explained() {
    let site = Site::start().await;
    let ann = site.person().await;
    let page = opened(&site, &ann, "?new=true").await;
    assert_eq!(page.status(), 503);
    assert!(page.text().await.expect("a body").contains("make editor"));
    let korean = navigation(&site, &ann, EDITOR).header(ACCEPT_LANGUAGE, "ko-KR,ko;q=0.9").send().await;
    assert!(korean.expect("an answer").text().await.expect("a body").contains("설치되어 있지 않습니다"));
    let (status, code, body) = error(site.get(&ann, EDITOR).await).await;
    assert_eq!((status, code.as_str()), (503, "UNAVAILABLE"));
    assert!(body["message"].as_str().expect("a message").contains("files.editor"), "{body}");
    assert!(!is_installed(&site).await);
    site.finish().await;
}
