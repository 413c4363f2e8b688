//! Stops prompts at the worker that belong to no job: those of abandoned attempts and of earlier processes.

use tracing::{debug, info};
use verdigraph_core::supervision;

use super::super::locate;
use super::Worker;

impl Worker {
    /// Runs on after the actor ends, because the prompts would keep running at the worker.
    pub(super) fn discard(&self, orphans: Vec<String>) {
        let (client, worker) = (self.client.clone(), self.config.id);
        supervision::spawn(async move {
            for prompt_id in orphans {
                let located = locate::cancel(client.clone(), prompt_id.clone()).await;
                debug!(%worker, prompt = prompt_id, ?located, "stopped a prompt without a job");
            }
        });
    }

    /// Prefix of all our client ids at this worker, including those of earlier processes.
    pub(super) fn sender(&self) -> String {
        format!("vg-{}-", self.config.id.0.simple())
    }

    /// Stops prompts that earlier owners of the worker left there and that no job expects: they would delay the next
    /// prompt. Prompts of other clients are not touched.
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
                    debug!(%worker, %failure, "cannot read the queue to find leftover prompts");
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
