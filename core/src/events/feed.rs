//! The feed: a user's events in the order of their positions.

use std::str::FromStr;
use std::time::Duration;

use super::event::{Event, EventKind};
use super::{CHANNEL, numbering, store};
use crate::ids::UserId;
use crate::shared::ChannelSubscription;
use crate::{Caller, Code, Core, Error, Result};

/// Maximum number of events per call.
pub const MAX_PAGE: i64 = 500;

/// Maximum length of a cursor.
pub const MAX_CURSOR_CHARS: usize = 19;

/// Where a page starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedPosition {
    /// At the oldest event that is kept.
    Oldest,
    /// After the newest event.
    Latest,
    /// After this position.
    After(i64),
}

impl FromStr for FeedPosition {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self> {
        match word {
            "oldest" => Ok(Self::Oldest),
            "latest" => Ok(Self::Latest),
            _ => {
                let wrong = || Error::invalid("after", "must be a `nextCursor`, `oldest` or `latest`");
                position(word).map(Self::After).ok_or_else(wrong)
            }
        }
    }
}

/// The position that a cursor names, in the spelling in which it was given.
#[must_use]
pub fn position(cursor: &str) -> Option<i64> {
    let is_number = cursor.len() <= MAX_CURSOR_CHARS && cursor.bytes().all(|digit| digit.is_ascii_digit());
    cursor.parse().ok().filter(|_| is_number)
}

#[derive(Debug)]
pub struct FeedPage {
    pub items: Vec<Event>,
    /// The position to continue from: all later events of these kinds have higher positions.
    pub next: i64,
}

/// The caller's events after a position, in order.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Invalid`] for a limit outside of 1 to [`MAX_PAGE`]; [`Error::Refused`] with
/// `EVENTS_FORGOTTEN` if events after the position may have been dropped, and `EVENTS_CURSOR_AHEAD` for a position
/// beyond the log.
pub async fn feed(
    core: &Core,
    caller: &Caller,
    after: FeedPosition,
    kinds: &[EventKind],
    limit: i64,
) -> Result<FeedPage> {
    let user = caller.signed_in()?;
    if !(1..=MAX_PAGE).contains(&limit) {
        return Err(Error::invalid("limit", format!("must be between 1 and {MAX_PAGE}")));
    }
    // The head is read first: later events belong to the next page.
    let (last, forgotten) = store::head(&core.db).await?;
    let after = match after {
        FeedPosition::Oldest => forgotten,
        FeedPosition::Latest => last,
        FeedPosition::After(position) if position > last => return Err(ahead()),
        FeedPosition::After(position) if position < forgotten => return Err(gone()),
        FeedPosition::After(position) => position,
    };
    let items = store::of_user(&core.db, user, (after, last), kinds, limit).await?;
    let full = i64::try_from(items.len()).is_ok_and(|count| count >= limit);
    let next = items.last().filter(|_| full).map_or(last, |event| event.position);
    Ok(FeedPage { items, next })
}

/// Like [`feed`]; if the page is empty, waits up to `most` for an event.
pub async fn wait(
    core: &Core,
    caller: &Caller,
    after: FeedPosition,
    kinds: &[EventKind],
    limit: i64,
    most: Duration,
) -> Result<FeedPage> {
    // Subscribes before reading the rows, so that no event is missed in between.
    let mut updates = listen(core, caller)?;
    let until = tokio::time::Instant::now() + most;
    let mut page = feed(core, caller, after, kinds, limit).await?;
    while page.items.is_empty() {
        if tokio::time::timeout_at(until, updates.next()).await.is_err() {
            break;
        }
        page = feed(core, caller, FeedPosition::After(page.next), kinds, limit).await?;
    }
    Ok(page)
}

/// Announcements of a user's new events.
#[derive(Debug)]
pub struct EventUpdates {
    of: UserId,
    all: ChannelSubscription,
}

/// Polling interval, because announcements may be lost.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

impl EventUpdates {
    /// Returns when there may be new events.
    pub async fn next(&mut self) {
        let named = async {
            while let Some(message) = self.all.next().await {
                if numbering::names(&message, self.of) {
                    return;
                }
            }
            std::future::pending().await
        };
        // Without an announcement the caller reads the rows.
        tokio::time::timeout(POLL_INTERVAL, named).await.unwrap_or_default();
    }
}

/// Announcements of the caller's events from now on.
pub fn listen(core: &Core, caller: &Caller) -> Result<EventUpdates> {
    Ok(EventUpdates { of: caller.signed_in()?, all: core.shared.subscribe(CHANNEL) })
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
