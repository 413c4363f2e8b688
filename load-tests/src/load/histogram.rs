//! A latency histogram with logarithmic buckets: small, mergeable, with an error of at most 0.8 % between 1 µs and
//! hours.

use std::time::Duration;

/// Buckets per doubling. The error of a quantile is at most one bucket.
const STEPS: u64 = 128;
const STEP_BITS: u32 = STEPS.trailing_zeros();
/// Enough for any `u64` of microseconds.
const BUCKETS: usize = ((64 - STEP_BITS as usize) + 1) * STEPS as usize;

/// Counts of latencies.
#[derive(Debug, Clone)]
pub struct Histogram {
    counts: Vec<u64>,
    total: u64,
    sum_us: u64,
    max_us: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: vec![0; BUCKETS], total: 0, sum_us: 0, max_us: 0 }
    }
}

impl Histogram {
    pub fn record(&mut self, latency: Duration) {
        let us = u64::try_from(latency.as_micros()).unwrap_or(u64::MAX);
        if let Some(count) = self.counts.get_mut(bucket(us)) {
            *count += 1;
        }
        self.total += 1;
        self.sum_us = self.sum_us.saturating_add(us);
        self.max_us = self.max_us.max(us);
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self.total += other.total;
        self.sum_us = self.sum_us.saturating_add(other.sum_us);
        self.max_us = self.max_us.max(other.max_us);
    }

    /// The number of recorded latencies.
    pub fn count(&self) -> u64 {
        self.total
    }

    /// The latency in milliseconds that this share (0 to 1) of all did not exceed. 0 if there are none.
    pub fn quantile_ms(&self, share: f64) -> f64 {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rank"
        )]
        let rank = ((self.total as f64 * share).ceil() as u64).max(1);
        let mut seen = 0;
        for (index, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= rank {
                return ms(upper(index).min(self.max_us));
            }
        }
        ms(self.max_us)
    }

    pub fn max_ms(&self) -> f64 {
        ms(self.max_us)
    }

    /// The latency curve as (percentile, milliseconds), denser at the tail.
    pub fn curve(&self) -> Vec<(f64, f64)> {
        let shares = (0..100).map(f64::from).chain([99.5, 99.9, 99.95, 99.99, 100.0]);
        shares.map(|percent| (percent, self.quantile_ms(percent / 100.0))).collect()
    }
}

#[expect(clippy::cast_precision_loss, reason = "microseconds of a load run stay far below 2^52")]
fn ms(us: u64) -> f64 {
    us as f64 / 1000.0
}

/// The bucket of a latency: exact below 128 µs, then 128 per doubling.
fn bucket(us: u64) -> usize {
    let exponent = us.checked_ilog2().unwrap_or(0).saturating_sub(STEP_BITS - 1);
    let exponent = if us < STEPS { 0 } else { exponent };
    let within = us >> exponent;
    let index = if exponent == 0 { within } else { u64::from(exponent) * (STEPS / 2) + within };
    usize::try_from(index).unwrap_or(BUCKETS - 1)
}

/// The largest latency of a bucket.
fn upper(index: usize) -> u64 {
    let index = index as u64;
    if index < STEPS {
        return index;
    }
    let half = STEPS / 2;
    let exponent = (index - half) / half;
    let within = index - exponent * half;
    ((within + 1) << exponent) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_are_in_narrow_buckets() {
        let mut us = 0_u64;
        while us < 10_000_000_000 {
            let index = bucket(us);
            let top = upper(index);
            assert!(top >= us, "{us} µs is counted as {top}");
            assert!(index == 0 || upper(index - 1) < us, "{us} µs belongs into a lower bucket");
            #[expect(clippy::cast_precision_loss, reason = "a test's numbers")]
            let error = (top - us) as f64 / us.max(1) as f64;
            assert!(error <= 0.016, "{us} µs is off by {error}");
            us = us * 33 / 32 + 1;
        }
    }

    #[test]
    fn quantiles_match_recorded_latencies() {
        let mut all = Histogram::default();
        let mut late = Histogram::default();
        for ms in 1..=990 {
            all.record(Duration::from_millis(ms));
        }
        for ms in 991..=1000 {
            late.record(Duration::from_millis(ms));
        }
        all.merge(&late);
        assert_eq!(all.count(), 1000);
        for (share, expected) in [(0.5, 500.0), (0.95, 950.0), (0.99, 990.0), (1.0, 1000.0)] {
            let found = all.quantile_ms(share);
            assert!((found - expected).abs() / expected < 0.017, "{share}: {found} instead of {expected}");
        }
        assert!((all.max_ms() - 1000.0).abs() < f64::EPSILON);
    }
}
