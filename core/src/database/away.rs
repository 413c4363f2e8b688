//! What an error of the database says of the server: that it is away, or that it stopped a statement.

/// Whether the server is gone, going or coming, so that the same statement may succeed in a moment. A commit that ends
/// so may have happened.
#[must_use]
pub fn is_away(error: &sqlx::Error) -> bool {
    use sqlx::Error;
    match error {
        Error::Io(_) | Error::PoolTimedOut | Error::PoolClosed | Error::WorkerCrashed | Error::Protocol(_) => true,
        // connection exceptions, too many connections or no memory, shutdown and crash
        Error::Database(error) => {
            error.code().is_some_and(|code| code.starts_with("08") || code.starts_with("53") || code.starts_with("57P"))
        }
        _ => false,
    }
}

/// Whether somebody else wrote the same rows since this transaction's snapshot: all of it was undone.
#[must_use]
pub fn is_overtaken(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    code.is_some_and(|code| code == "40001" || code == "40P01")
}

/// Whether the server stopped the statement for taking too long.
#[must_use]
pub fn is_too_slow(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(sqlx::error::DatabaseError::code).is_some_and(|code| code == "57014")
}
