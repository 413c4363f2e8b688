//! What the tasks of a connection tell its actor.

use actix::prelude::*;
use tracing::debug;
use verdigraph_core::fleet::InputFile;

use super::probe::Probed;
use super::state::{Event, WorkEvent};

/// What the actor's own tasks tell it.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) enum Told {
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
    /// What became of the way to an agent's server.
    Way {
        is_cut: bool,
    },
    /// The client id under which an earlier owner posted the prompt that is looked for.
    Sender {
        serial: u64,
        client_id: String,
    },
}

/// Waits for room in the mailbox: this is what holds a flooding socket back. A connection that is over hears nothing.
pub(super) async fn tell(to: &Recipient<Told>, told: Told) {
    if to.send(told).await.is_err() {
        debug!("a connection ended before its task");
    }
}
