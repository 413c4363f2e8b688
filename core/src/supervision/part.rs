//! The parts of a node, and their health.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::word_list::word_list;

word_list! {
    /// An actor or loop of a node.
    pub enum Part for "part" {
        /// A shard of the ledger.
        Ledger => "ledger",
        Dispatcher => "dispatcher",
        /// The actor of a job in flight. It is not restarted: the job is requeued.
        Job => "job",
        /// The actor that maintains the roster.
        Fleet => "fleet",
        /// The actor that starts and stops the connections to workers.
        Connections => "connections",
        /// The connection to one worker.
        Connection => "connection",
        /// Receives messages of other dispatchers.
        Peers => "peers",
        /// Polls the rows of jobs with listeners.
        Followers => "followers",
        /// Invalidates cached accounts and sessions that other nodes have changed.
        Memory => "memory",
        /// Probes an unavailable storage.
        Storage => "storage",
        /// Sends mail.
        Mail => "mail",
        /// Finds due webhook deliveries, and the endpoints of this node.
        Webhooks => "webhooks",
        /// A webhook endpoint. It is not restarted: its lease ends, and a node takes it.
        Endpoint => "endpoint",
        /// Numbers the event log.
        Events => "events",
        /// An upkeep task.
        Upkeep => "upkeep",
        /// Tracks the address of the built-in worker.
        BuiltIn => "built-in worker",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartHealth {
    pub part: Part,
    /// Panics since the start of the node.
    pub panics: u32,
    /// Instances that wait for a restart now.
    pub down: u32,
    /// The last panic: its point and its message.
    pub last: Option<String>,
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
