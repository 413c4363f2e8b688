//! A job in flight: one actor from the claim to the terminal status, or to the next try.
//!
//! It stands for one attempt of one job on one worker, from what the claim left: it prepares the prompt itself, so that
//! a job that cannot be prepared takes nobody else with it. It ends when that attempt has ended. After a panic the
//! dispatcher has it tried again once (`sweep::lose`); a lost write leaves the row in flight, and the sweep treats it as
//! lost with its worker.

mod clock;
mod progress;
mod quarters;
mod writes;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::fut::{ActorFutureExt, WrapFuture};
use actix::{Actor, ActorContext, AsyncContext, Context, Handler, Recipient, SpawnHandle};
use chrono::{DateTime, Utc};

use self::quarters::Quarters;
use super::assignment::{self, Prepared, Ready};
use super::messages::{Down, Stop, Withdraw};
use super::moves::Moves;
use super::result::AttemptResult;
use super::rows::Lease;
use super::state::{Event, Run, Stopping, Write, next};
use crate::fleet::{self, Assign, Begin, FreeWorker, Reach, Report, ReportEvent};
use crate::jobs::live::event::{JobEvent, Progress};
use crate::jobs::status::Status;
use crate::jobs::store::flight::Claimed;
use crate::jobs::store::lost::Resumed;
use crate::jobs::submit::keep_needs;
use crate::supervision::Watch;
use crate::{Core, Error, Result};

/// One attempt of one job.
pub(in crate::jobs) struct JobActor {
    core: Core,
    job: Claimed,
    run: Run,
    worker: FreeWorker,
    /// Empty until it is prepared; no message is heard before.
    prepared: Prepared,
    down: Recipient<Down>,
    started_at: Option<DateTime<Utc>>,
    /// Credits held so far, once the job runs.
    held: i64,
    done: HashSet<String>,
    running: Option<String>,
    /// The statuses that it came to and that are not written yet.
    moves: Moves,
    posting: Option<SpawnHandle>,
    /// What happens when they are: it hears nothing more.
    last: Option<Last>,
    /// What listeners hear after them.
    held_back: Vec<JobEvent>,
    quarters: Quarters,
    /// What the last report brought, until it is written.
    result: AttemptResult,
    stop_timer: bool,
    /// What it needs from now on, where a worker refused it that should have taken it.
    needs: Option<String>,
    /// Whether an earlier owner of the worker may have posted the prompt.
    is_resumed: bool,
    watch: Watch,
}

/// How an attempt leaves.
#[derive(Debug, Clone, Copy)]
enum Last {
    /// With this write.
    Write(Write),
    /// Without one: whoever has the worker now takes the job over by its row.
    Released,
}

impl JobActor {
    pub fn new(core: Core, job: Claimed, worker: FreeWorker, down: Recipient<Down>, watch: Watch) -> Self {
        let retries = i16::try_from(core.settings.jobs.retries).unwrap_or(i16::MAX - 1);
        let stopping = job.cancel_requested.then_some(Stopping::Canceled);
        let run = Run {
            status: Status::Connecting,
            attempt: job.attempt,
            attempts_allowed: retries.saturating_add(1).saturating_add(job.withdrawn),
            not_begun: job.withdrawn,
            panics: 0,
            stopping,
            stopped_at_ms: None,
            over_after_ms: None,
        };
        Self {
            core,
            job,
            run,
            worker,
            prepared: Prepared::default(),
            down,
            started_at: None,
            held: 0,
            done: HashSet::new(),
            running: None,
            moves: Moves::default(),
            posting: None,
            last: None,
            held_back: Vec::new(),
            quarters: Quarters::default(),
            result: AttemptResult::default(),
            stop_timer: false,
            needs: None,
            is_resumed: false,
            watch,
        }
    }

    /// The same for a job that a lost node left at a worker which is this node's now.
    pub fn resumed(core: Core, resumed: Resumed, worker: FreeWorker, down: Recipient<Down>, watch: Watch) -> Self {
        let mut actor = Self::new(core, resumed.job, worker, down, watch);
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
            // Canceled while it waited for another try: no worker needs to hear of it.
            self.apply(Event::Interrupted { ran_ms: 0 }, context);
            return;
        }
        self.prepare(context);
    }

    fn stopped(&mut self, _: &mut Self::Context) {
        if self.down.try_send(Down { job: self.job.id, worker: self.worker.id }).is_err() {
            tracing::warn!(job.id = %self.job.id, "the dispatcher did not hear that a job ended");
        }
    }
}

impl Handler<Stop> for JobActor {
    type Result = ();

    fn handle(&mut self, Stop(why): Stop, context: &mut Self::Context) {
        self.watch.at("Stop");
        self.apply(Event::StopAsked { why, ran_ms: self.elapsed_ms() }, context);
    }
}

