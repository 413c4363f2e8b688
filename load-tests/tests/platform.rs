//! Parts of a platform that can be killed, with real processes.

use std::path::PathBuf;
use std::sync::Arc;

use verdigraph_core::settings::DataDir;
use verdigraph_load::platform::{CleanupProcess, Comfy, Database, Plan, Retention, Shutdown};

fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_verdigraph-load"))
}

fn cleanup() -> Arc<CleanupProcess> {
    Arc::new(CleanupProcess::start(&program()).expect("the cleanup process"))
}

async fn answers(url: &str) -> bool {
    drop(rustls::crypto::ring::default_provider().install_default());
    let http = reqwest::Client::builder().no_proxy().build().expect("a client");
    http.get(format!("{url}/system_stats")).send().await.is_ok_and(|answer| answer.status().is_success())
}

#[tokio::test]
async fn killed_worker_is_revived_on_its_port() {
    let folder = tempfile::tempdir().expect("a folder");
    let worker = Comfy::start(Plan::default(), program(), folder.path(), &cleanup()).await;
    let mut worker = worker.expect("a worker");
    let url = worker.url();
    assert!(answers(&url).await);
    assert!(worker.usage().rss_bytes > 0);
    worker.kill();
    assert!(!answers(&url).await);
    worker.revive().await.expect("another life");
    assert!(answers(&url).await);
    drop(worker);
    assert!(!answers(&url).await, "a dropped worker ends");
}

#[tokio::test]
async fn restarted_database_keeps_commits_and_pool() {
    let folder = tempfile::tempdir().expect("a folder");
    let cleanup = cleanup();
    let mut database =
        Database::start(&DataDir::new(folder.path()), &cleanup, Retention::Removed).await.expect("a database");
    sqlx::raw_sql("CREATE TABLE kept AS SELECT 7 AS number").execute(&database.pool).await.expect("a table");
    for shutdown in [Shutdown::Fast, Shutdown::Immediate] {
        database.restart(shutdown).await.expect("a restart");
        assert_eq!(database.count("SELECT number::bigint FROM kept").await.expect("a row"), 7);
    }
    let usage = database.usage();
    assert!(usage.processes > 1 && usage.rss_bytes > 0, "{usage:?}");
    database.stop().await.expect("a stop");
}
