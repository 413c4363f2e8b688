//! Why a scenario could not run. A missed bar is a result, not an error.

/// Why a run stopped, as a message for its operator.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}")]
    Core(#[from] verdigraph_core::Error),
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("the database: {0}")]
    Sql(#[from] sqlx::Error),
    #[error("the server: {0}")]
    Http(#[from] reqwest::Error),
    #[error("{0}")]
    Other(String),
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Adds what failed to a system error.
    pub fn doing(what: &str) -> impl FnOnce(std::io::Error) -> Self {
        move |error| Self::Other(format!("{what}: {error}"))
    }
}
