//! The feed: somebody's events by their positions.

use std::str::FromStr;
use std::time::Duration;

use super::event::{Event, EventKind};
use super::{CHANNEL, numbering, store};
use crate::ids::UserId;
use crate::shared::Subscription;
use crate::{Caller, Code, Core, Error, Result};

/// The most events that one call gives.
pub const MAX_PAGE: i64 = 500;

/// Characters of a cursor.
pub const MAX_CURSOR_CHARS: usize = 19;

/// Where a reader stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// Before everything that is kept.
    Oldest,
    /// Behind everything that is there now.
    Latest,
    /// Behind this position.
    Position(i64),
}

impl FromStr for After {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self> {
        match word {
            "oldest" => Ok(Self::Oldest),
            "latest" => Ok(Self::Latest),
            _ => match word.parse() {
                Ok(position) if position >= 0 && word.len() <= MAX_CURSOR_CHARS => Ok(Self::Position(position)),
                _ => Err(Error::invalid("after", "must be a `nextCursor`, `oldest` or `latest`")),
            },
        }
    }
}

/// A page of the feed.
#[derive(Debug)]
pub struct Page {
    pub items: Vec<Event>,
    /// Where to go on: every event that this page does not have, of these kinds, is behind it.
    pub next: i64,
}

/// The caller's events behind a position, in their order.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Invalid`] for a limit outside of 1 to [`MAX_PAGE`]; [`Error::Refused`] with
/// `EVENTS_FORGOTTEN` where events behind the position may have been dropped, and `EVENTS_CURSOR_AHEAD` for one that the
/// log has not reached.
pub async fn feed(core: &Core, caller: &Caller, after: After, kinds: &[EventKind], limit: i64) -> Result<Page> {
    let user = caller.signed_in()?;
    if !(1..=MAX_PAGE).contains(&limit) {
        return Err(Error::invalid("limit", format!("must be between 1 and {MAX_PAGE}")));
    }
    // The end first: whatever comes behind it meanwhile is of the next page, of whatever kind.
    let (last, forgotten) = store::head(&core.db).await?;
    let after = match after {
        After::Oldest => forgotten,
        After::Latest => last,
        After::Position(position) if position > last => return Err(ahead()),
        After::Position(position) if position < forgotten => return Err(gone()),
        After::Position(position) => position,
    };
    let items = store::of_user(&core.db, user, (after, last), kinds, limit).await?;
    let full = i64::try_from(items.len()).is_ok_and(|count| count >= limit);
    let next = items.last().filter(|_| full).map_or(last, |event| event.position);
    Ok(Page { items, next })
}

/// The same; where there is none yet, waits for one for so long.
///
/// # Errors
/// As [`feed`].
pub async fn wait(
    core: &Core,
    caller: &Caller,
    after: After,
    kinds: &[EventKind],
    limit: i64,
    most: Duration,
) -> Result<Page> {
    // Subscribed before the rows are read, so that nothing falls between the two.
    let mut news = listen(core, caller)?;
    let until = tokio::time::Instant::now() + most;
    let mut page = feed(core, caller, after, kinds, limit).await?;
    while page.items.is_empty() {
        if tokio::time::timeout_at(until, news.next()).await.is_err() {
            break;
        }
        page = feed(core, caller, After::Position(page.next), kinds, limit).await?;
    }
    Ok(page)
}

/// Word of somebody's events.
#[derive(Debug)]
pub struct News {
    of: UserId,
    all: Subscription,
}

/// Between two looks at the rows where no word came: words may be lost.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

impl News {
    /// Ends when there may be something new.
    pub async fn next(&mut self) {
        let named = async {
            while let Some(letter) = self.all.next().await {
                if numbering::names(&letter, self.of) {
                    return;
                }
            }
            std::future::pending().await
        };
        // Where no word came the rows say it.
        tokio::time::timeout(LOOK_AGAIN, named).await.unwrap_or_default();
    }
}

/// Word of the caller's events from now on.
///
/// # Errors
/// [`Error::LoginRequired`].
pub fn listen(core: &Core, caller: &Caller) -> Result<News> {
    Ok(News { of: caller.signed_in()?, all: core.shared.subscribe(CHANNEL) })
}

fn gone() -> Error {
    Error::Refused {
        code: Code::EventsForgotten,
        message:
            "events after this cursor are not kept any more; begin with after=oldest and read what you missed from \
                  the jobs"
                .into(),
        details: serde_json::Value::Null,
    }
}

fn ahead() -> Error {
    Error::Refused {
        code: Code::EventsCursorAhead,
        message: "the log has not reached this cursor: it was restored from a copy; begin with after=oldest".into(),
        details: serde_json::Value::Null,
    }
}
