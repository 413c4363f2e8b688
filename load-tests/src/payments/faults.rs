//! What goes wrong with the calls of a stand-in.

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

/// Shares of calls.
#[derive(Debug, Clone, Copy)]
pub struct FaultPolicy {
    /// Calls that have their effect, and whose answer is lost.
    pub lost: f64,
    /// Calls that are refused with 503, without an effect.
    pub unavailable: f64,
    /// Charges that are declined.
    pub declined: f64,
}

/// What went wrong.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FaultCounts {
    pub calls: usize,
    pub lost: usize,
    pub unavailable: usize,
    pub declined: usize,
}

impl FaultCounts {
    /// The sum of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            lost: self.lost + other.lost,
            unavailable: self.unavailable + other.unavailable,
            declined: self.declined + other.declined,
        }
    }
}

/// Draws faults, and counts them.
#[derive(Debug)]
pub(super) struct Faults {
    policy: FaultPolicy,
    random: StdRng,
    pub counts: FaultCounts,
}

/// What happens to one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallFate {
    Answered,
    /// It has its effect, and the connection breaks before the answer.
    Lost,
    /// It is refused, without an effect.
    Unavailable,
}

impl Faults {
    pub fn new(policy: FaultPolicy, seed: u64) -> Self {
        Self { policy, random: StdRng::seed_from_u64(seed), counts: FaultCounts::default() }
    }

    /// The fate of the next call.
    pub fn draw(&mut self) -> CallFate {
        self.counts.calls += 1;
        let drawn: f64 = self.random.random_range(0.0..1.0);
        if drawn < self.policy.lost {
            self.counts.lost += 1;
            CallFate::Lost
        } else if drawn < self.policy.lost + self.policy.unavailable {
            self.counts.unavailable += 1;
            CallFate::Unavailable
        } else {
            CallFate::Answered
        }
    }

    /// Whether the next charge is declined.
    pub fn is_declined(&mut self) -> bool {
        let is_declined = self.random.random_bool(self.policy.declined);
        self.counts.declined += usize::from(is_declined);
        is_declined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_their_shares_and_repeat_with_their_seed() {
        let policy = FaultPolicy { lost: 0.2, unavailable: 0.05, declined: 0.1 };
        let drawn = |seed| {
            let mut faults = Faults::new(policy, seed);
            (0..2000).map(|_| faults.draw()).collect::<Vec<_>>()
        };
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
        let lost = drawn(7).iter().filter(|fate| **fate == CallFate::Lost).count();
        assert!((300..500).contains(&lost), "{lost}");
    }
}
