//! The role that the platform enters the private server with. It owns its database; a mistake in a statement of ours is
//! no way to the files and programs of the machine, as it would be for a superuser.

use secrecy::{ExposeSecret, SecretString};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::error::Result;

pub(super) const ROLE: &str = "verdigraph_app";

/// Makes the role, and gives it the database with all that a superuser has made there: installations that are older
/// than the role entered as one. What belongs to an extension stays with the extension.
///
/// Several processes may come at once; one does it after the other.
const GIVE: &str = r"
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

/// As the superuser at this address.
///
/// # Errors
/// The server cannot be reached, or refuses.
pub(super) async fn give(superuser: &SecretString, password: &SecretString) -> Result<()> {
    let mut connection = PgConnection::connect(superuser.expose_secret()).await?;
    // It consists of hexadecimal digits: see `new_password`.
    let statements = GIVE.replace("{password}", password.expose_secret());
    sqlx::raw_sql(AssertSqlSafe(statements)).execute(&mut connection).await?;
    Ok(connection.close().await?)
}
