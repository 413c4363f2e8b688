//! Lists of jobs, single jobs, and their positions.

mod everyones;
mod listed_job;
mod store;

pub use everyones::{JobSearch, ListedJobs, list_all};
pub use listed_job::{AnyJobFilter, ListedJob};

use super::batches;
use super::batches::batch::Batch;
use super::filter::JobFilter;
use super::job::{Job, not_found};
use super::live::event::JobProgress;
use super::queue::entry::QueueEntry;
use super::queue::position::{QueuePosition, position};
use super::status::Status;
use crate::filter::check_ids;
use crate::ids::{BatchId, JobId};
use crate::list::MAX_COUNT;
use crate::periods::{PeriodCount, Periods};
use crate::{Caller, Core, Error, Result};

/// A job, its position and its progress.
#[derive(Debug, Clone, PartialEq)]
pub struct JobStatus {
    pub job: Job,
    /// The position in the queue of a waiting job.
    pub queue: Option<QueuePosition>,
    /// The progress of a job that runs on this node.
    pub progress: Option<JobProgress>,
}

/// A job of the caller (any, for an admin).
///
/// # Errors
/// [`crate::Error::NotFound`] where it is missing or another user's.
pub async fn find(core: &Core, caller: &Caller, id: JobId) -> Result<Job> {
    caller.signed_in()?;
    super::store::find(&core.db, id).await?.filter(|job| caller.owns_or_admin(job.user)).ok_or_else(not_found)
}

/// The caller's jobs, or those of one batch, newest first: at most `limit` older than `before`.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest; [`crate::Error::NotFound`] for another user's batch.
pub async fn list(
    core: &Core,
    caller: &Caller,
    filter: &JobFilter,
    before: Option<JobId>,
    limit: i64,
) -> Result<Vec<Job>> {
    let user = caller.signed_in()?;
    if !check_ids(filter.ids.as_ref())? {
        return Ok(Vec::new());
    }
    let owner = match filter.batch {
        None => user,
        Some(batch) => find_batch(core, caller, batch).await?.user,
    };
    Ok(match (&filter.labels, filter.batch) {
        (Some(labels), _) => store::labelled(&core.db, owner, (labels, filter), before, limit).await?,
        (None, Some(batch)) => store::of_batch(&core.db, batch, filter, before, limit).await?,
        (None, None) => store::of_user(&core.db, owner, filter, before, limit).await?,
    })
}

/// Counts what [`list`] lists, up to [`MAX_COUNT`].
///
/// # Errors
/// As [`list`].
pub async fn count(core: &Core, caller: &Caller, filter: &JobFilter) -> Result<i64> {
    let user = caller.signed_in()?;
    if !check_ids(filter.ids.as_ref())? {
        return Ok(0);
    }
    let owner = match filter.batch {
        None => user,
        Some(batch) => find_batch(core, caller, batch).await?.user,
    };
    Ok(match (&filter.labels, filter.batch) {
        (Some(labels), _) => store::count_labelled(&core.db, owner, (labels, filter), MAX_COUNT).await?,
        (None, Some(batch)) => store::count_of_batch(&core.db, batch, filter, MAX_COUNT).await?,
        (None, None) => store::count_of_user(&core.db, owner, filter, MAX_COUNT).await?,
    })
}

/// Counts the jobs that the caller submitted in each period; for an admin, those of all users.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest.
pub async fn counts(core: &Core, caller: &Caller, periods: &Periods) -> Result<Vec<PeriodCount>> {
    let owner = caller.own_or_all()?;
    Ok(periods.filled(store::counts(&core.db, owner, periods).await?))
}

/// A job of the caller with its position and progress.
///
/// # Errors
/// [`crate::Error::NotFound`] where it is missing or another user's.
pub async fn status(core: &Core, caller: &Caller, id: JobId) -> Result<JobStatus> {
    let job = find(core, caller, id).await?;
    let queue = if job.status == Status::Pending { Some(position(core, &QueueEntry::from(&job)).await?) } else { None };
    let progress = if job.status.is_terminal() { None } else { core.queue.events().progress(id) };
    Ok(JobStatus { job, queue, progress })
}

/// A batch of the caller (any, for an admin).
pub(super) async fn find_batch(core: &Core, caller: &Caller, id: BatchId) -> Result<Batch> {
    caller.signed_in()?;
    let found = batches::store::find(&core.db, id).await?.filter(|batch| caller.owns_or_admin(batch.user));
    found.ok_or(Error::NotFound { what: "batch" })
}
