//! What the owner of a mini app may read and change, and admins.

use super::store;
use super::{GONE, as_gone};
use crate::ids::WorkflowApiId;
use crate::workflows::{self, Workflow};
use crate::{Caller, Core, Result};

/// The workflow of an app of the caller (any, for an admin).
///
/// # Errors
/// [`LoginRequired`](crate::Error::LoginRequired) for a guest; [`NotFound`](crate::Error::NotFound) for another user's.
pub(super) async fn own(core: &Core, caller: &Caller, id: WorkflowApiId) -> Result<Workflow> {
    caller.signed_in()?;
    let app = store::find(&core.db, id).await?.ok_or(GONE)?;
    let workflow = workflows::find(core, caller, app.workflow).await.map_err(as_gone)?;
    if caller.owns_or_admin(workflow.user) { Ok(workflow) } else { Err(GONE) }
}
