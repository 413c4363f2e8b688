//! Outputs by a filter: lists, how many there are, and how many came into being over time.

use std::collections::HashSet;

use super::cursor::{Cursor, Order};
use super::filter::Filter;
use super::{MAX_PAGE, Page, Wanted, in_order, page, store};
use crate::filter::{self, MAX_COUNT, MAX_IDS, Reach};
use crate::gallery::output_asset::OutputAsset;
use crate::ids::OutputAssetId;
use crate::periods::{PeriodCount, Periods};
use crate::{Caller, Core, Result, cursor};

/// Which page of a filtered list is wanted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked<'a> {
    /// Newest first, where it is left out; of named ones, in the order in which they were named.
    pub order: Option<Order>,
    /// [`Page::next`] of the page before; `None` for the first.
    pub cursor: Option<&'a str>,
    /// Items to pass over, up to [`filter::MAX_SKIP`].
    pub skip: i64,
    /// Items, 1 to [`MAX_PAGE`].
    pub limit: i64,
}

/// Those that the caller may see: published ones and their own, all for admins. What is not safe for work is shown to
/// its owner, to admins, and to whoever asks for it: by its id, or by `is_nsfw` or `nsfw`. Without ids, an owner or
/// `is_private` a list is of published ones, for admins of all.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest who asks for private ones; [`crate::Error::Invalid`] for too many ids, for
/// too much to pass over, and for a cursor that no list in this order gave.
pub async fn filtered(core: &Core, caller: &Caller, filter: &Filter, asked: Asked<'_>) -> Result<Page<OutputAsset>> {
    let reach = filter.reach(caller)?;
    filter::check_skip(asked.skip, asked.cursor)?;
    if filter.names_nothing() {
        return Ok(Page { items: Vec::new(), next: None });
    }
    if let (Some(ids), None) = (&filter.ids, asked.order) {
        return named(core, &reach, filter, ids, asked).await;
    }
    let Asked { order, cursor, skip, limit } = asked;
    let wanted = Wanted { order: order.unwrap_or_default(), cursor, limit, nsfw: filter.nsfw };
    let after = (wanted.order, wanted.after()?);
    let ids = store::filtered::list(&core.db, &reach, filter, after, (skip, wanted.one_more())).await?;
    page(core, ids, wanted).await
}

/// In the order in which they were named, which is no order that a cursor could name a place in.
async fn named(
    core: &Core,
    reach: &Reach,
    filter: &Filter,
    ids: &[OutputAssetId],
    asked: Asked<'_>,
) -> Result<Page<OutputAsset>> {
    if asked.cursor.is_some() {
        return Err(cursor::refused());
    }
    let all = i64::try_from(MAX_IDS).unwrap_or(i64::MAX);
    let top = (Order::Newest, Cursor::first(Order::Newest));
    let found = store::filtered::list(&core.db, reach, filter, top, (0, all)).await?;
    let mut found: HashSet<OutputAssetId> = found.into_iter().collect();
    // Taken out when it is met, so that what was named twice is given once.
    let named = ids.iter().copied().filter(|id| found.remove(id)).collect();
    let named = filter::cut(named, asked.skip, asked.limit.clamp(1, MAX_PAGE));
    Ok(Page { items: in_order(core, &named).await?, next: None })
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

/// How many of the caller's were made in each period and are there still; an admin counts everybody's.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest.
pub async fn counts(core: &Core, caller: &Caller, periods: &Periods) -> Result<Vec<PeriodCount>> {
    let owner = caller.own_or_all()?;
    Ok(periods.filled(store::filtered::counts(&core.db, owner, periods).await?))
}
