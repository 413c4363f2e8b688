//! The moderators' queue.

use std::collections::HashMap;

use chrono::DateTime;
use uuid::Uuid;

use super::filter::{CaseFilter, CaseOrder};
use super::{Case, CaseReport, Decision, GONE, ReportReason, ReportTarget, ReportTargetKind, Snapshot, reports, store};
use crate::comments::{self, Post};
use crate::gallery::OutputAsset;
use crate::ids::{CaseId, OutputAssetId};
use crate::list::{Cursor, ListQuery, MAX_PAGE, Page, unknown_cursor};
use crate::{Caller, Core, Error, Result, assets};

/// Newest reports that a case shows; the counts cover all.
const SHOWN_REPORTS: i64 = 100;

/// A case with everything a moderator needs to decide it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseDetail {
    pub case: Case,
    /// The target as it is now; `None` if it was deleted.
    pub now: Option<Snapshot>,
    /// The post of a comment, if the comment exists.
    pub post: Option<Post>,
    /// Newest first.
    pub reports: Vec<CaseReport>,
    /// Earlier decisions about the author, newest first.
    pub history: Vec<Decision>,
}

/// A page of cases.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for non-admins; [`Error::Invalid`] for a limit outside of 1 to
/// [`MAX_PAGE`] or an unknown cursor.
pub async fn cases(core: &Core, caller: &Caller, query: ListQuery<'_, CaseFilter, CaseOrder>) -> Result<Page<Case>> {
    caller.must_be_admin()?.read_only();
    if !(1..=MAX_PAGE).contains(&query.limit) {
        return Err(Error::invalid("limit", format!("must be between 1 and {MAX_PAGE}")));
    }
    let keyset = query.keyset()?;
    let after = query.cursor.map(|_| keyset.after);
    if after.is_some_and(|after| DateTime::from_timestamp_micros(after.key).is_none()) {
        return Err(unknown_cursor());
    }
    let rows = store::cases::list(&core.db, query.filter, keyset.sort, after, keyset.limit).await?;
    let key = |case: &Case| match keyset.sort {
        CaseOrder::Newest => case.reported_at.timestamp_micros(),
        CaseOrder::MostReported => case.all_reports,
    };
    Ok(keyset.page(rows, |last| Cursor { key: key(last), id: last.id.0 }))
}

/// The outputs among these that a moderator has hidden, with the reasons of their reports. Only for owners and admins.
/// Outputs that are hidden because of another row with the same file have no reasons.
pub async fn hidden_among(
    core: &Core,
    caller: &Caller,
    outputs: &[OutputAsset],
) -> Result<HashMap<OutputAssetId, Vec<ReportReason>>> {
    let told = |output: &&OutputAsset| output.is_private && (caller.admin || caller.user == Some(output.user));
    let private: Vec<&OutputAsset> = outputs.iter().filter(told).collect();
    if private.is_empty() {
        return Ok(HashMap::new());
    }
    let contents: Vec<_> = private.iter().map(|output| output.content.clone()).collect();
    let locked = assets::locked_among(core, &contents).await?;
    let hidden = private.iter().filter(|output| locked.contains(&output.content));
    let mut found: HashMap<OutputAssetId, Vec<ReportReason>> = hidden.map(|output| (output.id, Vec::new())).collect();
    let ids: Vec<Uuid> = found.keys().map(|id| id.0).collect();
    for (id, reason) in store::cases::reasons(&core.db, ReportTargetKind::OutputAsset, &ids).await? {
        found.entry(OutputAssetId(id)).or_default().push(ReportReason::from_number(reason));
    }
    Ok(found)
}

/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for non-admins; [`Error::NotFound`].
pub async fn find(core: &Core, caller: &Caller, id: CaseId) -> Result<CaseDetail> {
    caller.must_be_admin()?.read_only();
    let case = store::cases::find(&core.db, id).await?.ok_or(GONE)?;
    let now = found_or_none(reports::snapshot(core, caller, case.thing).await)?.map(|(_, now)| now);
    let post = match case.thing {
        ReportTarget::Comment(id) => found_or_none(comments::find(core, caller, id).await)?.map(|comment| comment.post),
        ReportTarget::Workflow(_) | ReportTarget::OutputAsset(_) | ReportTarget::Upload(_) => None,
    };
    let reports = store::reports::of(&core.db, id, SHOWN_REPORTS).await?;
    let history = store::decisions::of_user(&core.db, case.author, SHOWN_REPORTS).await?;
    Ok(CaseDetail { case, now, post, reports, history })
}

/// Turns "not found" into `None`.
fn found_or_none<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Ok(thing) => Ok(Some(thing)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
