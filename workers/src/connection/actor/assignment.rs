//! What the actor does for the job that it has: files sent, the prompt posted, looked for and stopped, outputs fetched.

use std::future::Future;
use std::sync::Arc;

use actix::prelude::*;
use serde_json::{Value, json};
use tracing::{info, warn};
use uuid::Uuid;
use verdigraph_core::fleet::Begin;
use verdigraph_core::graph::Trouble;

use super::super::collect;
use super::super::locate;
use super::super::outage::Outage;
use super::super::state::{CollectError, Event, Located, Need, is_filled};
use super::super::told::{Told, tell};
use super::super::upload::upload_all;
use super::Worker;
use crate::comfy::{PostAnswer, PromptRequest};

impl Worker {
    pub(super) fn upload(&mut self, ctx: &mut Context<Self>) {
        let Some(assignment) = &self.assignment else { return };
        let inputs: Vec<_> = assignment
            .inputs
            .iter()
            .filter(|input| self.uploaded.get(&input.name) != Some(&input.content))
            .cloned()
            .collect();
        let (client, files) = (self.client.clone(), Arc::clone(&self.ports.files));
        let (to, serial) = (ctx.address().recipient(), self.serial);
        let limit_bytes = self.probed.as_ref().and_then(|probed| probed.max_upload_bytes);
        self.spawn(async move {
            let told = match upload_all(&client, &files, &inputs, limit_bytes).await {
                Ok(()) => Told::Uploaded { serial, inputs },
                Err((reason, broke)) => Told::Work { serial, event: Event::UploadFailed { reason, broke } },
            };
            tell(&to, told).await;
        });
    }

    pub(super) fn post(&mut self, ctx: &mut Context<Self>) {
        let (Some(assignment), Some(work)) = (&self.assignment, &self.state.work) else { return };
        let (prompt, extra_data) = (Arc::clone(&assignment.prompt), Arc::clone(&assignment.extra_data));
        let (client, client_id, prompt_id) = (self.client.clone(), self.client_id.clone(), work.prompt_id.clone());
        self.spawn_work(ctx, async move {
            let request = PromptRequest {
                prompt: &prompt,
                client_id: &client_id,
                prompt_id: &prompt_id,
                extra_data: &extra_data,
            };
            Event::Posted(client.post_prompt(&request).await)
        });
    }

    /// The answer to the post: one that blames files of ours is not the job's end, and one that leaves outputs out is
    /// no answer to a job that wants them all.
    pub(super) fn posted(&mut self, answer: PostAnswer, ctx: &mut Context<Self>) {
        let (node_errors, taken) = match &answer {
            PostAnswer::Taken { prompt_id, node_errors } => (node_errors, Some(prompt_id.clone())),
            PostAnswer::Refused { validation } => (&validation["node_errors"], None),
            _ => return self.apply(Event::Posted(answer), ctx),
        };
        let gone = self.inputs_gone(node_errors);
        if !gone.is_empty() && !std::mem::replace(&mut self.renewed, true) {
            info!(worker = %self.config.id, ?gone, "the worker has lost input files; they are sent again");
            self.uploaded.retain(|name, _| !gone.contains(name));
            let prompt_id = Uuid::new_v4().hyphenated().to_string();
            return self.apply(Event::InputsGone { prompt_id, taken }, ctx);
        }
        let strict = self.assignment.as_ref().is_some_and(|assignment| assignment.strict);
        match taken {
            Some(prompt_id) if strict && is_filled(node_errors) => {
                let error = Trouble::outputs_failed("");
                let validation = json!({ "error": error, "node_errors": node_errors });
                self.apply(Event::TakenInPart { prompt_id, validation }, ctx);
            }
            _ => self.apply(Event::Posted(answer), ctx),
        }
    }

