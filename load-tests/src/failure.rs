//! Why a scenario could not be carried out, as its operator reads it.

use std::fmt;

/// A sentence for whoever started the scenario. A missed bar is no failure: it is part of the report.
#[derive(Debug)]
pub struct Failure(pub String);

/// What a step of a scenario gives.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// A failure of these words.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Says during what an error came up.
    pub fn during<E: fmt::Display>(what: &str) -> impl FnOnce(E) -> Self + '_ {
        move |error| Self(format!("{what}: {error}"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

macro_rules! from {
    ($($error:ty),+) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self(error.to_string())
            }
        }
    )+};
}

from!(std::io::Error, sqlx::Error, serde_json::Error, reqwest::Error, verdigraph_core::Error);
