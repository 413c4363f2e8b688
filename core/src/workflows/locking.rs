//! Moderators' actions on a workflow. A hidden workflow is private and locked: its author cannot publish it until an
//! admin unlocks it. The room of moderation calls these functions and writes the audit log.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::indexing::index;
use super::publishing::VisibilityChange;
use super::workflow::Workflow;
use super::{pictures, store, tags};
use crate::events::{EventKind, EventSubject, NewEvent};
use crate::ids::WorkflowId;
use crate::{Caller, Code, Error, Result, assets, events};

/// Hides and locks a workflow; `None` where it is deleted.
pub async fn lock_tx(
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
    let released = assets::hide_text_tx(tx, id.0).await?;
    pictures::release(tx, &released).await?;
    Ok(Some(workflow))
}

/// Allows the author to publish a workflow again. It stays private until then.
pub async fn unlock_tx(tx: &mut PgConnection, id: WorkflowId) -> Result<()> {
    store::set_locked(tx, id, None).await?;
    store::unlock_graphs(tx, id).await?;
    assets::unlock_contents_tx(tx, id.0).await
}

/// Deletes a workflow of any author, and locks its copies and its graphs; `None` where it is deleted already.
pub async fn delete_tx(
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

/// Deletes a locked row, and the access to pictures that only this workflow showed. Its mini app ends with it.
pub(super) async fn remove(
    tx: &mut PgConnection,
    caller: &Caller,
    workflow: &Workflow,
    now: DateTime<Utc>,
) -> Result<()> {
    let pictures = pictures::all(workflow, &pictures::store::locked(tx, workflow.id).await?);
    store::delete(tx, workflow.id, now).await?;
    if let Some(app) = workflow.workflow_api {
        let about = EventSubject { workflow_api: Some(app), ..EventSubject::default() };
        let data = serde_json::json!({ "workflow": workflow.id, "name": workflow.name }).to_string();
        let kind = EventKind::WorkflowApiDeleted;
        events::write(tx, &[NewEvent { kind, user: workflow.user, about, data, at: now }]).await?;
    }
    tags::store::relist(tx, workflow.id).await?;
    pictures::hide(tx, caller, &pictures).await?;
    let released = assets::delete_text_tx(tx, workflow.id.0).await?;
    pictures::release(tx, &released).await
}

/// Refuses that a caller who is no admin publishes a locked workflow. An admin who publishes it unlocks it.
pub(super) async fn check_lock(
    tx: &mut PgConnection,
    caller: &Caller,
    id: WorkflowId,
    change: &VisibilityChange,
) -> Result<()> {
    if change.permit().is_none() || !store::is_locked(tx, id).await? {
        return Ok(());
    }
    if !caller.admin {
        return Err(locked());
    }
    unlock_tx(tx, id).await
}

/// Refuses that a caller who is no admin puts a locked graph into a published workflow.
pub(super) async fn check_graph_lock(tx: &mut PgConnection, caller: &Caller, workflow: &Workflow) -> Result<()> {
    if !workflow.is_private && !caller.admin && store::is_locked(tx, workflow.id).await? {
        return Err(locked());
    }
    Ok(())
}

fn locked() -> Error {
    let message = "a moderator has hidden this, and it cannot be published again".to_owned();
    Error::conflict(Code::PostLocked, message)
}
