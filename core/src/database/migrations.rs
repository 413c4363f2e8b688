//! Bringing the tables up to date, by one node at a time.

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection, PgPool};

use crate::error::{Error, Result};

/// All migrations, in order. They only go forward.
pub static MIGRATOR: Migrator = sqlx::migrate!("./migrations");

/// What is said where the database was made by a version before the first release, whose migrations were others.
pub(super) const FROM_BEFORE: &str = "the database was made by a version before the first release, which this one \
                                      cannot take over: begin with an empty database or a new data folder, or keep \
                                      using that version";

/// What is said where a later version has changed the tables too far for this one.
const NOT_FOR_US: &str = "a later version has migrated the database in a way that this one cannot work with: install \
                          that version here too, or restore a backup";

/// A database that knows migrations which came after the last one of this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Later {
    /// They only added what this program does not use.
    StillOurs,
    NotForUs,
}

/// Brings the tables up to date. Safe from several nodes at once: a lock lets one do the work, and the others wait.
///
/// The lock belongs to a transaction of a connection of its own. The migrator's own lock belongs to a session: behind a
/// pooler that gives sessions away between statements, it would be taken in one and given back in another, and keep
/// every later node from starting.
///
/// A database that a later version has migrated is left as it is: a node of the version before that stops in the middle of
/// an upgrade has to be able to start again.
///
/// # Errors
/// Where a migration fails, or the database was migrated in a way that this program cannot work with.
pub async fn migrate(db: &PgPool) -> Result<()> {
    let mut connection = PgConnection::connect_with(&db.connect_options()).await?;
    let mut lock = connection.begin().await?;
    // Whoever has the lock may work for longer than a statement of ours may take.
    sqlx::query("SELECT set_config('statement_timeout', '0', true)").execute(&mut *lock).await?;
    sqlx::query("SELECT pg_advisory_xact_lock(hashtext('verdigraph_migrations'))").execute(&mut *lock).await?;
    let migrated = migrate_alone(db).await;
    lock.rollback().await?;
    connection.close().await?;
    migrated
}

async fn migrate_alone(db: &PgPool) -> Result<()> {
    let mut migrator = Migrator::with_migrations(MIGRATOR.iter().cloned().collect());
    let mut connection = unhurried(db).await?;
    let beside = later_version(&mut connection).await?;
    let run = migrator.set_locking(false).set_ignore_missing(beside == Some(Later::StillOurs)).run(&mut connection);
    let Err(error) = run.await else {
        if beside.is_some() {
            tracing::warn!("a later version has migrated the database; this one works beside it until it is replaced");
        }
        return Ok(connection.close().await?);
    };
    if beside == Some(Later::NotForUs) && matches!(error, MigrateError::VersionMissing(_)) {
        return Err(Error::Internal(NOT_FOR_US.to_owned()));
    }
    let knows_others = matches!(error, MigrateError::VersionMissing(_) | MigrateError::VersionMismatch(_));
    if knows_others && began_otherwise(db).await? {
        return Err(Error::Internal(FROM_BEFORE.to_owned()));
    }
    Err(Error::Internal(format!("cannot migrate the database: {error}")))
}

/// Whether a later version was here, and left what this one needs.
async fn later_version(connection: &mut PgConnection) -> sqlx::Result<Option<Later>> {
    let ours = MIGRATOR.iter().map(|migration| migration.version).max().unwrap_or(0);
    let is_there = "SELECT to_regclass('_sqlx_migrations') IS NOT NULL AND to_regclass('database_floor') IS NOT NULL";
    if !sqlx::query_scalar::<_, bool>(is_there).fetch_one(&mut *connection).await? {
        return Ok(None);
    }
    let query = "SELECT coalesce((SELECT max(version) FROM _sqlx_migrations), 0), version FROM database_floor";
    let (newest, floor): (i64, i64) = sqlx::query_as(query).fetch_one(connection).await?;
    Ok((newest > ours).then_some(if floor <= ours { Later::StillOurs } else { Later::NotForUs }))
}

