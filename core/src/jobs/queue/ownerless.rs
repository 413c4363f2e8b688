//! Jobs whose node is gone and whose worker nobody has taken yet: for how long they wait for that.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::fleet::Owner;
use crate::ids::JobId;

/// The longest that a job waits for what is said of its worker to change. A lost node is given up, and its workers are
/// taken, within a lease and a sign of life.
const WITHIN: Duration = Duration::from_secs(10);

/// For each such job, who its worker's owner was said to be, and since when.
#[derive(Debug, Default)]
pub(super) struct Ownerless(Mutex<HashMap<JobId, (Owner, Instant)>>);

impl Ownerless {
    /// Whether a job waits on. Where the next owner was lost as well, it waits for the one after that: its prompt may
    /// still run.
    pub fn waits(&self, job: JobId, owner: Owner, now: Instant) -> bool {
        let mut jobs = self.jobs();
        jobs.retain(|_, (_, since)| now.saturating_duration_since(*since) < 2 * WITHIN);
        let said = jobs.entry(job).or_insert((owner, now));
        if said.0 != owner {
            *said = (owner, now);
        }
        now.saturating_duration_since(said.1) < WITHIN
    }

    /// Nobody could look: what was said of workers may be old, and nobody could take one either.
    pub fn begin_anew(&self) {
        self.jobs().clear();
    }

    fn jobs(&self) -> MutexGuard<'_, HashMap<JobId, (Owner, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::NodeId;

    #[test]
    fn a_job_waits_for_the_owner_after_the_next_one_too() {
        let (ownerless, job) = (Ownerless::default(), JobId::new());
        let [lost, next] = [NodeId::new(), NodeId::new()].map(Owner::Node);
        let began = Instant::now();
        let after = |seconds| began + Duration::from_secs(seconds);
        assert!(ownerless.waits(job, lost, began));
        assert!(ownerless.waits(job, lost, after(9)));
        assert!(ownerless.waits(job, Owner::Soon, after(9)), "the lost node was given up");
        assert!(ownerless.waits(job, next, after(12)), "the next one took the worker, and was lost");
        assert!(ownerless.waits(job, next, after(21)));
        assert!(!ownerless.waits(job, next, after(22)), "and nobody took it any more");
    }

    #[test]
    fn time_in_which_nobody_could_look_does_not_count() {
        let (ownerless, job) = (Ownerless::default(), JobId::new());
        let began = Instant::now();
        let after = |seconds| began + Duration::from_secs(seconds);
        assert!(ownerless.waits(job, Owner::Soon, began));
        ownerless.begin_anew();
        assert!(ownerless.waits(job, Owner::Soon, after(11)));
        assert!(!ownerless.waits(job, Owner::Soon, after(21)));
    }
}
