//! What is told of jobs while they are under way.

pub(in crate::jobs) mod events;
pub(in crate::jobs) mod follow;

use self::events::Subscription;
use crate::ids::JobId;
use crate::jobs::lists::{JobStatus, status};
use crate::{Caller, Core, Result};

/// Listens to a job of the caller's, from after the event `after` on; tells where it is now, too.
///
/// # Errors
/// [`crate::Error::NotFound`] where there is none or it is somebody else's.
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
