//! Messages from the connection's tasks to its actor.

use actix::prelude::*;
use tracing::debug;
use verdigraph_core::fleet::InputFile;

use super::probe::Probed;
use super::state::{Event, WorkEvent};

#[derive(Message)]
#[rtype(result = "()")]
pub(super) enum TaskMessage {
    Probed {
        incarnation: u64,
        probed: Box<Probed>,
    },
    Link {
        incarnation: u64,
        event: Event,
    },
    Uploaded {
        serial: u64,
        inputs: Vec<InputFile>,
    },
    Work {
        serial: u64,
        event: WorkEvent,
    },
    /// The tunnel to an agent's server went up or down.
    Tunnel {
        is_down: bool,
    },
    /// The client id under which an earlier owner posted the prompt.
    ClientId {
        serial: u64,
        client_id: String,
    },
}

/// Sends a message, waiting for room in the mailbox: this slows a flooding socket down. Does nothing if the connection
/// has ended.
pub(super) async fn tell(to: &Recipient<TaskMessage>, message: TaskMessage) {
    if to.send(message).await.is_err() {
        debug!("the connection ended before its task");
    }
}
