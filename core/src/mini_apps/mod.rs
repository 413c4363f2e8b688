//! Mini apps (workflow APIs): a workflow whose chosen inputs are a form and whose chosen outputs are results.
//!
//! The form is derived here, from the entries and the workers' node classes, so that all clients get the same one.
//! Saving makes a version, which never changes; a job names its version. A mini app is as visible as its workflow, and
//! users with whom it is shared may run it as well.

mod access_batcher;
mod app_file;
mod app_mode;
mod cache;
mod editor;
mod editor_node;
mod field_names;
mod form;
mod indexing;
mod lists;
mod own;
mod plan;
mod proposals;
mod saved_versions;
mod sharing;
mod store;
mod suggest;
mod works;

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

pub use app_file::{AppForm, FormChoice, FormInput, FormOutput, Words};
pub use cache::MiniAppCache;
pub use editor::{Editor, editor, preview};
pub use editor_node::EditorNode;
pub use form::compiled::{CompiledApp, FilledForm};
pub use form::entries::{
    Adapter, FormEntryKind, InputEntry, Inputs, MAX_ENTRIES, MAX_FIELD_NAME_CHARS, OutputEntry, Outputs, UiType,
    default_field_name, default_widget, describe_input, describe_output,
};
pub use form::field::Field;
pub use form::health::{AppHealth, Problem, ProblemCode, health};
pub use form::rjsf::{Rjsf, rjsf};
pub use form::rule::{MAX_TEXT_CHARS, Rule};
pub use form::translations::{MAX_LABEL_CHARS, MAX_NAMED_CHOICES, MAX_TOOLTIP_CHARS};
pub use form::words::{FieldWords, InputWords, OutputWords};
pub use indexing::index_traitless;
pub use lists::filter::MiniAppFilter;
pub use lists::filtered::{ListedApp, count, counts, filtered, public_counts};
pub use saved_versions::{SavedVersion, saved_versions};
pub use sharing::{
    MAX_SHARES, Share, SharedApp, forget_shares, forget_shares_of_deleted, share, shared_with, shares, unshare,
};
pub use suggest::{Suggestion, Suggestions, draws_words, suggest};
pub use works::{AppVerdict, DueApp, Missing, app_for_check, due_for_check, note_fleet, record_verdicts};

use crate::audit::{self, Act, Action};
use crate::database;
use crate::events::{self, EventKind, EventSubject, NewEvent};
use crate::graph::{JsonText, NodeDefinitions};
use crate::ids::{UserId, WorkflowApiId, WorkflowApiVersionId, WorkflowId};
use crate::list::{ListQuery, Page};
use crate::workflows::{self, AppFilter, Workflow, WorkflowOrder};
use crate::{Caller, Core, Error, Result, users};
use form::traits;
use plan::{Plan, plan};
use store::App;

