//! The actor's side of its jobs: uploads files, posts, locates and stops prompts, fetches outputs.

use std::future::Future;
use std::sync::Arc;

use actix::prelude::*;
use actix_rt::task::JoinHandle;
use indexmap::IndexMap;
use serde_json::{Value, json};
use tracing::{debug, info, warn};
use uuid::Uuid;
use verdigraph_core::fleet::{Assign, AssignMode, Stop, StopScope};
use verdigraph_core::graph::{PromptError, read_lenient};
use verdigraph_core::supervision;

use super::super::collect::{Collection, OutputStore};
use super::super::outage::Outage;
use super::super::pictures::{Pictures, PromptNode};
use super::super::state::{CollectPolicy, Event, PromptLocation, WorkEvent, is_filled};
use super::super::task_message::{TaskMessage, tell};
use super::super::upload::upload_all;
use super::{Worker, prompt_id};
use crate::comfy::{Client, PostAnswer, PromptRequest};

pub(super) struct Assignment {
    pub assign: Assign,
    /// Whether its files were uploaded a second time, because the server had lost them.
    renewed: bool,
    /// Pictures that arrive over the socket only.
    pub pictures: Pictures,
    pub tasks: Vec<JoinHandle<()>>,
}

impl Assignment {
    fn new(assign: Assign) -> Self {
        Self { assign, renewed: false, pictures: Pictures::default(), tasks: Vec::new() }
    }

    /// Aborts its tasks.
    pub fn end(&self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }

    /// Whether an earlier owner of the worker may have posted it.
    fn is_resumed(&self) -> bool {
        matches!(self.assign.begin, AssignMode::Resume { .. })
    }

    /// Uploaded files that the worker reports as missing.
    fn inputs_gone(&self, node_errors: &Value) -> Vec<String> {
        let errors = node_errors.as_object().into_iter().flatten();
        let errors = errors.filter_map(|(_, node)| node.get("errors")?.as_array()).flatten();
        let about_files = errors
            .filter(|error| matches!(error["type"].as_str(), Some("custom_validation_failed" | "value_not_in_list")));
        let details: Vec<&str> = about_files.filter_map(|error| error["details"].as_str()).collect();
        let gone = self.assign.inputs.iter().filter(|input| details.iter().any(|it| it.contains(&input.name)));
        gone.map(|input| input.name.clone()).collect()
    }
}

impl Handler<Assign> for Worker {
    type Result = ();
    fn handle(&mut self, assign: Assign, ctx: &mut Self::Context) {
        self.serial += 1;
        let serial = self.serial;
        let (job, attempt, relays, begin) = (assign.job, assign.attempt, assign.relays, assign.begin);
        // Inserted first, so that the job gets a report even if this handler panics.
        let assignment = self.assignments.entry(serial).or_insert(Assignment::new(assign));
        self.watch.at("Assign");
        let assign = &assignment.assign;
        let nodes = read_lenient::<IndexMap<String, PromptNode>>(assign.prompt.get().as_bytes()).unwrap_or_default();
        let uploads = assign.inputs.iter().any(|input| self.uploaded.get(&input.name) != Some(&input.content));
        let prompt_id = prompt_id(job, attempt);
        assignment.pictures = Pictures::of(&nodes);
        let is_resumed = assignment.is_resumed();
        debug!(worker = %self.config.id, job.id = %job, attempt, prompt = prompt_id, is_resumed, "assigning a prompt");
        if is_resumed {
            // Messages from before this connection are lost.
            assignment.pictures.note_missed();
            self.rejoined = false;
        }
        let uploads = uploads && !is_resumed;
        let node_order = Arc::new(nodes.into_keys().collect());
        self.apply(Event::Assign { serial, job, attempt, prompt_id, uploads, node_order, relays, begin }, ctx);
        self.find_client_id(ctx);
    }
}

