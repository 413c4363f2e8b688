//! Workflows: a graph with a name, a description and a cover, private or published.
//!
//! The graph is kept in both spellings where there are both: what the editor draws and what a worker runs. Each
//! change of the graph is a new version that is never changed again. Somebody else's private workflow does not
//! exist for the asker: the answer is [`Error::NotFound`], so that ids cannot be probed.

mod cursor;
mod factory;
mod store;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;

pub use cursor::{Place, Sort};
#[cfg(any(test, feature = "testing"))]
pub use factory::{NewTestWorkflow, workflow};

use crate::graph::{MAX_PROMPT_BYTES, Prompt, content_hash};
use crate::html::clean;
use crate::ids::{AssetId, UserId, WorkflowApiId, WorkflowId};
use crate::{Caller, Core, Error, Result};

/// The longest name, in characters.
pub const MAX_NAME_CHARS: usize = 100;
/// The longest description, in bytes of HTML as sent.
pub const MAX_DESCRIPTION_BYTES: usize = 64 * 1024;
/// The largest list that one call gives.
pub const MAX_PAGE: i64 = 100;
/// How many workflows one call may publish or hide.
pub const MAX_IDS: usize = 100;

/// A workflow without its graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workflow {
    pub id: WorkflowId,
    pub user: UserId,
    pub name: String,
    /// Sanitised HTML.
    pub description: String,
    pub is_private: bool,
    pub is_nsfw: bool,
    pub cover: Option<AssetId>,
    /// The mini app made from it.
    pub workflow_api: Option<WorkflowApiId>,
    /// Counts the graph's changes, from 1.
    pub version: i32,
    pub like_count: i64,
    pub view_count: i64,
    pub launch_count: i64,
    pub created_at: DateTime<Utc>,
    pub edited_at: DateTime<Utc>,
    pub published_at: Option<DateTime<Utc>>,
}

/// A workflow's graph.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Graph {
    /// What the editor draws.
    pub ui: Option<Value>,
    /// What a worker runs.
    pub prompt: Option<Prompt>,
}

/// A graph as somebody sent it; not looked at yet.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NewGraph {
    pub ui: Option<Value>,
    pub prompt: Option<Value>,
}

/// What a new workflow is made from.
#[derive(Debug, Clone, PartialEq)]
pub struct NewWorkflow {
    pub name: String,
    pub description: String,
    pub graph: NewGraph,
    pub is_private: bool,
}

/// What shall change; `None` leaves a thing as it is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Changes {
    pub name: Option<String>,
    pub description: Option<String>,
    pub graph: Option<NewGraph>,
    pub is_private: Option<bool>,
    /// `Some(None)` takes the cover away. Whether the asset may be used is the caller's to check.
    pub cover: Option<Option<AssetId>>,
}

/// A piece of a list, and where the next piece begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// Give it back for what follows; `None` at the end.
    pub next_cursor: Option<String>,
}

/// Makes a workflow that belongs to the caller.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Invalid`] for a name, description or graph beyond the limits;
/// [`Error::InvalidPrompt`] for a prompt that is none.
pub async fn create(core: &Core, caller: &Caller, new: NewWorkflow) -> Result<Workflow> {
    let user = caller.signed_in()?;
    let now = core.clock.now();
    let workflow = Workflow {
        id: WorkflowId::new(),
        user,
        name: checked_name(&new.name)?,
        description: checked_description(&new.description)?,
        is_private: new.is_private,
        is_nsfw: false,
        cover: None,
        workflow_api: None,
        version: 1,
        like_count: 0,
        view_count: 0,
        launch_count: 0,
        created_at: now,
        edited_at: now,
        published_at: (!new.is_private).then_some(now),
    };
    let graph = checked_graph(new.graph)?;
    let mut tx = core.db.begin().await?;
    store::insert(&mut tx, &workflow).await?;
    store::insert_version(&mut tx, workflow.id, workflow.version, &graph, &graph_hash(&graph), now).await?;
    tx.commit().await?;
    Ok(workflow)
}

/// A workflow that the caller may see: a published one, or their own; an admin sees all.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn find(core: &Core, caller: &Caller, id: WorkflowId) -> Result<Workflow> {
    let found = store::find(&core.db, id).await?;
    found.filter(|workflow| workflow.is_visible_to(caller)).map(shown).ok_or(GONE)
}

/// The newest graph of a workflow that the caller may see.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn graph(core: &Core, caller: &Caller, id: WorkflowId) -> Result<Graph> {
    let workflow = find(core, caller, id).await?;
    store::graph(&core.db, id, workflow.version).await?.ok_or(GONE)
}

