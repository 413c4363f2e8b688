//! Posts: views, likes and lists of workflows.

use std::sync::atomic::{AtomicU8, Ordering};

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use verdigraph_core::workflows;

use crate::site::{Browser, Site, error, text};

/// The tag "Text to image", below "Image".
pub const TAG: &str = "01970000-0000-7000-8000-000000000101";
const PARENT: &str = "01970000-0000-7000-8000-000000000100";

pub async fn draft(site: &Site, who: &Browser, name: &str) -> String {
    let empty =
        json!({ "class_type": "EmptyImage", "inputs": { "width": 8, "height": 8, "batch_size": 1, "color": 0 } });
    let prompt = json!({ "workflow": { "nodes": [], "links": [] }, "output": { "1": empty } });
    let body = json!({ "name": name, "description": "<p>words of it</p>", "prompt": prompt });
    let made: Value = site.send(who, Method::POST, "/api/general/workflow", &body).await.json().await.unwrap();
    text(&made, "_id")
}

/// A small PNG of one color.
pub fn png(red: u8) -> Vec<u8> {
    png_of([red, 20, 30])
}

/// A small picture of one color.
pub fn png_of(colour: [u8; 3]) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let drawn = image::RgbImage::from_pixel(8, 8, image::Rgb(colour));
    drawn.write_to(&mut bytes, image::ImageFormat::Png).expect("a picture");
    bytes.into_inner()
}

pub async fn picture(site: &Site, who: &Browser, red: u8) -> String {
    let form = Form::new().part("image", Part::bytes(png(red)).file_name("a.png"));
    let sent = who.sign(site.ask(Method::POST, "/api/general/asset/file/image")).multipart(form).send().await.unwrap();
    text(&sent.json::<Value>().await.unwrap(), "_id")
}

pub async fn post(site: &Site, who: &Browser, name: &str) -> String {
    let id = draft(site, who, name).await;
    // Each post has its own picture: moderators lock hidden bytes everywhere.
    static SHADE: AtomicU8 = AtomicU8::new(100);
    let shade = SHADE.fetch_add(1, Ordering::Relaxed);
    publish(site, who, &id, shade).await;
    id
}

/// Publishes a workflow with a picture of this shade.
pub async fn publish(site: &Site, who: &Browser, id: &str, shade: u8) {
    let body = json!({ "thumbnails": [picture(site, who, shade).await], "workflowTags": [TAG], "isPrivate": false });
    let published = site.send(who, Method::PATCH, &format!("/api/general/workflow/{id}"), &body).await;
    assert_eq!(published.status(), 200, "{:?}", published.text().await);
}

async fn own_id(site: &Site, who: &Browser) -> String {
    text(&site.get(who, "/api/auth").await.json::<Value>().await.unwrap(), "_id")
}

fn names(list: &Value) -> Vec<String> {
    list["items"].as_array().unwrap().iter().map(|item| text(item, "name")).collect()
}

#[actix_web::test]
async fn post_has_pictures_tags_and_the_callers_like() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let id = draft(&site, &ann, "Pictures").await;
    let path = format!("/api/general/workflow/{id}");
    let (one, two) = (picture(&site, &ann, 1).await, picture(&site, &ann, 2).await);
    let (status, code, body) = error(site.send(&ann, Method::PATCH, &path, &json!({ "isPrivate": false })).await).await;
    assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"));
    assert_eq!(body["details"][0]["message"], "please select at least one tag", "{body}");
    let changes = json!({ "thumbnails": [two, one], "workflowTags": [TAG], "isPrivate": false });
    assert_eq!(site.send(&ann, Method::PATCH, &path, &changes).await.status(), 200);
    let liked: Value = site
        .send(&bob, Method::POST, &format!("/api/general/workflow-like/{id}"), &json!({}))
        .await
        .json()
        .await
        .unwrap();
    assert_eq!(liked, json!({ "isLiked": true, "likeCount": 1 }));

    let seen: Value = site.get(&bob, &path).await.json().await.unwrap();
    let gallery: Vec<String> = seen["thumbnails"].as_array().unwrap().iter().map(|asset| text(asset, "_id")).collect();
    assert_eq!(gallery, [two.clone(), one]);
    assert_eq!(seen["cover"]["_id"], two.as_str());
    assert_eq!(seen["workflowTags"][0]["name"], "Text to image");
    assert_eq!(seen["workflowTags"][0]["parentTag"], PARENT);
    assert_eq!((seen["isLiked"].as_bool(), seen["likeCount"].as_i64()), (Some(true), Some(1)));
    assert_eq!(seen["likes"], json!([own_id(&site, &bob).await]));
    let guests: Value = site.get(&Browser::default(), &path.replace("general", "public")).await.json().await.unwrap();
    assert_eq!((guests["isLiked"].as_bool(), &guests["likes"]), (Some(false), &json!([])));
    let shown = site.get(&Browser::default(), seen["thumbnails"][1]["url"].as_str().unwrap()).await;
    assert_eq!(shown.status(), 200, "a published post has a picture that a guest cannot see");

    let tags: Value = site.get(&Browser::default(), "/api/public/workflow-tag").await.json().await.unwrap();
    let root = tags["items"].as_array().unwrap().iter().find(|tag| tag["_id"] == PARENT).unwrap().clone();
    assert_eq!((root["depth"].as_i64(), text(&root, "nameKo").as_str()), (Some(0), "이미지"));
    assert!(root["childrenTags"].as_array().unwrap().iter().any(|tag| tag["_id"] == TAG));
    site.finish().await;
}

