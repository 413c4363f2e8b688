//! A ComfyUI server that does what a test says, on a real socket and a thread of its own.
//!
//! Left alone it behaves as a stock server that needs no time: it takes prompts, runs one at a time, sends the messages
//! of the protocol, keeps a history and gives one picture per image output. [`Run`]s say what happens to the next
//! prompts instead, [`Fault`]s what happens to the next requests, and it can be killed and revived at any time.
//!
//! It has no model of validation beyond node classes and missing files, and of a result cache only what goes wrong.

mod fault;
mod files;
mod journal;
mod model;
mod options;
mod run;
mod server;
mod shared;
pub mod trace;
pub mod wild;
mod wire;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::sync::watch;

pub use fault::{Fault, What};
pub use files::MemoryFiles;
pub use journal::JournalEntry;
use model::Model;
pub use options::Options;
pub use run::{Run, Step, THIS_PROMPT, text};
use shared::{Life, Shared};

/// A running scripted server; it ends when this is dropped.
pub struct Scripted {
    shared: Arc<Shared>,
    address: SocketAddr,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Scripted {
    /// Starts a server on loopback.
    ///
    /// # Errors
    /// Where the port is taken or no thread can be started.
    pub fn start(options: Options) -> std::io::Result<Self> {
        let listener = std::net::TcpListener::bind(("127.0.0.1", options.port))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            model: Mutex::new(Model::new(options)),
            life: watch::Sender::new(Life::Up(1)),
            changes: watch::Sender::new(0),
            log: watch::Sender::new(Vec::new()),
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let served = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("scripted-comfyui".to_owned())
            .spawn(move || runtime.block_on(server::serve(served, listener, address)))?;
        Ok(Self { shared, address, thread: Some(thread) })
    }

    /// The base address, as a worker is configured with it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What happens to the next prompt that has no run yet.
    pub fn script(&self, run: Run) {
        self.shared.model().runs.push_back(run);
    }

    /// Spoils requests from now on.
    pub fn fault(&self, fault: Fault) {
        self.shared.model().faults.push(fault);
    }

    /// Takes all faults and runs back.
    pub fn heal(&self) {
        let mut model = self.shared.model();
        model.faults.clear();
        model.runs.clear();
    }

    /// Answers `GET path` with this instead.
    pub fn answer(&self, path: &str, body: Value) {
        self.shared.model().answers.insert(path.to_owned(), body);
    }

    /// The process dies: sockets break, connections are refused.
    pub fn kill(&self) {
        self.shared.kill();
    }

    /// Waits until the process is dead, of whatever.
    pub async fn died(&self) {
        // As in `heard`, waiting cannot fail.
        let _ = self.shared.life.subscribe().wait_for(|life| matches!(life, Life::Down(_))).await;
    }

    /// A new process listens on the same port and knows nothing of the old one.
    pub fn revive(&self) {
        self.shared.revive();
    }

    /// Lets runs go on that wait in [`Step::Hold`].
    pub fn release(&self) {
        self.shared.model().released += 1;
        self.shared.changed();
    }

    /// Breaks every open socket; the server goes on.
    pub fn cut_sockets(&self) {
        self.shared.model().cut_sockets();
    }

    /// Sends a message to every socket.
    pub fn broadcast(&self, step: &Step) {
        self.shared.model().broadcast(step);
    }

    /// Somebody cleans the output folder: prompts that ran before name files that are gone, until the server is asked
    /// to forget its results.
    pub fn clean_outputs(&self) {
        self.shared.model().clean_outputs();
    }

    /// Somebody cleans the input folder.
    pub fn clean_inputs(&self) {
        self.shared.model().clean_inputs();
    }

    /// The bodies of `POST /prompt` so far.
    #[must_use]
    pub fn posted(&self) -> Vec<String> {
        self.shared.model().posted.clone()
    }

    /// The bytes that were uploaded under a name.
    #[must_use]
    pub fn uploaded(&self, name: &str) -> Option<bytes::Bytes> {
        self.shared.model().inputs.get(name).cloned()
    }

    /// What the server was asked so far: `METHOD /path`, and `socket opened CLIENT_ID`, `socket closed`,
    /// `run NAME`.
    #[must_use]
    pub fn log(&self) -> Vec<String> {
        self.shared.log.borrow().clone()
    }

    /// How many log lines start with `what`.
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
        self.shared.life.send_replace(Life::Over);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
