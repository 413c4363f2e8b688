//! How users and other sites find public content: search, link previews, robots.txt and the sitemap.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};
use verdigraph_core::gallery::factory;
use verdigraph_core::ids::UserId;

use crate::posts;
use crate::site::{Browser, Site, error, text};

async fn id_of(site: &Site, who: &Browser) -> UserId {
    let user: Value = site.get(who, "/api/auth").await.json().await.expect("a user");
    text(&user, "_id").parse().expect("an id")
}

fn names(list: &Value) -> Vec<String> {
    list.as_array().expect("a list").iter().map(|item| text(item, "name")).collect()
}

async fn found(site: &Site, words: &str) -> Value {
    let answer = site.get(&Browser::default(), &format!("/api/public/search?q={words}")).await;
    assert_eq!(answer.status(), 200);
    answer.json().await.expect("what was found")
}

/// A user's picture, private or not.
async fn picture(site: &Site, who: &Browser, is_private: bool) -> String {
    let output = factory::output(id_of(site, who).await, site.core.clock.now());
    factory::insert(&site.core.db, std::slice::from_ref(&output)).await;
    let body = json!({ "ids": [output.id], "isPrivate": is_private });
    let done = site.send(who, Method::PATCH, "/api/general/output-asset/privates", &body).await;
    assert_eq!(done.status(), 200);
    output.id.to_string()
}

#[actix_web::test]
async fn search_tolerates_typos_and_finds_no_private_content() {
    let site = Site::start().await;
    let ann = site.person().await;
    posts::post(&site, &ann, "Misty Mountains").await;
    let draft =
        json!({ "name": "Misty Secrets", "prompt": { "workflow": { "nodes": [], "links": [] }, "output": null } });
    site.send(&ann, Method::POST, "/api/general/workflow", &draft).await;
    for words in ["misty", "moutains", "mysty"] {
        assert_eq!(names(&found(&site, words).await["workflows"]), ["Misty Mountains"], "{words}");
    }
    assert_eq!(names(&found(&site, "zebra").await["workflows"]), Vec::<String>::new());
    assert_eq!(found(&site, "%20").await, json!({ "workflows": [], "pictures": [], "people": [], "nextSkip": null }));
    let (status, _, _) = error(site.get(&ann, &format!("/api/public/search?q={}", "a".repeat(101))).await).await;
    assert_eq!(status, 400);
    site.finish().await;
}

#[actix_web::test]
async fn search_reaches_every_result_of_a_kind() {
    let site = Site::start().await;
    let ann = site.person().await;
    for number in 0..26 {
        posts::post(&site, &ann, &format!("Misty Mountain {number}")).await;
    }
    let user = id_of(&site, &ann).await;
    let outputs: Vec<_> = (0..26).map(|_| factory::output(user, site.core.clock.now())).collect();
    factory::insert(&site.core.db, &outputs).await;
    sqlx::query("UPDATE output_assets SET is_private = false, label = 'misty mountain'")
        .execute(&site.core.db)
        .await
        .expect("published");
    for words in ["misty", "mysty"] {
        for kind in ["workflows", "pictures"] {
            let (mut seen, mut skip) = (BTreeSet::new(), Some(0));
            while let Some(from) = skip {
                let part = found(&site, &format!("{words}&kind={kind}&limit=24&skip={from}")).await;
                let items = part[kind].as_array().expect("a list");
                assert!(!items.is_empty(), "{words} {kind} from {from}: {part}");
                for item in items {
                    assert!(seen.insert(text(item, "_id")), "{words} {kind}: repeated {item}");
                }
                skip = part["nextSkip"].as_i64();
            }
            assert_eq!(seen.len(), 26, "{words} {kind}");
        }
    }
    let pictures = found(&site, "misty&kind=pictures").await;
    assert_eq!(pictures["workflows"], json!([]), "only the kind that is asked for");
    for (query, field) in [("skip=-1", "skip"), ("skip=481", "skip"), ("limit=25", "limit"), ("kind=apps", "kind")] {
        let answer = site.get(&ann, &format!("/api/public/search?q=misty&{query}")).await;
        assert_eq!(answer.status(), 400, "{query}");
        let body: Value = answer.json().await.expect("an error");
        assert_eq!(body["details"][0]["field"], field, "{query}: {body}");
    }
    site.finish().await;
}

#[actix_web::test]
async fn search_tolerates_typos_in_korean() {
    let site = Site::start().await;
    let ann = site.person().await;
    let name = json!({ "name": "홍길동" });
    assert_eq!(site.send(&ann, Method::PATCH, "/api/auth/me/name", &name).await.status(), 200);
    posts::post(&site, &ann, "고양이 그림").await;
    posts::post(&site, &ann, "Paintbox").await;
    let translated = r#"UPDATE workflows SET translations = '{"ko": {"name": "수채화 필터"}}' WHERE name = 'Paintbox'"#;
    sqlx::query(translated).execute(&site.core.db).await.expect("a translation");
    for (words, name) in
        [("고얌이", "고양이 그림"), ("고양이", "고양이 그림"), ("수체화", "Paintbox"), ("paintbax", "Paintbox")]
    {
        assert_eq!(names(&found(&site, words).await["workflows"]), [name], "{words}");
    }
    assert_eq!(names(&found(&site, "강아지").await["workflows"]), Vec::<String>::new());
    assert_eq!(names(&found(&site, "홍길둥").await["people"]), ["홍길동"]);
    site.finish().await;
}

