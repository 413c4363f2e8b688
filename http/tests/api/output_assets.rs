//! Outputs in the gallery: who may see, like, mark, list and download them.

use std::io::{Cursor, Read as _};

use actix_web::web::Bytes;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use verdigraph_core::gallery::factory;
use verdigraph_core::ids::{OutputAssetId, UserId};

use crate::site::{Browser, Site, error, text};

async fn id_of(site: &Site, who: &Browser) -> UserId {
    let user: Value = site.get(who, "/api/auth").await.json().await.expect("a user");
    text(&user, "_id").parse().expect("an id")
}

/// A user's outputs with files, newest first.
async fn outputs(site: &Site, who: &Browser, count: usize) -> Vec<OutputAssetId> {
    let user = id_of(site, who).await;
    let mut new = Vec::new();
    for number in 0..count {
        let mut output = factory::output(user, site.core.clock.now());
        let bytes = Bytes::from([b"\x89PNG\r\n\x1a\n", format!(" number {number}").as_bytes()].concat());
        output.content = site.core.files.storage.put(bytes).await.expect("a file");
        new.push(output);
    }
    factory::insert(&site.core.db, &new).await;
    let mut ids: Vec<_> = new.iter().map(|output| output.id).collect();
    ids.sort_by(|a, b| b.cmp(a));
    ids
}

async fn publish(site: &Site, who: &Browser, ids: &[OutputAssetId]) {
    let body = json!({ "ids": ids, "isPrivate": false });
    let done = site.send(who, Method::PATCH, "/api/general/output-asset/privates", &body).await;
    assert_eq!(done.status(), 200, "{:?}", done.text().await);
}

async fn items(response: Response) -> Vec<Value> {
    assert_eq!(response.status(), 200);
    let body: Value = response.json().await.expect("a page");
    body["items"].as_array().cloned().expect("items")
}

#[actix_web::test]
async fn only_the_owner_sees_an_outputs_job() {
    let site = Site::start().await;
    let (ann, bob, admin) = (site.person().await, site.person().await, site.admin().await);
    let ids = outputs(&site, &ann, 1).await;
    publish(&site, &ann, &ids).await;
    let is_told = |view: &Value| view["job"]["_id"].is_string();
    for (who, told) in [(&ann, true), (&admin, true), (&bob, false)] {
        let found = site.get(who, &format!("/api/general/output-asset/{}", ids[0])).await;
        let found: Value = found.json().await.expect("a picture");
        assert_eq!(is_told(&found), told, "{found}");
    }
    for (who, told) in [(&ann, true), (&bob, false), (&Browser::default(), false)] {
        let found = site.get(who, &format!("/api/public/output-asset/{}", ids[0])).await;
        let found: Value = found.json().await.expect("a picture");
        let listed = items(site.get(who, "/api/public/output-asset").await).await;
        for view in [&found, &listed[0]] {
            assert_eq!(is_told(view), told, "{view}");
        }
    }
    site.finish().await;
}

#[actix_web::test]
async fn like_is_visible_to_its_user_and_listed() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let ids = outputs(&site, &ann, 1).await;
    publish(&site, &ann, &ids).await;
    let path = format!("/api/general/output-asset-like/{}", ids[0]);
    let liked: Value = site.send(&bob, Method::POST, &path, &json!({})).await.json().await.expect("a like");
    assert_eq!(liked, json!({ "isLike": true, "likeCount": 1 }));
    let shown = items(site.get(&bob, "/api/public/output-asset").await).await;
    assert_eq!(shown[0]["likes"], json!([id_of(&site, &bob).await]));
    let shown = items(site.get(&ann, "/api/public/output-asset").await).await;
    assert_eq!((&shown[0]["likes"], &shown[0]["likeCount"]), (&json!([]), &json!(1)), "who likes it is not told");
    assert_eq!(items(site.get(&bob, "/api/general/output-asset/like").await).await.len(), 1);

    let filter = format!("?filter={{\"_id\":{{\"$in\":[\"{}\"]}}}}", ids[0]);
    let gone = site.send(&ann, Method::DELETE, &format!("/api/general/output-asset{filter}"), &json!({})).await;
    assert_eq!(gone.status(), 200);
    let left = items(site.get(&bob, "/api/general/output-asset/like").await).await;
    assert_eq!((&left[0]["viewCount"], text(&left[0], "rawUrl").as_str()), (&json!(-1), ""), "its place stays");
    site.finish().await;
}

