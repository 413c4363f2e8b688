//! Drops indexes and constraints before the tables are filled and restores them afterwards. This is many times faster
//! than updating them row by row, and validates all rows at once.

use sqlx::{AssertSqlSafe, PgConnection};

use crate::error::Result;

/// Statements that restore what was dropped, in order.
pub(super) struct DroppedIndexes(Vec<String>);

/// Drops all foreign keys from and to these tables, their keys and their indexes.
pub(super) async fn drop_indexes(db: &mut PgConnection, tables: &[&str]) -> Result<DroppedIndexes> {
    let tables: Vec<String> = tables.iter().map(|&table| table.to_owned()).collect();
    let constraints: Vec<(String, String, String)> = sqlx::query_as(
        "SELECT conrelid::regclass::text, conname::text, pg_get_constraintdef(oid) FROM pg_constraint
         WHERE (contype IN ('p', 'u') AND conrelid = ANY($1::text[]::regclass[]))
            OR (contype = 'f' AND (conrelid = ANY($1::text[]::regclass[]) OR confrelid = ANY($1::text[]::regclass[])))
         ORDER BY contype = 'f', contype, conname",
    )
    .bind(&tables)
    .fetch_all(&mut *db)
    .await?;
    let indexes: Vec<(String, String)> = sqlx::query_as(
        "SELECT i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) FROM pg_index i
         WHERE i.indrelid = ANY($1::text[]::regclass[])
           AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid) ORDER BY 1",
    )
    .bind(&tables)
    .fetch_all(&mut *db)
    .await?;
    // Foreign keys first: they depend on the keys.
    for (table, name, _) in constraints.iter().rev() {
        run(db, format!("ALTER TABLE {table} DROP CONSTRAINT {name}")).await?;
    }
    for (name, _) in &indexes {
        run(db, format!("DROP INDEX {name}")).await?;
    }
    let (keys, foreign): (Vec<_>, Vec<_>) =
        constraints.into_iter().partition(|(_, _, definition)| !definition.starts_with("FOREIGN KEY"));
    let add = |(table, name, definition): (String, String, String)| {
        format!("ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")
    };
    let indexes = indexes.into_iter().map(|(_, definition)| definition);
    Ok(DroppedIndexes(keys.into_iter().map(add).chain(indexes).chain(foreign.into_iter().map(add)).collect()))
}

impl DroppedIndexes {
    /// Restores everything. Fails if the rows violate a constraint.
    pub async fn restore(self, db: &mut PgConnection) -> Result<()> {
        run(db, "SET maintenance_work_mem = '512MB'".to_owned()).await?;
        for statement in self.0 {
            run(db, statement).await?;
        }
        run(db, "RESET maintenance_work_mem".to_owned()).await
    }
}

async fn run(db: &mut PgConnection, statement: String) -> Result<()> {
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(db).await?;
    Ok(())
}
