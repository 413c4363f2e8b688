//! Drafts: unsaved graphs of the editor, so that a reload or a crash loses nothing. A draft belongs to the user who
//! edits, who need not be the author: a change of another user's workflow is saved as a copy.

mod draft;
pub(in crate::workflows) mod store;

use uuid::Uuid;

pub use draft::{Draft, NewDraft};

use super::limits::MAX_DRAFTS;
use super::{check, find};
use crate::database;
use crate::ids::{UserId, WorkflowId};
use crate::users;
use crate::{Caller, Code, Core, Error, Result};

/// The caller's draft of a workflow that they may see, or of the project that was never saved (`None`).
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`] for the workflow.
pub async fn draft(core: &Core, caller: &Caller, id: Option<WorkflowId>) -> Result<Option<Draft>> {
    let user = caller.signed_in()?;
    must_see(core, caller, id).await?;
    Ok(store::find(&core.db, user, id).await?)
}

/// The caller's drafts after a revision, in the order of their revisions, each with its workflow.
///
/// # Errors
/// [`Error::LoginRequired`].
pub async fn drafts_after(
    core: &Core,
    caller: &Caller,
    after: Option<Uuid>,
    most: i64,
) -> Result<Vec<(Option<WorkflowId>, Draft)>> {
    let user = caller.signed_in()?;
    Ok(store::after(&core.db, user, after, most).await?)
}

/// Stores the caller's draft and returns its revision. Beyond [`MAX_DRAFTS`] the oldest draft is deleted.
///
/// # Errors
/// As [`draft`]; [`Error::Banned`]; [`Error::Invalid`]; [`Error::Conflict`] with `DRAFT_CHANGED` where another page has
/// stored a draft that this one does not know.
pub async fn save_draft(core: &Core, caller: &Caller, id: Option<WorkflowId>, new: NewDraft) -> Result<Uuid> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    must_see(core, caller, id).await?;
    let page = new.page.trim();
    if page.is_empty() || page.chars().count() > 64 {
        return Err(Error::invalid("page", "must have 1 to 64 characters"));
    }
    if new.base_version.is_some_and(|version| version < 1) {
        return Err(Error::invalid("version", "must be at least 1"));
    }
    // A project that was never saved has no versions.
    let base_version = new.base_version.filter(|_| id.is_some());
    let name = check::name("name", &new.name)?;
    let ui = check::drawing("workflow", new.ui)?;
    let draft = Draft { name, ui, base_version, revision: Uuid::now_v7(), updated_at: core.clock.now() };
    let mut tx = database::begin(&core.db).await?;
    if !store::put(&mut tx, &permit, (user, id), &draft, (page, new.known)).await? {
        return Err(Error::conflict(Code::DraftChanged, "another page has changed this draft"));
    }
    store::trim(&mut tx, user, MAX_DRAFTS).await?;
    tx.commit().await?;
    Ok(draft.revision)
}

/// Deletes the caller's draft, if there is one.
///
/// # Errors
/// As [`draft`].
pub async fn delete_draft(core: &Core, caller: &Caller, id: Option<WorkflowId>) -> Result<()> {
    let user = caller.signed_in()?;
    must_see(core, caller, id).await?;
    store::delete(&mut *core.db.acquire().await?, user, id).await?;
    Ok(())
}

/// Deletes all drafts of a deleted account.
pub async fn forget_drafts(core: &Core, user: UserId) -> Result<()> {
    Ok(store::delete_all(&core.db, user).await?)
}

async fn must_see(core: &Core, caller: &Caller, id: Option<WorkflowId>) -> Result<()> {
    if let Some(id) = id {
        find(core, caller, id).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
