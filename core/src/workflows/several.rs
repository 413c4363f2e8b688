//! Changes to several workflows at once: publishing, hiding, marking and deleting.

use std::collections::BTreeSet;

use super::indexing::index;
use super::limits::MAX_IDS;
use super::publishing::{apply, authorize};
use super::workflow::Workflow;
use super::{differences, locked_own, locking, pictures, shown, store};
use crate::audit::{self, Act, Action};
use crate::caller::Authority;
use crate::database;
use crate::ids::{AssetId, WorkflowId};
use crate::{Caller, Core, Error, Result};

/// Marks workflows as safe for work or not, all of them or none; for admins.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin; [`Error::NotFound`] where one is
/// missing; [`Error::Invalid`] for more than [`MAX_IDS`].
pub async fn set_nsfw(core: &Core, caller: &Caller, ids: &[WorkflowId], is_nsfw: bool) -> Result<Vec<Workflow>> {
    caller.must_be_admin()?.read_only();
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let mut changed = Vec::with_capacity(ids.len());
    for id in in_order(ids)? {
        let (mut workflow, _) = locked_own(&mut tx, caller, id).await?;
        let before = workflow.clone();
        workflow.is_nsfw = is_nsfw;
        store::update(&mut tx, &workflow).await?;
        index(&mut tx, &workflow).await?;
        let [was, is] = differences(&before, &workflow);
        let act = Act::new(Action::WorkflowUpdate, id).of(workflow.user).before(was).after(is);
        // The mark belongs to admins, so changes on their own workflows are audited too.
        audit::record_if_admin(&mut tx, Authority::Admin(caller.must_be_admin()?), act, now).await?;
        changed.push(shown(workflow));
    }
    tx.commit().await?;
    Ok(changed)
}

/// Deletes the caller's workflows among these (any user's, for an admin) and returns their number. Missing ones and
/// other users' are skipped.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for more than [`MAX_IDS`].
pub async fn delete_several(core: &Core, caller: &Caller, ids: &[WorkflowId]) -> Result<u64> {
    caller.signed_in()?;
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let mut deleted = 0;
    for id in in_order(ids)? {
        let (workflow, by) = match locked_own(&mut tx, caller, id).await {
            Ok(found) => found,
            Err(Error::NotFound { .. } | Error::Forbidden) => continue,
            Err(error) => return Err(error),
        };
        locking::remove(&mut tx, caller, &workflow, now).await?;
        let before = serde_json::json!({ "name": workflow.name, "isPrivate": workflow.is_private });
        let act = Act::new(Action::WorkflowDelete, id).of(workflow.user).before(before);
        audit::record_if_admin(&mut tx, by, act, now).await?;
        deleted += 1;
    }
    tx.commit().await?;
    core.events.notify_written();
    Ok(deleted)
}

/// Sorted, so that two calls cannot deadlock.
fn in_order(ids: &[WorkflowId]) -> Result<BTreeSet<WorkflowId>> {
    if ids.len() > MAX_IDS {
        return Err(Error::invalid("filter._id", format!("may name {MAX_IDS} ids at most")));
    }
    Ok(ids.iter().copied().collect())
}

/// Publishes or hides the caller's workflows (any user's, for an admin); all or none.
///
/// # Errors
/// [`Error::Invalid`] for more than [`MAX_IDS`]; [`Error::InvalidFields`] where one to be published has no tag or no
/// picture; [`Error::StealthModeRequired`] where one to be hidden was published and the plan does not allow it; as
/// [`crate::users::may_publish`] to publish; as [`super::update`] where one is not the caller's.
pub async fn set_private(core: &Core, caller: &Caller, ids: &[WorkflowId], is_private: bool) -> Result<Vec<Workflow>> {
    if ids.len() > MAX_IDS {
        return Err(Error::invalid("ids", format!("at most {MAX_IDS} at once")));
    }
    let change = authorize(core, caller, is_private).await?;
    let mut tx = database::begin(&core.db).await?;
    let mut changed = Vec::with_capacity(ids.len());
    let mut touched: Vec<AssetId> = Vec::new();
    // Sorted, so that two calls cannot deadlock.
    let ids: BTreeSet<WorkflowId> = ids.iter().copied().collect();
    for id in ids {
        let (mut workflow, by) = locked_own(&mut tx, caller, id).await?;
        let before = workflow.clone();
        locking::check_lock(&mut tx, caller, id, &change).await?;
        apply(&mut tx, &mut workflow, &change, core.clock.now()).await?;
        store::update(&mut tx, &workflow).await?;
        index(&mut tx, &workflow).await?;
        touched.extend(pictures::all(&workflow, &pictures::store::locked(&mut tx, id).await?));
        pictures::write_words(&mut tx, caller, &workflow, change.permit()).await?;
        let [was, is] = differences(&before, &workflow);
        let act = Act::new(Action::WorkflowUpdate, id).of(workflow.user).before(was).after(is);
        audit::record_if_admin(&mut tx, by, act, core.clock.now()).await?;
        changed.push(shown(workflow));
    }
    match change.permit() {
        None => pictures::hide(&mut tx, caller, &touched).await?,
        Some(permit) => pictures::show(&mut tx, caller, permit, &touched).await?,
    }
    tx.commit().await?;
    Ok(changed)
}
