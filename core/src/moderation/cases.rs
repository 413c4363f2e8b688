//! The moderators' queue.

use std::collections::HashMap;

use uuid::Uuid;

use super::filter::{Cursor, Filter};
use super::{Case, Decision, GONE, Kind, Reason, Report, Snapshot, Thing, reports, store};
use crate::comments::{self, Post};
use crate::gallery::OutputAsset;
use crate::ids::{CaseId, OutputAssetId};
use crate::{Caller, Core, Error, Result, assets};

/// The largest page.
pub const MAX_PAGE: i64 = 100;
/// Reports that a case shows: the newest; the counts tell how many there are.
const SHOWN_REPORTS: i64 = 100;

/// A page of the queue.
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

/// Cases in order; `cursor` is that of the page before.
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

/// Which of these outputs a moderator has hidden, and for what reasons they were reported. Only owners and admins are
/// told. There is no reason where the same file was hidden elsewhere.
///
/// # Errors
/// Database errors.
pub async fn hidden_among(
    core: &Core,
    caller: &Caller,
    outputs: &[OutputAsset],
) -> Result<HashMap<OutputAssetId, Vec<Reason>>> {
    let told = |output: &&OutputAsset| output.is_private && (caller.admin || caller.user == Some(output.user));
    let private: Vec<&OutputAsset> = outputs.iter().filter(told).collect();
    if private.is_empty() {
        return Ok(HashMap::new());
    }
    let contents: Vec<_> = private.iter().map(|output| output.content.clone()).collect();
    let locked = assets::locked_among(core, &contents).await?;
    let hidden = private.iter().filter(|output| locked.contains(&output.content));
    let mut found: HashMap<OutputAssetId, Vec<Reason>> = hidden.map(|output| (output.id, Vec::new())).collect();
    let ids: Vec<Uuid> = found.keys().map(|id| id.0).collect();
    for (id, reason) in store::cases::reasons(&core.db, Kind::OutputAsset, &ids).await? {
        found.entry(OutputAssetId(id)).or_default().push(Reason::from_number(reason));
    }
    Ok(found)
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
        Thing::Workflow(_) | Thing::OutputAsset(_) | Thing::Upload(_) => None,
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
