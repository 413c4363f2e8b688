//! Everything one CPU worker holds: shared by the HTTP handlers and the thread that runs nodes.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value as Json, json};

use super::Options;
use super::cache::Cache;
use super::catalog::Catalog;
use super::history::History;
use super::log::Log;
use super::queue::Queue;
use super::socket::{Connection, Sockets, Weight};
use crate::cpu::budget::{Budget, Reservation};
use crate::cpu::node::{Folders, Node};

/// Most that ended prompts take in memory, in bytes.
const HISTORY_BYTES: usize = 64 << 20;

/// One CPU worker.
pub(super) struct Worker {
    pub options: Options,
    pub folders: Folders,
    pub catalog: Catalog,
    pub queue: Queue,
    pub history: History,
    pub cache: Cache,
    /// The memory of everything that prompts take.
    pub budget: Arc<Budget>,
    pub sockets: Arc<Sockets>,
    pub log: Log,
    /// The client whose prompt runs and the node that runs, for a client that comes back.
    current: Mutex<Option<(String, String)>>,
}

impl Worker {
    pub fn new(options: Options, nodes: Vec<Box<dyn Node>>) -> Self {
        let folders = options.folders();
        let sockets = Arc::<Sockets>::default();
        let everybody = Arc::clone(&sockets);
        let tell = move |left| {
            everybody.send(None, "status", &json!({"status": exec_info(left)}), Weight::Needed);
        };
        Self {
            catalog: Catalog::new(nodes, &folders),
            queue: Queue::new(tell),
            history: History::new(options.history_limit, HISTORY_BYTES),
            budget: Budget::new(options.memory_bytes),
            cache: Cache::new(options.cache_bytes),
            sockets,
            log: Log::default(),
            current: Mutex::default(),
            folders,
            options,
        }
    }

    /// Reserves memory for a request; results that are only kept for later make room. `None` where it is used up.
    pub fn reserve(&self, bytes: usize) -> Option<Reservation> {
        loop {
            if let Some(reservation) = self.budget.reserve(bytes) {
                return Some(reservation);
            }
            if !self.cache.evict() {
                return None;
            }
        }
    }

    /// `{exec_info: {queue_remaining}}`
    pub fn exec_info(&self) -> Json {
        exec_info(self.queue.remaining())
    }

    /// Registers a socket: it gets the status with its id at once, and the running node where its prompt runs.
    pub fn connect(&self, id: &str) -> Connection {
        let mut greeting = vec![("status", json!({"status": self.exec_info(), "sid": id}))];
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, node)) = current.as_ref().filter(|(client, _)| client == id) {
            greeting.push(("executing", json!({"node": node})));
        }
        self.sockets.connect(id, &greeting)
    }

    /// Notes which node runs for which client; `None` between prompts.
    pub fn set_current(&self, current: Option<(String, String)>) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = current;
    }

    /// Writes a line to the log and to its subscribers.
    pub fn say(&self, text: &str) {
        let line = self.log.push(text);
        self.sockets.send_log(&line);
    }
}

fn exec_info(left: usize) -> Json {
    json!({"exec_info": {"queue_remaining": left}})
}
