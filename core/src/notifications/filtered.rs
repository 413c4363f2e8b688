//! Notifications of the caller's box by filter: lists, counts, and counts over time. Nobody reads the box of another user,
//! not even an admin.

use uuid::Uuid;

use super::filter::{NotificationFilter, NotificationOrder};
use super::notification::Notification;
use super::{notices, store};
use crate::filter::check_ids;
use crate::ids::{NotificationId, UserId};
use crate::list::{Cursor, ListQuery, MAX_COUNT, Page};
use crate::periods::{PeriodCount, Periods};
use crate::{Caller, Core, Error, Result, users};

/// Notifications of the caller's box, without notices that were withdrawn.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for too many ids, too large a skip, and a cursor that no list
/// in this order returned.
pub async fn filtered(
    core: &Core,
    caller: &Caller,
    query: ListQuery<'_, &NotificationFilter, NotificationOrder>,
) -> Result<Page<Notification>> {
    let user = caller.signed_in()?;
    let keyset = query.keyset()?;
    if !can_match(core, user, query.filter).await? {
        return Ok(Page::empty());
    }
    let language = users::find(core, user).await?.language;
    let rows = store::filtered::list(&core.db, user, query.filter, keyset, language).await?;
    // Places are unique in a box, so cursors need no id.
    let Page { items, next_cursor } = keyset.page(rows, |(place, _)| Cursor { key: *place, id: Uuid::nil() });
    Ok(Page { items: items.into_iter().map(|(_, item)| item).collect(), next_cursor })
}

/// One notification of the caller's box.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] where it is missing or in another box.
pub async fn find(core: &Core, caller: &Caller, id: NotificationId) -> Result<Notification> {
    let filter = NotificationFilter { ids: Some(vec![id]), ..NotificationFilter::default() };
    let query = ListQuery::at(&filter, None, 1).sorted(NotificationOrder::Newest);
    filtered(core, caller, query).await?.items.pop().ok_or(Error::NotFound { what: "notification" })
}

/// Counts what [`filtered`] lists, up to [`MAX_COUNT`].
///
/// # Errors
/// As [`filtered`].
pub async fn count(core: &Core, caller: &Caller, filter: &NotificationFilter) -> Result<i64> {
    let user = caller.signed_in()?;
    match can_match(core, user, filter).await? {
        true => Ok(store::filtered::count(&core.db, user, filter, MAX_COUNT).await?),
        false => Ok(0),
    }
}

/// Counts the notifications that the caller's box received in each period.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn counts(core: &Core, caller: &Caller, periods: &Periods) -> Result<Vec<PeriodCount>> {
    let user = caller.signed_in()?;
    notices::copy_notices(core, user).await?;
    Ok(periods.filled(store::filtered::counts(&core.db, user, periods).await?))
}

/// Copies new notices into the box and returns whether the filter can match.
async fn can_match(core: &Core, user: UserId, filter: &NotificationFilter) -> Result<bool> {
    let can_match = check_ids(filter.ids.as_ref())?;
    notices::copy_notices(core, user).await?;
    Ok(can_match)
}
