//! A job of one's own once more: the same prompt or form, the same seeds, the same files.

use std::collections::HashMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::flight::assignment::stored;
use super::lists::find;
use super::store;
use super::submit::submission::{FormSubmit, PromptSubmit, Submitted};
use super::submit::{submit_form, submit_prompt};
use crate::ids::{AssetId, JobId};
use crate::{Caller, Core, Error, Result, mini_apps};

/// Accepts a run of what a job of the caller's ran, as it was sent. A mini app runs as it is today.
///
/// # Errors
/// [`Error::NotFound`] where the job is not the caller's (an admin's own are meant as well: it is they who pay) or what
/// ran is not known any more; as [`submit_form`] and [`submit_prompt`], with [`Error::Invalid`] where one of its files
/// was deleted.
pub async fn again(core: &Core, caller: &Caller, id: JobId, idempotency_key: Option<String>) -> Result<Submitted> {
    let job = find(core, caller, id).await?;
    if caller.user != Some(job.user) {
        return Err(UNKNOWN);
    }
    let ran = store::find_ran(&core.db, id).await?.ok_or(UNKNOWN)?;
    match (ran.version, &ran.prompt_hash) {
        (Some(version), _) => {
            let app = mini_apps::version(core, version).await?.id;
            let [form, seeds] = [ran.form, ran.seeds].map(|kept| kept.as_ref().and_then(Value::as_object).cloned());
            let mut form = form.ok_or(UNKNOWN)?;
            form.extend(seeds.unwrap_or_default());
            submit_form(core, caller, FormSubmit { app, form, idempotency_key, batch: None }).await
        }
        (None, Some(hash)) => {
            let prompt = stored(core, hash).await?.ok_or(UNKNOWN)?;
            let (extra_data, strict) = store::sent_with(&core.db, id).await?.ok_or(UNKNOWN)?;
            let submit = PromptSubmit {
                prompt: raw(prompt.text.as_str())?,
                files: uploads(ran.files.as_ref())?,
                extra_data: extra_data.as_deref().map(raw).transpose()?,
                strict,
                idempotency_key,
                batch: None,
            };
            submit_prompt(core, caller, submit).await
        }
        (None, None) => Err(UNKNOWN),
    }
}

/// Which uploads were given for which of a prompt's names.
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
        .map_err(|error| Error::Internal(format!("what a job ran is no JSON: {error}")))
}

const UNKNOWN: Error = Error::NotFound { what: "job" };