/// A connection whose statements may take as long as they do: an index over everything is not made in half a minute.
async fn unhurried(db: &PgPool) -> sqlx::Result<PgConnection> {
    let options = PgConnectOptions::clone(&db.connect_options()).options([("statement_timeout", "0")]);
    PgConnection::connect_with(&options).await
}

/// Whether the first migration of a database was another one than ours. That of a later version is the same.
async fn began_otherwise(db: &PgPool) -> sqlx::Result<bool> {
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
    async fn nodes_that_start_at_once_migrate_one_after_the_other_and_leave_no_lock() {
        let database = TestDatabase::new().await;
        sqlx::raw_sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public").execute(&database.db).await.expect("emptied");
        let (one, other) = tokio::join!(migrate(&database.db), migrate(&database.db));
        one.expect("the first");
        other.expect("the second");
        let locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'
                     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        assert_eq!(database.count(locks).await, 0, "the next node would wait for ever");
    }

    #[actix::test]
    async fn a_migration_may_take_longer_than_a_statement_of_a_request() {
        let (database, settings) = (TestDatabase::new().await, Settings::defaults("unused").expect("settings"));
        let db = database::pool(database.url(), &settings.database).expect("an address");
        let limit = "SELECT current_setting('statement_timeout')";
        let of_requests: String = sqlx::query_scalar(limit).fetch_one(&db).await.expect("a limit");
        assert_eq!(of_requests, "30s");
        let mut connection = unhurried(&db).await.expect("a connection");
        let of_migrations: String = sqlx::query_scalar(limit).fetch_one(&mut connection).await.expect("a limit");
        assert_eq!(of_migrations, "0");
    }

    /// What an operator is told whose database was changed like this.
    async fn refusal(changes: &[&'static str]) -> String {
        let database = TestDatabase::new().await;
        migrate(&database.db).await.expect("a database of this version");
        for change in changes {
            sqlx::raw_sql(*change).execute(&database.db).await.expect("a change");
        }
        migrate(&database.db).await.expect_err("a database of another version").to_string()
    }

    #[actix::test]
    async fn whoever_has_a_database_from_before_the_first_release_is_told_what_to_do() {
        let others = "UPDATE _sqlx_migrations SET checksum = 'users' WHERE version = 1";
        assert_eq!(refusal(&[others]).await, FROM_BEFORE);
        let others_and_more = "UPDATE _sqlx_migrations SET checksum = 'users' WHERE version = 1;
             INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
             VALUES (58, 'users letters', true, 'letters', 0)";
        assert_eq!(refusal(&[others_and_more]).await, FROM_BEFORE);
    }

    /// What a later version leaves that only adds.
    const ADDED: &str = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (9999, 'later', true, 'later', 0)";

    #[actix::test]
    async fn a_node_of_the_version_before_starts_again_beside_a_later_one() {
        let database = TestDatabase::new().await;
        migrate(&database.db).await.expect("a database of this version");
        sqlx::raw_sql(ADDED).execute(&database.db).await.expect("a later version");
        migrate(&database.db).await.expect("a database that this version can work with");
        assert_eq!(database.count("SELECT max(version) FROM _sqlx_migrations").await, 9999, "it was taken back");
    }

    #[actix::test]
    async fn a_database_that_a_later_version_has_changed_too_far_is_refused_with_what_to_do() {
        assert_eq!(refusal(&[ADDED, "UPDATE database_floor SET version = 9999"]).await, NOT_FOR_US);
    }

    #[actix::test]
    async fn a_migration_that_is_not_as_this_version_knows_it_is_refused_beside_a_later_one_too() {
        let changed = "UPDATE _sqlx_migrations SET checksum = 'another' WHERE version = 35";
        let told = refusal(&[ADDED, changed]).await;
        assert!(told.starts_with("cannot migrate the database: ") && told.contains("35"), "{told}");
    }
}
