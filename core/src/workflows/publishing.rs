//! Publishing and hiding of workflows.
//!
//! A draft that was never published is private on every plan. Hiding a published workflow is the specification's
//! private post and needs Stealth Mode (a plan whose `private` is set), except for admins. Deleting needs no plan.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::workflow::Workflow;
use super::{check, store};
use crate::ids::WorkflowId;
use crate::users::{self, PublishPermit, StealthMode, WritePermit};
use crate::{Caller, Core, Result};

/// A change of a workflow's visibility, with the proof that it is allowed.
#[derive(Debug)]
pub(super) enum VisibilityChange {
    /// Whether the user may hide published workflows.
    Hide(StealthMode),
    Publish(PublishPermit),
}

impl VisibilityChange {
    /// The permit to publish the pictures of the workflow.
    pub fn permit(&self) -> Option<&PublishPermit> {
        match self {
            Self::Hide(_) => None,
            Self::Publish(permit) => Some(permit),
        }
    }
}

/// The proof that the caller may edit a workflow.
#[derive(Debug)]
pub(super) enum EditPermit {
    /// For a private workflow.
    Draft(WritePermit),
    /// For a published one.
    Post(PublishPermit),
}

impl EditPermit {
    /// The permit to publish the pictures of the workflow.
    pub fn permit(&self) -> Option<&PublishPermit> {
        match self {
            Self::Draft(_) => None,
            Self::Post(permit) => Some(permit),
        }
    }
}

/// Reads the permit or the plan before a transaction begins, because this may need a connection of its own.
pub(super) async fn authorize(core: &Core, caller: &Caller, is_private: bool) -> Result<VisibilityChange> {
    match is_private {
        true if caller.admin => Ok(VisibilityChange::Hide(StealthMode::Allowed)),
        true => Ok(VisibilityChange::Hide(StealthMode::of(core, caller.signed_in()?).await?)),
        false => Ok(VisibilityChange::Publish(users::may_publish(core, caller).await?)),
    }
}

/// As [`authorize`], for an edit. If the workflow is published at the same time, new pictures stay private.
pub(super) async fn may_edit(
    core: &Core,
    caller: &Caller,
    id: WorkflowId,
    change: Option<&VisibilityChange>,
) -> Result<EditPermit> {
    if let Some(permit) = change.and_then(VisibilityChange::permit) {
        return Ok(EditPermit::Post(permit.clone()));
    }
    let permit = users::may_take_part(core, caller).await?;
    match store::find(&core.db, id).await?.is_some_and(|workflow| !workflow.is_private && change.is_none()) {
        true => Ok(EditPermit::Post(users::may_publish(core, caller).await?)),
        false => Ok(EditPermit::Draft(permit)),
    }
}

/// Changes the visibility of a locked workflow; the calling function writes the row.
pub(super) async fn apply(
    tx: &mut PgConnection,
    workflow: &mut Workflow,
    change: &VisibilityChange,
    now: DateTime<Utc>,
) -> Result<()> {
    match change {
        // Only published workflows are public, so this hides a published one.
        VisibilityChange::Hide(stealth) => {
            if !workflow.is_private {
                stealth.must_have()?;
            }
            workflow.is_private = true;
        }
        VisibilityChange::Publish(_) if workflow.is_private => {
            must_be_ready(tx, workflow.id).await?;
            workflow.published_at = Some(now);
            workflow.is_private = false;
        }
        VisibilityChange::Publish(_) => {}
    }
    Ok(())
}

/// Refuses a published workflow without a tag or a picture.
pub(super) async fn must_be_ready(tx: &mut PgConnection, id: WorkflowId) -> Result<()> {
    let (tags, thumbnails) = store::readiness(tx, id).await?;
    check::ready(tags, thumbnails)
}
