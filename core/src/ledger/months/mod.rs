//! Monthly partitions of entries and settled holds. An entry belongs to the month of its id, a settled hold to that of its
//! job's id. Open holds have a partition of their own. No month is ever dropped, because balances follow from all entries.

#[cfg(test)]
mod tests;

use crate::database::monthly::{Month, MonthlyTable};
use crate::{Core, Result};

const ENTRIES: MonthlyTable = MonthlyTable { name: "credit_entries", key: "id" };
const SETTLED: MonthlyTable = MonthlyTable { name: "credit_holds_settled", key: "job_id" };

/// Creates the partitions of this month and the next ones, and returns how many were missing.
///
/// # Errors
/// Also if a long read locks the tables, for example a full audit or a backup; the next round tries again.
pub async fn maintain_months(core: &Core) -> Result<u64> {
    let now = Month::of(ENTRIES.now(&core.db).await?);
    Ok(ENTRIES.make_ahead(&core.db, now).await? + SETTLED.make_ahead(&core.db, now).await?)
}
