//! Workers for tests.

use std::collections::HashMap;
use std::sync::Arc;

use super::ownership::{clear, reconcile};
use super::store;
use super::{Capabilities, NewWorker};
use crate::Core;
use crate::graph::content_hash;
use crate::ids::WorkerId;

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
