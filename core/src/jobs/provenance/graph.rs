//! The graph behind a picture, for whoever looks at it.
//!
//! Who publishes a picture decides whether others are told how it was made ([`gallery::Visibility`]). ComfyUI writes the
//! prompt into its files as well; that is taken out of them, and given to whoever owns it alone. What its author keeps
//! private stays so: the graph of a mini app is shown as long as its workflow is to be seen. Files have names that people
//! gave them, which are nobody else's business, so that none of them is told.

use serde_json::Value;

use crate::assets::Spool;
use crate::gallery::OutputAsset;
use crate::graph::{WrittenPrompt, renamed};
use crate::ids::{AssetId, OutputAssetId, WorkflowApiVersionId};
use crate::jobs::flight::assignment::{files, stored};
use crate::jobs::store;
use crate::workflows::Workflow;
use crate::{Caller, Core, Error, Result, assets, gallery, mini_apps, workflows};

/// What an output was made with.
#[derive(Debug, Clone, PartialEq)]
pub struct MadeWith {
    /// The workflow whose mini app ran; `None` for a raw prompt.
    pub workflow: Option<Workflow>,
    /// The graph with the values that were used.
    pub prompt: WrittenPrompt,
}

/// The graph that made an output which the caller may see.
///
/// # Errors
/// [`Error::NotFound`] where the output is not to be seen, where the workflow behind it is not, and where what ran is
/// not known any more.
pub async fn made_with(core: &Core, caller: &Caller, id: OutputAssetId) -> Result<MadeWith> {
    let output = gallery::find(core, caller, id).await?;
    if !output.shows_origin && !caller.owns_or_admin(output.user) {
        return Err(UNKNOWN);
    }
    let ran = store::find_ran(&core.db, output.job).await?.ok_or(UNKNOWN)?;
    match (ran.version, &ran.prompt_hash) {
        (Some(version), _) => of_mini_app(core, caller, version, &ran).await,
        (None, Some(hash)) => Ok(MadeWith { workflow: None, prompt: of_prompt(core, hash, &ran).await? }),
        (None, None) => Err(UNKNOWN),
    }
}

/// An output's file as its worker made it, with the prompt and the graph that ComfyUI writes into files.
///
/// It is for whoever owns both: the output and what ran. Who ran somebody else's mini app has the output, and not the
/// graph, which its author may keep private.
///
/// # Errors
/// [`Error::NotFound`] where the output is not the caller's, or what ran is somebody else's or not known any more.
pub async fn original(core: &Core, caller: &Caller, id: OutputAssetId) -> Result<(OutputAsset, Spool)> {
    let output = gallery::find(core, caller, id).await?;
    if !caller.owns_or_admin(output.user) {
        return Err(UNKNOWN);
    }
    let ran = store::find_ran(&core.db, output.job).await?.ok_or(UNKNOWN)?;
    if !owns_graph(core, caller, ran.version).await? {
        return Err(UNKNOWN);
    }
    // What moderators have hidden is there for them alone.
    if !caller.admin && assets::is_locked(core, &output.content).await? {
        return Err(UNKNOWN);
    }
    let file = core.files.original(&output.content, &output.embedded).await?;
    Ok((output, file))
}

/// Whether the graph of what ran is the caller's own: a prompt of theirs, or a mini app of a workflow of theirs. For
/// somebody who owns the job.
///
/// # Errors
/// Database errors.
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
    ran: &store::Ran,
) -> Result<MadeWith> {
    let app = mini_apps::version(core, version).await.map_err(as_unknown)?;
    let workflow = workflows::find(core, caller, app.workflow).await.map_err(as_unknown)?;
    // Without its form nobody knows what it ran: whoever made it has left.
    let form = ran.form.as_ref().and_then(Value::as_object).cloned().ok_or(UNKNOWN)?;
    let known = files(ran.files.as_ref());
    let name = |id: AssetId| Some(nameless(known.get(&id.to_string()).map_or("", |file| &file.name)));
    Ok(MadeWith { workflow: Some(workflow), prompt: app.render(&form, name)? })
}

pub(in crate::jobs) async fn of_prompt(core: &Core, hash: &str, ran: &store::Ran) -> Result<WrittenPrompt> {
    let WrittenPrompt { text, prompt } = stored(core, hash).await?.ok_or(UNKNOWN)?;
    let mut files = files(ran.files.as_ref());
    for file in files.values_mut() {
        file.name = nameless(&file.name);
    }
    let pools: Vec<String> = core.settings.pools.iter().map(|pool| pool.name.clone()).collect();
    let own = |name: &str| files.get(name).map(|file| file.name.clone());
    let text = renamed(&text, &prompt, &core.fleet.roster().definitions(&pools), &own).ok_or(UNKNOWN)?;
    WrittenPrompt::read(&text.raw()).map_err(Error::from)
}

/// A name that tells nothing but the kind of file.
fn nameless(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((_, extension)) => format!("input.{extension}"),
        None => "input".to_owned(),
    }
}

const UNKNOWN: Error = Error::NotFound { what: "graph" };

/// What is not to be seen is not there.
fn as_unknown(error: Error) -> Error {
    match error {
        Error::NotFound { .. } => UNKNOWN,
        other => other,
    }
}
