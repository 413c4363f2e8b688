//! The estimate of one kind of runs.

use crate::ids::WorkflowApiVersionId;

/// Weight of the newest run.
const NEWEST_WEIGHT: f64 = 0.2;
/// Deviations above the mean that few runs exceed.
const UPPER_DEVIATIONS: f64 = 4.0;

/// A running mean and deviation, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::jobs) struct Estimate {
    pub mean_ms: f64,
    /// Mean absolute deviation.
    pub deviation_ms: f64,
}

impl Estimate {
    pub fn first(ran_ms: i64) -> Self {
        let ran_ms = milliseconds(ran_ms);
        Self { mean_ms: ran_ms, deviation_ms: ran_ms / 2.0 }
    }

    pub fn after(self, ran_ms: i64) -> Self {
        let off = milliseconds(ran_ms) - self.mean_ms;
        Self {
            mean_ms: self.mean_ms + NEWEST_WEIGHT * off,
            deviation_ms: self.deviation_ms + NEWEST_WEIGHT * (off.abs() - self.deviation_ms),
        }
    }

    /// The mean in whole milliseconds, at least one.
    pub fn mean(self) -> i64 {
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        let mean = self.mean_ms.ceil() as i64;
        mean.max(1)
    }

    /// A time in milliseconds that few runs exceed.
    pub fn upper_ms(self) -> i64 {
        Self { mean_ms: self.mean_ms + UPPER_DEVIATIONS * self.deviation_ms, ..self }.mean()
    }

    /// The rest of a run after `elapsed_ms`. An overdue run is expected to end within the usual deviation of its kind.
    pub fn remaining(self, elapsed_ms: i64) -> Self {
        let overdue = self.deviation_ms.max(self.mean_ms / 10.0);
        let remaining = (self.mean_ms - milliseconds(elapsed_ms)).max(0.0);
        Self { mean_ms: if remaining > 0.0 { remaining } else { overdue }, deviation_ms: self.deviation_ms }
    }
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of a run are far below 2^52")]
fn milliseconds(ms: i64) -> f64 {
    ms as f64
}

/// The key of an estimate: the version of the mini app, or the needs of a raw prompt, which differs with every seed.
pub(in crate::jobs) fn kind(version: Option<WorkflowApiVersionId>, needs: &str) -> String {
    version.map_or_else(|| needs.to_owned(), |version| version.to_string())
}
