//! An entry: what happened to credits, as it is kept for good.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::ids::{EntryId, GrantId, JobId};

/// What an entry records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(i16)]
pub enum EntryKind {
    Grant = 0,
    Hold = 1,
    Capture = 2,
    Release = 3,
    Expire = 4,
}

/// One line of the statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub id: EntryId,
    pub kind: EntryKind,
    /// Always positive; the kind gives the direction.
    pub amount: i64,
    /// What was available on the account after it.
    pub balance_after: i64,
    pub grant: GrantId,
    pub job: Option<JobId>,
    pub created_at: DateTime<Utc>,
}
