//! The only place that reads the clock.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Duration, SubsecRound as _, Utc};

/// The source of the current time; tests set it.
#[derive(Debug, Clone, Default)]
pub enum Clock {
    #[default]
    System,
    /// A clock that a test sets.
    Held(Arc<Mutex<DateTime<Utc>>>),
}

impl Clock {
    /// A clock that stands still until [`Clock::advance`].
    #[must_use]
    pub fn held(now: DateTime<Utc>) -> Self {
        Self::Held(Arc::new(Mutex::new(now)))
    }

    /// The time in UTC, in microseconds like the database, so that values before and after storage are equal.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        match self {
            Self::System => Utc::now().trunc_subsecs(6),
            Self::Held(at) => *at.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Advances a held clock.
    pub fn advance(&self, by: Duration) {
        if let Self::Held(at) = self {
            *at.lock().unwrap_or_else(PoisonError::into_inner) += by;
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::Timelike as _;

    use super::*;

    #[test]
    fn times_have_the_precision_of_the_database() {
        for _ in 0..1000 {
            assert_eq!(Clock::System.now().nanosecond() % 1000, 0);
        }
    }
}
