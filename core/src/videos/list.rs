//! The list of community videos: its two orders, its filter and its search.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{Video, store};
use crate::ids::VideoId;
use crate::{Caller, Core, Error, Result, cursor, names};

/// The most characters of a search.
const MAX_KEYWORD: usize = 500;
/// Words of a search that count.
const MAX_WORDS: usize = 10;
/// The largest page.
pub const MAX_PAGE: i64 = 100;

/// The order of the list, by the day on which videos came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    #[default]
    Newest,
    Oldest,
}

impl std::str::FromStr for Order {
    type Err = Error;

    /// Takes the words of the pages and the fields of the generic query.
    fn from_str(word: &str) -> Result<Self> {
        match word {
            "newest" | "-youtubeCreatedAt" => Ok(Self::Newest),
            "oldest" | "youtubeCreatedAt" => Ok(Self::Oldest),
            _ => Err(Error::invalid("sort", "must be newest or oldest")),
        }
    }
}

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

/// A piece of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub items: Vec<Video>,
    /// Give it back for what follows; `None` at the end.
    pub next_cursor: Option<String>,
}

/// A question as the statement takes it.
pub(super) struct Wanted {
    pub order: Order,
    pub with_gone: bool,
    pub author_name: Option<String>,
    pub words: Vec<String>,
}

/// After which row the page begins.
#[derive(Clone, Copy)]
pub(super) struct Cursor {
    pub at: DateTime<Utc>,
    pub id: VideoId,
}

/// The videos that everybody may watch. What YouTube has taken away is left out: there is nothing to watch.
///
/// # Errors
/// [`Error::Invalid`] for a cursor that no list in this order gave.
pub async fn list(core: &Core, question: Question) -> Result<Page> {
    pick(core, question, false).await
}

/// The same for admins, with what YouTube has taken away.
///
/// # Errors
/// As [`list`]; [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody else.
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

impl Cursor {
    fn first(order: Order) -> Self {
        match order {
            Order::Newest => Self { at: cursor::time(i64::MAX), id: VideoId(Uuid::max()) },
            Order::Oldest => Self { at: cursor::time(0), id: VideoId(Uuid::nil()) },
        }
    }

    fn of(video: &Video) -> Self {
        Self { at: video.youtube_created_at, id: video.id }
    }

    fn read(text: &str, order: Order) -> Result<Self> {
        let (key, id) = cursor::read(text, order.letter())?;
        Ok(Self { at: cursor::time(key), id: VideoId(id) })
    }

    fn cursor(self, order: Order) -> String {
        cursor::write(order.letter(), self.at.timestamp_micros(), self.id.0)
    }
}

impl Order {
    fn letter(self) -> char {
        match self {
            Self::Newest => 'n',
            Self::Oldest => 'o',
        }
    }
}
