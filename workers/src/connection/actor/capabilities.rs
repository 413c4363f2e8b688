//! Asks the server whether it is well and what it can do.

use std::sync::Arc;

use actix::prelude::*;
use tracing::debug;
use verdigraph_core::supervision;

use super::Worker;
use crate::connection::probe::{self, Probed, probe};
use crate::connection::state::Event;
use crate::connection::task_message::{TaskMessage, tell};

impl Worker {
    pub(super) fn check_health(&mut self, ctx: &mut Context<Self>) {
        let (client, to, incarnation) = (self.client.clone(), ctx.address().recipient(), self.incarnation);
        supervision::spawn(async move {
            let failure = client.queue_remaining().await.err().map(|failure| failure.to_string());
            tell(&to, TaskMessage::Link { incarnation, event: Event::Health { failure, jitter: rand::random() } })
                .await;
        });
    }

    pub(super) fn check_models(&mut self, ctx: &mut Context<Self>) {
        let Some(known) = self.probed.as_ref().map(|probed| Arc::clone(&probed.capabilities)) else { return };
        let (client, to, incarnation, worker) =
            (self.client.clone(), ctx.address().recipient(), self.incarnation, self.config.id);
        supervision::spawn(async move {
            match probe::models(&client).await {
                Ok(models) if models == known.models => {}
                Ok(_) => tell(&to, TaskMessage::Link { incarnation, event: Event::ModelsChanged }).await,
                Err(failure) => debug!(%worker, %failure, "cannot read the worker's models"),
            }
        });
    }

    pub(super) fn refresh(&mut self, ctx: &mut Context<Self>) {
        let (client, to, incarnation) = (self.client.clone(), ctx.address().recipient(), self.incarnation);
        let (known, worker) = (self.probed.clone(), self.config.id);
        supervision::spawn(async move {
            match probe(&client, known).await {
                Ok(probed) => tell(&to, TaskMessage::Probed { incarnation, probed: Box::new(probed) }).await,
                Err(failure) => debug!(%worker, %failure, "cannot refresh the worker's capabilities"),
            }
        });
    }

    pub(super) fn set_capabilities(&mut self, probed: Probed) {
        let changed = self.probed.as_ref().is_none_or(|known| known.differs(&probed));
        self.probed = Some(probed);
        // While connecting, the announcement at its end includes the change.
        if changed && (self.state.is_up() || !self.state.works.is_empty()) {
            self.announce();
        }
    }
}
