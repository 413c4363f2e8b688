//! The state of one CPU worker, shared by HTTP handlers and the executor thread.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value as Json, json};

use super::Options;
use super::cache::Cache;
use super::catalog::Catalog;
use super::history::History;
use super::log::Log;
use super::queue::Queue;
use super::socket::{Connection, Priority, Sockets};
use crate::cpu::budget::{Budget, Reservation};
use crate::cpu::node::{Folders, Node};

/// Maximum bytes of ended prompts in memory.
const HISTORY_BYTES: usize = 64 << 20;

pub(super) struct Worker {
    pub options: Options,
    pub folders: Folders,
    pub catalog: Catalog,
    pub queue: Queue,
    pub history: History,
    pub cache: Cache,
    /// Memory budget of all prompts.
    pub budget: Arc<Budget>,
    pub sockets: Arc<Sockets>,
    pub log: Log,
    /// Client and node that run now, for a client that reconnects.
    current: Mutex<Option<(String, String)>>,
}

impl Worker {
    pub fn new(options: Options, nodes: Vec<Box<dyn Node>>) -> Self {
        let folders = options.folders();
        let sockets = Arc::<Sockets>::default();
        let everybody = Arc::clone(&sockets);
        let tell = move |left| {
            everybody.send(None, "status", &json!({"status": exec_info(left)}), Priority::Required);
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

    /// Reserves memory for a request, evicting cached results. `None` if it is used up.
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

    /// Registers a socket. Sends it the status with its id and, if its prompt runs, the current node.
    pub fn connect(&self, id: &str) -> Connection {
        let mut greeting = vec![("status", json!({"status": self.exec_info(), "sid": id}))];
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, node)) = current.as_ref().filter(|(client, _)| client == id) {
            greeting.push(("executing", json!({"node": node})));
        }
        self.sockets.connect(id, &greeting)
    }

    /// Sets the running client and node; `None` between prompts.
    pub fn set_current(&self, current: Option<(String, String)>) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = current;
    }

    /// Writes a line to the log and to its subscribers.
    pub fn log(&self, text: &str) {
        let line = self.log.push(text);
        self.sockets.send_log(&line);
    }
}

fn exec_info(left: usize) -> Json {
    json!({"exec_info": {"queue_remaining": left}})
}
