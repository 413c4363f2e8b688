//! Prompts at the worker that nobody waits for: our own of an attempt that was given up, and those of an earlier process.

use tracing::{debug, info};
use verdigraph_core::supervision;

use super::super::locate;
use super::Worker;

impl Worker {
    /// Runs on after the actor itself, because the prompts would otherwise run on at the worker.
    pub(super) fn discard(&self, orphans: Vec<String>) {
        let (client, worker) = (self.client.clone(), self.config.id);
        supervision::spawn(async move {
            for prompt_id in orphans {
                let located = locate::cancel(client.clone(), prompt_id.clone()).await;
                debug!(%worker, prompt = prompt_id, ?located, "stopped a prompt that nobody waits for");
            }
        });
    }

    /// What the ids of all our clients of this worker begin with, those of earlier processes included.
    pub(super) fn sender(&self) -> String {
        format!("vg-{}-", self.config.id.0.simple())
    }

    /// Stops what an earlier owner of the worker left there, once nobody waits for it any more: the next prompt would
    /// have to. Prompts of others are let be.
    pub(super) fn discard_leftovers(&self) {
        if !self.cleared || !self.state.is_up() {
            return;
        }
        let (client, worker) = (self.client.clone(), self.config.id);
        let (sender, current) = (self.sender(), self.client_id.clone());
        let kept: Vec<String> =
            self.expected.iter().chain(self.state.works.iter().map(|work| &work.prompt_id)).cloned().collect();
        supervision::spawn(async move {
            let leftovers = match client.queue().await {
                Ok(queue) => queue.sent_by(|id| id.starts_with(&sender) && id != current),
                Err(failure) => {
                    debug!(%worker, %failure, "the queue could not be looked through for what was left there");
                    return;
                }
            };
            for prompt_id in leftovers.into_iter().filter(|prompt_id| !kept.contains(prompt_id)) {
                let located = locate::cancel(client.clone(), prompt_id.clone()).await;
                info!(%worker, prompt = prompt_id, ?located, "stopped a prompt that an earlier process left behind");
            }
        });
    }
}
