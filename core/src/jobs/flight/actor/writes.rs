//! What an attempt writes: each a group commit with the movement of its credits. Its moves are folded into fewer
//! ([`Moves`](crate::jobs::flight::moves::Moves)); its end is written alone, and with the moves that were not.

use std::time::Duration;

use actix::fut::{ActorFutureExt, WrapFuture};
use actix::{ActorContext, AsyncContext, Context};

use super::{JobActor, Last};
use crate::jobs::flight::moves::{Folded, Ticket};
use crate::jobs::flight::result::Stamp;
use crate::jobs::flight::rows::{Ended, LeaseLost, Moved};
use crate::jobs::flight::state::{Stopping, Write};
use crate::jobs::live::event::JobEvent;
use crate::jobs::metrics;
use crate::jobs::queue::Queue;
use crate::jobs::queue::waiting::Queued;
use crate::jobs::status::Status;
use crate::ledger::{AttachedRow, Movement, Post, PostError, Posted};
use crate::{gallery, mini_apps, supervision, workflows};

/// The pause after an attempt that the worker spoilt; it grows with each, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// How long a write is tried again before the sweep has to find the row.
const WRITE_TRIES: u32 = 10;

/// How a write ended.
enum Written {
    Done(Posted),
    /// Somebody else has the job.
    LeaseLost,
    /// The database could not be reached; the sweep will find the row.
    GivenUp,
}

impl JobActor {
    pub(super) fn write_status(&mut self, status: Status, context: &mut Context<Self>) {
        let at = self.core.clock.now();
        if status == Status::Running {
            self.started_at = Some(at);
        }
        self.moves.add(status, at);
        self.post_moves(context);
    }

    /// Posts the moves that are not being written. Reports go on being heard meanwhile, so that what they bring can gather.
    fn post_moves(&mut self, context: &mut Context<Self>) {
        let Some((Folded { status, started_at }, ticket)) = self.moves.post() else { return };
        self.forget_post(context);
        let (lease, not_before, needs) = (self.lease(), None, None);
        let row = Moved { lease, status, started_at, not_before, needs, withdrawn: false, ticket };
        let written = self.commit(move || (Movement::None, row.clone().attached()));
        self.posting = Some(context.spawn(written.into_actor(self).map(|written, actor, context| {
            actor.posting = None;
            actor.conclude(written, context, |actor, _, context| {
                let statuses = actor.moves.written();
                actor.publish_all(&statuses);
                if statuses.contains(&Status::Running) {
                    actor.watch_the_time(context);
                }
                match actor.last.take() {
                    Some(last) => actor.leave(last, context),
                    None => actor.post_moves(context),
                }
            });
        })));
    }

    /// A post that was taken back: whoever would write it finds that nobody waits for it.
    fn forget_post(&mut self, context: &mut Context<Self>) {
        if let Some(posting) = self.posting.take() {
            context.cancel_future(posting);
        }
    }

    /// Ends this attempt's part in the job, as soon as no move of it is being written: two writes of one job at once would
    /// wait for each other.
    pub(super) fn leave(&mut self, last: Last, context: &mut Context<Self>) {
        let write = match last {
            Last::Released if self.moves.is_empty() => return context.stop(),
            Last::Write(write) if self.moves.take_back() => write,
            _ => {
                self.last = Some(last);
                return self.post_moves(context);
            }
        };
        self.forget_post(context);
        match write {
            Write::Status(status) => self.write_status(status, context),
            Write::Requeue => self.write_requeue(context),
            Write::PutBack => self.write_put_back(Duration::ZERO, context),
            Write::PutBackLater => self.write_put_back(pause_after(self.job.withdrawn + 1), context),
            Write::End { status, charged_ms } => self.write_end(status, charged_ms, context),
        }
    }

    /// Tells listeners of these statuses, and of what came behind them.
    fn publish_all(&mut self, statuses: &[Status]) {
        for status in statuses {
            self.publish(JobEvent::Status(*status));
        }
        if self.moves.is_empty() {
            for event in std::mem::take(&mut self.held_back) {
                self.publish(event);
            }
            self.tell_quarter();
        }
    }

    fn write_requeue(&mut self, context: &mut Context<Self>) {
        metrics::retried();
        tracing::info!(
            job.id = %self.job.id,
            job.attempt = self.job.attempt,
            reason = self.result.validate.as_ref().map(ToString::to_string),
            "a job is tried again"
        );
        let (pause, needs) = (pause_after(self.tries_spent() + 1), self.needs.clone());
        self.write_pending(pause, Moved { needs, ..self.pending() }, context);
    }

