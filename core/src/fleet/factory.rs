//! Workers for tests.

use std::collections::HashMap;
use std::sync::Arc;

use actix::{Actor, Addr, Context, Handler};

use super::ownership::{clear, reconcile};
use super::store;
use super::{Assign, Capabilities, NewWorker, Refresh, Stop, WorkerChanged, WorkerLink, WorkerState};
use crate::Core;
use crate::graph::content_hash;
use crate::ids::WorkerId;

/// A worker connection that ignores all messages.
struct NullConnection;

impl Actor for NullConnection {
    type Context = Context<Self>;
}

impl Handler<Assign> for NullConnection {
    type Result = ();
    fn handle(&mut self, _: Assign, _: &mut Self::Context) {}
}

impl Handler<Stop> for NullConnection {
    type Result = ();
    fn handle(&mut self, _: Stop, _: &mut Self::Context) {}
}

impl Handler<Refresh> for NullConnection {
    type Result = ();
    fn handle(&mut self, _: Refresh, _: &mut Self::Context) {}
}

/// Reports a state of a worker of this node, as its connection does.
pub async fn report(core: &Core, worker: WorkerId, state: WorkerState, capabilities: Option<Arc<Capabilities>>) {
    report_by(core, &NullConnection.start(), worker, state, capabilities).await;
}

/// As [`report`], by this connection.
pub async fn report_by<A>(
    core: &Core,
    connection: &Addr<A>,
    worker: WorkerId,
    state: WorkerState,
    capabilities: Option<Arc<Capabilities>>,
) where
    A: Actor<Context = Context<A>> + Handler<Assign> + Handler<Stop> + Handler<Refresh>,
{
    let link = WorkerLink {
        assign: connection.clone().recipient(),
        stop: connection.clone().recipient(),
        refresh: connection.clone().recipient(),
    };
    let changed =
        WorkerChanged { worker, state, reason: None, unanswered_for: None, fetching: Vec::new(), capabilities, link };
    core.fleet.reports().send(changed).await.expect("the fleet hears of it");
}

/// A worker with these capabilities that only this node can reach and that it owns.
pub async fn worker(core: &Core, pool: &str, can: &Arc<Capabilities>, paused: bool) -> WorkerId {
    let (name, now) = (WorkerId::new().to_string(), core.clock.now());
    let (url, home) = ("http://worker".into(), Some(core.instance.clone()));
    let new = NewWorker { name, url, pool: pool.into(), home };
    let id = store::insert(&core.db, &new, now).await.expect("a worker").expect("a name of its own");
    let mut connection = core.db.acquire().await.expect("a connection");
    assert!(store::set_duty(&mut connection, id, Some(paused), None).await.expect("its duty"));
    let hash = content_hash(&can.definitions.to_object_info());
    store::save_capabilities(&core.db, id, &hash, can, now).await.expect("what it can do");
    reconcile(core).await.expect("it is this node's");
    clear(core, &[id], &HashMap::new());
    id
}
