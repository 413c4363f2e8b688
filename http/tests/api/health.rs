//! Probes, and uploads while the storage is unavailable.

use std::time::{Duration, Instant};

use reqwest::multipart::{Form, Part};
use reqwest::{Method, Response};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use sqlx::PgPool;
use sqlx::postgres::PgConnectOptions;
use verdigraph_core::testing::s3::TestStore;

use crate::site::{Browser, Site};

/// How long a node may take to notice a change.
const PATIENCE: Duration = Duration::from_secs(60);

async fn ask(site: &Site, path: &str) -> (u16, Value) {
    let response = site.get(&Browser::default(), path).await;
    assert_eq!(response.headers()["cache-control"], "no-store", "{path} must be asked each time");
    let status = response.status().as_u16();
    assert_eq!(status == 503, response.headers().contains_key("retry-after"), "{path}");
    (status, response.json().await.expect("JSON"))
}

/// Polls until the node is ready, or not ready.
async fn until_ready(site: &Site, wanted: bool) -> Value {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        let (status, ready) = ask(site, "/api/ready").await;
        if (status == 200) == wanted {
            return ready;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it never becomes {}", if wanted { "ready" } else { "unready" });
}

async fn upload(site: &Site, who: &Browser, side: u32) -> Response {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(side, side).write_to(&mut bytes, image::ImageFormat::Png).expect("a picture");
    let form = Form::new().part("image", Part::bytes(bytes.into_inner()).file_name("a.png"));
    let request = who.sign(site.ask(Method::POST, "/api/general/asset/file/image")).multipart(form);
    request.send().await.expect("an answer")
}

/// The response is a temporary refusal whose message reveals nothing internal.
async fn is_put_off(response: Response) {
    assert_eq!((response.status().as_u16(), &response.headers()["retry-after"]), (503, &"5".parse().expect("a value")));
    let body: Value = response.json().await.expect("JSON");
    assert_eq!(body["code"], "UNAVAILABLE");
    assert_eq!(body["message"], "files can be neither stored nor read at the moment");
}

#[actix_web::test]
async fn stopping_node_is_live_but_not_ready() {
    let site = Site::start().await;
    assert_eq!(ask(&site, "/api/live").await, (200, json!({ "status": "live" })));
    let (status, ready) = ask(&site, "/api/ready").await;
    let expected = json!({ "status": "ready", "database": "ok", "storage": "ok", "redis": "none" });
    assert_eq!((status, ready), (200, expected));
    site.edge.drain();
    let (status, ready) = ask(&site, "/api/ready").await;
    assert_eq!((status, &ready["status"]), (503, &"draining".into()), "{ready}");
    assert_eq!(ask(&site, "/api/live").await.0, 200);
    site.finish().await;
}

#[actix_web::test]
async fn probes_are_not_rate_limited() {
    let site = Site::with(|settings| settings.limits.requests_per_minute_per_address = 1).await;
    for _ in 0..5 {
        assert_eq!(ask(&site, "/api/live").await.0, 200);
        assert_eq!(ask(&site, "/api/ready").await.0, 200);
    }
    site.finish().await;
}

#[actix_web::test]
async fn node_without_database_is_live_but_not_ready() {
    let site = Site::with(|settings| settings.database.acquire_timeout_ms = 500).await;
    let name: String = sqlx::query_scalar("SELECT current_database()").fetch_one(&site.core.db).await.expect("a name");
    let address: PgConnectOptions = site.core.database.url().expose_secret().parse().expect("an address");
    let elsewhere = PgPool::connect_with(address.database("postgres")).await.expect("the server answers");
    let turn = async |on: bool| {
        let sql = format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS {on}");
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&elsewhere).await.expect("a changed database");
    };
    turn(false).await;
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1";
    sqlx::query(end).bind(&name).execute(&elsewhere).await.expect("connections that end");
    let told = until_ready(&site, false).await;
    assert_eq!(told["status"], "unavailable", "{told}");
    assert_eq!(ask(&site, "/api/live").await.0, 200);
    turn(true).await;
    until_ready(&site, true).await;
    // Each connection finds out once that it was terminated.
    let mut has_connection = false;
    for _ in 0..100 {
        has_connection = verdigraph_core::database::ping(&site.core.db).await.is_ok();
        if has_connection {
            break;
        }
    }
    assert!(has_connection, "the pool keeps more ended connections than it has room for");
    site.finish().await;
}

#[actix_web::test]
async fn unavailable_storage_refuses_uploads_and_is_reported() {
    let store = TestStore::start().await;
    let site = Site::with(|settings| store.configure(settings)).await;
    let ann = site.person().await;
    let kept: Value = upload(&site, &ann, 30).await.json().await.expect("JSON");
    let file = kept["url"].as_str().expect("an address").trim_start_matches(site.url.as_str()).to_owned();
    assert_eq!(site.get(&ann, &file).await.status(), 200);
    store.cut();
    is_put_off(upload(&site, &ann, 31).await).await;
    let told = until_ready(&site, false).await;
    assert_eq!((&told["status"], &told["storage"]), (&"unavailable".into(), &"away".into()), "{told}");
    assert_eq!(told["reason"], "files can be neither stored nor read");
    is_put_off(upload(&site, &ann, 32).await).await;
    is_put_off(site.get(&ann, &file).await).await;
    assert_eq!(ask(&site, "/api/live").await.0, 200);
    let health: Value = site.get(&Browser::default(), "/api/health").await.json().await.expect("JSON");
    assert_eq!(health["storage"], "away");
    let metrics = site.get(&Browser::default(), "/metrics").await.text().await.expect("a text");
    assert!(metrics.contains("\nverdigraph_storage_away 1\n"), "{metrics}");
    store.restore();
    until_ready(&site, true).await;
    assert_eq!(site.get(&ann, &file).await.status(), 200);
    assert_eq!(upload(&site, &ann, 32).await.status(), 201);
    site.finish().await;
}
