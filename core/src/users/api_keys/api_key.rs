//! An API key, as its owner sees it.

use chrono::{DateTime, Utc};

use crate::ids::ApiKeyId;

/// A key as its owner sees it in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    pub id: ApiKeyId,
    pub name: String,
    /// The first characters, by which it is recognised.
    pub prefix: String,
    pub created_at: DateTime<Utc>,
    /// To the minute.
    pub last_used_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
}
