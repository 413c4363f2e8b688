//! Verdigraph's domain: people, credits, files, workflows, mini apps, workers and jobs.
//!
//! One folder per noun ("room"); a room calls only rooms that stand before it in the list of
//! `tests/tidy.rs`, and only through their `mod.rs`. Nothing here knows an HTTP route or a ComfyUI message.

pub mod caller;
pub mod clock;
pub mod database;
pub mod error;
pub mod ids;
pub mod settings;
#[cfg(feature = "testing")]
pub mod testing;

pub mod graph;

pub mod users;
pub mod ledger;
pub mod assets;
pub mod workflows;
pub mod mini_apps;
pub mod gallery;
pub mod fleet;
pub mod jobs;

pub use caller::Caller;
pub use clock::Clock;
pub use error::{Error, Kind, Result};

use std::ops::Deref;
use std::sync::Arc;

use sqlx::PgPool;

/// What every verb is given. Cheap to clone; each actix-web worker has one with a pool of its own, because
/// connections belong to the runtime that opened them.
#[derive(Clone)]
pub struct Core {
    /// Connections of the current thread's runtime.
    pub db: PgPool,
    parts: Arc<Parts>,
}

/// The parts that all threads share.
pub struct Parts {
    pub clock: Clock,
    pub settings: Arc<settings::Settings>,
    /// This process, in leases and logs.
    pub node: ids::NodeId,
    /// The installation: a host and its data folder. Only one process at a time runs it.
    pub instance: String,
    pub ledger: ledger::LedgerDoor,
    /// Mini apps that were run lately, ready to be run again.
    pub mini_apps: mini_apps::CompiledApps,
    /// Stored files, and the work on them.
    pub files: assets::Workshop,
    pub fleet: fleet::FleetDoor,
}

impl Core {
    /// Puts the shared parts together with a pool.
    #[must_use]
    pub fn new(db: PgPool, parts: Arc<Parts>) -> Self {
        Self { db, parts }
    }

    /// The same core for another thread, with that thread's pool.
    #[must_use]
    pub fn with_pool(&self, db: PgPool) -> Self {
        Self { db, parts: Arc::clone(&self.parts) }
    }
}

impl Deref for Core {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}
