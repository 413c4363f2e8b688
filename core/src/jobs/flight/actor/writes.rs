//! The writes of an attempt: each is a group commit with the movement of its credits. Transitions are merged
//! ([`PendingTransitions`](crate::jobs::flight::transitions::PendingTransitions)). The end of the attempt is written alone,
//! with the transitions that are not written yet.

use std::time::Duration;

use actix::fut::{ActorFutureExt, WrapFuture};
use actix::{ActorContext, AsyncContext, Context};

use super::{FinalStep, JobActor};
use crate::jobs::flight::result::OutputMeta;
use crate::jobs::flight::rows::{EndedRow, LeaseLost, TransitionRow};
use crate::jobs::flight::state::{StopReason, Write};
use crate::jobs::flight::transitions::MergedTransition;
use crate::jobs::live::event::JobEvent;
use crate::jobs::metrics;
use crate::jobs::queue::Queue;
use crate::jobs::queue::waiting::QueuedJob;
use crate::jobs::status::Status;
use crate::ledger::{AttachedRow, LedgerPost, Movement, PostError, PostReceipt};
use crate::{gallery, mini_apps, supervision, workflows};

/// The pause after a failed attempt. It grows with each attempt, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
const WRITE_TRIES: u32 = 10;

enum WriteResult {
    Done(PostReceipt),
    LeaseLost,
    /// All tries failed; the sweep will find the row.
    GivenUp,
}

impl JobActor {
    pub(super) fn write_status(&mut self, status: Status, context: &mut Context<Self>) {
        let at = self.core.clock.now();
        if status == Status::Running {
            self.started_at = Some(at);
        }
        self.transitions.add(status, at);
        self.post_transitions(context);
    }

    /// Posts the pending transitions. Reports are handled during the post, so that their transitions can be merged.
    fn post_transitions(&mut self, context: &mut Context<Self>) {
        let Some((MergedTransition { status, started_at }, ticket)) = self.transitions.post() else { return };
        self.abandon_post(context);
        let row = TransitionRow { started_at, ticket, ..TransitionRow::new(self.lease(), status) };
        let written = self.commit(move || (Movement::None, row.clone().attached()));
        self.posting = Some(context.spawn(written.into_actor(self).map(|written, actor, context| {
            actor.posting = None;
            actor.conclude(written, context, |actor, _, context| {
                let statuses = actor.transitions.written();
                actor.publish_all(&statuses);
                if statuses.contains(&Status::Running) {
                    actor.start_timers(context);
                }
                match actor.last.take() {
                    Some(last) => actor.finish(last, context),
                    None => actor.post_transitions(context),
                }
            });
        })));
    }

    /// Stops waiting for a withdrawn post.
    fn abandon_post(&mut self, context: &mut Context<Self>) {
        if let Some(posting) = self.posting.take() {
            context.cancel_future(posting);
        }
    }

    /// Ends the attempt. Waits until no transition is being written, because two writes of one job would block each other.
    pub(super) fn finish(&mut self, last: FinalStep, context: &mut Context<Self>) {
        let write = match last {
            FinalStep::Released if self.transitions.is_empty() => return context.stop(),
            FinalStep::Write(write) if self.transitions.withdraw() => write,
            _ => {
                self.last = Some(last);
                return self.post_transitions(context);
            }
        };
        self.abandon_post(context);
        match write {
            Write::Status(status) => self.write_status(status, context),
            Write::Requeue => self.write_requeue(context),
            Write::PutBack => self.write_put_back(Duration::ZERO, context),
            Write::PutBackLater => self.write_put_back(pause_after(self.job.withdrawn + 1), context),
            Write::End { status, charged_ms } => self.write_end(status, charged_ms, context),
        }
    }

    /// Publishes these statuses, and the events that were held back for them.
    fn publish_all(&mut self, statuses: &[Status]) {
        for status in statuses {
            self.publish(JobEvent::Status(*status));
        }
        if self.transitions.is_empty() {
            for event in std::mem::take(&mut self.held_back) {
                self.publish(event);
            }
            self.write_quarter();
        }
    }

