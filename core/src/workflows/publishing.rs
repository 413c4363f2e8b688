//! Who may see a workflow: publishing and hiding.
//!
//! A draft is private for everybody, on every plan, for as long as it was never published. What was published once
//! takes part in the community; to hide it again is what the specification calls a private post, and needs Stealth
//! Mode (a plan whose `private` is set). Admins hide whatever must be hidden. Deleting is open to all.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::workflow::Workflow;
use super::{check, store};
use crate::ids::WorkflowId;
use crate::users::{self, Permit, PublishPermit, Stealth};
use crate::{Caller, Core, Result};

/// What shall become of a workflow's visibility, and the proof that it may.
#[derive(Debug)]
pub(super) enum Turn {
    /// Whether somebody may hide what was published.
    Hide(Stealth),
    Publish(PublishPermit),
}

impl Turn {
    /// To show what the workflow shows.
    pub fn permit(&self) -> Option<&PublishPermit> {
        match self {
            Self::Hide(_) => None,
            Self::Publish(permit) => Some(permit),
        }
    }
}

/// The proof that somebody may change what a workflow says.
#[derive(Debug)]
pub(super) enum Edit {
    /// Of one that is theirs alone.
    Draft(Permit),
    /// Of one that others see.
    Post(PublishPermit),
}

impl Edit {
    /// To show what the workflow shows.
    pub fn permit(&self) -> Option<&PublishPermit> {
        match self {
            Self::Draft(_) => None,
            Self::Post(permit) => Some(permit),
        }
    }
}

/// What must be known before a transaction begins, because it may need a connection of its own: whether the caller may
/// reach other people, or may hide what has reached them.
pub(super) async fn ask(core: &Core, caller: &Caller, is_private: bool) -> Result<Turn> {
    match is_private {
        true if caller.admin => Ok(Turn::Hide(Stealth::Has)),
        true => Ok(Turn::Hide(Stealth::of(core, caller.signed_in()?).await?)),
        false => Ok(Turn::Publish(users::may_publish(core, caller).await?)),
    }
}

/// As [`ask`], of a change of what the workflow says. Where it is published in between, the pictures that are new stay
/// as private as they were.
pub(super) async fn may_edit(core: &Core, caller: &Caller, id: WorkflowId, wish: Option<&Turn>) -> Result<Edit> {
    if let Some(permit) = wish.and_then(Turn::permit) {
        return Ok(Edit::Post(permit.clone()));
    }
    let permit = users::may_take_part(core, caller).await?;
    match store::find(&core.db, id).await?.is_some_and(|workflow| !workflow.is_private && wish.is_none()) {
        true => Ok(Edit::Post(users::may_publish(core, caller).await?)),
        false => Ok(Edit::Draft(permit)),
    }
}

/// Makes a locked workflow public or private, where that is a change; its row is the caller's to write.
pub(super) async fn change(
    tx: &mut PgConnection,
    workflow: &mut Workflow,
    wish: &Turn,
    now: DateTime<Utc>,
) -> Result<()> {
    match wish {
        // Only what was published is public, so hiding is always hiding a published post.
        Turn::Hide(stealth) => {
            if !workflow.is_private {
                stealth.must_have()?;
            }
            workflow.is_private = true;
        }
        Turn::Publish(_) if workflow.is_private => {
            must_be_ready(tx, workflow.id).await?;
            workflow.published_at = Some(now);
            workflow.is_private = false;
        }
        Turn::Publish(_) => {}
    }
    Ok(())
}

/// Refuses a post that others could not find or would not recognise: whoever publishes one, and whoever changes one
/// that is published, leaves it with a tag and a picture.
pub(super) async fn must_be_ready(tx: &mut PgConnection, id: WorkflowId) -> Result<()> {
    let (tags, thumbnails) = store::readiness(tx, id).await?;
    check::ready(tags, thumbnails)
}
