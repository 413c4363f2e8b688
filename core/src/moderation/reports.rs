//! Reporting something.

use super::{Case, GONE, Kind, Reason, Report, Snapshot, State, Thing, state, store};
use crate::ids::{CaseId, ReportId, UserId};
use crate::{Caller, Code, Core, Error, Result, assets, comments, gallery, html, names, users, workflows};

/// Characters that somebody may add to a report.
pub const MAX_TEXT: usize = 1000;
/// Reports of one person in an hour.
const REPORTS_PER_HOUR: u32 = 30;
/// Characters of a description that are kept as it was.
const SEEN_CHARS: usize = 4000;

/// Reports something that the caller may see, or changes the caller's report of it.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`] where it is not there for the caller; [`Error::Refused`] with
/// `REPORT_OWN` for one's own; [`Error::Invalid`] for more than [`MAX_TEXT`] characters, or none where the reason is
/// [`Reason::Other`]; [`Error::RateLimited`]; [`Error::Banned`].
pub async fn report(core: &Core, caller: &Caller, thing: Thing, reason: Reason, text: &str) -> Result<Report> {
    let reporter = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let text = checked(reason, text)?;
    let (author, seen) = look(core, caller, thing).await?;
    if author == reporter {
        let message = "nobody reports what is their own".to_owned();
        return Err(Error::refused(Code::ReportOwn, message));
    }
    users::take_quota(core, "report", &reporter.to_string(), REPORTS_PER_HOUR).await?;
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    let new = Case {
        id: CaseId::new(),
        thing,
        author,
        state: State::Open,
        revision: 1,
        open_reports: 0,
        all_reports: 0,
        seen: seen.clone(),
        created_at: now,
        reported_at: now,
        decided_at: None,
        decided_by: None,
    };
    // The case's row first, always: reports and decisions of one thing come one after the other.
    let mut case = store::cases::open(&mut tx, &new).await?;
    case.state = state::reported(case.state).ok_or(Error::NotFound { what: noun(thing.kind()) })?;
    let report = Report {
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

/// Whose it is and how it is now, where the caller may see it.
pub(super) async fn look(core: &Core, caller: &Caller, thing: Thing) -> Result<(UserId, Snapshot)> {
    match thing {
        Thing::Workflow(id) => {
            let workflow = workflows::find(core, caller, id).await?;
            // What it says in other languages is judged too: the reporter may have read nothing else.
            let other_names = workflow.names().skip(1).map(str::to_owned);
            let said: Vec<String> = other_names.chain(workflow.descriptions().map(html::text)).collect();
            let content = said.join("\n").chars().take(SEEN_CHARS).collect();
            let picture = workflow.cover.map(|cover| cover.0);
            Ok((workflow.user, Snapshot { title: workflow.name, content, picture }))
        }
        Thing::OutputAsset(id) => {
            let picture = gallery::find(core, caller, id).await?;
            Ok((picture.user, Snapshot { title: String::new(), content: String::new(), picture: Some(id.0) }))
        }
        Thing::Upload(id) => {
            let upload = assets::find(core, caller, id).await?;
            Ok((upload.user, Snapshot { title: String::new(), content: String::new(), picture: Some(id.0) }))
        }
        Thing::Comment(id) => {
            let comment = comments::find(core, caller, id).await?;
            // What a moderator has hidden is out of sight already.
            if comment.is_hidden && !caller.admin {
                return Err(Error::NotFound { what: "comment" });
            }
            let author = comment.user.ok_or(GONE)?;
            let content = html::text(&comment.content);
            Ok((author, Snapshot { title: String::new(), content, picture: None }))
        }
    }
}

pub(super) fn noun(kind: Kind) -> &'static str {
    match kind {
        Kind::Workflow => "workflow",
        Kind::OutputAsset => "output asset",
        Kind::Comment => "comment",
        Kind::Asset => "asset",
    }
}

fn checked(reason: Reason, text: &str) -> Result<String> {
    let wrong = || Error::invalid("text", format!("must have at most {MAX_TEXT} characters"));
    let text = names::undisturbed(&names::trimmed(text, 0..=MAX_TEXT).ok_or_else(wrong)?).trim().to_owned();
    if reason == Reason::Other && text.is_empty() {
        return Err(Error::invalid("text", "say what is wrong with it"));
    }
    Ok(text)
}
