//! The dispatcher: which local workers are free, and which jobs they get.
//!
//! One per node. It claims rows for free workers, starts a [`JobActor`] for each claim, and hears when one ends. It ends
//! with the node. A panic loses at most the round of claims that was under way: its jobs are in flight by their rows and
//! have no actor, so two sweeps find them, and their workers are free again (`restarting`).

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use actix::fut::{ActorFutureExt, WrapFuture};
use actix::{Actor, Addr, AsyncContext, Context, Handler, Message, Recipient, Supervised};
use sqlx::PgPool;

use super::actor::JobActor;
use super::claims::ClaimRound;
use super::claims::behind::Behind;
use super::messages::{Down, Stop, StopJob, Wake, Withdraw};
use super::peers::{self, PeerMessage};
use super::rescue::{self, Cause};
use super::state::Stopping;
use crate::fleet::{self, FleetChanged, FreeWorker, Reach};
use crate::ids::{JobId, WorkerId};
use crate::jobs::store::flight::{self, Claimed};
use crate::jobs::store::lost::{InFlight, Resumed};
use crate::supervision::{Part, Watch};
use crate::{Core, database};

/// How often is looked whether a panic lost anything between the fleet and its connections, and whether a storage that
/// was away is back.
const MEND_EVERY: Duration = Duration::from_millis(500);
/// Other nodes are told of what waits at most so often.
const BETWEEN_NEWS: Duration = Duration::from_millis(100);

/// Gives jobs to workers.
pub struct Dispatcher {
    core: Core,
    /// For claims: one that a crash of the database takes back leaves a job that waits and is claimed again.
    claims: PgPool,
    jobs: HashMap<JobId, Addr<JobActor>>,
    /// Jobs that were claimed for workers that run something; those of them that have begun by now are forgotten.
    behind: HashMap<JobId, Behind>,
    /// Jobs of a lost node that go on here as soon as the connections to their workers can be spoken to.
    resumed: Vec<Resumed>,
    /// Away while a round of claims is under way.
    claiming: Option<ClaimRound>,
    /// Something changed during the round.
    again: bool,
    /// Nothing is claimed, because the storage is away.
    held_back: bool,
    sweeping: bool,
    beating: bool,
    /// Jobs that a message asked to stop and whose rows are still to be read.
    stops: HashSet<JobId>,
    /// The rows of some of them are being read.
    reading_stops: bool,
    /// Jobs came that the other nodes have not been told of.
    untold: bool,
    /// The other nodes were told a moment ago.
    told: bool,
    watch: Watch,
}

/// A job's actor panicked.
#[derive(Debug, Message)]
#[rtype(result = "()")]
struct Broke {
    lost: InFlight,
    worker: WorkerId,
}

impl Actor for Dispatcher {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(100_000);
        let every = Duration::from_secs(self.core.settings.jobs.sweep_seconds.max(1));
        context.run_interval(every, |dispatcher, context| dispatcher.sweep(context));
        context.run_interval(MEND_EVERY, |dispatcher, context| {
            dispatcher.core.fleet.mend();
            if dispatcher.held_back {
                dispatcher.look(context);
            }
        });
        let beat_every = Duration::from_secs(self.core.settings.jobs.heartbeat_seconds.max(1));
        context.run_interval(beat_every, |dispatcher, context| dispatcher.beat(context));
        self.sweep(context);
        self.look(context);
    }
}

impl Supervised for Dispatcher {
    /// The jobs that have actors go on. What the round of claims that was lost had taken is found before the next one
    /// begins, by two sweeps: a job counts as lost where it has no actor twice.
    fn restarting(&mut self, context: &mut Self::Context) {
        self.jobs.retain(|_, actor| actor.connected());
        let here = self.here();
        self.core.fleet.roster().release_all_but(&here);
        self.core.queue.looking();
        self.claiming = Some(ClaimRound::default());
        self.core.queue.note_new_needs();
        self.again = false;
        self.sweeping = false;
        self.beating = false;
        self.reading_stops = false;
        self.told = false;
        let core = self.core.clone();
        let recovery = async move {
            let first = rescue::sweep(&core, here.clone()).await.resumed;
            let here = here.into_iter().chain(first.iter().map(|resumed| resumed.job.id)).collect();
            let second = rescue::sweep(&core, here).await.resumed;
            first.into_iter().chain(second)
        };
        context.wait(recovery.into_actor(self).map(|resumed, dispatcher, context| {
            dispatcher.resumed.extend(resumed);
            dispatcher.resume(context);
        }));
    }
}

impl Handler<Wake> for Dispatcher {
    type Result = ();

    fn handle(&mut self, _: Wake, context: &mut Self::Context) {
        self.watch.at("Wake");
        self.core.queue.looking();
        self.untold = true;
        self.look(context);
    }
}

impl Handler<PeerMessage> for Dispatcher {
    type Result = ();

