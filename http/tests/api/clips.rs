//! Videos among the outputs: posters, lengths, and ranges for players.

use actix_web::web::Bytes;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use verdigraph_core::assets::MediaType;
use verdigraph_core::gallery::{self, NewOutputAsset, factory};
use verdigraph_core::ids::OutputAssetId;
use verdigraph_core::testing::MP4;

use crate::file_names::{one, stored};
use crate::site::{Browser, Site, text};

/// A video, stored like the output of a job.
async fn video(site: &Site, who: &Browser) -> OutputAssetId {
    stored(site, who, None, MP4).await
}

async fn ranged(site: &Site, who: &Browser, url: &str, range: &str) -> Response {
    who.sign(site.ask(Method::GET, url)).header("range", range).send().await.expect("an answer")
}

#[actix_web::test]
async fn video_has_size_duration_and_poster() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let id = video(&site, &ann).await;
    let seen = one(&site, &ann, id).await;
    assert_eq!((text(&seen, "kind"), text(&seen, "format")), ("video".into(), "mp4".into()));
    let metadata = &seen["asset"]["metadata"];
    assert_eq!((&metadata["width"], &metadata["height"]), (&json!(160), &json!(90)));
    assert_eq!(metadata["duration"], 1500);
    assert_eq!(seen["optimalUrl"], seen["rawUrl"], "what is played is the video, not its poster");
    let (poster, card) = (text(metadata, "videoPreviewImageUrl"), text(&seen["asset"], "thumbnailUrl"));
    for url in [&poster, &card] {
        let answer = site.get(&ann, url).await;
        assert_eq!(
            (answer.status().as_u16(), answer.headers()["content-type"].to_str().ok()),
            (200, Some("image/webp"))
        );
        for stranger in [&bob, &Browser::default()] {
            assert_eq!(site.get(stranger, url).await.status(), 404, "the poster of a private video is private");
        }
    }
    let body = json!({ "ids": [id], "isPrivate": false });
    assert_eq!(site.send(&ann, Method::PATCH, "/api/general/output-asset/privates", &body).await.status(), 200);
    assert_eq!(site.get(&Browser::default(), &poster).await.status(), 200);
}

#[actix_web::test]
async fn video_is_served_by_ranges() {
    let site = Site::start().await;
    let ann = site.person().await;
    let id = video(&site, &ann).await;
    let url = text(&one(&site, &ann, id).await, "rawUrl");
    let whole = site.get(&ann, &url).await;
    assert_eq!(whole.headers()["accept-ranges"], "bytes", "a player must know that it may seek");
    assert_eq!(whole.headers()["content-type"], "video/mp4");
    // Without the file's metadata.
    let video = whole.bytes().await.expect("bytes");
    let size = video.len();
    let rows = [
        ("bytes=0-", 0..size),
        ("bytes=0-0", 0..1),
        ("bytes=100-199", 100..200),
        ("bytes=-64", size - 64..size),
        ("bytes=5000-99999999", 5000..size),
    ];
    for (asked, range) in rows {
        let part = ranged(&site, &ann, &url, asked).await;
        assert_eq!(part.status(), 206, "{asked}");
        let told = format!("bytes {}-{}/{size}", range.start, range.end - 1);
        assert_eq!(part.headers()["content-range"], told.as_str(), "{asked}");
        assert_eq!(part.headers()["content-length"], (range.end - range.start).to_string().as_str(), "{asked}");
        assert_eq!(part.bytes().await.expect("bytes"), video[range], "{asked}");
    }
    assert_eq!(ranged(&site, &ann, &url, &format!("bytes={size}-")).await.status(), 416);
    // An unsupported range gets the whole file, as HTTP says.
    assert_eq!(ranged(&site, &ann, &url, "frames=1-2").await.status(), 200);
}

#[actix_web::test]
async fn unread_video_has_no_poster() {
    let site = Site::start().await;
    let ann = site.person().await;
    let user: Value = site.get(&ann, "/api/auth").await.json().await.expect("a user");
    let content = site.core.files.storage.put(Bytes::from_static(MP4)).await.expect("a file");
    let output = NewOutputAsset {
        content,
        media: MediaType::Mp4,
        width: None,
        height: None,
        ..factory::output(text(&user, "_id").parse().expect("an id"), site.core.clock.now())
    };
    factory::insert(&site.core.db, std::slice::from_ref(&output)).await;
    let before = one(&site, &ann, output.id).await;
    assert_eq!(before["asset"]["metadata"]["videoPreviewImageUrl"], Value::Null);
    assert_eq!(before["asset"]["thumbnailUrl"], before["rawUrl"]);
    let card = text(&before, "rawUrl").replace("/raw/", "/w200/");
    assert_eq!(site.get(&ann, &card).await.status(), 404, "asking for a poster must not set ffmpeg to work");
    // The sweep of a running node may have been first.
    gallery::measure_videos(&site.core).await.expect("a round");
    let after = one(&site, &ann, output.id).await;
    assert_eq!(after["asset"]["metadata"]["duration"], 1500);
    assert_eq!(site.get(&ann, &card).await.status(), 200);
}

#[actix_web::test]
async fn health_reports_video_support() {
    let site = Site::start().await;
    let health: Value = site.get(&Browser::default(), "/api/health").await.json().await.expect("a health");
    assert_eq!(health["videos"], "ok");
}
