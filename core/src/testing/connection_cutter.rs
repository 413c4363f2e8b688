//! Ends database connections in the middle of transactions, as the loss of a machine does.
//!
//! A test records which tables a verb writes ([`ConnectionCutter::record_writes`]), cuts the verb off at each of these
//! tables ([`ConnectionCutter::cut_at_write`]) and at its commit ([`ConnectionCutter::cut_at_commit`]), and checks that
//! the database is unchanged ([`ConnectionCutter::fingerprint`]).

use sqlx::{AssertSqlSafe, PgPool};

use super::TestDatabase;

#[derive(Debug)]
pub struct ConnectionCutter {
    /// Separate connections, because those of the code under test are ended.
    db: PgPool,
    tables: Vec<String>,
}

impl ConnectionCutter {
    pub async fn of(database: &TestDatabase) -> Self {
        let db = database.pool();
        let tables = sqlx::query_scalar(
            "SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
             AND NOT relispartition AND relname <> '_sqlx_migrations' ORDER BY 1",
        );
        let tables = tables.fetch_all(&db).await.expect("the tables");
        let cutter = Self { db, tables };
        cutter
            .run(
                "CREATE SCHEMA cutter;
             CREATE TABLE cutter.written (name text);
             CREATE FUNCTION cutter.note() RETURNS trigger LANGUAGE plpgsql AS $$
               BEGIN INSERT INTO cutter.written VALUES (TG_TABLE_NAME); RETURN NULL; END $$;
             CREATE FUNCTION cutter.pull() RETURNS trigger LANGUAGE plpgsql AS $$
               BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;"
                    .to_owned(),
            )
            .await;
        cutter
    }

    /// Starts recording which tables are written.
    pub async fn record_writes(&self) {
        self.at_each(|table| {
            format!(
                "CREATE TRIGGER cutter BEFORE INSERT OR UPDATE OR DELETE ON {table} EXECUTE FUNCTION cutter.note();"
            )
        })
        .await;
    }

    /// The tables written since [`ConnectionCutter::record_writes`]; stops recording.
    pub async fn written_tables(&self) -> Vec<String> {
        self.restore().await;
        let written = sqlx::query_scalar("SELECT DISTINCT name FROM cutter.written ORDER BY 1");
        let written = written.fetch_all(&self.db).await.expect("what was written");
        self.run("TRUNCATE cutter.written".to_owned()).await;
        written
    }

    /// Ends connections that write this table (`name`, or `name(column)` for updates of one column), before the write,
    /// until [`ConnectionCutter::restore`].
    pub async fn cut_at_write(&self, place: &str) {
        let event = match place.split_once('(') {
            Some((table, column)) => format!("UPDATE OF {} ON {table}", column.trim_end_matches(')')),
            None => format!("INSERT OR UPDATE OR DELETE ON {place}"),
        };
        self.run(format!("CREATE TRIGGER cutter BEFORE {event} EXECUTE FUNCTION cutter.pull()")).await;
    }

    /// Ends connections that insert into this table, at their commit.
    pub async fn cut_at_commit(&self, table: &str) {
        self.run(format!(
            "CREATE CONSTRAINT TRIGGER cutter AFTER INSERT ON {table} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
             EXECUTE FUNCTION cutter.pull()"
        ))
        .await;
    }

    /// Stops cutting connections.
    pub async fn restore(&self) {
        self.at_each(|table| format!("DROP TRIGGER IF EXISTS cutter ON {table};")).await;
    }

    /// A digest of each table; equal digests mean equal rows.
    pub async fn fingerprint(&self) -> Vec<(String, i64, Option<String>)> {
        let one = |table: &String| {
            format!("SELECT '{table}', count(*), md5(string_agg(t::text, E'\\n' ORDER BY t::text)) FROM {table} t")
        };
        let sql = self.tables.iter().map(one).collect::<Vec<_>>().join(" UNION ALL ");
        // PostgreSQL may read tables in parallel, in any order.
        let sql = format!("{sql} ORDER BY 1");
        sqlx::query_as(AssertSqlSafe(sql)).fetch_all(&self.db).await.expect("all rows")
    }

    async fn at_each(&self, statement: impl Fn(&String) -> String) {
        self.run(self.tables.iter().map(statement).collect()).await;
    }

    async fn run(&self, sql: String) {
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&self.db).await.expect("a cutter");
    }
}
