//! The node editor's files, settings and catalog, as the front end and other ComfyUI clients ask for them.

use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::editor_prompts::API;
use crate::jobs::with_idle_worker;
use crate::posts;
use crate::site::{Browser, Site, text};

/// A request whose body is not declared as JSON, as the front end sends it.
async fn post(site: &Site, who: &Browser, path: &str, body: &str) -> Response {
    let request = who.sign(site.ask(Method::POST, &format!("{API}{path}")));
    let request = request.header("content-type", "text/plain;charset=UTF-8").body(body.to_owned());
    request.send().await.expect("an answer")
}

async fn get(site: &Site, who: &Browser, path: &str) -> Response {
    site.get(who, &format!("{API}{path}")).await
}

async fn json_at(site: &Site, who: &Browser, path: &str) -> Value {
    let answer = get(site, who, path).await;
    assert_eq!(answer.status(), 200, "{path}");
    answer.json().await.expect("JSON")
}

const LIST: &str = "/userdata?dir=workflows&recurse=true&split=false&full_info=true";

#[actix_web::test]
async fn workflow_is_saved_listed_moved_and_deleted() {
    let site = Site::start().await;
    let ann = site.person().await;
    assert_eq!(json_at(&site, &ann, LIST).await, json!([]), "the folder of workflows always exists");
    assert_eq!(get(&site, &ann, "/userdata?dir=subgraphs").await.status(), 404);
    let graph = r#"{"nodes": [], "seed": 12345678901234567890, "x": 1.0, "odd": NaN}"#;
    let file = "/userdata/workflows%2FMy%20flow%20%ED%9D%90%EB%A6%84.json";
    let saved = post(&site, &ann, &format!("{file}?overwrite=false&full_info=true"), graph).await;
    assert_eq!(saved.status(), 200);
    let saved: Value = saved.json().await.expect("JSON");
    let now = site.core.clock.now().timestamp_millis();
    let path = "workflows/My flow 흐름.json";
    assert_eq!(saved, json!({ "path": path, "size": graph.len(), "modified": now, "created": now }));
    assert_eq!(post(&site, &ann, &format!("{file}?overwrite=false"), "{}").await.status(), 409);
    let read = get(&site, &ann, file).await;
    assert_eq!(read.headers()["content-type"], "application/json");
    assert_eq!(read.text().await.expect("a text"), graph, "the content was changed");
    let again: Value = post(&site, &ann, file, "{}").await.json().await.expect("JSON");
    assert_eq!(again, path);

    let bookmarks = "/userdata/workflows%2F.index.json";
    assert_eq!(post(&site, &ann, bookmarks, r#"{"bookmarks":[]}"#).await.status(), 200);
    assert_eq!(post(&site, &ann, "/userdata/workflows%2Fsub%2FB.json", "{}").await.status(), 200);
    let listed = json_at(&site, &ann, LIST).await;
    let names: Vec<&str> = listed.as_array().expect("a list").iter().filter_map(|file| file["path"].as_str()).collect();
    assert_eq!(names, ["My flow 흐름.json", "sub/B.json"], "bookmarks are no workflow");
    assert_eq!(json_at(&site, &ann, "/userdata?dir=workflows").await, json!(["My flow 흐름.json"]));
    let parts = json_at(&site, &ann, "/userdata?dir=workflows&recurse=true&split=true").await;
    assert_eq!(parts[1], json!(["sub/B.json", "sub", "B.json"]));

    let taken = post(&site, &ann, &format!("{file}/move/workflows%2Fsub%2FB.json?overwrite=false"), "").await;
    assert_eq!(taken.status(), 409);
    let moved = post(&site, &ann, &format!("{file}/move/workflows%2FC.json?overwrite=false&full_info=true"), "").await;
    assert_eq!(text(&moved.json().await.expect("JSON"), "path"), "workflows/C.json");
    assert_eq!(get(&site, &ann, file).await.status(), 404);
    let delete = async || {
        let path = format!("{API}/userdata/workflows%2FC.json");
        ann.sign(site.ask(Method::DELETE, &path)).send().await.expect("an answer").status().as_u16()
    };
    assert_eq!((delete().await, delete().await), (204, 404));
    site.finish().await;
}

#[actix_web::test]
async fn path_out_of_the_users_files_is_refused() {
    let site = Site::start().await;
    let ann = site.person().await;
    for out in ["workflows%2F..%2F..%2Fx", "..%2Fx", "%2Fetc%2Fpasswd", "%2e%2e%2fx", "a%5C..%5Cb", ".."] {
        // A client would resolve a plain `..` itself.
        let path = format!("/userdata/{}", out.replace("..", "%2E%2E"));
        assert!([403, 404].contains(&get(&site, &ann, &path).await.status().as_u16()), "{path} was read");
        let written = post(&site, &ann, &path, "{}").await.status().as_u16();
        assert!([403, 404, 405].contains(&written), "{path} was written: {written}");
    }
    assert_eq!(post(&site, &ann, "/userdata/a.json", "{}").await.status(), 200);
    assert_eq!(post(&site, &ann, "/userdata/a.json/move/..%2Fb.json", "").await.status(), 403);
    assert_eq!(get(&site, &ann, "/userdata?dir=..").await.status(), 403);
    assert_eq!(get(&site, &ann, "/userdata").await.status(), 400);
    assert_eq!(post(&site, &ann, "/userdata/a%00b", "{}").await.status(), 400);
    // A slash that is not escaped is another address.
    assert_eq!(get(&site, &ann, "/userdata/workflows/a.json").await.status(), 404);
    site.finish().await;
}

#[actix_web::test]
async fn file_and_setting_belong_to_one_user() {
    let site = Site::start().await;
    let (ann, bob, admin, guest) = (site.person().await, site.person().await, site.admin().await, Browser::default());
    assert_eq!(post(&site, &ann, "/userdata/workflows%2FA.json", "secret").await.status(), 200);
    assert_eq!(post(&site, &ann, "/settings/Comfy.Note", "\"secret\"").await.status(), 200);
    for stranger in [&bob, &admin, &guest] {
        assert_eq!(get(&site, stranger, "/userdata/workflows%2FA.json").await.status(), 404);
        assert_eq!(json_at(&site, stranger, LIST).await, json!([]));
        assert_eq!(json_at(&site, stranger, "/settings/Comfy.Note").await, Value::Null);
    }
    for path in ["/userdata/workflows%2FA.json", "/userdata/workflows%2FA.json/move/b", "/settings", "/settings/a"] {
        assert_eq!(post(&site, &guest, path, "{}").await.status(), 401, "{path} is written for a guest");
    }
    // A session without its token is another site's request.
    let forged = site.ask(Method::POST, &format!("{API}/settings/Comfy.Note")).body("1");
    let forged = forged.header("cookie", format!("vg_session={}", ann.session)).send().await.expect("an answer");
    assert_eq!(forged.status(), 403);
    let made = json!({ "name": "script" });
    let key: Value = site.send(&ann, Method::POST, "/api/general/api-key", &made).await.json().await.expect("a key");
    let by_key = site.ask(Method::GET, &format!("{API}/userdata/workflows%2FA.json"));
    let by_key = by_key.header("authorization", format!("Bearer {}", text(&key, "key"))).send().await;
    assert_eq!(by_key.expect("an answer").text().await.expect("a text"), "secret");
    let export: Value = site.get(&ann, "/api/auth/me/export").await.json().await.expect("a document");
    assert_eq!(
        (&export["editorFiles"][0]["text"], &export["editorSettings"]["Comfy.Note"]),
        (&json!("secret"), &json!("secret"))
    );
    site.finish().await;
}

#[actix_web::test]
async fn setting_is_stored_and_fixed_ones_stay() {
    let site = Site::start().await;
    let ann = site.person().await;
    let changes = r#"{"Comfy.Grid": 12, "Comfy.Workflow.Persist": true, "Comfy.Locale": "zh"}"#;
    assert_eq!(post(&site, &ann, "/settings", changes).await.status(), 200);
    assert_eq!(post(&site, &ann, "/settings/Comfy.TutorialCompleted", "false").await.status(), 200);
    assert_eq!(post(&site, &ann, "/settings/Comfy.VueNodes.Enabled", "true").await.status(), 200);
    let settings = json_at(&site, &ann, "/settings").await;
    assert_eq!((&settings["Comfy.Grid"], &settings["Comfy.VueNodes.Enabled"]), (&json!(12), &json!(true)));
    assert_eq!(
        (&settings["Comfy.Workflow.Persist"], &settings["Comfy.TutorialCompleted"], &settings["Comfy.Locale"]),
        (&json!(false), &json!(true), &json!("en"))
    );
    assert_eq!(settings["Comfy.CustomColorPalettes"]["platform"]["id"], settings["Comfy.ColorPalette"]);
    assert_eq!(json_at(&site, &ann, "/settings/Comfy.Grid").await, 12);
    assert_eq!(json_at(&site, &ann, "/settings/unknown").await, Value::Null);
    let korean = json!({ "language": "ko" });
    assert_eq!(site.send(&ann, Method::PATCH, "/api/auth/me/language", &korean).await.status(), 200);
    assert_eq!(json_at(&site, &ann, "/settings/Comfy.Locale").await, "ko");
    for wrong in ["", "[1]", "{\"a\":", "\"text\""] {
        assert_eq!(post(&site, &ann, "/settings", wrong).await.status(), 400, "{wrong} was stored");
    }
    site.finish().await;
}

#[actix_web::test]
async fn start_of_the_front_end_is_answered_to_users_and_guests() {
    let site = Site::start().await;
    let (running, _folder) = with_idle_worker(&site).await;
    let ann = site.person().await;
    for who in [&ann, &Browser::default()] {
        assert_eq!(json_at(&site, who, "/users").await, json!({ "storage": "server", "migrated": true }));
        for path in ["/i18n", "/global_subgraphs", "/node_replacements", "/workflow_templates"] {
            assert_eq!(json_at(&site, who, path).await, json!({}), "{path}");
        }
        let stats = json_at(&site, who, "/system_stats").await;
        assert!(stats["system"]["argv"].as_array().is_some_and(|argv| argv.contains(&json!("--disable-api-nodes"))));
        assert!(stats["system"]["comfyui_version"].is_string() && stats["devices"].is_array(), "{stats}");
        let extensions = json_at(&site, who, "/extensions").await;
        assert!(extensions[0].as_str().is_some_and(|path| path.ends_with(".js")), "{extensions}");
        assert_eq!(json_at(&site, who, "/features").await["supports_preview_metadata"], true);
        assert!(json_at(&site, who, "/embeddings").await.is_array());
        let folders = json_at(&site, who, "/experiment/models").await;
        for folder in folders.as_array().expect("folders") {
            let names = json_at(&site, who, &format!("/experiment/models/{}", text(folder, "name"))).await;
            assert!(names.as_array().expect("names").iter().all(|model| model["pathIndex"] == 0), "{names}");
        }
        assert_eq!(get(&site, who, "/models/none").await.status(), 404);
    }
    running.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn object_info_is_compressed_and_has_a_tag() {
    let site = Site::start().await;
    let (running, _folder) = with_idle_worker(&site).await;
    let ann = site.person().await;
    let plain = get(&site, &ann, "/object_info").await;
    let tag = plain.headers()["etag"].clone();
    let plain = plain.bytes().await.expect("bytes");
    let classes: Value = serde_json::from_slice(&plain).expect("JSON");
    assert_eq!(classes["EmptyImage"]["output"], json!(["IMAGE"]));
    let packed = ann.sign(site.ask(Method::GET, &format!("{API}/object_info"))).header("accept-encoding", "gzip, br");
    let packed = packed.send().await.expect("an answer");
    assert_eq!((&packed.headers()["content-encoding"], &packed.headers()["etag"]), (&"gzip".parse().unwrap(), &tag));
    assert!(packed.bytes().await.expect("bytes").len() * 3 < plain.len(), "it is sent nearly as large");
    let again = ann.sign(site.ask(Method::GET, &format!("{API}/object_info"))).header("if-none-match", tag.clone());
    let again = again.send().await.expect("an answer");
    assert_eq!(again.status(), 304);
    assert!(again.bytes().await.expect("bytes").is_empty());
    assert_eq!(json_at(&site, &ann, "/object_info/EmptyImage").await["EmptyImage"], classes["EmptyImage"]);
    assert_eq!(json_at(&site, &ann, "/object_info/Unknown").await, json!({}));
    running.stop().await.expect("the worker stops");
    site.finish().await;
}

#[actix_web::test]
async fn list_of_files_has_the_callers_own_uploads_only() {
    let site = Site::start().await;
    let (running, _folder) = with_idle_worker(&site).await;
    let (ann, bob) = (site.person().await, site.person().await);
    // In either spelling of a list.
    let listed = |classes: &Value| -> Value {
        let input = &classes["LoadImage"]["input"]["required"]["image"];
        if input[0].is_array() { input[0].clone() } else { input[1]["options"].clone() }
    };
    assert_eq!(listed(&json_at(&site, &ann, "/object_info").await), json!([]));
    let kept = json!({ "asset": posts::picture(&site, &ann, 5).await, "isPrivate": true });
    assert_eq!(site.send(&ann, Method::POST, "/api/general/input-asset", &kept).await.status(), 201);
    let own = listed(&json_at(&site, &ann, "/object_info").await);
    assert!(own.as_array().is_some_and(|files| files.len() == 1), "{own}");
    assert_eq!(listed(&json_at(&site, &ann, "/object_info/LoadImage").await), own);
    for stranger in [&bob, &Browser::default()] {
        assert_eq!(listed(&json_at(&site, stranger, "/object_info").await), json!([]));
        assert_eq!(listed(&json_at(&site, stranger, "/object_info/LoadImage").await), json!([]));
    }
    running.stop().await.expect("the worker stops");
    site.finish().await;
}
