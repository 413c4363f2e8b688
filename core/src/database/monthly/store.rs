//! SQL of tables by months. Their names come from this program and its calendar: there is nothing in these statements that
//! comes from outside.

use chrono::{DateTime, Utc};
use sqlx::{AssertSqlSafe, PgConnection, PgPool};

use super::month::Month;

/// How long everybody who writes or reads such a table may wait behind this: a part is made and dropped in no time, but has to
/// wait for whoever reads at that moment, and holds up everybody who comes after.
const WAIT: &str = "SET LOCAL lock_timeout = '200ms'";

/// The database's time.
pub(super) async fn now(db: &PgPool) -> sqlx::Result<DateTime<Utc>> {
    sqlx::query_scalar("SELECT now()").fetch_one(db).await
}

/// The months that have a part, in their order.
pub(super) async fn months(db: &PgPool, table: &str) -> sqlx::Result<Vec<Month>> {
    let names: Vec<String> = sqlx::query_scalar(
        "SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = to_regclass($1) ORDER BY 1",
    )
    .bind(table)
    .fetch_all(db)
    .await?;
    Ok(names.iter().filter_map(|name| Month::of_part(table, name)).collect())
}

/// Makes the part of a month, and brings into it the rows that were written before it was there.
pub(super) async fn make(db: &PgPool, table: &str, month: Month) -> sqlx::Result<()> {
    let (part, from, until) = (month.part_of(table), month.least_id(), month.later(1).least_id());
    let mut tx = db.begin().await?;
    run(&mut tx, WAIT.to_owned()).await?;
    run(&mut tx, format!("LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")).await?;
    run(&mut tx, format!("CREATE TABLE {part} (LIKE {table} INCLUDING ALL)")).await?;
    let home = format!(
        "WITH late AS (DELETE FROM {table}_default WHERE id >= '{from}' AND id < '{until}' RETURNING *)
         INSERT INTO {part} SELECT * FROM late"
    );
    run(&mut tx, home).await?;
    run(&mut tx, format!("ALTER TABLE {table} ATTACH PARTITION {part} FOR VALUES FROM ('{from}') TO ('{until}')"))
        .await?;
    tx.commit().await
}

/// Drops a month. One transaction: whoever dies here leaves the whole month or nothing of it.
pub(super) async fn drop(db: &PgPool, table: &str, month: Month) -> sqlx::Result<()> {
    let mut tx = db.begin().await?;
    run(&mut tx, WAIT.to_owned()).await?;
    run(&mut tx, format!("DROP TABLE IF EXISTS {}", month.part_of(table))).await?;
    tx.commit().await
}

async fn run(tx: &mut PgConnection, sql: String) -> sqlx::Result<()> {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(tx).await?;
    Ok(())
}
