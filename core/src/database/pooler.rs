//! What is asked of a pooler between a node and PostgreSQL, such as PgBouncer in transaction mode.
//!
//! Behind one, a connection has a session for as long as a transaction lasts. Nothing that a node keeps lives longer
//! than that but named statements, which the pooler must carry along, and what connections ask for as they are opened,
//! which it does not: the limit of a statement's time is then the role's, plans may read tables from end to end, and
//! every commit waits for the disk. All of this is looked at once, as a node starts.

use sqlx::{Connection, PgConnection, PgPool};

use crate::error::{Error, Result};
use crate::settings::DatabaseSettings;

/// Refuses a pooler through which a node would fail now and then, and warns of one that drops the limit of time.
///
/// # Errors
/// Where named statements are not carried along, or the database does not answer.
pub(super) async fn check(db: &PgPool, settings: &DatabaseSettings) -> Result<()> {
    let options = db.connect_options();
    // Both give the statement the same name. Where sessions are shared and names are not looked after, the second finds
    // that of the first.
    let (mut one, mut other) =
        (PgConnection::connect_with(&options).await?, PgConnection::connect_with(&options).await?);
    let _ = statement_timeout(&mut one).await.map_err(explain)?;
    let timeout_ms = statement_timeout(&mut other).await.map_err(explain)?;
    if timeout_ms == 0 && settings.statement_timeout_ms > 0 {
        tracing::warn!(
            asked_ms = settings.statement_timeout_ms,
            "the database stops no slow statement: a pooler drops what connections ask for; give the limit to the role, \
             with ALTER ROLE … SET statement_timeout"
        );
    }
    one.close().await?;
    other.close().await?;
    Ok(())
}

/// What is in force on a connection; 0 for no limit.
async fn statement_timeout(connection: &mut PgConnection) -> sqlx::Result<i64> {
    let query = "SELECT setting::bigint FROM pg_settings WHERE name = 'statement_timeout'";
    sqlx::query_scalar(query).fetch_one(connection).await
}

/// Says what to change where it is the pooler that refused.
pub(super) fn explain(error: sqlx::Error) -> Error {
    let Some(told) = error.as_database_error() else { return error.into() };
    // duplicate_prepared_statement, invalid_sql_statement_name
    if matches!(told.code().as_deref(), Some("42P05" | "26000")) {
        return Error::Internal(
            "the pooler before the database does not carry named statements along: PgBouncer 1.21 or newer with \
             max_prepared_statements above 0 is needed, or pool_mode = session"
                .to_owned(),
        );
    }
    if told.message().starts_with("unsupported startup parameter") {
        return Error::Internal(format!(
            "the pooler before the database refuses connections ({}): set ignore_startup_parameters = \
             extra_float_digits, options",
            told.message()
        ));
    }
    error.into()
}
