//! Floors: the rates of the machine, its PostgreSQL and actix-web for the same rows, without the platform.
//!
//! They run on the platform's PostgreSQL server, in their own database with the same tables, so that disk, settings and
//! indexes are the same.

pub mod pgbench;
pub mod server;
pub mod statements;
mod store;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use secrecy::{ExposeSecret as _, SecretString};
use sqlx::postgres::PgPoolOptions;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, PgPool};
use uuid::Uuid;
use verdigraph_core::database;

use crate::app::Seeds;
use crate::error::{Error, Result};
use crate::load::{Loop, Outcome, Requests};
use crate::platform::{Platform, Usage};

/// The name of the floors' database.
const NAME: &str = "floors";
/// Rows per insert: the platform's group commit collects as many at 128 connections.
const BATCH: usize = 64;

/// The prepared floors.
pub struct Floors {
    url: SecretString,
    accounts: Vec<Uuid>,
    server: server::Child,
}

/// One measurement of a floor.
#[derive(Debug, Clone)]
pub struct Measured {
    pub outcome: Outcome,
    /// Microseconds of processor time per row or request.
    pub server_us: f64,
    pub database_us: f64,
}

impl Measured {
    /// Combines an outcome with processor times at begin and end.
    #[must_use]
    pub fn new(outcome: Outcome, server: &[Usage], database: &[Usage]) -> Self {
        let each = |looks: &[Usage]| {
            let spent = looks.first().zip(looks.last()).map(|(first, last)| last.cpu.saturating_sub(first.cpu));
            #[expect(clippy::cast_precision_loss, reason = "counts of a load run")]
            let count = outcome.latencies.count().max(1) as f64;
            spent.unwrap_or_default().as_secs_f64() * 1e6 / count
        };
        let (server_us, database_us) = (each(server), each(database));
        Self { outcome, server_us, database_us }
    }
}

impl Floors {
    /// Creates the database with accounts and credits, and starts the floors' HTTP server.
    pub async fn prepare(platform: &Platform, accounts: usize) -> Result<Self> {
        let url = platform.database.url.expose_secret();
        let mut admin = PgConnection::connect(url).await?;
        for statement in [format!("DROP DATABASE IF EXISTS {NAME} WITH (FORCE)"), format!("CREATE DATABASE {NAME}")] {
            sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut admin).await?;
        }
        admin.close().await?;
        let place = url.rsplit_once('/').map(|(server, _)| format!("{server}/{NAME}"));
        let url = SecretString::from(place.ok_or_else(|| Error::Other("the database's address has no name".into()))?);
        let pool = pool(&url, 1)?;
        database::migrate(&pool).await?;
        let accounts: Vec<Uuid> = (0..accounts).map(|_| Uuid::now_v7()).collect();
        store::grant(&pool, &accounts).await?;
        pool.close().await;
        let server = server::Child::start(platform, &url).await?;
        Ok(Self { url, accounts, server })
    }

    /// PostgreSQL alone: inserts job rows over one connection, 64 per statement, without credits.
    pub async fn insert(&self, platform: &Platform, length: Duration) -> Result<Measured> {
        let mut connection = PgConnection::connect(self.url.expose_secret()).await?;
        let batch = store::Batch::new(&self.accounts, BATCH);
        let mut outcome = Outcome::default();
        // The first statements are planned without statistics; the platform is past that.
        for _ in 0..10 {
            batch.insert(&mut connection).await?;
        }
        let before = platform.database.usage();
        let begin = Instant::now();
        while begin.elapsed() < length {
            let sent = Instant::now();
            batch.insert(&mut connection).await?;
            (0..BATCH).for_each(|_| outcome.latencies.record(sent.elapsed()));
        }
        outcome.seconds = begin.elapsed().as_secs_f64();
        outcome.accepted = outcome.latencies.count();
        let after = platform.database.usage();
        connection.close().await?;
        Ok(Measured::new(outcome, &[], &[before, after]))
    }

    /// The same request as one transaction: locks the lots, inserts hold, entry and job; with a pool of 16 behind
    /// actix-web. `accounts` is the number of accounts in use.
    pub async fn transactions(&self, platform: &Platform, plan: &Loop, accounts: usize) -> Result<Measured> {
        self.ask(platform, plan, "/transaction", accounts).await
    }

    /// actix-web alone: parses the form and answers 201.
    pub async fn parse(&self, platform: &Platform, plan: &Loop) -> Result<Measured> {
        self.ask(platform, plan, "/parse", self.accounts.len()).await
    }

    async fn ask(&self, platform: &Platform, plan: &Loop, path: &str, accounts: usize) -> Result<Measured> {
        let plan = Loop { address: self.server.address, ..*plan };
        let accounts: Arc<[Uuid]> = self.accounts.iter().copied().take(accounts.max(1)).collect();
        let seeds = Seeds::default();
        let (mut server, mut postgres) = (Vec::new(), Vec::new());
        let requests = |number| FloorRequests {
            path: path.to_owned(),
            accounts: Arc::clone(&accounts),
            seeds: seeds.clone(),
            next: number,
        };
        let looks = || {
            server.push(self.server.usage());
            postgres.push(platform.database.usage());
        };
        let outcome = plan.run(requests, looks).await?;
        if outcome.errors() > 0 {
            return Err(Error::Other(format!("the floor {path} refused requests: {:?}", outcome.refused)));
        }
        Ok(Measured::new(outcome, &server, &postgres))
    }

    /// Stops the floors' server and drops their database.
    pub async fn remove(self, platform: &Platform) -> Result<()> {
        drop(self.server);
        sqlx::raw_sql(AssertSqlSafe(format!("DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")))
            .execute(&platform.database.pool)
            .await?;
        settle(platform).await
    }
}

/// Runs a checkpoint, so that a run does not pay for the previous one.
pub async fn settle(platform: &Platform) -> Result<()> {
    sqlx::raw_sql("CHECKPOINT").execute(&platform.database.pool).await?;
    Ok(())
}

/// A pool with the driver's default options.
fn pool(url: &SecretString, connections: u32) -> Result<PgPool> {
    Ok(PgPoolOptions::new().max_connections(connections).connect_lazy(url.expose_secret())?)
}

/// Requests like the platform's submits, for the floors' server.
struct FloorRequests {
    path: String,
    accounts: Arc<[Uuid]>,
    seeds: Seeds,
    next: usize,
}

impl Requests for FloorRequests {
    fn write(&mut self, buffer: &mut Vec<u8>) {
        use std::io::Write as _;
        let account = self.accounts.get(self.next % self.accounts.len().max(1)).copied().unwrap_or_default();
        self.next += 1;
        let body = store::form(self.seeds.next());
        let (path, length) = (&self.path, body.len());
        // Writing into memory cannot fail.
        let _infallible = write!(
            buffer,
            "POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\napi-key: {account}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        );
    }
}

/// Direct access to the floors' server.
impl Floors {
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.server.address
    }
}
