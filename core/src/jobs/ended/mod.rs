//! Ended jobs. The statement that ends a job moves its row from the queue's table into the partition of the month in which
//! it was accepted. Partitions are created ahead, and dropped when they are older than the setting. Rows of a month
//! without a partition go to the default partition, and move when theirs is created.

mod store;

#[cfg(test)]
pub(crate) mod factory;
#[cfg(test)]
mod tests;

use crate::database::monthly::{Month, MonthlyTable};
use crate::{Core, Result};

const ENDED: MonthlyTable = MonthlyTable { name: "ended_jobs", key: "id" };

/// Outputs of dropped jobs that are deleted in one round.
pub const OUTPUTS_AT_ONCE: i64 = 10_000;

/// Creates the partitions of this month and the next ones, and drops old ones; returns the number of partitions and of
/// other deleted rows.
///
/// # Errors
/// Also where the lock on a partition takes too long, because others would wait behind it. The next round tries again.
pub async fn maintain_months(core: &Core) -> Result<u64> {
    let now = Month::of(ENDED.now(&core.db).await?);
    let made = ENDED.make_ahead(&core.db, now).await?;
    let kept = core.settings.jobs.keep_months;
    if kept == 0 {
        return Ok(made);
    }
    let first_kept = now.earlier(kept);
    let dropped = ENDED.drop_before(&core.db, first_kept).await?;
    Ok(made + dropped + store::drop_rest(&core.db, first_kept.min_id(), OUTPUTS_AT_ONCE).await?)
}
