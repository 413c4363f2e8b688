//! What moderators do to a workflow: out of everybody's sight, and locked, so that its author cannot publish it again
//! until an admin lets them. The verbs are for the room that decides; it writes the audit log.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::indexing::index;
use super::publishing::Turn;
use super::workflow::Workflow;
use super::{pictures, store, tags};
use crate::ids::WorkflowId;
use crate::{Caller, Code, Error, Result, assets};

/// Hides a workflow and locks it; `None` where it is gone.
///
/// # Errors
/// Database errors.
pub async fn lock_within(
    tx: &mut PgConnection,
    caller: &Caller,
    id: WorkflowId,
    now: DateTime<Utc>,
) -> Result<Option<Workflow>> {
    let Some(mut workflow) = store::lock(tx, id).await? else { return Ok(None) };
    workflow.is_private = true;
    store::update(tx, &workflow).await?;
    store::set_locked(tx, id, Some(now)).await?;
    store::lock_graphs(tx, id).await?;
    index(tx, &workflow).await?;
    let shown = pictures::all(&workflow, &pictures::store::locked(tx, id).await?);
    pictures::hide(tx, caller, &shown).await?;
    let released = assets::hide_text_within(tx, id.0).await?;
    pictures::release(tx, &released).await?;
    Ok(Some(workflow))
}

/// Lets the author publish a workflow again. It stays private until they do.
///
/// # Errors
/// Database errors.
pub async fn unlock_within(tx: &mut PgConnection, id: WorkflowId) -> Result<()> {
    store::set_locked(tx, id, None).await?;
    store::unlock_graphs(tx, id).await?;
    assets::unlock_contents_within(tx, id.0).await
}

/// Deletes a workflow, whoever's it is, and locks its copies and its graphs; `None` where it is gone.
///
/// # Errors
/// Database errors.
pub async fn delete_within(
    tx: &mut PgConnection,
    caller: &Caller,
    id: WorkflowId,
    now: DateTime<Utc>,
) -> Result<Option<Workflow>> {
    let Some(workflow) = store::lock(tx, id).await? else { return Ok(None) };
    store::set_locked(tx, id, Some(now)).await?;
    store::lock_graphs(tx, id).await?;
    remove(tx, caller, &workflow, now).await?;
    Ok(Some(workflow))
}

/// Deletes a workflow that is locked by the transaction, with what is shown because of it.
pub(super) async fn remove(
    tx: &mut PgConnection,
    caller: &Caller,
    workflow: &Workflow,
    now: DateTime<Utc>,
) -> Result<()> {
    let pictures = pictures::all(workflow, &pictures::store::locked(tx, workflow.id).await?);
    store::delete(tx, workflow.id, now).await?;
    tags::store::relist(tx, workflow.id).await?;
    pictures::hide(tx, caller, &pictures).await?;
    let released = assets::delete_text_within(tx, workflow.id.0).await?;
    pictures::release(tx, &released).await
}

/// Refuses to let anybody but an admin publish what is locked. An admin who publishes it unlocks it.
pub(super) async fn look(tx: &mut PgConnection, caller: &Caller, id: WorkflowId, wish: &Turn) -> Result<()> {
    if wish.permit().is_none() || !store::is_locked(tx, id).await? {
        return Ok(());
    }
    if !caller.admin {
        return Err(locked());
    }
    unlock_within(tx, id).await
}

/// Refuses to let anybody but an admin give a published workflow a graph that is locked.
pub(super) async fn look_at_graph(tx: &mut PgConnection, caller: &Caller, workflow: &Workflow) -> Result<()> {
    if !workflow.is_private && !caller.admin && store::is_locked(tx, workflow.id).await? {
        return Err(locked());
    }
    Ok(())
}

fn locked() -> Error {
    let message = "a moderator has hidden this, and it cannot be published again".to_owned();
    Error::conflict(Code::PostLocked, message)
}
