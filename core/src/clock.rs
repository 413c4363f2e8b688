//! The only place that reads the clock.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Duration, Utc};

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

    /// The time, in UTC.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        match self {
            Self::System => Utc::now(),
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
