//! Tags by filter. There are a few hundred tags at most, so they are filtered in memory.

use crate::ids::WorkflowTagId;
use crate::list::{self, ListQuery, Page, sort_order};
use crate::periods::{PeriodCount, Periods};
use crate::workflows::{Tag, tags};
use crate::{Caller, Core, Result};

/// Which tags match. `None` is no condition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TagFilter {
    pub ids: Option<Vec<WorkflowTagId>>,
    pub depth: Option<i16>,
    /// `Some(None)` for tags without a parent.
    pub parent: Option<Option<WorkflowTagId>>,
}

sort_order! {
    /// The order of a list of tags.
    pub enum TagOrder {
        /// The order that admins set: roots first, then the others.
        #[default]
        Ranked,
        Newest => "newest" | "-_id" | "-createdAt",
        Oldest => "oldest" | "_id" | "createdAt",
    }
    ascending Oldest
}

impl TagFilter {
    #[must_use]
    pub fn matches(&self, tag: &Tag) -> bool {
        self.ids.as_ref().is_none_or(|ids| ids.contains(&tag.id))
            && self.depth.is_none_or(|depth| depth == tag.depth)
            && self.parent.is_none_or(|parent| parent == tag.parent)
    }
}

/// Tags that match. The limit is not clamped: a list may have all tags.
///
/// # Errors
/// [`crate::Error::Invalid`] for too large a skip, and for a cursor that this list did not return.
pub async fn filtered_tags(core: &Core, query: ListQuery<'_, &TagFilter, TagOrder>) -> Result<Page<Tag>> {
    query.check_skip()?;
    let mut found: Vec<Tag> = tags(core).await?.into_iter().filter(|tag| query.filter.matches(tag)).collect();
    match query.sort {
        TagOrder::Ranked => {}
        TagOrder::Newest => found.sort_by_key(|tag| std::cmp::Reverse((tag.created_at, tag.id))),
        TagOrder::Oldest => found.sort_by_key(|tag| (tag.created_at, tag.id)),
    }
    let skip = match query.cursor {
        None => query.skip,
        Some(text) => {
            let last: WorkflowTagId = text.parse().map_err(|_| list::unknown_cursor())?;
            let at = found.iter().position(|tag| tag.id == last).ok_or_else(list::unknown_cursor)?;
            i64::try_from(at + 1).unwrap_or(i64::MAX)
        }
    };
    let all = i64::try_from(found.len()).unwrap_or(i64::MAX);
    let items = list::slice(found, skip, query.limit);
    let next_cursor = items.last().filter(|_| skip.saturating_add(query.limit) < all).map(|last| last.id.to_string());
    Ok(Page { items, next_cursor })
}

/// Counts the tags that were made in each period; for admins.
///
/// # Errors
/// [`crate::Error::LoginRequired`] or [`crate::Error::Forbidden`] for a caller who is no admin.
pub async fn tag_counts(core: &Core, caller: &Caller, periods: &Periods) -> Result<Vec<PeriodCount>> {
    caller.must_be_admin()?.read_only();
    public_tag_counts(core, periods).await
}

/// As [`tag_counts`], for everyone, because all tags are public.
pub async fn public_tag_counts(core: &Core, periods: &Periods) -> Result<Vec<PeriodCount>> {
    let within = |tag: &Tag| (periods.from..periods.until).contains(&tag.created_at);
    Ok(periods.filled(tags(core).await?.iter().filter(|tag| within(tag)).map(|tag| (tag.created_at, 1)).collect()))
}
