//! Beginning of transactions.
//!
//! sqlx 0.9.0 forgets a transaction whose `begin` is dropped while the server answers, as when a client hangs up. The
//! connection goes back to the pool with the transaction open: later statements on it are never committed, and they hold
//! their locks. The functions below always wait for the answer, in a task of their own. clippy.toml refuses sqlx's.

use sqlx::postgres::Postgres;
use sqlx::{PgPool, SqlSafeStr, SqlStr, Transaction};

/// Begins a transaction on a connection of the pool. May be dropped at any time.
///
/// # Errors
/// As [`sqlx::Pool::begin`].
pub async fn begin(db: &PgPool) -> sqlx::Result<Transaction<'static, Postgres>> {
    start(db, None).await
}

/// As [`begin`], with this statement.
///
/// # Errors
/// As [`sqlx::Pool::begin_with`].
pub async fn begin_with(db: &PgPool, statement: &'static str) -> sqlx::Result<Transaction<'static, Postgres>> {
    start(db, Some(statement.into_sql_str())).await
}

async fn start(db: &PgPool, statement: Option<SqlStr>) -> sqlx::Result<Transaction<'static, Postgres>> {
    let connection = db.acquire().await?;
    let begun = tokio::spawn(Transaction::begin(connection, statement));
    // The task does not panic; it is canceled when its runtime ends.
    begun.await.map_err(|_| sqlx::Error::WorkerCrashed)?
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::begin;
    use crate::testing::TestCore;

    #[actix::test]
    async fn dropped_begin_leaves_no_transaction_on_the_connection() {
        let core = TestCore::new().await;
        sqlx::query("CREATE TABLE tries (polls int)").execute(&core.db).await.expect("a table");
        let one = sqlx::postgres::PgPoolOptions::new().max_connections(1).test_before_acquire(false);
        let db = one.connect_with((*core.db.connect_options()).clone()).await.expect("a pool");
        for polls in 0..10 {
            let mut beginning = Box::pin(begin(&db));
            for _ in 0..polls {
                if let Some(begun) = beginning.as_mut().now_or_never() {
                    drop(begun.expect("a transaction"));
                    beginning = Box::pin(begin(&db));
                }
                // The server may answer, so that each poll gets further.
                tokio::time::sleep(std::time::Duration::from_millis(2)).await;
            }
            drop(beginning);
            sqlx::query("INSERT INTO tries VALUES ($1)").bind(polls).execute(&db).await.expect("a row");
            let committed = core.database.count("SELECT count(*) FROM tries").await;
            assert_eq!(committed, i64::from(polls) + 1, "dropped after {polls} polls, the transaction is still open");
        }
    }
}