    fn write_requeue(&mut self, context: &mut Context<Self>) {
        metrics::retried();
        tracing::info!(
            job.id = %self.job.id,
            job.attempt = self.job.attempt,
            reason = self.result.validate.as_ref().map(ToString::to_string),
            "the job is requeued"
        );
        let (pause, needs) = (pause_after(self.tries_spent() + 1), self.needs.clone());
        self.write_pending(pause, TransitionRow { needs, ..self.pending() }, context);
    }

    /// Puts the job back to its place in the lane.
    fn write_put_back(&mut self, pause: Duration, context: &mut Context<Self>) {
        tracing::debug!(
            job.id = %self.job.id,
            reason = self.result.validate.as_ref().map(ToString::to_string),
            "a job that had not begun is put back"
        );
        self.write_pending(pause, TransitionRow { withdrawn: true, ..self.pending() }, context);
    }

    fn pending(&self) -> TransitionRow {
        TransitionRow::new(self.lease(), Status::Pending)
    }

    /// Writes a waiting job that may be claimed after the pause.
    fn write_pending(&mut self, pause: Duration, row: TransitionRow, context: &mut Context<Self>) {
        let (passed, _) = self.transitions.take_gathered();
        let not_before = (!pause.is_zero()).then(|| self.core.clock.now() + pause);
        let row = TransitionRow { not_before, ..row };
        let post = move || (Movement::None, row.clone().attached());
        self.write(post, context, move |actor, _, context| {
            let (queue, job) = (actor.core.queue.clone(), &actor.job);
            queue.waiting().put_back(job.id, QueuedJob::new(job.user, &job.pool, job.lane));
            queue.change_log().invalidate(&job.pool, job.lane);
            wake_after(queue, pause);
            actor.publish_all(&passed);
            actor.publish(JobEvent::Status(Status::Pending));
            context.stop();
        });
    }

    fn write_end(&mut self, status: Status, charged_ms: i64, context: &mut Context<Self>) {
        let used = self.job.price().credits(charged_ms).min(self.chargeable());
        let at = self.core.clock.now();
        if status == Status::ExecutionTimeout {
            self.result.set_reason(self.timeout_reason());
        }
        let (lease, job, user) = (self.lease(), self.job.id, self.job.user);
        let expires_at = gallery::expiry(at, self.core.settings.outputs.days);
        let meta = OutputMeta { user, job, ran_ms: charged_ms, created_at: at, expires_at };
        let (passed, started_at) = self.transitions.take_gathered();
        let row = EndedRow {
            lease,
            status,
            at,
            started_at,
            ran_ms: self.result.ran_ms,
            credits_used: used,
            execute: self.result.execute.take(),
            validate: self.result.validate.take().filter(|_| status != Status::Done),
            node_errors: self.result.node_errors.take(),
            outputs: self.result.take_outputs(&self.prepared.kept, meta),
        };
        let ran_ms = self.result.ran_ms;
        let post = move || (Movement::Settle { job, used }, row.clone().attached());
        self.write(post, context, move |actor, _, context| {
            metrics::ended(status, at, actor.job.deadline);
            if status == Status::Done {
                metrics::ran(actor.job.lane, ran_ms);
                actor.count_run();
                actor.core.queue.estimates().learn(&actor.prepared.kind, &actor.job.pool, ran_ms);
            }
            if status == Status::UnknownError {
                tracing::error!(job.id = %job, "job {job} ended for an unknown reason");
            }
            actor.publish_all(&passed);
            actor.publish(JobEvent::Status(status));
            context.stop();
        });
    }

    /// What the run may be charged. A worker stops a moment after it is told to; that moment is not the account's.
    fn chargeable(&self) -> i64 {
        match self.run.stopping {
            Some(StopReason::CreditsUsedUp) => self.held,
            _ => self.most_credits(),
        }
    }

