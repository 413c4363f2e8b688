//! Whether the workers of today can run mini apps: held against what those of all pools have, as a submit is.

use crate::fleet::Roster;
use crate::graph::{Needs, Prompt};
use crate::ids::{WorkflowApiId, WorkflowApiVersionId};
use crate::mini_apps::{self, Missing, Works};
use crate::{Core, Error, Result};

/// Apps of one go.
pub const APPS_AT_ONCE: i64 = 100;

/// Looks at the apps whose time has come; tells at how many. The upkeep calls it.
///
/// # Errors
/// Database errors.
pub async fn check_apps(core: &Core) -> Result<u64> {
    let due = mini_apps::due_for_works(core, APPS_AT_ONCE).await?;
    for (app, version) in &due {
        check_app(core, *app, *version).await?;
    }
    Ok(due.len() as u64)
}

/// Looks at an app in its current version, and notes what it finds.
///
/// # Errors
/// Database errors.
pub async fn check_app(core: &Core, app: WorkflowApiId, version: WorkflowApiVersionId) -> Result<()> {
    let pools: Vec<String> = core.settings.pools.iter().map(|pool| pool.name.clone()).collect();
    let found = match mini_apps::version(core, version).await {
        Ok(compiled) => works(core.fleet.roster(), &pools, compiled.prompt()),
        // Forgotten, or not to be read: nobody runs it.
        Err(Error::NotFound { .. } | Error::Internal(_)) => Works::Unknown,
        Err(error) => return Err(error),
    };
    mini_apps::note_works(core, app, version, &found).await
}

fn works(roster: &Roster, pools: &[String], prompt: &Prompt) -> Works {
    let needs = Needs::of(prompt, &roster.definitions(pools));
    match roster.pool_for(pools, &needs) {
        Some((_, connected)) if connected > 0 => return Works::Yes,
        // Whoever has everything is away, and may come back.
        Some(_) => return Works::Unknown,
        None => {}
    }
    let connected: usize = pools.iter().map(|pool| roster.connected_in(pool)).sum();
    // Those that are connected come first.
    let workers = roster.each_of(pools).into_iter().take(connected);
    let nearest = workers
        .map(|can| needs.unmet_by(&can.definitions))
        .min_by_key(|unmet| unmet.classes.len() + unmet.models.len());
    nearest.map_or(Works::Unknown, |unmet| Works::No(Missing::from(unmet)))
}

#[cfg(test)]
mod tests;
