//! Why a scenario could not be run. A missed bar is no error: it is a result.

/// What stopped a run; the text is for whoever started it.
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

/// A result with [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error that says what was done when the system refused.
    pub fn doing(what: &str) -> impl FnOnce(std::io::Error) -> Self {
        move |error| Self::Other(format!("{what}: {error}"))
    }
}
