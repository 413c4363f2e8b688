//! What an attempt writes: each a group commit with the movement of its credits.

use std::time::Duration;

use actix::fut::{ActorFutureExt, WrapFuture};
use actix::{ActorContext, AsyncContext, Context};

use super::JobActor;
use crate::jobs::flight::attached::{Ended, LeaseLost, Moved};
use crate::jobs::flight::result::Stamp;
use crate::jobs::flight::state::Stopping;
use crate::jobs::live::event::JobEvent;
use crate::jobs::metrics;
use crate::jobs::queue::waiting::Queued;
use crate::jobs::status::Status;
use crate::ledger::{Movement, Post, PostError, Posted};
use crate::{gallery, mini_apps, workflows};

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
    pub(super) fn write_status(&self, status: Status, context: &mut Context<Self>) {
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

    pub(super) fn write_requeue(&self, context: &mut Context<Self>) {
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
            queue.arrivals().perhaps(&job.pool, job.lane);
            actix_rt::spawn(async move {
                tokio::time::sleep(pause).await;
                queue.wake();
            });
            actor.publish(JobEvent::Status(Status::Pending));
            context.stop();
        });
    }

    pub(super) fn write_end(&mut self, status: Status, charged_ms: i64, context: &mut Context<Self>) {
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

    fn why_timed_out(&self) -> String {
        match self.run.stopping {
            Some(Stopping::CreditsUsedUp) => "the credits ran out while the job was running".to_owned(),
            _ => format!("the job ran longer than its plan allows ({} s)", self.job.max_run_ms / 1000),
        }
    }
}
