//! The connection to one ComfyUI server.
//!
//! It lives from [`FleetCommand::Add`] to [`FleetCommand::Remove`], and begins anew if it should ever panic. It keeps
//! nothing that a restart would have to bring back: prompts in flight are reported as lost, and their jobs tried again.
//! Decisions are made in `state`; this folder only carries them out. Whatever waits for the network runs in a task of its
//! own, which sends its result back as a message, so that the actor always answers.
//!
//! [`FleetCommand::Add`]: verdigraph_core::fleet::FleetCommand::Add
//! [`FleetCommand::Remove`]: verdigraph_core::fleet::FleetCommand::Remove

mod assignment;
mod leftovers;
mod reports;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use actix::prelude::*;
use actix_rt::task::JoinHandle;
use sha2::{Digest, Sha256};
use tracing::{debug, warn};
use uuid::Uuid;
use verdigraph_core::assets::ContentHash;
use verdigraph_core::fleet::{Assign, Refresh, Report, ReportEvent, WorkerChanged, WorkerConfig, WorkerLink};
use verdigraph_core::ids::JobId;
use verdigraph_core::supervision::{self, Watch};

use self::assignment::Assignment;
use super::link::Link;
use super::locate;
use super::ports::Ports;
use super::probe::{Probed, probe};
use super::socket;
use super::state::{Action, Duty, Event, Phase, State, Work, WorkEvent, next};
use super::told::{Told, tell};
use crate::comfy::{Client, ServerMessage};

/// Messages that may wait for the actor. The socket's task waits when they do, and TCP holds the worker back.
const MAILBOX: usize = 256;

/// The live side of one connection.
pub struct Worker {
    config: WorkerConfig,
    ports: Ports,
    client: Client,
    /// Taken out only while [`next`] decides.
    state: State,
    probed: Option<Probed>,
    /// What is in the server's input folder, put there by us through this connection.
    uploaded: HashMap<String, ContentHash>,
    /// Whether we go by the client id under which the prompt was posted that an earlier owner left.
    rejoined: bool,
    /// Whether what earlier owners left at the worker may be stopped, but for `expected`.
    cleared: bool,
    /// The prompts that we shall be asked to go on with.
    expected: Vec<String>,
    client_id: String,
    /// Counts connections; what an older one still says is not heard.
    incarnation: u64,
    /// Counts assignments, for the same reason.
    serial: u64,
    assignments: BTreeMap<u64, Assignment>,
    link: Option<WorkerLink>,
    connecting: Option<JoinHandle<()>>,
    /// Follows the way to an agent's server.
    following: Option<JoinHandle<()>>,
    undelivered: VecDeque<(Recipient<Report>, Report)>,
    unannounced: bool,
    watch: Watch,
}

/// What the fleet asks of a connection.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub enum Command {
    Duty(Duty),
    /// Take over a changed configuration of the same worker.
    Reconfigure(WorkerConfig),
    /// Tell again what you are.
    Announce,
    /// Another node has the worker now: end, and let be what runs there.
    Release,
    /// Nobody waits for what earlier owners left at the worker, but for these attempts of jobs.
    Clear {
        but: Vec<(JobId, i32)>,
    },
}

impl Actor for Worker {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.set_mailbox_capacity(MAILBOX);
        self.link = Some(WorkerLink {
            assign: ctx.address().recipient(),
            stop: ctx.address().recipient(),
            refresh: ctx.address().recipient(),
        });
        self.follow_way(ctx);
        self.announce();
        self.apply(Event::Tick, ctx);
        ctx.run_interval(self.ports.settings.pace.tick, |worker, ctx| worker.tick(ctx));
    }
}

impl Supervised for Worker {
    /// What it did for a job is lost, and said so as it is dropped; what its earlier tasks tell is not heard any more.
    fn restarting(&mut self, _: &mut Self::Context) {
        let mut anew = Self::new(self.config.clone(), self.ports.clone(), self.watch.clone());
        let settings = &self.ports.settings;
        anew.state = State::new(self.state.duty, settings.pace, settings.limits, Instant::now());
        (anew.incarnation, anew.serial) = (self.incarnation + 1, self.serial + 1);
        (anew.cleared, anew.expected) = (self.cleared, std::mem::take(&mut self.expected));
        *self = anew;
    }
}

