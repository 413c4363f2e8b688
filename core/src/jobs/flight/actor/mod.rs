//! The actor of a job in flight: one attempt on one worker, from the claim to the end of the job or to its next try.
//!
//! The actor prepares the prompt itself, so that a job which cannot be prepared does not affect others. It ends when the
//! attempt has ended. After a panic the dispatcher requeues the job once (`rescue::lose`). A lost write leaves the row in
//! flight, and the sweep handles it as lost with its worker.

mod assigning;
mod clock;
mod given_names;
mod progress;
mod quarters;
mod writes;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::fut::{ActorFutureExt, WrapFuture};
use actix::{Actor, AsyncContext, Context, Handler, Recipient, SpawnHandle};
use chrono::{DateTime, Utc};

use self::quarters::Quarters;
use super::assignment::{NodeNames, PreparedPrompt};
use super::messages::{AttemptEnded, StopAttempt, Withdraw};
use super::result::RunResult;
use super::rows::Lease;
use super::state::{AttemptEvent, AttemptState, StopReason, Write, next};
use super::transitions::PendingTransitions;
use crate::fleet::{FreeWorker, ReportEvent, StopScope, WorkerReport};
use crate::jobs::live::event::{JobEvent, JobProgress};
use crate::jobs::status::Status;
use crate::jobs::store::flight::Claimed;
use crate::jobs::store::lost::Resumed;
use crate::jobs::submit::store_needs;
use crate::supervision::Watch;
use crate::{Core, Error, Result};

pub(in crate::jobs) struct JobActor {
    core: Core,
    job: Claimed,
    run: AttemptState,
    worker: FreeWorker,
    /// Empty until it is prepared. No message is handled before, unless the database is unavailable.
    prepared: PreparedPrompt,
    dispatcher: Recipient<AttemptEnded>,
    started_at: Option<DateTime<Utc>>,
    /// Credits held so far, once the job runs.
    held: i64,
    /// The account's ceiling of a day, once it has denied an extension of the hold.
    day_ceiling: Option<i64>,
    /// Completed and running nodes of the graph.
    done: HashSet<String>,
    running: Option<String>,
    transitions: PendingTransitions,
    posting: Option<SpawnHandle>,
    /// Runs after the pending transitions are written. No event is handled any more.
    last: Option<FinalStep>,
    /// Events that are published after the pending transitions.
    held_back: Vec<JobEvent>,
    quarters: Quarters,
    result: RunResult,
    stop_timer: bool,
    /// The new needs of a job that its worker refused although it meets the old ones.
    needs: Option<String>,
    /// Whether an earlier owner of the worker may have posted the prompt.
    is_resumed: bool,
    /// Since when the worker's connection has not taken the assignment of a resumed job.
    unassigned_since: Option<Instant>,
    watch: Watch,
}

#[derive(Debug, Clone, Copy)]
enum FinalStep {
    Write(Write),
    /// No write: the new owner of the worker takes over the row.
    Released,
}

impl JobActor {
    pub fn new(
        core: Core,
        job: Claimed,
        worker: FreeWorker,
        dispatcher: Recipient<AttemptEnded>,
        watch: Watch,
    ) -> Self {
        let retries = i16::try_from(core.settings.jobs.retries).unwrap_or(i16::MAX - 1);
        let stopping = job.cancel_requested.then_some(StopReason::Canceled);
        let run = AttemptState {
            status: Status::Connecting,
            attempt: job.attempt,
            attempts_allowed: retries.saturating_add(1).saturating_add(job.withdrawn),
            not_begun: job.withdrawn,
            panics: 0,
            stopping,
            stopped_at_ms: None,
            prompt_done_ms: None,
        };
        Self {
            core,
            job,
            run,
            worker,
            prepared: PreparedPrompt::default(),
            dispatcher,
            started_at: None,
            held: 0,
            day_ceiling: None,
            done: HashSet::new(),
            running: None,
            transitions: PendingTransitions::default(),
            posting: None,
            last: None,
            held_back: Vec::new(),
            quarters: Quarters::default(),
            result: RunResult::default(),
            stop_timer: false,
            needs: None,
            is_resumed: false,
            unassigned_since: None,
            watch,
        }
    }

    /// The actor of a job of a lost node whose worker belongs to this node now.
    pub fn resumed(
        core: Core,
        resumed: Resumed,
        worker: FreeWorker,
        dispatcher: Recipient<AttemptEnded>,
        watch: Watch,
    ) -> Self {
        let mut actor = Self::new(core, resumed.job, worker, dispatcher, watch);
        (actor.run.status, actor.started_at) = (actor.job.status, actor.job.started_at);
        actor.is_resumed = true;
        actor
    }

    fn lease(&self) -> Lease {
        Lease { job: self.job.id, node: self.core.node, attempt: self.job.attempt }
    }

