//! The only place that reads the clock.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Duration, SubsecRound as _, Utc};

/// Where a verb gets "now" from; tests hold it still and move it on.
#[derive(Debug, Clone, Default)]
pub enum Clock {
    /// The machine's clock.
    #[default]
    System,
    /// A clock that a test sets.
    Held(Arc<Mutex<DateTime<Utc>>>),
}

impl Clock {
    /// A clock that stands at `now` until [`Clock::advance`] moves it.
    #[must_use]
    pub fn held(now: DateTime<Utc>) -> Self {
        Self::Held(Arc::new(Mutex::new(now)))
    }

    /// The time, in UTC, to the microsecond: as exactly as the database keeps it, so that what is answered at once and what is
    /// read later are the same.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        match self {
            Self::System => Utc::now().trunc_subsecs(6),
            Self::Held(at) => *at.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Moves a held clock on; the machine's clock moves by itself.
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
    fn no_time_is_finer_than_the_database_keeps_it() {
        for _ in 0..1000 {
            assert_eq!(Clock::System.now().nanosecond() % 1000, 0);
        }
    }
}
