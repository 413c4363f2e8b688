//! A user who works on a node and deletes her account: a day later neither files nor rows of hers are left.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgPool};
use verdigraph_core::assets::{ContentHash, life};
use verdigraph_core::settings::Settings;
use verdigraph_core::testing::TestDatabase;
use verdigraph_core::{Clock, Core, FILE_OWNERS, Parts};

use super::node::Node;
use super::{Program, client, if_there, kill, tree, until, worker_of};

const EMAIL: &str = "grete.abschied@example.com";
const NAME: &str = "Grete Abschied";
const PASSWORD: &str = "a long enough one";
/// Part of the names of her files, and of her texts.
const SECRET: &str = "my-secret-garden";

/// A signed-in browser.
struct Browser {
    http: reqwest::Client,
    url: String,
    jar: BTreeMap<String, String>,
}

impl Browser {
    async fn new(url: &str) -> Self {
        let mut browser = Self { http: client(), url: url.to_owned(), jar: BTreeMap::new() };
        browser.send(reqwest::Method::GET, "auth", Value::Null).await;
        browser
    }

    async fn send(&mut self, method: reqwest::Method, path: &str, body: Value) -> (u16, Value) {
        let cookies: Vec<String> = self.jar.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = self
            .http
            .request(method, format!("{}/api/{path}", self.url))
            .header("cookie", cookies.join("; "))
            .header("x-xsrf-token", self.jar.get("XSRF-TOKEN").cloned().unwrap_or_default());
        let request = if body.is_null() { request } else { request.json(&body) };
        let response = request.send().await.expect("an answer");
        for header in response.headers().get_all("set-cookie") {
            let pair = header.to_str().ok().and_then(|header| header.split(';').next()?.split_once('='));
            let (name, value) = pair.expect("a cookie");
            self.jar.insert(name.to_owned(), value.to_owned());
        }
        (response.status().as_u16(), response.json().await.unwrap_or_default())
    }
}

fn picture() -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_fn(40, 30, |x, y| image::Rgb([(x * 6) as u8, (y * 8) as u8, 77]));
    picture.write_to(&mut file, image::ImageFormat::Png).expect("a picture");
    file.into_inner()
}

/// Her picture, saved, previewed and described.
fn prompt() -> Value {
    json!({
        "1": {"class_type": "LoadImage", "inputs": {"image": "mine.png"}},
        "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": SECRET}},
        "3": {"class_type": "ImageInvert", "inputs": {"image": ["1", 0]}},
        "4": {"class_type": "PreviewImage", "inputs": {"images": ["3", 0]}},
        "5": {"class_type": "PrimitiveString", "inputs": {"value": SECRET}},
        "6": {"class_type": "PreviewAny", "inputs": {"source": ["5", 0]}},
    })
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    tree(folder).into_iter().filter(|path| !path.is_dir()).collect()
}

/// Her files below a folder, found by name, text or content.
fn hers_on_disk(folder: &Path, contents: &[String]) -> Vec<String> {
    let words: Vec<&str> = [EMAIL, NAME, SECRET].into_iter().chain(contents.iter().map(String::as_str)).collect();
    let is_hers = |path: &PathBuf| {
        let Some(bytes) = if_there(std::fs::read(path)) else { return false };
        let name = path.display().to_string();
        let says = |word: &&str| name.contains(*word) || bytes.windows(word.len()).any(|part| part == word.as_bytes());
        words.iter().any(says) || contents.contains(&ContentHash::of(&bytes).0)
    };
    files(folder).into_iter().filter(is_hers).map(|path| path.display().to_string()).collect()
}

/// All rows that contain her data, as `table: row`.
async fn hers_in_tables(db: &PgPool, contents: &[String]) -> Vec<String> {
    let tables = "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'";
    let tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(db).await.expect("tables");
    let words: Vec<&str> = [EMAIL, NAME, SECRET].into_iter().chain(contents.iter().map(String::as_str)).collect();
    let mut found = Vec::new();
    for table in tables {
        let sql = format!(
            "SELECT '{table}: ' || t::text FROM \"{table}\" t
             WHERE EXISTS (SELECT FROM UNNEST($1::text[]) AS word WHERE position(word IN t::text) > 0)"
        );
        let rows: Vec<String> = sqlx::query_scalar(AssertSqlSafe(sql)).bind(&words).fetch_all(db).await.expect("rows");
        found.extend(rows);
    }
    found
}

