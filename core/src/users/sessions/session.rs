use chrono::{DateTime, Utc};
use uuid::Uuid;

/// A session as listed for its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub id: Uuid,
    pub user_agent: Option<String>,
    pub address: Option<String>,
    pub created_at: DateTime<Utc>,
    pub last_seen_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    /// Whether it is the session of this request.
    pub is_current: bool,
}
