//! SQL of the months of ended jobs. Their tables are named by the month: there is nothing in these statements that comes from
//! outside.

use chrono::{DateTime, Utc};
use sqlx::{AssertSqlSafe, PgConnection, PgPool};

use super::month::Month;

/// How long everybody who ends or reads jobs may wait behind this: a table is made and dropped in no time, but has to wait for
/// whoever reads at that moment, and holds up everybody who comes after.
const WAIT: &str = "SET LOCAL lock_timeout = '200ms'";

/// The database's time.
pub(super) async fn now(db: &PgPool) -> sqlx::Result<DateTime<Utc>> {
    sqlx::query_scalar("SELECT now()").fetch_one(db).await
}

/// The months that have a table, in their order.
pub(super) async fn months(db: &PgPool) -> sqlx::Result<Vec<Month>> {
    let names: Vec<String> = sqlx::query_scalar(
        "SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = 'ended_jobs'::regclass ORDER BY 1",
    )
    .fetch_all(db)
    .await?;
    Ok(names.iter().filter_map(|name| Month::of_table(name)).collect())
}

/// Makes the table of a month, and brings into it the jobs that have ended before it was there.
pub(super) async fn make(db: &PgPool, month: Month) -> sqlx::Result<()> {
    let (table, from, until) = (month.table(), month.least_id(), month.later(1).least_id());
    let mut tx = db.begin().await?;
    run(&mut tx, WAIT.to_owned()).await?;
    run(&mut tx, "LOCK TABLE ended_jobs IN ACCESS EXCLUSIVE MODE".to_owned()).await?;
    run(&mut tx, format!("CREATE TABLE {table} (LIKE ended_jobs INCLUDING ALL)")).await?;
    let home = format!(
        "WITH late AS (DELETE FROM ended_jobs_default WHERE id >= '{from}' AND id < '{until}' RETURNING *)
         INSERT INTO {table} SELECT * FROM late"
    );
    run(&mut tx, home).await?;
    run(&mut tx, format!("ALTER TABLE ended_jobs ATTACH PARTITION {table} FOR VALUES FROM ('{from}') TO ('{until}')"))
        .await?;
    tx.commit().await
}

/// Drops a month. One transaction: whoever dies here leaves the whole month or nothing of it.
pub(super) async fn drop(db: &PgPool, month: Month) -> sqlx::Result<()> {
    let mut tx = db.begin().await?;
    run(&mut tx, WAIT.to_owned()).await?;
    run(&mut tx, format!("DROP TABLE IF EXISTS {}", month.table())).await?;
    tx.commit().await
}

/// Deletes the jobs from before a month that have no month's table, and some of the outputs of jobs from before it; tells how
/// many rows that were.
pub(super) async fn drop_rest(db: &PgPool, first_kept: Month, most: i64) -> sqlx::Result<u64> {
    let bound = first_kept.least_id();
    let jobs = sqlx::query(
        "DELETE FROM ended_jobs_default WHERE id IN (SELECT id FROM ended_jobs_default WHERE id < $1 LIMIT $2)",
    )
    .bind(bound)
    .bind(most)
    .execute(db)
    .await?;
    let outputs = sqlx::query(
        "DELETE FROM job_outputs WHERE (job_id, position) IN (
             SELECT job_id, position FROM job_outputs WHERE job_id < $1 ORDER BY job_id, position LIMIT $2
         )",
    )
    .bind(bound)
    .bind(most)
    .execute(db)
    .await?;
    Ok(jobs.rows_affected() + outputs.rows_affected())
}

async fn run(tx: &mut PgConnection, sql: String) -> sqlx::Result<()> {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(tx).await?;
    Ok(())
}
