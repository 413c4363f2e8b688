//! Runs, from submit to terminal status; the queue.
//!
//! ```text
//!   submit ──▶ row (Pending) + hold, one group commit
//!     Dispatcher claims rows for free workers ──▶ one JobActor per job in flight ──▶ the worker's connection
//!       reports come back ──▶ status writes ──▶ outputs + settlement + terminal status, one group commit
//! ```
//!
//! The row is the truth: an actor is a cache of it, and a sweep repeats what was lost with a process.

mod actor;
mod again;
mod assignment;
mod batch;
mod brought;
mod census;
mod dispatcher;
mod estimates;
mod events;
mod files;
mod follow;
mod forecast;
mod forgetting;
mod graph;
mod lanes;
mod line;
mod lists;
mod metrics;
mod neighbours;
mod origin;
mod outputs;
mod place;
mod queue;
mod riders;
mod state;
mod status;
mod store;
mod submit;
mod sweep;
mod tags;
#[cfg(test)]
mod tests;
mod validity;
mod waiting;
mod why;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Value, json};

pub use again::again;
pub use batch::{Batch, BatchItem, BatchStatus, batch_status, batches, cancel_batch, open_batch, submit_item};
pub use census::{Census, census};
pub use dispatcher::Dispatcher;
pub use events::{EventBus, JobEvent, Progress, Subscription};
pub use files::INPUTS;
pub use forgetting::{forget, forget_apps};
pub use graph::{MadeWith, made_with, original, owns_graph};
pub use lists::{JobFilter, JobStatus, count, counts, find, list, status};
pub use origin::{Origin, Setting, SettingWords, Source, origin};
pub use outputs::{Glimpse, JobOutput, OutputPiece, glimpses, outputs};
pub use place::QueuePlace;
pub use queue::{Queue, start};
pub use status::{Lane, Status};
pub use submit::{FormSubmit, PromptSubmit, Submitted, submit_form, submit_prompt};
pub use why::{Why, WhyCode, why};

use crate::audit::{self, Act, Action};
use crate::caller::Authority;
use crate::ids::{BatchId, JobId, UserId, WorkflowApiVersionId};
use crate::ledger::{Movement, Post, PostError};
use crate::{Caller, Core, Error, Result};

/// A run.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub id: JobId,
    pub user: UserId,
    pub status: Status,
    pub lane: Lane,
    pub pool: String,
    /// How often a worker was chosen for it.
    pub attempt: i16,
    /// The version of the mini app it runs; `None` for a raw prompt.
    pub version: Option<WorkflowApiVersionId>,
    /// The content hash of the raw prompt it runs.
    pub prompt_hash: Option<String>,
    /// The form as it was submitted, with the defaults filled in.
    pub form: Option<Value>,
    /// The seed that was used, by form field.
    pub seeds: Option<Value>,
    /// What a node raised: `exception_message`, `exception_type`, `node_id`, `node_type`, `traceback`.
    pub execute_exception: Option<Value>,
    /// Why it was refused or could not run: `message`, and ComfyUI's `error` and `node_errors` where it has them.
    pub validate_exception: Option<Value>,
    /// What is wrong with outputs that were left out, in ComfyUI's shape: node id → `errors`, `dependent_outputs`,
    /// `class_type`.
    pub node_errors: Option<Value>,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    /// Time on the worker, in milliseconds.
    pub ran_ms: Option<i64>,
    pub credits_used: Option<i64>,
    /// What it was expected to run when it was accepted, in milliseconds.
    pub estimate_ms: i64,
    /// The batch that it was sent in.
    pub batch: Option<BatchId>,
    /// The hash of what a worker must have.
    pub needs: String,
    /// Its virtual start time: the lower, the earlier.
    pub vstart: i64,
}

/// A job that was asked to stop, and where it is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Canceled {
    pub id: JobId,
    pub status: Status,
}

/// Cancels a job of the caller's (anybody's for an admin): exactly this one; harmless when repeated.
///
/// A waiting job ends at once. One in flight ends when its worker has stopped; the status tells.
///
/// # Errors
/// [`Error::NotFound`] where there is none or it is somebody else's.
pub async fn cancel(core: &Core, caller: &Caller, id: JobId) -> Result<Canceled> {
    let job = find(core, caller, id).await?;
    let act = Act::new(Action::JobCancel, id).of(job.user).before(json!({ "status": job.status }));
    note(core, caller.authority_over(job.user)?, act).await?;
    if job.status == Status::Pending && cancel_waiting(core, &job).await? {
        core.queue.tell(id, Status::Canceled, core.clock.now());
        return Ok(Canceled { id, status: Status::Canceled });
    }
    if !job.status.is_terminal() && store::request_cancel(&core.db, id).await? {
        // Its node hears of it now, this one or another; the sweep reads the row where that is lost.
        core.queue.stop(id);
    }
    let status = store::find(&core.db, id).await?.map_or(job.status, |job| job.status);
    Ok(Canceled { id, status })
}

/// Writes down what an admin asks of somebody's jobs; before it is done, because the ledger commits for itself.
async fn note(core: &Core, by: Authority, act: Act) -> Result<()> {
    if let Authority::Admin(by) = by {
        let mut connection = core.db.acquire().await?;
        audit::record(&mut connection, by, act, core.clock.now()).await?;
    }
    Ok(())
}

/// Ends a job that still waits. `false` where it does not wait any more.
async fn cancel_waiting(core: &Core, job: &Job) -> Result<bool> {
    match core.ledger.post(canceled(job.id, job.user, core.clock.now())).await {
        Ok(_) => {
            core.queue.waiting().leave(job.id, waiting::Queued::new(job.user, &job.pool, job.lane));
            Ok(true)
        }
        Err(PostError::Refused(_) | PostError::Denied(_)) => Ok(false),
        Err(PostError::Failed(error)) => Err(error),
    }
}

/// The end of a job that waits: its hold is given back, and the row says so.
fn canceled(job: JobId, account: UserId, now: DateTime<Utc>) -> Post {
    let row = riders::Unclaimed { job, status: Status::Canceled, validate: None, ended_at: now };
    Post { account, movement: Movement::Settle { job, used: 0 }, rider: Some(row.rider()) }
}

/// Listens to a job of the caller's, from after the event `after` on; tells where it is now, too.
///
/// # Errors
/// [`Error::NotFound`] where there is none or it is somebody else's.
pub async fn subscribe(
    core: &Core,
    caller: &Caller,
    id: JobId,
    after: Option<u64>,
) -> Result<(JobStatus, Subscription)> {
    // Listen first, read then: what happens in between is told twice rather than never.
    let subscription = core.queue.events().subscribe(id, after);
    match status(core, caller, id).await {
        Ok(status) => {
            core.queue.events().note(id, status.job.status);
            Ok((status, subscription))
        }
        Err(error) => {
            drop(subscription);
            core.queue.events().forget(id);
            Err(error)
        }
    }
}

/// The titles of a prompt's nodes, for progress that people understand.
pub(crate) fn titles(prompt: &crate::graph::Prompt) -> std::collections::HashMap<String, String> {
    prompt.0.iter().map(|(id, node)| (id.clone(), node.title().to_owned())).collect()
}

/// The error of a job that nobody may see.
fn not_found() -> Error {
    Error::NotFound { what: "job" }
}
