//! The dispatcher gives jobs to the workers of its node.
//!
//! There is one per node. It claims rows for free workers and starts a [`JobActor`] for each claimed job. It ends with the
//! node. A panic loses at most the current round of claims: its jobs are in flight by their rows and have no actor, so two
//! sweeps find them, and their workers are free again (`restarting`).

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use actix::fut::{ActorFutureExt, WrapFuture};
use actix::{Actor, Addr, AsyncContext, Context, Handler, Message, Recipient, Supervised};
use sqlx::PgPool;

use super::actor::JobActor;
use super::claims::ClaimRound;
use super::claims::prefetch::Prefetch;
use super::messages::{AttemptEnded, StopAttempt, StopJob, Wake, Withdraw};
use super::peers::{self, PeerMessage};
use super::rescue::{self, LossCause};
use super::state::StopReason;
use crate::fleet::{self, FleetChanged, FreeWorker, StopScope, WorkerOwner};
use crate::ids::{JobId, WorkerId};
use crate::jobs::status::Lane;
use crate::jobs::store::flight::{self, Claimed};
use crate::jobs::store::lost::{InFlight, Resumed};
use crate::supervision::{Part, Watch};
use crate::{Core, database};

/// How often connections that a panic has lost are looked for, and the health of the storage is checked again.
const RESYNC_INTERVAL: Duration = Duration::from_millis(500);
/// The least time between two messages with counts to the other nodes.
const COUNTS_INTERVAL: Duration = Duration::from_millis(100);

pub struct Dispatcher {
    core: Core,
    /// Commits without waiting for the disk: if the database crashes, a lost claim leaves a job that waits.
    claims: PgPool,
    jobs: HashMap<JobId, Addr<JobActor>>,
    /// Jobs that were claimed for busy workers and had not begun at the last round.
    prefetched: HashMap<JobId, Prefetch>,
    /// Jobs of a lost node that continue here as soon as their workers have connections, and since when they wait.
    resumed: Vec<(Resumed, Instant)>,
    /// `None` during a round of claims.
    round: Option<ClaimRound>,
    /// Whether another round was asked for during the current one.
    claim_again: bool,
    /// Whether claims are suspended, because the storage or the node's lease is lost.
    is_suspended: bool,
    is_sweeping: bool,
    is_beating: bool,
    /// Jobs that a peer wants to stop and whose rows are not read yet.
    stops: HashSet<JobId>,
    is_reading_stops: bool,
    /// Whether jobs were submitted since the counts were sent to the other nodes.
    has_unsent_counts: bool,
    /// Whether counts were sent within [`COUNTS_INTERVAL`].
    sent_counts: bool,
    watch: Watch,
}

/// A job's actor panicked.
#[derive(Debug, Message)]
#[rtype(result = "()")]
struct AttemptPanicked {
    lost: InFlight,
    worker: WorkerId,
}

impl Actor for Dispatcher {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(100_000);
        let every = Duration::from_secs(self.core.settings.jobs.sweep_seconds.max(1));
        context.run_interval(every, |dispatcher, context| dispatcher.sweep(context));
        context.run_interval(RESYNC_INTERVAL, |dispatcher, context| {
            dispatcher.core.fleet.resync();
            if dispatcher.is_suspended {
                dispatcher.claim(context);
            }
        });
        let beat_every = Duration::from_secs(self.core.settings.jobs.heartbeat_seconds.max(1));
        context.run_interval(beat_every, |dispatcher, context| dispatcher.heartbeat(context));
        self.sweep(context);
        self.claim(context);
    }
}

impl Supervised for Dispatcher {
    /// Jobs with actors continue. Jobs of the lost round are found by two sweeps before the next round, because a job is
    /// lost when two sweeps have found no actor.
    fn restarting(&mut self, context: &mut Self::Context) {
        self.jobs.retain(|_, actor| actor.connected());
        let here = self.local_jobs();
        self.core.fleet.roster().release_all_but(&here);
        self.core.queue.clear_wake();
        self.round = Some(ClaimRound::default());
        self.core.queue.note_new_needs();
        self.claim_again = false;
        self.is_sweeping = false;
        self.is_beating = false;
        self.is_reading_stops = false;
        self.sent_counts = false;
        let core = self.core.clone();
        let recovery = async move {
            let first = rescue::sweep(&core, here.clone()).await.resumed;
            let here = here.into_iter().chain(first.iter().map(|resumed| resumed.job.id)).collect();
            let second = rescue::sweep(&core, here).await.resumed;
            first.into_iter().chain(second)
        };
        context.wait(recovery.into_actor(self).map(|resumed, dispatcher, context| {
            dispatcher.resume(resumed, context);
        }));
    }
}