/// A mini app with its configuration and its form.
#[derive(Debug, Clone, PartialEq)]
pub struct MiniApp {
    pub id: WorkflowApiId,
    pub version: WorkflowApiVersionId,
    pub workflow: Workflow,
    /// The entries of the form; `None` for callers with whom the app is shared, who do not see the graph.
    pub inputs: Option<Inputs>,
    pub outputs: Outputs,
    pub rjsf: Rjsf,
    /// When it was last checked whether a worker can run it. The result is a field of the workflow.
    pub checked_at: Option<DateTime<Utc>>,
    /// What the nearest worker lacked then, where the app does not work.
    pub missing: Option<Missing>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// The input of a save.
#[derive(Debug, Clone, PartialEq)]
pub struct NewMiniApp {
    pub workflow: WorkflowId,
    pub inputs: Inputs,
    pub outputs: Outputs,
}

/// Makes a mini app from a workflow of the caller, or a new version of the existing one.
///
/// `definitions` are the node classes of all workers together.
///
/// # Errors
/// As [`workflows::update`]; [`Error::Refused`] with `WORKFLOW_API_NO_PROMPT`, `WORKFLOW_API_UNHEALTHY` (its details
/// list the problems), `WORKFLOW_API_NO_INPUT` or `WORKFLOW_API_NO_OUTPUT`; [`Error::InvalidFields`] for an adapter
/// that does not fit its node; [`Error::Unavailable`] while the node classes are unknown.
pub async fn save(core: &Core, caller: &Caller, definitions: &NodeDefinitions, new: NewMiniApp) -> Result<MiniApp> {
    plan::must_know(definitions)?;
    // All callers who see the workflow see the app.
    let permit = match workflows::find(core, caller, new.workflow).await?.is_private {
        true => users::may_take_part(core, caller).await?,
        false => users::may_publish(core, caller).await?.permit().clone(),
    };
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let (mut workflow, by) = workflows::locked_own(&mut tx, caller, new.workflow).await?;
    let graph = workflows::locked_graph(&mut tx, &workflow).await?;
    let prompt = graph.prompt.ok_or_else(plan::no_prompt)?;
    let Plan { inputs, outputs, fields } = plan(new.inputs, new.outputs, &prompt, definitions)?;
    let version = store::NewVersion {
        id: WorkflowApiVersionId::new(),
        prompt: &prompt.text,
        inputs: &inputs,
        outputs: &outputs,
        fields: &fields,
    };
    let known = match workflow.workflow_api {
        Some(id) => store::set_current(&mut tx, id, version.id, now).await?.map(|created_at| (id, created_at)),
        None => None,
    };
    let (id, created_at) = match known {
        Some(known) => known,
        None => {
            let id = WorkflowApiId::new();
            let app = store::App { id, workflow: workflow.id, current: version.id, created_at: now, updated_at: now };
            store::insert(&mut tx, &app, workflow.user).await?;
            workflows::attach_api(&mut tx, workflow.id, Some(id)).await?;
            (id, now)
        }
    };
    store::insert_version(&mut tx, &permit, id, &version, now).await?;
    works::store::reset(&mut tx, id, now).await?;
    workflow.app =
        traits::traits(&prompt, &fields, &outputs.values().map(|output| output.id.as_str()).collect::<Vec<_>>());
    workflows::set_app_traits(&mut tx, workflow.id, &workflow.app).await?;
    let version = version.id;
    let after = json!({ "name": workflow.name, "workflow": workflow.id, "version": version });
    audit::record_if_admin(&mut tx, by, Act::new(Action::MiniAppSave, id).of(workflow.user).after(after), now).await?;
    let data = json!({ "workflow": workflow.id, "name": workflow.name, "version": version });
    let event = owner_event(EventKind::WorkflowApiSaved, &workflow, id, data, now);
    events::write(&mut tx, &[event]).await?;
    tx.commit().await?;
    core.events.notify_written();
    workflow.workflow_api = Some(id);
    let (inputs, rjsf) = (Some(inputs), rjsf(&fields));
    let (checked_at, missing, updated_at) = (None, None, now);
    Ok(MiniApp { id, version, workflow, rjsf, checked_at, missing, inputs, outputs, created_at, updated_at })
}

/// A mini app that the caller may see, and its health on the current workflow. Callers with whom it is shared get the
/// result without the problems, which describe the graph.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn find(
    core: &Core,
    caller: &Caller,
    definitions: &NodeDefinitions,
    id: WorkflowApiId,
) -> Result<(MiniApp, AppHealth)> {
    let app = store::find(&core.db, id).await?.ok_or(GONE)?;
    let (workflow, is_shared) = match workflows::find(core, caller, app.workflow).await {
        Err(Error::NotFound { .. }) if is_shared_with(core, caller, id).await? => {
            (workflows::find(core, &Caller::system(), app.workflow).await.map_err(as_gone)?, true)
        }
        found => (found.map_err(as_gone)?, false),
    };
    let graph = workflows::graph(core, &workflow).await.map_err(as_gone)?;
    let (mut inputs, outputs) = store::entries(&core.db, app.current).await?.ok_or(GONE)?;
    plan::kinds(&mut inputs, definitions);
    let mut health = health(&inputs, &outputs, graph.prompt.as_deref(), definitions);
    let rjsf = version(core, app.current).await?.rjsf();
    let App { id, current, created_at, updated_at, .. } = app;
    let (checked_at, mut missing) = works::store::find(&core.db, id).await?;
    if is_shared {
        health.problems.clear();
        missing = None;
    }
    let inputs = (!is_shared).then_some(inputs);
    let version = current;
    let app = MiniApp { id, version, workflow, inputs, outputs, rjsf, checked_at, missing, created_at, updated_at };
    Ok((app, health))
}

async fn is_shared_with(core: &Core, caller: &Caller, id: WorkflowApiId) -> Result<bool> {
    match caller.user {
        Some(user) => Ok(sharing::store::is_shared_with(&core.db, id, user).await?),
        None => Ok(false),
    }
}

