//! The workflows of generators that are published.

use crate::ids::WorkflowId;
use crate::list::MAX_PAGE;
use crate::workflows::{self, Workflow};
use crate::{Caller, Core, Result};

/// The published ones of these workflows that have a mini app, in their order.
pub(super) async fn published(core: &Core, ids: Vec<WorkflowId>) -> Result<Vec<Workflow>> {
    let mut found = Vec::with_capacity(ids.len());
    for ids in ids.chunks(usize::try_from(MAX_PAGE).unwrap_or(1)) {
        found.extend(workflows::named(core, &Caller::guest(), ids).await?);
    }
    found.retain(|workflow| workflow.workflow_api.is_some());
    Ok(found)
}
