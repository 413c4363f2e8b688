//! The pause before the restart of a part, as a pure function.
//!
//! The first panic causes no pause. The pauses grow with the panics in a row, so that a part which panics at every start
//! uses little CPU time.

use std::time::Duration;

/// The pause after the second panic in a row.
const FIRST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(5);
/// A part that has run for so long starts a new series.
const SETTLED: Duration = Duration::from_secs(30);

/// The panics in a row of one part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PanicStreak(u32);

impl PanicStreak {
    /// The series and the pause after a panic of a part that had run for `lived`.
    pub(super) fn next(self, lived: Duration) -> (Self, Duration) {
        let count = if lived >= SETTLED { 1 } else { self.0.saturating_add(1) };
        let pause = match count {
            1 => Duration::ZERO,
            // The exponent stays below what a u32 holds.
            count => FIRST.saturating_mul(1 << (count - 2).min(16)).min(LONGEST),
        };
        (Self(count), pause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_with_panics_in_a_row_and_start_again_after_a_long_run() {
        let mut panics = PanicStreak::default();
        let mut pauses = Vec::new();
        for _ in 0..10 {
            let (next, pause) = panics.next(Duration::ZERO);
            panics = next;
            pauses.push(pause.as_millis());
        }
        assert_eq!(pauses, [0, 50, 100, 200, 400, 800, 1600, 3200, 5000, 5000]);
        assert_eq!(panics.next(SETTLED), (PanicStreak(1), Duration::ZERO));
        assert_eq!(PanicStreak(u32::MAX).next(Duration::ZERO).1, LONGEST);
    }
}