#[actix_web::test]
async fn filter_by_id_returns_only_visible_outputs() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let ids = outputs(&site, &ann, 2).await;
    publish(&site, &ann, &ids[..1]).await;
    let path = format!("/api/public/output-asset?filter={{\"_id\":{{\"$in\":[\"{}\",\"{}\"]}}}}", ids[1], ids[0]);
    assert_eq!(items(site.get(&ann, &path).await).await.len(), 2);
    assert_eq!(items(site.get(&bob, &path).await).await.len(), 1);
    let (status, _, body) = error(site.get(&bob, "/api/public/output-asset?filter={\"name\":1}").await).await;
    assert_eq!(status, 400);
    assert!(body["details"][0]["field"].as_str().is_some_and(|field| field.starts_with("filter")), "{body}");
    site.finish().await;
}

#[actix_web::test]
async fn archive_lists_missing_files() {
    let site = Site::start().await;
    let ann = site.person().await;
    let ids = outputs(&site, &ann, 3).await;
    let mut lost = factory::output(id_of(&site, &ann).await, site.core.clock.now());
    lost.media = verdigraph_core::assets::MediaType::Webp;
    factory::insert(&site.core.db, std::slice::from_ref(&lost)).await;
    let mut wanted = ids.clone();
    wanted.push(lost.id);
    let answer = site.send(&ann, Method::POST, "/api/general/output-asset/zip", &json!({ "ids": wanted })).await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-disposition"], "attachment; filename=\"20260101_000000.zip\"");
    let bytes = answer.bytes().await.expect("an archive");
    let mut archive = zip_reader(&bytes);
    let names: Vec<String> = archive.keys().cloned().collect();
    assert_eq!(names, ["20260101_000000.png", "20260101_000000_2.png", "20260101_000000_3.png", "not-included.txt"]);
    let newest = archive.remove("20260101_000000.png").expect("a file");
    assert!(newest.ends_with(b"number 2"), "files are in the order of the ids");
    assert_eq!(archive["not-included.txt"], b"20260101_000000.webp\n");
    site.finish().await;
}

#[actix_web::test]
async fn archive_has_only_visible_outputs() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let ids = outputs(&site, &ann, 3).await;
    publish(&site, &ann, &ids).await;
    let outputs = verdigraph_core::gallery::find_all(&site.core, &ids).await.expect("outputs");
    let of = |id: OutputAssetId| outputs.iter().find(|output| output.id == id).expect("one of them");
    let [hidden, unclean, plain] = [of(ids[0]), of(ids[1]), of(ids[2])];
    sqlx::query("INSERT INTO content_locks (content, holder, locked_at) VALUES ($1, $2, now())")
        .bind(hidden.content.as_str())
        .bind(hidden.id.0)
        .execute(&site.core.db)
        .await
        .expect("a lock");
    sqlx::query("UPDATE output_assets SET is_clean = false, clean_tries = 6 WHERE id = $1")
        .bind(unclean.id.0)
        .execute(&site.core.db)
        .await
        .expect("one that cannot be cleaned");
    for (who, given) in [(&ann, vec![unclean, plain]), (&bob, vec![plain])] {
        for output in &outputs {
            let status = site.get(who, &format!("/media/raw/{}.png", output.content.as_str())).await.status();
            assert_eq!(status == 200, given.iter().any(|one| one.id == output.id), "{status} for one alone");
        }
        let answer = site.send(who, Method::POST, "/api/general/output-asset/zip", &json!({ "ids": ids })).await;
        assert_eq!(answer.status(), 200);
        let archive = zip_reader(&answer.bytes().await.expect("an archive"));
        assert_eq!(archive.len(), given.len(), "{:?}", archive.keys());
    }
    let only = json!({ "ids": [hidden.id] });
    let refused = site.send(&bob, Method::POST, "/api/general/output-asset/zip", &only).await;
    assert_eq!(refused.status(), 404, "what a moderator has hidden is there");
    site.finish().await;
}

#[actix_web::test]
async fn nsfw_outputs_are_listed_on_request() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let ids = outputs(&site, &ann, 2).await;
    publish(&site, &ann, &ids).await;
    let mark = format!("/api/general/output-asset/{}/nsfw", ids[1]);
    let admin = site.admin().await;
    assert_eq!(site.send(&admin, Method::PATCH, &mark, &json!({ "isNsfw": true })).await.status(), 200);
    let of_ann = format!("/api/public/output-asset/published/{}", id_of(&site, &ann).await);
    let marked = "/api/public/output-asset?filter={\"isNsfw\":true}".to_owned();
    for list in ["/api/public/output-asset".to_owned(), of_ann] {
        for (word, expected) in
            [("", &ids[..1]), ("?nsfw=Hide", &ids[..1]), ("?nsfw=View", &ids[..]), ("?nsfw=Only", &ids[1..])]
        {
            let found = items(site.get(&bob, &format!("{list}{word}")).await).await;
            let found: Vec<String> = found.iter().map(|item| text(item, "_id")).collect();
            assert_eq!(found, expected.iter().map(ToString::to_string).collect::<Vec<_>>(), "{list}{word}");
        }
        assert_eq!(error(site.get(&bob, &format!("{list}?nsfw=maybe")).await).await.0, 400);
    }
    assert_eq!(items(site.get(&bob, &marked).await).await.len(), 1, "a mark that a filter names");
    site.finish().await;
}

