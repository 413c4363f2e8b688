//! Outputs of all kinds of files: their names and types when saved, and which of them can be published.

use actix_web::web::Bytes;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use verdigraph_core::assets::MediaType;
use verdigraph_core::gallery::{NewOutputAsset, factory};
use verdigraph_core::ids::OutputAssetId;

use crate::site::{Browser, Site, error, text};

/// An output with this file name, stored like the output of a job.
async fn output(site: &Site, who: &Browser, name: &str, bytes: &'static [u8]) -> OutputAssetId {
    stored(site, who, Some(name), bytes).await
}

/// An output with this file, stored like the output of a job.
pub async fn stored(site: &Site, who: &Browser, name: Option<&str>, bytes: &'static [u8]) -> OutputAssetId {
    let user: Value = site.get(who, "/api/auth").await.json().await.expect("a user");
    let stored = site.core.files.store_output(Bytes::from_static(bytes)).await.expect("a file");
    let output = NewOutputAsset {
        content: stored.content,
        media: stored.media,
        size_bytes: stored.size_bytes,
        width: stored.width,
        height: stored.height,
        blur_hash: stored.blur_hash,
        duration_ms: stored.duration_ms,
        embedded: stored.embedded,
        name: name.map(str::to_owned),
        ..factory::output(text(&user, "_id").parse().expect("an id"), site.core.clock.now())
    };
    factory::insert(&site.core.db, std::slice::from_ref(&output)).await;
    output.id
}

pub async fn one(site: &Site, who: &Browser, id: OutputAssetId) -> Value {
    site.get(who, &format!("/api/general/output-asset/{id}")).await.json().await.expect("an output")
}

async fn publish(site: &Site, who: &Browser, id: OutputAssetId) -> Response {
    let body = json!({ "ids": [id], "isPrivate": false });
    site.send(who, Method::PATCH, "/api/general/output-asset/privates", &body).await
}

const JPEG: &[u8] = include_bytes!("../../../core/tests/data/jpeg/fill-before-marker.jpg");
const SVG: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";

#[actix_web::test]
async fn file_is_downloaded_under_its_workers_name() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    for (name, bytes, content_type, disposition) in [
        (
            "statue_00001_.glb",
            &b"glTF\x02\0\0\0"[..],
            "model/gltf-binary",
            "attachment; filename=\"statue_00001_.glb\"; filename*=UTF-8''statue_00001_.glb",
        ),
        ("x.svg", SVG, "image/svg+xml", "attachment; filename=\"x.svg\"; filename*=UTF-8''x.svg"),
        ("x.html", b"<script>1</script>", "text/html", "attachment; filename=\"x.html\"; filename*=UTF-8''x.html"),
        (
            "조각 1.csv",
            b"a,b\n",
            "text/csv",
            "attachment; filename=\"__ 1.csv\"; filename*=UTF-8''%EC%A1%B0%EA%B0%81%201.csv",
        ),
    ] {
        let id = output(&site, &ann, name, bytes).await;
        let seen = one(&site, &ann, id).await;
        let ending = name.rsplit('.').next().expect("an ending");
        assert_eq!((text(&seen, "fileName").as_str(), text(&seen, "format").as_str()), (name, ending));
        assert_eq!((text(&seen, "contentType").as_str(), &seen["kind"]), (content_type, &json!("file")));
        assert_eq!((text(&seen["asset"], "name").as_str(), &seen["isPublishable"]), (name, &json!(false)));
        let url = text(&seen, "downloadUrl");
        assert_eq!(text(&seen, "rawUrl"), url);
        let answer = site.get(&ann, &url).await;
        assert_eq!(answer.status(), 200, "{url}");
        assert_eq!(answer.headers()["content-type"], content_type);
        assert_eq!(answer.headers()["content-disposition"], disposition);
        assert_eq!(answer.headers()["x-content-type-options"], "nosniff");
        assert_eq!(&answer.bytes().await.expect("bytes")[..], bytes);
        for stranger in [&bob, &Browser::default()] {
            assert_eq!(site.get(stranger, &url).await.status(), 404, "{url}");
        }
        let other = url.rsplit_once('/').map(|(folder, _)| format!("{folder}/other.exe")).expect("a path");
        assert_eq!(site.get(&ann, &other).await.status(), 404, "a file has the names of its outputs alone");
        let key = format!("/media/raw/{}", text(&seen, "key"));
        assert_eq!(site.get(&ann, &key).await.headers()["content-type"], "application/octet-stream");
        let (status, code, _) = error(publish(&site, &ann, id).await).await;
        assert_eq!((status, code.as_str()), (422, "NOT_PUBLISHABLE"), "{name}");
        assert_eq!(one(&site, &ann, id).await["isPrivate"], json!(true));
    }
    let ranged = output(&site, &ann, "film.mkv", b"\x1a\x45\xdf\xa3\x93\x42\x82\x88matroska").await;
    let url = text(&one(&site, &ann, ranged).await, "downloadUrl");
    let part = ann.sign(site.ask(Method::GET, &url)).header("range", "bytes=0-3").send().await.expect("an answer");
    assert_eq!((part.status().as_u16(), part.bytes().await.expect("bytes").len()), (206, 4));
    site.finish().await;
}

