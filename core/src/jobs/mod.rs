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
mod assignment;
mod dispatcher;
mod estimates;
mod events;
mod lanes;
mod lists;
mod outputs;
mod queue;
mod riders;
mod state;
mod status;
mod store;
mod submit;
mod sweep;
mod tags;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;

pub use dispatcher::Dispatcher;
pub use events::{EventBus, JobEvent, Progress, Subscription};
pub use lists::{JobStatus, QueuePlace, find, list, status};
pub use outputs::{JobOutput, OutputPiece, outputs};
pub use queue::{Queue, start};
pub use status::{Lane, Status};
pub use submit::{FormSubmit, PromptSubmit, Submitted, submit_form, submit_prompt};

use crate::ids::{JobId, UserId, WorkflowApiVersionId};
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
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    /// Time on the worker, in milliseconds.
    pub ran_ms: Option<i64>,
    pub credits_used: Option<i64>,
    /// What it was expected to run when it was accepted, in milliseconds.
    pub estimate_ms: i64,
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
    if job.status == Status::Pending && cancel_waiting(core, &job).await? {
        core.queue.tell(id, Status::Canceled, core.clock.now());
        return Ok(Canceled { id, status: Status::Canceled });
    }
    if !job.status.is_terminal() && store::request_cancel(&core.db, id).await? {
        // Its own node hears of it now; another node reads the row within a sweep.
        core.queue.stop(id);
    }
    let status = store::find(&core.db, id).await?.map_or(job.status, |job| job.status);
    Ok(Canceled { id, status })
}

/// Ends a job that still waits. `false` where it does not wait any more.
async fn cancel_waiting(core: &Core, job: &Job) -> Result<bool> {
    let row = riders::Unclaimed { job: job.id, status: Status::Canceled, validate: None, ended_at: core.clock.now() };
    let movement = Movement::Settle { job: job.id, used: 0 };
    match core.ledger.post(Post { account: job.user, movement, rider: Some(row.rider()) }).await {
        Ok(_) => {
            core.queue.leave(job.user, &job.pool, job.lane);
            Ok(true)
        }
        Err(PostError::Refused(_) | PostError::Denied(_)) => Ok(false),
        Err(PostError::Failed(error)) => Err(error),
    }
}

/// Listens to a job of the caller's, from after the event `after` on.
///
/// # Errors
/// [`Error::NotFound`] where there is none or it is somebody else's.
pub async fn subscribe(core: &Core, caller: &Caller, id: JobId, after: Option<u64>) -> Result<Subscription> {
    find(core, caller, id).await?;
    Ok(core.queue.events().subscribe(id, after))
}

/// The titles of a prompt's nodes, for progress that people understand.
pub(crate) fn titles(prompt: &crate::graph::Prompt) -> std::collections::HashMap<String, String> {
    prompt.0.iter().map(|(id, node)| (id.clone(), node.title().to_owned())).collect()
}

/// The error of a job that nobody may see.
fn not_found() -> Error {
    Error::NotFound { what: "job" }
}
