//! Announcements to visitors.

use reqwest::Method;
use serde_json::{Value, json};
use verdigraph_core::gallery::factory;
use verdigraph_core::settings::{Announcement, Bilingual};

use crate::site::{Browser, Site, error, text};

#[actix_web::test]
async fn guest_gets_current_announcements_and_workflow_alerts() {
    let text = |word: &str| Bilingual { en: word.to_owned(), ko: word.to_owned() };
    let news = |id: &str, from: &str| Announcement {
        id: id.to_owned(),
        from: from.parse().expect("a time"),
        until: None,
        opens: false,
        title: text(id),
        text: text(id),
    };
    let site = Site::with(|settings| {
        settings.announcements.all = vec![news("now", "2025-12-01T00:00:00Z"), news("later", "2026-02-01T00:00:00Z")];
        settings.announcements.workflow_alert.workflows = vec!["w-1".to_owned()];
        let text =
            Bilingual { en: "No new models today".to_owned(), ko: "오늘은 새 모델이 없습니다".to_owned() };
        settings.announcements.request_pause = Some(text);
    })
    .await;
    let told: Value = site.get(&Browser::default(), "/api/public/announcement").await.json().await.expect("JSON");
    let ids: Vec<&str> =
        told["items"].as_array().expect("a list").iter().filter_map(|one| one["_id"].as_str()).collect();
    assert_eq!(ids, ["now"], "what begins later is told later");
    assert_eq!(told["workflowAlert"]["workflows"][0], "w-1");
    assert_eq!(told["galleryPause"], Value::Null);
    assert_eq!(told["requestPause"]["en"], "No new models today");
    site.finish().await;
}

#[actix_web::test]
async fn paused_gallery_accepts_pictures_only_from_admins() {
    let site = Site::with(|settings| {
        let text = Bilingual { en: "Paused until noon".to_owned(), ko: "정오까지 중단".to_owned() };
        settings.announcements.gallery_pause = Some(text);
    })
    .await;
    let told: Value = site.get(&Browser::default(), "/api/public/announcement").await.json().await.expect("JSON");
    assert_eq!(told["galleryPause"], json!({ "en": "Paused until noon", "ko": "정오까지 중단" }));
    let (ann, admin) = (site.person().await, site.admin().await);
    let user: Value = site.get(&ann, "/api/auth").await.json().await.expect("a user");
    let output = factory::output(text(&user, "_id").parse().expect("an id"), site.core.clock.now());
    factory::insert(&site.core.db, std::slice::from_ref(&output)).await;
    let publish = json!({ "ids": [output.id], "isPrivate": false });
    let path = "/api/general/output-asset/privates";
    let (status, code, body) = error(site.send(&ann, Method::PATCH, path, &publish).await).await;
    assert_eq!((status, code.as_str()), (422, "GALLERY_PAUSED"));
    assert_eq!(body["details"]["ko"], "정오까지 중단");
    let hide = json!({ "ids": [output.id], "isPrivate": true });
    assert_eq!(site.send(&ann, Method::PATCH, path, &hide).await.status(), 200, "taking pictures out goes on");
    assert_eq!(site.send(&admin, Method::PATCH, path, &publish).await.status(), 200);
    site.finish().await;
}