impl Handler<Stop> for Worker {
    type Result = ();
    fn handle(&mut self, stop: Stop, ctx: &mut Self::Context) {
        self.watch.at("Stop");
        let Stop { job, attempt, scope } = stop;
        self.apply(
            match scope {
                StopScope::Any => Event::Stop { job, attempt },
                StopScope::WaitingOnly => Event::Withdraw { job, attempt },
            },
            ctx,
        );
    }
}

impl Worker {
    pub(super) fn upload(&mut self, serial: u64, ctx: &mut Context<Self>) {
        let Some(assignment) = self.assignments.get(&serial) else { return };
        let inputs: Vec<_> = assignment
            .assign
            .inputs
            .iter()
            .filter(|input| self.uploaded.get(&input.name) != Some(&input.content))
            .cloned()
            .collect();
        let (client, files) = (self.client.clone(), Arc::clone(&self.ports.files));
        let to = ctx.address().recipient();
        let limit_bytes = self.probed.as_ref().and_then(|probed| probed.max_upload_bytes);
        self.spawn(serial, async move {
            let message = match upload_all(&client, &files, &inputs, limit_bytes).await {
                Ok(()) => TaskMessage::Uploaded { serial, inputs },
                Err((reason, is_protocol_error)) => {
                    TaskMessage::Work { serial, event: WorkEvent::UploadFailed { reason, is_protocol_error } }
                }
            };
            tell(&to, message).await;
        });
    }

    pub(super) fn post(&mut self, serial: u64, ctx: &mut Context<Self>) {
        let (Some(assignment), Some(work)) = (self.assignments.get(&serial), self.state.work(serial)) else { return };
        let (prompt, extra_data) = (Arc::clone(&assignment.assign.prompt), Arc::clone(&assignment.assign.extra_data));
        let (client, client_id, prompt_id) = (self.client.clone(), self.client_id.clone(), work.prompt_id.clone());
        let (ownership, worker) = (self.ports.settings.ownership.clone(), self.config.id);
        let pause = self.ports.settings.pace.tick;
        self.spawn_work(serial, ctx, async move {
            let request = PromptRequest {
                prompt: &prompt,
                client_id: &client_id,
                prompt_id: &prompt_id,
                extra_data: &extra_data,
            };
            let answer = client.post_prompt(&request, move || ownership.owns(worker)).await;
            if answer == PostAnswer::Withheld {
                debug!(%worker, prompt = prompt_id, "withheld a prompt: this node may have lost the worker");
                tokio::time::sleep(pause).await;
            }
            WorkEvent::Posted(answer)
        });
    }

    /// Handles the answer to the post. If it blames uploaded files, they are uploaded again. If it leaves outputs out
    /// and the job is strict, the job fails.
    pub(super) fn posted(&mut self, serial: u64, answer: PostAnswer, ctx: &mut Context<Self>) {
        let Some(assignment) = self.assignments.get_mut(&serial) else { return };
        let (node_errors, taken) = match &answer {
            PostAnswer::Queued { prompt_id, node_errors } => (node_errors, Some(prompt_id.clone())),
            PostAnswer::Refused { validation } => (&validation["node_errors"], None),
            _ => return self.apply_work(serial, WorkEvent::Posted(answer), ctx),
        };
        let gone = assignment.inputs_gone(node_errors);
        if !gone.is_empty() && !std::mem::replace(&mut assignment.renewed, true) {
            info!(worker = %self.config.id, ?gone, "the worker lost input files; uploading them again");
            self.uploaded.retain(|name, _| !gone.contains(name));
            let prompt_id = Uuid::new_v4().hyphenated().to_string();
            return self.apply_work(serial, WorkEvent::InputsGone { prompt_id, taken }, ctx);
        }
        match taken {
            Some(prompt_id) if assignment.assign.strict && is_filled(node_errors) => {
                let error = PromptError::outputs_failed("");
                let validation = json!({ "error": error, "node_errors": node_errors });
                self.apply_work(serial, WorkEvent::TakenInPart { prompt_id, validation }, ctx);
            }
            _ => self.apply_work(serial, WorkEvent::Posted(answer), ctx),
        }
    }

