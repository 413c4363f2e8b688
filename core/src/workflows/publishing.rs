//! Who may see a workflow: publishing and hiding.
//!
//! A draft is private for everybody, on every plan, for as long as it was never published. What was published once
//! takes part in the community; to hide it again is what the specification calls a private post, and needs Stealth
//! Mode (a plan whose `private` is set: Standard or Pro). Admins hide whatever must be hidden. Deleting is open to all.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{MAX_IDS, Workflow, check, differences, index, locked_own, locking, pictures, shown, store};
use crate::audit::{self, Act, Action};
use crate::ids::{AssetId, WorkflowId};
use crate::users::{self, Permit, PublishPermit};
use crate::{Caller, Core, Error, Result};

/// Publishes or hides workflows of the caller's (or any, for an admin); all or none.
///
/// # Errors
/// [`Error::Invalid`] for more than [`MAX_IDS`]; [`Error::InvalidFields`] where one to be published has no tag or no
/// picture; [`Error::StealthModeRequired`] where one to be hidden was published and the plan does not allow it; as
/// [`users::may_publish`] where it is to be published; as [`super::update`] where one is not the caller's.
pub async fn set_private(core: &Core, caller: &Caller, ids: &[WorkflowId], is_private: bool) -> Result<Vec<Workflow>> {
    if ids.len() > MAX_IDS {
        return Err(Error::invalid("ids", format!("at most {MAX_IDS} at once")));
    }
    let wish = ask(core, caller, is_private).await?;
    let mut tx = core.db.begin().await?;
    let mut changed = Vec::with_capacity(ids.len());
    let mut touched: Vec<AssetId> = Vec::new();
    // In one order, so that two calls never wait for each other.
    let ids: BTreeSet<WorkflowId> = ids.iter().copied().collect();
    for id in ids {
        let (mut workflow, by) = locked_own(&mut tx, caller, id).await?;
        let before = workflow.clone();
        locking::look(&mut tx, caller, id, &wish).await?;
        change(&mut tx, &mut workflow, &wish, core.clock.now()).await?;
        store::update(&mut tx, &workflow).await?;
        index(&mut tx, &workflow).await?;
        touched.extend(pictures::all(&workflow, &store::pictures::locked(&mut tx, id).await?));
        pictures::write_words(&mut tx, caller, &workflow, wish.permit()).await?;
        let [was, is] = differences(&before, &workflow);
        let act = Act::new(Action::WorkflowUpdate, id).of(workflow.user).before(was).after(is);
        audit::record_over(&mut tx, by, act, core.clock.now()).await?;
        changed.push(shown(workflow));
    }
    match wish.permit() {
        None => pictures::hide(&mut tx, caller, &touched).await?,
        Some(permit) => pictures::show(&mut tx, caller, permit, &touched).await?,
    }
    tx.commit().await?;
    Ok(changed)
}

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

/// Whether somebody may hide what was published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stealth {
    Has,
    Lacks,
}

impl Stealth {
    async fn of(core: &Core, caller: &Caller) -> Result<Self> {
        if caller.admin {
            return Ok(Self::Has);
        }
        let plan = match users::plan(core, caller.signed_in()?).await {
            Ok(plan) => core.settings.plan(&plan),
            Err(Error::NotFound { .. }) => None,
            Err(error) => return Err(error),
        };
        Ok(if plan.is_some_and(|plan| plan.private) { Self::Has } else { Self::Lacks })
    }
}

/// What must be known before a transaction begins, because it may need a connection of its own: whether the caller may
/// reach other people, or may hide what has reached them.
pub(super) async fn ask(core: &Core, caller: &Caller, is_private: bool) -> Result<Turn> {
    match is_private {
        true => Ok(Turn::Hide(Stealth::of(core, caller).await?)),
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
        Turn::Hide(Stealth::Lacks) if !workflow.is_private => return Err(Error::StealthModeRequired),
        Turn::Hide(_) => workflow.is_private = true,
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
