//! The clocks of a run: the longest that it may take, the credits that it holds, and when another may wait behind it.

use std::time::{Duration, Instant};

use actix::fut::{ActorFutureExt, WrapFuture};
use actix::{AsyncContext, Context, Handler, Message};

use super::JobActor;
use crate::jobs::flight::claims::behind::room_after;
use crate::jobs::flight::messages::Stop;
use crate::jobs::flight::state::Stopping;
use crate::ledger::{self, Movement, Post, PostError};

/// A job that spent so many tries gets no other job posted behind it.
const RUNS_ALONE_AFTER: i16 = 2;

/// The hold is nearly used up.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
struct ExtendHold;

impl Handler<ExtendHold> for JobActor {
    type Result = ();

    fn handle(&mut self, _: ExtendHold, context: &mut Self::Context) {
        self.watch.at("ExtendHold");
        if self.run.over_after_ms.is_none() {
            self.extend(context);
        }
    }
}

impl JobActor {
    /// Lets the next prompt be posted behind this one when its end is near. What an earlier owner of the worker posted is
    /// heard of under another name, and has nothing behind it. Neither has a job that spent two tries: it may be what
    /// its workers died of.
    pub(super) fn make_room_behind(&self, context: &mut Context<Self>) {
        if self.is_resumed || self.tries_spent() >= RUNS_ALONE_AFTER {
            return;
        }
        let wait = room_after(self.core.queue.estimates().of(&self.prepared.kind, &self.job.pool));
        let Some(room_at) = Instant::now().checked_add(wait) else { return };
        self.core.fleet.roster().began(self.worker.id, self.job.id, room_at);
        context.run_later(wait, |actor, _| {
            if actor.core.queue.waiting().waits(&actor.job.pool) {
                actor.core.queue.wake();
            }
        });
    }

    /// Sets the clocks of a job that has begun: the longest it may run, and the credits it holds.
    pub(super) fn watch_the_time(&self, context: &mut Context<Self>) {
        // Of one that goes on here a part is over.
        let left = self.job.max_run_ms.saturating_sub(self.elapsed_ms());
        context.notify_later(Stop(Stopping::RanTooLong), Duration::from_millis(u64::try_from(left).unwrap_or(0)));
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

    /// How long it has run: until now, or until its worker was done.
    pub(super) fn elapsed_ms(&self) -> i64 {
        let until_now = self.started_at.map_or(0, |at| (self.core.clock.now() - at).num_milliseconds().max(0));
        self.run.over_after_ms.unwrap_or(until_now)
    }

    fn held_ms(&self) -> i64 {
        self.held * 1000 / self.job.rate.max(1)
    }
}
