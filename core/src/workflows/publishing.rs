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
use crate::{Caller, Core, Error, Result, users};

/// Publishes or hides workflows of the caller's (or any, for an admin); all or none.
///
/// # Errors
/// [`Error::Invalid`] for more than [`MAX_IDS`]; [`Error::InvalidFields`] where one to be published has no tag or no
/// picture; [`Error::StealthModeRequired`] where one to be hidden was published and the plan does not allow it; as
/// [`users::must_be_verified`] where it is to be published; as [`super::update`] where one is not the caller's.
pub async fn set_private(core: &Core, caller: &Caller, ids: &[WorkflowId], is_private: bool) -> Result<Vec<Workflow>> {
    if ids.len() > MAX_IDS {
        return Err(Error::invalid("ids", format!("at most {MAX_IDS} at once")));
    }
    let stealth = ask(core, caller, is_private).await?;
    let mut tx = core.db.begin().await?;
    let mut changed = Vec::with_capacity(ids.len());
    let mut touched: Vec<AssetId> = Vec::new();
    // In one order, so that two calls never wait for each other.
    let ids: BTreeSet<WorkflowId> = ids.iter().copied().collect();
    for id in ids {
        let (mut workflow, by) = locked_own(&mut tx, caller, id).await?;
        let before = workflow.clone();
        locking::look(&mut tx, caller, id, is_private).await?;
        change(&mut tx, &mut workflow, is_private, stealth, core.clock.now()).await?;
        store::update(&mut tx, &workflow).await?;
        index(&mut tx, &workflow).await?;
        touched.extend(pictures::all(&workflow, &store::pictures::locked(&mut tx, id).await?));
        let [was, is] = differences(&before, &workflow);
        let act = Act::new(Action::WorkflowUpdate, id).of(workflow.user).before(was).after(is);
        audit::record_over(&mut tx, by, act, core.clock.now()).await?;
        changed.push(shown(workflow));
    }
    match is_private {
        true => pictures::hide(&mut tx, caller, &touched).await?,
        false => pictures::show(&mut tx, caller, &touched).await?,
    }
    tx.commit().await?;
    Ok(changed)
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
pub(super) async fn ask(core: &Core, caller: &Caller, is_private: bool) -> Result<Stealth> {
    if is_private {
        return Stealth::of(core, caller).await;
    }
    users::must_not_be_banned(core, caller).await?;
    users::must_be_verified(core, caller).await?;
    Ok(Stealth::Lacks)
}

/// Makes a locked workflow public or private, where that is a change; its row is the caller's to write.
pub(super) async fn change(
    tx: &mut PgConnection,
    workflow: &mut Workflow,
    is_private: bool,
    stealth: Stealth,
    now: DateTime<Utc>,
) -> Result<()> {
    if workflow.is_private == is_private {
        return Ok(());
    }
    if is_private {
        // Only what was published is public, so hiding is always hiding a published post.
        if stealth == Stealth::Lacks {
            return Err(Error::StealthModeRequired);
        }
    } else {
        let (tags, thumbnails) = store::readiness(tx, workflow.id).await?;
        check::ready(tags, thumbnails)?;
        workflow.published_at = Some(now);
    }
    workflow.is_private = is_private;
    Ok(())
}
