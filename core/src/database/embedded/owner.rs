//! The role that the platform uses in the embedded server. It owns the database but is no superuser, so that SQL
//! injection gives no access to files and programs of the machine.

use secrecy::{ExposeSecret, SecretString};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::error::Result;

pub(super) const ROLE: &str = "verdigraph_app";

/// Creates the role and gives it the database with all objects of the superuser, which older installations used.
/// Objects of extensions stay with the extension. Concurrent processes wait for each other.
const TRANSFER: &str = r"
BEGIN;
SELECT pg_advisory_xact_lock(hashtext('verdigraph_app'));
DO $$
DECLARE
    command text;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'verdigraph_app') THEN
        CREATE ROLE verdigraph_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD '{password}';
    END IF;
    IF pg_get_userbyid((SELECT datdba FROM pg_database WHERE datname = current_database())) <> 'verdigraph_app' THEN
        EXECUTE format('ALTER DATABASE %I OWNER TO verdigraph_app', current_database());
        ALTER SCHEMA public OWNER TO verdigraph_app;
    END IF;
    FOR command IN
        SELECT format('ALTER %s %s OWNER TO verdigraph_app',
                      CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
                                   ELSE 'TABLE' END, c.oid::regclass)
        FROM pg_class c
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
          AND relowner <> 'verdigraph_app'::regrole
          -- These follow what they belong to.
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('e', 'a', 'i')
                                                    AND d.classid = 'pg_class'::regclass)
        UNION ALL
        SELECT format('ALTER ROUTINE %s OWNER TO verdigraph_app', p.oid::regprocedure)
        FROM pg_proc p
        WHERE pronamespace = 'public'::regnamespace AND proowner <> 'verdigraph_app'::regrole
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e'
                                                    AND d.classid = 'pg_proc'::regclass)
        UNION ALL
        SELECT format('ALTER TYPE %s OWNER TO verdigraph_app', t.oid::regtype)
        FROM pg_type t
        WHERE typnamespace = 'public'::regnamespace AND typowner <> 'verdigraph_app'::regrole
          AND typtype IN ('e', 'd', 'r')
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = t.oid AND d.deptype = 'e'
                                                    AND d.classid = 'pg_type'::regclass)
    LOOP
        EXECUTE command;
    END LOOP;
END $$;
COMMIT;
";

/// Runs as the superuser of this URL.
pub(super) async fn transfer_ownership(superuser: &SecretString, password: &SecretString) -> Result<()> {
    let mut connection = PgConnection::connect(superuser.expose_secret()).await?;
    // Safe: the password has only hexadecimal digits, see `new_password`.
    let statements = TRANSFER.replace("{password}", password.expose_secret());
    sqlx::raw_sql(AssertSqlSafe(statements)).execute(&mut connection).await?;
    Ok(connection.close().await?)
}
