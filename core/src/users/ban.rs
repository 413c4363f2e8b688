//! A ban.

use chrono::{DateTime, Utc};

/// A ban.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ban {
    pub since: DateTime<Utc>,
    /// `None` for good.
    pub until: Option<DateTime<Utc>>,
    /// What the person is told.
    pub reason: String,
}
