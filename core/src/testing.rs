//! A new database for each test.
//!
//! A template with all migrations is created once per machine (its name contains their hash). Each test gets a copy,
//! which is dropped at the end. The server is `TEST_DATABASE_URL` or `DATABASE_URL`; without them, an embedded one with
//! its data in memory or in the build folder, shared by all test processes and stopped after the run.

pub mod connection_cutter;
mod core;
pub mod payment_server;
pub mod paypal;
pub mod pgbouncer;
pub mod providers;
pub mod s3;
mod server;
pub mod smtp;
pub mod toss;
pub mod youtube;

use std::time::Duration;

use secrecy::SecretString;
use sha2::{Digest, Sha256};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions, PgRow};
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool, Row};
use uuid::Uuid;

use crate::database::MIGRATOR;

pub use self::core::{TestCore, code_in};

/// A video of 160 × 90 pixels and 1.5 seconds, H.264 in MP4.
pub const MP4: &[u8] = include_bytes!("testing/clip.mp4");
/// A video of 90 × 160 pixels and 1 second, VP9 in WebM.
pub const WEBM: &[u8] = include_bytes!("testing/clip.webm");

/// A quarter of a second of silence: WAV, mono, 8,000 Hz.
#[must_use]
pub fn wav() -> Vec<u8> {
    let samples = vec![0_u8; 4000];
    let size = |bytes: usize| u32::try_from(bytes).expect("short").to_le_bytes();
    let format = [1_u16.to_le_bytes(), 1_u16.to_le_bytes()].concat();
    let rates = [8000_u32.to_le_bytes(), 16_000_u32.to_le_bytes()].concat();
    let sample = [2_u16.to_le_bytes(), 16_u16.to_le_bytes()].concat();
    let head = [&b"RIFF"[..], &size(36 + samples.len()), b"WAVEfmt ", &size(16), &format, &rates, &sample].concat();
    [&head[..], b"data", &size(samples.len()), &samples].concat()
}

/// A database for one test. Dropped with the value, also if the test fails.
#[derive(Debug)]
pub struct TestDatabase {
    /// Connections for the runtime that called [`TestDatabase::new`].
    pub db: PgPool,
    name: String,
    server: PgConnectOptions,
    url: SecretString,
}

impl TestDatabase {
    pub async fn new() -> Self {
        let address = server::address().await;
        let server: PgConnectOptions = address.parse().expect("TEST_DATABASE_URL or DATABASE_URL is an address");
        let mut admin = PgConnection::connect_with(&server).await.expect("the test server answers");
        let template = template(&server, &mut admin).await;
        let name = format!("vg_test_{}", Uuid::now_v7().simple());
        // The default strategy writes a copy of each page to the log.
        run(&mut admin, format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")).await;
        admin.close().await.expect("a connection that closes");
        let options = server.clone().database(&name).options([("timezone", "UTC")]);
        let url = SecretString::from(with_database(&address, &name));
        let db = PgPoolOptions::new().max_connections(8).test_before_acquire(false).connect_lazy_with(options);
        Self { db, name, server, url }
    }

    /// The database's URL, for a program that the test starts.
    #[must_use]
    pub fn url(&self) -> &SecretString {
        &self.url
    }

    /// The result of a statement that selects one number.
    pub async fn count(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar(sql).fetch_one(&self.db).await.expect("a number")
    }

    /// Waits until this number of statements wait for a lock.
    pub async fn wait_for_locks(&self, count: i64) {
        let waiting =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let counted = async {
            while self.count(waiting).await != count {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), counted).await.expect("statements that wait for a lock");
    }

    /// The generic plan of a statement, which is executed with these values.
    pub async fn plan(&self, types: &str, sql: &str, values: &str) -> String {
        let mut db = self.db.acquire().await.expect("a connection").detach();
        let sql = format!(
            "SET plan_cache_mode = force_generic_plan; PREPARE asked({types}) AS {sql};
             EXPLAIN (ANALYZE, COSTS off, TIMING off) EXECUTE asked({values})"
        );
        let rows = sqlx::raw_sql(AssertSqlSafe(sql)).fetch_all(&mut db).await.expect("a plan");
        db.close().await.expect("a connection that closes");
        let line = |row: &PgRow| row.get::<String, _>(0);
        rows.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// Another pool for the same database, for another runtime.
    #[must_use]
    pub fn pool(&self) -> PgPool {
        let options = self.server.clone().database(&self.name).options([("timezone", "UTC")]);
        PgPoolOptions::new().max_connections(8).test_before_acquire(false).connect_lazy_with(options)
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), std::mem::take(&mut self.name));
        // On a separate thread, because a runtime cannot block inside another.
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                let mut admin = PgConnection::connect_with(&server).await.map_err(std::io::Error::other)?;
                sqlx::raw_sql(AssertSqlSafe(format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")))
                    .execute(&mut admin)
                    .await
                    .map_err(std::io::Error::other)
            })
        });
        if let Ok(Err(error)) = dropped.join() {
            tracing::warn!(%error, "a test database was left behind");
        }
    }
}

