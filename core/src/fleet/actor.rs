//! The fleet actor: receives every worker change, updates the roster, and wakes the dispatcher and other listeners.
//!
//! One per node. Only the list of listeners would be lost in a panic, besides one change, which the connection reports
//! again with its next one.

use std::sync::atomic::{AtomicU32, Ordering};

use actix::{Actor, Addr, AsyncContext, Context, Handler, Message, Recipient, Supervised};
use sqlx::PgPool;

use super::ownership::Ownership;
use super::refresh::RefreshThrottle;
use super::{FleetCommand, Roster, WorkerChanged, store};
use crate::Clock;
use crate::graph::content_hash;
use crate::supervision::{Part, Supervisor, Watch};

pub struct Fleet {
    roster: Roster,
    db: PgPool,
    clock: Clock,
    /// Woken after every change.
    listeners: Vec<Recipient<FleetChanged>>,
    watch: Watch,
}

/// A worker became free, left, or has other capabilities.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub struct FleetChanged;

/// Answered once all earlier messages have been applied to the roster.
#[derive(Message)]
#[rtype(result = "()")]
struct Flush;

#[derive(Message)]
#[rtype(result = "()")]
struct Subscribe(Recipient<FleetChanged>);

impl Actor for Fleet {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(10_000);
    }
}

impl Supervised for Fleet {}

impl Handler<WorkerChanged> for Fleet {
    type Result = ();

    fn handle(&mut self, changed: WorkerChanged, context: &mut Self::Context) {
        self.watch.at("WorkerChanged");
        tracing::info!(
            worker.id = %changed.worker,
            worker.state = ?changed.state,
            reason = changed.reason.as_deref(),
            "a worker changed"
        );
        let (worker, capabilities) = (changed.worker, changed.capabilities.clone());
        if self.roster.apply(changed, self.clock.now())
            && let Some(capabilities) = capabilities
        {
            let (db, now) = (self.db.clone(), self.clock.now());
            context.spawn(actix::fut::wrap_future::<_, Self>(async move {
                let hash = content_hash(&capabilities.definitions.to_object_info());
                if let Err(error) = store::save_capabilities(&db, worker, &hash, &capabilities, now).await {
                    tracing::warn!(worker.id = %worker, %error, "cannot save a worker's capabilities");
                }
            }));
        }
        self.listeners.retain(|listener| listener.connected());
        for listener in &self.listeners {
            // A full mailbox already holds a change, which says the same.
            drop(listener.try_send(FleetChanged));
        }
    }
}

impl Handler<Subscribe> for Fleet {
    type Result = ();

    fn handle(&mut self, Subscribe(listener): Subscribe, _: &mut Self::Context) {
        self.watch.at("Listen");
        drop(listener.try_send(FleetChanged));
        self.listeners.push(listener);
    }
}

impl Handler<Flush> for Fleet {
    type Result = ();

    fn handle(&mut self, _: Flush, _: &mut Self::Context) {
        self.watch.at("Settle");
    }
}

#[derive(Clone)]
pub struct FleetHandle {
    roster: Roster,
    actor: Addr<Fleet>,
    connections: std::sync::Arc<std::sync::OnceLock<Recipient<FleetCommand>>>,
    pub(super) refreshes: std::sync::Arc<RefreshThrottle>,
    pub(super) ownership: std::sync::Arc<Ownership>,
    supervisor: Supervisor,
    /// The number of panics of the fleet and the connections at the last resync.
    resynced_panics: std::sync::Arc<AtomicU32>,
}

impl FleetHandle {
    #[must_use]
    pub fn start(db: PgPool, clock: Clock, supervisor: &Supervisor) -> Self {
        let roster = Roster::default();
        let known = roster.clone();
        let actor =
            supervisor.start(Part::Fleet, |watch| Fleet { roster: known, db, clock, listeners: Vec::new(), watch });
        Self {
            roster,
            actor,
            connections: std::sync::Arc::default(),
            refreshes: std::sync::Arc::default(),
            ownership: std::sync::Arc::default(),
            supervisor: supervisor.clone(),
            resynced_panics: std::sync::Arc::default(),
        }
    }

    #[must_use]
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// How far this node's clock was ahead of the database's at the last heartbeat.
    #[must_use]
    pub fn clock_skew_ms(&self) -> i64 {
        self.ownership.clock_skew_ms()
    }

    /// How many nodes were alive at the last heartbeat, this one included.
    #[must_use]
    pub fn living_nodes(&self) -> usize {
        self.ownership.living_nodes()
    }

    /// Where connections report their state.
    #[must_use]
    pub fn reports(&self) -> Recipient<WorkerChanged> {
        self.actor.clone().recipient()
    }

    /// Sets the recipient of commands, once per process.
    pub fn connect(&self, connections: Recipient<FleetCommand>) {
        if self.connections.set(connections).is_err() {
            tracing::error!("the worker connections were set twice");
        }
    }

    /// Wakes `listener` after every change.
    pub fn listen(&self, listener: Recipient<FleetChanged>) {
        if self.actor.try_send(Subscribe(listener)).is_err() {
            tracing::error!("the fleet does not accept listeners");
        }
    }

    /// Waits until the roster contains everything that the connections have reported so far.
    pub(super) async fn flush(&self) {
        if self.actor.send(Flush).await.is_err() {
            tracing::error!("the fleet does not answer");
        }
    }

    /// After a panic of the fleet or of the connections, a change or a command may be lost: both sides report
    /// everything again.
    pub fn resync(&self) {
        let panics = self.supervisor.panics(Part::Fleet) + self.supervisor.panics(Part::Connections);
        if self.resynced_panics.swap(panics, Ordering::Relaxed) != panics {
            self.command(FleetCommand::All(self.roster.specs()));
        }
    }

    pub(super) fn command(&self, command: FleetCommand) {
        let sent = self.connections.get().is_some_and(|connections| connections.try_send(command).is_ok());
        if !sent {
            tracing::error!("a command to the worker connections was lost");
        }
    }
}
