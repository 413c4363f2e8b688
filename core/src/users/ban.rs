//! A ban.

use chrono::{DateTime, Utc};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ban {
    pub since: DateTime<Utc>,
    /// `None` for a permanent ban.
    pub until: Option<DateTime<Utc>>,
    /// Shown to the user.
    pub reason: String,
}
