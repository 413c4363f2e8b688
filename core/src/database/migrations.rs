//! Migrations, run by one node at a time.

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection, PgPool};

use crate::error::{Error, Result};

/// All migrations, in order. They only go forward.
pub static MIGRATOR: Migrator = sqlx::migrate!("./migrations");

/// Error for a database made by a version before the first release, which had other migrations.
pub(super) const PRE_RELEASE_DATABASE: &str = "the database was made by a version before the first release, which this one \
                                      cannot take over: begin with an empty database or a new data folder, or keep \
                                      using that version";

/// Error for a database that a newer version has changed incompatibly.
const INCOMPATIBLE_DATABASE: &str = "a later version has migrated the database in a way that this one cannot work with: install \
                          that version here too, or restore a backup";

/// A database with migrations that are newer than this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NewerSchema {
    /// They added only what this program does not use.
    Compatible,
    Incompatible,
}

/// Migrates the database. A lock lets one node migrate while others wait.
///
/// The lock belongs to a transaction on a connection of its own. The migrator's own lock belongs to a session. A pooler
/// that shares sessions might lock in one and unlock in another, and no later node could start.
///
/// A compatible database of a newer version is left as it is: during an upgrade, nodes of the previous version must be
/// able to restart.
///
/// # Errors
/// If a migration fails, or the database is of an incompatible version.
pub async fn migrate(db: &PgPool) -> Result<()> {
    let mut connection = PgConnection::connect_with(&db.connect_options()).await?;
    let mut lock = connection.begin().await?;
    // Waiting for the lock may take longer than the statement timeout.
    sqlx::query("SELECT set_config('statement_timeout', '0', true)").execute(&mut *lock).await?;
    sqlx::query("SELECT pg_advisory_xact_lock(hashtext('verdigraph_migrations'))").execute(&mut *lock).await?;
    let migrated = migrate_alone(db).await;
    lock.rollback().await?;
    connection.close().await?;
    migrated
}

async fn migrate_alone(db: &PgPool) -> Result<()> {
    let mut migrator = Migrator::with_migrations(MIGRATOR.iter().cloned().collect());
    let mut connection = connect_without_timeout(db).await?;
    let beside = later_version(&mut connection).await?;
    let run =
        migrator.set_locking(false).set_ignore_missing(beside == Some(NewerSchema::Compatible)).run(&mut connection);
    let Err(error) = run.await else {
        if beside.is_some() {
            tracing::warn!("a newer version has migrated the database; this node works with it until it is upgraded");
        }
        return Ok(connection.close().await?);
    };
    if beside == Some(NewerSchema::Incompatible) && matches!(error, MigrateError::VersionMissing(_)) {
        return Err(Error::Internal(INCOMPATIBLE_DATABASE.to_owned()));
    }
    let knows_others = matches!(error, MigrateError::VersionMissing(_) | MigrateError::VersionMismatch(_));
    if knows_others && has_other_first_migration(db).await? {
        return Err(Error::Internal(PRE_RELEASE_DATABASE.to_owned()));
    }
    Err(Error::Internal(format!("cannot migrate the database: {error}")))
}

/// Whether a newer version has migrated the database, and whether this program can use it.
async fn later_version(connection: &mut PgConnection) -> sqlx::Result<Option<NewerSchema>> {
    let ours = MIGRATOR.iter().map(|migration| migration.version).max().unwrap_or(0);
    let is_there = "SELECT to_regclass('_sqlx_migrations') IS NOT NULL AND to_regclass('database_floor') IS NOT NULL";
    if !sqlx::query_scalar::<_, bool>(is_there).fetch_one(&mut *connection).await? {
        return Ok(None);
    }
    let query = "SELECT coalesce((SELECT max(version) FROM _sqlx_migrations), 0), version FROM database_floor";
    let (newest, floor): (i64, i64) = sqlx::query_as(query).fetch_one(connection).await?;
    Ok((newest > ours).then_some(if floor <= ours { NewerSchema::Compatible } else { NewerSchema::Incompatible }))
}

