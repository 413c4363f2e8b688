//! Nodes behind PgBouncer in transaction mode: the real binary, several nodes, and fewer sessions than each of them
//! wants.

mod node;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use secrecy::ExposeSecret;
use serde_json::{Value, json};
use verdigraph_core::testing::TestDatabase;
use verdigraph_core::testing::pgbouncer::TestPooler;

use node::{BINARY, Node, api_key};

/// Timeout of every wait.
const PATIENCE: Duration = Duration::from_secs(120);
/// Jobs that are submitted at once, the same number at each node.
const JOBS: u64 = 42;
/// Advisory locks and settings left in sessions.
const LEFT_BEHIND: &str = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

/// Runs a command of the binary, with this database and data folder.
fn command(pooler: &TestPooler, name: &str, data: &Path) -> Output {
    Command::new(BINARY)
        .args([name, "--data"])
        .arg(data)
        .env("DATABASE_URL", pooler.url().expose_secret())
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs")
}

async fn submit(http: &reqwest::Client, url: &str, key: &str, seed: u64) -> String {
    let prompt = json!({
        "1": {"class_type": "EmptyImage", "inputs": {"width": 32, "height": 24, "batch_size": 1, "color": seed}},
        "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "pooled"}},
    });
    let request = http.post(format!("{url}/api/general/job/prompt")).header("api-key", key);
    let response = request.json(&json!({ "prompt": prompt })).send().await.expect("an answer");
    let (status, job) = (response.status(), response.json::<Value>().await.expect("JSON"));
    assert_eq!(status.as_u16(), 201, "{job}");
    job["_id"].as_str().or(job["id"].as_str()).expect("an id").to_owned()
}

#[actix_web::test]
async fn nodes_leave_no_session_state_in_pgbouncer() {
    let database = TestDatabase::new().await;
    sqlx::raw_sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public").execute(&database.db).await.expect("emptied");
    let pooler = TestPooler::start(&database, 6, "").await;
    // Both find an empty database.
    let nodes = std::thread::scope(|scope| {
        let two = [(); 2].map(|()| scope.spawn(|| Node::launch(pooler.url(), "warn", Stdio::inherit())));
        two.map(|node| node.join().expect("a node that starts"))
    });
    // A third node connects to the database directly: all are one installation.
    let direct = Node::start(&database);
    assert_eq!(database.count(LEFT_BEHIND).await, 0, "the next node that starts would wait for ever");

    let key = api_key(&nodes[0].url).await;
    let http = reqwest::Client::builder().no_proxy().build().expect("a client");
    let urls = [&nodes[0].url, &nodes[1].url, &direct.url];
    let submits = (0..JOBS).zip(urls.iter().cycle()).map(|(seed, url)| submit(&http, url, &key, seed));
    let jobs = futures_util::future::join_all(submits).await;
    let began = Instant::now();
    loop {
        let mut ended = BTreeMap::<String, usize>::new();
        for job in &jobs {
            let status = http.get(format!("{}/api/general/job/{job}/status", nodes[1].url)).header("api-key", &key);
            let job: Value = status.send().await.expect("an answer").json().await.expect("JSON");
            *ended.entry(job["status"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
        }
        if ended.get("Done") == Some(&jobs.len()) {
            break;
        }
        assert!(began.elapsed() < PATIENCE, "jobs that do not end: {ended:?}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }

    let audit = command(&pooler, "audit", &nodes[0].folder.path().join("data"));
    assert!(audit.status.success(), "{}", String::from_utf8_lossy(&audit.stdout));
    assert_eq!(database.count(LEFT_BEHIND).await, 0, "a lock of a session was never given back");
}

#[actix_web::test]
async fn unsuitable_pooler_is_refused_at_the_start() {
    let database = TestDatabase::new().await;
    let data = tempfile::tempdir().expect("a folder");
    let without = ["max_prepared_statements = 0", "ignore_startup_parameters = extra_float_digits"];
    for (instead, told) in without.into_iter().zip(["max_prepared_statements", "ignore_startup_parameters"]) {
        let pooler = TestPooler::start(&database, 6, instead).await;
        let migrated = command(&pooler, "migrate", data.path());
        let errors = String::from_utf8_lossy(&migrated.stderr).into_owned();
        assert!(!migrated.status.success() && errors.contains(told), "{instead}: {errors}");
    }
}

#[actix_web::test]
async fn missing_statement_timeout_is_reported() {
    let database = TestDatabase::new().await;
    assert!(says_so(&database).await, "what connections ask for does not come through");
    let limit = "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET statement_timeout = ''30s''', current_database()); \
                 END $$";
    sqlx::raw_sql(limit).execute(&database.db).await.expect("a limit");
    assert!(!says_so(&database).await, "the database stops them by itself");
}

/// Whether a starting node warns of slow statements.
async fn says_so(database: &TestDatabase) -> bool {
    let pooler = TestPooler::start(database, 6, "").await;
    let log = tempfile::NamedTempFile::new().expect("a file");
    let _node = Node::launch(pooler.url(), "warn", Stdio::from(log.reopen().expect("the file")));
    std::fs::read_to_string(log.path()).expect("a log").contains("has no statement timeout")
}
