//! Prepares the prompt and assigns it to the worker's connection.
//!
//! The prompt of a resumed job may have run already, and only its worker knows. A connection that is gone does not mean
//! that the worker is: the job waits for the worker's next connection, or is left to the worker's next owner. It is
//! requeued if the worker does not exist any more, or has no connection for `jobs.gone_seconds`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::fut::{ActorFutureExt, WrapFuture};
use actix::{ActorContext, AsyncContext, Context};

use super::{FinalStep, JobActor};
use crate::fleet::{self, Assign, AssignMode, ReportEvent, WorkerOwner};
use crate::jobs::flight::assignment::{self, Preparation};
use crate::jobs::flight::state::AttemptEvent;
use crate::jobs::live::clients::client_in;
use crate::jobs::status::Status;

/// The pause before a resumed job is prepared or assigned again.
const RETRY_PAUSE: Duration = Duration::from_millis(500);

impl JobActor {
    /// Prepares the prompt and assigns it to the worker. No message is handled in between.
    pub(super) fn prepare(&self, context: &mut Context<Self>) {
        let (core, job, watch) = (self.core.clone(), self.job.clone(), self.watch.clone());
        let definitions = Arc::clone(&self.worker.capabilities.definitions);
        let is_resumed = self.is_resumed;
        let prepared = async move {
            watch.at("prepare");
            let preparation = assignment::prepare(&core, &job, &definitions, is_resumed).await;
            if matches!(preparation, Preparation::Prepared(_)) {
                fleet::wait_for_lease(&core).await;
            }
            preparation
        };
        context.wait(prepared.into_actor(self).map(|preparation, actor, context| match preparation {
            Preparation::Prepared(prepared) => {
                actor.prepared = *prepared;
                actor.begin_assignment(context);
            }
            // Refused by the definitions of the worker: handled as if the worker had refused it.
            Preparation::Refused(validation) => actor.handle_report(ReportEvent::Refused { validation }, context),
            // Without an actor, the sweep would requeue it.
            Preparation::Unavailable if actor.is_resumed => {
                context.run_later(RETRY_PAUSE, |actor, context| actor.prepare(context));
            }
            Preparation::Unavailable | Preparation::Failed => context.stop(),
        }));
    }

    fn begin_assignment(&mut self, context: &mut Context<Self>) {
        if self.run.status == Status::Running {
            self.start_timers(context);
        }
        // The connection limits the search for the prompt of a resumed job itself.
        if !self.is_resumed {
            self.await_acceptance(context);
        }
        self.assign(context);
    }

    /// Sends the assignment to the worker's connection. A connection that ends may leave it unhandled in its mailbox.
    fn assign(&mut self, context: &mut Context<Self>) {
        // Another node may own the worker since the job was claimed or taken over.
        if self.core.fleet.roster().owner(self.worker.id) != WorkerOwner::ThisNode {
            return self.connection_ended(context);
        }
        let assign = Assign {
            job: self.job.id,
            attempt: i32::from(self.job.attempt),
            prompt: self.prepared.prompt.clone(),
            inputs: self.prepared.inputs.clone(),
            extra_data: self.prepared.extra_data.clone(),
            strict: self.job.strict,
            relays: client_in(self.prepared.extra_data.get()).is_some(),
            begin: self.mode(),
            reports: context.address().recipient(),
        };
        let handled = self.worker.link.assign.send(assign);
        context.spawn(handled.into_actor(self).map(|handled, actor, context| {
            if handled.is_err() {
                actor.connection_ended(context);
            }
        }));
        if self.run.stopping.is_some() {
            self.stop_worker(context);
        }
    }

    fn mode(&self) -> AssignMode {
        if !self.is_resumed {
            return if self.worker.is_busy { AssignMode::Prefetch } else { AssignMode::Post };
        }
        let ran = (self.run.status == Status::Running).then(|| self.elapsed_ms());
        AssignMode::Resume { ran: ran.map(|ms| Duration::from_millis(u64::try_from(ms).unwrap_or(0))) }
    }

    /// Handles that the connection ended before it handled the assignment, so that no report will come.
    fn connection_ended(&mut self, context: &mut Context<Self>) {
        if self.last.is_some() {
            return;
        }
        if self.is_resumed && self.is_left_to_another_node() {
            return self.finish(FinalStep::Released, context);
        }
        match self.core.fleet.roster().owner(self.worker.id) {
            WorkerOwner::ThisNode if self.is_resumed && self.can_wait() => {
                context.run_later(RETRY_PAUSE, |actor, context| actor.assign_again(context));
            }
            // The worker has no prompt of a new job yet, and is gone for a resumed one.
            _ => {
                self.result.set_reason("the worker's connection does not answer".to_owned());
                self.apply(AttemptEvent::Unreachable, context);
            }
        }
    }

    /// Whether this node owned the worker, and another one is or will be its owner.
    pub(super) fn is_left_to_another_node(&self) -> bool {
        matches!(self.core.fleet.roster().owner(self.worker.id), WorkerOwner::Node(_) | WorkerOwner::Unowned)
    }

    /// Whether a resumed job still waits for a connection of its worker.
    fn can_wait(&mut self) -> bool {
        let gone = Duration::from_secs(self.core.settings.jobs.gone_seconds);
        self.unassigned_since.get_or_insert_with(Instant::now).elapsed() < gone
    }

    /// Assigns a resumed job to the connection that the worker has now.
    fn assign_again(&mut self, context: &mut Context<Self>) {
        match self.core.fleet.roster().reachable(self.worker.id).filter(|_| self.last.is_none()) {
            Some(worker) => {
                self.worker = worker;
                self.assign(context);
            }
            None => self.connection_ended(context),
        }
    }

    /// Limits the time in which the worker has to accept the prompt. The limit starts again after a storage outage.
    fn await_acceptance(&self, context: &mut Context<Self>) {
        let began = Instant::now();
        let accept = Duration::from_secs(self.core.settings.jobs.accept_seconds);
        context.run_later(accept, move |actor, context| {
            if actor.run.status != Status::Connecting {
                return;
            }
            if actor.core.files.storage.health().was_away_since(began) {
                return actor.await_acceptance(context);
            }
            actor.result.set_reason("the worker did not take the prompt in time".to_owned());
            actor.apply(AttemptEvent::AcceptTimedOut, context);
        });
    }
}
