//! A job in flight: one actor from the claim to the terminal status, or to the next try.
//!
//! It stands for one attempt of one job on one worker, from what the claim left: it prepares the prompt itself, so that
//! a job that cannot be prepared takes nobody else with it. It ends when that attempt has ended. After a panic the
//! dispatcher has it tried again once (`sweep::lose`); a lost write leaves the row in flight, and the sweep treats it as
//! lost with its worker.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use actix::fut::{ActorFutureExt, WrapFuture};
use actix::{Actor, ActorContext, AsyncContext, Context, Handler, Message, Recipient};
use chrono::{DateTime, Utc};

use super::assignment::{self, Prepared};
use super::attached::{Ended, Lease, LeaseLost, Moved};
use super::messages::{Down, Stop};
use super::result::{AttemptResult, Stamp};
use super::state::{Event, Run, Stopping, Write, next};
use crate::fleet::{self, Assign, FreeWorker, Report, ReportEvent};
use crate::jobs::live::events::{JobEvent, Progress};
use crate::jobs::metrics;
use crate::jobs::queue::waiting::Queued;
use crate::jobs::status::Status;
use crate::jobs::store::flight::Claimed;
use crate::jobs::submit::keep_needs;
use crate::ledger::{self, Movement, Post, PostError, Posted};
use crate::supervision::Watch;
use crate::{Core, Error, Result, gallery, mini_apps, workflows};

/// How long a write is tried again before the sweep has to find the row.
const WRITE_TRIES: u32 = 10;

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
    /// What the last report brought, until it is written.
    result: AttemptResult,
    stop_timer: bool,
    /// What it needs from now on, where a worker refused it that should have taken it.
    needs: Option<String>,
    watch: Watch,
}

/// The hold is nearly used up.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
struct ExtendHold;

/// How a write ended.
enum Written {
    Done(Posted),
    /// Somebody else has the job.
    LeaseLost,
    /// The database could not be reached; the sweep will find the row.
    GivenUp,
}

impl JobActor {
    pub fn new(core: Core, job: Claimed, worker: FreeWorker, down: Recipient<Down>, watch: Watch) -> Self {
        let retries = i16::try_from(core.settings.jobs.retries).unwrap_or(i16::MAX - 1);
        let stopping = job.cancel_requested.then_some(Stopping::Canceled);
        let run = Run {
            status: Status::Connecting,
            attempt: job.attempt,
            attempts_allowed: retries + 1,
            panics: 0,
            stopping,
            stopped_at_ms: None,
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
            result: AttemptResult::default(),
            stop_timer: false,
            needs: None,
            watch,
        }
    }

    fn lease(&self) -> Lease {
        Lease { job: self.job.id, node: self.core.node, attempt: self.job.attempt }
    }
}

