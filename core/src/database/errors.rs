//! Classes of database errors.

/// Whether the server cannot be reached, is starting or stopping, or has no free resources, so that a retry may
/// succeed. A commit that failed like this may have been committed.
#[must_use]
pub fn is_unavailable(error: &sqlx::Error) -> bool {
    use sqlx::Error;
    match error {
        Error::Io(_) | Error::PoolTimedOut | Error::PoolClosed | Error::WorkerCrashed | Error::Protocol(_) => true,
        // connection exceptions, insufficient resources, shutdown and crash
        Error::Database(error) => {
            error.code().is_some_and(|code| code.starts_with("08") || code.starts_with("53") || code.starts_with("57P"))
        }
        _ => false,
    }
}

/// Whether a concurrent transaction wrote the same rows, so that this one was rolled back.
#[must_use]
pub fn is_serialization_failure(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    code.is_some_and(|code| code == "40001" || code == "40P01")
}

/// Whether the statement violates this constraint, or this unique index.
#[must_use]
pub fn violates(error: &sqlx::Error, constraint: &str) -> bool {
    error.as_database_error().and_then(|error| error.constraint()) == Some(constraint)
}

/// Whether the statement exceeded its timeout.
#[must_use]
pub fn is_statement_timeout(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(sqlx::error::DatabaseError::code).is_some_and(|code| code == "57014")
}
