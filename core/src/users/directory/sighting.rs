//! Sessions, as admins search them by address.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::ids::UserId;

/// A session with the IP address at which it began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sighting {
    pub id: Uuid,
    pub user: UserId,
    pub address: Option<String>,
    pub user_agent: Option<String>,
    pub created_at: DateTime<Utc>,
    pub last_seen_at: DateTime<Utc>,
}
