//! Limits of a node's concurrent attempts. Addresses that answer quickly have permits of their own, so that neither slow
//! nor unresponsive ones can block them.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::Semaphore;

/// Concurrent attempts of a node at addresses of one class.
const MAX_NODE_ATTEMPTS: usize = 256;
/// An answer that takes longer than this is slow.
const SLOW: TimeDelta = TimeDelta::seconds(2);

/// How an address behaved at its last attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AddressClass {
    Healthy,
    /// It accepts everything and takes its time.
    Slow,
    /// It fails, or has never been tried.
    Other,
}

impl AddressClass {
    /// Attempts that are counted for each concurrent one.
    pub fn counted_ahead(self) -> usize {
        match self {
            // A statement writes about half of them, while the other half is sent.
            Self::Healthy => 12,
            // Few statements are needed, and what the owner requests waits behind all that are counted.
            Self::Slow => 4,
            Self::Other => 1,
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct AttemptPermits {
    healthy: Arc<Semaphore>,
    slow: Arc<Semaphore>,
    others: Arc<Semaphore>,
}

impl Default for AttemptPermits {
    fn default() -> Self {
        let permits = |count| Arc::new(Semaphore::new(count));
        Self {
            healthy: permits(MAX_NODE_ATTEMPTS),
            slow: permits(MAX_NODE_ATTEMPTS),
            others: permits(MAX_NODE_ATTEMPTS / 2),
        }
    }
}

impl AttemptPermits {
    pub fn of(&self, class: AddressClass) -> Arc<Semaphore> {
        Arc::clone(match class {
            AddressClass::Healthy => &self.healthy,
            AddressClass::Slow => &self.slow,
            AddressClass::Other => &self.others,
        })
    }
}

/// Whether an attempt that began and ended at these times took long.
pub(super) fn is_slow(began: DateTime<Utc>, ended: DateTime<Utc>) -> bool {
    ended - began > SLOW
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_class_leave_the_permits_of_the_others() {
        let classes = [AddressClass::Healthy, AddressClass::Slow, AddressClass::Other];
        for class in classes {
            let permits = AttemptPermits::default();
            let mut held = Vec::new();
            while let Ok(permit) = permits.of(class).try_acquire_owned() {
                held.push(permit);
            }
            assert!(held.len() <= MAX_NODE_ATTEMPTS, "{class:?}");
            for other in classes {
                assert_eq!(permits.of(other).try_acquire_owned().is_ok(), other != class, "{other:?} beside {class:?}");
            }
        }
    }

    #[test]
    fn requested_delivery_waits_behind_fewer_attempts_of_a_slower_address() {
        let [healthy, slow, other] =
            [AddressClass::Healthy, AddressClass::Slow, AddressClass::Other].map(AddressClass::counted_ahead);
        assert!(healthy > slow && slow > other, "{healthy}, {slow}, {other}");
        assert_eq!(other, 1, "more than the next attempt is counted for an address that fails");
    }

    #[test]
    fn answer_after_more_than_two_seconds_is_slow() {
        let began = DateTime::UNIX_EPOCH;
        assert!(!is_slow(began, began) && !is_slow(began, began + TimeDelta::seconds(2)));
        assert!(is_slow(began, began + TimeDelta::milliseconds(2001)));
        assert!(!is_slow(began, began - TimeDelta::seconds(9)), "the clock was set back");
    }
}
