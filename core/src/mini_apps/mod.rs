//! Mini apps (workflow APIs): a workflow whose chosen inputs are a form and whose chosen outputs are results.
//!
//! The form is derived here, from the inputs and from what workers say about the nodes, so that every client gets
//! the same one. Saving makes a version that is never changed; a job names the version it runs. A mini app is as
//! visible as its workflow, and can be run by those whom it is shared with beside.

mod editor;
mod form;
mod heads;
mod indexing;
mod lists;
mod memory;
mod plan;
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

pub use editor::{Editor, EditorNode, editor, preview};
pub use form::compiled::{CompiledApp, Filled};
pub use form::entries::{
    Adapter, EntryKind, InputEntry, Inputs, MAX_ENTRIES, MAX_FIELD_NAME_CHARS, OutputEntry, Outputs, UiType,
    default_field_name, default_widget, describe_input, describe_output,
};
pub use form::field::Field;
pub use form::health::{Health, Problem, ProblemCode, health};
pub use form::rjsf::{Rjsf, rjsf};
pub use form::rule::{MAX_TEXT_CHARS, Rule};
pub use form::translations::{MAX_LABEL_CHARS, MAX_NAMED_CHOICES, MAX_TOOLTIP_CHARS};
pub use form::words::{FieldWords, InputWords, OutputWords};
pub use indexing::index_traitless;
pub use lists::filter::Filter;
pub use lists::filtered::{Found, Listed, count, counts, filtered, public_counts};
pub use memory::Memory;
pub use sharing::{
    MAX_SHARES, Share, SharedApp, forget_shares, forget_shares_of_deleted, share, shared_with, shares, unshare,
};
pub use suggest::{Suggested, Suggestions, draws_words, suggest};
pub use works::{Missing, Works, due_for_works, note_works};

use crate::audit::{self, Act, Action};
use crate::events::{self, About, EventKind, NewEvent};
use crate::graph::NodeDefinitions;
use crate::ids::{UserId, WorkflowApiId, WorkflowApiVersionId, WorkflowId};
use crate::workflows::{self, AppWanted, Page, Sort, Workflow};
use crate::{Caller, Core, Error, Result, users};
use form::traits;
use plan::{Plan, plan};
use store::App;

/// A mini app as its creator set it up and as a form shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct MiniApp {
    pub id: WorkflowApiId,
    pub version: WorkflowApiVersionId,
    pub workflow: Workflow,
    /// What the form was made from; `None` for those who see the app because it is shared with them, and not its graph.
    pub inputs: Option<Inputs>,
    pub outputs: Outputs,
    pub rjsf: Rjsf,
    /// When it was last looked at whether some worker can run it; what was found stands with the workflow.
    pub checked_at: Option<DateTime<Utc>>,
    /// What the nearest worker lacked then, where it does not work.
    pub missing: Option<Missing>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// What a save is made from.
#[derive(Debug, Clone, PartialEq)]
pub struct NewMiniApp {
    pub workflow: WorkflowId,
    pub inputs: Inputs,
    pub outputs: Outputs,
}

