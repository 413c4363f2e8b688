use chrono::{DateTime, Utc};

use crate::ids::UserId;

/// A blocked user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    pub user: UserId,
    pub since: DateTime<Utc>,
}
