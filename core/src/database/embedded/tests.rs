use std::os::unix::fs::PermissionsExt;

use sqlx::{Connection, PgConnection};

use super::*;

async fn ask(url: &SecretString, sql: &'static str) -> String {
    let mut connection = PgConnection::connect(url.expose_secret()).await.expect("a connection");
    let answer = sqlx::query_scalar(sql).fetch_one(&mut connection).await.expect("an answer");
    connection.close().await.expect("a close");
    answer
}

#[tokio::test]
async fn cluster_keeps_its_data_and_is_shared_while_it_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = DataDir::new(folder.path());
    let (first, url) = EmbeddedServer::start(&data, None, Durability::Durable).await.expect("a database");
    assert_eq!(ask(&url, "SHOW fsync").await, "on", "commits must survive a power cut");
    ask(&url, "WITH made AS (SELECT set_config('x.y', 'z', false)) SELECT * FROM made").await;
    let mut connection = PgConnection::connect(url.expose_secret()).await.expect("a connection");
    sqlx::raw_sql("CREATE TABLE kept AS SELECT 'still here' AS word").execute(&mut connection).await.expect("a table");
    connection.close().await.expect("a close");

    let (second, same) = EmbeddedServer::start(&data, None, Durability::Durable).await.expect("the same database");
    assert_eq!(second.pid, first.pid, "a second process adopts the server that runs");
    first.stop().await.expect("the first leaves");
    assert_eq!(ask(&same, "SELECT word FROM kept").await, "still here", "the server stays while it is in use");
    let cluster = second.location.home.join("cluster");
    second.stop().await.expect("the last one stops it");
    assert!(PidFile::read(&cluster).is_none(), "no server is left behind");

    let (third, again) = EmbeddedServer::start(&data, None, Durability::Durable).await.expect("a restart");
    assert_eq!(ask(&again, "SELECT word FROM kept").await, "still here");
    let home = third.location.home.clone();
    third.stop().await.expect("a stop");
    if !home.starts_with(folder.path()) {
        std::fs::remove_dir_all(home).expect("the moved cluster is removed");
    }
}

#[tokio::test]
async fn copy_of_a_running_cluster_does_not_get_the_originals_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = DataDir::new(folder.path());
    let (server, _) = EmbeddedServer::start(&data, None, Durability::Volatile).await.expect("a database");
    let (home, pid) = (server.location.home.clone(), server.pid);
    let (cluster, renamed, copy) = (home.join("cluster"), home.join("renamed"), home.join("copy"));
    std::fs::create_dir(&copy).expect("a folder");
    std::fs::copy(cluster.join("postmaster.pid"), copy.join("postmaster.pid")).expect("a copy");

    let error = running(&copy).expect_err("its rows are the original's");
    assert!(error.to_string().contains(&format!("served {}", cluster.display())), "{error}");
    std::fs::rename(&cluster, &renamed).expect("a renamed cluster");
    assert_eq!(running(&renamed).expect("a status").map(|(pid, _)| pid), Some(pid));
    std::fs::rename(&renamed, &cluster).expect("its first name");

    server.stop().await.expect("a stop");
    assert!(running(&copy).expect("a status").is_none(), "the original's server has ended");
    if !home.starts_with(folder.path()) {
        std::fs::remove_dir_all(home).expect("the moved cluster is removed");
    }
}

#[tokio::test]
async fn restart_keeps_the_port_and_committed_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = DataDir::new(folder.path());
    let (mut server, url) = EmbeddedServer::start(&data, None, Durability::Durable).await.expect("a database");
    let mut connection = PgConnection::connect(url.expose_secret()).await.expect("a connection");
    sqlx::raw_sql("CREATE TABLE kept (word text)").execute(&mut connection).await.expect("a table");
    for (word, shutdown) in [("fast", Shutdown::Fast), ("immediate", Shutdown::Immediate)] {
        let before = server.pid();
        sqlx::query("INSERT INTO kept VALUES ($1)").bind(word).execute(&mut connection).await.expect("a row");
        server = server.restart(shutdown).await.expect("a restart under an open session");
        assert_ne!(server.pid(), before, "another process serves now");
        connection.ping().await.expect_err("the old session is gone");
        // The URL of the first start is still valid.
        connection = PgConnection::connect(url.expose_secret()).await.expect("a connection");
    }
    assert_eq!(ask(&url, "SELECT string_agg(word, ' ') FROM kept").await, "fast immediate");

    let (adopted, _) = EmbeddedServer::start(&data, None, Durability::Durable).await.expect("the same database");
    adopted.restart(Shutdown::Fast).await.expect_err("a server of another process is not restarted");
    assert_eq!(ask(&url, "SELECT string_agg(word, ' ') FROM kept").await, "fast immediate", "it goes on");
    let home = server.location.home.clone();
    server.stop().await.expect("a stop");
    if !home.starts_with(folder.path()) {
        std::fs::remove_dir_all(home).expect("the moved cluster is removed");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_starts_of_a_new_cluster_share_one_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = DataDir::new(folder.path());
    let starts: Vec<_> = (0..12)
        .map(|_| {
            let data = data.clone();
            tokio::spawn(async move { EmbeddedServer::start(&data, None, Durability::Volatile).await })
        })
        .collect();
    let mut home = PathBuf::new();
    for start in starts {
        let (embedded, url) = start.await.expect("no panic").expect("a database");
        assert_eq!(ask(&url, "SELECT current_database()::text").await, DATABASE);
        home.clone_from(&embedded.location.home);
        embedded.stop().await.expect("a stop");
    }
    if !home.starts_with(folder.path()) {
        std::fs::remove_dir_all(home).expect("the moved cluster is removed");
    }
}

