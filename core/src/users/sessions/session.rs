//! A session, as its owner sees it.

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// A session as its owner sees it in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub id: Uuid,
    pub user_agent: Option<String>,
    pub address: Option<String>,
    pub created_at: DateTime<Utc>,
    pub last_seen_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    /// Whether it is the one that asks.
    pub is_current: bool,
}
