//! PostgreSQL: pools, migrations, and an embedded server for nodes without `DATABASE_URL`.

mod embedded;
mod errors;
mod location;
mod migrations;
pub(crate) mod monthly;
mod pid_file;
mod pool_registry;
mod pooler;
mod programs;
mod transaction;

use std::str::FromStr;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, PgPool};

pub use embedded::{Durability, EmbeddedServer, Shutdown};
pub use errors::{is_serialization_failure, is_statement_timeout, is_unavailable, violates};
pub use migrations::{MIGRATOR, migrate};
pub use pool_registry::{PoolRegistry, PoolUsage};
pub use transaction::{begin, begin_with};

use crate::error::{Error, Result};
use crate::settings::DatabaseSettings;

/// A connection that was idle for this long may be broken, for example by a restart of the server, and is pinged before
/// use.
const UNSURE_AFTER: Duration = Duration::from_millis(200);

/// A lazy pool; connections are opened on the thread that needs them.
///
/// Each HTTP thread has its own pool, because a connection belongs to the runtime that opened it. Connections are
/// pinged only after idle time: a ping before each use would double the round trips.
///
/// # Errors
/// If the URL is invalid.
pub fn pool(url: &SecretString, settings: &DatabaseSettings) -> Result<PgPool> {
    Ok(pool_options(settings).connect_lazy_with(connect_options(url, settings)?))
}

/// A pool like this one for statements that select rows by key. Such a statement may be planned while its tables are
/// empty; this pool prevents that the plan keeps using sequential scans.
#[must_use]
pub fn keyed(pool: &PgPool) -> PgPool {
    pool.options().clone().connect_lazy_with(keyed_options(pool))
}

/// A [`keyed`] pool of one connection, for sequential work: the same connection reuses its plans.
#[must_use]
pub fn keyed_shard(pool: &PgPool) -> PgPool {
    pool.options().clone().max_connections(1).connect_lazy_with(keyed_options(pool))
}

/// Like [`keyed_shard`], with commits like [`relaxed`].
#[must_use]
pub fn relaxed_shard(pool: &PgPool) -> PgPool {
    pool.options().clone().max_connections(1).connect_lazy_with(relaxed_options(pool))
}

/// A [`keyed`] pool with asynchronous commits, for writes that can be repeated from other rows. A crash of the database
/// may lose the last half second of them, unless a durable commit followed.
#[must_use]
pub fn relaxed(pool: &PgPool) -> PgPool {
    pool.options().clone().connect_lazy_with(relaxed_options(pool))
}

/// A [`relaxed`] pool whose statements are planned once, although their arrays are long: to plan such a statement takes
/// longer than to run it.
#[must_use]
pub fn planned_once(pool: &PgPool) -> PgPool {
    let options = relaxed_options(pool).options([("plan_cache_mode", "force_generic_plan")]);
    pool.options().clone().connect_lazy_with(options)
}

fn relaxed_options(pool: &PgPool) -> PgConnectOptions {
    keyed_options(pool).options([("synchronous_commit", "off")])
}

fn keyed_options(pool: &PgPool) -> PgConnectOptions {
    PgConnectOptions::clone(&pool.connect_options()).options([("enable_seqscan", "off")])
}

/// A pool with one open connection, to detect a wrong URL or an unsuitable pooler at the start.
///
/// # Errors
/// If the URL is invalid, the database cannot be reached, or a pooler is misconfigured.
pub async fn connect(url: &SecretString, settings: &DatabaseSettings) -> Result<PgPool> {
    let opened = pool_options(settings).connect_with(connect_options(url, settings)?).await;
    let pool = opened.map_err(pooler::explain)?;
    pooler::check(&pool, settings).await?;
    Ok(pool)
}

/// Checks that the database answers, for health checks.
pub async fn ping(db: &PgPool) -> Result<()> {
    Ok(db.acquire().await?.ping().await?)
}

/// Options of all connections: application name, statement timeout and time zone.
///
/// # Errors
/// If the URL is invalid; the message does not repeat it, because it may contain a password.
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
        // A ping before each use would cost a round trip.
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

/// Lowers the similarity threshold of `<%` until the end of the transaction, to find words with typing errors.
pub async fn lower_word_similarity(tx: &mut sqlx::PgConnection) -> sqlx::Result<()> {
    sqlx::query!("SELECT set_config('pg_trgm.word_similarity_threshold', '0.38', true)").fetch_one(tx).await?;
    Ok(())
}

/// Makes the transaction's commit asynchronous, as in a [`relaxed`] pool.
pub async fn use_async_commit(tx: &mut sqlx::PgConnection) -> sqlx::Result<()> {
    sqlx::query!("SELECT set_config('synchronous_commit', 'off', true)").fetch_one(tx).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestCore;

    #[actix::test]
    async fn connection_broken_while_idle_is_replaced() {
        let core = TestCore::new().await;
        let options = PgConnectOptions::clone(&core.db.connect_options());
        let db = pool_options(&core.settings.database).connect_lazy_with(options);
        ping(&db).await.expect("an open connection");
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE datname = current_database() AND pid <> pg_backend_pid()";
        sqlx::query(cut).execute(&core.db).await.expect("all other connections are closed");
        tokio::time::sleep(UNSURE_AFTER).await;
        ping(&db).await.expect("a connection that lives");
    }
}
