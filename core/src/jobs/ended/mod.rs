//! Jobs that have ended. The statement that ends a job takes it out of the queue's table and puts it here, into the month in
//! which it was accepted. Each month is a table, made before it begins, and dropped as a whole when it is older than the
//! setting. Jobs whose month has no table go where the rest goes, and are brought home when it is made.

mod month;
mod store;

#[cfg(test)]
pub(crate) mod factory;
#[cfg(test)]
mod tests;

use month::Month;

use crate::{Core, Result};

/// Months that have their table before they begin.
const AHEAD: u32 = 3;

/// Outputs of dropped jobs that are deleted in one round.
pub const OUTPUTS_AT_ONCE: i64 = 10_000;

/// Makes the tables of this month and the next ones, and drops those that are too old; tells how many were made and dropped,
/// and how many rows were deleted beside. The database's clock says what month it is: a node's may be wrong.
///
/// # Errors
/// Database errors, also where a table is read for longer than everybody else may be kept waiting behind this: the next
/// round tries again.
pub async fn look_after_months(core: &Core) -> Result<u64> {
    let now = Month::of(store::now(&core.db).await?);
    let there = store::months(&core.db).await?;
    let mut done = 0;
    for month in (0..=AHEAD).map(|ahead| now.later(ahead)).filter(|month| !there.contains(month)) {
        store::make(&core.db, month).await?;
        done += 1;
    }
    let kept = core.settings.jobs.keep_months;
    if kept == 0 {
        return Ok(done);
    }
    let first_kept = now.earlier(kept);
    for month in there.into_iter().filter(|month| *month < first_kept) {
        store::drop(&core.db, month).await?;
        done += 1;
    }
    Ok(done + store::drop_rest(&core.db, first_kept, OUTPUTS_AT_ONCE).await?)
}