/// A graph of a workflow that [`workflows::find`] has returned, in the editor's format, saved or not, with the mini app of
/// the workflow as ComfyUI keeps apps. `None` where the workflow has no mini app.
pub async fn with_app(core: &Core, workflow: &Workflow, ui: &JsonText) -> Result<Option<JsonText>> {
    let app = match workflow.workflow_api {
        Some(app) => store::find(&core.db, app).await?,
        None => None,
    };
    let Some(app) = app else { return Ok(None) };
    let entries = store::entries(&core.db, app.current).await?;
    Ok(entries.and_then(|(inputs, outputs)| app_mode::with_app(ui, &inputs, &outputs)))
}

/// Deletes a mini app of the caller (any, for an admin). Its jobs stay.
///
/// # Errors
/// [`Error::NotFound`]; as [`workflows::update`].
pub async fn delete(core: &Core, caller: &Caller, id: WorkflowApiId) -> Result<()> {
    let app = store::find(&core.db, id).await?.ok_or(GONE)?;
    let mut tx = database::begin(&core.db).await?;
    let (workflow, by) = workflows::locked_own(&mut tx, caller, app.workflow).await.map_err(as_gone)?;
    let now = core.clock.now();
    if !store::delete(&mut tx, id, now).await? {
        return Err(GONE);
    }
    sharing::store::delete_of(&mut tx, id).await?;
    workflows::attach_api(&mut tx, workflow.id, None).await?;
    let before = json!({ "name": workflow.name, "workflow": workflow.id });
    audit::record_if_admin(&mut tx, by, Act::new(Action::MiniAppDelete, id).of(workflow.user).before(before), now)
        .await?;
    let data = json!({ "workflow": workflow.id, "name": workflow.name });
    let event = owner_event(EventKind::WorkflowApiDeleted, &workflow, id, data, now);
    events::write(&mut tx, &[event]).await?;
    tx.commit().await?;
    core.events.notify_written();
    Ok(())
}

/// The event for the owner of an app, caused by the owner or an admin.
fn owner_event(kind: EventKind, workflow: &Workflow, id: WorkflowApiId, data: Value, at: DateTime<Utc>) -> NewEvent {
    let about = EventSubject { workflow_api: Some(id), ..EventSubject::default() };
    NewEvent { kind, user: workflow.user, about, data: data.to_string(), at }
}

/// All versions of the mini apps of these workflows, with the workflow of each, for the room that deletes them.
pub async fn versions_of_tx(
    tx: &mut PgConnection,
    workflows: &[WorkflowId],
) -> Result<Vec<(WorkflowApiVersionId, WorkflowId)>> {
    let workflows: Vec<Uuid> = workflows.iter().map(|id| id.0).collect();
    Ok(store::versions_of(tx, &workflows).await?)
}

/// Deletes versions with their graphs. Jobs that ran them cannot be rendered any more.
pub async fn forget_versions_tx(core: &Core, tx: &mut PgConnection, versions: &[WorkflowApiVersionId]) -> Result<()> {
    let ids: Vec<Uuid> = versions.iter().map(|id| id.0).collect();
    store::delete_versions(tx, &ids).await?;
    for id in versions {
        core.mini_apps.versions.remove(id);
    }
    Ok(())
}

/// Published mini apps, as workflows.
///
/// # Errors
/// [`Error::Invalid`] for a cursor that no list in this order returned.
pub async fn published(core: &Core, query: ListQuery<'_, AppFilter, WorkflowOrder>) -> Result<Page<Workflow>> {
    workflows::published_apps(core, query).await
}

/// The current version of a mini app that the caller may run, for submits. The permission and the version number are
/// read each time (see `access_batcher`); the version itself is cached.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn compiled(core: &Core, caller: &Caller, id: WorkflowApiId) -> Result<Arc<CompiledApp>> {
    compiled_version(core, caller, id, None).await
}

/// As [`compiled`] in the version that the caller names, which later saves do not change. A caller who may run the app
/// may run its earlier versions too: their ids were told only to callers who could run the app then.
///
/// # Errors
/// [`Error::NotFound`], also for a version of another app.
pub async fn compiled_version(
    core: &Core,
    caller: &Caller,
    id: WorkflowApiId,
    pinned: Option<WorkflowApiVersionId>,
) -> Result<Arc<CompiledApp>> {
    let access = core.mini_apps.access.of(&core.db, id, caller.user).await?.ok_or(GONE)?;
    if !access.is_runnable_by(caller) {
        return Err(GONE);
    }
    let Some(pinned) = pinned else { return version(core, access.version).await };
    let app = versions(core, &[pinned]).await?.remove(&pinned);
    app.filter(|app| app.id == id).ok_or(Error::NotFound { what: "workflow api version" })
}

