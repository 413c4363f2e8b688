//! How long things run, learned from what ran.

use moka::sync::Cache;

/// What is assumed where nothing is known yet.
const UNKNOWN_MS: f64 = 10_000.0;
/// Weight of the newest run.
const NEWEST: f64 = 0.2;

/// A running mean and deviation, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Estimate {
    pub mean_ms: f64,
    pub deviation_ms: f64,
}

/// The estimates of one node, by what runs: a version of a mini app, or a set of needs.
pub(super) struct Estimates(Cache<String, Estimate>);

impl Default for Estimates {
    fn default() -> Self {
        Self(Cache::new(20_000))
    }
}

impl Estimates {
    /// What a run of this kind is expected to take.
    pub fn of(&self, kind: &str) -> Estimate {
        self.0.get(kind).unwrap_or(Estimate { mean_ms: UNKNOWN_MS, deviation_ms: UNKNOWN_MS / 2.0 })
    }

    /// Learns from a run that was done.
    pub fn learn(&self, kind: &str, ran_ms: i64) {
        #[expect(clippy::cast_precision_loss, reason = "milliseconds of a run are far below 2^52")]
        let ran_ms = ran_ms as f64;
        let estimate = match self.0.get(kind) {
            None => Estimate { mean_ms: ran_ms, deviation_ms: ran_ms / 2.0 },
            Some(known) => Estimate {
                mean_ms: known.mean_ms + NEWEST * (ran_ms - known.mean_ms),
                deviation_ms: known.deviation_ms + NEWEST * ((ran_ms - known.mean_ms).abs() - known.deviation_ms),
            },
        };
        self.0.insert(kind.to_owned(), estimate);
    }
}

impl Estimate {
    /// The mean in whole milliseconds, at least one.
    pub fn mean(self) -> i64 {
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        let mean = self.mean_ms.ceil() as i64;
        mean.max(1)
    }
}
