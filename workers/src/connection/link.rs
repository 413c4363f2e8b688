//! A task beside the actor that connects to a server and reads its socket.

use std::sync::Arc;

use actix::prelude::*;

use super::ports::Settings;
use super::probe::{Probed, probe};
use super::socket;
use super::state::Event;
use super::task_message::{TaskMessage, tell};
use crate::comfy::Client;

pub(super) struct Link {
    pub(super) to: Recipient<TaskMessage>,
    pub(super) incarnation: u64,
    pub(super) client: Client,
    pub(super) url: String,
    pub(super) known: Option<Probed>,
    pub(super) settings: Arc<Settings>,
    pub(super) probes: bool,
}

impl Link {
    pub(super) async fn run(self) {
        if self.probes {
            match probe(&self.client, self.known.clone()).await {
                Ok(probed) => {
                    let probed = Box::new(probed);
                    tell(&self.to, TaskMessage::Probed { incarnation: self.incarnation, probed }).await;
                }
                Err(failure) => return self.failed(failure.to_string()).await,
            }
        }
        let limits = self.settings.limits;
        let opened =
            socket::open(&self.url, self.client.authorization(), limits.message_bytes, self.settings.timeouts.connect)
                .await;
        let mut socket = match opened {
            Ok(socket) => socket,
            Err(reason) => return self.failed(reason).await,
        };
        self.tell(Event::Connected { probed: self.probes }).await;
        let reason = loop {
            match socket::read(&mut socket, self.settings.pace.ping_every).await {
                Ok(Ok(message)) => self.tell(Event::Message(message)).await,
                Ok(Err(malformed)) => {
                    self.tell(Event::Malformed { reason: malformed.to_string(), jitter: rand::random() }).await;
                }
                Err(reason) => break reason,
            }
        };
        // Closed before the actor connects again: a server that sees the old socket close later forgets the new one.
        drop(socket);
        self.tell(Event::SocketClosed { reason, jitter: rand::random() }).await;
    }

    async fn failed(&self, reason: String) {
        self.tell(Event::ConnectFailed { reason, jitter: rand::random() }).await;
    }

    async fn tell(&self, event: Event) {
        tell(&self.to, TaskMessage::Link { incarnation: self.incarnation, event }).await;
    }
}
