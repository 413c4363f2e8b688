//! Verdigraph's domain: people, credits, files, workflows, mini apps, workers and jobs.
//!
//! One folder per noun ("room"); a room calls only rooms that stand before it in the list of
//! `tests/tidy.rs`, and only through their `mod.rs`. Nothing here knows an HTTP route or a ComfyUI message.

mod cache;
pub mod caller;
pub mod clock;
pub mod cursor;
pub mod database;
pub mod error;
pub mod filter;
pub mod html;
pub mod ids;
pub mod language;
pub mod metrics;
pub mod names;
pub mod outbound;
pub mod periods;
pub mod settings;
pub mod shared;
pub mod sitemap;
pub mod supervision;
#[cfg(feature = "testing")]
pub mod testing;
mod word_list;

pub mod graph;

pub mod account_deletion;
pub mod assets;
pub mod audit;
pub mod comments;
pub mod events;
pub mod fleet;
pub mod gallery;
pub mod jobs;
pub mod ledger;
pub mod mail;
pub mod mini_apps;
pub mod moderation;
pub mod notifications;
pub mod stats;
pub mod upkeep;
pub mod users;
pub mod videos;
pub mod visits;
pub mod webhooks;
pub mod workflows;

pub use caller::Caller;
pub use clock::Clock;
pub use error::{Code, Error, Kind, Result};

/// The rooms whose rows name files. A file that none of them names is deleted, so that a room which begins to keep
/// contents of files in its tables stands here first.
pub const FILE_OWNERS: &[assets::life::Owner] = &[assets::life::UPLOADS, gallery::OUTPUTS, jobs::INPUTS];

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
    /// This process, in leases: another one of the same name has another.
    pub node: ids::NodeId,
    /// What this node is called, for as long as it is the same for those who run it. No two that live have the same name.
    pub instance: String,
    /// Starts what has a life of its own, and starts it again when it panics.
    pub supervisor: supervision::Supervisor,
    /// Counters, short-lived values and messages that nodes share.
    pub shared: Arc<dyn shared::Shared>,
    /// The way out to addresses that strangers have chosen.
    pub outbound: outbound::Outbound,
    /// Where mail goes, and the bell that says that there is some.
    pub mail: mail::Mailer,
    /// Who is signed in, as this node remembers it.
    pub users: users::Memory,
    pub ledger: ledger::LedgerHandle,
    /// Says when events are written, and when they can be seen.
    pub events: events::Bell,
    /// Says that there may be events to bring.
    pub webhooks: webhooks::Bell,
    /// Mini apps that were run lately, ready to be run again.
    pub mini_apps: mini_apps::Memory,
    /// Stored files, and the work on them.
    pub files: assets::Workshop,
    /// Views and launches that are to be written down.
    pub visits: visits::Visits,
    pub fleet: fleet::FleetHandle,
    pub queue: jobs::Queue,
    /// Says that somebody left for good.
    pub departures: account_deletion::Departures,
    /// Says which tasks somebody wants done now.
    pub upkeep: upkeep::Bells,
    /// The pools of all threads: `core` for the actors', `http` for the others.
    pub pools: database::Watched,
}

impl Parts {
    /// Starts the parts that live on the current arbiter and on threads of their own; `db` is this thread's pool.
    ///
    /// # Errors
    /// Where the storage cannot be opened, or the address of Redis cannot be read.
    pub fn start(settings: Arc<settings::Settings>, clock: Clock, instance: String, db: &PgPool) -> Result<Self> {
        let shared = shared::open(&settings.redis, &clock)?;
        Self::sharing(shared, settings, clock, instance, db)
    }

    /// The same with what it shares with other nodes.
    fn sharing(
        shared: Arc<dyn shared::Shared>,
        settings: Arc<settings::Settings>,
        clock: Clock,
        instance: String,
        db: &PgPool,
    ) -> Result<Self> {
        // One lane: on two processors a second one only makes the batches smaller.
        let supervisor = supervision::Supervisor::default();
        let ledger = ledger::LedgerHandle::start(1, &clock, db, &supervisor);
        let users = users::Memory::new(&settings)?;
        users.keep_listening(&shared, &supervisor);
        users.keep_reading(db, &supervisor);
        let fleet = fleet::FleetHandle::start(db.clone(), clock.clone(), &supervisor);
        let storage = assets::Storage::open(&settings)?;
        storage.keep_in_reach(&supervisor);
        Ok(Self {
            node: ids::NodeId::new(),
            instance,
            supervisor,
            shared,
            outbound: outbound::Outbound::new(&settings)?,
            mail: mail::Mailer::open(&settings)?,
            users,
            ledger,
            events: events::Bell::default(),
            webhooks: webhooks::Bell::default(),
            mini_apps: mini_apps::Memory::default(),
            files: assets::Workshop::new(storage, &settings),
            visits: visits::Visits::default(),
            fleet,
            queue: jobs::Queue::default(),
            departures: account_deletion::Departures::default(),
            upkeep: upkeep::Bells::default(),
            pools: database::Watched::default(),
            clock,
            settings,
        })
    }
}

impl Core {
    /// Puts the shared parts together with a pool.
    #[must_use]
    pub fn new(db: PgPool, parts: Arc<Parts>) -> Self {
        parts.pools.add("core", &db);
        Self { db, parts }
    }

    /// The same core for another thread, with that thread's pool.
    #[must_use]
    pub fn with_pool(&self, db: PgPool) -> Self {
        self.parts.pools.add("http", &db);
        Self { db, parts: Arc::clone(&self.parts) }
    }
}

impl Deref for Core {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}
