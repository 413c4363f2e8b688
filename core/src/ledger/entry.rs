//! A ledger entry: a permanent record of one change of credits.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::{Deserialize, Serialize};

use crate::ids::{EntryId, GrantId, JobId};
use crate::{Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(i16)]
pub enum LedgerEntryKind {
    Grant = 0,
    Hold = 1,
    Capture = 2,
    Release = 3,
    Expire = 4,
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

/// The entries of a statement to return. Days are in UTC and inclusive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EntryFilter {
    pub kind: Option<LedgerEntryKind>,
    pub from: Option<NaiveDate>,
    pub until: Option<NaiveDate>,
}

/// The time when entries were made.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct EntryTimes {
    /// Inclusive.
    pub from: Option<DateTime<Utc>>,
    /// Exclusive.
    pub until: Option<DateTime<Utc>>,
}

impl EntryFilter {
    /// # Errors
    /// [`Error::Invalid`] if the last day is before the first.
    pub(super) fn times(&self) -> Result<EntryTimes> {
        if let (Some(from), Some(until)) = (self.from, self.until)
            && until < from
        {
            return Err(Error::invalid("until", "must not be before from"));
        }
        let midnight = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc();
        let after = |day: NaiveDate| day.succ_opt().ok_or_else(|| Error::invalid("until", "is beyond the calendar"));
        Ok(EntryTimes { from: self.from.map(midnight), until: self.until.map(after).transpose()?.map(midnight) })
    }
}
