//! Job events that are to be sent to other nodes.

use std::sync::Arc;

use tokio::sync::{Mutex, mpsc};

use super::event::JobEvent;
use crate::ids::{JobId, NodeId};

/// Entries beyond this are lost.
const CAPACITY: usize = 1024;
/// Room that passing events (see [`JobEvent::is_passing`]) leave for others.
const RESERVED: usize = CAPACITY / 2;

/// Cheap to clone.
#[derive(Clone)]
pub(in crate::jobs) struct Outbox {
    sender: mpsc::Sender<OutboxEntry>,
    receiver: Arc<Mutex<mpsc::Receiver<OutboxEntry>>>,
}

#[derive(Debug)]
pub(in crate::jobs) struct OutboxEntry {
    pub to: NodeId,
    pub job: JobId,
    pub attempt: i16,
    pub id: u64,
    pub event: JobEvent,
}

impl Default for Outbox {
    fn default() -> Self {
        let (sender, receiver) = mpsc::channel(CAPACITY);
        Self { sender, receiver: Arc::new(Mutex::new(receiver)) }
    }
}

impl Outbox {
    /// Adds an entry. It is lost if the outbox is full.
    pub fn put(&self, entry: OutboxEntry) {
        if entry.event.is_passing() && self.sender.capacity() <= RESERVED {
            return;
        }
        drop(self.sender.try_send(entry));
    }

    /// The next entry; `None` after the outbox was dropped.
    pub async fn take(&self) -> Option<OutboxEntry> {
        self.receiver.lock().await.recv().await
    }
}
