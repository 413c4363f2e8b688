//! Mini apps (workflow APIs): a workflow whose chosen inputs are a form and whose chosen outputs are results.
//!
//! The form is derived here, from the inputs and from what workers say about the nodes, so that every client gets
//! the same one. Saving makes a version that is never changed; a job names the version it runs. A mini app is as
//! visible as its workflow.

mod form;
mod heads;
mod indexing;
mod lists;
mod memory;
mod store;
mod suggest;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

pub use form::compiled::{CompiledApp, Filled};
pub use form::entries::{
    Adapter, InputEntry, Inputs, MAX_FIELD_NAME_CHARS, OutputEntry, Outputs, UiType, default_field_name,
    default_widget, describe_input, describe_output,
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
pub use suggest::{Suggested, Suggestions, draws_words, suggest};

use crate::audit::{self, Act, Action};
use crate::error::FieldError;
use crate::graph::{NodeDefinitions, Prompt};
use crate::ids::{WorkflowApiId, WorkflowApiVersionId, WorkflowId};
use crate::workflows::{self, AppWanted, Page, Sort, Workflow};
use crate::{Caller, Code, Core, Error, Result, users};
use form::entries::{self, is_safe};
use form::{traits, translations};
use store::App;

/// How many inputs, and how many outputs, one mini app may have.
pub const MAX_ENTRIES: usize = 200;

/// A mini app as its creator set it up and as a form shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct MiniApp {
    pub id: WorkflowApiId,
    pub version: WorkflowApiVersionId,
    pub workflow: Workflow,
    pub inputs: Inputs,
    pub outputs: Outputs,
    pub rjsf: Rjsf,
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
    if definitions.is_empty() {
        let message = "no worker is connected, so that the form cannot be made".into();
        return Err(Error::Unavailable { message, retry_after_seconds: 10 });
    }
    // Whoever sees the workflow sees the app.
    let permit = match workflows::find(core, caller, new.workflow).await?.is_private {
        true => users::may_take_part(core, caller).await?,
        false => users::may_publish(core, caller).await?.permit().clone(),
    };
    let now = core.clock.now();
    let mut tx = core.db.begin().await?;
    let (mut workflow, by) = workflows::locked_own(&mut tx, caller, new.workflow).await?;
    let graph = workflows::locked_graph(&mut tx, &workflow).await?;
    let prompt = graph
        .prompt
        .ok_or_else(|| Error::refused(Code::WorkflowApiNoPrompt, "the workflow has no prompt in API format"))?;
    let Plan { inputs, outputs, fields } = plan(new.inputs, new.outputs, &prompt, definitions)?;
    let version = store::NewVersion {
        id: WorkflowApiVersionId::new(),
        prompt: &prompt,
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
    workflow.app =
        traits::traits(&prompt, &fields, &outputs.values().map(|output| output.id.as_str()).collect::<Vec<_>>());
    workflows::set_app_traits(&mut tx, workflow.id, &workflow.app).await?;
    let version = version.id;
    let after = json!({ "workflow": workflow.id, "version": version });
    audit::record_over(&mut tx, by, Act::new(Action::MiniAppSave, id).of(workflow.user).after(after), now).await?;
    tx.commit().await?;
    workflow.workflow_api = Some(id);
    Ok(MiniApp { id, version, workflow, rjsf: rjsf(&fields), inputs, outputs, created_at, updated_at: now })
}

/// A mini app that the caller may see, and how it stands with its workflow as it is now.
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
    let workflow = workflows::find(core, caller, app.workflow).await.map_err(as_gone)?;
    let graph = workflows::graph(core, caller, app.workflow).await.map_err(as_gone)?;
    let (inputs, outputs) = store::entries(&core.db, app.current).await?.ok_or(GONE)?;
    let health = health(&inputs, &outputs, graph.prompt.as_ref(), definitions);
    let rjsf = version(core, app.current).await?.rjsf();
    let App { id, current, created_at, updated_at, .. } = app;
    Ok((MiniApp { id, version: current, workflow, inputs, outputs, rjsf, created_at, updated_at }, health))
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
    workflows::attach_api(&mut tx, workflow.id, None).await?;
    let before = json!({ "workflow": workflow.id });
    audit::record_over(&mut tx, by, Act::new(Action::MiniAppDelete, id).of(workflow.user).before(before), now).await?;
    tx.commit().await?;
    Ok(())
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
    let head = core.mini_apps.heads.of(&core.db, id).await?.ok_or(GONE)?;
    if head.is_private && !caller.owns_or_admin(head.owner) {
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
    let mut heads = store::heads(&core.db, ids).await?;
    heads.retain(|(_, head)| !head.is_private || caller.owns_or_admin(head.owner));
    let current = versions(core, &heads.iter().map(|(_, head)| head.version).collect::<Vec<_>>()).await?;
    Ok(heads.into_iter().filter_map(|(id, head)| Some((id, Arc::clone(current.get(&head.version)?)))).collect())
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

/// What a save writes: entries in order, completed from the node definitions, and the fields derived from them.
#[derive(Debug)]
struct Plan {
    inputs: Inputs,
    outputs: Outputs,
    fields: Vec<Field>,
}

fn plan(mut inputs: Inputs, mut outputs: Outputs, prompt: &Prompt, definitions: &NodeDefinitions) -> Result<Plan> {
    check_keys(&inputs, &outputs)?;
    let health = health(&inputs, &outputs, Some(prompt), definitions);
    if !health.ok {
        let details = serde_json::json!({ "problems": health.problems });
        let message = "inputs or outputs have a problem; fix them, then save".into();
        return Err(Error::Refused { code: Code::WorkflowApiUnhealthy, message, details });
    }
    if outputs.is_empty() {
        return Err(Error::refused(Code::WorkflowApiNoOutput, "name at least one output"));
    }
    inputs.sort_by(|_, one, _, other| one.order.cmp(&other.order));
    outputs.sort_by(|_, one, _, other| one.order.cmp(&other.order));
    let mut wrong = Vec::new();
    let mut fields = Vec::with_capacity(inputs.len());
    for (order, (key, entry)) in (1..).zip(&mut inputs) {
        entry.order = order;
        wrong.extend(translations::input_errors(key, entry));
        match complete(key, entry, prompt, definitions) {
            Ok(field) => fields.extend(field),
            Err(error) => wrong.push(error),
        }
    }
    for (order, (key, output)) in (1..).zip(&mut outputs) {
        output.order = order;
        wrong.extend(translations::output_errors(key, output));
        complete_output(output, prompt);
    }
    wrong.extend(name_errors(&fields));
    if !wrong.is_empty() {
        return Err(Error::InvalidFields { fields: wrong });
    }
    if fields.is_empty() {
        return Err(Error::refused(Code::WorkflowApiNoInput, "set up at least one input with an API field"));
    }
    Ok(Plan { inputs, outputs, fields })
}

fn check_keys(inputs: &Inputs, outputs: &Outputs) -> Result<()> {
    for (what, count) in [("inputs", inputs.len()), ("outputs", outputs.len())] {
        if count > MAX_ENTRIES {
            return Err(Error::invalid(what, format!("at most {MAX_ENTRIES} are allowed")));
        }
    }
    for (key, entry) in inputs {
        if *key != format!("{}.{}", entry.id, entry.name) {
            return Err(Error::invalid(
                format!("inputs.{key}"),
                "the key must be the node's id, a dot, and the input's name",
            ));
        }
    }
    for (key, entry) in outputs {
        if *key != entry.id {
            return Err(Error::invalid(format!("outputs.{key}"), "the key must be the node's id"));
        }
    }
    Ok(())
}

/// Fills in what the worker knows better than the client, and derives the field.
fn complete(
    key: &str,
    entry: &mut InputEntry,
    prompt: &Prompt,
    definitions: &NodeDefinitions,
) -> Result<Option<Field>, FieldError> {
    let gone = || FieldError { field: format!("inputs.{key}"), message: "the node has no such input".into() };
    let node = prompt.0.get(&entry.id).ok_or_else(gone)?;
    let class = definitions.get(&node.class_type).ok_or_else(gone)?;
    let definition = class.input(&entry.name).ok_or_else(gone)?;
    entry.kind = entries::kind(definition).to_owned();
    entry.node_display_name.clone_from(&class.display_name);
    entry.python_module_name.clone_from(&class.python_module);
    entry.raw = entries::raw(node, &entry.name, definition);
    let field = Field::derive(key, entry, node, definition)?;
    if let Some(field) = &field {
        entry.adapter.api_field_name = Some(field.name.clone());
        entry.adapter.ui_type = Some(field.rule.widget());
    }
    Ok(field)
}

fn complete_output(output: &mut OutputEntry, prompt: &Prompt) {
    if let Some(node) = prompt.0.get(&output.id) {
        if output.name.trim().is_empty() {
            node.title().clone_into(&mut output.name);
        }
        if output.api_field_name.trim().is_empty() {
            output.api_field_name = entries::default_output_name(&output.id, &node.class_type);
        }
    }
}

/// Names that programs cannot send, or that two inputs share.
fn name_errors(fields: &[Field]) -> Vec<FieldError> {
    let mut seen = HashSet::new();
    let mut wrong = Vec::new();
    for field in fields {
        let message = if !seen.insert(field.name.as_str()) {
            format!("two inputs have the API field {}", field.name)
        } else if field.name.chars().count() > MAX_FIELD_NAME_CHARS {
            format!("must not be longer than {MAX_FIELD_NAME_CHARS} characters")
        } else if !field.name.chars().all(is_safe) || field.name.starts_with("__") {
            "may have letters, digits, dots, dashes and underscores, and must not start with two underscores".to_owned()
        } else {
            continue;
        };
        wrong
            .push(FieldError { field: format!("inputs.{}.{}.adapter.apiFieldName", field.node, field.input), message });
    }
    wrong
}

#[cfg(test)]
mod tests;
