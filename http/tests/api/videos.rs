//! Community videos, with a stand-in for YouTube.

use reqwest::Method;
use serde_json::{Value, json};
use verdigraph_core::testing::youtube::TestYouTube;

use crate::site::{Browser, Site, error, text};

const ID: &str = "dQw4w9WgXcQ";

async fn with_youtube() -> (Site, TestYouTube) {
    let youtube = TestYouTube::start().await;
    let site = Site::with(|settings| youtube.configure(settings)).await;
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(48, 36, image::Rgb([10, 200, 30]));
    picture.write_to(&mut bytes, image::ImageFormat::Png).expect("a picture");
    youtube.picture(bytes.into_inner());
    youtube.video(ID, "Silk \"><script>alert(1)</script>", "Verdi Lab");
    (site, youtube)
}

#[actix_web::test]
async fn selected_video_is_public_with_an_iframe() {
    let (site, _) = with_youtube().await;
    let admin = site.admin().await;
    let body = json!({ "url": format!("https://youtu.be/{ID}"), "youtubeCreatedAt": "2025-03-09T00:00:00Z" });
    let added = site.send(&admin, Method::POST, "/api/admin/youtube-community", &body).await;
    assert_eq!(added.status(), 201);
    let again = site.send(&admin, Method::POST, "/api/admin/youtube-community", &body).await;
    let (status, code, _) = error(again).await;
    assert_eq!((status, code.as_str()), (409, "VIDEO_EXISTS"));

    let guest = Browser::default();
    let list: Value = site.get(&guest, "/api/public/youtube-community/list?keyword=silk").await.json().await.unwrap();
    let video = &list["items"][0];
    assert_eq!((&list["nextCursor"], &video["author_name"]), (&Value::Null, &json!("Verdi Lab")));
    assert_eq!(text(video, "youtubeCreatedAt"), "2025-03-09T00:00:00Z");
    assert_eq!(text(video, "url"), format!("https://www.youtube.com/watch?v={ID}"));
    let html = text(video, "html");
    assert!(html.starts_with(&format!("<iframe src=\"https://www.youtube-nocookie.com/embed/{ID}\" ")), "{html}");
    assert!(!html.contains("<script>") && !html.contains("evil.example"), "{html}");
    let poster = text(&video["poster"], "url");
    assert_eq!(site.get(&guest, &poster).await.status(), 200, "the preview is our own file");

    let none = site.get(&guest, "/api/public/youtube-community/list?filter=%7B%22author_name%22%3A%22Else%22%7D").await;
    assert_eq!(none.json::<Value>().await.unwrap()["items"], json!([]));
    for wrong in ["sort=random", "cursor=x", "limit=0", "filter=%7B%22user%22%3A1%7D", "page=2"] {
        let refused = site.get(&guest, &format!("/api/public/youtube-community/list?{wrong}")).await;
        assert_eq!(error(refused).await.0, 400, "{wrong}");
    }
    site.finish().await;
}

#[actix_web::test]
async fn only_admins_change_the_list() {
    let (site, youtube) = with_youtube().await;
    let admin = site.admin().await;
    let body = json!({ "url": format!("https://youtu.be/{ID}") });
    let added = site.send(&admin, Method::POST, "/api/admin/youtube-community", &body).await;
    let id = text(&added.json().await.unwrap(), "_id");
    let one = format!("/api/admin/youtube-community/{id}");
    let refresh = format!("{one}/refresh");
    let change = json!({ "name": "Silk" });
    for (who, expected) in [(Browser::default(), 401), (site.person().await, 403)] {
        for (method, path, body) in [
            (Method::POST, "/api/admin/youtube-community", &body),
            (Method::PATCH, one.as_str(), &change),
            (Method::DELETE, one.as_str(), &Value::Null),
            (Method::POST, refresh.as_str(), &Value::Null),
        ] {
            assert_eq!(error(site.send(&who, method.clone(), path, body).await).await.0, expected, "{method} {path}");
        }
        assert_eq!(error(site.get(&who, "/api/admin/youtube-community/list").await).await.0, expected);
    }
    let changed: Value = site.send(&admin, Method::PATCH, &one, &change).await.json().await.unwrap();
    assert_eq!(text(&changed, "name"), "Silk");
    youtube.answer(ID, 404, json!({}));
    let gone: Value = site.send(&admin, Method::POST, &refresh, &Value::Null).await.json().await.unwrap();
    assert_eq!((&gone["isAvailable"], &gone["name"]), (&json!(false), &json!("Silk")));
    let list = |path: &'static str| async {
        site.get(&admin, path).await.json::<Value>().await.unwrap()["items"].as_array().map(Vec::len)
    };
    assert_eq!(list("/api/public/youtube-community/list").await, Some(0));
    assert_eq!(list("/api/admin/youtube-community/list").await, Some(1));
    assert_eq!(site.send(&admin, Method::DELETE, &one, &Value::Null).await.status(), 204);
    assert_eq!(error(site.send(&admin, Method::DELETE, &one, &Value::Null).await).await.0, 404);
    site.finish().await;
}

#[actix_web::test]
async fn policy_allows_only_the_youtube_player() {
    let site = Site::start().await;
    let page = site.get(&Browser::default(), "/youtube-community").await;
    let policy = page.headers().get("content-security-policy").unwrap().to_str().unwrap().to_owned();
    assert!(policy.contains("frame-src 'self' https://www.youtube-nocookie.com;"), "{policy}");
    assert_eq!(policy.matches("https://").count(), 1, "{policy}");
    site.finish().await;
}
