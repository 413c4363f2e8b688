//! The actor of the connection to one ComfyUI server.
//!
//! It lives from [`FleetCommand::Add`] to [`FleetCommand::Remove`], and restarts after a panic. A restart recovers
//! nothing: prompts in flight are reported as lost, and their jobs are retried. Decisions are made in `state`; this
//! module carries them out. Network calls run in their own tasks, which send their results back as messages, so that
//! the actor always responds.
//!
//! [`FleetCommand::Add`]: verdigraph_core::fleet::FleetCommand::Add
//! [`FleetCommand::Remove`]: verdigraph_core::fleet::FleetCommand::Remove

mod assignment;
mod capabilities;
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
use verdigraph_core::fleet::{Assign, Refresh, ReportEvent, WorkerChanged, WorkerConfig, WorkerLink, WorkerReport};
use verdigraph_core::ids::JobId;
use verdigraph_core::supervision::{self, Watch};

use self::assignment::Assignment;
use super::link::Link;
use super::locate;
use super::ports::Ports;
use super::probe::{Probed, probe};
use super::socket;
use super::state::{Action, DesiredState, Event, Phase, State, Work, WorkEvent, next};
use super::task_message::{TaskMessage, tell};
use crate::comfy::{Client, ServerMessage};

/// Mailbox size. If it is full, the socket's task waits, and TCP slows the worker down.
const MAILBOX: usize = 256;

pub struct Worker {
    config: WorkerConfig,
    ports: Ports,
    client: Client,
    state: State,
    probed: Option<Probed>,
    /// Files that this connection uploaded to the server's input folder.
    uploaded: HashMap<String, ContentHash>,
    /// Whether this connection uses the client id under which an earlier owner posted the prompt.
    rejoined: bool,
    /// Whether prompts of earlier owners may be stopped, except `expected`.
    cleared: bool,
    /// Prompts of earlier owners that jobs will take over.
    expected: Vec<String>,
    client_id: String,
    /// Counts connections. Messages of an older one are ignored.
    incarnation: u64,
    /// Counts assignments. Messages of an older one are ignored.
    serial: u64,
    assignments: BTreeMap<u64, Assignment>,
    link: Option<WorkerLink>,
    connecting: Option<JoinHandle<()>>,
    /// Watches the tunnel to an agent's server.
    tunnel_watch: Option<JoinHandle<()>>,
    undelivered: VecDeque<(Recipient<WorkerReport>, WorkerReport)>,
    unannounced: bool,
    watch: Watch,
}

/// A command from the fleet.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub enum Command {
    DesiredState(DesiredState),
    /// Apply a changed configuration of the same worker.
    Reconfigure(WorkerConfig),
    /// Announce the current state again.
    Announce,
    /// Another node owns the worker now: end without stopping its prompts.
    Release,
    /// Prompts of earlier owners may be stopped, except these attempts of jobs.
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
        self.watch_tunnel(ctx);
        self.announce();
        self.apply(Event::Tick, ctx);
        ctx.run_interval(self.ports.settings.pace.tick, |worker, ctx| worker.tick(ctx));
    }
}

impl Supervised for Worker {
    /// Dropping the old value reports its jobs as lost. Messages of its tasks are ignored from now on.
    fn restarting(&mut self, _: &mut Self::Context) {
        let mut fresh = Self::new(self.config.clone(), self.ports.clone(), self.watch.clone());
        let settings = &self.ports.settings;
        fresh.state = State::new(self.state.desired, settings.pace, settings.limits, Instant::now());
        (fresh.incarnation, fresh.serial) = (self.incarnation + 1, self.serial + 1);
        (fresh.cleared, fresh.expected) = (self.cleared, std::mem::take(&mut self.expected));
        *self = fresh;
    }
}

impl Handler<Refresh> for Worker {
    type Result = ResponseActFuture<Self, ()>;
    fn handle(&mut self, _: Refresh, _: &mut Self::Context) -> Self::Result {
        self.watch.at("Refresh");
        if !self.state.is_up() {
            // A new connection probes the server anyway.
            return Box::pin(actix::fut::ready(()));
        }
        let (client, known, incarnation) = (self.client.clone(), self.probed.clone(), self.incarnation);
        let asked = async move { probe(&client, known).await }.into_actor(self);
        Box::pin(asked.map(move |probed, worker, _| match probed {
            Ok(probed) if incarnation == worker.incarnation => worker.set_capabilities(probed),
            Ok(_) => {}
            Err(failure) => debug!(worker = %worker.config.id, %failure, "cannot refresh the worker's capabilities"),
        }))
    }
}

