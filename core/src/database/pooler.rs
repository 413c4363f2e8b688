//! Checks a pooler between a node and PostgreSQL, such as PgBouncer in transaction mode.
//!
//! With such a pooler, a connection keeps its session only during a transaction. Nodes need prepared statements to
//! survive that, and the pooler must support it. Connection options are dropped: the statement timeout is then the
//! role's, plans may use sequential scans, and commits are synchronous. A node checks this once at its start.

use sqlx::{Connection, PgConnection, PgPool};

use crate::error::{Error, Result};
use crate::settings::DatabaseSettings;

/// Refuses a pooler that would cause errors, and warns about one that drops the statement timeout.
///
/// # Errors
/// If prepared statements are not supported.
pub(super) async fn check(db: &PgPool, settings: &DatabaseSettings) -> Result<()> {
    let options = db.connect_options();
    // Both connections give the statement the same name. With a shared session and without support for prepared
    // statements, the second one fails.
    let (mut one, mut other) =
        (PgConnection::connect_with(&options).await?, PgConnection::connect_with(&options).await?);
    let _ = statement_timeout(&mut one).await.map_err(explain)?;
    let timeout_ms = statement_timeout(&mut other).await.map_err(explain)?;
    if timeout_ms == 0 && settings.statement_timeout_ms > 0 {
        tracing::warn!(
            asked_ms = settings.statement_timeout_ms,
            "the database has no statement timeout because a pooler drops connection options; set it for the role \
             with ALTER ROLE … SET statement_timeout"
        );
    }
    one.close().await?;
    other.close().await?;
    Ok(())
}

/// The timeout in force on a connection; 0 means none.
async fn statement_timeout(connection: &mut PgConnection) -> sqlx::Result<i64> {
    let query = "SELECT setting::bigint FROM pg_settings WHERE name = 'statement_timeout'";
    sqlx::query_scalar(query).fetch_one(connection).await
}

/// Explains errors that are caused by the pooler.
pub(super) fn explain(error: sqlx::Error) -> Error {
    let Some(told) = error.as_database_error() else { return error.into() };
    // duplicate_prepared_statement, invalid_sql_statement_name
    if matches!(told.code().as_deref(), Some("42P05" | "26000")) {
        return Error::Internal(
            "the pooler does not support prepared statements: use PgBouncer 1.21 or newer with \
             max_prepared_statements above 0, or pool_mode = session"
                .to_owned(),
        );
    }
    if told.message().starts_with("unsupported startup parameter") {
        return Error::Internal(format!(
            "the pooler refuses connections ({}): set ignore_startup_parameters = \
             extra_float_digits, options",
            told.message()
        ));
    }
    error.into()
}
