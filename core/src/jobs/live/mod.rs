//! What is told of jobs while they are under way.

pub(in crate::jobs) mod elsewhere;
pub(in crate::jobs) mod event;
pub(in crate::jobs) mod events;
pub(in crate::jobs) mod follow;
mod outbox;

use chrono::Duration;

use self::events::Subscription;
use crate::ids::JobId;
use crate::jobs::lists::{JobStatus, status};
use crate::{Caller, Core, Result, supervision};

/// How far another node's clock may be ahead of this one's.
const AHEAD: Duration = Duration::minutes(1);

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
    // An id of the future is none of ours, and would hide what happens until then.
    let after = after.filter(|after| *after <= events::first_id_at(core.clock.now() + AHEAD));
    // Listen first, read then: what happens in between is told twice rather than never.
    let subscription = core.queue.events().subscribe(id, after);
    match status(core, caller, id).await {
        Ok(status) => {
            core.queue.events().note(id, status.job.status);
            if !status.job.status.is_terminal() && !core.queue.events().is_in_flight(id) {
                // Nobody waits for it: the state of things is told first.
                let core = core.clone();
                supervision::spawn(async move { elsewhere::announce(&core, &[(id, after)]).await });
            }
            Ok((status, subscription))
        }
        Err(error) => {
            drop(subscription);
            core.queue.events().forget(id);
            Err(error)
        }
    }
}
