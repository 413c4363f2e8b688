//! Jobs in flight that no actor looks after: strays of this node, and jobs of lost nodes whose worker has no owner yet.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::fleet::WorkerOwner;
use crate::ids::JobId;

/// The longest time that a job waits for a change of its worker's owner. A lost node is removed, and its workers get an
/// owner, within a lease and a heartbeat.
const OWNER_PATIENCE: Duration = Duration::from_secs(10);

#[derive(Debug, Default)]
pub(in crate::jobs) struct Orphans {
    /// Jobs of this node without an actor at the last sweep, with their attempt.
    strays: Mutex<HashSet<(JobId, i16)>>,
    /// Jobs that wait for an owner of their worker: the owner that the roster named, and since when.
    waiting: Mutex<HashMap<JobId, (WorkerOwner, Instant)>>,
}

impl Orphans {
    /// Remembers the strays of this sweep, and returns those of the last one.
    pub fn replace_strays(&self, strays: HashSet<(JobId, i16)>) -> HashSet<(JobId, i16)> {
        std::mem::replace(&mut *self.strays.lock().unwrap_or_else(PoisonError::into_inner), strays)
    }

    /// Whether a job still waits for an owner of its worker. A change of the owner starts the wait again, because the
    /// prompt may still run.
    pub fn waits_for_owner(&self, job: JobId, owner: WorkerOwner, now: Instant) -> bool {
        let mut jobs = self.waiting();
        jobs.retain(|_, (_, since)| now.saturating_duration_since(*since) < 2 * OWNER_PATIENCE);
        let known = jobs.entry(job).or_insert((owner, now));
        if known.0 != owner {
            *known = (owner, now);
        }
        now.saturating_duration_since(known.1) < OWNER_PATIENCE
    }

    /// Starts all waits again after a failed sweep: the roster may be old, and no node could take a worker.
    pub fn restart_waits(&self) {
        self.waiting().clear();
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<JobId, (WorkerOwner, Instant)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::NodeId;

    #[test]
    fn lost_second_owner_starts_the_wait_again() {
        let (orphans, job) = (Orphans::default(), JobId::new());
        let [lost, next] = [NodeId::new(), NodeId::new()].map(WorkerOwner::Node);
        let began = Instant::now();
        let after = |seconds| began + Duration::from_secs(seconds);
        assert!(orphans.waits_for_owner(job, lost, began));
        assert!(orphans.waits_for_owner(job, lost, after(9)));
        assert!(orphans.waits_for_owner(job, WorkerOwner::Unowned, after(9)), "the lost node was removed");
        assert!(orphans.waits_for_owner(job, next, after(12)), "the next owner was lost too");
        assert!(orphans.waits_for_owner(job, next, after(21)));
        assert!(!orphans.waits_for_owner(job, next, after(22)), "no other node took the worker");
    }

    #[test]
    fn failed_sweep_starts_the_waits_again() {
        let (orphans, job) = (Orphans::default(), JobId::new());
        let began = Instant::now();
        let after = |seconds| began + Duration::from_secs(seconds);
        assert!(orphans.waits_for_owner(job, WorkerOwner::Unowned, began));
        orphans.restart_waits();
        assert!(orphans.waits_for_owner(job, WorkerOwner::Unowned, after(11)));
        assert!(!orphans.waits_for_owner(job, WorkerOwner::Unowned, after(21)));
    }
}