impl Handler<Command> for Worker {
    type Result = ();
    fn handle(&mut self, command: Command, ctx: &mut Self::Context) {
        self.watch.at("Command");
        match command {
            Command::DesiredState(desired) => self.apply(Event::DesiredState(desired), ctx),
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

impl Handler<TaskMessage> for Worker {
    type Result = ();
    fn handle(&mut self, message: TaskMessage, ctx: &mut Self::Context) {
        self.watch.at(match message {
            TaskMessage::Probed { .. } => "Probed",
            TaskMessage::Link { .. } => "Link",
            TaskMessage::Uploaded { .. } => "Uploaded",
            TaskMessage::Work { .. } => "Work",
            TaskMessage::ClientId { .. } => "ClientId",
            TaskMessage::Tunnel { .. } => "Tunnel",
        });
        match message {
            TaskMessage::Probed { incarnation, probed } if incarnation == self.incarnation => {
                self.set_capabilities(*probed)
            }
            TaskMessage::Link { incarnation, event } if incarnation == self.incarnation => {
                let connected = matches!(event, Event::Connected { .. });
                if connected {
                    // The server behind the address may have been replaced.
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
                    self.mark_pictures_lost();
                }
                self.apply(event, ctx);
                if connected {
                    self.discard_leftovers();
                    self.find_client_id(ctx);
                }
            }
            TaskMessage::Tunnel { is_down } => self.apply(Event::Tunnel { is_down }, ctx),
            TaskMessage::ClientId { serial, client_id } if self.assignments.contains_key(&serial) => {
                self.rejoined = true;
                if client_id != self.client_id {
                    self.client_id = client_id;
                    self.apply(Event::Rejoin, ctx);
                }
            }
            TaskMessage::Uploaded { serial, inputs } if self.assignments.contains_key(&serial) => {
                self.uploaded.extend(inputs.into_iter().map(|input| (input.name, input.content)));
                self.apply_work(serial, WorkEvent::Uploaded, ctx);
            }
            TaskMessage::Work { serial, event: WorkEvent::Posted(answer) } => self.posted(serial, answer, ctx),
            TaskMessage::Work { serial, event } => self.apply_work(serial, event, ctx),
            // From a connection or an assignment that has ended.
            TaskMessage::Probed { .. }
            | TaskMessage::Link { .. }
            | TaskMessage::Uploaded { .. }
            | TaskMessage::ClientId { .. } => {}
        }
    }
}

impl Worker {
    /// Must start on the arbiter that `ports.http` belongs to.
    #[must_use]
    pub fn new(config: WorkerConfig, ports: Ports, watch: Watch) -> Self {
        let settings = &ports.settings;
        let desired = if config.paused { DesiredState::Pause } else { DesiredState::Work };
        Self {
            client: client(&config.url, &ports),
            state: State::new(desired, settings.pace, settings.limits, Instant::now()),
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
            tunnel_watch: None,
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

    /// Does nothing if the assignment has ended.
    fn apply_work(&mut self, serial: u64, event: WorkEvent, ctx: &mut Context<Self>) {
        self.apply(Event::Work { serial, event }, ctx);
    }

    fn perform(&mut self, action: Action, ctx: &mut Context<Self>) {
        match action {
            Action::Connect { fresh } => self.connect(fresh, ctx),
            Action::Disconnect => self.disconnect(ctx),
            Action::Upload(serial) => self.upload(serial, ctx),
            Action::Post(serial) => self.post(serial, ctx),
            Action::Locate(serial) => self.spawn_locate(serial, locate::locate, ctx),
            Action::Cancel(serial) => self.spawn_locate(serial, locate::cancel, ctx),
            Action::Withdraw(serial) => self.spawn_locate(serial, locate::withdraw, ctx),
            Action::Discard(orphans) => self.discard(orphans),
            Action::Collect { serial, outputs, policy } => self.collect(serial, outputs, policy, ctx),
            Action::Report { serial, job, attempt, event } => {
                self.report(serial, WorkerReport { job, attempt, worker: self.config.id, event })
            }
            Action::Announce => self.announce(),
            Action::CheckHealth => self.check_health(ctx),
            Action::CheckModels => self.check_models(ctx),
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
        let desired = if config.paused { DesiredState::Pause } else { DesiredState::Work };
        self.config = config;
        self.apply(Event::DesiredState(desired), ctx);
        if moved {
            // Prompts are stopped at the old address. Later actions use the new one.
            let client = client(&self.config.url, &self.ports);
            let outcome = next(&self.state, Event::Moved, Instant::now());
            self.state = outcome.state;
            let (old, new): (Vec<_>, Vec<_>) =
                outcome.actions.into_iter().partition(|action| matches!(action, Action::Discard(_)));
            old.into_iter().for_each(|action| self.perform(action, ctx));
            self.client = client;
            self.probed = None;
            self.watch_tunnel(ctx);
            new.into_iter().for_each(|action| self.perform(action, ctx));
        }
    }

    fn connect(&mut self, fresh: bool, ctx: &mut Context<Self>) {
        self.disconnect_link();
        self.incarnation += 1;
        if fresh || self.client_id.is_empty() {
            self.client_id = format!("{}{}", self.sender(), Uuid::new_v4().simple());
        }
        // An agent that was away for long has a new address.
        self.client = client(&self.config.url, &self.ports);
        let link = Link {
            to: ctx.address().recipient(),
            incarnation: self.incarnation,
            client: self.client.clone(),
            url: self.client.socket_url(&self.client_id),
            known: self.probed.clone(),
            settings: Arc::clone(&self.ports.settings),
            // With a prompt in flight, hearing of it comes before probing.
            probes: fresh || self.probed.is_none(),
        };
        self.connecting = Some(supervision::spawn(link.run()));
    }

    /// Ends the link, and the actor too if the connection ends for good.
    fn disconnect(&mut self, ctx: &mut Context<Self>) {
        self.disconnect_link();
        self.incarnation += 1;
        if self.state.desired == DesiredState::Gone {
            ctx.stop();
        }
    }

    fn disconnect_link(&mut self) {
        if let Some(connecting) = self.connecting.take() {
            connecting.abort();
        }
    }

    /// Watches the tunnel to the worker's agent, if it has one.
    fn watch_tunnel(&mut self, ctx: &Context<Self>) {
        if let Some(tunnel_watch) = self.tunnel_watch.take() {
            tunnel_watch.abort();
        }
        let Some(mut tunnel_up) = self.ports.settings.routes.tunnel_up(&self.config.url) else { return };
        let to = ctx.address().recipient();
        self.tunnel_watch = Some(supervision::spawn(async move {
            loop {
                let is_down = !*tunnel_up.borrow_and_update();
                tell(&to, TaskMessage::Tunnel { is_down }).await;
                if tunnel_up.changed().await.is_err() {
                    return;
                }
            }
        }));
    }

    fn announce(&mut self) {
        let Some(link) = self.link.clone() else { return };
        let changed = WorkerChanged {
            worker: self.config.id,
            state: self.state.worker_state(),
            reason: self.state.reason.clone(),
            unanswered_for: self.state.unanswered_since().map(|since| since.elapsed()),
            fetching: self.state.over(),
            capabilities: self.probed.as_ref().map(|probed| Arc::clone(&probed.capabilities)),
            link,
        };
        self.unannounced = matches!(self.ports.changes.try_send(changed), Err(SendError::Full(_)));
    }
}

impl Drop for Worker {
    /// Also runs after a panic: reports every assignment as ended and aborts all tasks.
    fn drop(&mut self) {
        self.disconnect_link();
        if let Some(tunnel_watch) = self.tunnel_watch.take() {
            tunnel_watch.abort();
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
            if reports.try_send(WorkerReport { job, attempt, worker: self.config.id, event }).is_err() {
                warn!(worker = %self.config.id, %job, attempt, "cannot report to the job that its connection ended");
            }
        }
    }
}

/// The prompt id of an attempt of a job. The same on every node, so that the worker's next owner finds the prompt.
fn prompt_id(job: JobId, attempt: i32) -> String {
    let digest = Sha256::new().chain_update(job.0.as_bytes()).chain_update(attempt.to_be_bytes()).finalize();
    let bytes: [u8; 16] = std::array::from_fn(|at| digest.get(at).copied().unwrap_or_default());
    // Servers accept only the canonical form.
    uuid::Builder::from_custom_bytes(bytes).into_uuid().hyphenated().to_string()
}

fn client(url: &str, ports: &Ports) -> Client {
    let settings = &ports.settings;
    Client::new(&settings.routes.base_url(url), ports.http.clone(), settings.timeouts)
        .knowing(settings.routes.secret(url))
}
