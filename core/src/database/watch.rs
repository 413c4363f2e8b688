//! How much of the pools is in use. Each thread has a pool of its own, so somebody has to know all of them.

use std::sync::{Mutex, PoisonError};

use sqlx::PgPool;

/// The pools of a process, by who uses them.
#[derive(Debug, Default)]
pub struct Watched(Mutex<Vec<(&'static str, PgPool)>>);

/// What pools have together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PoolUse {
    /// Connections that somebody works with.
    pub busy: u32,
    /// Connections that are open and free.
    pub idle: u32,
    /// Connections that there may be.
    pub limit: u32,
}

impl Watched {
    /// Watches a pool from now on.
    pub(crate) fn add(&self, user: &'static str, pool: &PgPool) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((user, pool.clone()));
    }

    /// What the pools of one user have together.
    #[must_use]
    pub fn of(&self, user: &str) -> PoolUse {
        let pools = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = pools.iter().filter(|(other, pool)| *other == user && !pool.is_closed());
        own.fold(PoolUse::default(), |sum, (_, pool)| {
            let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX).min(pool.size());
            PoolUse {
                busy: sum.busy + (pool.size() - idle),
                idle: sum.idle + idle,
                limit: sum.limit + pool.options().get_max_connections(),
            }
        })
    }
}
