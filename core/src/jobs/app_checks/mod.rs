//! Checks whether the current workers can run mini apps, as a submit does: after a save, regularly, and all of them when
//! the workers' classes or models have changed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::fleet::FleetOffer;
use crate::graph::{Needs, Prompt};
use crate::ids::{WorkflowApiId, WorkflowApiVersionId};
use crate::mini_apps::{self, AppVerdict, CompiledApp, DueApp, Missing};
use crate::{Core, Error, Result};

/// Apps of one round.
pub const APPS_AT_ONCE: i64 = 1000;
/// Apps of one transaction.
const CHUNK: i64 = 20;
/// The pause after a chunk, as a multiple of the time that it took: submits go on between two chunks.
const PAUSE: u32 = 3;
/// The longest such pause.
const MAX_PAUSE: Duration = Duration::from_millis(100);

/// Checks the apps that are due; returns their number.
pub async fn check_apps(core: &Core) -> Result<u64> {
    let offer = offer(core);
    let fleet = mini_apps::note_fleet(core, &offer.digest()).await?;
    let mut checked = 0;
    while checked < APPS_AT_ONCE {
        let began = Instant::now();
        let due = mini_apps::due_for_check(core, fleet, CHUNK).await?;
        if due.is_empty() {
            break;
        }
        checked += i64::try_from(due.len()).unwrap_or(CHUNK);
        let found = verdicts(core, &offer, due).await?;
        mini_apps::record_verdicts(core, fleet, &found).await?;
        tokio::time::sleep((began.elapsed() * PAUSE).min(MAX_PAUSE)).await;
    }
    Ok(checked.unsigned_abs())
}

/// Checks an app in its current version, and records the result.
pub async fn check_app(core: &Core, app: WorkflowApiId, version: WorkflowApiVersionId) -> Result<()> {
    let offer = offer(core);
    let fleet = mini_apps::note_fleet(core, &offer.digest()).await?;
    let app = mini_apps::app_for_check(core, app, version).await?.into_iter().collect();
    let found = verdicts(core, &offer, app).await?;
    mini_apps::record_verdicts(core, fleet, &found).await
}

fn offer(core: &Core) -> FleetOffer {
    core.fleet.roster().offer(&core.settings.pool_names())
}

async fn verdicts(core: &Core, offer: &FleetOffer, due: Vec<DueApp>) -> Result<Vec<(DueApp, AppVerdict)>> {
    let mut found = Vec::with_capacity(due.len());
    let ids: Vec<WorkflowApiVersionId> = due.iter().map(|app| app.version).collect();
    let all = match mini_apps::versions_once(core, &ids).await {
        Ok(all) => Some(all),
        // One of them is unreadable.
        Err(Error::Internal(_)) => None,
        Err(error) => return Err(error),
    };
    for app in due {
        let compiled = match &all {
            Some(all) => all.get(&app.version).cloned(),
            None => readable(core, app.version).await?,
        };
        // A deleted or unreadable version cannot run.
        let verdict = compiled.map_or(AppVerdict::Unknown, |compiled| verdict(offer, compiled.prompt()));
        found.push((app, verdict));
        // Large graphs take a moment, and this thread has other tasks.
        tokio::task::yield_now().await;
    }
    Ok(found)
}

async fn readable(core: &Core, version: WorkflowApiVersionId) -> Result<Option<Arc<CompiledApp>>> {
    match mini_apps::versions_once(core, &[version]).await {
        Ok(mut found) => Ok(found.remove(&version)),
        Err(Error::Internal(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

fn verdict(offer: &FleetOffer, prompt: &Prompt) -> AppVerdict {
    let needs = Needs::of(prompt, &offer.definitions);
    if offer.is_met(&needs) {
        return AppVerdict::Yes;
    }
    if offer.is_met_by_an_away_worker(&needs) {
        return AppVerdict::Unknown;
    }
    offer.unmet(&needs).map_or(AppVerdict::Unknown, |unmet| AppVerdict::No(Missing::from(unmet)))
}

#[cfg(test)]
mod tests;
