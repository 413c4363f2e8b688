//! Live events of jobs that wait or run.

pub(in crate::jobs) mod clients;
pub(in crate::jobs) mod event;
pub(in crate::jobs) mod events;
pub(in crate::jobs) mod follow;
mod outbox;
pub(in crate::jobs) mod peer_events;

use chrono::Duration;

use self::events::EventSubscription;
use crate::ids::JobId;
use crate::jobs::lists::{JobStatus, status};
use crate::{Caller, Core, Result, supervision};

/// How far the clock of another node may be ahead.
const MAX_CLOCK_SKEW: Duration = Duration::minutes(1);

/// Subscribes to the events of a job after the event `after`, and returns the current status with the subscription.
///
/// # Errors
/// [`crate::Error::NotFound`] where the job does not exist or belongs to another account.
pub async fn subscribe(
    core: &Core,
    caller: &Caller,
    id: JobId,
    after: Option<u64>,
) -> Result<(JobStatus, EventSubscription)> {
    // An id from the future was made up, and would hide all events until then.
    let after = after.filter(|after| *after <= events::first_id_at(core.clock.now() + MAX_CLOCK_SKEW));
    // Subscribe before the read: an event in between is sent twice rather than lost.
    let subscription = core.queue.events().subscribe(id, after);
    match status(core, caller, id).await {
        Ok(status) => {
            core.queue.events().note_status(id, status.job.status);
            if !status.job.status.is_terminal() && !core.queue.events().is_in_flight(id) {
                // A task, so that the response does not wait for it.
                let core = core.clone();
                supervision::spawn(async move { peer_events::announce(&core, &[(id, after)]).await });
            }
            Ok((status, subscription))
        }
        Err(error) => {
            drop(subscription);
            core.queue.events().remove_unused(id);
            Err(error)
        }
    }
}