#[tokio::test]
async fn wrong_password_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    // As root, the database's user also cannot reach this data folder.
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700)).expect("a closed folder");
    let (embedded, url) =
        EmbeddedServer::start(&DataDir::new(folder.path()), None, Durability::Durable).await.expect("a database");
    assert_eq!(embedded.moved_to().is_some(), rustix::process::geteuid().is_root());
    let wrong = url.expose_secret().replacen("verdigraph_app:", "verdigraph_app:x", 1);
    assert!(PgConnection::connect(&wrong).await.is_err(), "the port is open to all users of the machine");
    let home = embedded.location.home.clone();
    embedded.stop().await.expect("a stop");
    if !home.starts_with(folder.path()) {
        std::fs::remove_dir_all(home).expect("the moved cluster is removed");
    }
}

#[tokio::test]
async fn platform_role_owns_its_database_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = DataDir::new(folder.path());
    let (first, _) = EmbeddedServer::start(&data, None, Durability::Durable).await.expect("a database");
    let mut connection = PgConnection::connect(first.superuser().expose_secret()).await.expect("a connection");
    // As created by an older version, which used the superuser.
    let older = "ALTER DATABASE verdigraph OWNER TO verdigraph; ALTER SCHEMA public OWNER TO verdigraph;
        CREATE EXTENSION pg_trgm;
        CREATE TYPE mood AS ENUM ('good'); CREATE TABLE things (id serial PRIMARY KEY, mood mood);
        CREATE VIEW seen AS SELECT * FROM things;
        CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1'; INSERT INTO things (mood) VALUES ('good')";
    sqlx::raw_sql(older).execute(&mut connection).await.expect("tables");
    connection.close().await.expect("a close");

    let (second, url) = EmbeddedServer::start(&data, None, Durability::Durable).await.expect("the same database");
    let mut connection = PgConnection::connect(url.expose_secret()).await.expect("a connection");
    let allowed =
        "CREATE EXTENSION IF NOT EXISTS pg_trgm; ALTER TABLE things ADD name text; ALTER TYPE mood ADD VALUE 'bad';
        CREATE INDEX ON things USING gin (name gin_trgm_ops); DROP VIEW seen;
        CREATE VIEW seen AS SELECT id FROM things; DROP FUNCTION one();
        INSERT INTO things (name) VALUES ('x'); ALTER SEQUENCE things_id_seq RESTART; CREATE TABLE more (id int)";
    sqlx::raw_sql(allowed).execute(&mut connection).await.expect("it is the platform's own");
    for forbidden in [
        "COPY more FROM PROGRAM 'echo 1'",
        "COPY more TO '/tmp/verdigraph-more'",
        "SELECT pg_read_file('postgresql.conf')",
        "ALTER SYSTEM SET fsync = off",
        "CREATE ROLE another SUPERUSER",
        "ALTER ROLE verdigraph_app SUPERUSER",
        "SET ROLE verdigraph",
        "CREATE DATABASE another",
    ] {
        assert!(sqlx::raw_sql(forbidden).execute(&mut connection).await.is_err(), "{forbidden}");
    }
    connection.close().await.expect("a close");
    let home = first.location.home.clone();
    first.stop().await.expect("a stop");
    second.stop().await.expect("a stop");
    if !home.starts_with(folder.path()) {
        std::fs::remove_dir_all(home).expect("the moved cluster is removed");
    }
}

#[tokio::test]
async fn missing_programs_are_reported_with_advice() {
    let folder = tempfile::tempdir().expect("a folder");
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).expect("a folder");
    let data = DataDir::new(folder.path().join("data"));
    let error = EmbeddedServer::start(&data, Some(&empty), Durability::Durable).await.expect_err("nothing to run");
    assert!(error.to_string().contains("DATABASE_URL"), "{error}");
}

#[test]
fn status_file_is_parsed_at_every_stage() {
    let starting = PidFile::parse("4711\n/data\n1790000000\n5499\n\n127.0.0.1\n  123 456\nstarting\n").expect("a file");
    assert_eq!((starting.pid.as_raw_nonzero().get(), starting.port, starting.ready), (4711, 5499, false));
    assert_eq!(starting.folder, Path::new("/data"));
    assert!(PidFile::parse("4711\n/data\n1790000000\n5499\n\n127.0.0.1\n  123 456\nready   \n").expect("a file").ready);
    assert!(!PidFile::parse("4711\n").expect("a file that is being written").ready);
    assert!(PidFile::parse("").is_none());
    assert!(PidFile::parse("x\n").is_none());
}
