//! How long a run is expected to take.

use crate::ids::WorkflowApiVersionId;

/// Weight of the newest run.
const NEWEST: f64 = 0.2;

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
            mean_ms: self.mean_ms + NEWEST * off,
            deviation_ms: self.deviation_ms + NEWEST * (off.abs() - self.deviation_ms),
        }
    }

    /// The mean in whole milliseconds, at least one.
    pub fn mean(self) -> i64 {
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        let mean = self.mean_ms.ceil() as i64;
        mean.max(1)
    }

    /// What is left of a run that has run for `elapsed_ms`. One that should have ended is expected to end within what
    /// runs of its kind usually differ by.
    pub fn left(self, elapsed_ms: i64) -> Self {
        let overdue = self.deviation_ms.max(self.mean_ms / 10.0);
        let left = (self.mean_ms - milliseconds(elapsed_ms)).max(0.0);
        Self { mean_ms: if left > 0.0 { left } else { overdue }, deviation_ms: self.deviation_ms }
    }
}

/// What a run is learned by: its version of a mini app, or the node classes and models that a raw prompt needs (the
/// prompt itself differs with every seed).
pub(in crate::jobs) fn kind(version: Option<WorkflowApiVersionId>, needs: &str) -> String {
    version.map_or_else(|| needs.to_owned(), |version| version.to_string())
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of a run are far below 2^52")]
fn milliseconds(ms: i64) -> f64 {
    ms as f64
}
