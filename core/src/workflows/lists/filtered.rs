//! Workflows by a filter: lists, how many there are, and how many came into being over time.

use std::collections::HashSet;

use super::cursor::Sort;
use super::filter::Filter;
use super::{Page, PageAt, after, one_more, page, places, rows, store};
use crate::filter::{self, MAX_COUNT, MAX_IDS, Reach};
use crate::ids::WorkflowId;
use crate::periods::{PeriodCount, Periods};
use crate::workflows::limits::MAX_PAGE;
use crate::workflows::lists;
use crate::workflows::workflow::Workflow;
use crate::{Caller, Core, Result, cursor};

/// Which page of a filtered list is wanted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked<'a> {
    /// The latest published first, where it is left out; of named ones, in the order in which they were named.
    pub sort: Option<Sort>,
    pub page: PageAt<'a>,
    /// Items to pass over, up to [`filter::MAX_SKIP`].
    pub skip: i64,
}

/// Those that the caller may see: published ones and their own, all for admins. Without ids, an owner or `is_private`
/// a list is of published ones, for admins of all.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest who asks for private ones; [`crate::Error::Invalid`] for too many ids, for
/// too much to pass over, and for a cursor that no list in this order gave.
pub async fn filtered(core: &Core, caller: &Caller, filter: &Filter, asked: Asked<'_>) -> Result<Page<Workflow>> {
    let reach = filter.reach(caller)?;
    filter::check_skip(asked.skip, asked.page.cursor)?;
    if filter.names_nothing() {
        return Ok(Page { items: Vec::new(), next_cursor: None });
    }
    if let (Some(ids), None) = (&filter.ids, asked.sort) {
        return named(core, &reach, filter, ids, asked).await;
    }
    let sort = asked.sort.unwrap_or(Sort::PublishedAt);
    if caller.admin && asked.skip == 0 && filter.has_only_flags() {
        return lists::all(core, caller, filter, sort, asked.page).await;
    }
    let place = after(asked.page.cursor, sort)?;
    let limit = one_more(asked.page.limit);
    let found = store::filtered::list(&core.db, &reach, filter, place, (asked.skip, limit)).await?;
    page(core, places(found, sort), asked.page.limit).await
}

/// In the order in which they were named, which is no order that a cursor could name a place in.
async fn named(
    core: &Core,
    reach: &Reach,
    filter: &Filter,
    ids: &[WorkflowId],
    asked: Asked<'_>,
) -> Result<Page<Workflow>> {
    if asked.page.cursor.is_some() {
        return Err(cursor::refused());
    }
    let all = i64::try_from(MAX_IDS).unwrap_or(i64::MAX);
    let top = after(None, Sort::Newest)?;
    let found = store::filtered::list(&core.db, reach, filter, top, (0, all)).await?;
    let mut found: HashSet<WorkflowId> = found.into_iter().map(|(id, _)| id).collect();
    // Taken out when it is met, so that what was named twice is given once.
    let wanted = ids.iter().copied().filter(|id| found.remove(id)).collect();
    let wanted = filter::cut(wanted, asked.skip, asked.page.limit.clamp(1, MAX_PAGE));
    Ok(Page { items: rows(core, &wanted).await?, next_cursor: None })
}

/// How many there are of what [`filtered`] lists, up to [`MAX_COUNT`].
///
/// # Errors
/// As [`filtered`].
pub async fn count(core: &Core, caller: &Caller, filter: &Filter) -> Result<i64> {
    let reach = filter.reach(caller)?;
    if filter.names_nothing() {
        return Ok(0);
    }
    Ok(store::filtered::count(&core.db, &reach, filter, MAX_COUNT).await?)
}

/// How many of those that everybody can see were made in each period.
///
/// # Errors
/// Database errors.
pub async fn public_counts(core: &Core, periods: &Periods) -> Result<Vec<PeriodCount>> {
    Ok(periods.filled(store::filtered::public_counts(&core.db, periods).await?))
}

/// How many the caller made in each period and has still; an admin counts everybody's.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest.
pub async fn counts(core: &Core, caller: &Caller, periods: &Periods) -> Result<Vec<PeriodCount>> {
    let owner = caller.own_or_all()?;
    Ok(periods.filled(store::filtered::counts(&core.db, owner, periods).await?))
}
