//! Events that wait to be sent to other nodes.

use std::sync::Arc;

use tokio::sync::{Mutex, mpsc};

use super::event::JobEvent;
use crate::ids::{JobId, NodeId};

/// Events that wait to be sent; those beyond are lost.
const WAITING: usize = 1024;

/// What waits to be sent to other nodes. Cheap to clone.
#[derive(Clone)]
pub(in crate::jobs) struct Outbox {
    put: mpsc::Sender<Parcel>,
    taken: Arc<Mutex<mpsc::Receiver<Parcel>>>,
}

/// An event for another node.
#[derive(Debug)]
pub(in crate::jobs) struct Parcel {
    pub to: NodeId,
    pub job: JobId,
    pub attempt: i16,
    pub id: u64,
    pub event: JobEvent,
}

impl Default for Outbox {
    fn default() -> Self {
        let (put, taken) = mpsc::channel(WAITING);
        Self { put, taken: Arc::new(Mutex::new(taken)) }
    }
}

impl Outbox {
    /// Leaves an event to be sent. It is lost where too many wait.
    pub fn put(&self, parcel: Parcel) {
        drop(self.put.try_send(parcel));
    }

    /// The next event that is to be sent; `None` once there can be none any more.
    pub async fn take(&self) -> Option<Parcel> {
        self.taken.lock().await.recv().await
    }
}
