//! The fleet's live side: hears of every change of a worker, keeps the roster, and wakes who waits for free workers.
//!
//! One per node, and ends with it. It holds nothing but listeners that the roster and the rows do not hold; a panic costs
//! one change, which the connection tells again at its next.

use std::sync::atomic::{AtomicU32, Ordering};

use actix::{Actor, Addr, AsyncContext, Context, Handler, Message, Recipient, Supervised};
use sqlx::PgPool;

use super::news::News;
use super::ownership::Ownership;
use super::{FleetCommand, Roster, WorkerChanged, store};
use crate::Clock;
use crate::graph::content_hash;
use crate::supervision::{Part, Supervisor, Watch};

/// Keeps the roster of one node.
pub struct Fleet {
    roster: Roster,
    db: PgPool,
    clock: Clock,
    /// Whoever waits for free workers.
    listeners: Vec<Recipient<FleetChanged>>,
    watch: Watch,
}

/// A worker became free, went away, or can do other things than before.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub struct FleetChanged;

/// Answered when everything that was told before is in the roster.
#[derive(Message)]
#[rtype(result = "()")]
struct Settle;

/// Tell me of every change.
#[derive(Message)]
#[rtype(result = "()")]
struct Listen(Recipient<FleetChanged>);

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
                if let Err(error) = store::keep_capabilities(&db, worker, &hash, &capabilities, now).await {
                    tracing::warn!(worker.id = %worker, %error, "keeping what a worker can do");
                }
            }));
        }
        self.listeners.retain(|listener| listener.connected());
        for listener in &self.listeners {
            // A full mailbox holds an earlier change, which says the same.
            drop(listener.try_send(FleetChanged));
        }
    }
}

impl Handler<Listen> for Fleet {
    type Result = ();

    fn handle(&mut self, Listen(listener): Listen, _: &mut Self::Context) {
        self.watch.at("Listen");
        drop(listener.try_send(FleetChanged));
        self.listeners.push(listener);
    }
}

impl Handler<Settle> for Fleet {
    type Result = ();

    fn handle(&mut self, _: Settle, _: &mut Self::Context) {
        self.watch.at("Settle");
    }
}

/// The way to the fleet.
#[derive(Clone)]
pub struct FleetHandle {
    roster: Roster,
    actor: Addr<Fleet>,
    connections: std::sync::Arc<std::sync::OnceLock<Recipient<FleetCommand>>>,
    pub(super) news: std::sync::Arc<News>,
    pub(super) ownership: std::sync::Arc<Ownership>,
    supervisor: Supervisor,
    /// Panics of the fleet and of the connections after which it was made sure that nothing was lost.
    mended: std::sync::Arc<AtomicU32>,
}

impl FleetHandle {
    /// Starts the actor on the current arbiter.
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
            news: std::sync::Arc::default(),
            ownership: std::sync::Arc::default(),
            supervisor: supervisor.clone(),
            mended: std::sync::Arc::default(),
        }
    }

    /// Who is there.
    #[must_use]
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// How far this node's clock was ahead of the database's at its last sign of life.
    #[must_use]
    pub fn clock_skew_ms(&self) -> i64 {
        self.ownership.clock_skew_ms()
    }

    /// How many nodes lived at this node's last sign of life, itself among them.
    #[must_use]
    pub fn living_nodes(&self) -> usize {
        self.ownership.living()
    }

    /// Where worker connections report what they are.
    #[must_use]
    pub fn reports(&self) -> Recipient<WorkerChanged> {
        self.actor.clone().recipient()
    }

    /// Gives the side that keeps the connections, once per process.
    pub fn connect(&self, connections: Recipient<FleetCommand>) {
        if self.connections.set(connections).is_err() {
            tracing::error!("the worker connections were given twice");
        }
    }

    /// Wakes `listener` with every change.
    pub fn listen(&self, listener: Recipient<FleetChanged>) {
        if self.actor.try_send(Listen(listener)).is_err() {
            tracing::error!("the fleet does not take listeners");
        }
    }

    /// Waits until the roster knows what the connections have told so far.
    pub(super) async fn settle(&self) {
        if self.actor.send(Settle).await.is_err() {
            tracing::error!("the fleet does not answer");
        }
    }

    /// After a panic of the fleet or of the connections, a change or a command may be lost: everything is told again, in
    /// both directions.
    pub fn mend(&self) {
        let panics = self.supervisor.panics(Part::Fleet) + self.supervisor.panics(Part::Connections);
        if self.mended.swap(panics, Ordering::Relaxed) != panics {
            self.command(FleetCommand::All(self.roster.wanted()));
        }
    }

    pub(super) fn command(&self, command: FleetCommand) {
        let sent = self.connections.get().is_some_and(|connections| connections.try_send(command).is_ok());
        if !sent {
            tracing::error!("a command to the worker connections was lost");
        }
    }
}
