//! Jobs that have ended. The statement that ends a job takes it out of the queue's table and puts it here, into the month in
//! which it was accepted. Each month is a table, made before it begins, and dropped as a whole when it is older than the
//! setting. Jobs whose month has no table go where the rest goes, and are brought home when it is made.

mod store;

#[cfg(test)]
pub(crate) mod factory;
#[cfg(test)]
mod tests;

use crate::database::monthly::{Month, Monthly};
use crate::{Core, Result};

const ENDED: Monthly = Monthly("ended_jobs");

/// Outputs of dropped jobs that are deleted in one round.
pub const OUTPUTS_AT_ONCE: i64 = 10_000;

/// Makes the tables of this month and the next ones, and drops those that are too old; tells how many were made and dropped,
/// and how many rows were deleted beside.
///
/// # Errors
/// Database errors, also where a table is read for longer than everybody else may be kept waiting behind this: the next
/// round tries again.
pub async fn look_after_months(core: &Core) -> Result<u64> {
    let now = Month::of(ENDED.now(&core.db).await?);
    let made = ENDED.make_ahead(&core.db, now).await?;
    let kept = core.settings.jobs.keep_months;
    if kept == 0 {
        return Ok(made);
    }
    let first_kept = now.earlier(kept);
    let dropped = ENDED.drop_before(&core.db, first_kept).await?;
    Ok(made + dropped + store::drop_rest(&core.db, first_kept.least_id(), OUTPUTS_AT_ONCE).await?)
}