    /// Counts the run for its mini app. It runs beside the job, because the count may be lost.
    fn count_run(&self) {
        let Some(version) = self.job.version else { return };
        let (core, job, user) = (self.core.clone(), self.job.id, self.job.user);
        supervision::spawn(async move {
            match mini_apps::version(&core, version).await {
                Ok(app) => workflows::note_run(&core, user, app.owner, app.workflow, job),
                Err(error) => tracing::warn!(job.id = %job, %error, "the run of job {job} was not counted"),
            }
        });
    }

    /// Commits a write and continues with `then`. No message is handled in between.
    fn write(
        &self,
        post: impl Fn() -> (Movement, AttachedRow) + 'static,
        context: &mut Context<Self>,
        then: impl FnOnce(&mut Self, PostReceipt, &mut Context<Self>) + 'static,
    ) {
        let written = self.commit(post).into_actor(self);
        context.wait(written.map(move |written, actor, context| actor.conclude(written, context, then)));
    }

    /// Commits a write; retries while the database is unavailable.
    fn commit(
        &self,
        post: impl Fn() -> (Movement, AttachedRow) + 'static,
    ) -> impl Future<Output = WriteResult> + 'static {
        let (core, account, job) = (self.core.clone(), self.job.user, self.job.id);
        async move {
            for attempt in 0..WRITE_TRIES {
                let (movement, attached) = post();
                match core.ledger.post(LedgerPost { account, movement, attached: Some(attached) }).await {
                    Ok(posted) => return WriteResult::Done(posted),
                    Err(PostError::Refused(why)) if why.is::<LeaseLost>() => return WriteResult::LeaseLost,
                    Err(PostError::Denied(denied)) => {
                        tracing::error!(job.id = %job, ?denied, "the hold of job {job} is not open");
                        return WriteResult::LeaseLost;
                    }
                    Err(error) => {
                        tracing::warn!(job.id = %job, ?error, attempt, "a write of job {job} failed; retrying");
                        tokio::time::sleep(Duration::from_millis(200 << attempt.min(5))).await;
                    }
                }
            }
            WriteResult::GivenUp
        }
    }

    fn conclude(
        &mut self,
        written: WriteResult,
        context: &mut Context<Self>,
        then: impl FnOnce(&mut Self, PostReceipt, &mut Context<Self>),
    ) {
        match written {
            WriteResult::Done(posted) => then(self, posted, context),
            WriteResult::LeaseLost => {
                tracing::warn!(job.id = %self.job.id, "the lease of job {} is lost; the attempt stops", self.job.id);
                self.stop_worker(context);
                context.stop();
            }
            WriteResult::GivenUp => {
                let job = self.job.id;
                tracing::error!(job.id = %job, "a write of job {job} was given up; the sweep will find the row");
                context.stop();
            }
        }
    }

    fn timeout_reason(&self) -> String {
        if self.run.stopping == Some(StopReason::CreditsUsedUp) {
            return self.day_ceiling.map_or_else(
                || "the credits ran out while the job was running".to_owned(),
                |ceiling| {
                    format!(
                        "the account's own ceiling of {ceiling} credits a day was reached while the job was running"
                    )
                },
            );
        }
        match self.job.max_credits.filter(|most| self.job.max_run_ms == self.job.price().longest_ms(*most)) {
            Some(most) => format!("the job reached the most that it may cost ({most} credits)"),
            None => format!("the job ran longer than its plan allows ({} s)", self.job.max_run_ms / 1000),
        }
    }
}

fn pause_after(attempts: i16) -> Duration {
    LONGEST_PAUSE.min(FIRST_PAUSE * u32::from(attempts.unsigned_abs()))
}

/// Wakes the dispatcher after a pause.
fn wake_after(queue: Queue, pause: Duration) {
    if pause.is_zero() {
        return queue.wake();
    }
    supervision::spawn(async move {
        tokio::time::sleep(pause).await;
        queue.wake();
    });
}