#[actix_web::test]
async fn only_the_owner_sees_a_pictures_file_name() {
    let site = Site::start().await;
    let (ann, bob, admin) = (site.person().await, site.person().await, site.admin().await);
    let id = output(&site, &ann, "secret project_00001_.jpg", JPEG).await;
    assert_eq!(publish(&site, &ann, id).await.status(), 200);
    for (who, is_told) in [(&ann, true), (&admin, true), (&bob, false)] {
        let seen = one(&site, who, id).await;
        assert_eq!(seen["fileName"].is_string(), is_told, "{seen}");
        assert_eq!(seen.to_string().contains("secret"), is_told, "{seen}");
        assert_eq!((text(&seen, "format").as_str(), &seen["hasPreview"]), ("jpg", &json!(true)));
    }
    let seen = one(&site, &ann, id).await;
    let url = text(&seen, "downloadUrl");
    assert!(url.ends_with("/secret%20project_00001_.jpg"), "{url}");
    let answer = site.get(&ann, &url).await;
    assert_eq!(answer.headers()["content-type"], "image/jpeg");
    assert!(answer.headers()["content-disposition"].to_str().is_ok_and(|text| text.starts_with("attachment")));
    assert_eq!(site.get(&bob, &url).await.status(), 404, "strangers take the address that everybody has");
    assert_eq!(site.get(&bob, &text(&seen, "rawUrl")).await.status(), 200);
    site.finish().await;
}

#[actix_web::test]
async fn archive_names_pictures_by_time_and_files_by_name() {
    let site = Site::start().await;
    let ann = site.person().await;
    let mut ids = Vec::new();
    for (name, bytes) in [
        ("statue_00001_.glb", &b"glTF\x02\0\0\0"[..]),
        ("Statue_00001_.glb", b"glTF\x02\0\0\x01"),
        ("a_00001_.jpg", JPEG),
    ] {
        ids.push(output(&site, &ann, name, bytes).await);
    }
    let answer = site.send(&ann, Method::POST, "/api/general/output-asset/zip", &json!({ "ids": ids })).await;
    let bytes = answer.bytes().await.expect("an archive");
    for name in ["statue_00001_.glb", "Statue_00001__2.glb", "20260101_000000.jpg"] {
        assert!(bytes.windows(name.len()).any(|part| part == name.as_bytes()), "{name} is missing");
    }
    site.finish().await;
}

#[actix_web::test]
async fn output_without_a_preview_cannot_be_published() {
    let site = Site::start().await;
    let ann = site.person().await;
    let id = output(&site, &ann, "a.jpg", JPEG).await;
    sqlx::query("UPDATE output_assets SET is_clean = false, clean_tries = 3 WHERE id = $1")
        .bind(id.0)
        .execute(&site.core.db)
        .await
        .expect("one that cannot be cleaned");
    let (status, code, _) = error(publish(&site, &ann, id).await).await;
    assert_eq!((status, code.as_str()), (422, "NOT_PUBLISHABLE"));
    let body = json!({ "isPrivate": false });
    let path = format!("/api/general/output-asset/{id}");
    let (status, code, _) = error(site.send(&ann, Method::PATCH, &path, &body).await).await;
    assert_eq!((status, code.as_str()), (422, "NOT_PUBLISHABLE"), "the other way");
    sqlx::query("UPDATE output_assets SET is_clean = true, media = $2, width = 17000, height = 10 WHERE id = $1")
        .bind(id.0)
        .bind(MediaType::Jpeg.word())
        .execute(&site.core.db)
        .await
        .expect("one that is too large");
    let seen = one(&site, &ann, id).await;
    assert_eq!((&seen["hasPreview"], &seen["isPublishable"]), (&json!(false), &json!(false)));
    assert_eq!(seen["asset"]["thumbnailUrl"], seen["rawUrl"], "there is no smaller picture");
    let (status, code, _) = error(publish(&site, &ann, id).await).await;
    assert_eq!((status, code.as_str()), (422, "NOT_PUBLISHABLE"));
    site.finish().await;
}