impl Handler<Withdraw> for JobActor {
    type Result = ();

    fn handle(&mut self, _: Withdraw, _: &mut Self::Context) {
        self.watch.at("Withdraw");
        if matches!(self.run.status, Status::Connecting | Status::Connected) {
            self.tell_worker_to_stop(Reach::WhatWaits);
        }
    }
}

impl Handler<Report> for JobActor {
    type Result = ();

    fn handle(&mut self, report: Report, context: &mut Self::Context) {
        self.watch.at("Report");
        if report.attempt == i32::from(self.job.attempt) {
            self.hear(report.event, context);
        }
    }
}

impl JobActor {
    /// Makes the prompt, and then gives it to the worker. Nothing is heard meanwhile.
    fn prepare(&self, context: &mut Context<Self>) {
        let (core, job, watch) = (self.core.clone(), self.job.clone(), self.watch.clone());
        let definitions = Arc::clone(&self.worker.capabilities.definitions);
        let is_resumed = self.is_resumed;
        let prepared = async move {
            watch.at("prepare");
            let ready = assignment::ready(&core, &job, &definitions, is_resumed).await;
            if matches!(ready, Ready::Prepared(_)) {
                fleet::until_leased(&core).await;
            }
            ready
        };
        context.wait(prepared.into_actor(self).map(|ready, actor, context| match ready {
            Ready::Prepared(prepared) => {
                actor.prepared = *prepared;
                actor.assign(context);
            }
            // By the definitions of this worker: it is treated as if the worker had refused it.
            Ready::Refused(validation) => actor.hear(ReportEvent::Refused { validation }, context),
            Ready::Failed => context.stop(),
        }));
    }

    fn assign(&mut self, context: &mut Context<Self>) {
        let assign = Assign {
            job: self.job.id,
            attempt: i32::from(self.job.attempt),
            prompt: self.prepared.prompt.clone(),
            inputs: self.prepared.inputs.clone(),
            extra_data: self.prepared.extra_data.clone(),
            strict: self.job.strict,
            begin: self.begin(),
            reports: context.address().recipient(),
        };
        if self.worker.link.assign.try_send(assign).is_err() {
            self.result.because("the worker's connection does not answer".to_owned());
            self.apply(Event::Unreachable, context);
            return;
        }
        if self.run.status == Status::Running {
            self.watch_the_time(context);
        }
        if self.run.stopping.is_some() {
            self.stop_worker(context);
        }
        self.await_acceptance(context);
    }

    /// Gives the worker its time to take the prompt, and all of it anew where its files could not be read meanwhile.
    fn await_acceptance(&self, context: &mut Context<Self>) {
        let began = Instant::now();
        let accept = Duration::from_secs(self.core.settings.jobs.accept_seconds);
        context.run_later(accept, move |actor, context| {
            if actor.run.status != Status::Connecting {
                return;
            }
            if actor.core.files.storage.reach().was_away_since(began) {
                return actor.await_acceptance(context);
            }
            actor.result.because("the worker did not take the prompt in time".to_owned());
            actor.apply(Event::AcceptTimedOut, context);
        });
    }

    fn begin(&self) -> Begin {
        if !self.is_resumed {
            return if self.worker.is_busy { Begin::Behind } else { Begin::Post };
        }
        let ran = (self.run.status == Status::Running).then(|| self.elapsed_ms());
        Begin::Find { ran: ran.map(|ms| Duration::from_millis(u64::try_from(ms).unwrap_or(0))) }
    }

