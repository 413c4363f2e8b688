//! Tables partitioned by month. Ids begin with their millisecond, so the ids of a month are a range. A partition is
//! created before its month begins and dropped as a whole. Rows of months without a partition go to the default
//! partition and are moved when theirs is created.

mod month;
mod store;

use sqlx::PgPool;

pub(crate) use month::Month;

/// Months whose partitions are created in advance.
const AHEAD: u32 = 3;

/// A table partitioned by month.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MonthlyTable {
    pub name: &'static str,
    /// The column with the ids.
    pub key: &'static str,
}

impl MonthlyTable {
    #[cfg(test)]
    pub fn partition_name(self, month: Month) -> String {
        month.partition_of(self.name)
    }

    /// The database's time, because a node's clock may be wrong.
    pub async fn now(self, db: &PgPool) -> sqlx::Result<chrono::DateTime<chrono::Utc>> {
        store::now(db).await
    }

    /// Creates the partitions of this month and the next ones, and returns how many were missing.
    ///
    /// # Errors
    /// Also if a long read holds the table's lock; the next round tries again.
    pub async fn make_ahead(self, db: &PgPool, now: Month) -> sqlx::Result<u64> {
        let there = self.months(db).await?;
        let mut made = 0;
        for month in (0..=AHEAD).map(|ahead| now.later(ahead)).filter(|month| !there.contains(month)) {
            self.make(db, month).await?;
            made += 1;
        }
        Ok(made)
    }

    /// Drops the partitions of months before this one and returns their number.
    pub async fn drop_before(self, db: &PgPool, first_kept: Month) -> sqlx::Result<u64> {
        let mut dropped = 0;
        for month in self.months(db).await?.into_iter().filter(|month| *month < first_kept) {
            store::drop(db, self.name, month).await?;
            dropped += 1;
        }
        Ok(dropped)
    }

    /// The months with a partition, in order.
    pub async fn months(self, db: &PgPool) -> sqlx::Result<Vec<Month>> {
        store::months(db, self.name).await
    }

    pub async fn make(self, db: &PgPool, month: Month) -> sqlx::Result<()> {
        store::make(db, self.name, self.key, month).await
    }
}
