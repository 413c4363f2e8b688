//! The statement of an account: its entries, newest first, of one kind and of some days.

mod filter;
mod store;
#[cfg(test)]
mod tests;

pub use self::filter::EntryFilter;
use super::entry::LedgerEntry;
use crate::ids::EntryId;
use crate::periods::TimesOfDays;
use crate::{Caller, Core, Result};

/// The caller's entries, newest first: at most `limit` entries older than `before`.
///
/// # Errors
/// [`crate::Error::Invalid`] if the filter's last day is before its first.
pub async fn entries(
    core: &Core,
    caller: &Caller,
    filter: &EntryFilter,
    before: Option<EntryId>,
    limit: i64,
) -> Result<Vec<LedgerEntry>> {
    let account = caller.signed_in()?;
    let page =
        store::EntryPage { kind: filter.kind, times: TimesOfDays::new(filter.from, filter.until)?, before, limit };
    Ok(store::entries(&core.db, account, &page).await?)
}
