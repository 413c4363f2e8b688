//! A scripted ComfyUI server on a real socket and its own thread.
//!
//! Without a script it behaves like a stock server that takes no time: it accepts prompts, runs one at a time, sends
//! the protocol's messages, keeps a history and makes one picture per image output. [`Run`]s script the next prompts,
//! [`Fault`]s the next requests, and it can be killed and revived at any time.
//!
//! It validates only node classes and missing files, and emulates only the failures of a result cache.

pub mod custom_nodes;
mod duration;
mod fault;
mod files;
mod journal;
mod model;
mod options;
mod run;
mod server;
mod shared;
pub mod trace;
mod wire;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::net::TcpSocket;
use tokio::sync::watch;

pub use duration::Variation;
pub use fault::{Fault, FaultKind};
pub use files::MemoryFiles;
pub use journal::JournalEntry;
use model::Model;
pub use options::Options;
pub use run::{Run, Step, THIS_PROMPT, text};
use shared::{ProcessState, Shared};

/// A running scripted server. It ends on drop.
pub struct Scripted {
    shared: Arc<Shared>,
    address: SocketAddr,
    thread: Option<std::thread::JoinHandle<()>>,
    /// Does not listen. Holds the port while the process is dead, which another server would get otherwise.
    _port: Option<TcpSocket>,
}

fn loopback(port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], port))
}

fn hold_port(port: u16) -> std::io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(loopback(port))?;
    Ok(socket)
}

impl Scripted {
    pub fn start(options: Options) -> std::io::Result<Self> {
        // Other systems than Linux do not let a second socket have the port.
        let port = cfg!(target_os = "linux").then(|| hold_port(options.port)).transpose()?;
        let wanted = port.as_ref().map_or(Ok(loopback(options.port)), TcpSocket::local_addr)?;
        let listener = std::net::TcpListener::bind(wanted)?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            model: Mutex::new(Model::new(options)),
            life: watch::Sender::new(ProcessState::Up(1)),
            changes: watch::Sender::new(0),
            log: watch::Sender::new(Vec::new()),
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let served = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("scripted-comfyui".to_owned())
            .spawn(move || runtime.block_on(server::serve(served, listener, address)))?;
        Ok(Self { shared, address, thread: Some(thread), _port: port })
    }

    /// The base address, for a worker's configuration.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Scripts the next prompt without a run.
    pub fn script(&self, run: Run) {
        self.shared.model().runs.push_back(run);
    }

    /// Adds a fault.
    pub fn fault(&self, fault: Fault) {
        self.shared.model().faults.push(fault);
    }

    /// Removes all faults and runs.
    pub fn heal(&self) {
        let mut model = self.shared.model();
        model.faults.clear();
        model.runs.clear();
    }

    /// Answers `GET path` with this body.
    pub fn answer(&self, path: &str, body: Value) {
        self.shared.model().answers.insert(path.to_owned(), body);
    }

    /// Kills the process: sockets break, connections are refused.
    pub fn kill(&self) {
        self.shared.kill();
    }

    /// Waits until the process is dead, for any reason.
    pub async fn died(&self) {
        // As in `heard`, waiting cannot fail.
        let _ = self.shared.life.subscribe().wait_for(|life| matches!(life, ProcessState::Down(_))).await;
    }

    /// Starts a new process on the same port, without the old one's state.
    pub fn revive(&self) {
        self.shared.revive();
    }

    /// Continues runs that wait in [`Step::Hold`].
    pub fn release(&self) {
        self.shared.model().released += 1;
        self.shared.changed();
    }

    /// Breaks every open socket. The server keeps running.
    pub fn cut_sockets(&self) {
        self.shared.model().cut_sockets();
    }

    pub fn broadcast(&self, step: &Step) {
        self.shared.model().broadcast(step);
    }

    /// Empties the output folder: cached results name missing files until the server is asked to drop them.
    pub fn clean_outputs(&self) {
        self.shared.model().clean_outputs();
    }

    /// Empties the input folder.
    pub fn clean_inputs(&self) {
        self.shared.model().clean_inputs();
    }

    #[must_use]
    pub fn posted(&self) -> Vec<String> {
        self.shared.model().posted.clone()
    }

    /// The uploaded file with this name.
    #[must_use]
    pub fn uploaded(&self, name: &str) -> Option<bytes::Bytes> {
        self.shared.model().inputs.get(name).cloned()
    }

    /// The request log: `METHOD /path`, and `socket opened CLIENT_ID`, `socket closed`, `run`, `ended`.
    #[must_use]
    pub fn log(&self) -> Vec<String> {
        self.shared.log.borrow().clone()
    }

    /// Counts log lines that start with `what`.
    #[must_use]
    pub fn count(&self, what: &str) -> usize {
        self.shared.log.borrow().iter().filter(|line| line.starts_with(what)).count()
    }

    /// Waits until `times` log lines start with `what`.
    pub async fn heard(&self, what: &str, times: usize) {
        let mut log = self.shared.log.subscribe();
        let enough = |log: &Vec<String>| log.iter().filter(|line| line.starts_with(what)).count() >= times;
        // The sender lives as long as `self`, so waiting cannot fail.
        let _ = log.wait_for(enough).await;
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.shared.life.send_replace(ProcessState::Over);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
