//! How long runs take, learned from earlier runs.
//!
//! A node learns from its own runs at once. Runs of other nodes, and runs before its start, come from the rows of
//! `job_estimates`, which an upkeep task writes and reads.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};

use super::estimate::Estimate;
use super::store;
use crate::cache::Cache;
use crate::{Core, Result};

/// The estimate before any run of the pool.
const DEFAULT_MS: f64 = 10_000.0;
/// Kinds in memory.
const MAX_KINDS: usize = 20_000;
/// Rows that are read or written at once.
const MAX_ROWS: usize = 2000;
/// Days after which the row of a kind that did not run is deleted.
const RETENTION_DAYS: i64 = 90;

fn kind_of_pool(pool: &str) -> String {
    format!("pool:{pool}")
}

/// The estimates of one node, by kind.
pub(in crate::jobs) struct Estimates {
    known: Cache<String, Estimate>,
    exchange: Mutex<Exchange>,
}

#[derive(Default)]
struct Exchange {
    /// Kinds whose estimate is not written yet.
    learned: HashSet<String>,
    /// The newest row that was read.
    read_until: Option<DateTime<Utc>>,
}

impl Default for Estimates {
    fn default() -> Self {
        Self { known: Cache::with_capacity(MAX_KINDS), exchange: Mutex::default() }
    }
}

impl Estimates {
    /// The estimate of a kind; of an unknown kind, that of its pool.
    pub fn of(&self, kind: &str, pool: &str) -> Estimate {
        let pool = || {
            let known = self.known.get(&kind_of_pool(pool))?;
            // Kinds differ more than the runs of one kind.
            Some(Estimate { deviation_ms: known.deviation_ms.max(known.mean_ms / 2.0), ..known })
        };
        let default = Estimate { mean_ms: DEFAULT_MS, deviation_ms: DEFAULT_MS / 2.0 };
        self.known.get(kind).or_else(pool).unwrap_or(default)
    }

    /// The estimate of a kind that has run before.
    pub fn known(&self, kind: &str) -> Option<Estimate> {
        self.known.get(kind)
    }

    /// Learns from a completed run.
    pub fn learn(&self, kind: &str, pool: &str, ran_ms: i64) {
        for kind in [kind.to_owned(), kind_of_pool(pool)] {
            let estimate = match self.known.get(&kind) {
                None => Estimate::first(ran_ms),
                Some(known) => known.after(ran_ms),
            };
            self.known.insert(kind.clone(), estimate);
            self.exchange().learned.insert(kind);
        }
    }

    fn exchange(&self) -> MutexGuard<'_, Exchange> {
        self.exchange.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Up to [`MAX_ROWS`] estimates that are not written yet.
    fn take_learned(&self) -> Vec<(String, Estimate)> {
        let mut exchange = self.exchange();
        let some: Vec<String> = exchange.learned.iter().take(MAX_ROWS).cloned().collect();
        for kind in &some {
            exchange.learned.remove(kind);
        }
        some.into_iter().filter_map(|kind| self.known.get(&kind).map(|estimate| (kind, estimate))).collect()
    }

    /// Takes over the estimates of other nodes, except of kinds that this node has learned since.
    fn take_rows(&self, rows: Vec<(String, Estimate, DateTime<Utc>)>) {
        let mut exchange = self.exchange();
        for (kind, estimate, at) in rows {
            exchange.read_until = exchange.read_until.max(Some(at));
            if !exchange.learned.contains(&kind) {
                self.known.insert(kind, estimate);
            }
        }
    }
}

/// Writes the estimates of this node and reads those of other nodes; returns the number of written ones.
pub async fn exchange(core: &Core) -> Result<u64> {
    let now = core.clock.now();
    let estimates = core.queue.estimates();
    let learned = estimates.take_learned();
    if !learned.is_empty() {
        store::keep(&core.db, &learned, now).await?;
    }
    let since = estimates.exchange().read_until;
    let first = since.is_none();
    let rows = store::since(&core.db, since, (if first { MAX_KINDS } else { MAX_ROWS }) as i64).await?;
    estimates.take_rows(rows);
    if first {
        store::delete(&core.db, now - chrono::Duration::days(RETENTION_DAYS)).await?;
    }
    Ok(learned.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_runs_narrow_the_estimate() {
        let estimates = Estimates::default();
        assert_eq!(estimates.of("new", "cpu").mean_ms, DEFAULT_MS);
        for _ in 0..40 {
            estimates.learn("blur", "cpu", 2000);
        }
        let blur = estimates.of("blur", "cpu");
        assert!((blur.mean_ms - 2000.0).abs() < 1.0 && blur.deviation_ms < 5.0, "{blur:?}");
        let new = estimates.of("new", "cpu");
        assert!((new.mean_ms - 2000.0).abs() < 1.0 && new.deviation_ms >= 999.0, "like its pool, and unsure: {new:?}");
        assert_eq!(estimates.of("new", "gpu").mean_ms, DEFAULT_MS);
    }

    #[test]
    fn overdue_run_is_expected_to_end_soon() {
        let estimate = Estimate { mean_ms: 10_000.0, deviation_ms: 2000.0 };
        assert_eq!(estimate.remaining(4000).mean_ms, 6000.0);
        assert_eq!(estimate.remaining(60_000).mean_ms, 2000.0);
    }
}