    /// The job waits again, where it stood before.
    fn write_put_back(&mut self, pause: Duration, context: &mut Context<Self>) {
        tracing::debug!(
            job.id = %self.job.id,
            reason = self.result.validate.as_ref().map(ToString::to_string),
            "a job waits again that had not begun"
        );
        self.write_pending(pause, Moved { withdrawn: true, ..self.pending() }, context);
    }

    /// The row of a job that waits.
    fn pending(&self) -> Moved {
        Moved {
            lease: self.lease(),
            status: Status::Pending,
            started_at: None,
            not_before: None,
            needs: None,
            withdrawn: false,
            ticket: Ticket::default(),
        }
    }

    /// Writes that the job waits, and lets it be claimed once the pause is over.
    fn write_pending(&mut self, pause: Duration, row: Moved, context: &mut Context<Self>) {
        let (passed, _) = self.moves.rest();
        let not_before = (!pause.is_zero()).then(|| self.core.clock.now() + pause);
        let row = Moved { not_before, ..row };
        let post = move || (Movement::None, row.clone().attached());
        self.write(post, context, move |actor, _, context| {
            let (queue, job) = (actor.core.queue.clone(), &actor.job);
            queue.waiting().wait_again(job.id, Queued::new(job.user, &job.pool, job.lane));
            queue.arrivals().perhaps(&job.pool, job.lane);
            wake_after(queue, pause);
            actor.publish_all(&passed);
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
        let (passed, started_at) = self.moves.rest();
        let row = Ended {
            lease,
            status,
            at,
            started_at,
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
            actor.publish_all(&passed);
            actor.publish(JobEvent::Status(status));
            context.stop();
        });
    }

    /// A run that is done counts for the mini app. Nobody waits for it: it is no more than a number on a card.
    fn count_run(&self) {
        let Some(version) = self.job.version else { return };
        let (core, job, user) = (self.core.clone(), self.job.id, self.job.user);
        supervision::spawn(async move {
            match mini_apps::version(&core, version).await {
                Ok(app) => workflows::note_run(&core, user, app.owner, app.workflow, job),
                Err(error) => tracing::warn!(job.id = %job, %error, "a run is not counted"),
            }
        });
    }

    /// Commits a write and goes on with `then`. Nothing else is handled in between.
    fn write(
        &self,
        post: impl Fn() -> (Movement, AttachedRow) + 'static,
        context: &mut Context<Self>,
        then: impl FnOnce(&mut Self, Posted, &mut Context<Self>) + 'static,
    ) {
        let written = self.commit(post).into_actor(self);
        context.wait(written.map(move |written, actor, context| actor.conclude(written, context, then)));
    }

    /// Commits a write, and tries it again while the database is away.
    fn commit(&self, post: impl Fn() -> (Movement, AttachedRow) + 'static) -> impl Future<Output = Written> + 'static {
        let (core, account, job) = (self.core.clone(), self.job.user, self.job.id);
        async move {
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
        }
    }

    /// Goes on after a write as it ended.
    fn conclude(
        &mut self,
        written: Written,
        context: &mut Context<Self>,
        then: impl FnOnce(&mut Self, Posted, &mut Context<Self>),
    ) {
        match written {
            Written::Done(posted) => then(self, posted, context),
            Written::LeaseLost => {
                tracing::warn!(job.id = %self.job.id, "somebody else has the job; this attempt stops");
                self.stop_worker(context);
                context.stop();
            }
            Written::GivenUp => {
                tracing::error!(job.id = %self.job.id, "a job's write was given up; the sweep will find the row");
                context.stop();
            }
        }
    }

    fn why_timed_out(&self) -> String {
        match self.run.stopping {
            Some(Stopping::CreditsUsedUp) => "the credits ran out while the job was running".to_owned(),
            _ => format!("the job ran longer than its plan allows ({} s)", self.job.max_run_ms / 1000),
        }
    }
}

/// The pause after so many attempts that the worker spoilt.
fn pause_after(attempts: i16) -> Duration {
    LONGEST_PAUSE.min(FIRST_PAUSE * u32::from(attempts.unsigned_abs()))
}

/// Has workers look for jobs again when a pause is over.
fn wake_after(queue: Queue, pause: Duration) {
    if pause.is_zero() {
        return queue.wake();
    }
    supervision::spawn(async move {
        tokio::time::sleep(pause).await;
        queue.wake();
    });
}
