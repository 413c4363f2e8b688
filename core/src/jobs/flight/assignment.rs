//! Prepares the prompt of a claimed job for its worker. Prompts of mini apps are rendered from the form, not stored.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::rows::{EndedRow, Lease};
use crate::assets::ContentHash;
use crate::fleet::InputFile;
use crate::graph::{self, NodeDefinitions, Prompt, PromptNode, PromptText, WrittenPrompt};
use crate::ids::AssetId;
use crate::jobs::queue::estimate::kind;
use crate::jobs::status::Status;
use crate::jobs::store;
use crate::jobs::store::flight::Claimed;
use crate::ledger::{LedgerPost, Movement};
use crate::mini_apps;
use crate::{Core, Error, ErrorKind, Result};

/// The prompt for the worker, and the data for handling its reports.
#[derive(Debug, Clone)]
pub(in crate::jobs) struct PreparedPrompt {
    pub prompt: Arc<RawValue>,
    pub inputs: Vec<InputFile>,
    pub extra_data: Arc<RawValue>,
    /// The nodes by id.
    pub nodes: HashMap<String, NodeNames>,
    /// Nodes whose outputs are kept, in order: those that the mini app declares, or all of a raw prompt.
    pub kept: Vec<String>,
    /// The key of the estimate.
    pub kind: String,
}

/// What a node is called in the progress of a job.
#[derive(Debug, Clone, Default)]
pub(in crate::jobs) struct NodeNames {
    pub title: String,
    pub class: String,
}

impl Default for PreparedPrompt {
    fn default() -> Self {
        let nothing: Arc<RawValue> = Box::<RawValue>::default().into();
        Self {
            prompt: Arc::clone(&nothing),
            inputs: Vec::new(),
            extra_data: nothing,
            nodes: HashMap::new(),
            kept: Vec::new(),
            kind: String::new(),
        }
    }
}

pub(in crate::jobs) enum Preparation {
    Prepared(Box<PreparedPrompt>),
    /// The definitions of the worker do not allow the prompt; ComfyUI's `{error, node_errors}`.
    Refused(Value),
    /// The database is unavailable. The sweep will find the job, unless its actor tries again.
    Unavailable,
    /// The job has ended, or the sweep will find it.
    Failed,
}

/// Prepares a claimed job. A resumed job is never refused, because its prompt is at the worker already.
pub(in crate::jobs) async fn prepare(
    core: &Core,
    job: &Claimed,
    definitions: &NodeDefinitions,
    is_resumed: bool,
) -> Preparation {
    match render(core, job, definitions).await {
        Ok(prepared) => Preparation::Prepared(Box::new(prepared)),
        Err(Error::InvalidPrompt { validation }) if !is_resumed => Preparation::Refused(validation),
        Err(error) if error.kind() == ErrorKind::Unavailable => {
            tracing::warn!(job.id = %job.id, %error, "job {} cannot be prepared now", job.id);
            Preparation::Unavailable
        }
        Err(failed) => {
            fail(core, job, failed).await;
            Preparation::Failed
        }
    }
}

/// Renders the prompt for a worker with these definitions.
///
/// # Errors
/// [`Error::InvalidPrompt`] where the prompt names a file that was not submitted with it; other errors where the version
/// or prompt is deleted or cannot be rendered.
async fn render(core: &Core, job: &Claimed, definitions: &NodeDefinitions) -> Result<PreparedPrompt> {
    let files = files(job.files.as_ref());
    let refused = refused_outputs(job.node_errors.as_ref());
    let (sent, kept) = match (job.version, &job.prompt_hash) {
        (Some(version), _) => {
            let app = mini_apps::version(core, version).await?;
            let form = job.form.as_ref().and_then(Value::as_object).cloned().unwrap_or_default();
            let name = |id: AssetId| files.get(&id.to_string()).map(|file| file.name.clone());
            let kept = app.outputs().iter().map(|output| output.id.clone()).collect();
            let prompt = app.render(&form, name)?;
            let own = |name: &str| files.values().find(|file| file.name == name).map(|file| file.name.clone());
            (graph::worker_prompt(&prompt.text, &prompt, definitions, &refused, &own)?, kept)
        }
        (None, Some(hash)) => {
            let prompt = match core.queue.prompts().take(hash) {
                Some(prompt) => prompt,
                None => Arc::new(stored_prompt(core, hash).await?.ok_or(Error::NotFound { what: "prompt" })?),
            };
            let own = |name: &str| files.get(name).map(|file| file.name.clone());
            let sent = graph::worker_prompt(&prompt.text, &prompt, definitions, &refused, &own)?;
            let kept = sent.prompt.0.keys().cloned().collect();
            (sent, kept)
        }
        (None, None) => {
            return Err(Error::Internal(format!("job {} has neither a mini app version nor a prompt", job.id)));
        }
    };
    let text = sent.text.as_str();
    Ok(PreparedPrompt {
        nodes: names(&sent.prompt),
        // Files of omitted outputs are not sent.
        inputs: files.into_values().filter(|file| text.contains(&file.name)).collect(),
        prompt: sent.text.raw(),
        extra_data: extra_data(job)?,
        kept,
        kind: kind(job.version, &job.needs),
    })
}

