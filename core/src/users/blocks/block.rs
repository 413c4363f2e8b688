//! A block.

use chrono::{DateTime, Utc};

use crate::ids::UserId;

/// Somebody who is blocked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    pub user: UserId,
    pub since: DateTime<Utc>,
}