impl Handler<Wake> for Dispatcher {
    type Result = ();

    fn handle(&mut self, _: Wake, context: &mut Self::Context) {
        self.watch.at("Wake");
        self.core.queue.clear_wake();
        self.has_unsent_counts = true;
        self.claim(context);
    }
}

impl Handler<PeerMessage> for Dispatcher {
    type Result = ();

    fn handle(&mut self, message: PeerMessage, context: &mut Self::Context) {
        self.watch.at("PeerMessage");
        match message {
            PeerMessage::Waits(lanes) => {
                for (pool, lane, count) in lanes {
                    if !self.core.fleet.roster().has_pool(&pool) {
                        continue;
                    }
                    self.core.queue.waiting().raise_to(&pool, lane, count);
                    self.core.queue.change_log().invalidate(&pool, lane);
                }
                self.claim(context);
            }
            PeerMessage::Stop(job) => {
                if self.jobs.contains_key(&job) {
                    self.stops.insert(job);
                    self.read_stops(context);
                }
            }
        }
    }
}

impl Handler<FleetChanged> for Dispatcher {
    type Result = ();

    fn handle(&mut self, _: FleetChanged, context: &mut Self::Context) {
        self.watch.at("FleetChanged");
        self.resume([], context);
        self.claim(context);
    }
}

impl Handler<StopJob> for Dispatcher {
    type Result = ();

    fn handle(&mut self, StopJob(job): StopJob, context: &mut Self::Context) {
        self.watch.at("StopJob");
        if !self.stop(job) {
            self.publish(PeerMessage::Stop(job), context);
        }
    }
}

impl Handler<AttemptEnded> for Dispatcher {
    type Result = ();

    fn handle(&mut self, AttemptEnded { job, worker }: AttemptEnded, context: &mut Self::Context) {
        self.jobs.remove(&job);
        self.core.fleet.roster().released(worker, job);
        // After the worker is released, because the rest may panic.
        self.watch.at("AttemptEnded");
        self.claim(context);
    }
}

impl Handler<AttemptPanicked> for Dispatcher {
    type Result = ();

    fn handle(&mut self, AttemptPanicked { lost, worker }: AttemptPanicked, context: &mut Self::Context) {
        self.jobs.remove(&lost.id);
        self.core.fleet.roster().released(worker, lost.id);
        self.watch.at("AttemptPanicked");
        let core = self.core.clone();
        let rescue = async move { rescue::lose(&core, &lost, LossCause::Panicked).await };
        context.spawn(rescue.into_actor(self).map(|rescued, dispatcher, context| {
            if let Err(error) = rescued {
                tracing::warn!(%error, "a job that panicked is left for the sweep");
            }
            dispatcher.claim(context);
        }));
    }
}

impl Dispatcher {
    pub(in crate::jobs) fn new(core: Core, watch: Watch) -> Self {
        Self {
            claims: database::relaxed(&core.db),
            core,
            jobs: HashMap::new(),
            prefetched: HashMap::new(),
            resumed: Vec::new(),
            round: Some(ClaimRound::default()),
            claim_again: false,
            is_suspended: false,
            is_sweeping: false,
            is_beating: false,
            stops: HashSet::new(),
            is_reading_stops: false,
            has_unsent_counts: false,
            sent_counts: false,
            watch,
        }
    }

    /// Stops a job. `false`: it is not in flight on this node.
    fn stop(&self, job: JobId) -> bool {
        let Some(actor) = self.jobs.get(&job) else { return false };
        // If the mailbox is full, the sweep repeats the stop.
        drop(actor.try_send(StopAttempt(StopReason::Canceled)));
        true
    }

