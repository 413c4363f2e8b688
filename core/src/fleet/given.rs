//! Which jobs the workers of this node were given, which of them can take another one, and which answer nothing.

use std::collections::HashSet;
use std::time::Instant;

use chrono::{DateTime, Utc};

use super::member::{FreeWorker, Member};
use super::roster::Roster;
use crate::ids::{JobId, WorkerId};

impl Roster {
    /// Notes that no worker has a job but those of `jobs`.
    pub fn release_all_but(&self, jobs: &HashSet<JobId>) {
        for member in self.write().by_id.values_mut() {
            member.keep_jobs(|job| jobs.contains(job));
        }
    }

    /// Since when a worker answers no question about the job that it runs.
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

    /// Workers that run something, behind which another prompt may be posted now.
    #[must_use]
    pub fn with_room_behind(&self, now: Instant) -> Vec<FreeWorker> {
        let workers = self.read();
        let busy = workers.by_id.values().filter(|member| member.has_room_behind(now));
        busy.filter_map(Member::as_free).map(|worker| FreeWorker { is_busy: true, ..worker }).collect()
    }

    /// Notes that a worker was given a job, until [`Roster::released`].
    pub fn assigned(&self, worker: WorkerId, job: JobId, needs: &str) {
        if let Some(member) = self.write().by_id.get_mut(&worker) {
            member.jobs.push(job);
            member.warm = Some(needs.to_owned());
        }
    }

    /// Notes that a worker has begun to execute a job, and from when on another one may be posted behind it.
    pub fn began(&self, worker: WorkerId, job: JobId, room_at: Instant) {
        if let Some(member) = self.write().by_id.get_mut(&worker) {
            member.began = Some((job, room_at));
        }
    }

    /// Whether a job that was given to a worker still waits there for another one to end.
    #[must_use]
    pub fn waits_behind(&self, worker: WorkerId, job: JobId) -> bool {
        let workers = self.read();
        let member = workers.by_id.get(&worker);
        member.is_some_and(|member| {
            member.jobs.len() > 1 && member.jobs.contains(&job) && member.began.is_none_or(|(began, _)| began != job)
        })
    }

    /// Whether a worker gets new jobs at all: it is connected, and neither paused nor draining nor being given up.
    #[must_use]
    pub fn gets_more(&self, worker: WorkerId) -> bool {
        self.read().by_id.get(&worker).is_some_and(Member::gets_more)
    }

    /// Notes that a worker is done with a job.
    pub fn released(&self, worker: WorkerId, job: JobId) {
        if let Some(member) = self.write().by_id.get_mut(&worker) {
            member.keep_jobs(|other| *other != job);
        }
    }
}
