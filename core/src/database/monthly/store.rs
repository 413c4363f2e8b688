//! SQL of monthly partitions. Table names come from this program and its calendar, not from input.

use chrono::{DateTime, Utc};
use sqlx::{AssertSqlSafe, PgConnection, PgPool};

use super::month::Month;
use crate::database;

/// The lock timeout. Creating and dropping partitions is fast, but it must wait for readers and meanwhile blocks all
/// later statements.
const WAIT: &str = "SET LOCAL lock_timeout = '200ms'";

pub(super) async fn now(db: &PgPool) -> sqlx::Result<DateTime<Utc>> {
    sqlx::query_scalar("SELECT now()").fetch_one(db).await
}

/// The months with a partition, in order.
pub(super) async fn months(db: &PgPool, table: &str) -> sqlx::Result<Vec<Month>> {
    let names: Vec<String> = sqlx::query_scalar(
        "SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = to_regclass($1) ORDER BY 1",
    )
    .bind(table)
    .fetch_all(db)
    .await?;
    Ok(names.iter().filter_map(|name| Month::from_partition(table, name)).collect())
}

/// Creates the partition of a month and moves the month's rows from the default partition into it.
pub(super) async fn make(db: &PgPool, table: &str, key: &str, month: Month) -> sqlx::Result<()> {
    let (part, from, until) = (month.partition_of(table), month.min_id(), month.later(1).min_id());
    let mut tx = database::begin(db).await?;
    run(&mut tx, WAIT.to_owned()).await?;
    run(&mut tx, format!("LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")).await?;
    run(&mut tx, format!("CREATE TABLE {part} (LIKE {table} INCLUDING ALL)")).await?;
    let home = format!(
        "WITH late AS (DELETE FROM {table}_default WHERE {key} >= '{from}' AND {key} < '{until}' RETURNING *)
         INSERT INTO {part} SELECT * FROM late"
    );
    run(&mut tx, home).await?;
    run(&mut tx, format!("ALTER TABLE {table} ATTACH PARTITION {part} FOR VALUES FROM ('{from}') TO ('{until}')"))
        .await?;
    tx.commit().await
}

/// Drops a month, in one transaction.
pub(super) async fn drop(db: &PgPool, table: &str, month: Month) -> sqlx::Result<()> {
    let mut tx = database::begin(db).await?;
    run(&mut tx, WAIT.to_owned()).await?;
    run(&mut tx, format!("DROP TABLE IF EXISTS {}", month.partition_of(table))).await?;
    tx.commit().await
}

async fn run(tx: &mut PgConnection, sql: String) -> sqlx::Result<()> {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(tx).await?;
    Ok(())
}