/// Changes a workflow of the caller's (or any, for an admin) and gives what it is now.
///
/// # Errors
/// As [`find`] and [`create`]; [`Error::Forbidden`] for somebody else's published workflow.
pub async fn update(core: &Core, caller: &Caller, id: WorkflowId, changes: Changes) -> Result<Workflow> {
    let name = changes.name.as_deref().map(checked_name).transpose()?;
    let description = changes.description.as_deref().map(checked_description).transpose()?;
    let graph = changes.graph.map(checked_graph).transpose()?;
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    let mut workflow = locked_own(&mut tx, caller, id).await?;
    if let Some(graph) = graph {
        let hash = graph_hash(&graph);
        // Saving the same graph again is not a new version.
        if store::version_hash(&mut tx, id, workflow.version).await?.as_deref() != Some(hash.as_str()) {
            workflow.version += 1;
            store::insert_version(&mut tx, id, workflow.version, &graph, &hash, now).await?;
        }
    }
    workflow.name = name.unwrap_or(workflow.name);
    workflow.description = description.unwrap_or(workflow.description);
    workflow.cover = changes.cover.unwrap_or(workflow.cover);
    workflow.edited_at = now;
    if let Some(is_private) = changes.is_private {
        if workflow.is_private && !is_private {
            workflow.published_at = Some(now);
        }
        workflow.is_private = is_private;
    }
    store::update(&mut tx, &workflow).await?;
    tx.commit().await?;
    Ok(shown(workflow))
}

/// Deletes a workflow of the caller's (or any, for an admin). What ran it stays as it is.
///
/// # Errors
/// As [`update`].
pub async fn delete(core: &Core, caller: &Caller, id: WorkflowId) -> Result<()> {
    let mut tx = core.db.begin().await?;
    locked_own(&mut tx, caller, id).await?;
    store::delete(&mut tx, id, core.clock.now()).await?;
    tx.commit().await?;
    Ok(())
}