#[actix_web::test]
async fn users_are_found_by_parts_of_their_names() {
    let site = Site::start().await;
    let ann = site.person().await;
    let name = json!({ "name": "Wilma Oakenshield" });
    assert_eq!(site.send(&ann, Method::PATCH, "/api/auth/me/name", &name).await.status(), 200);
    for words in ["oaken", "oakenshild", "WILMA"] {
        assert_eq!(names(&found(&site, words).await["people"]), ["Wilma Oakenshield"], "{words}");
    }
    let admin = site.admin().await;
    let list: Value = site.get(&admin, "/api/admin/user?keyword=kenshie").await.json().await.expect("people");
    assert_eq!(names(&list["items"]), ["Wilma Oakenshield"], "admins search inside names too");
    site.finish().await;
}

#[actix_web::test]
async fn oembed_previews_only_public_pages() {
    let site = Site::with(|settings| settings.server.base_url = Some("https://a.example".into())).await;
    let ann = site.person().await;
    let (public, private) = (picture(&site, &ann, false).await, picture(&site, &ann, true).await);
    let ask = |url: String| format!("/api/public/oembed?url={url}");
    let shown: Value =
        site.get(&ann, &ask(format!("https://a.example/gallery/{public}"))).await.json().await.expect("a preview");
    assert_eq!((&shown["type"], &shown["version"]), (&json!("photo"), &json!("1.0")), "{shown}");
    assert!(text(&shown, "url").starts_with("https://a.example/media/optimal/"), "{shown}");
    for (url, expected) in [
        (format!("https://a.example/gallery/{private}"), 404),
        ("https://b.example/gallery/1".to_owned(), 400),
        ("https://a.example/account".to_owned(), 404),
    ] {
        assert_eq!(site.get(&ann, &ask(url.clone())).await.status(), expected, "{url}");
    }
    let admin = site.admin().await;
    let mark = format!("/api/general/output-asset/{public}/nsfw");
    site.send(&admin, Method::PATCH, &mark, &json!({ "isNsfw": true })).await;
    let hidden: Value =
        site.get(&ann, &ask(format!("https://a.example/gallery/{public}"))).await.json().await.expect("a preview");
    assert_eq!((&hidden["type"], hidden.get("url")), (&json!("link"), None), "not safe for work");
    site.finish().await;
}

#[actix_web::test]
async fn sitemap_has_only_public_pages() {
    let site = Site::start().await;
    let ann = site.person().await;
    let (public, private) = (picture(&site, &ann, false).await, picture(&site, &ann, true).await);
    let workflow = posts::post(&site, &ann, "Misty Mountains").await;
    let (author, reader) = (id_of(&site, &ann).await, id_of(&site, &site.person().await).await);
    let app = uuid::Uuid::now_v7();
    sqlx::query(
        "INSERT INTO workflow_apis (id, workflow_id, user_id, current_version_id, created_at, updated_at)
         VALUES ($1, $2, $3, $1, now(), now())",
    )
    .bind(app)
    .bind(workflow.parse::<uuid::Uuid>().expect("an id"))
    .bind(author.0)
    .execute(&site.core.db)
    .await
    .expect("an app");
    let guest = Browser::default();
    let text_of = async |path: &str| {
        let answer = site.get(&guest, path).await;
        assert_eq!(answer.status(), 200, "{path}");
        answer.text().await.expect("a text")
    };
    let robots = text_of("/robots.txt").await;
    assert!(robots.contains("Disallow: /api/") && robots.contains("/sitemap.xml"), "{robots}");
    let index = text_of("/sitemap.xml").await;
    let mut pages = text_of("/sitemaps/pages.xml").await;
    for piece in [
        format!("/sitemaps/pictures-{public}.xml"),
        format!("/sitemaps/workflows-{workflow}.xml"),
        format!("/sitemaps/apps-{app}.xml"),
        format!("/sitemaps/people-{author}.xml"),
    ] {
        assert!(index.contains(&piece), "{piece} is missing in {index}");
        pages.push_str(&text_of(&piece).await);
    }
    for page in ["/apps<", "/create/image<", "/basic-workflows<", "/terms<"] {
        assert!(pages.contains(page), "{page} is missing in {pages}");
    }
    for page in [
        format!("/gallery/{public}<"),
        format!("/workflows/{workflow}<"),
        format!("/easy-app/{app}<"),
        format!("/profile/{author}<"),
    ] {
        assert!(pages.contains(&page), "{page} is missing in {pages}");
    }
    assert!(!pages.contains(&private), "a private picture was told");
    assert!(!pages.contains(&reader.to_string()), "a user without publications is listed");
    assert_eq!(site.get(&guest, "/sitemaps/people-1.xml").await.status(), 404);
    site.finish().await;
}

#[actix_web::test]
async fn suggestion_without_a_match_is_empty() {
    let site = Site::start().await;
    let guest = Browser::default();
    let told: Value = site
        .get(&guest, "/api/public/mini-app/suggest?text=a cat in a red hat")
        .await
        .json()
        .await
        .expect("suggestions");
    assert_eq!((&told["fitting"], &told["drawingPools"]), (&json!([]), &json!([])), "{told}");
    let long = format!("/api/public/mini-app/suggest?text={}", "a".repeat(501));
    assert_eq!(site.get(&guest, &long).await.status(), 400);
    site.finish().await;
}
