//! Which entries a statement has.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};

use crate::ledger::entry::LedgerEntryKind;
use crate::{Error, Result};

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