    fn handle(&mut self, news: PeerMessage, context: &mut Self::Context) {
        self.watch.at("PeerMessage");
        match news {
            PeerMessage::Waits(lanes) => {
                for (pool, lane, count) in lanes {
                    if !self.core.fleet.roster().has_pool(&pool) {
                        continue;
                    }
                    self.core.queue.waiting().heard(&pool, lane, count);
                    self.core.queue.arrivals().perhaps(&pool, lane);
                }
                self.look(context);
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
        self.resume(context);
        self.look(context);
    }
}

impl Handler<StopJob> for Dispatcher {
    type Result = ();

    fn handle(&mut self, StopJob(job): StopJob, context: &mut Self::Context) {
        self.watch.at("StopJob");
        if !self.stop(job) {
            self.tell(PeerMessage::Stop(job), context);
        }
    }
}

impl Handler<Down> for Dispatcher {
    type Result = ();

    fn handle(&mut self, Down { job, worker }: Down, context: &mut Self::Context) {
        self.jobs.remove(&job);
        self.core.fleet.roster().released(worker, job);
        // After the worker is free: what follows may panic, and the worker would wait for ever.
        self.watch.at("Down");
        self.look(context);
    }
}

impl Handler<Broke> for Dispatcher {
    type Result = ();

    fn handle(&mut self, Broke { lost, worker }: Broke, context: &mut Self::Context) {
        self.jobs.remove(&lost.id);
        self.core.fleet.roster().released(worker, lost.id);
        self.watch.at("Broke");
        let core = self.core.clone();
        let rescue = async move { rescue::lose(&core, &lost, Cause::Panicked).await };
        context.spawn(rescue.into_actor(self).map(|rescued, dispatcher, context| {
            if let Err(error) = rescued {
                tracing::warn!(%error, "a job that panicked is left for the sweep");
            }
            dispatcher.look(context);
        }));
    }
}

impl Dispatcher {
    pub(in crate::jobs) fn new(core: Core, watch: Watch) -> Self {
        Self {
            claims: database::relaxed(&core.db),
            core,
            jobs: HashMap::new(),
            behind: HashMap::new(),
            resumed: Vec::new(),
            claiming: Some(ClaimRound::default()),
            again: false,
            held_back: false,
            sweeping: false,
            beating: false,
            stops: HashSet::new(),
            reading_stops: false,
            untold: false,
            told: false,
            watch,
        }
    }

    /// Stops a job, and tells whether it is in flight here.
    fn stop(&self, job: JobId) -> bool {
        let Some(actor) = self.jobs.get(&job) else { return false };
        // A job's mailbox is never full of anything but reports; the sweep repeats a stop that was lost.
        drop(actor.try_send(Stop(Stopping::Canceled)));
        true
    }

    /// Stops those of the jobs named by messages whose rows ask for it: a message alone ends no job.
    fn read_stops(&mut self, context: &mut Context<Self>) {
        if self.stops.is_empty() || std::mem::replace(&mut self.reading_stops, true) {
            return;
        }
        let (core, named) = (self.core.clone(), std::mem::take(&mut self.stops));
        let read = async move { flight::asked_to_stop(&core.db, core.node, &named).await };
        context.spawn(read.into_actor(self).map(|asked, dispatcher, context| {
            dispatcher.reading_stops = false;
            match asked {
                Ok(asked) => {
                    for job in asked {
                        dispatcher.stop(job);
                    }
                }
                // The sweep reads the same rows.
                Err(error) => tracing::warn!(%error, "the rows of jobs that are to stop could not be read"),
            }
            dispatcher.read_stops(context);
        }));
    }

    fn tell(&self, news: PeerMessage, context: &mut Context<Self>) {
        let core = self.core.clone();
        context.spawn(async move { peers::tell(&core, news).await }.into_actor(self));
    }

    /// Tells the other nodes of jobs that came and found no free worker here.
    fn tell_of_waiting(&mut self, context: &mut Context<Self>) {
        if self.told || !std::mem::take(&mut self.untold) {
            return;
        }
        let mut waiting = self.core.queue.waiting().by_lane();
        waiting.retain(|(_, _, count)| *count > 0);
        if waiting.is_empty() {
            return;
        }
        self.told = true;
        self.tell(PeerMessage::Waits(waiting), context);
        context.run_later(BETWEEN_NEWS, |dispatcher, context| {
            dispatcher.told = false;
            dispatcher.tell_of_waiting(context);
        });
    }

    /// Claims jobs for free workers, one round at a time.
    fn look(&mut self, context: &mut Context<Self>) {
        // What a job makes now could not be stored; or this node may have been given up. The job waits here, where another
        // node may still take it.
        self.held_back = self.core.files.storage.reach().away_for().is_some() || !fleet::has_lease(&self.core);
        if self.held_back {
            return self.tell_of_waiting(context);
        }
        let Some(mut claiming) = self.claiming.take() else {
            self.again = true;
            return;
        };
        self.again = false;
        let (core, claims, watch) = (self.core.clone(), self.claims.clone(), self.watch.clone());
        let round = async move {
            watch.at("round");
            let claimed = claiming.round(&core, &claims).await;
            watch.at("claimed");
            (claiming, claimed)
        };
        context.spawn(round.into_actor(self).map(|(claiming, claimed), dispatcher, context| {
            let found = !claimed.is_empty();
            dispatcher.claiming = Some(claiming);
            for (job, worker) in claimed {
                dispatcher.launch(job, worker, context);
            }
            if found || dispatcher.again {
                dispatcher.look(context);
            } else {
                dispatcher.take_back();
                dispatcher.tell_of_waiting(context);
            }
        }));
    }

    /// Takes jobs back from behind others, where they or something more urgent is served better elsewhere.
    fn take_back(&mut self) {
        let (core, jobs) = (&self.core, &self.jobs);
        let Some(claiming) = &mut self.claiming else { return };
        self.behind.retain(|job, behind| {
            if !core.fleet.roster().waits_behind(behind.worker, *job) {
                return false;
            }
            if claiming.must_yield(core, behind)
                && let Some(actor) = jobs.get(job)
            {
                // What does not fit in the mailbox is said again at the next look.
                drop(actor.try_send(Withdraw));
            }
            true
        });
    }

    /// The jobs that are looked after here.
    fn here(&self) -> HashSet<JobId> {
        self.jobs.keys().copied().chain(self.resumed.iter().map(|resumed| resumed.job.id)).collect()
    }

    /// Gives jobs of a lost node to actors of their own, where their workers can be spoken to.
    fn resume(&mut self, context: &mut Context<Self>) {
        for resumed in std::mem::take(&mut self.resumed) {
            let Some(worker) = self.core.fleet.roster().reachable(resumed.worker) else {
                self.resumed.push(resumed);
                continue;
            };
            let (lost, of) = (resumed.job.in_flight(self.core.node, worker.id), worker.clone());
            let core = self.core.clone();
            let job = |down, watch| JobActor::resumed(core, resumed, worker, down, watch);
            self.start(lost, &of, job, context);
        }
    }

    /// Gives a claimed job to an actor of its own.
    fn launch(&mut self, job: Claimed, worker: FreeWorker, context: &mut Context<Self>) {
        let (lost, of) = (job.in_flight(self.core.node, worker.id), worker.clone());
        if let Some(claiming) = self.claiming.as_ref().filter(|_| worker.is_busy) {
            self.behind.insert(job.id, claiming.note_behind(&self.core, &job, &worker));
        }
        let core = self.core.clone();
        self.start(lost, &of, |down, watch| JobActor::new(core, job, worker, down, watch), context);
    }

    fn start(
        &mut self,
        lost: InFlight,
        worker: &FreeWorker,
        job: impl FnOnce(Recipient<Down>, Watch) -> JobActor,
        context: &mut Context<Self>,
    ) {
        let (id, worker_id, stop) = (lost.id, worker.id, worker.link.stop.clone());
        let dispatcher = context.address();
        let down = dispatcher.clone().recipient();
        let actor = self.core.supervisor.start_once(
            Part::Job,
            |watch| job(down, watch),
            move || {
                // What the worker runs, nobody waits for any more.
                drop(stop.try_send(fleet::Stop { job: id, attempt: i32::from(lost.attempt), reach: Reach::Anything }));
                // A full mailbox loses nothing: the sweep finds a row without an actor.
                drop(dispatcher.try_send(Broke { lost, worker: worker_id }));
            },
        );
        self.jobs.insert(id, actor);
    }

    /// Gives a sign of life, also between sweeps: one sweep may take longer than a lease lasts. What somebody left who
    /// is gone is looked for at once.
    fn beat(&mut self, context: &mut Context<Self>) {
        if std::mem::replace(&mut self.beating, true) {
            return;
        }
        let (core, watch) = (self.core.clone(), self.watch.clone());
        let beat = async move {
            watch.at("beat");
            fleet::keep(&core).await
        };
        context.spawn(beat.into_actor(self).map(|kept, dispatcher, context| {
            dispatcher.beating = false;
            match kept {
                Ok(kept) if kept.is_other() || !fleet::uncleared(&dispatcher.core).is_empty() => {
                    dispatcher.sweep(context);
                }
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "a sign of life could not be given"),
            }
        }));
    }

    /// Repairs what was lost with a process or a message.
    fn sweep(&mut self, context: &mut Context<Self>) {
        if std::mem::replace(&mut self.sweeping, true) {
            return;
        }
        self.jobs.retain(|_, actor| actor.connected());
        let (core, watch) = (self.core.clone(), self.watch.clone());
        let here = self.here();
        let sweep = async move {
            watch.at("sweep");
            rescue::sweep(&core, here).await
        };
        context.spawn(sweep.into_actor(self).map(|found, dispatcher, context| {
            dispatcher.sweeping = false;
            for job in found.to_stop {
                dispatcher.stop(job);
            }
            dispatcher.resumed.extend(found.resumed);
            dispatcher.resume(context);
            dispatcher.look(context);
        }));
    }
}
