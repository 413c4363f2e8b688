//! What visitors are told.

use serde_json::Value;
use verdigraph_core::settings::{Announcement, Bilingual};

use crate::site::{Browser, Site};

#[actix_web::test]
async fn a_guest_is_told_the_news_of_now_and_of_workflows_that_do_not_work() {
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
    })
    .await;
    let told: Value = site.get(&Browser::default(), "/api/public/announcement").await.json().await.expect("JSON");
    let ids: Vec<&str> =
        told["items"].as_array().expect("a list").iter().filter_map(|one| one["_id"].as_str()).collect();
    assert_eq!(ids, ["now"], "what begins later is told later");
    assert_eq!(told["workflowAlert"]["workflows"][0], "w-1");
    site.finish().await;
}