/// The caller's workflows, newest first. `limit` is held between 1 and [`MAX_PAGE`].
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Invalid`] for a cursor that no list gave.
pub async fn mine(core: &Core, caller: &Caller, cursor: Option<&str>, limit: i64) -> Result<Page<Workflow>> {
    let user = caller.signed_in()?;
    let limit = limit.clamp(1, MAX_PAGE);
    let before = cursor.map(|cursor| Place::parse(cursor, Sort::Newest)).transpose()?;
    // One more than asked for tells whether there is a next piece.
    let items = store::mine(&core.db, user, before.map(|place| place.id), limit + 1).await?;
    Ok(page(items, limit, Sort::Newest))
}

/// Published workflows that have a mini app, for everybody. `limit` is held between 1 and [`MAX_PAGE`].
///
/// # Errors
/// [`Error::Invalid`] for a cursor that no list in this order gave.
pub async fn published_apps(core: &Core, sort: Sort, cursor: Option<&str>, limit: i64) -> Result<Page<Workflow>> {
    let limit = limit.clamp(1, MAX_PAGE);
    let after = cursor.map(|cursor| Place::parse(cursor, sort)).transpose()?;
    let items = store::published_apps(&core.db, sort, after, limit + 1).await?;
    Ok(page(items, limit, sort))
}

/// Makes the caller a private copy of a workflow that they may see; without a name it is `Copy of …`.
///
/// # Errors
/// As [`find`] and [`create`].
pub async fn copy(core: &Core, caller: &Caller, id: WorkflowId, name: Option<&str>) -> Result<Workflow> {
    caller.signed_in()?;
    let original = find(core, caller, id).await?;
    let graph = graph(core, caller, id).await?;
    let name = match name.map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None => format!("Copy of {}", original.name).chars().take(MAX_NAME_CHARS).collect(),
    };
    let graph = NewGraph { ui: graph.ui, prompt: graph.prompt.map(|prompt| prompt.to_value()) };
    create(core, caller, NewWorkflow { name, description: original.description, graph, is_private: true }).await
}

/// Publishes or hides workflows of the caller's (or any, for an admin); all or none.
///
/// # Errors
/// [`Error::Invalid`] for more than [`MAX_IDS`]; as [`update`] where one is not the caller's.
pub async fn set_private(core: &Core, caller: &Caller, ids: &[WorkflowId], is_private: bool) -> Result<Vec<Workflow>> {
    if ids.len() > MAX_IDS {
        return Err(Error::invalid("ids", format!("at most {MAX_IDS} at once")));
    }
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    let mut changed = Vec::with_capacity(ids.len());
    // In one order, so that two calls never wait for each other.
    let ids: std::collections::BTreeSet<WorkflowId> = ids.iter().copied().collect();
    for id in ids {
        let mut workflow = locked_own(&mut tx, caller, id).await?;
        if workflow.is_private && !is_private {
            workflow.published_at = Some(now);
        }
        workflow.is_private = is_private;
        store::update(&mut tx, &workflow).await?;
        changed.push(shown(workflow));
    }
    tx.commit().await?;
    Ok(changed)
}

/// Adds to the counters of runs, for many workflows at once.
///
/// # Errors
/// Only the database's.
pub async fn count_launches(core: &Core, launches: &[(WorkflowId, i64)]) -> Result<()> {
    Ok(store::count_launches(&core.db, launches).await?)
}

/// The workflow, locked until the transaction ends, where the caller may change it. For rooms that write along.
///
/// # Errors
/// As [`update`].
pub async fn locked_own(tx: &mut PgConnection, caller: &Caller, id: WorkflowId) -> Result<Workflow> {
    let workflow = store::lock(tx, id).await?.filter(|workflow| workflow.is_visible_to(caller)).ok_or(GONE)?;
    if !caller.owns_or_admin(workflow.user) {
        caller.signed_in()?;
        return Err(Error::Forbidden);
    }
    Ok(workflow)
}

/// The newest graph, inside a transaction that has the workflow locked.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn locked_graph(tx: &mut PgConnection, workflow: &Workflow) -> Result<Graph> {
    store::graph(tx, workflow.id, workflow.version).await?.ok_or(GONE)
}

/// Notes which mini app stands on a workflow, inside the transaction that makes or deletes it.
///
/// # Errors
/// Only the database's.
pub async fn attach_api(tx: &mut PgConnection, id: WorkflowId, api: Option<WorkflowApiId>) -> Result<()> {
    Ok(store::attach_api(tx, id, api).await?)
}

impl Workflow {
    /// Whether this person may look at it.
    #[must_use]
    pub fn is_visible_to(&self, caller: &Caller) -> bool {
        !self.is_private || caller.owns_or_admin(self.user)
    }
}

const GONE: Error = Error::NotFound { what: "workflow" };

fn shown(mut workflow: Workflow) -> Workflow {
    workflow.description = clean(&workflow.description);
    workflow
}

fn page(mut items: Vec<Workflow>, limit: i64, sort: Sort) -> Page<Workflow> {
    let limit = usize::try_from(limit).unwrap_or(1);
    let more = items.len() > limit;
    items.truncate(limit);
    let next_cursor = items.last().filter(|_| more).map(|last| Place::of(last, sort).to_string());
    Page { items: items.into_iter().map(shown).collect(), next_cursor }
}

fn checked_name(name: &str) -> Result<String> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > MAX_NAME_CHARS {
        return Err(Error::invalid("name", format!("must have 1 to {MAX_NAME_CHARS} characters")));
    }
    if name.chars().any(char::is_control) {
        return Err(Error::invalid("name", "must not have control characters"));
    }
    Ok(name.to_owned())
}

fn checked_description(html: &str) -> Result<String> {
    if html.len() > MAX_DESCRIPTION_BYTES {
        return Err(Error::invalid("description", format!("must not be larger than {MAX_DESCRIPTION_BYTES} bytes")));
    }
    Ok(clean(&html.replace('\0', "")))
}

fn checked_graph(new: NewGraph) -> Result<Graph> {
    let ui = new.ui.filter(|ui| !ui.is_null());
    if let Some(ui) = &ui {
        if !ui.is_object() {
            return Err(Error::invalid("prompt.workflow", "must be an object"));
        }
        let text = ui.to_string();
        if text.len() > MAX_PROMPT_BYTES {
            return Err(Error::invalid("prompt.workflow", format!("must not be larger than {MAX_PROMPT_BYTES} bytes")));
        }
        // JSON writes NUL as an escape; an escaped backslash before `u0000` is only text.
        if text.replace("\\\\", "").contains("\\u0000") {
            return Err(Error::invalid("prompt.workflow", "must not contain the NUL character"));
        }
    }
    let prompt = new.prompt.filter(|prompt| !prompt.is_null()).map(Prompt::from_value).transpose()?;
    if ui.is_none() && prompt.is_none() {
        return Err(Error::invalid("prompt", "must have a workflow, an output, or both"));
    }
    Ok(Graph { ui, prompt })
}

fn graph_hash(graph: &Graph) -> String {
    content_hash(&serde_json::json!({ "workflow": graph.ui, "output": graph.prompt }))
}

#[cfg(test)]
mod tests;