/// A connection without statement timeout: creating a large index takes longer.
async fn connect_without_timeout(db: &PgPool) -> sqlx::Result<PgConnection> {
    let options = PgConnectOptions::clone(&db.connect_options()).options([("statement_timeout", "0")]);
    PgConnection::connect_with(&options).await
}

/// Whether the database's first migration is not ours. Newer versions keep the first migration.
async fn has_other_first_migration(db: &PgPool) -> sqlx::Result<bool> {
    let query = "SELECT checksum FROM _sqlx_migrations ORDER BY version LIMIT 1";
    let first: Option<Vec<u8>> = sqlx::query_scalar(query).fetch_optional(db).await?;
    Ok(first.as_deref() != MIGRATOR.iter().next().map(|ours| &*ours.checksum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database;
    use crate::settings::Settings;
    use crate::testing::TestDatabase;

    #[actix::test]
    async fn concurrent_migrations_wait_for_each_other_and_release_the_lock() {
        let database = TestDatabase::new().await;
        sqlx::raw_sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public").execute(&database.db).await.expect("emptied");
        let (one, other) = tokio::join!(migrate(&database.db), migrate(&database.db));
        one.expect("the first");
        other.expect("the second");
        let locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'
                     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        assert_eq!(database.count(locks).await, 0, "the lock is still held");
    }

    #[actix::test]
    async fn migrations_have_no_statement_timeout() {
        let (database, settings) = (TestDatabase::new().await, Settings::defaults("unused").expect("settings"));
        let db = database::pool(database.url(), &settings.database).expect("an address");
        let limit = "SELECT current_setting('statement_timeout')";
        let of_requests: String = sqlx::query_scalar(limit).fetch_one(&db).await.expect("a limit");
        assert_eq!(of_requests, "30s");
        let mut connection = connect_without_timeout(&db).await.expect("a connection");
        let of_migrations: String = sqlx::query_scalar(limit).fetch_one(&mut connection).await.expect("a limit");
        assert_eq!(of_migrations, "0");
    }

    /// The error for a database with these changes.
    async fn refusal(changes: &[&'static str]) -> String {
        let database = TestDatabase::new().await;
        migrate(&database.db).await.expect("a database of this version");
        for change in changes {
            sqlx::raw_sql(*change).execute(&database.db).await.expect("a change");
        }
        migrate(&database.db).await.expect_err("a database of another version").to_string()
    }

    #[actix::test]
    async fn pre_release_database_is_refused() {
        let others = "UPDATE _sqlx_migrations SET checksum = 'users' WHERE version = 1";
        assert_eq!(refusal(&[others]).await, PRE_RELEASE_DATABASE);
        let others_and_more = "UPDATE _sqlx_migrations SET checksum = 'users' WHERE version = 1;
             INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
             VALUES (58, 'users letters', true, 'letters', 0)";
        assert_eq!(refusal(&[others_and_more]).await, PRE_RELEASE_DATABASE);
    }

    /// The change of a compatible newer version.
    const ADDED: &str = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (9999, 'later', true, 'later', 0)";

    #[actix::test]
    async fn previous_version_starts_with_a_compatible_newer_database() {
        let database = TestDatabase::new().await;
        migrate(&database.db).await.expect("a database of this version");
        sqlx::raw_sql(ADDED).execute(&database.db).await.expect("a later version");
        migrate(&database.db).await.expect("a database that this version can work with");
        assert_eq!(database.count("SELECT max(version) FROM _sqlx_migrations").await, 9999, "it was taken back");
    }

    #[actix::test]
    async fn incompatible_newer_database_is_refused() {
        assert_eq!(refusal(&[ADDED, "UPDATE database_floor SET version = 9999"]).await, INCOMPATIBLE_DATABASE);
    }

    #[actix::test]
    async fn changed_migration_is_refused_also_with_a_newer_database() {
        let changed = "UPDATE _sqlx_migrations SET checksum = 'another' WHERE version = 35";
        let told = refusal(&[ADDED, changed]).await;
        assert!(told.starts_with("cannot migrate the database: ") && told.contains("35"), "{told}");
    }
}
