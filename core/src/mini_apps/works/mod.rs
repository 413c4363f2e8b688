//! Whether a worker can run an app now. The room of jobs checks it after a save and then regularly. This room stores
//! the result and notifies the author, before users' runs fail.
//!
//! ```text
//! Yes ──▶ shown as working; a later No notifies the author
//! No ───▶ shown as not working; the author is notified if it worked since the last notification
//! Unknown ▶ nothing is shown; the workers that have what it needs are offline and may come back
//! ```

pub(in crate::mini_apps) mod store;
mod verdict;
mod words;

use chrono::TimeDelta;
use sqlx::PgConnection;

pub use verdict::{AppVerdict, Missing};

use super::store as apps;
use crate::ids::{UserId, WorkflowApiId, WorkflowApiVersionId};
use crate::mail::{self, Content, Email};
use crate::workflows;
use crate::{Caller, Core, Error, Result, notifications, users};

/// How long a positive result is valid.
const VALID_FOR: TimeDelta = TimeDelta::hours(24);
/// Other results are checked again sooner, because an operator may be fixing the workers.
const RECHECK_AFTER: TimeDelta = TimeDelta::hours(1);
/// Mails to one author in an hour. A worker that goes offline may affect many apps; notifications are not limited.
const LETTERS_PER_HOUR: u32 = 3;

/// Apps to check with their current versions, the longest waiting first.
pub async fn due_for_check(core: &Core, limit: i64) -> Result<Vec<(WorkflowApiId, WorkflowApiVersionId)>> {
    Ok(store::due(&core.db, core.clock.now(), limit).await?)
}

/// Writes the result of a check, and notifies the author of an app that stopped working. An app that was saved after
/// the check stays due.
///
/// # Errors
/// [`Error::Unavailable`] where too much mail waits.
pub async fn record_verdict(
    core: &Core,
    app: WorkflowApiId,
    version: WorkflowApiVersionId,
    found: &AppVerdict,
) -> Result<()> {
    let now = core.clock.now();
    let holds = if *found == AppVerdict::Yes { VALID_FOR } else { RECHECK_AFTER };
    let Some(known) = apps::find(&core.db, app).await? else { return Ok(()) };
    let mut tx = core.db.begin().await?;
    // Locked before the app's row, in the order of a save.
    workflows::set_app_works(&mut tx, known.workflow, found.flag()).await?;
    let note = store::Note { found: found.flag(), missing: found.missing(), now, due_at: now + holds };
    let Some(had_worked) = store::note(&mut tx, app, version, &note).await? else { return Ok(()) };
    let author = match found {
        AppVerdict::No(missing) if had_worked => notify(core, &mut tx, &known, missing).await?,
        _ => None,
    };
    tx.commit().await?;
    if let Some(author) = author {
        notifications::announce(core, author).await;
        mail::wake_sending(core);
    }
    Ok(())
}

/// Notifies the author of an app that stopped working; returns the author, if there is one to notify.
async fn notify(core: &Core, tx: &mut PgConnection, app: &apps::App, missing: &Missing) -> Result<Option<UserId>> {
    let workflow = match workflows::find(core, &Caller::system(), app.workflow).await {
        Ok(workflow) => workflow,
        Err(Error::NotFound { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let author = match users::find(core, workflow.user).await {
        Ok(author) => author,
        Err(Error::NotFound { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let now = core.clock.now();
    let is_mailed = users::can_be_mailed(core, &author)
        && users::take_quota(core, "app-broken", &author.id.to_string(), LETTERS_PER_HOUR).await.is_ok();
    let once = format!("works:{}:{}", app.id, now.timestamp());
    let new = words::notification(&workflow, missing, once);
    notifications::notify(tx, author.id, None, &new, now).await?;
    if is_mailed {
        let lacking = missing.classes.iter().chain(&missing.models).cloned().collect();
        let (name, app) = (author.name.clone(), workflow.name.clone());
        let content = Content::AppBroken { name, app, workflow: workflow.id.0, lacking };
        let letter = Email { to: author.email.clone(), language: author.language, content };
        mail::queue(core, tx, &letter).await?;
    }
    Ok(Some(author.id))
}
