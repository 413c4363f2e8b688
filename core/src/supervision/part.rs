//! What has a life of its own on a node, and how it does.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::word_list::word_list;

word_list! {
    /// What has a life of its own on a node.
    pub enum Part for "part" {
        /// A shard of the ledger.
        Ledger => "ledger",
        Dispatcher => "dispatcher",
        /// The actor of a job in flight. It is not started again: the job is tried once more.
        Job => "job",
        /// Who keeps the roster.
        Fleet => "fleet",
        /// Who starts and stops the connections to workers.
        Connections => "connections",
        /// The connection to one worker.
        Connection => "connection",
        /// Hears what other nodes tell of the queue.
        Peers => "peers",
        /// Looks, for those who listen to jobs, at rows that other nodes change.
        Followers => "followers",
        /// Hears whom other nodes forget.
        Memory => "memory",
        /// Asks a store that is away whether it is back.
        Storage => "storage",
        /// Sends mail.
        Mail => "mail",
        /// Looks for whom events are, and which addresses are this node's.
        Webhooks => "webhooks",
        /// An address that events are brought to. It is not started again: its lease ends, and some node takes it.
        Endpoint => "endpoint",
        /// Gives events their positions.
        Events => "events",
        /// A task of the upkeep.
        Upkeep => "upkeep",
        /// Follows the built-in worker to its address.
        BuiltIn => "built-in worker",
    }
}

/// How a part of a node does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    pub part: Part,
    /// How often it panicked since the node started.
    pub panics: u32,
    /// How many of its kind rest after a panic now.
    pub down: u32,
    /// What the last panic said, and at which message.
    pub last: Option<String>,
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