    /// Finds the client id under which a taken-over prompt was posted. A connection under that id receives its
    /// messages.
    pub(super) fn find_client_id(&mut self, ctx: &mut Context<Self>) {
        let found = self.assignments.iter().filter(|(_, assignment)| !self.rejoined && assignment.is_resumed());
        let mut found = found.filter_map(|(serial, _)| self.state.work(*serial)).filter(|work| !work.has_ended());
        let Some(work) = found.next() else { return };
        let (client, prompt_id, sender) = (self.client.clone(), work.prompt_id.clone(), self.sender());
        let (to, serial) = (ctx.address().recipient(), work.serial);
        self.spawn(serial, async move {
            let Ok(queue) = client.queue().await else { return };
            if let Some(client_id) = queue.sender_of(&prompt_id).filter(|id| id.starts_with(&sender)) {
                tell(&to, TaskMessage::ClientId { serial, client_id: client_id.to_owned() }).await;
            }
        });
    }

    /// Records that a lost message may have been a picture of the running prompt.
    pub(super) fn mark_pictures_lost(&mut self) {
        for (serial, assignment) in &mut self.assignments {
            if self.state.work(*serial).is_some_and(|work| !work.has_ended()) {
                assignment.pictures.note_oversized();
            }
        }
    }

    /// Runs `ask`, which locates the prompt and may cancel or withdraw it first.
    pub(super) fn spawn_locate<F: Future<Output = PromptLocation> + 'static>(
        &mut self,
        serial: u64,
        ask: fn(Client, String) -> F,
        ctx: &mut Context<Self>,
    ) {
        let Some(work) = self.state.work(serial) else { return };
        let located = ask(self.client.clone(), work.prompt_id.clone());
        self.spawn_work(serial, ctx, async move { WorkEvent::Located(located.await) });
    }

    pub(super) fn collect(
        &mut self,
        serial: u64,
        outputs: Vec<(String, Arc<Value>)>,
        policy: CollectPolicy,
        ctx: &mut Context<Self>,
    ) {
        let Some(assignment) = self.assignments.get_mut(&serial) else { return };
        let (pictures, attempt) = (std::mem::take(&mut assignment.pictures), assignment.assign.attempt);
        let (client, files) = (self.client.clone(), Arc::clone(&self.ports.files));
        let (limits, pace) = (self.ports.settings.limits, self.ports.settings.pace);
        let (within, patience) = (pace.collect, pace.gone);
        let outage = Outage::none(ctx.address().recipient(), serial);
        self.spawn_work(serial, ctx, async move {
            let store = OutputStore { files: &files, policy, outage: &outage, patience };
            let mut collection = Collection::of(&outputs, pictures, limits);
            tokio::select! {
                () = collection.fetch(&client, store) => {}
                () = outage.over(within) => {}
            }
            if collection.misses_files()
                && let Err(failure) = client.forget_results().await
            {
                // Otherwise the next prompt gets the same names of missing files.
                warn!(%failure, "cannot make the worker drop its cached results");
            }
            WorkEvent::Collected(collection.end(policy, attempt))
        });
    }

    /// Runs a task of an assignment. It is aborted when the assignment ends.
    fn spawn(&mut self, serial: u64, task: impl Future<Output = ()> + 'static) {
        if let Some(assignment) = self.assignments.get_mut(&serial) {
            assignment.tasks.push(supervision::spawn(task));
        }
    }

    fn spawn_work(&mut self, serial: u64, ctx: &Context<Self>, task: impl Future<Output = WorkEvent> + 'static) {
        let to = ctx.address().recipient();
        self.spawn(serial, async move {
            let event = task.await;
            tell(&to, TaskMessage::Work { serial, event }).await;
        });
    }
}
