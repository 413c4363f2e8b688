//! A machine with a ComfyUI server and an agent, and a load balancer between it and the nodes.

use std::io::{BufRead as _, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use secrecy::ExposeSecret as _;
use tokio::net::{TcpListener, TcpStream};
use verdigraph_core::testing::TestDatabase;

use crate::node::BINARY;

/// Timeout of every wait.
const PATIENCE: Duration = Duration::from_secs(120);

pub async fn until<T>(what: &str, mut found: impl AsyncFnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = found().await {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "{what} did not come about");
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
}

/// Fails if something takes longer than `limit`.
pub async fn bounded(what: &str, limit: Duration, future: impl Future<Output = ()>) {
    tokio::time::timeout(limit, future).await.unwrap_or_else(|_| panic!("{what} took longer than {limit:?}"));
}

pub fn kill(process: &Child) {
    signal(process, Signal::KILL);
}

pub fn signal(process: &Child, signal: Signal) {
    let pid = i32::try_from(process.id()).ok().and_then(Pid::from_raw).expect("a process");
    kill_process(pid, signal).expect("a signal");
}

/// An operator's command.
pub fn command(database: &TestDatabase) -> Command {
    let mut command = Command::new(BINARY);
    command.env("DATABASE_URL", database.url().expose_secret()).env("VERDIGRAPH_LOG_FILTER", "warn");
    command
}

/// A token for agents, created by the command line.
pub fn token(database: &TestDatabase) -> String {
    let made = command(database).args(["agent-token", "create", "machines", "--pool", "cpu"]).output();
    let made = made.expect("a command");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    String::from_utf8(made.stdout).expect("a text").trim().to_owned()
}

/// A CPU worker in its own process.
pub struct Comfy {
    process: Child,
    pub url: String,
    _folder: tempfile::TempDir,
}

impl Comfy {
    pub fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut process = Command::new(BINARY)
            .args(["worker", "--port", "0", "--data"])
            .arg(folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the worker starts");
        let lines = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let ready = lines.map_while(Result::ok).find_map(|line| line.strip_prefix("ready ").map(str::to_owned));
        Self { process, url: ready.expect("the worker says when it is ready"), _folder: folder }
    }
}

impl Drop for Comfy {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// An agent in its own process.
pub struct Agent {
    pub process: Child,
    said: Arc<Mutex<Vec<String>>>,
    arguments: Vec<String>,
    token: String,
    _state: tempfile::TempDir,
}

impl Agent {
    pub fn start(platform: &str, token: &str, name: &str, server: &str, more: &[&str]) -> Self {
        let state = tempfile::tempdir().expect("a folder");
        let folder = state.path().display().to_string();
        let arguments = ["agent", "--platform", platform, "--name", name, "--server", server, "--state", &folder];
        let arguments: Vec<String> = arguments.iter().copied().chain(["--look-ms", "100"]).map(str::to_owned).collect();
        let (process, said) = launch(&arguments, token, more);
        Self { process, said, arguments, token: token.to_owned(), _state: state }
    }

    /// Restarts it after it was killed.
    pub fn again(&mut self, more: &[&str]) {
        drop(self.process.wait());
        (self.process, self.said) = launch(&self.arguments, &self.token, more);
    }

    /// Waits until its log contains this text.
    pub async fn says(&self, what: &str) {
        until(what, async || self.said.lock().expect("a lock").iter().any(|line| line.contains(what)).then_some(()))
            .await;
    }
}

fn launch(arguments: &[String], token: &str, more: &[&str]) -> (Child, Arc<Mutex<Vec<String>>>) {
    let mut process = Command::new(BINARY)
        .args(arguments)
        .args(more)
        .env("VERDIGRAPH_AGENT_TOKEN", token)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the agent starts");
    let lines = BufReader::new(process.stderr.take().expect("a pipe")).lines();
    let said: Arc<Mutex<Vec<String>>> = Arc::default();
    let hears = Arc::clone(&said);
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            eprintln!("agent: {line}");
            hears.lock().expect("a lock").push(line);
        }
    });
    (process, said)
}

impl Drop for Agent {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// A load balancer before the nodes: new connections go to the current target.
pub struct Balancer {
    pub url: String,
    target: Arc<Mutex<SocketAddr>>,
}

impl Balancer {
    pub async fn before(node: &str) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let target = Arc::new(Mutex::new(address(node)));
        let leads = Arc::clone(&target);
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let to = *leads.lock().expect("a lock");
                tokio::spawn(async move {
                    if let Ok(mut far) = TcpStream::connect(to).await {
                        drop(tokio::io::copy_bidirectional(&mut near, &mut far).await);
                    }
                });
            }
        });
        Self { url, target }
    }

    pub fn lead_to(&self, node: &str) {
        *self.target.lock().expect("a lock") = address(node);
    }
}

fn address(url: &str) -> SocketAddr {
    let port = url.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    (Ipv4Addr::LOCALHOST, port).into()
}
