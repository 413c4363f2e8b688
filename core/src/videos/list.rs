//! The list of community videos: its filter and its search.

use super::cursor::{Cursor, Order};
use super::store::{self, Wanted};
use super::video::Video;
use crate::{Caller, Core, Result, names};

/// The most characters of a search.
const MAX_KEYWORD: usize = 500;
/// Words of a search that count.
const MAX_WORDS: usize = 10;
/// The largest page.
pub const MAX_PAGE: i64 = 100;

/// What of the list is asked for.
#[derive(Debug, Clone, Default)]
pub struct Question {
    pub order: Order,
    /// Only videos of the channel of this name.
    pub author_name: Option<String>,
    /// Words that title or channel must contain, in any script: parts of words are enough.
    pub keyword: Option<String>,
    pub cursor: Option<String>,
    /// Held between 1 and [`MAX_PAGE`].
    pub limit: i64,
}

/// A page of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub items: Vec<Video>,
    /// Give it back for what follows; `None` at the end.
    pub next_cursor: Option<String>,
}

/// The videos that everybody may watch. What YouTube has taken away is left out: there is nothing to watch.
///
/// # Errors
/// [`crate::Error::Invalid`] for a cursor that no list in this order gave.
pub async fn list(core: &Core, question: Question) -> Result<Page> {
    pick(core, question, false).await
}

/// The same for admins, with what YouTube has taken away.
///
/// # Errors
/// As [`list`]; [`crate::Error::LoginRequired`] or [`crate::Error::Forbidden`] for anybody else.
pub async fn all(core: &Core, caller: &Caller, question: Question) -> Result<Page> {
    caller.must_be_admin()?.to_read();
    pick(core, question, true).await
}

async fn pick(core: &Core, question: Question, with_gone: bool) -> Result<Page> {
    let Question { order, author_name, keyword, cursor, limit } = question;
    let limit = limit.clamp(1, MAX_PAGE);
    let words = names::words("keyword", keyword.as_deref().unwrap_or_default(), MAX_KEYWORD)?;
    let words = words.split_whitespace().take(MAX_WORDS).map(str::to_owned).collect();
    let place = match cursor {
        Some(cursor) => Cursor::read(&cursor, order)?,
        None => Cursor::first(order),
    };
    let wanted = Wanted { order, with_gone, author_name, words };
    let mut items = store::page(&core.db, &wanted, place, limit + 1).await?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let has_more = items.len() > limit;
    items.truncate(limit);
    let next_cursor = items.last().filter(|_| has_more).map(|last| Cursor::of(last).cursor(order));
    Ok(Page { items, next_cursor })
}
