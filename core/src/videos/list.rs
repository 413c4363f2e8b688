//! The list of community videos, with its filter and its search.

use super::order::VideoOrder;
use super::store;
use super::video::Video;
use crate::list::{Cursor, ListQuery, Page};
use crate::{Caller, Core, Result, names};

/// The most characters of a search.
const MAX_KEYWORD: usize = 500;
/// Words of a search; later words are ignored.
const MAX_WORDS: usize = 10;

/// Which videos match. `None` is no condition.
#[derive(Debug, Clone, Default)]
pub struct VideoFilter {
    /// The name of the channel.
    pub author_name: Option<String>,
    /// Words that title or channel must contain, also as parts of words and in any script.
    pub keyword: Option<String>,
}

/// A page of the videos that are still at YouTube.
///
/// # Errors
/// [`crate::Error::Invalid`] for a cursor that no list in this order returned.
pub async fn list(core: &Core, query: ListQuery<'_, &VideoFilter, VideoOrder>) -> Result<Page<Video>> {
    search(core, query, false).await
}

/// As [`list`] with the videos that YouTube removed; for admins.
///
/// # Errors
/// As [`list`]; [`crate::Error::LoginRequired`] or [`crate::Error::Forbidden`] for a caller who is no admin.
pub async fn all(core: &Core, caller: &Caller, query: ListQuery<'_, &VideoFilter, VideoOrder>) -> Result<Page<Video>> {
    caller.must_be_admin()?.read_only();
    search(core, query, true).await
}

async fn search(core: &Core, query: ListQuery<'_, &VideoFilter, VideoOrder>, with_gone: bool) -> Result<Page<Video>> {
    let VideoFilter { author_name, keyword } = query.filter;
    let words = names::search_text("keyword", keyword.as_deref().unwrap_or_default(), MAX_KEYWORD)?;
    let words: Vec<String> = words.split_whitespace().take(MAX_WORDS).map(str::to_owned).collect();
    let keyset = query.keyset()?;
    let rows = store::page(&core.db, with_gone, author_name.as_deref(), &words, keyset).await?;
    Ok(keyset.page(rows, |last| Cursor { key: last.youtube_created_at.timestamp_micros(), id: last.id.0 }))
}
