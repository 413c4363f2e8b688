//! Users by filter: named ones for everyone, all for admins, so that only admins can enumerate users.

use super::filter::PeopleFilter;
use super::store;
use crate::filter::check_ids;
use crate::ids::UserId;
use crate::list::{Cursor, ListQuery, MAX_COUNT, Page};
use crate::periods::{PeriodCount, Periods};
use crate::{Caller, Core, Error, Result};

/// Users, the newest first, without deleted ones.
///
/// # Errors
/// [`Error::Invalid`] where a caller who is no admin names no ids, for too many ids, too large a skip, or a cursor that
/// this list did not return.
pub async fn filtered(core: &Core, caller: &Caller, query: ListQuery<'_, &PeopleFilter>) -> Result<Page<UserId>> {
    let keyset = query.keyset()?;
    if !can_match(caller, query.filter)? {
        return Ok(Page::empty());
    }
    let rows = store::filtered::list(&core.db, query.filter, keyset).await?;
    Ok(keyset.page(rows, |last| Cursor::of(*last)))
}

/// Counts what [`filtered`] lists, up to [`MAX_COUNT`].
///
/// # Errors
/// As [`filtered`].
pub async fn count(core: &Core, caller: &Caller, filter: &PeopleFilter) -> Result<i64> {
    match can_match(caller, filter)? {
        true => Ok(store::filtered::count(&core.db, filter, MAX_COUNT).await?),
        false => Ok(0),
    }
}

/// Counts the users who signed up in each period and still exist; for admins.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin.
pub async fn counts(core: &Core, caller: &Caller, periods: &Periods) -> Result<Vec<PeriodCount>> {
    caller.must_be_admin()?.read_only();
    public_counts(core, periods).await
}

/// As [`counts`], for everyone.
pub async fn public_counts(core: &Core, periods: &Periods) -> Result<Vec<PeriodCount>> {
    Ok(periods.filled(store::filtered::counts(&core.db, periods).await?))
}

/// Whether the filter can match. Refuses a filter that the caller may not use.
fn can_match(caller: &Caller, filter: &PeopleFilter) -> Result<bool> {
    if filter.ids.is_none() && !caller.admin {
        return Err(Error::invalid("filter", "must name people: {\"_id\": {\"$in\": […]}}"));
    }
    check_ids(filter.ids.as_ref())
}