/// The files of an archive, read from its beginning like Java's `ZipInputStream`: without the directory at the end.
pub fn zip_reader(bytes: &[u8]) -> std::collections::BTreeMap<String, Vec<u8>> {
    let number = |at: usize, length: usize| {
        bytes[at..at + length].iter().rev().fold(0_usize, |sum, byte| (sum << 8) | usize::from(*byte))
    };
    let (mut at, mut files) = (0, std::collections::BTreeMap::new());
    while bytes[at..].starts_with(b"PK\x03\x04") {
        let (flags, method) = (number(at + 6, 2), number(at + 8, 2));
        assert_eq!((flags & 1 << 3 != 0, method), (true, 8), "sizes behind a file that is not deflated");
        let (name, extra) = (number(at + 26, 2), number(at + 28, 2));
        let named = String::from_utf8(bytes[at + 30..at + 30 + name].to_vec()).expect("a name");
        at += 30 + name + extra;
        let (mut file, mut is_last) = (Vec::new(), false);
        while !is_last {
            is_last = bytes[at] == 1;
            let length = number(at + 1, 2);
            Cursor::new(&bytes[at + 5..at + 5 + length]).read_to_end(&mut file).expect("a block");
            at += 5 + length;
        }
        assert!(bytes[at..].starts_with(b"PK\x07\x08") && number(at + 12, 4) == file.len(), "{named}");
        at += 16;
        files.insert(named, file);
    }
    assert!(bytes[at..].starts_with(b"PK\x01\x02"), "the directory");
    files
}

#[actix_web::test]
async fn owner_can_hide_a_published_outputs_origin() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let ids = outputs(&site, &ann, 1).await;
    let body = json!({ "ids": ids, "isPrivate": false, "showsOrigin": false });
    let done = site.send(&ann, Method::PATCH, "/api/general/output-asset/privates", &body).await;
    assert_eq!(done.status(), 200);
    let shown: Value = done.json().await.expect("pictures");
    assert_eq!(shown["items"][0]["showsOrigin"], json!(false));
    let path = format!("/api/public/output-asset/{}/origin", ids[0]);
    let told: Value = site.get(&bob, &path).await.json().await.expect("an origin");
    assert_eq!((&told["isTold"], &told["settings"]), (&json!(false), &json!([])));
    site.finish().await;
}

#[actix_web::test]
async fn public_picture_can_be_copied_to_own_uploads() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let ids = outputs(&site, &ann, 1).await;
    let path = format!("/api/general/output-asset/{}/upload", ids[0]);
    assert_eq!(site.send(&bob, Method::POST, &path, &json!({})).await.status(), 404, "it is private");
    publish(&site, &ann, &ids).await;
    let kept = site.send(&bob, Method::POST, &path, &json!({})).await;
    assert_eq!(kept.status(), 201);
    let asset: Value = kept.json().await.expect("an upload");
    let again: Value = site.send(&bob, Method::POST, &path, &json!({})).await.json().await.expect("an upload");
    assert_eq!(asset["_id"], again["_id"], "the same picture is kept once");
    let raw = format!("/media/raw/{}", text(&asset, "key"));
    assert_eq!(site.get(&bob, &raw).await.status(), 200, "its bytes are there");
    site.finish().await;
}

#[actix_web::test]
async fn revoked_key_ends_the_archive() {
    const BYTES: usize = 64 << 20;
    let site = Site::with(|settings| settings.limits.streams_per_account = 1).await;
    let ann = site.person().await;
    let mut large = factory::output(id_of(&site, &ann).await, site.core.clock.now());
    large.content = site.core.files.storage.put(Bytes::from(vec![7; BYTES])).await.expect("a file");
    factory::insert(&site.core.db, std::slice::from_ref(&large)).await;
    let made = site.send(&ann, Method::POST, "/api/general/api-key", &json!({ "name": "script" })).await;
    let key: Value = made.json().await.expect("JSON");
    let asked = site.ask(Method::POST, "/api/general/output-asset/zip").header("api-key", text(&key, "key"));
    let mut archive = asked.json(&json!({ "ids": [large.id] })).send().await.expect("an answer");
    assert_eq!(archive.status(), 200);
    let mut read = archive.chunk().await.expect("a piece").expect("a beginning").len();
    let path = "/api/general/output-asset/zip";
    let again = async || site.send(&ann, Method::POST, path, &json!({ "ids": [large.id] })).await.status().as_u16();
    assert_eq!(again().await, 429, "its place was freed while the client does not read");

    let revoke = format!("/api/general/api-key/{}", text(&key, "_id"));
    assert_eq!(site.send(&ann, Method::DELETE, &revoke, &json!({})).await.status(), 204);
    let began = std::time::Instant::now();
    while again().await == 429 {
        assert!(began.elapsed().as_secs() < 10, "the archive is still written for a key that has gone");
    }
    while let Ok(Some(piece)) = archive.chunk().await {
        read += piece.len();
    }
    assert!(read < BYTES, "all of it was given out after the key had gone");
    site.finish().await;
}