/// A version of a mini app that the caller may run, and the app's workflow: what its documentation tells.
///
/// # Errors
/// As [`compiled_version`].
pub async fn documented(
    core: &Core,
    caller: &Caller,
    id: WorkflowApiId,
    pinned: Option<WorkflowApiVersionId>,
) -> Result<(Arc<CompiledApp>, Workflow)> {
    let app = compiled_version(core, caller, id, pinned).await?;
    // A caller with whom the app is shared may not find the workflow.
    let workflow = workflows::find(core, &Caller::system(), app.workflow).await.map_err(as_gone)?;
    Ok((app, workflow))
}

/// As [`compiled`] for several apps, without those that the caller may not run.
async fn all_compiled(
    core: &Core,
    caller: &Caller,
    ids: &[WorkflowApiId],
) -> Result<HashMap<WorkflowApiId, Arc<CompiledApp>>> {
    let mut access = store::access(&core.db, ids, caller.user.as_slice()).await?;
    access.retain(|(_, access)| access.is_runnable_by(caller));
    let current = versions(core, &access.iter().map(|(_, access)| access.version).collect::<Vec<_>>()).await?;
    Ok(access.into_iter().filter_map(|(id, access)| Some((id, Arc::clone(current.get(&access.version)?)))).collect())
}

/// The owner of an app; `None` where the app or its workflow is deleted.
pub async fn owner(core: &Core, id: WorkflowApiId) -> Result<Option<UserId>> {
    Ok(core.mini_apps.access.of(&core.db, id, None).await?.map(|access| access.owner))
}

/// The workflow of an app; `None` where the app is deleted.
pub async fn workflow_of(core: &Core, id: WorkflowApiId) -> Result<Option<WorkflowId>> {
    Ok(store::find(&core.db, id).await?.map(|app| app.workflow))
}

/// The workflows of several apps, without deleted apps and apps of deleted workflows.
pub async fn workflows_of(core: &Core, ids: &[WorkflowApiId]) -> Result<HashMap<WorkflowApiId, WorkflowId>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    Ok(store::workflows_of(&core.db, ids).await?.into_iter().collect())
}

/// Any version, including replaced and deleted ones, for a job that runs it.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn version(core: &Core, id: WorkflowApiVersionId) -> Result<Arc<CompiledApp>> {
    versions(core, &[id]).await?.remove(&id).ok_or(GONE)
}

/// As [`version`] for several jobs, without missing ones. One statement reads those that are not cached.
pub async fn versions(
    core: &Core,
    ids: &[WorkflowApiVersionId],
) -> Result<HashMap<WorkflowApiVersionId, Arc<CompiledApp>>> {
    let (mut found, unknown) = cached(core, ids);
    for (id, app) in store::all_compiled(&core.db, &unknown).await? {
        let app = Arc::new(app);
        core.mini_apps.keep(id, &app);
        found.insert(id, app);
    }
    Ok(found)
}

/// As [`versions`] for a walk over all apps: what the cache does not have is not cached.
pub async fn versions_once(
    core: &Core,
    ids: &[WorkflowApiVersionId],
) -> Result<HashMap<WorkflowApiVersionId, Arc<CompiledApp>>> {
    let (mut found, unknown) = cached(core, ids);
    let read = store::all_compiled(&core.db, &unknown).await?;
    found.extend(read.into_iter().map(|(id, app)| (id, Arc::new(app))));
    Ok(found)
}

/// The cached versions, and the ids of the others.
fn cached(
    core: &Core,
    ids: &[WorkflowApiVersionId],
) -> (HashMap<WorkflowApiVersionId, Arc<CompiledApp>>, Vec<WorkflowApiVersionId>) {
    let (mut found, mut unknown) = (HashMap::with_capacity(ids.len()), Vec::new());
    for id in ids.iter().copied() {
        match core.mini_apps.versions.get(&id) {
            Some(app) => drop(found.insert(id, app)),
            None => unknown.push(id),
        }
    }
    (found, unknown)
}

const GONE: Error = Error::NotFound { what: "workflow api" };

/// A mini app on an invisible workflow is not found either.
fn as_gone(error: Error) -> Error {
    match error {
        Error::NotFound { .. } => GONE,
        other => other,
    }
}

#[cfg(test)]
mod tests;
