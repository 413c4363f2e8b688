//! What graphs require of workers: node classes and model files. The room names those that no worker of the caller's
//! pools has, and stores users' requests for them, which admins read.

mod requirement;
mod state;
mod store;

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::json;

pub use requirement::{
    GraphRequirements, MissingRequirement, RequestedRequirement, Requirement, RequirementKind, RequirementRequest,
};

use crate::audit::{self, Act, Action};
use crate::database;
use crate::fleet::{self, Capabilities};
use crate::graph::Prompt;
use crate::ids::{RequirementRequestId, UserId};
use crate::{Caller, Core, Error, Result, users};

/// Requests of one user; older ones are deleted.
pub const MAX_REQUESTS: i64 = 200;
/// The most requirements in the list of admins.
pub const MAX_REQUESTED: i64 = 500;

/// The requirements of a prompt that no worker of the caller's pools meets. Workers are asked again before anything is
/// called missing, because nodes and models are added to running servers.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::InvalidPrompt`] for what is not a prompt; [`Error::Unavailable`] where
/// no worker was ever connected.
pub async fn requirements(core: &Core, caller: &Caller, prompt: &[u8]) -> Result<GraphRequirements> {
    let user = caller.signed_in()?;
    let prompt = Prompt::parse(prompt)?;
    let pools = &users::plan(core, user).await?.pools;
    let mut found = by_known_workers(core, pools, &prompt)?;
    let is_met = found.missing.is_empty() && found.one_worker_meets_all;
    if !is_met && fleet::refresh_pools(core, pools).await {
        found = by_known_workers(core, pools, &prompt)?;
    }
    if !found.missing.is_empty() {
        let requests = store::of_user(&core.db, user).await?;
        let requested: HashSet<Requirement> = requests.into_iter().map(|request| request.requirement).collect();
        for missing in &mut found.missing {
            missing.is_requested = requested.contains(&missing.requirement);
        }
    }
    Ok(found)
}

fn by_known_workers(core: &Core, pools: &[String], prompt: &Prompt) -> Result<GraphRequirements> {
    let roster = core.fleet.roster();
    let own = roster.capabilities_of(pools);
    if own.iter().all(|worker| worker.definitions.is_empty()) {
        return Err(Error::Unavailable {
            message: "no worker has ever been connected; nothing is known about nodes".into(),
            retry_after_seconds: 5,
        });
    }
    let requirements = state::requirements(prompt, &roster.definitions(&core.settings.pool_names()));
    Ok(GraphRequirements {
        missing: state::missing(&requirements, &own, &other_pools(core, pools)),
        one_worker_meets_all: state::one_meets_all(&requirements, &own),
    })
}

/// The workers of all pools but these.
fn other_pools(core: &Core, pools: &[String]) -> Vec<(String, Vec<Arc<Capabilities>>)> {
    let others = core.settings.pool_names().into_iter().filter(|pool| !pools.contains(pool));
    others
        .map(|pool| {
            let workers = core.fleet.roster().capabilities_of(std::slice::from_ref(&pool));
            (pool, workers)
        })
        .collect()
}

/// Requests a node class or a model for the caller. Repeating it returns the first request.
///
/// # Errors
/// [`Error::Invalid`] for a name that cannot be requested, and for what a worker of the caller's pools has; as
/// [`users::may_take_part`].
pub async fn request(core: &Core, caller: &Caller, wanted: &Requirement) -> Result<RequirementRequest> {
    let permit = users::may_take_part(core, caller).await?;
    let user = caller.signed_in()?;
    let wanted = wanted.checked()?;
    let workers = core.fleet.roster().capabilities_of(&users::plan(core, user).await?.pools);
    if workers.iter().any(|worker| state::has(worker, &wanted)) {
        return Err(Error::invalid("name", "is there: a worker of your pools has it"));
    }
    let mut tx = database::begin(&core.db).await?;
    let request = store::insert(&mut tx, &permit, user, &wanted, core.clock.now()).await?;
    store::delete_oldest(&mut tx, user, MAX_REQUESTS).await?;
    tx.commit().await?;
    Ok(request)
}

/// The caller's requests, newest first.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn requests(core: &Core, caller: &Caller) -> Result<Vec<RequirementRequest>> {
    Ok(store::of_user(&core.db, caller.signed_in()?).await?)
}

/// What users have requested, the most requested first: at most [`MAX_REQUESTED`].
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for callers other than admins.
pub async fn requested(core: &Core, caller: &Caller) -> Result<Vec<RequestedRequirement>> {
    caller.must_be_admin()?.read_only();
    let mut found = store::most_requested(&core.db, MAX_REQUESTED).await?;
    let pools = other_pools(core, &[]);
    for one in &mut found {
        let having = pools.iter().filter(|(_, workers)| workers.iter().any(|w| state::has(w, &one.requirement)));
        one.pools = having.map(|(pool, _)| pool.clone()).collect();
    }
    Ok(found)
}

/// Deletes this request and all others for the same class or model.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for callers other than admins; [`Error::NotFound`].
pub async fn close(core: &Core, caller: &Caller, id: RequirementRequestId) -> Result<()> {
    let by = caller.must_be_admin()?;
    let mut tx = database::begin(&core.db).await?;
    let Some((closed, requests)) = store::close(&mut tx, id).await? else {
        by.read_only();
        return Err(Error::NotFound { what: "request" });
    };
    let before =
        json!({ "kind": closed.kind.name(), "folder": closed.folder, "name": closed.name, "requests": requests });
    let act = Act::new(Action::RequirementRequestClose, id).before(before);
    audit::record(&mut tx, by, act, core.clock.now()).await?;
    Ok(tx.commit().await?)
}

/// Deletes the requests of a deleted account.
pub async fn forget(core: &Core, user: UserId) -> Result<()> {
    Ok(store::forget(&core.db, user).await?)
}

#[cfg(test)]
mod tests;
