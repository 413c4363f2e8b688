//! Pulling the plug: a connection that the server ends in the middle of a transaction, as it does when the machine
//! under one of the two is lost.
//!
//! What a verb writes is found out by watching it once ([`Plug::watch`]); then it is cut off at each of these tables
//! ([`Plug::pull_at`]), and at its commit ([`Plug::pull_at_commit_of`]). What is left is compared with what was there
//! before ([`Plug::everything`]): all or nothing means that both are the same.

use sqlx::{AssertSqlSafe, PgPool};

use super::TestDatabase;

/// The plug of a test's database.
#[derive(Debug)]
pub struct Plug {
    /// Connections of its own: those of the code under test die.
    db: PgPool,
    tables: Vec<String>,
}

impl Plug {
    /// The plug of this database.
    ///
    /// # Panics
    /// Where the tables cannot be read.
    pub async fn of(database: &TestDatabase) -> Self {
        let db = database.pool();
        let tables = sqlx::query_scalar(
            "SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
             AND NOT relispartition AND relname <> '_sqlx_migrations' ORDER BY 1",
        );
        let tables = tables.fetch_all(&db).await.expect("the tables");
        let plug = Self { db, tables };
        plug.run(
            "CREATE SCHEMA plug;
             CREATE TABLE plug.written (name text);
             CREATE FUNCTION plug.note() RETURNS trigger LANGUAGE plpgsql AS $$
               BEGIN INSERT INTO plug.written VALUES (TG_TABLE_NAME); RETURN NULL; END $$;
             CREATE FUNCTION plug.pull() RETURNS trigger LANGUAGE plpgsql AS $$
               BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;"
                .to_owned(),
        )
        .await;
        plug
    }

    /// Notes from now on which tables are written.
    ///
    /// # Panics
    /// Where a trigger cannot be made.
    pub async fn watch(&self) {
        self.at_each(|table| {
            format!("CREATE TRIGGER plug BEFORE INSERT OR UPDATE OR DELETE ON {table} EXECUTE FUNCTION plug.note();")
        })
        .await;
    }

    /// The tables that were written since [`Plug::watch`], whose noting ends.
    ///
    /// # Panics
    /// Where they cannot be read.
    pub async fn written(&self) -> Vec<String> {
        self.mend().await;
        let written = sqlx::query_scalar("SELECT DISTINCT name FROM plug.written ORDER BY 1");
        let written = written.fetch_all(&self.db).await.expect("what was written");
        self.run("TRUNCATE plug.written".to_owned()).await;
        written
    }

    /// Ends every connection that writes this table (as `name`, or `name(column)` for updates of one column alone)
    /// before it has, until the plug is mended.
    ///
    /// # Panics
    /// Where there is no such table.
    pub async fn pull_at(&self, place: &str) {
        let event = match place.split_once('(') {
            Some((table, column)) => format!("UPDATE OF {} ON {table}", column.trim_end_matches(')')),
            None => format!("INSERT OR UPDATE OR DELETE ON {place}"),
        };
        self.run(format!("CREATE TRIGGER plug BEFORE {event} EXECUTE FUNCTION plug.pull()")).await;
    }

    /// Ends every connection that has put a row into this table, at its commit.
    ///
    /// # Panics
    /// Where there is no such table.
    pub async fn pull_at_commit_of(&self, table: &str) {
        self.run(format!(
            "CREATE CONSTRAINT TRIGGER plug AFTER INSERT ON {table} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
             EXECUTE FUNCTION plug.pull()"
        ))
        .await;
    }

    /// Puts the plug in again, everywhere.
    ///
    /// # Panics
    /// Where a trigger cannot be taken away.
    pub async fn mend(&self) {
        self.at_each(|table| format!("DROP TRIGGER IF EXISTS plug ON {table};")).await;
    }

    /// Everything that the database has, in brief: two that are equal have the same rows in all tables.
    ///
    /// # Panics
    /// Where a table cannot be read.
    pub async fn everything(&self) -> Vec<(String, i64, Option<String>)> {
        let one = |table: &String| {
            format!("SELECT '{table}', count(*), md5(string_agg(t::text, E'\\n' ORDER BY t::text)) FROM {table} t")
        };
        let sql = self.tables.iter().map(one).collect::<Vec<_>>().join(" UNION ALL ");
        // PostgreSQL may read the tables in parallel, and gives them in any order.
        let sql = format!("{sql} ORDER BY 1");
        sqlx::query_as(AssertSqlSafe(sql)).fetch_all(&self.db).await.expect("all rows")
    }

    async fn at_each(&self, statement: impl Fn(&String) -> String) {
        self.run(self.tables.iter().map(statement).collect()).await;
    }

    async fn run(&self, sql: String) {
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&self.db).await.expect("a plug");
    }
}
