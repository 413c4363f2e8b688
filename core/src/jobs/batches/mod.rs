//! Batches: jobs of one file, with a common status, which can be canceled together.
//!
//! Each item is submitted as a single job with its own idempotency key, and is accepted or refused alone. So a file whose
//! upload broke off can be sent again, and creates only the missing jobs.
//!
//! Canceling a large batch takes longer than a request: the request waits for [`REQUEST_WAIT`], a task of the node
//! continues, and the sweep takes over if that task is lost.
//!
//! A batch with jobs is open until it is finished ([`ends`]): all of its jobs have ended, and no upload is under way
//! ([`receiving`]). A later job opens the batch again, in the transaction that accepts the job.

pub(in crate::jobs) mod batch;
mod ends;
mod receiving;
pub(in crate::jobs) mod store;
#[cfg(test)]
mod tests;

use std::time::Duration;

use futures_util::future::join_all;
use uuid::Uuid;

pub use batch::{Batch, BatchStatus};
pub use ends::finish_batches;
pub use receiving::{BatchUpload, receive_batch};

use super::cancel::{audit_admin, cancel_post};
use super::lists::find_batch;
use super::queue::waiting::QueuedJob;
use super::status::Status;
use super::submit::submission::{FormSubmit, PromptSubmit, Submitted};
use super::submit::{check_key, submit_form, submit_prompt};
use crate::audit::{Act, Action};
use crate::ids::{BatchId, JobId};
use crate::ledger::PostError;
use crate::{Caller, Code, Core, Error, Result, supervision, users};
use store::WaitingJob;

/// How long a cancel request waits for the task that cancels the jobs.
const REQUEST_WAIT: Duration = Duration::from_secs(2);
/// Waiting jobs that are canceled concurrently.
const CHUNK: i64 = 500;
/// Batches that one sweep continues to cancel, and the chunks of each.
const SWEPT_BATCHES: i64 = 5;
const SWEPT_CHUNKS: usize = 10;
/// The counts of a batch with more jobs than this are cached for [`super::queue::BATCH_COUNTS_TTL`].
const LARGE: i64 = 10_000;
/// The sweep looks for late submits of a canceled batch for so long.
const LATE_SECONDS: i64 = 60;

/// One item of a batch. Its idempotency key is required, so that it can be sent again.
#[derive(Debug, Clone)]
pub enum BatchItem {
    Form(FormSubmit),
    Prompt(PromptSubmit),
}

/// Creates a batch of the caller, or continues the one with this key.
///
/// # Errors
/// [`Error::Invalid`] for an invalid key; a conflict `BATCH_CANCELED` where the batch with this key is canceled.
pub async fn open_batch(core: &Core, caller: &Caller, key: Option<String>) -> Result<Batch> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    if let Some(key) = &key {
        check_key("Idempotency-Key", key)?;
    }
    let new = Batch {
        id: BatchId::new(),
        user,
        key,
        created_at: core.clock.now(),
        cancel_requested_at: None,
        finished_at: None,
    };
    if store::insert(&core.db, &permit, &new).await? {
        return Ok(new);
    }
    let known = match &new.key {
        Some(key) => store::find_key(&core.db, user, key).await?,
        None => None,
    };
    let known = known.ok_or_else(|| Error::Internal("a batch exists and cannot be found".into()))?;
    if known.cancel_requested_at.is_some() {
        return Err(was_canceled());
    }
    Ok(known)
}

/// Submits one item of a batch.
///
/// # Errors
/// Those of [`submit_form`] and [`submit_prompt`], and a conflict `BATCH_CANCELED`.
pub async fn submit_item(core: &Core, caller: &Caller, batch: &Batch, item: BatchItem) -> Result<Submitted> {
    let key = match &item {
        BatchItem::Form(submit) => &submit.idempotency_key,
        BatchItem::Prompt(submit) => &submit.idempotency_key,
    };
    check_key("key", key.as_deref().unwrap_or_default())?;
    if core.queue.is_canceled_batch(batch.id) {
        return Err(was_canceled());
    }
    match item {
        BatchItem::Form(submit) => submit_form(core, caller, FormSubmit { batch: Some(batch.id), ..submit }).await,
        BatchItem::Prompt(submit) => {
            submit_prompt(core, caller, PromptSubmit { batch: Some(batch.id), ..submit }).await
        }
    }
}

/// The caller's batches, newest first: at most `limit` older than `before`.
pub async fn batches(core: &Core, caller: &Caller, before: Option<BatchId>, limit: i64) -> Result<Vec<Batch>> {
    Ok(store::of_user(&core.db, caller.signed_in()?, before, limit).await?)
}

