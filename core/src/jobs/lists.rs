//! Reading jobs: one, many, and where one is right now.

use super::batch::find_batch;
use super::line::Spot;
use super::place::{QueuePlace, place};
use super::{Job, Progress, Status, not_found, store};
use crate::ids::{BatchId, JobId};
use crate::{Caller, Core, Result};

/// A job and where it is right now.
#[derive(Debug, Clone, PartialEq)]
pub struct JobStatus {
    pub job: Job,
    /// Where it stands in the queue, while it waits.
    pub queue: Option<QueuePlace>,
    /// How far it is, while it runs on this node.
    pub progress: Option<Progress>,
}

/// A job of the caller's (anybody's for an admin).
///
/// # Errors
/// [`crate::Error::NotFound`] where there is none or it is somebody else's.
pub async fn find(core: &Core, caller: &Caller, id: JobId) -> Result<Job> {
    caller.signed_in()?;
    store::find(&core.db, id).await?.filter(|job| caller.owns_or_admin(job.user)).ok_or_else(not_found)
}

/// Which jobs a list shows.
#[derive(Debug, Clone, Default)]
pub struct JobFilter {
    /// Of any status where none is named.
    pub statuses: Vec<Status>,
    /// Only those of a batch.
    pub batch: Option<BatchId>,
}

/// The caller's jobs, or those of one batch, newest first: at most `limit` older than `before`.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest; [`crate::Error::NotFound`] for somebody else's batch.
pub async fn list(
    core: &Core,
    caller: &Caller,
    filter: &JobFilter,
    before: Option<JobId>,
    limit: i64,
) -> Result<Vec<Job>> {
    let user = caller.signed_in()?;
    match filter.batch {
        None => Ok(store::of_user(&core.db, user, &filter.statuses, before, limit).await?),
        Some(batch) => {
            find_batch(core, caller, batch).await?;
            Ok(store::of_batch(&core.db, batch, &filter.statuses, before, limit).await?)
        }
    }
}

/// Where a job of the caller's is.
///
/// # Errors
/// [`crate::Error::NotFound`] where there is none or it is somebody else's.
pub async fn status(core: &Core, caller: &Caller, id: JobId) -> Result<JobStatus> {
    let job = find(core, caller, id).await?;
    let queue = if job.status == Status::Pending { Some(place(core, &Spot::from(&job)).await?) } else { None };
    let progress = if job.status.is_terminal() { None } else { core.queue.events().progress(id) };
    Ok(JobStatus { job, queue, progress })
}
