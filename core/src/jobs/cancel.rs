//! Canceling: exactly one job, by whoever may.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::json;

use super::flight::rows::Unclaimed;
use super::job::Job;
use super::lists::find;
use super::queue::waiting::Queued;
use super::status::Status;
use super::store;
use crate::audit::{self, Act, Action};
use crate::caller::Authority;
use crate::ids::{JobId, UserId};
use crate::ledger::{Movement, Post, PostError};
use crate::{Caller, Core, Result};

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
/// [`crate::Error::NotFound`] where there is none or it is somebody else's.
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
pub(super) async fn note(core: &Core, by: Authority, act: Act) -> Result<()> {
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
            core.queue.waiting().leave(job.id, Queued::new(job.user, &job.pool, job.lane));
            Ok(true)
        }
        Err(PostError::Refused(_) | PostError::Denied(_)) => Ok(false),
        Err(PostError::Failed(error)) => Err(error),
    }
}

/// The end of a job that waits: its hold is given back, and the row says so.
pub(super) fn canceled(job: JobId, account: UserId, now: DateTime<Utc>) -> Post {
    let row = Unclaimed { job, status: Status::Canceled, validate: None, ended_at: now };
    Post { account, movement: Movement::Settle { job, used: 0 }, attached: Some(row.attached()) }
}