impl Handler<Refresh> for Worker {
    type Result = ResponseActFuture<Self, ()>;
    fn handle(&mut self, _: Refresh, _: &mut Self::Context) -> Self::Result {
        self.watch.at("Refresh");
        if !self.state.is_up() {
            // It is asked anyway when the connection is made.
            return Box::pin(actix::fut::ready(()));
        }
        let (client, known, incarnation) = (self.client.clone(), self.probed.clone(), self.incarnation);
        let asked = async move { probe(&client, known).await }.into_actor(self);
        Box::pin(asked.map(move |probed, worker, _| match probed {
            Ok(probed) if incarnation == worker.incarnation => worker.learn(probed),
            Ok(_) => {}
            Err(failure) => debug!(worker = %worker.config.id, %failure, "capabilities could not be read again"),
        }))
    }
}

impl Handler<Command> for Worker {
    type Result = ();
    fn handle(&mut self, command: Command, ctx: &mut Self::Context) {
        self.watch.at("Command");
        match command {
            Command::Duty(duty) => self.apply(Event::Duty(duty), ctx),
            Command::Reconfigure(config) => self.reconfigure(config, ctx),
            Command::Announce => self.announce(),
            Command::Release => self.apply(Event::Released, ctx),
            Command::Clear { but } => {
                self.expected = but.into_iter().map(|(job, attempt)| prompt_id(job, attempt)).collect();
                if !std::mem::replace(&mut self.cleared, true) {
                    self.discard_leftovers();
                }
            }
        }
    }
}

impl Handler<Told> for Worker {
    type Result = ();
    fn handle(&mut self, told: Told, ctx: &mut Self::Context) {
        self.watch.at(match told {
            Told::Probed { .. } => "Probed",
            Told::Link { .. } => "Link",
            Told::Uploaded { .. } => "Uploaded",
            Told::Work { .. } => "Work",
            Told::Sender { .. } => "Sender",
            Told::Way { .. } => "Way",
        });
        match told {
            Told::Probed { incarnation, probed } if incarnation == self.incarnation => self.learn(*probed),
            Told::Link { incarnation, event } if incarnation == self.incarnation => {
                let connected = matches!(event, Event::Connected { .. });
                if connected {
                    // The server may have been replaced behind its address.
                    self.uploaded.clear();
                }
                if let Event::Message(ServerMessage::Preview {
                    prompt_id: Some(prompt), node: Some(node), bytes, ..
                }) = &event
                    && let Some(work) = self.state.works.iter().find(|work| work.prompt_id == *prompt)
                    && let Some(assignment) = self.assignments.get_mut(&work.serial)
                {
                    assignment.pictures.take(node, bytes, self.ports.settings.limits);
                }
                if matches!(&event, Event::SocketClosed { reason, .. } if reason == socket::TOO_LONG) {
                    self.lose_pictures();
                }
                self.apply(event, ctx);
                if connected {
                    self.discard_leftovers();
                    self.find_sender(ctx);
                }
            }
            Told::Way { is_cut } => self.apply(Event::Way { is_cut }, ctx),
            Told::Sender { serial, client_id } if self.assignments.contains_key(&serial) => {
                self.rejoined = true;
                if client_id != self.client_id {
                    self.client_id = client_id;
                    self.apply(Event::Rejoin, ctx);
                }
            }
            Told::Uploaded { serial, inputs } if self.assignments.contains_key(&serial) => {
                self.uploaded.extend(inputs.into_iter().map(|input| (input.name, input.content)));
                self.apply_work(serial, WorkEvent::Uploaded, ctx);
            }
            Told::Work { serial, event: WorkEvent::Posted(answer) } => self.posted(serial, answer, ctx),
            Told::Work { serial, event } => self.apply_work(serial, event, ctx),
            // Of a connection or an assignment that is over.
            Told::Probed { .. } | Told::Link { .. } | Told::Uploaded { .. } | Told::Sender { .. } => {}
        }
    }
}

