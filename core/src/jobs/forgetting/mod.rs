//! What is left of the jobs of somebody who left: when they ran, and what they cost.

pub(in crate::jobs) mod store;

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};

use crate::ids::{UserId, WorkflowId};
use crate::{Core, Result, jobs, mini_apps, workflows};

/// Forgets what somebody's jobs were told and what they said: forms, prompts, texts, names of files, keys. The rows stay
/// for the books. For somebody who left, once all their jobs have ended.
///
/// # Errors
/// Database errors; what was forgotten stays so.
pub async fn forget(core: &Core, user: UserId) -> Result<()> {
    while store::forget_jobs(&core.db, user).await? > 0 {}
    store::forget_keys(&core.db, user).await?;
    while store::forget_prompts(&core.db, user).await? > 0 {}
    Ok(())
}

/// Idempotency keys that are forgotten in one go.
pub const KEYS_AT_ONCE: i64 = 20_000;
/// Workflows of one go.
const WORKFLOWS_AT_ONCE: i64 = 200;
/// How long after it was deleted a workflow's mini app is forgotten: those who asked for it just before have submitted
/// their jobs by then.
const GRACE: TimeDelta = TimeDelta::hours(1);

/// Forgets the mini apps of workflows that were deleted, with the graphs in them, as soon as no job waits for them or runs
/// them; tells how many it forgot. Those of workflows that were ever published stay: pictures of others tell by them how
/// they were made.
///
/// # Errors
/// Database errors.
pub async fn forget_deleted_apps(core: &Core) -> Result<u64> {
    forget_apps_of(core, None, core.clock.now() - GRACE).await
}

/// The same at once, for somebody who left and whose jobs have ended.
///
/// # Errors
/// Database errors.
pub async fn forget_apps(core: &Core, user: UserId) -> Result<()> {
    forget_apps_of(core, Some(user), core.clock.now()).await.map(drop)
}

/// Forgets idempotency keys that are old enough; tells how many.
///
/// # Errors
/// Database errors.
pub async fn forget_keys(core: &Core) -> Result<u64> {
    let remembered = TimeDelta::hours(i64::from(core.settings.jobs.idempotency_hours));
    Ok(jobs::store::forget_keys(&core.db, core.clock.now() - remembered, KEYS_AT_ONCE).await?)
}

async fn forget_apps_of(core: &Core, user: Option<UserId>, before: DateTime<Utc>) -> Result<u64> {
    let mut forgotten = 0;
    loop {
        let mut tx = core.db.begin().await?;
        let mut workflows = workflows::to_forget_within(&mut tx, user, before, WORKFLOWS_AT_ONCE).await?;
        let found = workflows.len();
        let mut versions = mini_apps::versions_within(&mut tx, &workflows).await?;
        let needed = store::versions_in_use(&mut tx, &versions).await?;
        let waited_for: HashSet<WorkflowId> =
            versions.iter().filter(|(version, _)| needed.contains(version)).map(|(_, workflow)| *workflow).collect();
        workflows.retain(|workflow| !waited_for.contains(workflow));
        versions.retain(|(_, workflow)| !waited_for.contains(workflow));
        let versions: Vec<_> = versions.into_iter().map(|(version, _)| version).collect();
        mini_apps::forget_within(core, &mut tx, &versions).await?;
        workflows::note_forgotten_within(&mut tx, &workflows, core.clock.now()).await?;
        tx.commit().await?;
        forgotten += workflows.len() as u64;
        // What is waited for comes first the next time too.
        if workflows.is_empty() || i64::try_from(found).unwrap_or(i64::MAX) < WORKFLOWS_AT_ONCE {
            return Ok(forgotten);
        }
    }
}
