//! The run's own PostgreSQL with durable commits.

use std::path::PathBuf;
use std::sync::Arc;

use secrecy::{ExposeSecret, SecretString};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, PgPool};
use verdigraph_core::database::{Durability, EmbeddedServer, Shutdown};
use verdigraph_core::settings::DataDir;

use super::cleanup::{CleanupProcess, EndSignal};
use super::usage::Usage;
use crate::error::{Error, Result};

/// Whether the data is kept after the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retention {
    Removed,
    Kept,
}

/// A private server in the run's folder.
#[derive(Debug)]
pub struct Database {
    /// `None` only during a restart or after a failed one.
    server: Option<EmbeddedServer>,
    cleanup: Arc<CleanupProcess>,
    /// The superuser's URL with its password.
    pub url: SecretString,
    /// The platform's URL.
    pub platform_url: SecretString,
    /// A small pool for counts and checks.
    pub pool: PgPool,
}

impl Database {
    /// Starts a server in this folder.
    pub async fn start(data: &DataDir, cleanup: &Arc<CleanupProcess>, retention: Retention) -> Result<Self> {
        let (server, platform_url) = EmbeddedServer::start(data, None, Durability::Durable).await?;
        let url = server.superuser();
        cleanup.watch(server.pid(), EndSignal::Quit);
        if let Some(folder) = server.moved_to().filter(|_| retention == Retention::Removed) {
            cleanup.remove(folder);
        }
        // A restart breaks connections, so each is tested before use.
        let pool =
            PgPoolOptions::new().max_connections(4).test_before_acquire(true).connect_lazy(url.expose_secret())?;
        Ok(Self { server: Some(server), cleanup: Arc::clone(cleanup), url, platform_url, pool })
    }

    /// Restarts it on its port while clients are connected.
    pub async fn restart(&mut self, shutdown: Shutdown) -> Result<()> {
        let Some(server) = self.server.take() else { return Err(Error::Other("the database is gone".to_owned())) };
        let before = server.pid();
        let server = server.restart(shutdown).await?;
        self.cleanup.watch(server.pid(), EndSignal::Quit);
        self.cleanup.forget(before);
        self.server = Some(server);
        Ok(())
    }

    /// A single connection, for what a pool cannot do.
    pub async fn connect(&self) -> Result<PgConnection> {
        Ok(PgConnection::connect(self.url.expose_secret()).await?)
    }

    /// The connection options and the password.
    pub fn options(&self) -> Result<(PgConnectOptions, String)> {
        let url = self.url.expose_secret();
        let options: PgConnectOptions = url.parse()?;
        let password = url.split_once("://").and_then(|(_, rest)| rest.split_once('@')?.0.split_once(':'));
        Ok((options, password.map(|(_, password)| password.to_owned()).unwrap_or_default()))
    }

    /// The server's log file.
    pub fn log(&self) -> Result<PathBuf> {
        let server = self.server.as_ref().ok_or_else(|| Error::Other("the database is gone".to_owned()))?;
        Ok(server.log())
    }

    /// Runs a query that returns one number.
    pub async fn count(&self, sql: &str) -> Result<i64> {
        Ok(sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&self.pool).await?)
    }

    /// Usage of all its processes. Shared memory is counted once.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.server.as_ref().map(|server| Usage::of_family(server.pid())).unwrap_or_default()
    }

    pub async fn stop(mut self) -> Result<()> {
        self.pool.close().await;
        if let Some(server) = self.server.take() {
            let pid = server.pid();
            server.stop().await?;
            self.cleanup.forget(pid);
        }
        Ok(())
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            let pid = server.pid();
            drop(server);
            self.cleanup.forget(pid);
        }
    }
}
