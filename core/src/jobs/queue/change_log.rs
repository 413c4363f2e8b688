//! Versions of the lanes: a worker whose claim found nothing asks the rows again only after a change.
//!
//! Changes on other nodes, and lost messages, do not name what changed. They count as any change, so that every worker
//! that might run the job asks again.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::jobs::status::Lane;

/// Needs of a lane whose versions are kept apart. The oldest beyond that count as a change of any needs.
const MAX_NEEDS: usize = 10_000;

/// The changes of this node's queue in their order. Cheap to clone.
#[derive(Clone, Default)]
pub(in crate::jobs) struct ChangeLog(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    /// The number of changes so far.
    version: u64,
    /// The last change of unknown lane and needs.
    all_changed_at: u64,
    lanes: HashMap<(String, Lane), LaneVersions>,
}

#[derive(Default)]
struct LaneVersions {
    /// The last change of unknown needs.
    changed_at: u64,
    /// The number of jobs, by needs, whose commit is under way: their rows may be visible at any moment.
    pending: HashMap<String, usize>,
    /// The last change of each needs, and the reverse map.
    versions: HashMap<String, u64>,
    order: BTreeMap<u64, String>,
}

/// A job whose row is being committed. Drop records the change.
pub(in crate::jobs) struct PendingInsert {
    log: ChangeLog,
    pool: String,
    lane: Lane,
    needs: String,
}

impl LaneVersions {
    fn record(&mut self, needs: &str, version: u64) {
        if let Some(before) = self.versions.insert(needs.to_owned(), version) {
            self.order.remove(&before);
        }
        self.order.insert(version, needs.to_owned());
        if self.order.len() > MAX_NEEDS
            && let Some((version, needs)) = self.order.pop_first()
        {
            self.versions.remove(&needs);
            self.changed_at = self.changed_at.max(version);
        }
    }
}

impl ChangeLog {
    /// The current version. Every change up to it is committed.
    pub(in crate::jobs) fn version(&self) -> u64 {
        self.inner().version
    }

    /// Announces a job with these needs before its commit. Until the guard is dropped, the lane counts as changed.
    pub(in crate::jobs) fn begin_insert(&self, pool: &str, lane: Lane, needs: &str) -> PendingInsert {
        *self.inner().lane(pool, lane).pending.entry(needs.to_owned()).or_default() += 1;
        PendingInsert { log: self.clone(), pool: pool.to_owned(), lane, needs: needs.to_owned() }
    }

    /// Records a change of unknown needs in a lane.
    pub(in crate::jobs) fn invalidate(&self, pool: &str, lane: Lane) {
        let mut inner = self.inner();
        inner.version += 1;
        let version = inner.version;
        inner.lane(pool, lane).changed_at = version;
    }

    /// Records a change of unknown needs in all lanes.
    pub(in crate::jobs) fn invalidate_all(&self) {
        let mut inner = self.inner();
        inner.version += 1;
        inner.all_changed_at = inner.version;
    }

    /// Whether a lane may have got a job with any of these sorted needs since a version.
    pub(in crate::jobs) fn has_changed_since(&self, version: u64, pool: &str, lane: Lane, needs: &[String]) -> bool {
        let inner = self.inner();
        if inner.all_changed_at > version {
            return true;
        }
        let Some(lane) = inner.lanes.get(&(pool.to_owned(), lane)) else { return false };
        let mut changed = lane.pending.keys().chain(lane.order.range(version + 1..).map(|(_, needs)| needs));
        lane.changed_at > version || changed.any(|changed| needs.binary_search(changed).is_ok())
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn lane(&mut self, pool: &str, lane: Lane) -> &mut LaneVersions {
        self.lanes.entry((pool.to_owned(), lane)).or_default()
    }
}

impl Drop for PendingInsert {
    fn drop(&mut self) {
        let mut inner = self.log.inner();
        inner.version += 1;
        let version = inner.version;
        let lane = inner.lane(&self.pool, self.lane);
        lane.record(&self.needs, version);
        if let Some(count) = lane.pending.get_mut(&self.needs) {
            *count -= 1;
            if *count == 0 {
                lane.pending.remove(&self.needs);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANE: Lane = Lane::Api;

    fn needs(hashes: &[&str]) -> Vec<String> {
        hashes.iter().map(|hash| (*hash).to_owned()).collect()
    }

    #[test]
    fn only_jobs_that_a_worker_can_run_change_its_lane() {
        let log = ChangeLog::default();
        let needs = needs(&["blur", "resize"]);
        let has_changed = |version| log.has_changed_since(version, "cpu", LANE, &needs);
        assert!(!has_changed(0));
        drop(log.begin_insert("cpu", LANE, "upscale"));
        drop(log.begin_insert("cpu", Lane::Training, "blur"));
        drop(log.begin_insert("gpu", LANE, "blur"));
        assert!(!has_changed(0), "other needs, another lane, another pool");
        let pending = (log.begin_insert("cpu", LANE, "resize"), log.begin_insert("cpu", LANE, "resize"));
        let version = log.version();
        assert!(has_changed(version), "the row may be visible already");
        drop(pending.0);
        assert!(has_changed(log.version()), "so may the second row");
        drop(pending.1);
        assert!(has_changed(version));
        let version = log.version();
        assert!(!has_changed(version));
        drop(log.begin_insert("cpu", LANE, "blur"));
        drop(log.begin_insert("cpu", LANE, "upscale"));
        assert!(has_changed(version), "a later change hides nothing");
        for invalidate in [|log: &ChangeLog| log.invalidate("cpu", LANE), ChangeLog::invalidate_all] {
            let version = log.version();
            assert!(!has_changed(version));
            invalidate(&log);
            assert!(has_changed(version));
        }
        let version = log.version();
        log.invalidate("cpu", Lane::Interactive);
        assert!(!has_changed(version));
    }

    #[test]
    fn needs_beyond_the_limit_count_as_any_change() {
        let log = ChangeLog::default();
        drop(log.begin_insert("cpu", LANE, "blur"));
        for number in 0..MAX_NEEDS {
            drop(log.begin_insert("cpu", LANE, &format!("needs {number}")));
        }
        assert!(log.has_changed_since(0, "cpu", LANE, &needs(&["blur"])), "the change of forgotten needs is lost");
        assert!(!log.has_changed_since(1, "cpu", LANE, &needs(&["blur"])));
        let lane = log.inner().lanes.remove(&("cpu".to_owned(), LANE)).expect("a lane");
        assert_eq!((lane.versions.len(), lane.order.len()), (MAX_NEEDS, MAX_NEEDS));
    }
}
