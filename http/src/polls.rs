//! Reads by clients that poll: which jobs were read a moment ago, and how many reads wait.
//!
//! A client that polls a waiting job learns nothing from most of its requests, and the longer a queue is, the more of
//! them each job costs. So a read that repeats another one may wait until there is something new. The first read of a
//! job is answered at once. Each node remembers its own reads: a read on another node is a first one there.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_web::rt::time::Instant;
use verdigraph_core::ids::JobId;

/// How long a read is remembered at least; twice as long at most. Clients pause for up to 5 seconds.
const REMEMBERED: Duration = Duration::from_secs(10);
/// Jobs that are remembered for each such time. Reads of further ones do not wait.
const MOST_JOBS: usize = 100_000;
/// Reads of a node that wait at the same time. Further ones are answered at once.
const MOST_WAITING: usize = 5_000;

/// The reads of a node.
#[derive(Debug, Default)]
pub struct Polls {
    recent: Mutex<RecentReads>,
    waiting: AtomicUsize,
}

/// A read that waits; dropping it frees its place.
#[derive(Debug)]
pub struct WaitingRead(Arc<Polls>);

impl Polls {
    /// Remembers that a job was read, and is still waiting.
    pub fn note(&self, job: JobId) {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner).note(job, Instant::now());
    }

    /// A place to wait for news of a job; `None` if this is its first read, or too many reads wait.
    #[must_use]
    pub fn wait(self: &Arc<Self>, job: JobId) -> Option<WaitingRead> {
        if !self.recent.lock().unwrap_or_else(PoisonError::into_inner).contains(job, Instant::now()) {
            return None;
        }
        let one_more = |waiting: usize| (waiting < MOST_WAITING).then_some(waiting + 1);
        self.waiting.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).ok()?;
        Some(WaitingRead(Arc::clone(self)))
    }

    /// Reads that wait.
    #[must_use]
    pub fn count(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

impl Drop for WaitingRead {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Two sets, of which the older one is forgotten when the newer one is old: nothing is kept for each job.
#[derive(Debug, Default)]
struct RecentReads {
    begun_at: Option<Instant>,
    newer: HashSet<JobId>,
    older: HashSet<JobId>,
}

impl RecentReads {
    fn note(&mut self, job: JobId, now: Instant) {
        self.forget(now);
        if self.newer.len() < MOST_JOBS {
            self.newer.insert(job);
        }
    }

    fn contains(&mut self, job: JobId, now: Instant) -> bool {
        self.forget(now);
        self.newer.contains(&job) || self.older.contains(&job)
    }

    fn forget(&mut self, now: Instant) {
        let age = self.begun_at.map_or(Duration::MAX, |begun_at| now.saturating_duration_since(begun_at));
        if age < REMEMBERED {
            return;
        }
        let newer = std::mem::take(&mut self.newer);
        self.older = if age < REMEMBERED * 2 { newer } else { HashSet::new() };
        self.begun_at = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_is_remembered_for_the_pause_of_a_client_and_then_forgotten() {
        let (mut reads, job, begun) = (RecentReads::default(), JobId::new(), Instant::now());
        assert!(!reads.contains(job, begun));
        reads.note(job, begun);
        for seconds in [0, 5, 10, 19] {
            assert!(reads.contains(job, begun + Duration::from_secs(seconds)), "forgotten after {seconds} s");
        }
        assert!(!reads.contains(job, begun + Duration::from_secs(20)));
        reads.note(job, begun + Duration::from_secs(29));
        assert!(reads.contains(job, begun + Duration::from_secs(39)), "noted shortly before the sets changed");
        assert!(!reads.contains(job, begun + Duration::from_secs(90)), "nothing was read in between");
        assert!(!reads.contains(JobId::new(), begun));
    }

    #[test]
    fn only_repeated_reads_wait_and_free_their_place() {
        let (polls, job) = (Arc::new(Polls::default()), JobId::new());
        assert!(polls.wait(job).is_none(), "the first read waits");
        polls.note(job);
        let waiting = polls.wait(job);
        assert!(waiting.is_some());
        assert_eq!(polls.count(), 1);
        drop(waiting);
        assert_eq!(polls.count(), 0);
    }
}