/// The outputs that were omitted when the job was accepted.
fn refused_outputs(node_errors: Option<&Value>) -> BTreeSet<String> {
    let nodes = node_errors.and_then(Value::as_object).into_iter().flat_map(|nodes| nodes.values());
    let outputs = nodes.filter_map(|node| node.get("dependent_outputs")?.as_array()).flatten();
    outputs.filter_map(|id| id.as_str().map(str::to_owned)).collect()
}

/// A stored raw prompt: its text and its parsed form.
pub(in crate::jobs) async fn stored_prompt(core: &Core, hash: &str) -> Result<Option<WrittenPrompt>> {
    let Some(text) = store::find_prompt(&core.db, hash).await? else { return Ok(None) };
    let unreadable =
        |error: &dyn std::fmt::Display| Error::Internal(format!("a stored prompt cannot be read: {error}"));
    let text = PromptText::kept(text).map_err(|error| unreadable(&error))?;
    let prompt = Prompt::parse(text.as_str().as_bytes()).map_err(|refusal| unreadable(&refusal.error.message))?;
    Ok(Some(WrittenPrompt { text, prompt }))
}

fn extra_data(job: &Claimed) -> Result<Arc<RawValue>> {
    let raw = match (&job.extra_text, &job.extra_data) {
        (Some(text), _) => RawValue::from_string(text.clone()),
        (None, Some(value)) => to_raw_value(value),
        (None, None) => to_raw_value(&json!({})),
    };
    raw.map(Into::into).map_err(|error| Error::Internal(format!("stored extra data cannot be read: {error}")))
}

/// Ends a job that cannot be prepared.
async fn fail(core: &Core, job: &Claimed, error: Error) {
    tracing::error!(job.id = %job.id, %error, "job {} cannot be prepared", job.id);
    let now = core.clock.now();
    let lease = Lease { job: job.id, node: core.node, attempt: job.attempt };
    let message = "what this job runs cannot be read any more";
    let row = EndedRow::uncharged(lease, Status::UnknownError, now, Some(message));
    let movement = Movement::Settle { job: job.id, used: 0 };
    // If this fails too, the sweep finds the job without an actor.
    match core.ledger.post(LedgerPost { account: job.user, movement, attached: Some(row.attached()) }).await {
        Ok(_) => core.queue.publish_status(job.id, Status::UnknownError, now),
        Err(error) => {
            tracing::error!(job.id = %job.id, ?error, "job {} cannot be prepared and could not be ended", job.id)
        }
    }
}

/// The job's files, by the name or asset id in the submit.
pub(in crate::jobs) fn files(row: Option<&Value>) -> HashMap<String, InputFile> {
    let rows = row.and_then(Value::as_object).into_iter().flatten();
    rows.filter_map(|(given, file)| {
        let content = ContentHash(file.get("content")?.as_str()?.to_owned());
        let name = file.get("name")?.as_str()?.to_owned();
        Some((given.clone(), InputFile { name, content }))
    })
    .collect()
}

fn names(prompt: &Prompt) -> HashMap<String, NodeNames> {
    let of = |node: &PromptNode| NodeNames { title: node.title().to_owned(), class: node.class_type.clone() };
    prompt.0.iter().map(|(id, node)| (id.clone(), of(node))).collect()
}