/// The status of a batch.
///
/// # Errors
/// [`Error::NotFound`] where the batch does not exist or belongs to another account.
pub async fn batch_status(core: &Core, caller: &Caller, id: BatchId) -> Result<BatchStatus> {
    let batch = find_batch(core, caller, id).await?;
    match core.queue.batch_counts(id) {
        Some(counted) => Ok(BatchStatus { batch, ..counted }),
        None => count(core, batch).await,
    }
}

async fn count(core: &Core, batch: Batch) -> Result<BatchStatus> {
    let counts = store::counts(&core.db, batch.id).await?;
    let status = BatchStatus::of(batch, counts);
    if status.total() > LARGE {
        core.queue.cache_batch_counts(status.clone());
    }
    Ok(status)
}

/// Cancels all unfinished jobs of a batch, and closes it for new ones. Idempotent. Large batches are canceled in the
/// background; the status shows the rest.
///
/// # Errors
/// [`Error::NotFound`] where the batch does not exist or belongs to another account.
pub async fn cancel_batch(core: &Core, caller: &Caller, id: BatchId) -> Result<BatchStatus> {
    let batch = find_batch(core, caller, id).await?;
    audit_admin(core, caller.authority_over(batch.user)?, Act::new(Action::BatchCancel, id).of(batch.user)).await?;
    core.queue.note_canceled_batch(id);
    store::request_cancel(&core.db, id, core.clock.now()).await?;
    if let Some(guard) = core.queue.begin_canceling(id) {
        let all = {
            let core = core.clone();
            async move {
                let _guard = guard;
                if let Err(error) = cancel_all(&core, id, usize::MAX).await {
                    tracing::warn!(batch.id = %id, %error, "canceling batch {id} is left for the sweep");
                }
            }
        };
        // The task outlives this wait. If it panics, the sweep continues.
        drop(tokio::time::timeout(REQUEST_WAIT, supervision::spawn(all)).await);
    }
    let batch = find_batch(core, caller, id).await?;
    count(core, batch).await
}

/// Continues to cancel batches whose task was lost, or that got a late job. One sweep does a limited part.
pub(in crate::jobs) async fn continue_canceling(core: &Core) -> Result<()> {
    let now = core.clock.now();
    for batch in store::canceling(&core.db, SWEPT_BATCHES).await? {
        core.queue.note_canceled_batch(batch.id);
        let Some(_guard) = core.queue.begin_canceling(batch.id) else { continue };
        cancel_all(core, batch.id, SWEPT_CHUNKS).await?;
        if batch.cancel_requested_at.is_some_and(|at| now - at > chrono::Duration::seconds(LATE_SECONDS)) {
            store::finish_cancel(&core.db, batch.id, now).await?;
        }
    }
    Ok(())
}

/// Stops running jobs and cancels waiting ones, until none waits any more or the chunks are used up.
async fn cancel_all(core: &Core, batch: BatchId, mut chunks: usize) -> Result<()> {
    loop {
        for job in store::request_stops(&core.db, batch).await? {
            // If the message is lost, the sweep of the job's node reads the request from the row.
            core.queue.stop(job);
        }
        let mut after = JobId(Uuid::nil());
        let mut found = false;
        loop {
            let chunk = store::waiting(&core.db, batch, after, CHUNK).await?;
            let Some(last) = chunk.last() else { break };
            if chunks == 0 {
                return Ok(());
            }
            chunks -= 1;
            after = last.id;
            found |= join_all(chunk.iter().map(|job| cancel_one(core, job))).await.contains(&true);
        }
        // The next round stops jobs that were claimed during this one. A round without a canceled job is the last.
        if !found {
            return Ok(());
        }
    }
}

/// Cancels a waiting job. `false`: it does not wait any more, or the ledger is unavailable.
async fn cancel_one(core: &Core, job: &WaitingJob) -> bool {
    let now = core.clock.now();
    match core.ledger.post(cancel_post(job.id, job.user, now)).await {
        Ok(_) => {
            core.queue.waiting().leave(job.id, QueuedJob::new(job.user, &job.pool, job.lane));
            core.queue.events().publish_end(job.id, Status::Canceled, now);
            true
        }
        Err(PostError::Refused(_) | PostError::Denied(_)) => false,
        Err(PostError::Failed(error)) => {
            tracing::warn!(job.id = %job.id, %error, "job {} of a canceled batch is left for the sweep", job.id);
            false
        }
    }
}

fn was_canceled() -> Error {
    Error::conflict(Code::BatchCanceled, "the batch was canceled; send the items as a new one")
}
