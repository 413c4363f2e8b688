//! The moderators' queue.

use chrono::DateTime;
use uuid::Uuid;

use super::{Case, Decision, GONE, Kind, Report, Snapshot, State, Thing, reports, store};
use crate::comments::{self, Post};
use crate::ids::CaseId;
use crate::{Caller, Core, Error, Result, cursor};

/// The largest page.
pub const MAX_PAGE: i64 = 100;
/// Reports that a case shows: the newest; the counts tell how many there are.
const SHOWN_REPORTS: i64 = 100;

/// Which case comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// The last report.
    #[default]
    Newest,
    MostReported,
}

impl std::str::FromStr for Order {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self> {
        match word {
            "newest" => Ok(Self::Newest),
            "mostReported" => Ok(Self::MostReported),
            _ => Err(Error::invalid("sort", "must be newest or mostReported")),
        }
    }
}

/// Which cases a list shows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filter {
    pub state: Option<State>,
    pub kind: Option<Kind>,
    pub order: Order,
}

/// A piece of the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    pub items: Vec<Case>,
    /// Where the list goes on; `None` at its end.
    pub next_cursor: Option<String>,
}

/// A case with all that a moderator needs to decide it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    pub case: Case,
    /// The thing as it is now; `None` where it is gone.
    pub now: Option<Snapshot>,
    /// What a comment stands below, while the comment is there.
    pub post: Option<Post>,
    /// Newest first.
    pub reports: Vec<Report>,
    /// Decisions about its author so far, newest first.
    pub history: Vec<Decision>,
}

/// Where a list goes on: after the case with this key, and this id among those of the same key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cursor {
    pub key: i64,
    pub id: Uuid,
}

/// Cases in order; `cursor` is that of the piece before.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin; [`Error::Invalid`] for a limit outside of
/// 1 to [`MAX_PAGE`] or a cursor that this list did not give.
pub async fn cases(core: &Core, caller: &Caller, filter: Filter, cursor: Option<&str>, limit: i64) -> Result<Page> {
    caller.must_be_admin()?.to_read();
    if !(1..=MAX_PAGE).contains(&limit) {
        return Err(Error::invalid("limit", format!("must be between 1 and {MAX_PAGE}")));
    }
    let after = cursor.map(|text| Cursor::parse(text, filter.order)).transpose()?;
    let mut items = store::cases::list(&core.db, filter, after, limit + 1).await?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut next_cursor = None;
    if items.len() > limit {
        items.truncate(limit);
        next_cursor = items.last().map(|last| Cursor::of(last, filter.order).text(filter.order));
    }
    Ok(Page { items, next_cursor })
}

/// One case.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin; [`Error::NotFound`].
pub async fn find(core: &Core, caller: &Caller, id: CaseId) -> Result<Detail> {
    caller.must_be_admin()?.to_read();
    let case = store::cases::find(&core.db, id).await?.ok_or(GONE)?;
    let now = there(reports::look(core, caller, case.thing).await)?.map(|(_, now)| now);
    let post = match case.thing {
        Thing::Comment(id) => there(comments::find(core, caller, id).await)?.map(|comment| comment.post),
        Thing::Workflow(_) | Thing::Picture(_) | Thing::Upload(_) => None,
    };
    let reports = store::reports::of(&core.db, id, SHOWN_REPORTS).await?;
    let history = store::decisions::of_user(&core.db, case.author, SHOWN_REPORTS).await?;
    Ok(Detail { case, now, post, reports, history })
}

/// `None` for what is gone.
fn there<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Ok(thing) => Ok(Some(thing)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

impl Cursor {
    fn of(case: &Case, order: Order) -> Self {
        let key = match order {
            Order::Newest => case.reported_at.timestamp_micros(),
            Order::MostReported => case.all_reports,
        };
        Self { key, id: case.id.0 }
    }

    fn parse(text: &str, order: Order) -> Result<Self> {
        let (key, id) = cursor::read(text, letter(order))?;
        // A time that no calendar has is no cursor of ours.
        DateTime::from_timestamp_micros(key).ok_or_else(cursor::refused)?;
        Ok(Self { key, id })
    }

    fn text(self, order: Order) -> String {
        cursor::write(letter(order), self.key, self.id)
    }
}

/// What tells the cursors of the orders apart.
fn letter(order: Order) -> char {
    match order {
        Order::Newest => 'n',
        Order::MostReported => 'r',
    }
}
