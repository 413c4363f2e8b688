//! Notifications by a filter, of one's own box: what they are about, whether they were seen, and when. Nobody looks
//! into somebody else's, not even an admin.

use uuid::Uuid;

use super::filter::Filter;
use super::notification::Notification;
use super::{MAX_PAGE, notices, store};
use crate::filter::{self, Asked, MAX_COUNT, MAX_IDS, Order};
use crate::ids::{NotificationId, UserId};
use crate::periods::{PeriodCount, Periods};
use crate::{Caller, Core, Error, Result, cursor, users};

/// A page of a filtered list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub items: Vec<Notification>,
    /// Where the list goes on.
    pub next: Option<String>,
}

/// What tells the cursors of the two orders apart.
fn letter(order: Order) -> char {
    match order {
        Order::Newest => 'n',
        Order::Oldest => 'o',
    }
}

/// Notifications of the caller's box, by age. A notice that was taken back since is not among them.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for too many ids, too much to pass over, and for a cursor that
/// no list in this order gave.
pub async fn filtered(core: &Core, caller: &Caller, filter: &Filter, asked: Asked<'_>) -> Result<Found> {
    let user = caller.signed_in()?;
    filter::check_skip(asked.skip, asked.cursor)?;
    let after = match asked.cursor {
        Some(text) => cursor::read(text, letter(asked.order))?.0,
        None if asked.order == Order::Oldest => 0,
        None => i64::MAX,
    };
    if !is_open(core, user, filter).await? {
        return Ok(Found { items: Vec::new(), next: None });
    }
    let language = users::find(core, user).await?.language;
    let limit = asked.limit.clamp(1, MAX_PAGE);
    let page = (asked.skip, limit + 1);
    let mut rows = store::filtered::list(&core.db, user, filter, (asked.order, after), (page, language)).await?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = rows.len() > limit;
    rows.truncate(limit);
    // A box belongs to one person, whose places say where it goes on; the id is not needed.
    let next = rows.last().filter(|_| more).map(|(place, _)| cursor::write(letter(asked.order), *place, Uuid::nil()));
    Ok(Found { items: rows.into_iter().map(|(_, item)| item).collect(), next })
}

/// One notification of the caller's box.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] where there is none, or it is in somebody else's box.
pub async fn find(core: &Core, caller: &Caller, id: NotificationId) -> Result<Notification> {
    let filter = Filter { ids: Some(vec![id]), ..Filter::default() };
    let asked = Asked { limit: 1, ..Asked::default() };
    let found = filtered(core, caller, &filter, asked).await?.items.pop();
    found.ok_or(Error::NotFound { what: "notification" })
}

/// How many there are of what [`filtered`] lists, up to [`MAX_COUNT`].
///
/// # Errors
/// As [`filtered`].
pub async fn count(core: &Core, caller: &Caller, filter: &Filter) -> Result<i64> {
    let user = caller.signed_in()?;
    match is_open(core, user, filter).await? {
        true => Ok(store::filtered::count(&core.db, user, filter, MAX_COUNT).await?),
        false => Ok(0),
    }
}

/// How many came into the caller's box in each period.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn counts(core: &Core, caller: &Caller, periods: &Periods) -> Result<Vec<PeriodCount>> {
    let user = caller.signed_in()?;
    notices::bring(core, user).await?;
    Ok(periods.filled(store::filtered::counts(&core.db, user, periods).await?))
}

/// Brings new notices into the box, and tells whether the filter can find anything.
async fn is_open(core: &Core, user: UserId, filter: &Filter) -> Result<bool> {
    if filter.ids.as_ref().is_some_and(|ids| ids.len() > MAX_IDS) {
        return Err(Error::invalid("filter._id", format!("may name {MAX_IDS} ids at most")));
    }
    notices::bring(core, user).await?;
    Ok(filter.ids.as_ref().is_none_or(|ids| !ids.is_empty()))
}
