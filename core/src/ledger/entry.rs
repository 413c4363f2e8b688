//! A ledger entry: a permanent record of one change of credits.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::ids::{EntryId, GrantId, JobId};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(i16)]
pub enum LedgerEntryKind {
    Grant = 0,
    Hold = 1,
    Capture = 2,
    Release = 3,
    Expire = 4,
    /// Credits that were taken back.
    Debit = 5,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerEntry {
    pub id: EntryId,
    pub kind: LedgerEntryKind,
    /// Always positive; the kind gives the direction.
    pub amount: i64,
    /// Credits available on the account afterwards.
    pub balance_after: i64,
    pub grant: GrantId,
    pub job: Option<JobId>,
    pub created_at: DateTime<Utc>,
}
