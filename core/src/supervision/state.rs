//! How long a part rests after a panic, as a pure function.
//!
//! The first panic costs nobody a wait. One that comes back at every start is tried more and more rarely, so that a part
//! that cannot live takes no processor from those that can.

use std::time::Duration;

/// After the second panic in a row.
const FIRST: Duration = Duration::from_millis(50);
/// However many there were.
const LONGEST: Duration = Duration::from_secs(5);
/// A part that has lived for so long begins anew.
const SETTLED: Duration = Duration::from_secs(30);

/// The panics in a row of one part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Panics(u32);

impl Panics {
    /// One more panic of a part that had lived for `lived`; tells how long it rests.
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
    fn a_part_that_panics_in_a_row_rests_longer_each_time_and_one_that_lived_does_not() {
        let mut panics = Panics::default();
        let mut pauses = Vec::new();
        for _ in 0..10 {
            let (next, pause) = panics.next(Duration::ZERO);
            panics = next;
            pauses.push(pause.as_millis());
        }
        assert_eq!(pauses, [0, 50, 100, 200, 400, 800, 1600, 3200, 5000, 5000]);
        assert_eq!(panics.next(SETTLED), (Panics(1), Duration::ZERO));
        assert_eq!(Panics(u32::MAX).next(Duration::ZERO).1, LONGEST);
    }
}