#[actix_web::test]
async fn only_the_owner_sees_why_an_output_is_hidden() {
    let site = Site::start().await;
    let (ann, bob, admin) = (site.person().await, site.person().await, site.admin().await);
    let ids = outputs(&site, &ann, 2).await;
    publish(&site, &ann, &ids).await;
    let report = json!({ "kind": "OutputAsset", "id": ids[0], "reason": "Copyright" });
    assert_eq!(site.send(&bob, Method::POST, "/api/general/report", &report).await.status(), 201);
    let queue = items(site.get(&admin, "/api/admin/moderation?kind=OutputAsset").await).await;
    let decide = format!("/api/admin/moderation/{}/decide", text(&queue[0], "_id"));
    let hide = json!({ "revision": queue[0]["revision"], "verdict": "Hide" });
    assert_eq!(site.send(&admin, Method::POST, &decide, &hide).await.status(), 200);

    let why = json!({ "reasons": ["Copyright"] });
    let path = format!("/api/general/output-asset/{}", ids[0]);
    for who in [&ann, &admin] {
        let one: Value = site.get(who, &path).await.json().await.expect("an output");
        assert_eq!(one["moderation"], why, "{}", who.email);
    }
    let mine = items(site.get(&ann, "/api/general/output-asset/my").await).await;
    let told: Vec<&Value> = mine.iter().map(|one| &one["moderation"]).collect();
    assert_eq!(told, [&why, &Value::Null], "only what is hidden says so");
    assert_eq!(site.get(&bob, &path).await.status(), 404);
    site.finish().await;
}

#[actix_web::test]
async fn output_as_a_thumbnail_is_as_visible_as_the_workflow() {
    let site = Site::start().await;
    let (ann, bob, admin) = (site.person().await, site.person().await, site.admin().await);
    let ids = outputs(&site, &ann, 2).await;
    publish(&site, &ann, &ids[1..]).await;
    let copy = |id: OutputAssetId| format!("/api/general/output-asset/{id}/thumbnail");
    for (who, id, status) in [(&bob, ids[0], 404), (&bob, ids[1], 403), (&admin, ids[0], 403), (&admin, ids[1], 403)] {
        let refused = site.send(who, Method::POST, &copy(id), &json!({})).await;
        assert_eq!(refused.status(), status, "another user's output became a thumbnail");
    }
    let asset = site.send(&ann, Method::POST, &copy(ids[0]), &json!({})).await;
    assert_eq!(asset.status(), 201);
    let asset: Value = asset.json().await.expect("an upload");
    let guest = Browser::default();
    let seen = async || site.get(&guest, &text(&asset, "url")).await.status().as_u16();
    assert_eq!(seen().await, 404, "a private output is public before its workflow is");
    let post = crate::posts::post(&site, &ann, "Thumbnails").await;
    let path = format!("/api/general/workflow/{post}");
    let shown: Value = site.get(&ann, &path).await.json().await.expect("a post");
    let first = text(&shown["thumbnails"][0], "_id");
    let pictures = |ids: &[&str]| json!({ "thumbnails": ids });
    let changed = pictures(&[&first, &text(&asset, "_id")]);
    assert_eq!(site.send(&ann, Method::PATCH, &path, &changed).await.status(), 200);
    assert_eq!(seen().await, 200, "a viewer of the workflow does not see its thumbnail");
    let output = site.get(&guest, &format!("/api/public/output-asset/{}", ids[0])).await;
    assert_eq!(output.status(), 404, "the thumbnail published the output itself");
    let filter = json!({ "_id": { "$in": [ids[0]] } }).to_string();
    let delete = site.ask(Method::DELETE, "/api/general/output-asset").query(&[("filter", filter)]);
    assert_eq!(ann.sign(delete).send().await.expect("an answer").status(), 200);
    assert_eq!(seen().await, 200, "the thumbnail went with its output");
    assert_eq!(site.send(&ann, Method::PATCH, &path, &pictures(&[&first])).await.status(), 200);
    assert_eq!(seen().await, 404, "a removed thumbnail is still public");
    site.finish().await;
}