/// Sweeps the storage like a node over the next two hours.
async fn two_hours(db: &PgPool, data: &Path) {
    let now: DateTime<Utc> = sqlx::query_scalar("SELECT now()").fetch_one(db).await.expect("a time");
    let (clock, settings) = (Clock::held(now), Settings::defaults(data).expect("settings"));
    let parts = Parts::start(Arc::new(settings), clock.clone(), "later".into(), db).expect("parts that start");
    let core = Core::new(db.clone(), Arc::new(parts));
    for _ in 0..24 {
        clock.advance(TimeDelta::minutes(5));
        while life::sweep(&core, FILE_OWNERS).await.expect("a sweep") != life::SweepOutcome::default() {}
    }
}

/// Makes all files below a folder a day old.
fn age(folder: &Path) {
    let yesterday = SystemTime::now() - std::time::Duration::from_secs(25 * 60 * 60);
    for path in files(folder) {
        let Some(file) = if_there(File::options().append(true).open(&path)) else { continue };
        file.set_modified(yesterday).expect("a file of ours");
    }
}

#[actix_web::test]
async fn deleted_user_leaves_no_files_and_rows_after_a_day() {
    let database = TestDatabase::new().await;
    let db = database.pool();
    let node = Node::start(&database);
    let data = node.folder.path().join("data");
    let mut grete = Browser::new(&node.url).await;
    let form = json!({"email": EMAIL, "password": PASSWORD, "name": NAME, "termsAccepted": true,
        "privacyAccepted": true});
    assert_eq!(grete.send(reqwest::Method::POST, "auth/signup/email-password", form).await.0, 201);
    let (status, key) = grete.send(reqwest::Method::POST, "general/api-key", json!({"name": SECRET})).await;
    assert_eq!(status, 201, "{key}");
    let key = key["key"].as_str().expect("a key").to_owned();
    let program = Program { http: client(), url: node.url.clone(), key };
    let upload = program.upload(&format!("{SECRET}.png"), picture()).await;
    let job = program.submit(json!({ "prompt": prompt(), "files": { "mine.png": upload } })).await;
    assert_eq!(job["status"], "Done", "{job}");
    assert!(program.look_at(&job).await >= 1, "nothing was made");
    // She writes a post that she publishes, and a draft.
    let made = program.http.post(format!("{}/api/general/workflow", node.url)).header("api-key", &program.key);
    let draft = json!({"name": SECRET, "description": SECRET, "prompt": {"output": prompt()}, "isPrivate": true});
    let made = made.json(&draft).send().await.expect("an answer");
    assert_eq!(made.status().as_u16(), 201, "{:?}", made.text().await);
    until("her letter", async || (data.join("mail").is_dir() && !files(&data.join("mail")).is_empty()).then_some(()))
        .await;

    // The platform has files of its own: the covers of generators.
    let contents = "WITH grete AS (SELECT id FROM users WHERE email = $1)
                    SELECT content FROM assets WHERE user_id IN (SELECT id FROM grete)
                    UNION SELECT content FROM output_assets WHERE user_id IN (SELECT id FROM grete)";
    let contents: Vec<String> = sqlx::query_scalar(contents).bind(EMAIL).fetch_all(&db).await.expect("contents");
    assert!(contents.len() >= 2, "{contents:?}");
    for folder in ["files", "worker/input", "worker/output", "worker/temp", "mail"] {
        assert!(!hers_on_disk(&data.join(folder), &contents).is_empty(), "the test looks for nothing in {folder}");
    }
    assert!(!hers_in_tables(&db, &contents).await.is_empty(), "the test looks for nothing in the tables");

    let farewell = grete.send(reqwest::Method::DELETE, "auth/me", json!({"password": PASSWORD})).await;
    assert_eq!(farewell.0, 204, "{}", farewell.1);
    until("the clearing", async || {
        let cleared = "SELECT EXISTS (SELECT FROM users WHERE deleted_at IS NOT NULL AND cleared_at IS NOT NULL)";
        sqlx::query_scalar::<_, bool>(cleared).fetch_one(&db).await.expect("an answer").then_some(())
    })
    .await;
    two_hours(&db, &data).await;
    let letters = "SELECT count(*) FROM mails WHERE ended_at IS NULL";
    until("the last letter", async || {
        (sqlx::query_scalar::<_, i64>(letters).fetch_one(&db).await.expect("a count") == 0).then_some(())
    })
    .await;
    age(&data);
    // A worker sweeps at its start, and every hour.
    kill(worker_of(node.process.id()).expect("a worker"));
    let mut left = Vec::new();
    let began = std::time::Instant::now();
    while began.elapsed().as_secs() < 120 {
        left = hers_on_disk(&data, &contents);
        if left.is_empty() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
    assert!(left.is_empty(), "files tell of her: {left:#?}");
    let rows = hers_in_tables(&db, &contents).await;
    assert!(rows.is_empty(), "rows tell of her: {rows:#?}");
}
