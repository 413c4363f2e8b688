//! People by a filter: several by their ids, for everybody; all of them, for admins. Nobody else can walk through who
//! is here.

use super::filter::PeopleFilter;
use super::store;
use crate::filter::{self, MAX_COUNT, MAX_IDS};
use crate::ids::UserId;
use crate::periods::{PeriodCount, Periods};
use crate::{Caller, Core, Error, Result, cursor};

/// The largest page of a list.
const MAX_PAGE: i64 = 100;

/// Which page of a filtered list is wanted; those who signed up last come first.
#[derive(Debug, Clone, Copy, Default)]
pub struct PeopleAsked<'a> {
    /// [`PeopleFound::next`] of the page before; `None` for the first.
    pub cursor: Option<&'a str>,
    /// People to pass over, up to [`filter::MAX_SKIP`].
    pub skip: i64,
    /// People, 1 to 100.
    pub limit: i64,
}

/// A page of a filtered list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeopleFound {
    pub items: Vec<UserId>,
    /// Where the list goes on.
    pub next: Option<String>,
}

/// People who are here.
///
/// # Errors
/// [`Error::Invalid`] where anybody but an admin names nobody, for too many ids, too much to pass over, or a cursor that
/// no list gave.
pub async fn filtered(
    core: &Core,
    caller: &Caller,
    filter: &PeopleFilter,
    asked: PeopleAsked<'_>,
) -> Result<PeopleFound> {
    filter::check_skip(asked.skip, asked.cursor)?;
    let before = asked.cursor.map(|text| text.parse().map_err(|_| cursor::refused())).transpose()?;
    if !is_open(caller, filter)? {
        return Ok(PeopleFound { items: Vec::new(), next: None });
    }
    let limit = asked.limit.clamp(1, MAX_PAGE);
    let mut items = store::filtered::list(&core.db, filter, before, (asked.skip, limit + 1)).await?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = items.len() > limit;
    items.truncate(limit);
    let next = items.last().filter(|_| more).map(ToString::to_string);
    Ok(PeopleFound { items, next })
}

/// How many there are of what [`filtered`] lists, up to [`MAX_COUNT`].
///
/// # Errors
/// As [`filtered`].
pub async fn count(core: &Core, caller: &Caller, filter: &PeopleFilter) -> Result<i64> {
    match is_open(caller, filter)? {
        true => Ok(store::filtered::count(&core.db, filter, MAX_COUNT).await?),
        false => Ok(0),
    }
}

/// How many people signed up in each period and are here still; for admins.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin.
pub async fn counts(core: &Core, caller: &Caller, periods: &Periods) -> Result<Vec<PeriodCount>> {
    caller.must_be_admin()?.to_read();
    public_counts(core, periods).await
}

/// As [`counts`], for everybody: how many came, and of nobody who it was.
///
/// # Errors
/// Database errors.
pub async fn public_counts(core: &Core, periods: &Periods) -> Result<Vec<PeriodCount>> {
    Ok(periods.filled(store::filtered::counts(&core.db, periods).await?))
}

/// Whether the caller may ask so, and anybody can be found.
fn is_open(caller: &Caller, filter: &PeopleFilter) -> Result<bool> {
    match &filter.ids {
        Some(ids) if ids.len() > MAX_IDS => {
            Err(Error::invalid("filter._id", format!("may name {MAX_IDS} ids at most")))
        }
        Some(ids) => Ok(!ids.is_empty()),
        None if caller.admin => Ok(true),
        None => Err(Error::invalid("filter", "must name people: {\"_id\": {\"$in\": […]}}")),
    }
}
