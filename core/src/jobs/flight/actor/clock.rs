//! The timers of a run: its time limit, its hold, and the prefetch of the next prompt.

use std::time::{Duration, Instant};

use actix::fut::{ActorFutureExt, WrapFuture};
use actix::{AsyncContext, Context, Handler, Message};

use super::JobActor;
use crate::jobs::flight::claims::prefetch::prefetch_delay;
use crate::jobs::flight::messages::StopAttempt;
use crate::jobs::flight::state::StopReason;
use crate::ledger::{self, Denial, LedgerPost, Movement, PostError};
use crate::users;

/// No prompt is prefetched behind a job that has spent so many tries: it may be the cause of its lost workers.
const RUNS_ALONE_AFTER: i16 = 2;

/// The hold is nearly used up.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
struct ExtendHold;

impl Handler<ExtendHold> for JobActor {
    type Result = ();

    fn handle(&mut self, _: ExtendHold, context: &mut Self::Context) {
        self.watch.at("ExtendHold");
        if self.run.prompt_done_ms.is_none() {
            self.extend(context);
        }
    }
}

impl JobActor {
    /// Allows the next prompt to be prefetched when the end of this one is near. Not behind a resumed job, whose prompt
    /// an earlier owner of the worker has posted.
    pub(super) fn schedule_prefetch(&self, context: &mut Context<Self>) {
        if self.is_resumed || self.tries_spent() >= RUNS_ALONE_AFTER {
            return;
        }
        let wait = prefetch_delay(self.core.queue.estimates().of(&self.prepared.kind, &self.job.pool));
        let Some(room_at) = Instant::now().checked_add(wait) else { return };
        self.core.fleet.roster().began(self.worker.id, self.job.id, room_at);
        context.run_later(wait, |actor, _| {
            if actor.core.queue.waiting().waits(&actor.job.pool) {
                actor.core.queue.wake();
            }
        });
    }

    /// Starts the timers of a running job: its time limit and its hold.
    pub(super) fn start_timers(&self, context: &mut Context<Self>) {
        // A resumed job has run for a while already.
        let left = self.job.max_run_ms.saturating_sub(self.elapsed_ms());
        context
            .notify_later(StopAttempt(StopReason::RanTooLong), Duration::from_millis(u64::try_from(left).unwrap_or(0)));
        if self.job.price().is_free() {
            return;
        }
        let (core, job) = (self.core.clone(), self.job.id);
        let held = async move { ledger::held(&core, job).await };
        context.spawn(held.into_actor(self).map(|held, actor, context| match held {
            Ok(held) => {
                actor.held = held.unwrap_or(0);
                actor.schedule_extension(context);
            }
            Err(error) => {
                tracing::warn!(job.id = %actor.job.id, %error, "the hold of job {} could not be read", actor.job.id)
            }
        }));
    }

    /// Extends the hold when four fifths of it are used. A hold of the most that the job may cost suffices: its time limit
    /// is the end of it.
    fn schedule_extension(&self, context: &mut Context<Self>) {
        if self.held >= self.most_credits() {
            return;
        }
        let wait = self.held_ms() * 4 / 5 - self.elapsed_ms();
        context.notify_later(ExtendHold, Duration::from_millis(u64::try_from(wait).unwrap_or(0)));
    }

    fn extend(&self, context: &mut Context<Self>) {
        let more_seconds = i64::try_from(self.core.settings.jobs.hold_seconds).unwrap_or(60);
        let more = self.job.price().credits(more_seconds.saturating_mul(1000));
        let by = more.min(self.most_credits() - self.held);
        let (core, account, job) = (self.core.clone(), self.job.user, self.job.id);
        let post = async move {
            let day_ceiling = users::find(&core, account).await.map_err(PostError::Failed)?.ceilings.day;
            let movement = Movement::Extend { job, by, day_ceiling };
            core.ledger.post(LedgerPost { account, movement, attached: None }).await
        };
        context.spawn(post.into_actor(self).map(|posted, actor, context| match posted {
            Ok(posted) => {
                actor.held += posted.amount;
                actor.schedule_extension(context);
            }
            Err(PostError::Failed(error)) => {
                tracing::warn!(job.id = %actor.job.id, %error, "the hold of job {} could not be extended; retrying", actor.job.id);
                context.notify_later(ExtendHold, Duration::from_secs(1));
            }
            Err(PostError::Denied(Denial::DayCeiling { ceiling, .. })) => {
                actor.day_ceiling = Some(ceiling);
                actor.stop_at_end_of_hold(context);
            }
            Err(PostError::Denied(_) | PostError::Refused(_)) => actor.stop_at_end_of_hold(context),
        }));
    }

    fn stop_at_end_of_hold(&self, context: &mut Context<Self>) {
        let left = u64::try_from(self.held_ms() - self.elapsed_ms()).unwrap_or(0);
        context.notify_later(StopAttempt(StopReason::CreditsUsedUp), Duration::from_millis(left));
    }

    /// The time of the run until now, or until its prompt was done.
    pub(super) fn elapsed_ms(&self) -> i64 {
        let until_now = self.started_at.map_or(0, |at| (self.core.clock.now() - at).num_milliseconds().max(0));
        self.run.prompt_done_ms.unwrap_or(until_now)
    }

    /// The most that the run may cost.
    pub(super) fn most_credits(&self) -> i64 {
        self.job.price().credits(self.job.max_run_ms)
    }

    fn held_ms(&self) -> i64 {
        self.job.price().longest_ms(self.held)
    }
}