/// Makes a mini app from a workflow of the caller's, or a new version of the one that is there.
///
/// `definitions` are what all workers together know.
///
/// # Errors
/// As [`workflows::update`]; [`Error::Refused`] with `WORKFLOW_API_NO_PROMPT`, `WORKFLOW_API_UNHEALTHY` (its details
/// list the problems), `WORKFLOW_API_NO_INPUT` or `WORKFLOW_API_NO_OUTPUT`; [`Error::InvalidFields`] for an adapter
/// that does not fit its node; [`Error::Unavailable`] while no worker has told what it knows.
pub async fn save(core: &Core, caller: &Caller, definitions: &NodeDefinitions, new: NewMiniApp) -> Result<MiniApp> {
    plan::must_know(definitions)?;
    // Whoever sees the workflow sees the app.
    let permit = match workflows::find(core, caller, new.workflow).await?.is_private {
        true => users::may_take_part(core, caller).await?,
        false => users::may_publish(core, caller).await?.permit().clone(),
    };
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
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
    let after = json!({ "workflow": workflow.id, "version": version });
    audit::record_over(&mut tx, by, Act::new(Action::MiniAppSave, id).of(workflow.user).after(after), now).await?;
    let data = json!({ "workflow": workflow.id, "name": workflow.name, "version": version });
    let told = told(EventKind::WorkflowApiSaved, &workflow, id, data, now);
    events::write(&mut tx, &[told]).await?;
    tx.commit().await?;
    core.events.ring();
    workflow.workflow_api = Some(id);
    let (inputs, rjsf) = (Some(inputs), rjsf(&fields));
    let (checked_at, missing, updated_at) = (None, None, now);
    Ok(MiniApp { id, version, workflow, rjsf, checked_at, missing, inputs, outputs, created_at, updated_at })
}

/// A mini app that the caller may see, and how it stands with its workflow as it is now. Those who see it because it is
/// shared with them are told whether it stands, and not what is wrong with the graph.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn find(
    core: &Core,
    caller: &Caller,
    definitions: &NodeDefinitions,
    id: WorkflowApiId,
) -> Result<(MiniApp, Health)> {
    let app = store::find(&core.db, id).await?.ok_or(GONE)?;
    let (workflow, is_shared) = match workflows::find(core, caller, app.workflow).await {
        Err(Error::NotFound { .. }) if is_shared_with(core, caller, id).await? => {
            (workflows::find(core, &Caller::system(), app.workflow).await.map_err(as_gone)?, true)
        }
        found => (found.map_err(as_gone)?, false),
    };
    let graph = workflows::graph(core, &Caller::system(), app.workflow).await.map_err(as_gone)?;
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

/// Deletes a mini app of the caller's (or any, for an admin). Jobs that ran it stay as they are.
///
/// # Errors
/// [`Error::NotFound`]; as [`workflows::update`].
pub async fn delete(core: &Core, caller: &Caller, id: WorkflowApiId) -> Result<()> {
    let app = store::find(&core.db, id).await?.ok_or(GONE)?;
    let mut tx = core.db.begin().await?;
    let (workflow, by) = workflows::locked_own(&mut tx, caller, app.workflow).await.map_err(as_gone)?;
    let now = core.clock.now();
    if !store::delete(&mut tx, id, now).await? {
        return Err(GONE);
    }
    sharing::store::delete_of(&mut tx, id).await?;
    workflows::attach_api(&mut tx, workflow.id, None).await?;
    let before = json!({ "workflow": workflow.id });
    audit::record_over(&mut tx, by, Act::new(Action::MiniAppDelete, id).of(workflow.user).before(before), now).await?;
    let data = json!({ "workflow": workflow.id, "name": workflow.name });
    let told = told(EventKind::WorkflowApiDeleted, &workflow, id, data, now);
    events::write(&mut tx, &[told]).await?;
    tx.commit().await?;
    core.events.ring();
    Ok(())
}

/// The event of an app's owner, whoever did it.
fn told(kind: EventKind, workflow: &Workflow, id: WorkflowApiId, data: Value, at: DateTime<Utc>) -> NewEvent {
    let about = About { workflow_api: Some(id), ..About::default() };
    NewEvent { kind, user: workflow.user, about, data: data.to_string(), at }
}

/// The versions of all mini apps that these workflows ever had, with the workflow of each; for the room that forgets them.
///
/// # Errors
/// Database errors.
pub async fn versions_within(
    tx: &mut PgConnection,
    workflows: &[WorkflowId],
) -> Result<Vec<(WorkflowApiVersionId, WorkflowId)>> {
    let workflows: Vec<Uuid> = workflows.iter().map(|id| id.0).collect();
    Ok(store::versions_of(tx, &workflows).await?)
}

/// Forgets versions, and the graphs in them. A job that ran one cannot be rendered any more.
///
/// # Errors
/// Database errors.
pub async fn forget_within(core: &Core, tx: &mut PgConnection, versions: &[WorkflowApiVersionId]) -> Result<()> {
    let ids: Vec<Uuid> = versions.iter().map(|id| id.0).collect();
    store::delete_versions(tx, &ids).await?;
    for id in versions {
        core.mini_apps.versions.remove(id);
    }
    Ok(())
}

/// Workflows that are published as mini apps, for everybody.
///
/// # Errors
/// [`Error::Invalid`] for a cursor that no list in this order gave.
pub async fn published(
    core: &Core,
    wanted: AppWanted,
    sort: Sort,
    cursor: Option<&str>,
    limit: i64,
) -> Result<Page<Workflow>> {
    workflows::published_apps(core, wanted, sort, cursor, limit).await
}

/// The current version of a mini app that the caller may run, for the submit path. Who may run it, and which version,
/// its row says each time (see `heads`); what the version is comes from memory when it was run lately.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn compiled(core: &Core, caller: &Caller, id: WorkflowApiId) -> Result<Arc<CompiledApp>> {
    let head = core.mini_apps.heads.of(&core.db, id, caller.user).await?.ok_or(GONE)?;
    if !head.opens_to(caller) {
        return Err(GONE);
    }
    version(core, head.version).await
}

