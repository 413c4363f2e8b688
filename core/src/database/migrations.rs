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

/// Brings the tables up to date. Safe from several nodes at once: a lock lets one do the work, and the others wait.
///
/// The lock belongs to a transaction of a connection of its own. The migrator's own lock belongs to a session: behind a
/// pooler that gives sessions away between statements, it would be taken in one and given back in another, and keep
/// every later node from starting.
///
/// # Errors
/// Where a migration fails, or the database knows migrations that this program does not.
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
    let Err(error) = migrator.set_locking(false).run(&mut connection).await else {
        return Ok(connection.close().await?);
    };
    let knows_others = matches!(error, MigrateError::VersionMissing(_) | MigrateError::VersionMismatch(_));
    if knows_others && began_otherwise(db).await? {
        return Err(Error::Internal(FROM_BEFORE.to_owned()));
    }
    Err(Error::Internal(format!("cannot migrate the database: {error}")))
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
    async fn refusal(change: &'static str) -> String {
        let database = TestDatabase::new().await;
        migrate(&database.db).await.expect("a database of this version");
        sqlx::raw_sql(change).execute(&database.db).await.expect("a change");
        migrate(&database.db).await.expect_err("a database of another version").to_string()
    }

    #[actix::test]
    async fn whoever_has_a_database_from_before_the_first_release_is_told_what_to_do() {
        let others = "UPDATE _sqlx_migrations SET checksum = 'users' WHERE version = 1";
        assert_eq!(refusal(others).await, FROM_BEFORE);
        let others_and_more = "UPDATE _sqlx_migrations SET checksum = 'users' WHERE version = 1;
             INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
             VALUES (58, 'users letters', true, 'letters', 0)";
        assert_eq!(refusal(others_and_more).await, FROM_BEFORE);
    }

    #[actix::test]
    async fn a_database_of_a_later_version_is_not_taken_for_one_from_before_the_first_release() {
        let more = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
             VALUES (9999, 'later', true, 'later', 0)";
        let told = refusal(more).await;
        assert!(told.starts_with("cannot migrate the database: ") && told.contains("9999"), "{told}");
    }
}
