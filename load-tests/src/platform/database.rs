//! The run's own PostgreSQL, which keeps what it commits.

use std::sync::Arc;

use secrecy::{ExposeSecret, SecretString};
use sqlx::postgres::PgPoolOptions;
use sqlx::{AssertSqlSafe, PgPool};
use verdigraph_core::database::{Durability, Embedded, Shutdown};
use verdigraph_core::settings::DataDir;

use super::attendant::{Attendant, Ending};
use super::usage::Usage;
use crate::error::{Error, Result};

/// A private server in the run's folder.
#[derive(Debug)]
pub struct Database {
    /// `None` only while it is being restarted, or where that failed.
    server: Option<Embedded>,
    attendant: Arc<Attendant>,
    /// The address, with its password.
    pub url: SecretString,
    /// Few connections for counting and checking.
    pub pool: PgPool,
}

impl Database {
    /// Starts one in this folder.
    ///
    /// # Errors
    /// There is no PostgreSQL, or it does not start.
    pub async fn start(data: &DataDir, attendant: &Arc<Attendant>) -> Result<Self> {
        let (server, url) = Embedded::start(data, None, Durability::Kept).await?;
        attendant.watch(server.pid(), Ending::Quit);
        if let Some(folder) = server.moved_to() {
            attendant.remove(folder);
        }
        // A restart breaks connections, so each is tried before it is used.
        let pool =
            PgPoolOptions::new().max_connections(4).test_before_acquire(true).connect_lazy(url.expose_secret())?;
        Ok(Self { server: Some(server), attendant: Arc::clone(attendant), url, pool })
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