#[actix_web::test]
async fn lists_are_filtered_by_tag_words_and_id() {
    let site = Site::start().await;
    let (ann, bob, guest) = (site.person().await, site.person().await, Browser::default());
    let (first, second) = (post(&site, &ann, "First pine").await, post(&site, &ann, "Second").await);
    let secret = draft(&site, &ann, "Secret pine").await;
    site.send(&bob, Method::POST, "/api/general/workflow-like", &json!({ "id": first })).await;
    let list = async |who: &Browser, query: &str| -> Value {
        let area = if who.session.is_empty() { "public" } else { "general" };
        let answer = site.get(who, &format!("/api/{area}/workflow?{query}")).await;
        assert_eq!(answer.status(), 200, "{query}");
        answer.json().await.unwrap()
    };
    assert_eq!(names(&list(&guest, "sort=like").await), ["First pine", "Second"]);
    assert_eq!(names(&list(&guest, "sort=newest").await), ["Second", "First pine"]);
    let page = list(&guest, "sort=oldest&limit=1").await;
    assert_eq!(names(&page), ["First pine"]);
    let rest = list(&guest, &format!("sort=oldest&limit=1&cursor={}", text(&page, "nextCursor"))).await;
    assert_eq!((names(&rest), rest["nextCursor"].is_null()), (vec!["Second".to_owned()], true));
    assert_eq!(names(&list(&guest, &format!("parentTag={PARENT}")).await).len(), 2);
    assert_eq!(names(&list(&guest, &format!("childrenTag={TAG}&limit=1")).await).len(), 1);
    assert_eq!(names(&list(&guest, "q=pine").await), ["First pine"], "a draft was found");
    assert_eq!(names(&list(&guest, "q=이미지").await).len(), 2, "a Korean tag finds nothing");
    let by_id = format!("filter={{\"_id\":{{\"$in\":[\"{secret}\",\"{second}\"]}}}}");
    assert_eq!(names(&list(&guest, &by_id).await), ["Second"]);
    assert_eq!(names(&list(&ann, &by_id).await), ["Secret pine", "Second"]);
    assert_eq!(names(&list(&bob, &by_id).await), ["Second"]);
    let own = site.get(&ann, &format!("/api/public/workflow?{by_id}")).await.json::<Value>().await.unwrap();
    assert_eq!(names(&own), ["Second"], "the public endpoint shows what a guest may see");
    for wrong in [
        "sort=best",
        "nsfw=maybe",
        "limit=0",
        "limit=101",
        "cursor=x",
        "filter=x",
        "populate=apiKey",
        "options=1",
        "parentTag=x",
        "skip=1",
    ] {
        let (status, code, _) = error(site.get(&guest, &format!("/api/public/workflow?{wrong}")).await).await;
        assert_eq!((status, code.as_str()), (400, "VALIDATION_FAILED"), "{wrong}");
    }
    let admin = site.admin().await;
    for (filter, found) in [
        ("", vec!["Secret pine", "Second", "First pine"]),
        ("filter={\"isPrivate\":true}", vec!["Secret pine"]),
        ("filter={\"isPrivate\":false}&sort=-likeCount", vec!["First pine", "Second"]),
        ("filter={\"isNsfw\":true}", vec![]),
        ("filter={\"isNsfw\":false}&sort=oldest&limit=1", vec!["First pine"]),
        ("q=PINE", vec!["Secret pine", "First pine"]),
        ("q=pine&filter={\"isPrivate\":false}", vec!["First pine"]),
        ("q=nothing%20of%20the%20kind", vec![]),
    ] {
        let got: Value = site.get(&admin, &format!("/api/general/workflow/admin?{filter}")).await.json().await.unwrap();
        assert_eq!(names(&got), found, "{filter}");
    }
    site.finish().await;
}

#[actix_web::test]
async fn reload_counts_one_view_and_download_has_the_workflows_name() {
    let site = Site::start().await;
    let (ann, bob) = (site.person().await, site.person().await);
    let id = post(&site, &ann, "Misty 산").await;
    let path = format!("/api/public/workflow/{id}");
    for who in [&Browser::default(), &bob, &ann] {
        for _ in 0..3 {
            assert_eq!(site.get(who, &path).await.status(), 200);
            assert_eq!(site.send(who, Method::PATCH, &format!("{path}/launch"), &json!({})).await.status(), 204);
        }
    }
    workflows::settle_visits(&site.core).await.unwrap();
    let seen: Value = site.get(&bob, &path).await.json().await.unwrap();
    assert_eq!((seen["viewCount"].as_i64(), seen["launchCount"].as_i64()), (Some(2), Some(2)), "{seen}");

    let file = site.get(&Browser::default(), &format!("{path}/download")).await;
    let disposition = file.headers()["content-disposition"].to_str().unwrap().to_owned();
    assert_eq!(disposition, "attachment; filename=\"Misty _.json\"; filename*=UTF-8''Misty%20%EC%82%B0.json");
    let graph: Value = file.json().await.unwrap();
    assert_eq!(graph, json!({ "nodes": [], "links": [] }), "the file is what the editor draws");
    site.finish().await;
}