    /// Stops the jobs named by peers whose rows have a cancel request. A message alone ends no job.
    fn read_stops(&mut self, context: &mut Context<Self>) {
        if self.stops.is_empty() || std::mem::replace(&mut self.is_reading_stops, true) {
            return;
        }
        let (core, named) = (self.core.clone(), std::mem::take(&mut self.stops));
        let read = async move { flight::cancel_requested(&core.db, core.node, &named).await };
        context.spawn(read.into_actor(self).map(|asked, dispatcher, context| {
            dispatcher.is_reading_stops = false;
            match asked {
                Ok(asked) => {
                    for job in asked {
                        dispatcher.stop(job);
                    }
                }
                // The sweep reads the same rows.
                Err(error) => tracing::warn!(%error, "cancel requests could not be read"),
            }
            dispatcher.read_stops(context);
        }));
    }

    fn publish(&self, message: PeerMessage, context: &mut Context<Self>) {
        let core = self.core.clone();
        context.spawn(async move { peers::publish(&core, message).await }.into_actor(self));
    }

    /// Sends the counts of waiting jobs to the other nodes, after this node's workers were served.
    fn publish_counts(&mut self, context: &mut Context<Self>) {
        if self.sent_counts || !std::mem::take(&mut self.has_unsent_counts) {
            return;
        }
        let mut waiting = self.core.queue.waiting().by_lane();
        waiting.retain(|(_, _, count)| *count > 0);
        if waiting.is_empty() {
            return;
        }
        self.sent_counts = true;
        // Apart, because a node of an earlier version cannot read a message with the lane flex.
        let (flex, others): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|(_, lane, _)| *lane == Lane::Flex);
        for lanes in [others, flex].into_iter().filter(|lanes| !lanes.is_empty()) {
            self.publish(PeerMessage::Waits(lanes), context);
        }
        context.run_later(COUNTS_INTERVAL, |dispatcher, context| {
            dispatcher.sent_counts = false;
            dispatcher.publish_counts(context);
        });
    }

    /// Claims jobs for free workers, one round at a time.
    fn claim(&mut self, context: &mut Context<Self>) {
        // Outputs could not be stored, or other nodes may have removed this one. The jobs wait, and another node may
        // claim them.
        self.is_suspended = self.core.files.storage.health().away_for().is_some() || !fleet::has_lease(&self.core);
        if self.is_suspended {
            return self.publish_counts(context);
        }
        let Some(mut round) = self.round.take() else {
            self.claim_again = true;
            return;
        };
        self.claim_again = false;
        let (core, claims, watch) = (self.core.clone(), self.claims.clone(), self.watch.clone());
        let claim = async move {
            watch.at("round");
            let claimed = round.claim_all(&core, &claims).await;
            watch.at("claimed");
            (round, claimed)
        };
        context.spawn(claim.into_actor(self).map(|(round, claimed), dispatcher, context| {
            let found = !claimed.is_empty();
            dispatcher.round = Some(round);
            for (job, worker) in claimed {
                dispatcher.launch(job, worker, context);
            }
            if found || dispatcher.claim_again {
                dispatcher.claim(context);
            } else {
                dispatcher.withdraw();
                dispatcher.publish_counts(context);
            }
        }));
    }

    /// Withdraws prefetched jobs that should run elsewhere, or that block a more urgent one.
    fn withdraw(&mut self) {
        let (core, jobs) = (&self.core, &self.jobs);
        let Some(round) = &mut self.round else { return };
        self.prefetched.retain(|job, prefetch| {
            if !core.fleet.roster().is_prefetched(prefetch.worker, *job) {
                return false;
            }
            if round.should_withdraw(core, prefetch)
                && let Some(actor) = jobs.get(job)
            {
                // If the mailbox is full, the next round repeats it.
                drop(actor.try_send(Withdraw));
            }
            true
        });
    }

    /// The jobs that this node looks after.
    fn local_jobs(&self) -> HashSet<JobId> {
        self.jobs.keys().copied().chain(self.resumed.iter().map(|(resumed, _)| resumed.job.id)).collect()
    }

    /// Starts the actors of these jobs of a lost node, and of those that wait, whose workers have connections. A job whose
    /// worker has left this node, or gets no connection, is left to the sweep.
    fn resume(&mut self, more: impl IntoIterator<Item = Resumed>, context: &mut Context<Self>) {
        let (now, gone) = (Instant::now(), Duration::from_secs(self.core.settings.jobs.gone_seconds));
        self.resumed.extend(more.into_iter().map(|resumed| (resumed, now)));
        for (resumed, since) in std::mem::take(&mut self.resumed) {
            let roster = self.core.fleet.roster();
            let Some(worker) = roster.reachable(resumed.worker) else {
                let is_here = roster.owner(resumed.worker) == WorkerOwner::ThisNode;
                match is_here && now.saturating_duration_since(since) < gone {
                    true => self.resumed.push((resumed, since)),
                    false => roster.released(resumed.worker, resumed.job.id),
                }
                continue;
            };
            let (lost, of) = (resumed.job.in_flight(self.core.node, worker.id), worker.id);
            let core = self.core.clone();
            let job = |down, watch| JobActor::resumed(core, resumed, worker, down, watch);
            self.start(lost, of, job, context);
        }
    }

    /// Starts the actor of a claimed job.
    fn launch(&mut self, job: Claimed, worker: FreeWorker, context: &mut Context<Self>) {
        let (lost, of) = (job.in_flight(self.core.node, worker.id), worker.id);
        if let Some(round) = self.round.as_ref().filter(|_| worker.is_busy) {
            self.prefetched.insert(job.id, round.prefetch(&self.core, &job, &worker));
        }
        let core = self.core.clone();
        self.start(lost, of, |down, watch| JobActor::new(core, job, worker, down, watch), context);
    }

    fn start(
        &mut self,
        lost: InFlight,
        worker: WorkerId,
        job: impl FnOnce(Recipient<AttemptEnded>, Watch) -> JobActor,
        context: &mut Context<Self>,
    ) {
        let (id, roster) = (lost.id, self.core.fleet.roster().clone());
        let dispatcher = context.address();
        let down = dispatcher.clone().recipient();
        let actor = self.core.supervisor.start_once(
            Part::Job,
            |watch| job(down, watch),
            move || {
                // No actor waits for the run any more. A resumed job may be at a later connection than its first.
                let stop = fleet::Stop { job: id, attempt: i32::from(lost.attempt), scope: StopScope::Any };
                if let Some(link) = roster.link(worker) {
                    drop(link.stop.try_send(stop));
                }
                // If the mailbox is full, the sweep finds a row without an actor.
                drop(dispatcher.try_send(AttemptPanicked { lost, worker }));
            },
        );
        self.jobs.insert(id, actor);
    }

    /// Renews the node's lease, also during a sweep, which may take longer than a lease. Sweeps at once where another
    /// node has left jobs.
    fn heartbeat(&mut self, context: &mut Context<Self>) {
        if std::mem::replace(&mut self.is_beating, true) {
            return;
        }
        let (core, watch) = (self.core.clone(), self.watch.clone());
        let beat = async move {
            watch.at("beat");
            fleet::reconcile(&core).await
        };
        context.spawn(beat.into_actor(self).map(|kept, dispatcher, context| {
            dispatcher.is_beating = false;
            match kept {
                Ok(kept) if kept.needs_rescue() || !fleet::uncleared(&dispatcher.core).is_empty() => {
                    dispatcher.sweep(context);
                }
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "the heartbeat of this node failed"),
            }
        }));
    }

    /// Repairs the effects of lost processes and messages.
    fn sweep(&mut self, context: &mut Context<Self>) {
        if std::mem::replace(&mut self.is_sweeping, true) {
            return;
        }
        self.jobs.retain(|_, actor| actor.connected());
        let (core, watch) = (self.core.clone(), self.watch.clone());
        let here = self.local_jobs();
        let sweep = async move {
            watch.at("sweep");
            rescue::sweep(&core, here).await
        };
        context.spawn(sweep.into_actor(self).map(|found, dispatcher, context| {
            dispatcher.is_sweeping = false;
            for job in found.to_stop {
                dispatcher.stop(job);
            }
            dispatcher.resume(found.resumed, context);
            dispatcher.claim(context);
        }));
    }
}
