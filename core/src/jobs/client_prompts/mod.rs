//! Prompts that ComfyUI clients sent, as their queue and history. Each is a job; what a client knows of it (its own id
//! for the prompt, its number, its socket) is in a row beside the job's.
//!
//! A client's id for a prompt is unique for one user only, so it is no id of a job: two users may choose the same one.
//! Removing a prompt from the history leaves its job and outputs.

pub(in crate::jobs) mod client_prompt;
pub(in crate::jobs) mod store;

use std::collections::HashMap;

use serde_json::value::RawValue;
use uuid::Uuid;

use self::client_prompt::{ClientPrompt, ClientPromptFilter, PromptCall, PromptContent, Removal};
use super::job::not_found;
use super::outputs::{JobOutput, OutputPiece, add_piece, assets_of, hidden_among};
use super::status::{Lane, Status};
use crate::ids::{JobId, UserId};
use crate::{Caller, Core, Error, Result};

/// The most ended prompts that are counted.
const MAX_COUNTED: i64 = 10_000;
/// A submit that began earlier is not in progress any more: its job was accepted by then, or never will be.
const SUBMIT_LIMIT_MS: u128 = 30_000;
/// The most bytes of prompts that one call returns. One prompt has up to a few megabytes.
const MAX_CONTENT_BYTES: i64 = 32 << 20;

/// A job that the caller knows by this id: a prompt by its client's id, or any job of the caller. Not even admins see
/// those of others.
///
/// # Errors
/// [`Error::NotFound`] where it is missing or another user's.
pub async fn find_client_prompt(core: &Core, caller: &Caller, id: Uuid) -> Result<ClientPrompt> {
    let user = caller.signed_in()?;
    store::find(&core.db, user, id).await?.ok_or_else(not_found)
}

/// Whether another account has the job with this id. It tells no more of the job, and nothing of the ids that clients
/// choose.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn is_job_of_another(core: &Core, caller: &Caller, id: JobId) -> Result<bool> {
    Ok(store::is_of_another(&core.db, caller.signed_in()?, id).await?)
}

/// The caller's prompts that wait or run, newest first. They have no outputs yet, so the filter's kind of outputs does
/// not apply.
pub async fn active_client_prompts(
    core: &Core,
    caller: &Caller,
    filter: &ClientPromptFilter,
    limit: i64,
) -> Result<Vec<ClientPrompt>> {
    Ok(store::active(&core.db, caller.signed_in()?, filter, limit).await?)
}

/// The caller's ended prompts that are in the history, newest first: `limit` after `offset`.
pub async fn ended_client_prompts(
    core: &Core,
    caller: &Caller,
    filter: &ClientPromptFilter,
    (offset, limit): (i64, i64),
) -> Result<Vec<ClientPrompt>> {
    Ok(store::ended(&core.db, caller.signed_in()?, filter, (offset, limit)).await?)
}

/// Counts what [`ended_client_prompts`] lists, up to 10,000.
pub async fn count_ended_client_prompts(core: &Core, caller: &Caller, filter: &ClientPromptFilter) -> Result<i64> {
    Ok(store::count_ended(&core.db, caller.signed_in()?, filter, MAX_COUNTED).await?)
}

/// Counts the caller's prompts that wait or run.
pub async fn count_active_client_prompts(core: &Core, caller: &Caller) -> Result<i64> {
    Ok(store::count_active(&core.db, caller.signed_in()?).await?)
}

/// Removes ended prompts of the caller from the history; returns their number.
pub async fn remove_client_prompts(core: &Core, caller: &Caller, removal: &Removal) -> Result<u64> {
    let user = caller.signed_in()?;
    let ids = match removal {
        Removal::All => None,
        Removal::Some(ids) => Some(ids.as_slice()),
    };
    Ok(store::remove(&core.db, user, ids, core.clock.now()).await?)
}

/// The prompts as they were sent. The prompts must be the caller's; graphs of mini apps are not shown, nor those of older
/// prompts where all together would have more than [`MAX_CONTENT_BYTES`].
pub async fn prompt_contents(core: &Core, prompts: &[ClientPrompt]) -> Result<HashMap<JobId, PromptContent>> {
    let jobs: Vec<JobId> = prompts.iter().map(|prompt| prompt.job).collect();
    if jobs.is_empty() {
        return Ok(HashMap::new());
    }
    let raw = |text: String| {
        RawValue::from_string(text)
            .map_err(|error| Error::Internal(format!("a stored prompt is invalid JSON: {error}")))
    };
    let rows = store::contents(&core.db, &jobs, MAX_CONTENT_BYTES).await?.into_iter();
    rows.map(|(job, prompt, extra_data)| {
        let extra_data = extra_data.unwrap_or_else(|| "{}".to_owned());
        Ok((job, PromptContent { prompt: raw(prompt)?, extra_data: raw(extra_data)? }))
    })
    .collect()
}

/// The outputs of the ended ones among these prompts, which must be the caller's.
pub async fn prompt_outputs(core: &Core, prompts: &[ClientPrompt]) -> Result<HashMap<JobId, Vec<JobOutput>>> {
    let ended: Vec<JobId> = prompts.iter().filter(|one| one.status.is_terminal()).map(|one| one.job).collect();
    let mut outputs: HashMap<JobId, Vec<JobOutput>> = HashMap::new();
    if ended.is_empty() {
        return Ok(outputs);
    }
    let rows = store::outputs(&core.db, &ended).await?;
    let mut assets = assets_of(core, rows.iter().filter_map(|row| row.asset)).await?;
    let hidden = hidden_among(core, &assets).await?;
    // An editor cannot load them.
    assets.retain(|_, asset| !hidden.contains(&asset.content));
    for row in rows {
        let piece = match (row.text, row.asset.and_then(|id| assets.remove(&id))) {
            (Some(text), _) => OutputPiece::Text(text),
            (None, Some(asset)) => OutputPiece::Asset(Box::new(asset)),
            (None, None) => OutputPiece::Gone,
        };
        add_piece(outputs.entry(row.job).or_default(), row.node_id, row.kind, piece);
    }
    Ok(outputs)
}

/// Writes the row of a prompt before its job. It replaces the row of a submit that ended without an answer, as in a crash.
///
/// # Errors
/// [`Error::Invalid`] for a prompt id that the user has used before.
pub(in crate::jobs) async fn record(
    core: &Core,
    user: UserId,
    job: JobId,
    call: &PromptCall,
    outputs: &[String],
) -> Result<()> {
    let milliseconds = (job.0.as_u128() >> 80).saturating_sub(SUBMIT_LIMIT_MS);
    let lost_before = JobId(Uuid::from_u128(milliseconds << 80));
    if store::insert(&core.db, user, (job, lost_before), call, outputs).await? {
        return Ok(());
    }
    Err(Error::invalid("prompt_id", "was used for another prompt"))
}

/// Lets an accepted job go before the other waiting jobs of its user. The job is accepted, so an error only costs its
/// place.
pub(in crate::jobs) async fn move_to_front(core: &Core, user: UserId, (pool, lane): (&str, Lane), job: JobId) {
    if let Err(error) = store::move_to_front(&core.db, user, pool, lane, job).await {
        tracing::warn!(job.id = %job, %error, "job {job} keeps its place in the queue");
    }
}

impl ClientPrompt {
    /// Whether it was canceled before it ran: a ComfyUI server forgets such a prompt.
    #[must_use]
    pub fn never_ran(&self) -> bool {
        self.status == Status::Canceled && self.started_at.is_none()
    }
}

#[cfg(test)]
mod tests;