impl Worker {
    /// A connection to be started on the arbiter that `ports.http` belongs to.
    #[must_use]
    pub fn new(config: WorkerConfig, ports: Ports, watch: Watch) -> Self {
        let settings = &ports.settings;
        let duty = if config.paused { Duty::Pause } else { Duty::Work };
        Self {
            client: client(&config.url, &ports),
            state: State::new(duty, settings.pace, settings.limits, Instant::now()),
            config,
            ports,
            probed: None,
            uploaded: HashMap::new(),
            rejoined: false,
            cleared: false,
            expected: Vec::new(),
            client_id: String::new(),
            incarnation: 0,
            serial: 0,
            assignments: BTreeMap::new(),
            link: None,
            connecting: None,
            following: None,
            undelivered: VecDeque::new(),
            unannounced: false,
            watch,
        }
    }

    fn apply(&mut self, event: Event, ctx: &mut Context<Self>) {
        let outcome = next(&self.state, event, Instant::now());
        self.state = outcome.state;
        for action in outcome.actions {
            self.perform(action, ctx);
        }
    }

    /// An event of an assignment that is over changes nothing.
    fn apply_work(&mut self, serial: u64, event: WorkEvent, ctx: &mut Context<Self>) {
        self.apply(Event::Work { serial, event }, ctx);
    }

    fn perform(&mut self, action: Action, ctx: &mut Context<Self>) {
        match action {
            Action::Connect { fresh } => self.connect(fresh, ctx),
            Action::Disconnect => self.disconnect(ctx),
            Action::Upload(serial) => self.upload(serial, ctx),
            Action::Post(serial) => self.post(serial, ctx),
            Action::Locate(serial) => self.look(serial, locate::locate, ctx),
            Action::Cancel(serial) => self.look(serial, locate::cancel, ctx),
            Action::Withdraw(serial) => self.look(serial, locate::withdraw, ctx),
            Action::Discard(orphans) => self.discard(orphans),
            Action::Collect { serial, outputs, need } => self.collect(serial, outputs, need, ctx),
            Action::Report { serial, job, attempt, event } => {
                self.report(serial, Report { job, attempt, worker: self.config.id, event })
            }
            Action::Announce => self.announce(),
            Action::CheckHealth => self.check_health(ctx),
            Action::Refresh => self.refresh(ctx),
        }
    }

    fn tick(&mut self, ctx: &mut Context<Self>) {
        self.watch.at("tick");
        self.deliver_again();
        if self.unannounced {
            self.announce();
        }
        for assignment in self.assignments.values_mut() {
            assignment.tasks.retain(|task| !task.is_finished());
        }
        self.apply(Event::Tick, ctx);
    }

    fn reconfigure(&mut self, config: WorkerConfig, ctx: &mut Context<Self>) {
        let moved = config.url != self.config.url;
        let duty = if config.paused { Duty::Pause } else { Duty::Work };
        self.config = config;
        self.apply(Event::Duty(duty), ctx);
        if moved {
            // Prompts are stopped at the old address, everything later happens at the new one.
            let client = client(&self.config.url, &self.ports);
            let outcome = next(&self.state, Event::Moved, Instant::now());
            self.state = outcome.state;
            let (old, new): (Vec<_>, Vec<_>) =
                outcome.actions.into_iter().partition(|action| matches!(action, Action::Discard(_)));
            old.into_iter().for_each(|action| self.perform(action, ctx));
            self.client = client;
            self.probed = None;
            self.follow_way(ctx);
            new.into_iter().for_each(|action| self.perform(action, ctx));
        }
    }

    fn connect(&mut self, fresh: bool, ctx: &mut Context<Self>) {
        self.disconnect_link();
        self.incarnation += 1;
        if fresh || self.client_id.is_empty() {
            self.client_id = format!("{}{}", self.sender(), Uuid::new_v4().simple());
        }
        // An agent that was away for long is reached at another address.
        self.client = client(&self.config.url, &self.ports);
        let link = Link {
            to: ctx.address().recipient(),
            incarnation: self.incarnation,
            client: self.client.clone(),
            url: self.client.socket_url(&self.client_id),
            known: self.probed.clone(),
            settings: Arc::clone(&self.ports.settings),
            // While a prompt is in flight nothing matters more than hearing of it again.
            probes: fresh || self.probed.is_none(),
        };
        self.connecting = Some(supervision::spawn(link.run()));
    }

    /// Ends the link, and where the connection is over for good, the actor.
    fn disconnect(&mut self, ctx: &mut Context<Self>) {
        self.disconnect_link();
        self.incarnation += 1;
        if self.state.duty == Duty::Gone {
            ctx.stop();
        }
    }

