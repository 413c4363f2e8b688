use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::notice_texts::ModerationNotice;
use super::people::{self, Penalty};
use super::{Case, Decision, DecisionKind, GONE, ReportTarget, Verdict, locks, state, store};
use crate::assets::ContentHash;
use crate::audit::{self, Act, Action};
use crate::database;
use crate::ids::{CaseId, UserId};
use crate::notifications::{self, NewNotification, NotificationSubject};
use crate::{Caller, Code, Core, Error, Result, assets, comments, gallery, users, workflows};

/// A moderator's decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseDecision {
    pub verdict: Verdict,
    /// A warning to the author.
    pub warning: Option<String>,
    /// A ban of the author.
    pub ban: Option<Penalty>,
}

/// Decides a case at this revision. Its reporters are notified that it was reviewed, and its author of the verdict; the
/// author of a kept post only hears of a warning or ban. Everything is one transaction.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for non-admins; [`Error::NotFound`]; conflicts: `CASE_CHANGED` for
/// an outdated revision, `CASE_STATE` for a verdict that is not possible in this state, `CASE_THING_GONE` if the target
/// was deleted, `BAN_ADMIN` if the author is an admin or deleted; as [`people::ban`].
pub async fn decide(core: &Core, caller: &Caller, id: CaseId, revision: i32, decided: CaseDecision) -> Result<Case> {
    let by = caller.must_be_admin()?;
    let admin = caller.signed_in()?;
    let warning = decided.warning.as_deref().map(|text| people::checked("warning", text)).transpose()?;
    let ban = decided.ban.as_ref().map(|penalty| penalty.checked(core.clock.now())).transpose()?;
    let now = core.clock.now();
    // Before any lock is taken: cleaning a large picture takes a while.
    let contents = match (decided.verdict, store::cases::find(&core.db, id).await?) {
        (Verdict::Hide | Verdict::Delete, Some(case)) => locks::clean(core, case.thing, case.author).await?,
        _ => Vec::new(),
    };
    let mut tx = database::begin(&core.db).await?;
    let mut case = store::cases::lock(&mut tx, id).await?.ok_or(GONE)?;
    if case.revision != revision {
        return Err(Error::conflict(Code::CaseChanged, "another moderator has changed this case; reload it"));
    }
    let before = case.state;
    case.state = state::after(before, decided.verdict)
        .ok_or_else(|| Error::conflict(Code::CaseState, "this verdict is not possible in the state of the case"))?;
    apply(&mut tx, core, caller, &case, decided.verdict, &contents).await?;
    case.revision += 1;
    case.open_reports = 0;
    case.decided_at = Some(now);
    case.decided_by = Some(admin);
    store::cases::update(&mut tx, &case).await?;

    let line = |kind, text: &str, until| Decision {
        id: Uuid::now_v7(),
        case: Some(id),
        user: case.author,
        admin,
        kind,
        text: text.to_owned(),
        until,
        created_at: now,
    };
    store::decisions::insert(&mut tx, &line(kind_of(decided.verdict), "", None)).await?;
    let mut to_author = Vec::new();
    if decided.verdict != Verdict::Keep {
        to_author.push(ModerationNotice::Verdict(case.thing.kind(), decided.verdict, case.seen.title.clone()));
    }
    if let Some(text) = &warning {
        store::decisions::insert(&mut tx, &line(DecisionKind::Warn, text, None)).await?;
        to_author.push(ModerationNotice::Warning(text.clone()));
    }
    if let Some(ban) = &ban {
        if !users::ban_tx(&mut tx, case.author, ban).await? {
            return Err(people::ban_refused());
        }
        store::decisions::insert(&mut tx, &line(DecisionKind::Ban, &ban.reason, ban.until)).await?;
        to_author.push(ModerationNotice::Ban(ban.clone()));
    }
    let told = notify_people(&mut tx, &case, &to_author, decided.verdict, now).await?;
    let after = json!({
        "state": case.state.name(),
        "kind": case.thing.kind().name(),
        "thing": case.thing.id(),
        "title": case.seen.title,
        "warning": warning,
        "ban": ban.as_ref().map(|ban| json!({ "reason": ban.reason, "until": ban.until })),
    });
    let act = Act::new(action_of(decided.verdict), id).of(case.author).before(json!({ "state": before.name() }));
    audit::record(&mut tx, by, act.after(after), now).await?;
    tx.commit().await?;
    core.events.notify_written();

    if ban.is_some() {
        users::invalidate(core, case.author).await;
    }
    for person in told {
        notifications::announce(core, person).await;
    }
    Ok(case)
}

