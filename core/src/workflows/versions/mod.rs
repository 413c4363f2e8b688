//! Versions: every saved graph of a workflow. They never change; restoring one saves its graph as a new version. Only
//! the author and admins see earlier versions: a published workflow shows its latest one.

mod store;
mod version;

use chrono::{DateTime, Utc};

pub use version::WorkflowVersion;

use super::{Graph, NewGraph, Workflow, WorkflowChanges, find, update};
use crate::graph::JsonText;
use crate::ids::WorkflowId;
use crate::list::{ListQuery, Page};
use crate::{Caller, Core, Error, Result};

/// The versions of a workflow of the caller (any, for an admin), the latest first.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`]; [`Error::Forbidden`] for another user's published workflow;
/// [`Error::Invalid`] for a cursor that this list did not return.
pub async fn versions(
    core: &Core,
    caller: &Caller,
    id: WorkflowId,
    query: ListQuery<'_>,
) -> Result<Page<WorkflowVersion>> {
    must_manage(core, caller, id).await?;
    let before = query.cursor.map(read_cursor).transpose()?.unwrap_or(i32::MAX);
    let size = query.page_size();
    let mut items = store::list(&core.db, id, before, size + 1).await?;
    let is_last = i64::try_from(items.len()).unwrap_or(i64::MAX) <= size;
    items.truncate(usize::try_from(size).unwrap_or(usize::MAX));
    let next_cursor = items.last().filter(|_| !is_last).map(|last| last.version.to_string());
    Ok(Page { items, next_cursor })
}

/// The graph of a version, and when it was saved.
///
/// # Errors
/// As [`versions`].
pub async fn version_graph(
    core: &Core,
    caller: &Caller,
    id: WorkflowId,
    version: i32,
) -> Result<(DateTime<Utc>, Graph)> {
    must_manage(core, caller, id).await?;
    let saved = store::saved_at(&core.db, id, version).await?.ok_or(GONE)?;
    let graph = super::store::graph(&core.db, id, version).await?.ok_or(GONE)?;
    Ok((saved, graph))
}

/// Saves the graph of an earlier version as the latest one.
///
/// # Errors
/// As [`versions`] and [`update`]; with `base`, [`Error::Conflict`] where the workflow has another latest version.
pub async fn restore_version(
    core: &Core,
    caller: &Caller,
    id: WorkflowId,
    version: i32,
    base: Option<i32>,
) -> Result<Workflow> {
    let (_, Graph { ui, prompt }) = version_graph(core, caller, id, version).await?;
    let graph = NewGraph { ui, prompt: prompt.map(|prompt| JsonText::new(&prompt.text.raw())) };
    let changes = WorkflowChanges { graph: Some(graph), base_version: base, ..WorkflowChanges::default() };
    update(core, caller, id, changes).await
}

async fn must_manage(core: &Core, caller: &Caller, id: WorkflowId) -> Result<()> {
    caller.signed_in()?;
    let workflow = find(core, caller, id).await?;
    if caller.owns_or_admin(workflow.user) { Ok(()) } else { Err(Error::Forbidden) }
}

fn read_cursor(text: &str) -> Result<i32> {
    let version = text.parse().ok().filter(|version| *version > 0);
    version.ok_or_else(|| Error::invalid("cursor", "is not a cursor of this list"))
}

const GONE: Error = Error::NotFound { what: "workflow version" };

#[cfg(test)]
mod tests;
