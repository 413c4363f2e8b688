//! From a claimed row to what a worker is given: the prompt is made again, not stored per job.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::rows::{Ended, Lease};
use crate::assets::ContentHash;
use crate::fleet::InputFile;
use crate::graph::{self, NodeDefinitions, Prompt, PromptText, WrittenPrompt};
use crate::ids::AssetId;
use crate::jobs::queue::estimate::kind;
use crate::jobs::status::Status;
use crate::jobs::store;
use crate::jobs::store::flight::Claimed;
use crate::ledger::{Movement, Post};
use crate::mini_apps;
use crate::{Core, Error, Kind, Result};

/// What a worker is given, and what the job's actor needs to understand its reports.
#[derive(Debug, Clone)]
pub(in crate::jobs) struct Prepared {
    pub prompt: Arc<RawValue>,
    pub inputs: Vec<InputFile>,
    pub extra_data: Arc<RawValue>,
    /// Titles of the nodes, by id.
    pub titles: HashMap<String, String>,
    /// Nodes whose outputs are kept, in order: those a mini app declares, or all of a raw prompt.
    pub kept: Vec<String>,
    /// What estimates are learned by.
    pub kind: String,
}

impl Default for Prepared {
    /// Nothing yet.
    fn default() -> Self {
        let nothing: Arc<RawValue> = Box::<RawValue>::default().into();
        Self {
            prompt: Arc::clone(&nothing),
            inputs: Vec::new(),
            extra_data: nothing,
            titles: HashMap::new(),
            kept: Vec::new(),
            kind: String::new(),
        }
    }
}

/// What came of a preparation.
pub(in crate::jobs) enum Ready {
    Prepared(Box<Prepared>),
    /// By the definitions of the worker it must not be sent there; ComfyUI's `{error, node_errors}`.
    Refused(Value),
    /// It has ended, or the sweep will find it.
    Failed,
}

/// Prepares a claimed job. One that is at its worker already is sent nothing, so that a refusal would come too late.
pub(in crate::jobs) async fn ready(
    core: &Core,
    job: &Claimed,
    definitions: &NodeDefinitions,
    is_resumed: bool,
) -> Ready {
    match prepare(core, job, definitions).await {
        Ok(prepared) => Ready::Prepared(Box::new(prepared)),
        Err(Error::InvalidPrompt { validation }) if !is_resumed => Ready::Refused(validation),
        Err(failed) => {
            fail(core, job, failed).await;
            Ready::Failed
        }
    }
}

/// Renders a claimed job for a worker that knows these definitions.
///
/// # Errors
/// Where what it runs is gone or cannot be rendered any more; [`Error::InvalidPrompt`] where it names a file that did not
/// come with its submit.
async fn prepare(core: &Core, job: &Claimed, definitions: &NodeDefinitions) -> Result<Prepared> {
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
            (graph::sent(&prompt.text, &prompt, definitions, &refused, &own)?, kept)
        }
        (None, Some(hash)) => {
            let prompt = stored(core, hash).await?.ok_or(Error::NotFound { what: "prompt" })?;
            let own = |name: &str| files.get(name).map(|file| file.name.clone());
            let sent = graph::sent(&prompt.text, &prompt, definitions, &refused, &own)?;
            let kept = sent.prompt.0.keys().cloned().collect();
            (sent, kept)
        }
        (None, None) => return Err(Error::Internal("a job that runs nothing".into())),
    };
    let text = sent.text.as_str();
    Ok(Prepared {
        titles: titles(&sent.prompt),
        // Files of outputs that are left out stay here.
        inputs: files.into_values().filter(|file| text.contains(&file.name)).collect(),
        prompt: sent.text.raw(),
        extra_data: extra_data(job)?,
        kept,
        kind: kind(job.version, &job.needs),
    })
}

/// The outputs that were refused when the job was accepted.
fn refused_outputs(node_errors: Option<&Value>) -> BTreeSet<String> {
    let nodes = node_errors.and_then(Value::as_object).into_iter().flat_map(|nodes| nodes.values());
    let outputs = nodes.filter_map(|node| node.get("dependent_outputs")?.as_array()).flatten();
    outputs.filter_map(|id| id.as_str().map(str::to_owned)).collect()
}

/// A raw prompt as it was sent, and as it is understood. Those of earlier releases have no text of their own.
pub(in crate::jobs) async fn stored(core: &Core, hash: &str) -> Result<Option<WrittenPrompt>> {
    let Some((value, text)) = store::find_prompt(&core.db, hash).await? else { return Ok(None) };
    let unreadable =
        |error: &dyn std::fmt::Display| Error::Internal(format!("a stored prompt cannot be read: {error}"));
    let text = PromptText::kept(text.unwrap_or_else(|| value.to_string())).map_err(|error| unreadable(&error))?;
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

/// Ends a job that could not be prepared. Where that is only because the database is away for a moment, the sweep
/// finds a job in flight without an actor, and has it tried again.
async fn fail(core: &Core, job: &Claimed, error: Error) {
    if error.kind() == Kind::Unavailable {
        tracing::warn!(job.id = %job.id, %error, "a claimed job is left for the sweep");
        return;
    }
    tracing::error!(job.id = %job.id, %error, "a claimed job cannot be prepared");
    let now = core.clock.now();
    let row = Ended {
        lease: Lease { job: job.id, node: core.node, attempt: job.attempt },
        status: Status::UnknownError,
        at: now,
        started_at: None,
        ran_ms: 0,
        credits_used: 0,
        execute: None,
        validate: Some(json!({ "message": "what this job runs cannot be read any more" })),
        node_errors: None,
        outputs: Vec::new(),
    };
    let movement = Movement::Settle { job: job.id, used: 0 };
    // Where even this fails, the sweep finds the row in flight without an actor and tries again.
    match core.ledger.post(Post { account: job.user, movement, attached: Some(row.attached()) }).await {
        Ok(_) => core.queue.tell(job.id, Status::UnknownError, now),
        Err(error) => tracing::error!(job.id = %job.id, ?error, "ending a job that cannot be prepared"),
    }
}

/// The job's files by the name or asset id that the submit gave.
pub(in crate::jobs) fn files(row: Option<&Value>) -> HashMap<String, InputFile> {
    let rows = row.and_then(Value::as_object).into_iter().flatten();
    rows.filter_map(|(given, file)| {
        let content = ContentHash(file.get("content")?.as_str()?.to_owned());
        let name = file.get("name")?.as_str()?.to_owned();
        Some((given.clone(), InputFile { name, content }))
    })
    .collect()
}

/// The titles of a prompt's nodes, for progress that people understand.
fn titles(prompt: &Prompt) -> std::collections::HashMap<String, String> {
    prompt.0.iter().map(|(id, node)| (id.clone(), node.title().to_owned())).collect()
}