/// Applies the verdict to the target.
async fn apply(
    tx: &mut PgConnection,
    core: &Core,
    caller: &Caller,
    case: &Case,
    verdict: Verdict,
    contents: &[ContentHash],
) -> Result<()> {
    let now = core.clock.now();
    let thing = case.thing;
    // Before deletion: the locks need the rows to find the bytes.
    match verdict {
        Verdict::Hide | Verdict::Delete => locks::lock(tx, core, thing, case.author, contents).await?,
        Verdict::Restore => locks::unlock(tx, thing).await?,
        Verdict::Keep => {}
    }
    let found = match (verdict, thing) {
        (Verdict::Keep, _) => true,
        (Verdict::Hide, ReportTarget::Workflow(id)) => workflows::lock_tx(tx, caller, id, now).await?.is_some(),
        (Verdict::Hide, ReportTarget::OutputAsset(id)) => {
            let expires_at = gallery::expiry(now, core.settings.outputs.days);
            gallery::lock_tx(tx, id, expires_at, now).await?
        }
        (Verdict::Hide, ReportTarget::Comment(id)) => comments::hide_tx(tx, id, now).await?,
        // Hiding an upload locks its bytes.
        (Verdict::Hide, ReportTarget::Upload(id)) => assets::asset_exists_tx(tx, id).await?,
        (Verdict::Delete, ReportTarget::Upload(id)) => {
            assets::delete_tx(tx, id, now).await?;
            true
        }
        (Verdict::Restore, ReportTarget::Upload(_)) => true,
        (Verdict::Delete, ReportTarget::Workflow(id)) => {
            // The author may have deleted it already.
            workflows::delete_tx(tx, caller, id, now).await?;
            true
        }
        (Verdict::Delete, ReportTarget::OutputAsset(id)) => {
            gallery::delete_tx(tx, id, now).await?;
            true
        }
        (Verdict::Delete, ReportTarget::Comment(id)) => {
            comments::delete_tx(tx, id, now).await?;
            true
        }
        (Verdict::Restore, ReportTarget::Workflow(id)) => {
            workflows::unlock_tx(tx, id).await?;
            true
        }
        (Verdict::Restore, ReportTarget::OutputAsset(id)) => {
            gallery::unlock_tx(tx, id).await?;
            true
        }
        (Verdict::Restore, ReportTarget::Comment(id)) => {
            comments::unhide_tx(tx, id).await?;
            true
        }
    };
    if found { Ok(()) } else { Err(Error::conflict(Code::CaseThingGone, "the author has already deleted it")) }
}

/// Notifies the reporters and the author; returns the notified users.
async fn notify_people(
    tx: &mut PgConnection,
    case: &Case,
    to_author: &[ModerationNotice],
    verdict: Verdict,
    now: DateTime<Utc>,
) -> Result<Vec<UserId>> {
    let mut notifications_to_send: Vec<(UserId, NewNotification)> = Vec::new();
    let about = match (case.thing, verdict) {
        // A deleted post has no link.
        (_, Verdict::Delete) | (ReportTarget::Comment(_) | ReportTarget::Upload(_), _) => None,
        (ReportTarget::Workflow(id), _) => Some(NotificationSubject::Workflow(id, case.seen.title.clone())),
        (ReportTarget::OutputAsset(id), _) => Some(NotificationSubject::OutputAsset(id)),
    };
    for author in store::remaining(tx, &[case.author]).await? {
        notifications_to_send.extend(to_author.iter().map(|word| (author, word.notification(about.clone()))));
    }
    let reporters = store::reports::close(tx, case.id, now).await?;
    let answer = ModerationNotice::Answer(case.thing.kind(), verdict).notification(None);
    notifications_to_send
        .extend(store::remaining(tx, &reporters).await?.into_iter().map(|person| (person, answer.clone())));
    // Boxes are locked in one order, so that concurrent decisions do not deadlock.
    notifications_to_send.sort_by_key(|(person, _)| *person);
    for (person, fact) in &notifications_to_send {
        notifications::notify(tx, *person, None, fact, now).await?;
    }
    let mut told: Vec<UserId> = notifications_to_send.into_iter().map(|(person, _)| person).collect();
    told.dedup();
    Ok(told)
}

fn kind_of(verdict: Verdict) -> DecisionKind {
    match verdict {
        Verdict::Keep => DecisionKind::Keep,
        Verdict::Hide => DecisionKind::Hide,
        Verdict::Delete => DecisionKind::Delete,
        Verdict::Restore => DecisionKind::Restore,
    }
}

fn action_of(verdict: Verdict) -> Action {
    match verdict {
        Verdict::Keep => Action::CaseKeep,
        Verdict::Hide => Action::CaseHide,
        Verdict::Delete => Action::CaseDelete,
        Verdict::Restore => Action::CaseRestore,
    }
}
