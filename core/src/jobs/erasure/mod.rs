//! Erases the content of jobs of deleted accounts, and deletes mini app versions and idempotency keys that are not
//! needed any more.

pub(in crate::jobs) mod store;

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};

use crate::database;
use crate::ids::{UserId, WorkflowId};
use crate::jobs::client_prompts;
use crate::{Core, Result, jobs, mini_apps, workflows};

/// Erases the content of all jobs of an account: forms, prompts, texts, file names, keys. The rows stay for the
/// accounting. All jobs of the account must have ended.
pub async fn forget(core: &Core, user: UserId) -> Result<()> {
    while store::forget_jobs(&core.db, user).await? > 0 {}
    store::forget_keys(&core.db, user).await?;
    client_prompts::store::forget(&core.db, user).await?;
    while store::forget_prompts(&core.db, user).await? > 0 {}
    Ok(())
}

/// Idempotency keys of one round.
pub const KEYS_AT_ONCE: i64 = 20_000;
/// Workflows of one transaction.
const WORKFLOWS_AT_ONCE: i64 = 200;
/// The mini app of a deleted workflow is kept for so long, because a submit may be under way.
const GRACE: TimeDelta = TimeDelta::hours(1);

/// Deletes the mini app versions of deleted workflows that no unfinished job uses; returns the number of workflows.
/// Versions of workflows that were ever published stay, because pictures of other accounts refer to them.
pub async fn forget_deleted_apps(core: &Core) -> Result<u64> {
    forget_apps_of(core, None, core.clock.now() - GRACE).await
}

/// As [`forget_deleted_apps`], for a deleted account and without the grace period.
pub async fn forget_apps(core: &Core, user: UserId) -> Result<()> {
    forget_apps_of(core, Some(user), core.clock.now()).await.map(drop)
}

/// Deletes old idempotency keys; returns their number.
pub async fn forget_keys(core: &Core) -> Result<u64> {
    let remembered = TimeDelta::hours(i64::from(core.settings.jobs.idempotency_hours));
    Ok(jobs::store::delete_old_keys(&core.db, core.clock.now() - remembered, KEYS_AT_ONCE).await?)
}

async fn forget_apps_of(core: &Core, user: Option<UserId>, before: DateTime<Utc>) -> Result<u64> {
    let mut forgotten = 0;
    loop {
        let mut tx = database::begin(&core.db).await?;
        let mut workflows = workflows::to_forget_tx(&mut tx, user, before, WORKFLOWS_AT_ONCE).await?;
        let found = workflows.len();
        let mut versions = mini_apps::versions_of_tx(&mut tx, &workflows).await?;
        let needed = store::versions_in_use(&mut tx, &versions).await?;
        let waited_for: HashSet<WorkflowId> =
            versions.iter().filter(|(version, _)| needed.contains(version)).map(|(_, workflow)| *workflow).collect();
        workflows.retain(|workflow| !waited_for.contains(workflow));
        versions.retain(|(_, workflow)| !waited_for.contains(workflow));
        let versions: Vec<_> = versions.into_iter().map(|(version, _)| version).collect();
        mini_apps::forget_versions_tx(core, &mut tx, &versions).await?;
        workflows::note_forgotten_tx(&mut tx, &workflows, core.clock.now()).await?;
        tx.commit().await?;
        forgotten += workflows.len() as u64;
        // Workflows with unfinished jobs would be found again.
        if workflows.is_empty() || i64::try_from(found).unwrap_or(i64::MAX) < WORKFLOWS_AT_ONCE {
            return Ok(forgotten);
        }
    }
}
