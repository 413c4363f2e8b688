//! Workflows by filter: lists, counts, and counts over time.

use std::collections::HashSet;

use super::filter::{WorkflowFilter, WorkflowOrder};
use super::{page, rows, store};
use crate::filter::ReadScope;
use crate::ids::WorkflowId;
use crate::list::{self, Keyset, ListQuery, MAX_COUNT, Page};
use crate::periods::{PeriodCount, Periods};
use crate::workflows::lists;
use crate::workflows::workflow::Workflow;
use crate::{Caller, Core, Result};

/// Workflows that the caller may see: published ones and the caller's own, all for admins. A filter without ids, owner
/// and `is_private` lists published workflows, for admins all.
///
/// Without a sort order, the latest published come first, or workflows come in the order of the filter's ids.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest who asks for private workflows; [`crate::Error::Invalid`] for too many
/// ids, too large a skip, and a cursor that no list in this order returned.
pub async fn filtered(
    core: &Core,
    caller: &Caller,
    query: ListQuery<'_, &WorkflowFilter, Option<WorkflowOrder>>,
) -> Result<Page<Workflow>> {
    let scope = query.filter.scope(caller)?;
    query.check_skip()?;
    if query.filter.matches_nothing() {
        return Ok(Page::empty());
    }
    if let (Some(ids), None) = (&query.filter.ids, query.sort) {
        return named(core, &scope, ids, query).await;
    }
    let query = query.sorted(query.sort.unwrap_or(WorkflowOrder::PublishedAt));
    if caller.admin && query.skip == 0 && query.filter.has_only_flags() {
        return lists::all(core, caller, query).await;
    }
    let keyset = query.keyset()?;
    page(core, store::filtered::list(&core.db, &scope, query.filter, keyset).await?, keyset).await
}

/// In the order of the filter's ids, in which a cursor cannot name a position.
async fn named(
    core: &Core,
    scope: &ReadScope,
    ids: &[WorkflowId],
    query: ListQuery<'_, &WorkflowFilter, Option<WorkflowOrder>>,
) -> Result<Page<Workflow>> {
    if query.cursor.is_some() {
        return Err(list::unknown_cursor());
    }
    let found = store::filtered::list(&core.db, scope, query.filter, Keyset::all()).await?;
    let mut found: HashSet<WorkflowId> = found.into_iter().map(|(id, _)| id).collect();
    // Removed when met, so that an id that is named twice is listed once.
    let named = ids.iter().copied().filter(|id| found.remove(id)).collect();
    let named = list::slice(named, query.skip, query.page_size());
    Ok(Page { items: rows(core, &named).await?, next_cursor: None })
}

/// Counts what [`filtered`] lists, up to [`MAX_COUNT`].
///
/// # Errors
/// As [`filtered`].
pub async fn count(core: &Core, caller: &Caller, filter: &WorkflowFilter) -> Result<i64> {
    let scope = filter.scope(caller)?;
    if filter.matches_nothing() {
        return Ok(0);
    }
    Ok(store::filtered::count(&core.db, &scope, filter, MAX_COUNT).await?)
}

/// Counts the published workflows that were made in each period.
pub async fn public_counts(core: &Core, periods: &Periods) -> Result<Vec<PeriodCount>> {
    Ok(periods.filled(store::filtered::public_counts(&core.db, periods).await?))
}

/// Counts the caller's workflows that were made in each period and still exist; for an admin, those of all users.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest.
pub async fn counts(core: &Core, caller: &Caller, periods: &Periods) -> Result<Vec<PeriodCount>> {
    let owner = caller.own_or_all()?;
    Ok(periods.filled(store::filtered::counts(&core.db, owner, periods).await?))
}