impl Actor for JobActor {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(4096);
        if self.run.stopping.is_some() {
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

impl Handler<Report> for JobActor {
    type Result = ();

    fn handle(&mut self, report: Report, context: &mut Self::Context) {
        self.watch.at("Report");
        if report.attempt == i32::from(self.job.attempt) {
            self.hear(report.event, context);
        }
    }
}

impl Handler<ExtendHold> for JobActor {
    type Result = ();

    fn handle(&mut self, _: ExtendHold, context: &mut Self::Context) {
        self.watch.at("ExtendHold");
        self.extend(context);
    }
}

impl JobActor {
    /// Makes the prompt, and then gives it to the worker. Nothing is heard meanwhile.
    fn prepare(&self, context: &mut Context<Self>) {
        let (core, job, watch) = (self.core.clone(), self.job.clone(), self.watch.clone());
        let prepared = async move {
            watch.at("prepare");
            match assignment::prepare(&core, &job).await {
                Ok(prepared) => Some(prepared),
                Err(failed) => {
                    assignment::fail(&core, &job, failed).await;
                    None
                }
            }
        };
        context.wait(prepared.into_actor(self).map(|prepared, actor, context| match prepared {
            Some(prepared) => {
                actor.prepared = prepared;
                actor.assign(context);
            }
            None => context.stop(),
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
            reports: context.address().recipient(),
        };
        if self.worker.link.assign.try_send(assign).is_err() {
            self.result.because("the worker's connection does not answer".to_owned());
            self.apply(Event::Unreachable, context);
            return;
        }
        let accept = Duration::from_secs(self.core.settings.jobs.accept_seconds);
        context.run_later(accept, |actor, context| {
            if actor.run.status == Status::Connecting {
                actor.result.because("the worker did not take the prompt in time".to_owned());
                actor.apply(Event::AcceptTimedOut, context);
            }
        });
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
                self.publish(JobEvent::Preview(preview));
                return;
            }
            ReportEvent::Partial { node_errors } => {
                self.result.node_errors = Some(node_errors);
                return;
            }
            ReportEvent::Accepted => Event::Accepted,
            ReportEvent::Started => Event::Started,
            ReportEvent::Finished { outputs, ran_ms } => {
                let ran_ms = self.result.bring(outputs, ran_ms);
                Event::Finished { ran_ms }
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
            ReportEvent::Unreachable { reason: why } => {
                self.result.because_of_worker(&why);
                Event::Unreachable
            }
            ReportEvent::Broke { reason: why } => {
                self.result.because_of_worker(&why);
                Event::Broke
            }
            ReportEvent::Lost { reason: why } => {
                self.result.because_of_worker(&why);
                Event::Lost
            }
            ReportEvent::Silent { reason: why } => {
                self.result.because_of_worker(&why);
                Event::Silent
            }
        };
        self.apply(event, context);
    }

    /// A worker refused what was thought good for it: another shape of worker may take it, as our check says.
    fn refused(&self, context: &mut Context<Self>) {
        let (core, pool, hash) = (self.core.clone(), self.job.pool.clone(), self.job.needs.clone());
        let shape = self.worker.capabilities.shape.as_ref().to_owned();
        let elsewhere = async move {
            let mut needs = core.queue.needs(&core, &hash).await?.ok_or(Error::NotFound { what: "needs" })?;
            if !Arc::make_mut(&mut needs).refused_by.insert(shape) || !fleet::can_run(&core, &pool, &needs).await? {
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
        self.publish(JobEvent::Progress(Progress {
            node_id,
            node_title,
            value,
            max,
            nodes_done: self.done.len(),
            nodes_total: self.prepared.titles.len(),
        }));
    }

    fn publish(&self, event: JobEvent) {
        self.core.queue.events().publish(self.job.id, event, self.core.clock.now());
    }

    /// Decides, writes, then acts.
    fn apply(&mut self, event: Event, context: &mut Context<Self>) {
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
            Some(Write::Requeue) => self.write_requeue(context),
            Some(Write::End { status, charged_ms }) => self.write_end(status, charged_ms, context),
        }
    }

    fn stop_worker(&mut self, context: &mut Context<Self>) {
        let stop = crate::fleet::Stop { job: self.job.id, attempt: i32::from(self.job.attempt) };
        if self.worker.link.stop.try_send(stop).is_err() {
            tracing::warn!(job.id = %self.job.id, worker.id = %self.worker.id, "a stop did not reach the worker");
        }
        if !std::mem::replace(&mut self.stop_timer, true) {
            let wait = Duration::from_secs(self.core.settings.jobs.stop_seconds);
            context.run_later(wait, |actor, context| {
                let ran_ms = actor.elapsed_ms();
                actor.result.ran_ms = ran_ms;
                actor.apply(Event::StopTimedOut { ran_ms }, context);
            });
        }
    }

    fn write_status(&self, status: Status, context: &mut Context<Self>) {
        let at = self.core.clock.now();
        let row = Moved { lease: self.lease(), status, at, not_before: None, needs: None };
        let post = move || (Movement::None, row.clone().attached());
        self.write(post, context, move |actor, _, context| {
            actor.publish(JobEvent::Status(status));
            if status == Status::Running {
                actor.started_at = Some(at);
                actor.watch_the_time(context);
            }
        });
    }

    fn write_requeue(&self, context: &mut Context<Self>) {
        let at = self.core.clock.now();
        let pause = Duration::from_millis(500 * u64::from(self.job.attempt.unsigned_abs()));
        let (lease, not_before, needs) = (self.lease(), Some(at + pause), self.needs.clone());
        let row = Moved { lease, status: Status::Pending, at, not_before, needs };
        metrics::retried();
        tracing::info!(
            job.id = %self.job.id,
            job.attempt = self.job.attempt,
            reason = self.result.validate.as_ref().map(ToString::to_string),
            "a job is tried again"
        );
        let post = move || (Movement::None, row.clone().attached());
        self.write(post, context, move |actor, _, context| {
            let (queue, job) = (actor.core.queue.clone(), &actor.job);
            queue.waiting().wait_again(job.id, Queued::new(job.user, &job.pool, job.lane));
            actix_rt::spawn(async move {
                tokio::time::sleep(pause).await;
                queue.wake();
            });
            actor.publish(JobEvent::Status(Status::Pending));
            context.stop();
        });
    }

    fn write_end(&mut self, status: Status, charged_ms: i64, context: &mut Context<Self>) {
        let used = (charged_ms * self.job.rate + 999) / 1000;
        let at = self.core.clock.now();
        if status == Status::ExecutionTimeout {
            self.result.because(self.why_timed_out());
        }
        let (lease, job, user) = (self.lease(), self.job.id, self.job.user);
        let expires_at = gallery::expiry(at, self.core.settings.outputs.days);
        let stamp = Stamp { user, job, ran_ms: charged_ms, created_at: at, expires_at };
        let row = Ended {
            lease,
            status,
            at,
            ran_ms: self.result.ran_ms,
            credits_used: used,
            execute: self.result.execute.take(),
            validate: self.result.validate.take().filter(|_| status != Status::Done),
            node_errors: self.result.node_errors.take(),
            outputs: self.result.take_outputs(&self.prepared.kept, stamp),
        };
        let ran_ms = self.result.ran_ms;
        let post = move || (Movement::Settle { job, used }, row.clone().attached());
        self.write(post, context, move |actor, _, context| {
            if status == Status::Done {
                metrics::ran(actor.job.lane, ran_ms);
                actor.count_run();
                actor.core.queue.estimates().learn(&actor.prepared.kind, &actor.job.pool, ran_ms);
            }
            if status == Status::UnknownError {
                tracing::error!(job.id = %job, "a job ended for an unknown reason");
            }
            actor.publish(JobEvent::Status(status));
            context.stop();
        });
    }

    /// A run that is done counts for the mini app. Nobody waits for it: it is no more than a number on a card.
    fn count_run(&self) {
        let Some(version) = self.job.version else { return };
        let (core, job, user) = (self.core.clone(), self.job.id, self.job.user);
        actix_rt::spawn(async move {
            match mini_apps::version(&core, version).await {
                Ok(app) => workflows::note_run(&core, user, app.owner, app.workflow, job),
                Err(error) => tracing::warn!(job.id = %job, %error, "a run is not counted"),
            }
        });
    }

    /// Commits a write, tries it again while the database is away, and goes on with `then`. Nothing else is handled
    /// in between, so that a job's writes keep their order.
    fn write(
        &self,
        post: impl Fn() -> (Movement, crate::ledger::AttachedRow) + 'static,
        context: &mut Context<Self>,
        then: impl FnOnce(&mut Self, Posted, &mut Context<Self>) + 'static,
    ) {
        let (core, account, job) = (self.core.clone(), self.job.user, self.job.id);
        let write = async move {
            for attempt in 0..WRITE_TRIES {
                let (movement, attached) = post();
                match core.ledger.post(Post { account, movement, attached: Some(attached) }).await {
                    Ok(posted) => return Written::Done(posted),
                    Err(PostError::Refused(why)) if why.is::<LeaseLost>() => return Written::LeaseLost,
                    Err(PostError::Denied(denied)) => {
                        tracing::error!(job.id = %job, ?denied, "the hold of a job in flight is not open");
                        return Written::LeaseLost;
                    }
                    Err(error) => {
                        tracing::warn!(job.id = %job, ?error, attempt, "a job's write is tried again");
                        tokio::time::sleep(Duration::from_millis(200 << attempt.min(5))).await;
                    }
                }
            }
            Written::GivenUp
        };
        context.wait(write.into_actor(self).map(move |written, actor, context| match written {
            Written::Done(posted) => then(actor, posted, context),
            Written::LeaseLost => {
                tracing::warn!(job.id = %actor.job.id, "somebody else has the job; this attempt stops");
                actor.stop_worker(context);
                context.stop();
            }
            Written::GivenUp => {
                tracing::error!(job.id = %actor.job.id, "a job's write was given up; the sweep will find the row");
                context.stop();
            }
        }));
    }

    /// Sets the clocks of a job that has begun: the longest it may run, and the credits it holds.
    fn watch_the_time(&self, context: &mut Context<Self>) {
        let longest = Duration::from_millis(u64::try_from(self.job.max_run_ms).unwrap_or(u64::MAX));
        context.notify_later(Stop(Stopping::RanTooLong), longest);
        if self.job.rate == 0 {
            return;
        }
        let (core, job) = (self.core.clone(), self.job.id);
        let held = async move { ledger::held(&core, job).await };
        context.spawn(held.into_actor(self).map(|held, actor, context| match held {
            Ok(held) => {
                actor.held = held.unwrap_or(0);
                actor.schedule_extension(context);
            }
            Err(error) => tracing::warn!(job.id = %actor.job.id, %error, "reading what a job holds"),
        }));
    }

    /// Before four fifths of the hold are used, it is extended.
    fn schedule_extension(&self, context: &mut Context<Self>) {
        let wait = self.held_ms() * 4 / 5 - self.elapsed_ms();
        context.notify_later(ExtendHold, Duration::from_millis(u64::try_from(wait).unwrap_or(0)));
    }

    fn extend(&self, context: &mut Context<Self>) {
        let by = self.job.rate * i64::try_from(self.core.settings.jobs.hold_seconds).unwrap_or(60);
        let (core, account, job) = (self.core.clone(), self.job.user, self.job.id);
        let post = async move {
            core.ledger.post(Post { account, movement: Movement::Extend { job, by }, attached: None }).await
        };
        context.spawn(post.into_actor(self).map(|posted, actor, context| match posted {
            Ok(posted) => {
                actor.held += posted.amount;
                actor.schedule_extension(context);
            }
            Err(PostError::Failed(error)) => {
                tracing::warn!(job.id = %actor.job.id, %error, "extending a hold is tried again");
                context.notify_later(ExtendHold, Duration::from_secs(1));
            }
            Err(PostError::Denied(_) | PostError::Refused(_)) => {
                let left = u64::try_from(actor.held_ms() - actor.elapsed_ms()).unwrap_or(0);
                context.notify_later(Stop(Stopping::CreditsUsedUp), Duration::from_millis(left));
            }
        }));
    }

    fn why_timed_out(&self) -> String {
        match self.run.stopping {
            Some(Stopping::CreditsUsedUp) => "the credits ran out while the job was running".to_owned(),
            _ => format!("the job ran longer than its plan allows ({} s)", self.job.max_run_ms / 1000),
        }
    }

    fn elapsed_ms(&self) -> i64 {
        self.started_at.map_or(0, |at| (self.core.clock.now() - at).num_milliseconds().max(0))
    }

    fn held_ms(&self) -> i64 {
        self.held * 1000 / self.job.rate.max(1)
    }
}
