//! Which entries a statement has.

use chrono::NaiveDate;

use crate::ledger::entry::LedgerEntryKind;

/// The entries of a statement to return. Days are in UTC and inclusive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EntryFilter {
    pub kind: Option<LedgerEntryKind>,
    pub from: Option<NaiveDate>,
    pub until: Option<NaiveDate>,
}
