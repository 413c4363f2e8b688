//! The graph of an output.
//!
//! The owner of a published picture decides whether others see its graph ([`gallery::Visibility`]). ComfyUI also writes
//! the prompt into its files: it is removed from them, and only the owner gets it. The graph of a mini app is visible as
//! long as its workflow is. File names are private, so they are replaced.

use serde_json::Value;

use crate::assets::Spool;
use crate::gallery::OutputAsset;
use crate::graph::{WrittenPrompt, with_file_names};
use crate::ids::{AssetId, OutputAssetId, WorkflowApiVersionId};
use crate::jobs::flight::assignment::{files, stored_prompt};
use crate::jobs::store;
use crate::workflows::Workflow;
use crate::{Caller, Core, Error, Result, assets, gallery, mini_apps, workflows};

#[derive(Debug, Clone, PartialEq)]
pub struct OutputGraph {
    /// The workflow of the mini app; `None` for a raw prompt.
    pub workflow: Option<Workflow>,
    /// The graph with the values of the run.
    pub prompt: WrittenPrompt,
}

/// The graph of an output that the caller may see.
///
/// # Errors
/// [`Error::NotFound`] where the caller may not see the output or its workflow, and where the content of the job is
/// deleted.
pub async fn output_graph(core: &Core, caller: &Caller, id: OutputAssetId) -> Result<OutputGraph> {
    let output = gallery::find(core, caller, id).await?;
    if !output.shows_origin && !caller.owns_or_admin(output.user) {
        return Err(UNKNOWN);
    }
    let ran = store::find_content(&core.db, output.job).await?.ok_or(UNKNOWN)?;
    match (ran.version, &ran.prompt_hash) {
        (Some(version), _) => of_mini_app(core, caller, version, &ran).await,
        (None, Some(hash)) => Ok(OutputGraph { workflow: None, prompt: of_prompt(core, hash, &ran).await? }),
        (None, None) => Err(UNKNOWN),
    }
}

/// The file of an output as the worker made it, with the prompt and the graph that ComfyUI writes into files. The caller
/// must own the output and its graph: the graph of another account's mini app may be private.
///
/// # Errors
/// [`Error::NotFound`] where the caller does not own both, or the content of the job is deleted.
pub async fn original(core: &Core, caller: &Caller, id: OutputAssetId) -> Result<(OutputAsset, Spool)> {
    let output = gallery::find(core, caller, id).await?;
    if !caller.owns_or_admin(output.user) {
        return Err(UNKNOWN);
    }
    let ran = store::find_content(&core.db, output.job).await?.ok_or(UNKNOWN)?;
    if !owns_graph(core, caller, ran.version).await? {
        return Err(UNKNOWN);
    }
    // Only admins see content that moderators have locked.
    if !caller.admin && assets::is_locked(core, &output.content).await? {
        return Err(UNKNOWN);
    }
    let file = core.files.original(&output.content, &output.embedded).await?;
    Ok((output, file))
}

/// Whether the caller, who owns a job, also owns its graph: a raw prompt, or a mini app of the caller's own workflow.
pub async fn owns_graph(core: &Core, caller: &Caller, version: Option<WorkflowApiVersionId>) -> Result<bool> {
    let Some(version) = version else { return Ok(true) };
    let app = match mini_apps::version(core, version).await {
        Ok(app) => app,
        Err(Error::NotFound { .. }) => return Ok(false),
        Err(error) => return Err(error),
    };
    match workflows::find(core, caller, app.workflow).await {
        Ok(workflow) => Ok(caller.owns_or_admin(workflow.user)),
        Err(Error::NotFound { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

async fn of_mini_app(
    core: &Core,
    caller: &Caller,
    version: WorkflowApiVersionId,
    ran: &store::JobContent,
) -> Result<OutputGraph> {
    let app = mini_apps::version(core, version).await.map_err(as_unknown)?;
    let workflow = workflows::find(core, caller, app.workflow).await.map_err(as_unknown)?;
    // The form is erased when the account of the job is deleted.
    let form = ran.form.as_ref().and_then(Value::as_object).cloned().ok_or(UNKNOWN)?;
    let known = files(ran.files.as_ref());
    let name = |id: AssetId| Some(anonymous_name(known.get(&id.to_string()).map_or("", |file| &file.name)));
    Ok(OutputGraph { workflow: Some(workflow), prompt: app.render(&form, name)? })
}

pub(in crate::jobs) async fn of_prompt(core: &Core, hash: &str, ran: &store::JobContent) -> Result<WrittenPrompt> {
    let WrittenPrompt { text, prompt } = stored_prompt(core, hash).await?.ok_or(UNKNOWN)?;
    let mut files = files(ran.files.as_ref());
    for file in files.values_mut() {
        file.name = anonymous_name(&file.name);
    }
    let pools = core.settings.pool_names();
    let own = |name: &str| files.get(name).map(|file| file.name.clone());
    let text = with_file_names(&text, &prompt, &core.fleet.roster().definitions(&pools), &own).ok_or(UNKNOWN)?;
    WrittenPrompt::read(&text.raw()).map_err(Error::from)
}

/// A file name that keeps the extension only.
fn anonymous_name(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((_, extension)) => format!("input.{extension}"),
        None => "input".to_owned(),
    }
}

const UNKNOWN: Error = Error::NotFound { what: "graph" };

/// Replaces the error of a hidden workflow or app.
fn as_unknown(error: Error) -> Error {
    match error {
        Error::NotFound { .. } => UNKNOWN,
        other => other,
    }
}