    fn disconnect_link(&mut self) {
        if let Some(connecting) = self.connecting.take() {
            connecting.abort();
        }
    }

    /// Hears what becomes of the way to the worker, where an agent is at its end.
    fn follow_way(&mut self, ctx: &Context<Self>) {
        if let Some(following) = self.following.take() {
            following.abort();
        }
        let Some(mut stands) = self.ports.settings.secrets.stands(&self.config.url) else { return };
        let to = ctx.address().recipient();
        self.following = Some(supervision::spawn(async move {
            loop {
                let is_cut = !*stands.borrow_and_update();
                tell(&to, Told::Way { is_cut }).await;
                if stands.changed().await.is_err() {
                    return;
                }
            }
        }));
    }

    fn check_health(&mut self, ctx: &mut Context<Self>) {
        let (client, to, incarnation) = (self.client.clone(), ctx.address().recipient(), self.incarnation);
        supervision::spawn(async move {
            let failure = client.queue_remaining().await.err().map(|failure| failure.to_string());
            tell(&to, Told::Link { incarnation, event: Event::Health { failure, jitter: rand::random() } }).await;
        });
    }

    fn refresh(&mut self, ctx: &mut Context<Self>) {
        let (client, to, incarnation) = (self.client.clone(), ctx.address().recipient(), self.incarnation);
        let (known, worker) = (self.probed.clone(), self.config.id);
        supervision::spawn(async move {
            match probe(&client, known).await {
                Ok(probed) => tell(&to, Told::Probed { incarnation, probed: Box::new(probed) }).await,
                Err(failure) => debug!(%worker, %failure, "capabilities could not be read again"),
            }
        });
    }

    fn learn(&mut self, probed: Probed) {
        let changed = self.probed.as_ref().is_none_or(|known| known.differs(&probed));
        self.probed = Some(probed);
        // While it connects, the announcement that it is connected says this too.
        if changed && (self.state.is_up() || !self.state.works.is_empty()) {
            self.announce();
        }
    }

    fn announce(&mut self) {
        let Some(link) = self.link.clone() else { return };
        let changed = WorkerChanged {
            worker: self.config.id,
            state: self.state.shown(),
            reason: self.state.reason.clone(),
            unanswered_for: self.state.unanswered_since().map(|since| since.elapsed()),
            over: self.state.over(),
            capabilities: self.probed.as_ref().map(|probed| Arc::clone(&probed.capabilities)),
            link,
        };
        self.unannounced = matches!(self.ports.changes.try_send(changed), Err(SendError::Full(_)));
    }
}

impl Drop for Worker {
    /// Also after a panic: whoever waits for an assignment is told, and no task outlives the connection.
    fn drop(&mut self) {
        self.disconnect_link();
        if let Some(following) = self.following.take() {
            following.abort();
        }
        for (serial, assignment) in std::mem::take(&mut self.assignments) {
            assignment.end();
            let event = match self.state.work(serial).map(|work| &work.phase) {
                None | Some(Phase::Uploading) => ReportEvent::Unreachable { reason: "the connection ended".into() },
                Some(_) if self.state.work(serial).is_some_and(Work::waits) => {
                    ReportEvent::LostBeforeStart { reason: "the connection ended".into() }
                }
                Some(_) => ReportEvent::Lost { reason: "the connection ended".into() },
            };
            let Assign { job, attempt, reports, .. } = assignment.assign;
            if reports.try_send(Report { job, attempt, worker: self.config.id, event }).is_err() {
                warn!(worker = %self.config.id, %job, attempt, "the job could not be told that its connection ended");
            }
        }
    }
}

/// The id under which an attempt of a job is posted: the same on every node, so that a worker's next owner finds it.
fn prompt_id(job: JobId, attempt: i32) -> String {
    let digest = Sha256::new().chain_update(job.0.as_bytes()).chain_update(attempt.to_be_bytes()).finalize();
    let bytes: [u8; 16] = std::array::from_fn(|at| digest.get(at).copied().unwrap_or_default());
    // Servers take none but the canonical form.
    uuid::Builder::from_custom_bytes(bytes).into_uuid().hyphenated().to_string()
}

fn client(url: &str, ports: &Ports) -> Client {
    let settings = &ports.settings;
    Client::new(&settings.secrets.base(url), ports.http.clone(), settings.timeouts).knowing(settings.secrets.of(url))
}
