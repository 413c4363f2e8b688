//! Which jobs this node's workers have, which workers can take another job, and which do not answer.

use std::collections::HashSet;
use std::time::Instant;

use chrono::{DateTime, Utc};

use super::member::{FreeWorker, Member};
use super::roster::Roster;
use crate::ids::{JobId, WorkerId};

impl Roster {
    /// Removes every job that is not in `jobs` from its worker.
    pub fn release_all_but(&self, jobs: &HashSet<JobId>) {
        for member in self.write().by_id.values_mut() {
            member.keep_jobs(|job| jobs.contains(job));
        }
    }

    /// Since when a worker has not answered questions about its running job.
    #[must_use]
    pub fn unanswered_since(&self, worker: WorkerId) -> Option<DateTime<Utc>> {
        self.read().by_id.get(&worker)?.unanswered_since
    }

    /// Workers that can take a job now.
    #[must_use]
    pub fn free(&self) -> Vec<FreeWorker> {
        let workers = self.read();
        let free = workers.by_id.values().filter(|member| member.is_free());
        free.filter_map(Member::as_free).collect()
    }

    /// Busy workers to which the next prompt can be posted now.
    #[must_use]
    pub fn prefetchable(&self, now: Instant) -> Vec<FreeWorker> {
        let workers = self.read();
        let busy = workers.by_id.values().filter(|member| member.can_prefetch(now));
        busy.filter_map(Member::as_free).map(|worker| FreeWorker { is_busy: true, ..worker }).collect()
    }

    /// Records that a worker has a job, until [`Roster::released`].
    pub fn assigned(&self, worker: WorkerId, job: JobId, needs: &str) {
        if let Some(member) = self.write().by_id.get_mut(&worker) {
            member.jobs.push(job);
            member.warm = Some(needs.to_owned());
        }
    }

    /// Records that a worker started a job, and when the next prompt may be posted behind it.
    pub fn began(&self, worker: WorkerId, job: JobId, room_at: Instant) {
        if let Some(member) = self.write().by_id.get_mut(&worker) {
            member.began = Some((job, room_at));
        }
    }

    /// Whether a job waits at its worker behind another one.
    #[must_use]
    pub fn is_prefetched(&self, worker: WorkerId, job: JobId) -> bool {
        let workers = self.read();
        let member = workers.by_id.get(&worker);
        member.is_some_and(|member| {
            member.jobs.len() > 1 && member.jobs.contains(&job) && member.began.is_none_or(|(began, _)| began != job)
        })
    }

    /// Whether a worker gets new jobs: it is connected, and not paused, draining or being released.
    #[must_use]
    pub fn accepts_jobs(&self, worker: WorkerId) -> bool {
        self.read().by_id.get(&worker).is_some_and(Member::accepts_jobs)
    }

    /// Records that a worker is done with a job.
    pub fn released(&self, worker: WorkerId, job: JobId) {
        if let Some(member) = self.write().by_id.get_mut(&worker) {
            member.keep_jobs(|other| *other != job);
        }
    }
}