/// The name of the template, which is created if it is missing.
async fn template(server: &PgConnectOptions, admin: &mut PgConnection) -> String {
    let mut digest = Sha256::new();
    for migration in MIGRATOR.iter() {
        digest.update(&*migration.checksum);
    }
    let digest: [u8; 32] = digest.finalize().into();
    let name = format!("vg_template_{}", server::short_hex(&digest));
    if !exists(admin, &name).await {
        let key = i64::from_le_bytes(std::array::from_fn(|at| digest[at]));
        sqlx::query("SELECT pg_advisory_lock($1)").bind(key).execute(&mut *admin).await.expect("the template's lock");
        // Another test may have made it before it returned the lock.
        if !exists(admin, &name).await {
            make_template(server, admin, &name).await;
        }
        sqlx::query("SELECT pg_advisory_unlock($1)")
            .bind(key)
            .execute(&mut *admin)
            .await
            .expect("an unlocked template");
    }
    name
}

async fn exists(admin: &mut PgConnection, name: &str) -> bool {
    sqlx::query_scalar("SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)")
        .bind(name)
        .fetch_one(admin)
        .await
        .expect("the list of databases")
}

/// It has its name only when it is complete.
async fn make_template(server: &PgConnectOptions, admin: &mut PgConnection, name: &str) {
    drop_leftovers(admin).await;
    let unfinished = format!("{name}_new");
    run(admin, format!("DROP DATABASE IF EXISTS {unfinished} WITH (FORCE)")).await;
    run(admin, format!("CREATE DATABASE {unfinished}")).await;
    let mut fresh = PgConnection::connect_with(&server.clone().database(&unfinished)).await.expect("the new template");
    MIGRATOR.run(&mut fresh).await.expect("migrations that run");
    fresh.close().await.expect("a connection that closes");
    run(admin, format!("ALTER DATABASE {unfinished} RENAME TO {name}")).await;
}

/// Drops databases of tests that were killed more than an hour ago; their names contain the time.
async fn drop_leftovers(admin: &mut PgConnection) {
    let names: Vec<String> = sqlx::query_scalar("SELECT datname FROM pg_database WHERE datname LIKE 'vg\\_test\\_%'")
        .fetch_all(&mut *admin)
        .await
        .expect("the list of databases");
    let hour_ago = Uuid::now_v7().get_timestamp().map(|now| now.to_unix().0.saturating_sub(3600));
    for name in names {
        let made =
            name.strip_prefix("vg_test_").and_then(|id| Uuid::parse_str(id).ok()).and_then(|id| id.get_timestamp());
        if made.map(|made| made.to_unix().0) < hour_ago {
            run(admin, format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
        }
    }
}

async fn run(admin: &mut PgConnection, sql: String) {
    sqlx::raw_sql(AssertSqlSafe(sql.clone())).execute(admin).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// The URL with another database name.
fn with_database(address: &str, name: &str) -> String {
    let (base, query) = address.split_once('?').map_or((address, None), |(base, query)| (base, Some(query)));
    let start = base.find("://").map_or(0, |at| at + 3);
    let base = base.get(start..).and_then(|rest| rest.find('/')).and_then(|at| base.get(..start + at)).unwrap_or(base);
    match query {
        Some(query) => format!("{base}/{name}?{query}"),
        None => format!("{base}/{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_databases_name_is_replaced() {
        assert_eq!(with_database("postgres://a:b@h:1/old", "new"), "postgres://a:b@h:1/new");
        assert_eq!(with_database("postgres://a@h/old?sslmode=disable", "new"), "postgres://a@h/new?sslmode=disable");
        assert_eq!(with_database("postgres://h", "new"), "postgres://h/new");
    }

    #[tokio::test]
    async fn tests_have_separate_databases_that_are_dropped_afterwards() {
        let (one, other) = tokio::join!(TestDatabase::new(), TestDatabase::new());
        sqlx::raw_sql("CREATE TABLE mine ()").execute(&one.db).await.expect("a table");
        let seen: bool =
            sqlx::query_scalar("SELECT to_regclass('mine') IS NOT NULL").fetch_one(&other.db).await.expect("a row");
        assert!(!seen);
        let migrated: bool =
            sqlx::query_scalar("SELECT to_regclass('users') IS NOT NULL").fetch_one(&one.db).await.expect("a row");
        assert!(migrated, "a test database has all tables");
        let name = one.name.clone();
        drop(one);
        let left: bool = sqlx::query_scalar("SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)")
            .bind(name)
            .fetch_one(&other.db)
            .await
            .expect("a row");
        assert!(!left, "the database is dropped with the value");
    }
}
