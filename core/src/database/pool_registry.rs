//! The pools of all threads, for metrics.

use std::sync::{Mutex, PoisonError};

use sqlx::PgPool;

/// The pools of a process, by user.
#[derive(Debug, Default)]
pub struct PoolRegistry(Mutex<Vec<(&'static str, PgPool)>>);

/// The connections of several pools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PoolUsage {
    pub busy: u32,
    pub idle: u32,
    /// The maximum.
    pub limit: u32,
}

impl PoolRegistry {
    pub(crate) fn add(&self, user: &'static str, pool: &PgPool) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((user, pool.clone()));
    }

    /// The sum over the pools of one user.
    #[must_use]
    pub fn of(&self, user: &str) -> PoolUsage {
        let pools = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = pools.iter().filter(|(other, pool)| *other == user && !pool.is_closed());
        own.fold(PoolUsage::default(), |sum, (_, pool)| {
            let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX).min(pool.size());
            PoolUsage {
                busy: sum.busy + (pool.size() - idle),
                idle: sum.idle + idle,
                limit: sum.limit + pool.options().get_max_connections(),
            }
        })
    }
}
