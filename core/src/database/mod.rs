//! PostgreSQL: pools, migrations, and the private server of a node that is given none.

mod away;
mod embedded;
mod location;
mod migrations;
pub(crate) mod monthly;
mod pid_file;
mod pooler;
mod programs;
mod watch;

use std::str::FromStr;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, PgPool};

pub use away::{is_away, is_overtaken, is_too_slow};
pub use embedded::{Durability, Embedded, Shutdown};
pub use migrations::{MIGRATOR, migrate};
pub use watch::{PoolUse, Watched};

use crate::error::{Error, Result};
use crate::settings::DatabaseSettings;

/// A connection that was idle for so long may have been cut off meanwhile, as by a restart of the server: it is asked
/// before it is used, so that nobody gets an error for it.
const UNSURE_AFTER: Duration = Duration::from_millis(200);

/// A pool that opens its connections when they are first needed, on the thread that needs them.
///
/// Each HTTP thread makes its own: a connection belongs to the runtime that opened it. Connections are asked
/// whether they live only where they were idle for a while: before each use that would double the round trips.
///
/// # Errors
/// Where the address cannot be read.
pub fn pool(url: &SecretString, settings: &DatabaseSettings) -> Result<PgPool> {
    Ok(pool_options(settings).connect_lazy_with(connect_options(url, settings)?))
}

/// A pool like this one for statements that name their rows by key. Such a statement is planned once, perhaps while
/// its tables are empty, and must not go on reading them from end to end when they are not any more.
#[must_use]
pub fn keyed(pool: &PgPool) -> PgPool {
    pool.options().clone().connect_lazy_with(keyed_options(pool))
}

/// A [`keyed`] pool of one connection, for somebody who does one thing after the other: a connection that is always the
/// same has its plans and its tables at hand.
#[must_use]
pub fn keyed_shard(pool: &PgPool) -> PgPool {
    pool.options().clone().max_connections(1).connect_lazy_with(keyed_options(pool))
}

/// As [`keyed_shard`], with commits as those of [`relaxed`].
#[must_use]
pub fn relaxed_shard(pool: &PgPool) -> PgPool {
    pool.options().clone().max_connections(1).connect_lazy_with(relaxed_options(pool))
}

/// A [`keyed`] pool whose commits do not wait for the disk, for writes that the rows before them let us repeat. A
/// crash of the database may take back the last half second of them, unless a durable commit came after.
#[must_use]
pub fn relaxed(pool: &PgPool) -> PgPool {
    pool.options().clone().connect_lazy_with(relaxed_options(pool))
}

fn relaxed_options(pool: &PgPool) -> PgConnectOptions {
    keyed_options(pool).options([("synchronous_commit", "off")])
}

fn keyed_options(pool: &PgPool) -> PgConnectOptions {
    PgConnectOptions::clone(&pool.connect_options()).options([("enable_seqscan", "off")])
}

/// A pool with one connection opened already, so that a wrong address shows at the start, and a pooler in between that
/// cannot do what is needed.
///
/// # Errors
/// Where the address cannot be read, the database cannot be reached, or a pooler has to be set up otherwise.
pub async fn connect(url: &SecretString, settings: &DatabaseSettings) -> Result<PgPool> {
    let opened = pool_options(settings).connect_with(connect_options(url, settings)?).await;
    let pool = opened.map_err(pooler::explain)?;
    pooler::check(&pool, settings).await?;
    Ok(pool)
}

/// Whether the database answers, for health checks.
///
/// # Errors
/// Where no connection can be had within the settings' time, or the server does not answer on it.
pub async fn ping(db: &PgPool) -> Result<()> {
    Ok(db.acquire().await?.ping().await?)
}

/// How connections are opened: statements named for this program, and stopped when they run too long.
///
/// # Errors
/// Where the address cannot be read; the text does not repeat it, because it may hold a password.
pub fn connect_options(url: &SecretString, settings: &DatabaseSettings) -> Result<PgConnectOptions> {
    let options = PgConnectOptions::from_str(url.expose_secret()).map_err(|_| {
        Error::Internal("database.url: not an address of the form postgres://user:password@host/name".to_owned())
    })?;
    let timeout = format!("{}ms", settings.statement_timeout_ms);
    Ok(options.application_name("verdigraph").options([("statement_timeout", timeout.as_str()), ("timezone", "UTC")]))
}

fn pool_options(settings: &DatabaseSettings) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(settings.pool_connections)
        .acquire_timeout(Duration::from_millis(settings.acquire_timeout_ms))
        // A question before each use would cost every call a way to the server and back.
        .test_before_acquire(false)
        .before_acquire(|connection, state| {
            Box::pin(async move {
                if state.idle_for >= UNSURE_AFTER {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
}

/// Lets `<%` find what is written with typing errors, until the transaction ends.
///
/// # Errors
/// Database errors.
pub async fn be_lenient(tx: &mut sqlx::PgConnection) -> sqlx::Result<()> {
    sqlx::query!("SELECT set_config('pg_trgm.word_similarity_threshold', '0.38', true)").fetch_one(tx).await?;
    Ok(())
}

/// Lets the commit of a transaction not wait for the disk, as in a [`relaxed`] pool.
///
/// # Errors
/// Database errors.
pub async fn relax(tx: &mut sqlx::PgConnection) -> sqlx::Result<()> {
    sqlx::query!("SELECT set_config('synchronous_commit', 'off', true)").fetch_one(tx).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestCore;

    #[actix::test]
    async fn a_connection_that_was_cut_off_while_it_was_idle_costs_nobody_an_error() {
        let core = TestCore::new().await;
        let options = PgConnectOptions::clone(&core.db.connect_options());
        let db = pool_options(&core.settings.database).connect_lazy_with(options);
        ping(&db).await.expect("an open connection");
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE datname = current_database() AND pid <> pg_backend_pid()";
        sqlx::query(cut).execute(&core.db).await.expect("everybody else is cut off");
        tokio::time::sleep(UNSURE_AFTER).await;
        ping(&db).await.expect("a connection that lives");
    }
}
