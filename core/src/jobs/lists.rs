//! Reading jobs: one, many, and where one is right now.

use super::batches::batch::Batch;
use super::filter::JobFilter;
use super::job::{Job, not_found};
use super::live::event::Progress;
use super::queue::position::{QueuePosition, place};
use super::queue::spot::Spot;
use super::status::Status;
use super::{batches, store};
use crate::filter::MAX_COUNT;
use crate::ids::{BatchId, JobId};
use crate::periods::{PeriodCount, Periods};
use crate::{Caller, Core, Error, Result};

/// A job and where it is right now.
#[derive(Debug, Clone, PartialEq)]
pub struct JobStatus {
    pub job: Job,
    /// Where it stands in the queue, while it waits.
    pub queue: Option<QueuePosition>,
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
    if !filter.is_open()? {
        return Ok(Vec::new());
    }
    match filter.batch {
        None => Ok(store::of_user(&core.db, user, filter, before, limit).await?),
        Some(batch) => {
            find_batch(core, caller, batch).await?;
            Ok(store::of_batch(&core.db, batch, filter, before, limit).await?)
        }
    }
}

/// How many there are of what [`list`] shows, up to [`MAX_COUNT`].
///
/// # Errors
/// As [`list`].
pub async fn count(core: &Core, caller: &Caller, filter: &JobFilter) -> Result<i64> {
    let user = caller.signed_in()?;
    if !filter.is_open()? {
        return Ok(0);
    }
    if let Some(batch) = filter.batch {
        find_batch(core, caller, batch).await?;
        return Ok(store::count_of_batch(&core.db, batch, filter, MAX_COUNT).await?);
    }
    Ok(store::count_of_user(&core.db, user, filter, MAX_COUNT).await?)
}

/// How many the caller submitted in each period; an admin counts everybody's.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest.
pub async fn counts(core: &Core, caller: &Caller, periods: &Periods) -> Result<Vec<PeriodCount>> {
    let owner = caller.own_or_all()?;
    Ok(periods.filled(store::counts(&core.db, owner, periods).await?))
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

/// A batch of the caller's (anybody's for an admin).
pub(super) async fn find_batch(core: &Core, caller: &Caller, id: BatchId) -> Result<Batch> {
    caller.signed_in()?;
    let found = batches::store::find(&core.db, id).await?.filter(|batch| caller.owns_or_admin(batch.user));
    found.ok_or(Error::NotFound { what: "batch" })
}
