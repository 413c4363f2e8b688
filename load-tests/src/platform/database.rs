//! The run's own PostgreSQL, which keeps what it commits.

use std::path::PathBuf;
use std::sync::Arc;

use secrecy::{ExposeSecret, SecretString};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, PgPool};
use verdigraph_core::database::{Durability, Embedded, Shutdown};
use verdigraph_core::settings::DataDir;

use super::attendant::{Attendant, Ending};
use super::usage::Usage;
use crate::error::{Error, Result};

/// Whether what a run wrote is there after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stay {
    Removed,
    Kept,
}

/// A private server in the run's folder.
#[derive(Debug)]
pub struct Database {
    /// `None` only while it is being restarted, or where that failed.
    server: Option<Embedded>,
    attendant: Arc<Attendant>,
    /// The superuser's address, with its password.
    pub url: SecretString,
    /// The address that the platform enters by.
    pub platform_url: SecretString,
    /// Few connections for counting and checking.
    pub pool: PgPool,
}

impl Database {
    /// Starts one in this folder. What it keeps elsewhere goes with the run, unless the run's folder is kept.
    ///
    /// # Errors
    /// There is no PostgreSQL, or it does not start.
    pub async fn start(data: &DataDir, attendant: &Arc<Attendant>, stay: Stay) -> Result<Self> {
        let (server, platform_url) = Embedded::start(data, None, Durability::Kept).await?;
        let url = server.superuser();
        attendant.watch(server.pid(), Ending::Quit);
        if let Some(folder) = server.moved_to().filter(|_| stay == Stay::Removed) {
            attendant.remove(folder);
        }
        // A restart breaks connections, so each is tried before it is used.
        let pool =
            PgPoolOptions::new().max_connections(4).test_before_acquire(true).connect_lazy(url.expose_secret())?;
        Ok(Self { server: Some(server), attendant: Arc::clone(attendant), url, platform_url, pool })
    }

    /// Restarts it on its port, under everybody who is connected.
    ///
    /// # Errors
    /// It does not come up again.
    pub async fn restart(&mut self, shutdown: Shutdown) -> Result<()> {
        let Some(server) = self.server.take() else { return Err(Error::Other("the database is gone".to_owned())) };
        let before = server.pid();
        let server = server.restart(shutdown).await?;
        self.attendant.watch(server.pid(), Ending::Quit);
        self.attendant.forget(before);
        self.server = Some(server);
        Ok(())
    }

    /// A connection of its own, for what a pool cannot do.
    ///
    /// # Errors
    /// The database cannot be reached.
    pub async fn connect(&self) -> Result<PgConnection> {
        Ok(PgConnection::connect(self.url.expose_secret()).await?)
    }

    /// The parts of its address, and the password.
    ///
    /// # Errors
    /// The address cannot be read.
    pub fn options(&self) -> Result<(PgConnectOptions, String)> {
        let url = self.url.expose_secret();
        let options: PgConnectOptions = url.parse()?;
        let password = url.split_once("://").and_then(|(_, rest)| rest.split_once('@')?.0.split_once(':'));
        Ok((options, password.map(|(_, password)| password.to_owned()).unwrap_or_default()))
    }

    /// The file that it writes its messages to.
    ///
    /// # Errors
    /// It does not run.
    pub fn log(&self) -> Result<PathBuf> {
        let server = self.server.as_ref().ok_or_else(|| Error::Other("the database is gone".to_owned()))?;
        Ok(server.log())
    }

    /// One number.
    ///
    /// # Errors
    /// The statement fails.
    pub async fn count(&self, sql: &str) -> Result<i64> {
        Ok(sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&self.pool).await?)
    }

    /// What all its processes have used and hold. Memory that they share is counted once.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.server.as_ref().map(|server| Usage::of_family(server.pid())).unwrap_or_default()
    }

    /// Stops it.
    ///
    /// # Errors
    /// It does not stop.
    pub async fn stop(mut self) -> Result<()> {
        self.pool.close().await;
        if let Some(server) = self.server.take() {
            let pid = server.pid();
            server.stop().await?;
            self.attendant.forget(pid);
        }
        Ok(())
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            let pid = server.pid();
            drop(server);
            self.attendant.forget(pid);
        }
    }
}
