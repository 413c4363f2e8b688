//! How long things run, learned from what ran.
//!
//! A node learns from its own runs at once, and from other nodes' (and from those before its start) by rows that the
//! sweep writes and reads.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};

use super::estimate::Estimate;
use super::store;
use crate::cache::Cache;
use crate::{Core, Result};

/// What is assumed where nothing is known yet.
const UNKNOWN_MS: f64 = 10_000.0;
/// Kinds in memory.
const KINDS: usize = 20_000;
/// Rows that are read or written at once.
const ROWS: usize = 2000;
/// Days after which the row of a kind that did not run is forgotten.
const FORGOTTEN_DAYS: i64 = 90;

/// The estimates of one node, by what runs.
pub(in crate::jobs) struct Estimates {
    known: Cache<String, Estimate>,
    exchange: Mutex<Exchange>,
}

/// What goes to and comes from the rows next.
#[derive(Default)]
struct Exchange {
    /// Kinds that were learned here since they were written.
    learned: HashSet<String>,
    /// The newest row that was read.
    read_until: Option<DateTime<Utc>>,
}

fn of_pool(pool: &str) -> String {
    format!("pool:{pool}")
}

impl Default for Estimates {
    fn default() -> Self {
        Self { known: Cache::of(KINDS), exchange: Mutex::default() }
    }
}

impl Estimates {
    /// What a run of this kind is expected to take; of a new kind, what runs of its pool take.
    pub fn of(&self, kind: &str, pool: &str) -> Estimate {
        let pool = || {
            let known = self.known.get(&of_pool(pool))?;
            // Kinds differ more than the runs of one kind.
            Some(Estimate { deviation_ms: known.deviation_ms.max(known.mean_ms / 2.0), ..known })
        };
        let unknown = Estimate { mean_ms: UNKNOWN_MS, deviation_ms: UNKNOWN_MS / 2.0 };
        self.known.get(kind).or_else(pool).unwrap_or(unknown)
    }

    /// Learns from a run that was done.
    pub fn learn(&self, kind: &str, pool: &str, ran_ms: i64) {
        for kind in [kind.to_owned(), of_pool(pool)] {
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

    /// What was learned here and is not written yet, as far as it is written at once.
    fn take_learned(&self) -> Vec<(String, Estimate)> {
        let mut exchange = self.exchange();
        let some: Vec<String> = exchange.learned.iter().take(ROWS).cloned().collect();
        for kind in &some {
            exchange.learned.remove(kind);
        }
        some.into_iter().filter_map(|kind| self.known.get(&kind).map(|estimate| (kind, estimate))).collect()
    }

    /// Takes what others wrote, except where this node knows better.
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

/// Writes what this node has learned, and reads what others have; tells of how many kinds it has.
pub async fn exchange(core: &Core) -> Result<u64> {
    let now = core.clock.now();
    let estimates = core.queue.estimates();
    let learned = estimates.take_learned();
    if !learned.is_empty() {
        store::keep(&core.db, &learned, now).await?;
    }
    let since = estimates.exchange().read_until;
    let first = since.is_none();
    let rows = store::since(&core.db, since, (if first { KINDS } else { ROWS }) as i64).await?;
    estimates.take_rows(rows);
    if first {
        store::forget(&core.db, now - chrono::Duration::days(FORGOTTEN_DAYS)).await?;
    }
    Ok(learned.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_a_kind_narrow_the_estimate_to_what_they_take() {
        let estimates = Estimates::default();
        assert_eq!(estimates.of("new", "cpu").mean_ms, UNKNOWN_MS);
        for _ in 0..40 {
            estimates.learn("blur", "cpu", 2000);
        }
        let blur = estimates.of("blur", "cpu");
        assert!((blur.mean_ms - 2000.0).abs() < 1.0 && blur.deviation_ms < 5.0, "{blur:?}");
        let new = estimates.of("new", "cpu");
        assert!((new.mean_ms - 2000.0).abs() < 1.0 && new.deviation_ms >= 999.0, "like its pool, and unsure: {new:?}");
        assert_eq!(estimates.of("new", "gpu").mean_ms, UNKNOWN_MS);
    }

    #[test]
    fn a_run_that_should_have_ended_is_expected_to_end_soon() {
        let estimate = Estimate { mean_ms: 10_000.0, deviation_ms: 2000.0 };
        assert_eq!(estimate.left(4000).mean_ms, 6000.0);
        assert_eq!(estimate.left(60_000).mean_ms, 2000.0);
    }
}
