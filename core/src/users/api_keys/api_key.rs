use chrono::{DateTime, Utc};

use crate::ids::ApiKeyId;

/// A key as listed for its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    pub id: ApiKeyId,
    pub name: String,
    /// The first characters, to recognize it.
    pub prefix: String,
    pub created_at: DateTime<Utc>,
    /// To the minute.
    pub last_used_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
}