    fn hear(&mut self, event: ReportEvent, context: &mut Context<Self>) {
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
                self.tell(JobEvent::Preview(preview));
                return;
            }
            ReportEvent::Partial { node_errors } => {
                self.result.left_out(self.job.node_errors.as_ref(), node_errors);
                return;
            }
            ReportEvent::Released => {
                self.leave(Last::Released, context);
                return;
            }
            ReportEvent::Withdrawn => Event::Withdrawn,
            ReportEvent::Over { ran_ms } => Event::Over { ran_ms: i64::try_from(ran_ms).unwrap_or(i64::MAX) },
            ReportEvent::KeptWaiting { ran_ms } => {
                // A stop that came too late for its worker is none; the next one has its own time.
                self.stop_timer = false;
                Event::KeptWaiting { ran_ms: i64::try_from(ran_ms).unwrap_or(i64::MAX) }
            }
            ReportEvent::Accepted => Event::Accepted,
            ReportEvent::Started => {
                self.make_room_behind(context);
                Event::Started
            }
            ReportEvent::Finished { outputs, ran_ms } => {
                let ran_ms = self.result.bring(outputs, ran_ms);
                match self.result.delivers_nothing(&self.prepared.kept) {
                    true => Event::NothingDelivered,
                    false => Event::Finished { ran_ms },
                }
            }
            ReportEvent::Failed { exception, outputs, ran_ms } => {
                self.result.execute = Some(exception);
                let ran_ms = self.result.bring(outputs, ran_ms);
                Event::Raised { ran_ms }
            }
            ReportEvent::Interrupted { outputs, ran_ms } => {
                let ran_ms = self.result.bring(outputs, ran_ms);
                Event::Interrupted { ran_ms }
            }
            ReportEvent::Refused { validation } => {
                self.result.refused(&validation);
                return self.refused(context);
            }
            ReportEvent::Unreachable { reason } => self.blame_worker(&reason, Event::Unreachable),
            ReportEvent::Broke { reason } => self.blame_worker(&reason, Event::Broke),
            ReportEvent::Lost { reason } => self.blame_worker(&reason, Event::Lost),
            ReportEvent::LostBeforeStart { reason } => self.blame_worker(&reason, Event::LostBeforeStart),
            ReportEvent::Silent { reason } => self.blame_worker(&reason, Event::Silent),
        };
        self.apply(event, context);
    }

    fn blame_worker(&mut self, reason: &str, event: Event) -> Event {
        self.result.because_of_worker(reason);
        event
    }

    /// A worker refused what was thought good for it: another shape of worker may take it, as our check says.
    fn refused(&self, context: &mut Context<Self>) {
        let (core, pool, hash) = (self.core.clone(), self.job.pool.clone(), self.job.needs.clone());
        let shape = self.worker.capabilities.shape.as_ref().to_owned();
        let elsewhere = async move {
            let mut needs = core.queue.needs(&core, &hash).await?.ok_or(Error::NotFound { what: "needs" })?;
            if !Arc::make_mut(&mut needs).refused_by.insert(shape) || !core.fleet.roster().can_run(&pool, &needs) {
                return Ok(None);
            }
            keep_needs(&core, Arc::unwrap_or_clone(needs)).await.map(|kept| Some(kept.hash.clone()))
        };
        context.wait(elsewhere.into_actor(self).map(|found: Result<Option<String>>, actor, context| {
            let event = match found {
                Ok(Some(needs)) => {
                    actor.needs = Some(needs);
                    Event::RefusedHere
                }
                Ok(None) => Event::Refused,
                Err(error) => {
                    tracing::warn!(job.id = %actor.job.id, %error, "looking for another worker for a refused job");
                    Event::Refused
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
        let node_title = self.prepared.titles.get(&node_id).cloned().unwrap_or_default();
        self.done.remove(&node_id);
        let titles = &self.prepared.titles;
        let nodes_done = self.done.iter().filter(|node| titles.contains_key(*node)).count();
        let nodes_total = titles.len();
        let progress = Progress { node_id, node_title, value, max, nodes_done, nodes_total };
        self.pass_quarters(&progress);
        self.tell(JobEvent::Progress(progress));
    }

    /// Tells listeners of something that is not a status, after the statuses that came before it.
    fn tell(&mut self, event: JobEvent) {
        if self.moves.is_empty() {
            return self.publish(event);
        }
        // Of what replaces each other the last is enough.
        let replaces = |held: &JobEvent| match (held, &event) {
            (JobEvent::Progress(held), JobEvent::Progress(new)) => held.node_id == new.node_id,
            (held, new) => std::mem::discriminant(held) == std::mem::discriminant(new),
        };
        self.held_back.retain(|held| !replaces(held));
        self.held_back.push(event);
    }

    fn publish(&self, event: JobEvent) {
        let (attempt, now) = (Some(self.job.attempt), self.core.clock.now());
        self.core.queue.events().publish_of(self.job.id, attempt, event, now);
    }

    /// Decides, writes, then acts.
    fn apply(&mut self, event: Event, context: &mut Context<Self>) {
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
            Some(write) => self.leave(Last::Write(write), context),
        }
    }

    fn stop_worker(&mut self, context: &mut Context<Self>) {
        self.tell_worker_to_stop(Reach::Anything);
        if !std::mem::replace(&mut self.stop_timer, true) {
            let wait = Duration::from_secs(self.core.settings.jobs.stop_seconds);
            context.run_later(wait, |actor, context| {
                let ran_ms = actor.elapsed_ms();
                actor.result.ran_ms = ran_ms;
                actor.apply(Event::StopTimedOut { ran_ms }, context);
            });
        }
    }

    fn tell_worker_to_stop(&self, reach: Reach) {
        let stop = crate::fleet::Stop { job: self.job.id, attempt: i32::from(self.job.attempt), reach };
        if self.worker.link.stop.try_send(stop).is_err() {
            tracing::warn!(job.id = %self.job.id, worker.id = %self.worker.id, "a stop did not reach the worker");
        }
    }
}
