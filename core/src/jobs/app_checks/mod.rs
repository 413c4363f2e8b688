//! Checks whether the current workers can run mini apps, as a submit does.

use crate::fleet::Roster;
use crate::graph::{Needs, Prompt};
use crate::ids::{WorkflowApiId, WorkflowApiVersionId};
use crate::mini_apps::{self, AppVerdict, Missing};
use crate::{Core, Error, Result};

/// Apps of one round.
pub const APPS_AT_ONCE: i64 = 100;

/// Checks the apps that are due; returns their number.
pub async fn check_apps(core: &Core) -> Result<u64> {
    let due = mini_apps::due_for_check(core, APPS_AT_ONCE).await?;
    for (app, version) in &due {
        check_app(core, *app, *version).await?;
    }
    Ok(due.len() as u64)
}

/// Checks an app in its current version, and records the result.
pub async fn check_app(core: &Core, app: WorkflowApiId, version: WorkflowApiVersionId) -> Result<()> {
    let pools: Vec<String> = core.settings.pools.iter().map(|pool| pool.name.clone()).collect();
    let found = match mini_apps::version(core, version).await {
        Ok(compiled) => works(core.fleet.roster(), &pools, compiled.prompt()),
        // Deleted or unreadable: it cannot run.
        Err(Error::NotFound { .. } | Error::Internal(_)) => AppVerdict::Unknown,
        Err(error) => return Err(error),
    };
    mini_apps::record_verdict(core, app, version, &found).await
}

fn works(roster: &Roster, pools: &[String], prompt: &Prompt) -> AppVerdict {
    let needs = Needs::of(prompt, &roster.definitions(pools));
    match roster.pool_for(pools, &needs) {
        Some((_, connected)) if connected > 0 => return AppVerdict::Yes,
        // A worker that can run it is disconnected, and may come back.
        Some(_) => return AppVerdict::Unknown,
        None => {}
    }
    let connected: usize = pools.iter().map(|pool| roster.connected_in(pool)).sum();
    // Connected workers come first.
    let workers = roster.capabilities_of(pools).into_iter().take(connected);
    let nearest = workers
        .map(|can| needs.unmet_by(&can.definitions))
        .min_by_key(|unmet| unmet.classes.len() + unmet.models.len());
    nearest.map_or(AppVerdict::Unknown, |unmet| AppVerdict::No(Missing::from(unmet)))
}

#[cfg(test)]
mod tests;
