//! Cancels a single job.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::json;

use super::flight::rows::UnclaimedRow;
use super::job::Job;
use super::lists::find;
use super::queue::waiting::QueuedJob;
use super::status::Status;
use super::store;
use crate::audit::{self, Act, Action};
use crate::caller::Authority;
use crate::ids::{JobId, UserId};
use crate::ledger::{LedgerPost, Movement, PostError};
use crate::{Caller, Core, Result};

/// A job with a cancel request, and its current status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Canceled {
    pub id: JobId,
    pub status: Status,
}

/// Cancels a job that the caller owns; admins may cancel any job. Idempotent.
///
/// A waiting job ends at once. A job in flight ends when its worker has stopped.
///
/// # Errors
/// [`crate::Error::NotFound`] where the job does not exist or belongs to another account.
pub async fn cancel(core: &Core, caller: &Caller, id: JobId) -> Result<Canceled> {
    let job = find(core, caller, id).await?;
    let act = Act::new(Action::JobCancel, id).of(job.user).before(json!({ "status": job.status }));
    audit_admin(core, caller.authority_over(job.user)?, act).await?;
    if job.status == Status::Pending && cancel_waiting(core, &job).await? {
        core.queue.publish_status(id, Status::Canceled, core.clock.now());
        return Ok(Canceled { id, status: Status::Canceled });
    }
    if !job.status.is_terminal() && store::request_cancel(&core.db, id).await? {
        // If the message is lost, the sweep of the job's node reads the request from the row.
        core.queue.stop(id);
    }
    let status = store::find(&core.db, id).await?.map_or(job.status, |job| job.status);
    Ok(Canceled { id, status })
}

/// Writes an admin's act to the audit log. It comes first, because the ledger commits in its own transaction.
pub(super) async fn audit_admin(core: &Core, by: Authority, act: Act) -> Result<()> {
    if let Authority::Admin(by) = by {
        let mut connection = core.db.acquire().await?;
        audit::record(&mut connection, by, act, core.clock.now()).await?;
    }
    Ok(())
}

/// Ends a waiting job. `false`: it does not wait any more.
async fn cancel_waiting(core: &Core, job: &Job) -> Result<bool> {
    match core.ledger.post(cancel_post(job.id, job.user, core.clock.now())).await {
        Ok(_) => {
            core.queue.waiting().leave(job.id, QueuedJob::new(job.user, &job.pool, job.lane));
            Ok(true)
        }
        Err(PostError::Refused(_) | PostError::Denied(_)) => Ok(false),
        Err(PostError::Failed(error)) => Err(error),
    }
}

/// The ledger post that ends a waiting job and releases its hold.
pub(super) fn cancel_post(job: JobId, account: UserId, now: DateTime<Utc>) -> LedgerPost {
    let row = UnclaimedRow { job, status: Status::Canceled, validate: None, ended_at: now };
    LedgerPost { account, movement: Movement::Settle { job, used: 0 }, attached: Some(row.attached()) }
}
