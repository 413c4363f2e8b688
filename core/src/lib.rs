//! Verdigraph's domain: people, credits, files, workflows, mini apps, workers and jobs.
//!
//! One folder per noun ("room"). A room calls only rooms below it in the list of `tests/tidy.rs`, through their
//! `mod.rs`. Nothing here knows HTTP routes or ComfyUI messages.

mod cache;
pub mod caller;
pub mod clock;
pub mod database;
pub mod error;
pub mod filter;
pub mod html;
pub mod ids;
pub mod language;
pub mod list;
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
pub mod billing;
pub mod comments;
pub mod editor;
pub mod events;
pub mod fleet;
pub mod gallery;
pub mod generators;
pub mod jobs;
pub mod ledger;
pub mod mail;
pub mod mini_apps;
pub mod moderation;
pub mod notifications;
pub mod requirements;
pub mod stats;
pub mod upkeep;
pub mod users;
pub mod videos;
pub mod visits;
pub mod webhooks;
pub mod workflows;

pub use caller::Caller;
pub use clock::Clock;
pub use error::{Code, Error, ErrorKind, Fault, Result};

/// The rooms with rows that reference files. Files without a reference are deleted, so a room that starts to store
/// content hashes must be added here first.
pub const FILE_OWNERS: &[assets::life::FileOwner] = &[assets::life::UPLOADS, gallery::OUTPUTS, jobs::INPUTS];

use std::ops::Deref;
use std::sync::Arc;

use sqlx::PgPool;

/// The context of every verb. Cheap to clone; each actix-web worker has its own with a pool of its own, because
/// connections belong to the runtime that opened them.
#[derive(Clone)]
pub struct Core {
    /// Connections for the current thread's runtime.
    pub db: PgPool,
    parts: Arc<Parts>,
}

pub struct Parts {
    pub clock: Clock,
    pub settings: Arc<settings::Settings>,
    /// This process, in leases. It differs after a restart.
    pub node: ids::NodeId,
    /// The node's name, which is stable across restarts. Unique among living nodes.
    pub instance: String,
    /// Starts actors and loops, and restarts them after a panic.
    pub supervisor: supervision::Supervisor,
    /// Counters, short-lived values and messages shared between nodes.
    pub shared: Arc<dyn shared::Shared>,
    /// The HTTP clients for URLs that users choose.
    pub outbound: outbound::Outbound,
    /// The mail transport and its wake-up.
    pub mail: mail::Mailer,
    /// The cache of signed-in users.
    pub users: users::UserCache,
    pub ledger: ledger::LedgerHandle,
    /// Signals new events.
    pub events: events::EventNotifier,
    /// Wakes the delivery of webhooks.
    pub webhooks: webhooks::DeliveryNotifier,
    /// The cache of recently run mini apps.
    pub mini_apps: mini_apps::MiniAppCache,
    /// Stored files and their processing.
    pub files: assets::MediaProcessor,
    /// Views and launches that are not written yet.
    pub visits: visits::Visits,
    pub fleet: fleet::FleetHandle,
    pub queue: jobs::Queue,
    /// Signals notices of payment providers.
    pub payments: billing::PaymentNotifier,
    /// The clients of payment providers.
    pub payment_clients: billing::PaymentClients,
    /// Signals deleted accounts.
    pub deletions: account_deletion::DeletionNotifier,
    /// Signals upkeep tasks that should run now.
    pub upkeep: upkeep::WakeUps,
    /// The pools of all threads: `core` for actors, `http` for request handlers.
    pub pools: database::PoolRegistry,
}

impl Parts {
    /// Starts the parts that live on the current arbiter and on threads of their own; `db` is this thread's pool.
    ///
    /// # Errors
    /// If the storage cannot be opened or the URL of Redis is invalid.
    pub fn start(settings: Arc<settings::Settings>, clock: Clock, instance: String, db: &PgPool) -> Result<Self> {
        let shared = shared::open(&settings.redis, &clock)?;
        Self::sharing(shared, settings, clock, instance, db)
    }

    /// With this shared state.
    fn sharing(
        shared: Arc<dyn shared::Shared>,
        settings: Arc<settings::Settings>,
        clock: Clock,
        instance: String,
        db: &PgPool,
    ) -> Result<Self> {
        // One lane: on two processors a second one only makes batches smaller.
        let supervisor = supervision::Supervisor::default();
        let ledger = ledger::LedgerHandle::start(1, &clock, db, &supervisor);
        let users = users::UserCache::new(&settings)?;
        users.start_listening(&shared, &supervisor);
        users.start_polling(db, &supervisor);
        let fleet = fleet::FleetHandle::start(db.clone(), clock.clone(), &supervisor);
        let storage = assets::Storage::open(&settings)?;
        storage.monitor_health(&supervisor);
        Ok(Self {
            node: ids::NodeId::new(),
            instance,
            supervisor,
            shared,
            outbound: outbound::Outbound::new(&settings)?,
            mail: mail::Mailer::open(&settings)?,
            users,
            ledger,
            events: events::EventNotifier::default(),
            webhooks: webhooks::DeliveryNotifier::default(),
            mini_apps: mini_apps::MiniAppCache::default(),
            files: assets::MediaProcessor::new(storage, &settings),
            visits: visits::Visits::default(),
            fleet,
            queue: jobs::Queue::default(),
            payments: billing::PaymentNotifier::default(),
            payment_clients: billing::PaymentClients::new(&settings, &clock)?,
            deletions: account_deletion::DeletionNotifier::default(),
            upkeep: upkeep::WakeUps::default(),
            pools: database::PoolRegistry::default(),
            clock,
            settings,
        })
    }
}

impl Core {
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

    /// The same core with asynchronous commits, for statements with long arrays; see [`database::planned_once`].
    #[must_use]
    fn with_relaxed_commits(&self) -> Self {
        let db = database::planned_once(&self.db);
        self.parts.pools.add("core", &db);
        Self { db, parts: Arc::clone(&self.parts) }
    }
}

impl Deref for Core {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}
