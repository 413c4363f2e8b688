//! Deciding a case.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::people::{self, Penalty};
use super::words::Word;
use super::{Case, Decision, DecisionKind, GONE, Thing, Verdict, locks, state, store};
use crate::assets::ContentHash;
use crate::audit::{self, Act, Action};
use crate::ids::{CaseId, UserId};
use crate::notifications::{self, About, Fact};
use crate::{Caller, Code, Core, Error, Result, assets, comments, gallery, users, workflows};

/// What a moderator decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    pub verdict: Verdict,
    /// A word to the author, beside the verdict.
    pub warning: Option<String>,
    /// A ban of the author, beside the verdict.
    pub ban: Option<Penalty>,
}

/// Decides a case, as it was at this revision. Whoever reported it is told that it was looked at, and its author what
/// became of it; of a thing that stays, only where they are warned or banned. Verdict, warning, ban, words and log are
/// one transaction: where the node or the database is lost in the middle, nothing of it was done.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin; [`Error::NotFound`]; conflicts:
/// `CASE_CHANGED` where somebody was first, `CASE_STATE` for a verdict that makes no sense any more, `CASE_THING_GONE`
/// where there is nothing left to hide, `BAN_ADMIN` where the author is an admin or has left; as [`people::ban`].
pub async fn decide(core: &Core, caller: &Caller, id: CaseId, revision: i32, decided: Decided) -> Result<Case> {
    let by = caller.must_be_admin()?;
    let admin = caller.signed_in()?;
    let warning = decided.warning.as_deref().map(|text| people::checked("warning", text)).transpose()?;
    let ban = decided.ban.as_ref().map(|penalty| penalty.checked(core.clock.now())).transpose()?;
    let now = core.clock.now();
    // Before anything is locked: it may take as long as a large picture takes.
    let contents = match (decided.verdict, store::cases::find(&core.db, id).await?) {
        (Verdict::Hide | Verdict::Delete, Some(case)) => locks::clean(core, case.thing, case.author).await?,
        _ => Vec::new(),
    };
    let mut tx = core.db.begin().await?;
    let mut case = store::cases::lock(&mut tx, id).await?.ok_or(GONE)?;
    if case.revision != revision {
        return Err(Error::conflict(Code::CaseChanged, "somebody else has changed this case; look at it again"));
    }
    let before = case.state;
    case.state = state::after(before, decided.verdict)
        .ok_or_else(|| Error::conflict(Code::CaseState, "this case cannot be decided so any more"))?;
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
        to_author.push(Word::Verdict(case.thing.kind(), decided.verdict, case.seen.title.clone()));
    }
    if let Some(text) = &warning {
        store::decisions::insert(&mut tx, &line(DecisionKind::Warn, text, None)).await?;
        to_author.push(Word::Warning(text.clone()));
    }
    if let Some(ban) = &ban {
        if !users::ban_within(&mut tx, case.author, ban).await? {
            return Err(people::not_to_be_banned());
        }
        store::decisions::insert(&mut tx, &line(DecisionKind::Ban, &ban.reason, ban.until)).await?;
        to_author.push(Word::Ban(ban.clone()));
    }
    let told = tell(&mut tx, &case, &to_author, decided.verdict, now).await?;
    let after = json!({
        "state": case.state.name(),
        "kind": case.thing.kind().name(),
        "thing": case.thing.id(),
        "warning": warning,
        "ban": ban.as_ref().map(|ban| json!({ "reason": ban.reason, "until": ban.until })),
    });
    let act = Act::new(action_of(decided.verdict), id).of(case.author).before(json!({ "state": before.name() }));
    audit::record(&mut tx, by, act.after(after), now).await?;
    tx.commit().await?;

    if ban.is_some() {
        users::changed(core, case.author).await;
    }
    for person in told {
        notifications::announce(core, person).await;
    }
    Ok(case)
}

/// Does to the thing what was decided.
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
    // Before anything is deleted: whose bytes they are is asked of the rows.
    match verdict {
        Verdict::Hide | Verdict::Delete => locks::lock(tx, core, thing, case.author, contents).await?,
        Verdict::Restore => locks::unlock(tx, thing).await?,
        Verdict::Keep => {}
    }
    let found = match (verdict, thing) {
        (Verdict::Keep, _) => true,
        (Verdict::Hide, Thing::Workflow(id)) => workflows::lock_within(tx, caller, id, now).await?.is_some(),
        (Verdict::Hide, Thing::OutputAsset(id)) => {
            let expires_at = gallery::expiry(now, core.settings.outputs.days);
            gallery::lock_within(tx, id, expires_at, now).await?
        }
        (Verdict::Hide, Thing::Comment(id)) => comments::hide_within(tx, id, now).await?,
        // What is hidden of an upload is its bytes.
        (Verdict::Hide, Thing::Upload(id)) => assets::is_there_within(tx, id).await?,
        (Verdict::Delete, Thing::Upload(id)) => {
            assets::delete_within(tx, id, now).await?;
            true
        }
        (Verdict::Restore, Thing::Upload(_)) => true,
        (Verdict::Delete, Thing::Workflow(id)) => {
            // Where its author was first, there is nothing left to do.
            workflows::delete_within(tx, caller, id, now).await?;
            true
        }
        (Verdict::Delete, Thing::OutputAsset(id)) => {
            gallery::delete_within(tx, id, now).await?;
            true
        }
        (Verdict::Delete, Thing::Comment(id)) => {
            comments::delete_within(tx, id, now).await?;
            true
        }
        (Verdict::Restore, Thing::Workflow(id)) => {
            workflows::unlock_within(tx, id).await?;
            true
        }
        (Verdict::Restore, Thing::OutputAsset(id)) => {
            gallery::unlock_within(tx, id).await?;
            true
        }
        (Verdict::Restore, Thing::Comment(id)) => {
            comments::unhide_within(tx, id).await?;
            true
        }
    };
    if found { Ok(()) } else { Err(Error::conflict(Code::CaseThingGone, "its author has deleted it already")) }
}

/// Answers those who reported it, and tells the author; gives who was told.
async fn tell(
    tx: &mut PgConnection,
    case: &Case,
    to_author: &[Word],
    verdict: Verdict,
    now: DateTime<Utc>,
) -> Result<Vec<UserId>> {
    let mut letters: Vec<(UserId, Fact)> = Vec::new();
    let about = match (case.thing, verdict) {
        // What is deleted cannot be looked at any more.
        (_, Verdict::Delete) | (Thing::Comment(_) | Thing::Upload(_), _) => None,
        (Thing::Workflow(id), _) => Some(About::Workflow(id, case.seen.title.clone())),
        (Thing::OutputAsset(id), _) => Some(About::OutputAsset(id)),
    };
    for author in store::remaining(tx, &[case.author]).await? {
        letters.extend(to_author.iter().map(|word| (author, word.fact(about.clone()))));
    }
    let reporters = store::reports::close(tx, case.id, now).await?;
    let answer = Word::Answer(case.thing.kind(), verdict).fact(None);
    letters.extend(store::remaining(tx, &reporters).await?.into_iter().map(|person| (person, answer.clone())));
    // Boxes are locked in one order, so that two decisions never wait for each other.
    letters.sort_by_key(|(person, _)| *person);
    for (person, fact) in &letters {
        notifications::tell(tx, *person, None, fact, now).await?;
    }
    let mut told: Vec<UserId> = letters.into_iter().map(|(person, _)| person).collect();
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
