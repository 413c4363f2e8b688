//! Batches: jobs that are sent in one file, and are looked at and canceled together.
//!
//! A batch is a name for jobs and nothing more: each item is submitted by the verb that a single submit uses, with an
//! idempotency key of its own, and is accepted or refused alone. So a file that was cut off can be sent again, and
//! makes exactly the jobs that are missing.
//!
//! Canceling a large batch takes longer than a request may: the request cancels what it can within [`AT_ONCE`], a task
//! of the node goes on with the rest, and the sweep takes over where that task was lost.
//!
//! A batch that got jobs is open until it is finished ([`ends`]): none of its jobs waits or runs, and no upload brings more
//! ([`receiving`]). A job that comes later opens it again, within the commit that accepts it.

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
pub use receiving::{Receiving, receive_batch};

use super::cancel::{canceled, note};
use super::lists::find_batch;
use super::queue::waiting::Queued;
use super::status::Status;
use super::submit::submission::{FormSubmit, PromptSubmit, Submitted};
use super::submit::{check_key, submit_form, submit_prompt};
use crate::audit::{Act, Action};
use crate::ids::{BatchId, JobId};
use crate::ledger::PostError;
use crate::{Caller, Code, Core, Error, Result, supervision, users};
use store::WaitingJob;

/// How long a request to cancel works on it before it answers.
const AT_ONCE: Duration = Duration::from_secs(2);
/// Waiting jobs that are canceled together; others' posts go into the same commits.
const CHUNK: i64 = 500;
/// Batches that one sweep goes on canceling, and the chunks it cancels of each.
const SWEPT: i64 = 5;
const SWEPT_CHUNKS: usize = 10;
/// The counts of a batch of more jobs than this are counted anew once in [`super::queue::COUNTS_LAST`].
const LARGE: i64 = 10_000;
/// A canceled batch is looked at for so long at least: a submit that had begun before may come late.
const LATE_SECONDS: i64 = 60;

/// One item of a batch. Its idempotency key is not optional: without one it could not be sent again.
#[derive(Debug, Clone)]
pub enum BatchItem {
    Form(FormSubmit),
    Prompt(PromptSubmit),
}

/// Begins a batch of the caller's, or goes on with the one of that key.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Invalid`] for a key that is none; a conflict `BATCH_CANCELED` where the batch of
/// that key was canceled.
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
    let known = known.ok_or_else(|| Error::Internal("a batch is there and cannot be found".into()))?;
    if known.cancel_requested_at.is_some() {
        return Err(was_canceled());
    }
    Ok(known)
}

/// Accepts one item of a batch, as a single submit would.
///
/// # Errors
/// Those of [`submit_form`] and [`submit_prompt`], and a conflict `BATCH_CANCELED`.
pub async fn submit_item(core: &Core, caller: &Caller, batch: &Batch, item: BatchItem) -> Result<Submitted> {
    let key = match &item {
        BatchItem::Form(submit) => &submit.idempotency_key,
        BatchItem::Prompt(submit) => &submit.idempotency_key,
    };
    check_key("key", key.as_deref().unwrap_or_default())?;
    if core.queue.is_canceled(batch.id) {
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
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn batches(core: &Core, caller: &Caller, before: Option<BatchId>, limit: i64) -> Result<Vec<Batch>> {
    Ok(store::of_user(&core.db, caller.signed_in()?, before, limit).await?)
}

/// How far a batch of the caller's is.
///
/// # Errors
/// [`Error::NotFound`] where there is none or it is somebody else's.
pub async fn batch_status(core: &Core, caller: &Caller, id: BatchId) -> Result<BatchStatus> {
    let batch = find_batch(core, caller, id).await?;
    match core.queue.counts(id) {
        Some(counted) => Ok(BatchStatus { batch, ..counted }),
        None => count(core, batch).await,
    }
}

async fn count(core: &Core, batch: Batch) -> Result<BatchStatus> {
    let counts = store::counts(&core.db, batch.id).await?;
    let status = BatchStatus::of(batch, counts);
    if status.total() > LARGE {
        core.queue.note_counts(status.clone());
    }
    Ok(status)
}

/// Cancels all of a batch that waits or runs, and accepts nothing more into it; harmless when repeated. What a request
/// has no time for is done after it: the status tells what is left.
///
/// # Errors
/// [`Error::NotFound`] where there is none or it is somebody else's.
pub async fn cancel_batch(core: &Core, caller: &Caller, id: BatchId) -> Result<BatchStatus> {
    let batch = find_batch(core, caller, id).await?;
    note(core, caller.authority_over(batch.user)?, Act::new(Action::BatchCancel, id).of(batch.user)).await?;
    core.queue.note_canceled(id);
    store::request_cancel(&core.db, id, core.clock.now()).await?;
    if let Some(turn) = core.queue.canceling(id) {
        let all = {
            let core = core.clone();
            async move {
                let _turn = turn;
                if let Err(error) = cancel_all(&core, id, usize::MAX).await {
                    tracing::warn!(batch.id = %id, %error, "canceling a batch is left for the sweep");
                }
            }
        };
        // The task outlives this wait; where it panics, the sweep goes on.
        drop(tokio::time::timeout(AT_ONCE, supervision::spawn(all)).await);
    }
    let batch = find_batch(core, caller, id).await?;
    count(core, batch).await
}

/// Goes on canceling batches whose own task was lost, or that got a late job. One sweep's share of it.
pub(in crate::jobs) async fn cancel_on(core: &Core) -> Result<()> {
    let now = core.clock.now();
    for batch in store::canceling(&core.db, SWEPT).await? {
        core.queue.note_canceled(batch.id);
        let Some(_turn) = core.queue.canceling(batch.id) else { continue };
        cancel_all(core, batch.id, SWEPT_CHUNKS).await?;
        if batch.cancel_requested_at.is_some_and(|at| now - at > chrono::Duration::seconds(LATE_SECONDS)) {
            store::finish_cancel(&core.db, batch.id, now).await?;
        }
    }
    Ok(())
}

/// Stops what runs and cancels what waits, until nothing waits any more or so many chunks were looked at.
async fn cancel_all(core: &Core, batch: BatchId, mut chunks: usize) -> Result<()> {
    loop {
        for job in store::request_stops(&core.db, batch).await? {
            // Its node hears of it now, this one or another; the sweep reads the row where that is lost.
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
        // A job that was claimed meanwhile is asked to stop in the next round; one without any change is the last.
        if !found {
            return Ok(());
        }
    }
}

/// Cancels a job that waits. `false` where it does not wait any more, or the ledger is busy.
async fn cancel_one(core: &Core, job: &WaitingJob) -> bool {
    let now = core.clock.now();
    match core.ledger.post(canceled(job.id, job.user, now)).await {
        Ok(_) => {
            core.queue.waiting().leave(job.id, Queued::new(job.user, &job.pool, job.lane));
            core.queue.events().publish_end(job.id, Status::Canceled, now);
            true
        }
        Err(PostError::Refused(_) | PostError::Denied(_)) => false,
        Err(PostError::Failed(error)) => {
            tracing::warn!(job.id = %job.id, %error, "a job of a canceled batch is left for the sweep");
            false
        }
    }
}

fn was_canceled() -> Error {
    Error::conflict(Code::BatchCanceled, "the batch was canceled; send the items as a new one")
}