    /// Earlier attempts in which the prompt may have run.
    fn tries_spent(&self) -> i16 {
        self.job.attempt.saturating_sub(self.job.withdrawn).saturating_sub(1)
    }
}

impl Actor for JobActor {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(4096);
        if self.run.stopping.is_some() && !self.is_resumed {
            // Canceled before the claim. The worker does not know the job yet.
            self.apply(AttemptEvent::Interrupted { ran_ms: 0 }, context);
            return;
        }
        self.prepare(context);
    }

    fn stopped(&mut self, _: &mut Self::Context) {
        if self.dispatcher.try_send(AttemptEnded { job: self.job.id, worker: self.worker.id }).is_err() {
            tracing::warn!(job.id = %self.job.id, "the end of an attempt did not reach the dispatcher");
        }
    }
}

impl Handler<StopAttempt> for JobActor {
    type Result = ();

    fn handle(&mut self, StopAttempt(reason): StopAttempt, context: &mut Self::Context) {
        self.watch.at("StopAttempt");
        self.apply(AttemptEvent::StopRequested { reason, ran_ms: self.elapsed_ms() }, context);
    }
}

impl Handler<Withdraw> for JobActor {
    type Result = ();

    fn handle(&mut self, _: Withdraw, _: &mut Self::Context) {
        self.watch.at("Withdraw");
        if matches!(self.run.status, Status::Connecting | Status::Connected) {
            self.tell_worker_to_stop(StopScope::WaitingOnly);
        }
    }
}

impl Handler<WorkerReport> for JobActor {
    type Result = ();

    fn handle(&mut self, report: WorkerReport, context: &mut Self::Context) {
        self.watch.at("Report");
        if report.attempt != i32::from(self.job.attempt) {
            return;
        }
        // A node that stops may end its connections before they have released their work. The prompt runs on, and the
        // worker's next owner asks for it.
        match report.event.is_loss() && self.is_left_to_another_node() {
            true => self.finish(FinalStep::Released, context),
            false => self.handle_report(report.event, context),
        }
    }
}

impl JobActor {
    fn handle_report(&mut self, event: ReportEvent, context: &mut Context<Self>) {
        let event = match event {
            ReportEvent::Cached { nodes } => {
                self.done.extend(nodes);
                return;
            }
            ReportEvent::Progress(progress) => {
                self.progress(progress.node_id, progress.value, progress.max);
                return;
            }
            ReportEvent::Preview(preview) => {
                self.publish_in_order(JobEvent::Preview(preview));
                return;
            }
            // Not held back for statuses: its listeners wait for the terminal status only.
            ReportEvent::Client(message) => {
                self.publish(JobEvent::Client(message));
                return;
            }
            ReportEvent::Partial { node_errors } => {
                self.result.set_node_errors(self.job.node_errors.as_ref(), self.with_given_names(node_errors));
                return;
            }
            ReportEvent::Released => {
                self.finish(FinalStep::Released, context);
                return;
            }
            ReportEvent::Withdrawn => AttemptEvent::Withdrawn,
            ReportEvent::PromptDone { ran_ms } => {
                AttemptEvent::PromptDone { ran_ms: i64::try_from(ran_ms).unwrap_or(i64::MAX) }
            }
            ReportEvent::AwaitingStorage { ran_ms } => {
                // The worker was done before an earlier stop, so a later stop gets its own timer.
                self.stop_timer = false;
                AttemptEvent::AwaitingStorage { ran_ms: i64::try_from(ran_ms).unwrap_or(i64::MAX) }
            }
            ReportEvent::Accepted => AttemptEvent::Accepted,
            ReportEvent::Started => {
                self.schedule_prefetch(context);
                AttemptEvent::Started
            }
            ReportEvent::Finished { outputs, ran_ms } => {
                let ran_ms = self.result.set_outputs(outputs, ran_ms);
                match self.result.delivers_nothing(&self.prepared.kept) {
                    true => AttemptEvent::NothingDelivered,
                    false => AttemptEvent::Finished { ran_ms },
                }
            }
            ReportEvent::Failed { exception, outputs, ran_ms } => {
                self.result.execute = Some(self.with_given_names(exception));
                let ran_ms = self.result.set_outputs(outputs, ran_ms);
                AttemptEvent::Raised { ran_ms }
            }
            ReportEvent::Interrupted { outputs, ran_ms } => {
                let ran_ms = self.result.set_outputs(outputs, ran_ms);
                AttemptEvent::Interrupted { ran_ms }
            }
            ReportEvent::Refused { validation } => {
                self.result.set_refusal(&self.with_given_names(validation));
                return self.handle_refusal(context);
            }
            ReportEvent::Unreachable { reason } => self.blame_worker(&reason, AttemptEvent::Unreachable),
            ReportEvent::ProtocolError { reason } => self.blame_worker(&reason, AttemptEvent::ProtocolError),
            ReportEvent::Lost { reason } => self.blame_worker(&reason, AttemptEvent::Lost),
            ReportEvent::LostBeforeStart { reason } => self.blame_worker(&reason, AttemptEvent::LostBeforeStart),
            ReportEvent::Silent { reason } => self.blame_worker(&reason, AttemptEvent::Silent),
        };
        self.apply(event, context);
    }

