//! Works today: whether some worker can run an app as things are. The room of jobs finds it out, when an app is saved and
//! then regularly; it is kept here, and told to the app's author before those who run it fail.
//!
//! ```text
//!   Yes ──▶ shown as working; from now on its author is told when that ends
//!   No ───▶ shown as not working; its author is told, where it has worked since they were told last
//!   Unknown ▶ nothing is said of it; whoever has what it needs is away and may come back
//! ```

pub(in crate::mini_apps) mod store;
mod verdict;
mod words;

use chrono::TimeDelta;
use sqlx::PgConnection;

pub use verdict::{Missing, Works};

use super::store as apps;
use crate::ids::{UserId, WorkflowApiId, WorkflowApiVersionId};
use crate::mail::{self, Content, Letter};
use crate::workflows;
use crate::{Caller, Core, Error, Result, notifications, users};

/// How long it holds that an app works.
const HOLDS: TimeDelta = TimeDelta::hours(24);
/// What does not work, or may, is looked at again sooner: somebody may be mending it.
const HOLDS_OTHERWISE: TimeDelta = TimeDelta::hours(1);
/// Letters to one author in an hour. A worker that goes away may take many apps with it; their box tells of each.
const LETTERS_PER_HOUR: u32 = 3;

/// Apps that are to be looked at, with their current versions: those that wait longest.
///
/// # Errors
/// Database errors.
pub async fn due_for_works(core: &Core, limit: i64) -> Result<Vec<(WorkflowApiId, WorkflowApiVersionId)>> {
    Ok(store::due(&core.db, core.clock.now(), limit).await?)
}

/// Notes what was found out of an app, and tells its author where it has stopped working. What was saved meanwhile stays
/// to be looked at.
///
/// # Errors
/// Database errors; [`Error::Unavailable`] where too much mail waits.
pub async fn note_works(core: &Core, app: WorkflowApiId, version: WorkflowApiVersionId, found: &Works) -> Result<()> {
    let now = core.clock.now();
    let holds = if *found == Works::Yes { HOLDS } else { HOLDS_OTHERWISE };
    let Some(known) = apps::find(&core.db, app).await? else { return Ok(()) };
    let mut tx = core.db.begin().await?;
    // Before the app's row, as a save locks them.
    workflows::set_app_works(&mut tx, known.workflow, found.flag()).await?;
    let note = store::Note { found: found.flag(), missing: found.missing(), now, due_at: now + holds };
    let Some(had_worked) = store::note(&mut tx, app, version, &note).await? else { return Ok(()) };
    let author = match found {
        Works::No(missing) if had_worked => tell(core, &mut tx, &known, missing).await?,
        _ => None,
    };
    tx.commit().await?;
    if let Some(author) = author {
        notifications::announce(core, author).await;
        mail::ring(core);
    }
    Ok(())
}

/// Tells the author of an app that it does not work any more; who it was, where there is somebody to tell.
async fn tell(core: &Core, tx: &mut PgConnection, app: &apps::App, missing: &Missing) -> Result<Option<UserId>> {
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
    let fact = words::fact(&workflow, missing, once);
    notifications::tell(tx, author.id, None, &fact, now).await?;
    if is_mailed {
        let lacking = missing.classes.iter().chain(&missing.models).cloned().collect();
        let (name, app) = (author.name.clone(), workflow.name.clone());
        let content = Content::AppBroken { name, app, workflow: workflow.id.0, lacking };
        let letter = Letter { to: author.email.clone(), language: author.language, content };
        mail::queue(core, tx, &letter).await?;
    }
    Ok(Some(author.id))
}