    /// Finds out under which client id the prompt was posted that is looked for: who connects under it hears of it.
    pub(super) fn find_sender(&mut self, ctx: &mut Context<Self>) {
        let Some(work) = self.state.work.as_ref().filter(|_| !self.rejoined && self.is_found()) else { return };
        let (client, prompt_id, sender) = (self.client.clone(), work.prompt_id.clone(), self.sender());
        let (to, serial) = (ctx.address().recipient(), self.serial);
        self.spawn(async move {
            let Ok(queue) = client.queue().await else { return };
            if let Some(client_id) = queue.sender_of(&prompt_id).filter(|id| id.starts_with(&sender)) {
                tell(&to, Told::Sender { serial, client_id: client_id.to_owned() }).await;
            }
        });
    }

    /// Whether the assignment is one that an earlier owner posted.
    fn is_found(&self) -> bool {
        self.assignment.as_ref().is_some_and(|assignment| matches!(assignment.begin, Begin::Find { .. }))
    }

    /// The files of the assignment that the worker does not find, though they were sent to it.
    fn inputs_gone(&self, node_errors: &Value) -> Vec<String> {
        let errors = node_errors.as_object().into_iter().flatten();
        let errors = errors.filter_map(|(_, node)| node.get("errors")?.as_array()).flatten();
        let about_files = errors
            .filter(|error| matches!(error["type"].as_str(), Some("custom_validation_failed" | "value_not_in_list")));
        let details: Vec<&str> = about_files.filter_map(|error| error["details"].as_str()).collect();
        let inputs = self.assignment.iter().flat_map(|assignment| &assignment.inputs);
        let gone = inputs.filter(|input| details.iter().any(|details| details.contains(&input.name)));
        gone.map(|input| input.name.clone()).collect()
    }

    pub(super) fn look(&mut self, ctx: &mut Context<Self>, cancel: bool) {
        let Some(work) = &self.state.work else { return };
        let (client, prompt_id) = (self.client.clone(), work.prompt_id.clone());
        self.spawn_work(ctx, async move {
            let located: Located = if cancel {
                locate::cancel(&client, &prompt_id).await
            } else {
                locate::locate(&client, &prompt_id).await
            };
            Event::Located(located)
        });
    }

    pub(super) fn collect(&mut self, outputs: Vec<(String, Arc<Value>)>, need: Need, ctx: &mut Context<Self>) {
        let (client, files) = (self.client.clone(), Arc::clone(&self.ports.files));
        let (limits, within) = (self.ports.settings.limits, self.ports.settings.pace.collect);
        let pictures = std::mem::take(&mut self.pictures);
        let outage = Outage::none(ctx.address().recipient(), self.serial);
        self.spawn_work(ctx, async move {
            let store = collect::Store { files: &files, need, outage: &outage };
            let collecting = collect::collect(&client, limits, &outputs, pictures, store);
            let collected = tokio::select! {
                collected = collecting => Some(collected),
                () = outage.over(within) => None,
            };
            Event::Collected(match collected {
                Some(collected) => {
                    if matches!(collected, Err(CollectError::Missing(_)))
                        && let Err(failure) = client.forget_results().await
                    {
                        // The next try would be given the same names of files that are gone.
                        warn!(%failure, "the worker could not be asked to forget its results");
                    }
                    collected
                }
                None if need == Need::All => {
                    Err(CollectError::Bad(format!("its outputs could not be fetched within {} s", within.as_secs())))
                }
                // Why the prompt ended counts more than what it had made by then.
                None => Ok(Vec::new()),
            })
        });
    }

    /// Runs a task of the current assignment; it ends with the assignment at the latest.
    pub(super) fn spawn(&mut self, task: impl Future<Output = ()> + 'static) {
        self.tasks.push(actix_rt::spawn(task));
    }

    pub(super) fn spawn_work(&mut self, ctx: &Context<Self>, task: impl Future<Output = Event> + 'static) {
        let (to, serial) = (ctx.address().recipient(), self.serial);
        self.spawn(async move {
            let event = task.await;
            tell(&to, Told::Work { serial, event }).await;
        });
    }
}