    fn blame_worker(&mut self, reason: &str, event: AttemptEvent) -> AttemptEvent {
        self.result.set_worker_reason(reason);
        event
    }

    /// Requeues a refused job if a worker of another shape can run it.
    fn handle_refusal(&self, context: &mut Context<Self>) {
        let (core, pool, hash) = (self.core.clone(), self.job.pool.clone(), self.job.needs.clone());
        let shape = self.worker.capabilities.shape.as_ref().to_owned();
        let elsewhere = async move {
            let mut needs = core.queue.needs(&core, &hash).await?.ok_or(Error::NotFound { what: "needs" })?;
            if !Arc::make_mut(&mut needs).refused_by.insert(shape) || !core.fleet.roster().can_run(&pool, &needs) {
                return Ok(None);
            }
            store_needs(&core, Arc::unwrap_or_clone(needs)).await.map(|stored| Some(stored.hash.clone()))
        };
        context.wait(elsewhere.into_actor(self).map(|found: Result<Option<String>>, actor, context| {
            let event = match found {
                Ok(Some(needs)) => {
                    actor.needs = Some(needs);
                    AttemptEvent::RefusedByWorker
                }
                Ok(None) => AttemptEvent::Refused,
                Err(error) => {
                    tracing::warn!(job.id = %actor.job.id, %error, "no other worker could be found for a refused job");
                    AttemptEvent::Refused
                }
            };
            actor.apply(event, context);
        }));
    }

    fn progress(&mut self, node_id: String, value: f64, max: f64) {
        if self.running.as_ref() != Some(&node_id)
            && let Some(before) = self.running.replace(node_id.clone())
        {
            self.done.insert(before);
        }
        let nodes = &self.prepared.nodes;
        let NodeNames { title: node_title, class: node_class } = nodes.get(&node_id).cloned().unwrap_or_default();
        self.done.remove(&node_id);
        let nodes_done = self.done.iter().filter(|node| nodes.contains_key(*node)).count();
        let nodes_total = nodes.len();
        let progress = JobProgress { node_id, node_title, node_class, value, max, nodes_done, nodes_total };
        self.note_progress(&progress);
        self.publish_in_order(JobEvent::Progress(progress));
    }

    /// Publishes a progress or preview after the statuses that are not written yet.
    fn publish_in_order(&mut self, event: JobEvent) {
        if self.transitions.is_empty() {
            return self.publish(event);
        }
        // Only the last progress of a node and the last preview are of use.
        let replaces = |held: &JobEvent| match (held, &event) {
            (JobEvent::Progress(held), JobEvent::Progress(new)) => held.node_id == new.node_id,
            (held, new) => std::mem::discriminant(held) == std::mem::discriminant(new),
        };
        self.held_back.retain(|held| !replaces(held));
        self.held_back.push(event);
    }

    fn publish(&self, event: JobEvent) {
        let (attempt, now) = (Some(self.job.attempt), self.core.clock.now());
        self.core.queue.events().publish_attempt(self.job.id, attempt, event, now);
    }

    fn apply(&mut self, event: AttemptEvent, context: &mut Context<Self>) {
        if self.last.is_some() {
            return;
        }
        let outcome = match next(&self.run, event) {
            Ok(outcome) => outcome,
            Err(illegal) => {
                tracing::debug!(job.id = %self.job.id, %illegal, "ignored");
                return;
            }
        };
        self.run = outcome.run;
        if outcome.stop_worker {
            self.stop_worker(context);
        }
        match outcome.write {
            None => {}
            Some(Write::Status(status)) => self.write_status(status, context),
            Some(write) => self.finish(FinalStep::Write(write), context),
        }
    }

    fn stop_worker(&mut self, context: &mut Context<Self>) {
        self.tell_worker_to_stop(StopScope::Any);
        if !std::mem::replace(&mut self.stop_timer, true) {
            let wait = Duration::from_secs(self.core.settings.jobs.stop_seconds);
            context.run_later(wait, |actor, context| {
                let ran_ms = actor.elapsed_ms();
                actor.result.ran_ms = ran_ms;
                actor.apply(AttemptEvent::StopTimedOut { ran_ms }, context);
            });
        }
    }

    fn tell_worker_to_stop(&self, scope: StopScope) {
        let stop = crate::fleet::Stop { job: self.job.id, attempt: i32::from(self.job.attempt), scope };
        if self.worker.link.stop.try_send(stop).is_err() {
            tracing::warn!(job.id = %self.job.id, worker.id = %self.worker.id, "a stop did not reach the worker");
        }
    }
}
