//! Reading jobs: one, many, and where one is right now.

use super::{Job, Progress, Status, not_found, store};
use crate::ids::JobId;
use crate::{Caller, Core, Result};

/// Places counted at most; beyond it the position is "more than".
pub(super) const COUNTED: i64 = 1000;

/// A job and where it is right now.
#[derive(Debug, Clone, PartialEq)]
pub struct JobStatus {
    pub job: Job,
    /// Where it stands in the queue, while it waits.
    pub queue: Option<QueuePlace>,
    /// How far it is, while it runs on this node.
    pub progress: Option<Progress>,
}

/// A place in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueuePlace {
    /// 1 is next; 1001 stands for anything beyond a thousand.
    pub position: i64,
    /// When it will begin, in seconds from now: not before, and hardly after. From what ran lately.
    pub eta_seconds: (i64, i64),
}

/// A job of the caller's (anybody's for an admin).
///
/// # Errors
/// [`crate::Error::NotFound`] where there is none or it is somebody else's.
pub async fn find(core: &Core, caller: &Caller, id: JobId) -> Result<Job> {
    caller.signed_in()?;
    store::find(&core.db, id).await?.filter(|job| caller.owns_or_admin(job.user)).ok_or_else(not_found)
}

/// The caller's jobs, newest first: at most `limit` older than `before`, of any status where none is named.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest.
pub async fn list(
    core: &Core,
    caller: &Caller,
    statuses: &[Status],
    before: Option<JobId>,
    limit: i64,
) -> Result<Vec<Job>> {
    Ok(store::of_user(&core.db, caller.signed_in()?, statuses, before, limit).await?)
}

/// Where a job of the caller's is.
///
/// # Errors
/// [`crate::Error::NotFound`] where there is none or it is somebody else's.
pub async fn status(core: &Core, caller: &Caller, id: JobId) -> Result<JobStatus> {
    let job = find(core, caller, id).await?;
    let queue = if job.status == Status::Pending { place(core, &job).await? } else { None };
    let progress = if job.status.is_terminal() { None } else { core.queue.events().progress(id) };
    Ok(JobStatus { job, queue, progress })
}

async fn place(core: &Core, job: &Job) -> Result<Option<QueuePlace>> {
    let ahead = store::ahead(&core.db, job.id, COUNTED).await?;
    Ok(ahead.map(|ahead| place_after(core, &job.pool, job.estimate_ms, ahead)))
}

/// The place of a job that is expected to run so long, behind so many others.
pub(super) fn place_after(core: &Core, pool: &str, estimate_ms: i64, ahead: i64) -> QueuePlace {
    let workers = core.fleet.roster().connected_in(pool).max(1);
    let rounds = ahead / i64::try_from(workers).unwrap_or(i64::MAX) + 1;
    // Jobs that run now are on average half done; the ones ahead are taken to be like this one.
    let seconds = |rounds: i64, share: i64| rounds * estimate_ms * share / 100 / 1000;
    let eta_seconds = (seconds(rounds - 1, 70), seconds(rounds, 150).max(1));
    QueuePlace { position: ahead + 1, eta_seconds }
}
