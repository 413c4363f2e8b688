//! Views, launches and runs of workflows.

pub(in crate::workflows) mod store;

use sqlx::PgConnection;

use super::Workflow;
use crate::ids::{JobId, UserId, WorkflowId};
use crate::notifications::MilestoneMetric;
use crate::users::RequestOrigin;
use crate::visits::{self, CountChange, NewVisits, VisitKind};
use crate::{Caller, Core, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visit {
    /// A view of the page.
    View,
    /// The caller opened it to run it.
    Launch,
}

/// Counts a visit. Of a workflow with a mini app, finished runs count (see [`note_run`]) and launches do not.
pub async fn visit(core: &Core, caller: &Caller, origin: &RequestOrigin, workflow: &Workflow, visit: Visit) {
    let kind = match visit {
        Visit::View => VisitKind::WorkflowView,
        Visit::Launch if workflow.workflow_api.is_some() => return,
        Visit::Launch => VisitKind::WorkflowLaunch,
    };
    visits::record(core, caller, origin, workflow.user, kind, workflow.id.0).await;
}

/// Counts a finished run of a workflow's mini app, of any user and source.
pub fn note_run(core: &Core, by: UserId, owner: UserId, workflow: WorkflowId, job: JobId) {
    visits::record_once(core, by, owner, VisitKind::WorkflowLaunch, workflow.0, job.0);
}

/// Writes the visits that this node collected. The upkeep calls it; visits are kept after an error.
pub async fn settle_visits(core: &Core) -> Result<u64> {
    let views =
        visits::flush(core, VisitKind::WorkflowView, |tx, added| Box::pin(grow(tx, added, MilestoneMetric::View)))
            .await?;
    let runs =
        visits::flush(core, VisitKind::WorkflowLaunch, |tx, added| Box::pin(grow(tx, added, MilestoneMetric::Launch)))
            .await?;
    Ok(views + runs)
}

async fn grow(tx: &mut PgConnection, added: Vec<NewVisits>, what: MilestoneMetric) -> sqlx::Result<Vec<CountChange>> {
    store::add(tx, &added, what).await
}

#[cfg(test)]
mod tests;
