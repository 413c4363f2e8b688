//! Tables that grow with time. Their ids begin with their millisecond, so that each month of ids is a part (a partition) of its
//! own: made before it begins, and dropped as a whole when nobody needs it any more. Rows whose month has no part go into
//! the default one, and are brought home when it is made.

mod month;
mod store;

use sqlx::PgPool;

pub(crate) use month::Month;

/// Months that have their part before they begin.
const AHEAD: u32 = 3;

/// A table whose parts are months.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Monthly(pub &'static str);

impl Monthly {
    /// The name of a month's part.
    #[cfg(test)]
    pub fn part(self, month: Month) -> String {
        month.part_of(self.0)
    }

    /// The database's time, by which months begin and end: a node's clock may be wrong.
    ///
    /// # Errors
    /// Database errors.
    pub async fn now(self, db: &PgPool) -> sqlx::Result<chrono::DateTime<chrono::Utc>> {
        store::now(db).await
    }

    /// Makes the parts of this month and the next ones; tells how many were made.
    ///
    /// # Errors
    /// Database errors, also where the table is read for longer than everybody else may be kept waiting behind this: the next
    /// round tries again.
    pub async fn make_ahead(self, db: &PgPool, now: Month) -> sqlx::Result<u64> {
        let there = self.months(db).await?;
        let mut made = 0;
        for month in (0..=AHEAD).map(|ahead| now.later(ahead)).filter(|month| !there.contains(month)) {
            self.make(db, month).await?;
            made += 1;
        }
        Ok(made)
    }

    /// Drops the months before this one; tells how many.
    ///
    /// # Errors
    /// As [`Monthly::make_ahead`].
    pub async fn drop_before(self, db: &PgPool, first_kept: Month) -> sqlx::Result<u64> {
        let mut dropped = 0;
        for month in self.months(db).await?.into_iter().filter(|month| *month < first_kept) {
            store::drop(db, self.0, month).await?;
            dropped += 1;
        }
        Ok(dropped)
    }

    /// The months that have a part, in their order.
    ///
    /// # Errors
    /// Database errors.
    pub async fn months(self, db: &PgPool) -> sqlx::Result<Vec<Month>> {
        store::months(db, self.0).await
    }

    /// Makes the part of one month.
    ///
    /// # Errors
    /// As [`Monthly::make_ahead`].
    pub async fn make(self, db: &PgPool, month: Month) -> sqlx::Result<()> {
        store::make(db, self.0, month).await
    }
}