/// As [`compiled`] for several apps; those that are not to be had are left out.
///
/// # Errors
/// Database errors.
async fn all_compiled(
    core: &Core,
    caller: &Caller,
    ids: &[WorkflowApiId],
) -> Result<HashMap<WorkflowApiId, Arc<CompiledApp>>> {
    let mut heads = store::heads(&core.db, ids, caller.user.as_slice()).await?;
    heads.retain(|(_, head)| head.opens_to(caller));
    let current = versions(core, &heads.iter().map(|(_, head)| head.version).collect::<Vec<_>>()).await?;
    Ok(heads.into_iter().filter_map(|(id, head)| Some((id, Arc::clone(current.get(&head.version)?)))).collect())
}

/// Whose app it is; `None` where there is none, or its workflow is gone.
///
/// # Errors
/// Database errors.
pub async fn owner(core: &Core, id: WorkflowApiId) -> Result<Option<UserId>> {
    Ok(core.mini_apps.heads.of(&core.db, id, None).await?.map(|head| head.owner))
}

/// Any version, for a job that runs it; also one that was replaced or deleted since.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn version(core: &Core, id: WorkflowApiVersionId) -> Result<Arc<CompiledApp>> {
    versions(core, &[id]).await?.remove(&id).ok_or(GONE)
}

/// As [`version`] for several jobs; those that are not there are left out. What ran lately is in memory, and the rest is
/// read at once.
///
/// # Errors
/// Database errors.
pub async fn versions(
    core: &Core,
    ids: &[WorkflowApiVersionId],
) -> Result<HashMap<WorkflowApiVersionId, Arc<CompiledApp>>> {
    let known = &core.mini_apps;
    let mut found = HashMap::with_capacity(ids.len());
    let mut unknown = Vec::new();
    for id in ids.iter().copied() {
        match known.versions.get(&id) {
            Some(app) => drop(found.insert(id, app)),
            None => unknown.push(id),
        }
    }
    for (id, app) in store::all_compiled(&core.db, &unknown).await? {
        let app = Arc::new(app);
        known.keep(id, &app);
        found.insert(id, app);
    }
    Ok(found)
}

const GONE: Error = Error::NotFound { what: "workflow api" };

/// A mini app whose workflow is not to be seen is not there either.
fn as_gone(error: Error) -> Error {
    match error {
        Error::NotFound { .. } => GONE,
        other => other,
    }
}

#[cfg(test)]
mod tests;
