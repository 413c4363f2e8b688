//! Reruns a job: the same prompt or form, seeds and files.

use std::collections::HashMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::flight::assignment::stored_prompt;
use super::lists::find;
use super::store;
use super::submit::submission::{FormSubmit, PromptSubmit, RunTerms, Submitted};
use super::submit::{submit_form, submit_prompt};
use crate::ids::{AssetId, JobId};
use crate::{Caller, Core, Error, Result, mini_apps};

/// Submits a job of the caller again. A mini app runs in the version of the job: later saves do not change what runs.
///
/// # Errors
/// [`Error::NotFound`] where the caller does not own the job (admins neither, because the caller pays), or its content is
/// deleted, or its app or version is gone or hidden; [`Error::Invalid`] where one of its files was deleted; otherwise as
/// [`submit_form`] and [`submit_prompt`].
pub async fn rerun(
    core: &Core,
    caller: &Caller,
    id: JobId,
    terms: RunTerms,
    idempotency_key: Option<String>,
) -> Result<Submitted> {
    let job = find(core, caller, id).await?;
    if caller.user != Some(job.user) {
        return Err(UNKNOWN);
    }
    let ran = store::find_content(&core.db, id).await?.ok_or(UNKNOWN)?;
    match (ran.version, &ran.prompt_hash) {
        (Some(version), _) => {
            let app = mini_apps::version(core, version).await?.id;
            let [form, seeds] = [ran.form, ran.seeds].map(|kept| kept.as_ref().and_then(Value::as_object).cloned());
            let mut form = form.ok_or(UNKNOWN)?;
            form.extend(seeds.unwrap_or_default());
            let labels = job.labels;
            let submit = FormSubmit { app, version: Some(version), form, terms, idempotency_key, batch: None, labels };
            submit_form(core, caller, submit).await
        }
        (None, Some(hash)) => {
            let prompt = stored_prompt(core, hash).await?.ok_or(UNKNOWN)?;
            let (extra_data, strict) = store::extra_data(&core.db, id).await?.ok_or(UNKNOWN)?;
            let submit = PromptSubmit {
                prompt: raw(prompt.text.as_str())?,
                files: uploads(ran.files.as_ref())?,
                extra_data: extra_data.as_deref().map(raw).transpose()?,
                strict,
                terms,
                idempotency_key,
                batch: None,
                labels: job.labels,
            };
            submit_prompt(core, caller, submit).await
        }
        (None, None) => Err(UNKNOWN),
    }
}

/// The uploads of a prompt, by the file name in the prompt.
fn uploads(files: Option<&Value>) -> Result<HashMap<String, AssetId>> {
    let files = files.and_then(Value::as_object).into_iter().flatten();
    let upload = |(name, file): (&String, &Value)| {
        let asset = file.get("asset").and_then(|id| id.as_str()?.parse().ok());
        asset.map(|asset| (name.clone(), asset)).ok_or(UNKNOWN)
    };
    files.map(upload).collect()
}

fn raw(text: &str) -> Result<Box<RawValue>> {
    RawValue::from_string(text.to_owned())
        .map_err(|error| Error::Internal(format!("the stored prompt of a job is invalid JSON: {error}")))
}

const UNKNOWN: Error = Error::NotFound { what: "job" };
