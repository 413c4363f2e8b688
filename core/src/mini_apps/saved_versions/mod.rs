//! The list of the versions of one mini app, for its owner.

mod saved_version;
mod store;

pub use saved_version::SavedVersion;

use super::own::own;
use crate::ids::WorkflowApiId;
use crate::list::{Cursor, ListQuery, Page};
use crate::workflows::Workflow;
use crate::{Caller, Core, Result};

/// The versions of an app of the caller (any, for an admin), newest first, and the app's workflow.
///
/// # Errors
/// [`LoginRequired`](crate::Error::LoginRequired) for a guest; [`NotFound`](crate::Error::NotFound) for another user's
/// app; [`Invalid`](crate::Error::Invalid) for a cursor that this list did not return.
pub async fn saved_versions(
    core: &Core,
    caller: &Caller,
    id: WorkflowApiId,
    query: ListQuery<'_>,
) -> Result<(Workflow, Page<SavedVersion>)> {
    let workflow = own(core, caller, id).await?;
    let keyset = query.keyset()?;
    let rows = store::of_app(&core.db, id, keyset.after.id, keyset.limit).await?;
    Ok((workflow, keyset.page(rows, |last| Cursor::of(last.id))))
}

#[cfg(test)]
mod tests;
