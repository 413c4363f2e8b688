//! What counts as a visit of a workflow.

pub(in crate::workflows) mod store;

use sqlx::PgConnection;

use super::Workflow;
use crate::ids::{JobId, UserId, WorkflowId};
use crate::notifications::Others;
use crate::users::Origin;
use crate::visits::{self, Added, Grown, Kind};
use crate::{Caller, Core, Result};

/// What somebody did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visit {
    /// Looked at it.
    View,
    /// Opened it to run it.
    Launch,
}

/// Notes a visit. Of a workflow with a mini app the runs count that are done, see [`note_run`], and not who was about to.
pub async fn visit(core: &Core, caller: &Caller, origin: &Origin, workflow: &Workflow, visit: Visit) {
    let kind = match visit {
        Visit::View => Kind::WorkflowView,
        Visit::Launch if workflow.workflow_api.is_some() => return,
        Visit::Launch => Kind::WorkflowLaunch,
    };
    visits::note(core, caller, origin, workflow.user, kind, workflow.id.0).await;
}

/// Notes that a run of a workflow's mini app is done, whoever asked for it and through what.
pub fn note_run(core: &Core, by: UserId, owner: UserId, workflow: WorkflowId, job: JobId) {
    visits::note_once(core, by, owner, Kind::WorkflowLaunch, workflow.0, job.0);
}

/// Writes the visits that have gathered on this node. The upkeep calls it.
///
/// # Errors
/// Database errors; what was not written is kept for the next time.
pub async fn settle_visits(core: &Core) -> Result<u64> {
    let views = visits::settle(core, Kind::WorkflowView, |tx, added| Box::pin(grow(tx, added, Others::View))).await?;
    let runs =
        visits::settle(core, Kind::WorkflowLaunch, |tx, added| Box::pin(grow(tx, added, Others::Launch))).await?;
    Ok(views + runs)
}

async fn grow(tx: &mut PgConnection, added: Vec<Added>, what: Others) -> sqlx::Result<Vec<Grown>> {
    store::add(tx, &added, what).await
}

#[cfg(test)]
mod tests;
