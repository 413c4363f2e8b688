//! A node's name is unique among living nodes, and a restarted node continues at once.

#[expect(dead_code, reason = "shared with the tests of what a node does")]
mod node;

use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use secrecy::ExposeSecret;
use verdigraph_core::testing::TestDatabase;

use node::{BINARY, Node, serve};

const PATIENCE: Duration = Duration::from_secs(90);
const NAME: (&str, &str) = ("VERDIGRAPH_SERVER_NODE", "one");
/// Far longer than a start takes: waiting for this lease would time out.
const LONG_LEASE: (&str, &str) = ("VERDIGRAPH_JOBS_LEASE_SECONDS", "3600");

/// A process on this data folder whose start may fail.
fn launch(database: &TestDatabase, data: &Path, settings: &[(&str, &str)]) -> Child {
    Command::new(BINARY)
        .args(["serve", "--port", "0", "--data"])
        .arg(data)
        .env("DATABASE_URL", database.url().expose_secret())
        .envs(settings.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

/// Its error message.
fn refused(mut process: Child) -> String {
    let began = Instant::now();
    let status = loop {
        if let Some(status) = process.try_wait().expect("a process") {
            break status;
        }
        if began.elapsed() > PATIENCE {
            drop(process.kill());
            panic!("it neither starts nor fails");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let mut said = String::new();
    process.stderr.take().expect("a pipe").read_to_string(&mut said).expect("a text");
    assert!(!status.success(), "it ended well: {said}");
    said
}

/// The status of `/api/ready`.
async fn ready(node: &Node) -> u16 {
    rustls::crypto::ring::default_provider().install_default().ok();
    let http = reqwest::Client::builder().no_proxy().build().expect("a client");
    http.get(format!("{}/api/ready", node.url)).send().await.expect("an answer").status().as_u16()
}

async fn named_one(database: &TestDatabase) -> i64 {
    database.count("SELECT count(*) FROM nodes WHERE instance = 'one'").await
}

#[actix_web::test]
async fn second_node_of_a_name_does_not_start() {
    let database = TestDatabase::new().await;
    let mut first = Node::with(database.url(), &[NAME, LONG_LEASE], Stdio::null());
    let folder = tempfile::tempdir().expect("a folder");
    let said = refused(launch(&database, &folder.path().join("data"), &[NAME, LONG_LEASE]));
    assert!(said.contains("another living node is called one") && said.contains("server.node"), "{said}");
    assert!(first.process.try_wait().expect("a process").is_none(), "the first one goes on");
    assert_eq!(named_one(&database).await, 1);
    assert_eq!(ready(&first).await, 200, "the first node lost its place");
    let _other = Node::with(database.url(), &[("VERDIGRAPH_SERVER_NODE", "two"), LONG_LEASE], Stdio::null());
    assert_eq!(database.count("SELECT count(*) FROM nodes").await, 2, "under a name of its own it is welcome");
}

#[actix_web::test]
async fn killed_node_restarts_at_once_and_on_another_folder_after_its_lease() {
    let database = TestDatabase::new().await;
    let mut first = Node::with(database.url(), &[NAME, LONG_LEASE], Stdio::null());
    let kill = |node: &mut Node| {
        node.process.kill().expect("a process");
        node.process.wait().expect("its end");
    };
    kill(&mut first);
    assert_eq!(named_one(&database).await, 1, "it has not said that it leaves");
    let data = first.folder.path().join("data");
    let (process, url) = serve(&data, database.url(), &[NAME, LONG_LEASE], Stdio::null());
    let mut again = Node { process, url, folder: tempfile::tempdir().expect("a folder") };
    assert_eq!(named_one(&database).await, 1, "the one before is over");
    let taken = "SELECT count(*) FROM workers w JOIN nodes n ON n.id = w.owner WHERE w.home = 'one'";
    assert_eq!(database.count(taken).await, 1, "it has its worker again");
    kill(&mut again);
    // The process record is in the other folder, so this node waits for the lease.
    let elsewhere = Node::with(database.url(), &[NAME, ("VERDIGRAPH_JOBS_LEASE_SECONDS", "3")], Stdio::null());
    assert_eq!(named_one(&database).await, 1, "when the lease of the one before was over");
    drop(elsewhere);
}

#[actix_web::test]
async fn frozen_node_whose_name_was_taken_stops_working() {
    let database = TestDatabase::new().await;
    let short = ("VERDIGRAPH_JOBS_LEASE_SECONDS", "5");
    let log = tempfile::NamedTempFile::new().expect("a file");
    let frozen = Node::with(database.url(), &[NAME, short], Stdio::from(log.reopen().expect("the file")));
    let pid = i32::try_from(frozen.process.id()).ok().and_then(Pid::from_raw).expect("a process");
    kill_process(pid, Signal::STOP).expect("a signal");
    let successor = Node::with(database.url(), &[NAME, short], Stdio::null());
    kill_process(pid, Signal::CONT).expect("a signal");
    let began = Instant::now();
    while !std::fs::read_to_string(log.path()).expect("a log").contains("another one has its name now") {
        assert!(began.elapsed() < PATIENCE, "it does not find out");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(named_one(&database).await, 1, "both are registered");
    assert_eq!(ready(&successor).await, 200, "the one that has the name works on");
}
