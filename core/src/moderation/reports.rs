//! Reporting a target.

use super::{Case, CaseReport, CaseState, GONE, ReportReason, ReportTarget, ReportTargetKind, Snapshot, state, store};
use crate::database;
use crate::ids::{CaseId, ReportId, UserId};
use crate::{Caller, Code, Core, Error, Result, assets, comments, gallery, html, names, users, workflows};

/// Maximum length of a report's text.
pub const MAX_TEXT: usize = 1000;
/// Reports per user and hour.
const REPORTS_PER_HOUR: u32 = 30;
/// Maximum length of a snapshot's content.
const SEEN_CHARS: usize = 4000;

/// Reports a target that the caller may see, or changes the caller's report of it.
///
/// # Errors
/// [`Error::NotFound`] if the caller may not see the target; [`Error::Refused`] with `REPORT_OWN` for the caller's own;
/// [`Error::Invalid`] for more than [`MAX_TEXT`] characters, or none with [`ReportReason::Other`];
/// [`Error::RateLimited`]; [`Error::Banned`].
pub async fn report(
    core: &Core,
    caller: &Caller,
    thing: ReportTarget,
    reason: ReportReason,
    text: &str,
) -> Result<CaseReport> {
    let reporter = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let text = checked(reason, text)?;
    let (author, seen) = snapshot(core, caller, thing).await?;
    if author == reporter {
        let message = "you cannot report your own posts".to_owned();
        return Err(Error::refused(Code::ReportOwn, message));
    }
    users::take_quota(core, "report", &reporter.to_string(), REPORTS_PER_HOUR).await?;
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let new = Case {
        id: CaseId::new(),
        thing,
        author,
        state: CaseState::Open,
        revision: 1,
        open_reports: 0,
        all_reports: 0,
        seen: seen.clone(),
        created_at: now,
        reported_at: now,
        decided_at: None,
        decided_by: None,
    };
    // The case is locked first, so that reports and decisions of one target are serialized.
    let mut case = store::cases::open(&mut tx, &new).await?;
    case.state = state::reported(case.state).ok_or(Error::NotFound { what: noun(thing.kind()) })?;
    let report = CaseReport {
        id: ReportId::new(),
        case: case.id,
        reporter,
        reason,
        text,
        seen: seen.clone(),
        created_at: now,
        updated_at: now,
        closed_at: None,
    };
    let (report, is_new) = store::reports::put(&mut tx, &permit, &report).await?;
    case.open_reports += i64::from(is_new);
    case.all_reports += i64::from(is_new);
    case.revision += 1;
    case.seen = seen;
    case.reported_at = now;
    store::cases::update(&mut tx, &case).await?;
    tx.commit().await?;
    Ok(report)
}

/// The owner and a snapshot of a target that the caller may see.
pub(super) async fn snapshot(core: &Core, caller: &Caller, thing: ReportTarget) -> Result<(UserId, Snapshot)> {
    match thing {
        ReportTarget::Workflow(id) => {
            let workflow = workflows::find(core, caller, id).await?;
            // Other languages are included: the reporter may have read only these.
            let other_names = workflow.names().skip(1).map(str::to_owned);
            let said: Vec<String> = other_names.chain(workflow.descriptions().map(html::text)).collect();
            let content = said.join("\n").chars().take(SEEN_CHARS).collect();
            let picture = workflow.cover.map(|cover| cover.0);
            Ok((workflow.user, Snapshot { title: workflow.name, content, picture }))
        }
        ReportTarget::OutputAsset(id) => {
            let picture = gallery::find(core, caller, id).await?;
            Ok((picture.user, Snapshot { title: String::new(), content: String::new(), picture: Some(id.0) }))
        }
        ReportTarget::Upload(id) => {
            let upload = assets::find(core, caller, id).await?;
            Ok((upload.user, Snapshot { title: String::new(), content: String::new(), picture: Some(id.0) }))
        }
        ReportTarget::Comment(id) => {
            let comment = comments::find(core, caller, id).await?;
            // Hidden comments cannot be seen.
            if comment.is_hidden && !caller.admin {
                return Err(Error::NotFound { what: "comment" });
            }
            let author = comment.user.ok_or(GONE)?;
            let content = html::text(&comment.content);
            Ok((author, Snapshot { title: String::new(), content, picture: None }))
        }
    }
}

pub(super) fn noun(kind: ReportTargetKind) -> &'static str {
    match kind {
        ReportTargetKind::Workflow => "workflow",
        ReportTargetKind::OutputAsset => "output asset",
        ReportTargetKind::Comment => "comment",
        ReportTargetKind::Asset => "asset",
    }
}

fn checked(reason: ReportReason, text: &str) -> Result<String> {
    let wrong = || Error::invalid("text", format!("must have at most {MAX_TEXT} characters"));
    let text = names::without_disruptive(&names::trimmed(text, 0..=MAX_TEXT).ok_or_else(wrong)?).trim().to_owned();
    if reason == ReportReason::Other && text.is_empty() {
        return Err(Error::invalid("text", "say what is wrong with it"));
    }
    Ok(text)
}
