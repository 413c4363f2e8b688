//! Tags by a filter. There are a few hundred of them at most, so that they are looked through in memory.

use crate::filter::{self, Order};
use crate::ids::WorkflowTagId;
use crate::periods::{PeriodCount, Periods};
use crate::workflows::{Tag, tags};
use crate::{Caller, Core, Error, Result, cursor};

/// What is wanted; what is left open is not asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TagFilter {
    /// Any of these.
    pub ids: Option<Vec<WorkflowTagId>>,
    pub depth: Option<i16>,
    /// The parent; `Some(None)` for tags without one.
    pub parent: Option<Option<WorkflowTagId>>,
}

/// The order of a filtered list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TagOrder {
    /// That of the admins: the roots, then the others.
    #[default]
    Ranked,
    Newest,
    Oldest,
}

impl std::str::FromStr for TagOrder {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self> {
        word.parse().map(|age| match age {
            Order::Newest => Self::Newest,
            Order::Oldest => Self::Oldest,
        })
    }
}

/// Which page of a filtered list is wanted.
#[derive(Debug, Clone, Copy, Default)]
pub struct TagsAsked<'a> {
    pub order: TagOrder,
    /// [`TagsFound::next`] of the page before; `None` for the first.
    pub cursor: Option<&'a str>,
    /// Tags to pass over, up to [`filter::MAX_SKIP`].
    pub skip: i64,
    /// All of them, where it is left out.
    pub limit: Option<i64>,
}

/// A page of a filtered list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagsFound {
    pub items: Vec<Tag>,
    /// Where the list goes on.
    pub next: Option<String>,
}

impl TagFilter {
    /// Whether it finds a tag.
    #[must_use]
    pub fn finds(&self, tag: &Tag) -> bool {
        self.ids.as_ref().is_none_or(|ids| ids.contains(&tag.id))
            && self.depth.is_none_or(|depth| depth == tag.depth)
            && self.parent.is_none_or(|parent| parent == tag.parent)
    }
}

/// Tags that a filter finds.
///
/// # Errors
/// [`Error::Invalid`] for too much to pass over, and for a cursor that this list did not give.
pub async fn tags_found(core: &Core, filter: &TagFilter, asked: TagsAsked<'_>) -> Result<TagsFound> {
    filter::check_skip(asked.skip, asked.cursor)?;
    let mut found: Vec<Tag> = tags(core).await?.into_iter().filter(|tag| filter.finds(tag)).collect();
    match asked.order {
        TagOrder::Ranked => {}
        TagOrder::Newest => found.sort_by_key(|tag| std::cmp::Reverse((tag.created_at, tag.id))),
        TagOrder::Oldest => found.sort_by_key(|tag| (tag.created_at, tag.id)),
    }
    let skip = match asked.cursor {
        None => asked.skip,
        Some(text) => {
            let last: WorkflowTagId = text.parse().map_err(|_| cursor::refused())?;
            let at = found.iter().position(|tag| tag.id == last).ok_or_else(cursor::refused)?;
            i64::try_from(at + 1).unwrap_or(i64::MAX)
        }
    };
    let all = i64::try_from(found.len()).unwrap_or(i64::MAX);
    let limit = asked.limit.unwrap_or(all);
    let items = filter::cut(found, skip, limit);
    let next = items.last().filter(|_| skip.saturating_add(limit) < all).map(|last| last.id.to_string());
    Ok(TagsFound { items, next })
}

/// How many tags were made in each period; for admins.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin.
pub async fn tag_counts(core: &Core, caller: &Caller, periods: &Periods) -> Result<Vec<PeriodCount>> {
    caller.must_be_admin()?.to_read();
    public_tag_counts(core, periods).await
}

/// As [`tag_counts`], for everybody: everybody sees all tags.
///
/// # Errors
/// Database errors.
pub async fn public_tag_counts(core: &Core, periods: &Periods) -> Result<Vec<PeriodCount>> {
    let within = |tag: &Tag| (periods.from..periods.until).contains(&tag.created_at);
    Ok(periods.filled(tags(core).await?.iter().filter(|tag| within(tag)).map(|tag| (tag.created_at, 1)).collect()))
}
