//! The connection to one ComfyUI server.
//!
//! It lives from [`FleetCommand::Add`] to [`FleetCommand::Remove`], and begins anew if it should ever panic. It keeps
//! nothing that a restart would have to bring back: a prompt in flight is reported as lost, and its job is tried again.
//! Decisions are made in `state`; this file only carries them out. Whatever waits for the network runs in a task of its
//! own, which sends its result back as a message, so that the actor always answers.
//!
//! [`FleetCommand::Add`]: verdigraph_core::fleet::FleetCommand::Add
//! [`FleetCommand::Remove`]: verdigraph_core::fleet::FleetCommand::Remove

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

use actix::prelude::*;
use actix_rt::task::JoinHandle;
use indexmap::IndexMap;
use serde_json::{Value, json};
use tracing::{debug, info, warn};
use uuid::Uuid;
use verdigraph_core::assets::ContentHash;
use verdigraph_core::fleet::{
    Assign, InputFile, Refresh, Report, ReportEvent, Stop, WorkerChanged, WorkerConfig, WorkerLink,
};
use verdigraph_core::supervision::Watch;

use super::collect::{self, Pictures, PromptNode};
use super::ports::{Files, OpenFile, Ports};
use super::probe::{Probed, probe};
use super::state::{Action, CollectError, Duty, Event, State, is_filled, next};
use super::work::{Located, Phase};
use super::{locate, socket};
use crate::comfy::{Client, Failure, PostAnswer, PromptRequest, ServerMessage, json as python_json};

/// Messages that may wait for the actor. The socket's task waits when they do, and TCP holds the worker back.
const MAILBOX: usize = 256;
/// Last reports that wait for a full mailbox; progress is dropped long before.
const MAX_UNDELIVERED: usize = 64;

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
    /// Whether files of the current assignment were sent a second time, because the server had lost them.
    renewed: bool,
    client_id: String,
    /// Counts connections; what an older one still says is not heard.
    incarnation: u64,
    /// Counts assignments, for the same reason.
    serial: u64,
    assignment: Option<Assign>,
    /// What came over the socket alone of the prompt that runs.
    pictures: Pictures,
    link: Option<WorkerLink>,
    connecting: Option<JoinHandle<()>>,
    tasks: Vec<JoinHandle<()>>,
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
}

/// What the actor's own tasks tell it.
#[derive(Message)]
#[rtype(result = "()")]
enum Told {
    Probed { incarnation: u64, probed: Box<Probed> },
    Link { incarnation: u64, event: Event },
    Uploaded { serial: u64, inputs: Vec<InputFile> },
    Work { serial: u64, event: Event },
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
        *self = anew;
    }
}

impl Handler<Assign> for Worker {
    type Result = ();
    fn handle(&mut self, assign: Assign, ctx: &mut Self::Context) {
        let (job, attempt) = (assign.job, assign.attempt);
        if self.state.work.is_some() {
            let reason = "the worker runs another job".to_owned();
            let event = ReportEvent::Unreachable { reason };
            self.deliver(&assign.reports, Report { job, attempt, worker: self.config.id, event });
            return;
        }
        self.serial += 1;
        self.renewed = false;
        // Kept before anything can go wrong, so that its job is told.
        let assign = self.assignment.insert(assign);
        self.watch.at("Assign");
        let nodes =
            python_json::read::<IndexMap<String, PromptNode>>(assign.prompt.get().as_bytes()).unwrap_or_default();
        let uploads = assign.inputs.iter().any(|input| self.uploaded.get(&input.name) != Some(&input.content));
        let prompt_id = Uuid::new_v4().hyphenated().to_string();
        self.pictures = Pictures::of(&nodes);
        let node_order = nodes.into_keys().collect();
        self.apply(Event::Assign { job, attempt, prompt_id, uploads, node_order: Arc::new(node_order) }, ctx);
    }
}

impl Handler<Stop> for Worker {
    type Result = ();
    fn handle(&mut self, stop: Stop, ctx: &mut Self::Context) {
        self.watch.at("Stop");
        self.apply(Event::Stop { job: stop.job, attempt: stop.attempt }, ctx);
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
        });
        match told {
            Told::Probed { incarnation, probed } if incarnation == self.incarnation => self.learn(*probed),
            Told::Link { incarnation, event } if incarnation == self.incarnation => {
                if matches!(event, Event::Connected { .. }) {
                    // The server may have been replaced behind its address.
                    self.uploaded.clear();
                    self.discard_leftovers();
                }
                if let Event::Message(ServerMessage::Preview {
                    prompt_id: Some(prompt), node: Some(node), bytes, ..
                }) = &event
                    && self.state.work.as_ref().is_some_and(|work| work.prompt_id == *prompt)
                {
                    self.pictures.take(node, bytes, self.ports.settings.limits);
                }
                if matches!(&event, Event::SocketClosed { reason, .. } if reason == socket::TOO_LONG) {
                    self.pictures.lose();
                }
                self.apply(event, ctx);
            }
            Told::Uploaded { serial, inputs } if serial == self.serial => {
                self.uploaded.extend(inputs.into_iter().map(|input| (input.name, input.content)));
                self.apply(Event::Uploaded, ctx);
            }
            Told::Work { serial, event: Event::Posted(answer) } if serial == self.serial => self.posted(answer, ctx),
            Told::Work { serial, event } if serial == self.serial => self.apply(event, ctx),
            // Of a connection or an assignment that is over.
            Told::Probed { .. } | Told::Link { .. } | Told::Uploaded { .. } | Told::Work { .. } => {}
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
            renewed: false,
            client_id: String::new(),
            incarnation: 0,
            serial: 0,
            assignment: None,
            pictures: Pictures::default(),
            link: None,
            connecting: None,
            tasks: Vec::new(),
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

    fn perform(&mut self, action: Action, ctx: &mut Context<Self>) {
        match action {
            Action::Connect { fresh } => self.connect(fresh, ctx),
            Action::Disconnect => self.disconnect(ctx),
            Action::Upload => self.upload(ctx),
            Action::Post => self.post(ctx),
            Action::Locate => self.look(ctx, false),
            Action::Cancel => self.look(ctx, true),
            Action::Discard(orphans) => self.discard(orphans),
            Action::Collect { outputs, strict } => self.collect(outputs, strict, ctx),
            Action::Report { job, attempt, event } => {
                self.report(Report { job, attempt, worker: self.config.id, event })
            }
            Action::Announce => self.announce(),
            Action::CheckHealth => self.check_health(ctx),
            Action::Refresh => self.refresh(ctx),
        }
    }

    fn tick(&mut self, ctx: &mut Context<Self>) {
        self.watch.at("tick");
        while let Some((to, report)) = self.undelivered.pop_front() {
            if let Err(SendError::Full(report)) = to.try_send(report) {
                self.undelivered.push_front((to, report));
                break;
            }
        }
        if self.unannounced {
            self.announce();
        }
        self.tasks.retain(|task| !task.is_finished());
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
            new.into_iter().for_each(|action| self.perform(action, ctx));
        }
    }

    fn connect(&mut self, fresh: bool, ctx: &mut Context<Self>) {
        self.disconnect_link();
        self.incarnation += 1;
        if fresh || self.client_id.is_empty() {
            self.client_id = format!("{}{}", self.sender(), Uuid::new_v4().simple());
        }
        let link = Link {
            to: ctx.address(),
            incarnation: self.incarnation,
            client: self.client.clone(),
            url: self.client.socket_url(&self.client_id),
            known: self.probed.clone(),
            settings: Arc::clone(&self.ports.settings),
            // While a prompt is in flight nothing matters more than hearing of it again.
            probes: fresh || self.probed.is_none(),
        };
        self.connecting = Some(actix_rt::spawn(link.run()));
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

    fn upload(&mut self, ctx: &mut Context<Self>) {
        let Some(assignment) = &self.assignment else { return };
        let inputs: Vec<_> = assignment
            .inputs
            .iter()
            .filter(|input| self.uploaded.get(&input.name) != Some(&input.content))
            .cloned()
            .collect();
        let (client, files) = (self.client.clone(), Arc::clone(&self.ports.files));
        let (to, serial) = (ctx.address(), self.serial);
        let limit_bytes = self.probed.as_ref().and_then(|probed| probed.max_upload_bytes);
        self.spawn(async move {
            let told = match upload_all(&client, &files, &inputs, limit_bytes).await {
                Ok(()) => Told::Uploaded { serial, inputs },
                Err((reason, broke)) => Told::Work { serial, event: Event::UploadFailed { reason, broke } },
            };
            tell(&to, told).await;
        });
    }

    fn post(&mut self, ctx: &mut Context<Self>) {
        let (Some(assignment), Some(work)) = (&self.assignment, &self.state.work) else { return };
        let (prompt, extra_data) = (Arc::clone(&assignment.prompt), Arc::clone(&assignment.extra_data));
        let (client, client_id, prompt_id) = (self.client.clone(), self.client_id.clone(), work.prompt_id.clone());
        self.spawn_work(ctx, async move {
            let request = PromptRequest {
                prompt: &prompt,
                client_id: &client_id,
                prompt_id: &prompt_id,
                extra_data: &extra_data,
            };
            Event::Posted(client.post_prompt(&request).await)
        });
    }

    /// The answer to the post: one that blames files of ours is not the job's end, and one that leaves outputs out is
    /// no answer to a job that wants them all.
    fn posted(&mut self, answer: PostAnswer, ctx: &mut Context<Self>) {
        let (node_errors, taken) = match &answer {
            PostAnswer::Taken { prompt_id, node_errors } => (node_errors, Some(prompt_id.clone())),
            PostAnswer::Refused { validation } => (&validation["node_errors"], None),
            _ => return self.apply(Event::Posted(answer), ctx),
        };
        let gone = self.inputs_gone(node_errors);
        if !gone.is_empty() && !std::mem::replace(&mut self.renewed, true) {
            info!(worker = %self.config.id, ?gone, "the worker has lost input files; they are sent again");
            self.uploaded.retain(|name, _| !gone.contains(name));
            let prompt_id = Uuid::new_v4().hyphenated().to_string();
            return self.apply(Event::InputsGone { prompt_id, taken }, ctx);
        }
        let strict = self.assignment.as_ref().is_some_and(|assignment| assignment.strict);
        match taken {
            Some(prompt_id) if strict && is_filled(node_errors) => {
                let message = "Prompt outputs failed validation";
                let error = json!({
                    "type": "prompt_outputs_failed_validation", "message": message, "details": "", "extra_info": {},
                });
                let validation = json!({ "error": error, "node_errors": node_errors });
                self.apply(Event::TakenInPart { prompt_id, validation }, ctx);
            }
            _ => self.apply(Event::Posted(answer), ctx),
        }
    }

    /// The files of the assignment that the worker does not find, though they were sent to it.
    fn inputs_gone(&self, node_errors: &Value) -> Vec<String> {
        let errors = node_errors.as_object().into_iter().flatten();
        let errors = errors.filter_map(|(_, node)| node.get("errors")?.as_array()).flatten();
        let about_files = errors
            .filter(|error| matches!(error["type"].as_str(), Some("custom_validation_failed" | "value_not_in_list")));
        let details: Vec<&str> = about_files.filter_map(|error| error["details"].as_str()).collect();
        let inputs = self.assignment.iter().flat_map(|assignment| &assignment.inputs);
        let gone = inputs.filter(|input| details.iter().any(|details| details.contains(&input.name)));
        gone.map(|input| input.name.clone()).collect()
    }

    fn look(&mut self, ctx: &mut Context<Self>, cancel: bool) {
        let Some(work) = &self.state.work else { return };
        let (client, prompt_id) = (self.client.clone(), work.prompt_id.clone());
        self.spawn_work(ctx, async move {
            let located: Located = if cancel {
                locate::cancel(&client, &prompt_id).await
            } else {
                locate::locate(&client, &prompt_id).await
            };
            Event::Located(located)
        });
    }

    /// Runs on after the actor itself, because the prompts would otherwise run on at the worker.
    fn discard(&self, orphans: Vec<String>) {
        let (client, worker) = (self.client.clone(), self.config.id);
        actix_rt::spawn(async move {
            for prompt_id in orphans {
                let located = locate::cancel(&client, &prompt_id).await;
                debug!(%worker, prompt = prompt_id, ?located, "stopped a prompt that nobody waits for");
            }
        });
    }

    /// What the ids of all our clients of this worker begin with, those of earlier processes included.
    fn sender(&self) -> String {
        format!("vg-{}-", self.config.id.0.simple())
    }

    /// Stops what an earlier process of this platform left at the worker when it was killed: nobody waits for it, and
    /// the next prompt would have to. Prompts of others are let be.
    fn discard_leftovers(&self) {
        let (client, worker) = (self.client.clone(), self.config.id);
        let (sender, current) = (self.sender(), self.client_id.clone());
        actix_rt::spawn(async move {
            let leftovers = match client.queue().await {
                Ok(queue) => queue.sent_by(|id| id.starts_with(&sender) && id != current),
                Err(failure) => {
                    debug!(%worker, %failure, "the queue could not be looked through for what was left there");
                    return;
                }
            };
            for prompt_id in leftovers {
                let located = locate::cancel(&client, &prompt_id).await;
                info!(%worker, prompt = prompt_id, ?located, "stopped a prompt that an earlier process left behind");
            }
        });
    }

    fn collect(&mut self, outputs: Vec<(String, Arc<Value>)>, strict: bool, ctx: &mut Context<Self>) {
        let (client, files) = (self.client.clone(), Arc::clone(&self.ports.files));
        let (limits, within) = (self.ports.settings.limits, self.ports.settings.pace.collect);
        let pictures = std::mem::take(&mut self.pictures);
        self.spawn_work(ctx, async move {
            let collecting = collect::collect(&client, &files, limits, &outputs, pictures, strict);
            Event::Collected(match tokio::time::timeout(within, collecting).await {
                Ok(collected) => {
                    if matches!(collected, Err(CollectError::Missing(_)))
                        && let Err(failure) = client.forget_results().await
                    {
                        // The next try would be given the same names of files that are gone.
                        warn!(%failure, "the worker could not be asked to forget its results");
                    }
                    collected
                }
                Err(_) if strict => {
                    Err(CollectError::Bad(format!("its outputs could not be fetched within {} s", within.as_secs())))
                }
                // Why the prompt ended counts more than what it had made by then.
                Err(_) => Ok(Vec::new()),
            })
        });
    }

    fn check_health(&mut self, ctx: &mut Context<Self>) {
        let (client, to, incarnation) = (self.client.clone(), ctx.address(), self.incarnation);
        self.spawn(async move {
            let failure = client.queue_remaining().await.err().map(|failure| failure.to_string());
            tell(&to, Told::Link { incarnation, event: Event::Health { failure, jitter: rand::random() } }).await;
        });
    }

    fn refresh(&mut self, ctx: &mut Context<Self>) {
        let (client, to, incarnation) = (self.client.clone(), ctx.address(), self.incarnation);
        let (known, worker) = (self.probed.clone(), self.config.id);
        // Not one of the work's tasks: it may outlast the job that runs now.
        actix_rt::spawn(async move {
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
        if changed && (self.state.is_up() || self.state.work.is_some()) {
            self.announce();
        }
    }

    fn report(&mut self, report: Report) {
        let Some(assignment) = &self.assignment else { return };
        let to = assignment.reports.clone();
        if report.event.is_last() {
            info!(worker = %report.worker, job = %report.job, attempt = report.attempt, event = name(&report.event), "assignment over");
            self.assignment = None;
            self.serial += 1;
            self.tasks.drain(..).for_each(|task| task.abort());
        }
        self.deliver(&to, report);
    }

    /// A full mailbox costs progress and previews, never a report that changes the job.
    fn deliver(&mut self, to: &Recipient<Report>, report: Report) {
        let droppable = matches!(report.event, ReportEvent::Progress(_) | ReportEvent::Preview(_));
        if !self.undelivered.is_empty() {
            if !droppable && self.undelivered.len() < MAX_UNDELIVERED {
                self.undelivered.push_back((to.clone(), report));
            }
            return;
        }
        if let Err(SendError::Full(report)) = to.try_send(report)
            && !droppable
        {
            self.undelivered.push_back((to.clone(), report));
        }
    }

    fn announce(&mut self) {
        let Some(link) = self.link.clone() else { return };
        let changed = WorkerChanged {
            worker: self.config.id,
            state: self.state.shown(),
            reason: self.state.reason.clone(),
            capabilities: self.probed.as_ref().map(|probed| Arc::clone(&probed.capabilities)),
            link,
        };
        self.unannounced = matches!(self.ports.changes.try_send(changed), Err(SendError::Full(_)));
    }

    /// Runs a task of the current assignment; it ends with the assignment at the latest.
    fn spawn(&mut self, task: impl Future<Output = ()> + 'static) {
        self.tasks.push(actix_rt::spawn(task));
    }

    fn spawn_work(&mut self, ctx: &Context<Self>, task: impl Future<Output = Event> + 'static) {
        let (to, serial) = (ctx.address(), self.serial);
        self.spawn(async move {
            let event = task.await;
            tell(&to, Told::Work { serial, event }).await;
        });
    }
}

impl Drop for Worker {
    /// Also after a panic: whoever waits for the assignment is told, and no task outlives the connection.
    fn drop(&mut self) {
        self.disconnect_link();
        self.tasks.drain(..).for_each(|task| task.abort());
        if let Some(assignment) = self.assignment.take() {
            let event = match self.state.work.as_ref().map(|work| &work.phase) {
                None | Some(Phase::Uploading) => ReportEvent::Unreachable { reason: "the connection ended".into() },
                Some(_) => ReportEvent::Lost { reason: "the connection ended".into() },
            };
            let Assign { job, attempt, reports, .. } = assignment;
            if reports.try_send(Report { job, attempt, worker: self.config.id, event }).is_err() {
                warn!(worker = %self.config.id, %job, attempt, "the job could not be told that its connection ended");
            }
        }
    }
}

/// One attempt to connect, and the socket's life after it.
struct Link {
    to: Addr<Worker>,
    incarnation: u64,
    client: Client,
    url: String,
    known: Option<Probed>,
    settings: Arc<super::Settings>,
    probes: bool,
}

impl Link {
    async fn run(self) {
        if self.probes {
            match probe(&self.client, self.known.clone()).await {
                Ok(probed) => {
                    let probed = Box::new(probed);
                    tell(&self.to, Told::Probed { incarnation: self.incarnation, probed }).await;
                }
                Err(failure) => return self.failed(failure.to_string()).await,
            }
        }
        let limits = self.settings.limits;
        let opened =
            socket::open(&self.url, self.client.authorization(), limits.message_bytes, self.settings.timeouts.connect)
                .await;
        let mut socket = match opened {
            Ok(socket) => socket,
            Err(reason) => return self.failed(reason).await,
        };
        self.tell(Event::Connected { probed: self.probes }).await;
        let reason = loop {
            match socket::read(&mut socket, self.settings.pace.ping_every).await {
                Ok(Ok(message)) => self.tell(Event::Message(message)).await,
                Ok(Err(malformed)) => {
                    self.tell(Event::Malformed { reason: malformed.to_string(), jitter: rand::random() }).await;
                }
                Err(reason) => break reason,
            }
        };
        // Closed before the actor connects again: a server that sees the old socket close later forgets the new one.
        drop(socket);
        self.tell(Event::SocketClosed { reason, jitter: rand::random() }).await;
    }

    async fn failed(&self, reason: String) {
        self.tell(Event::ConnectFailed { reason, jitter: rand::random() }).await;
    }

    async fn tell(&self, event: Event) {
        tell(&self.to, Told::Link { incarnation: self.incarnation, event }).await;
    }
}

fn client(url: &str, ports: &Ports) -> Client {
    let settings = &ports.settings;
    Client::new(url, ports.http.clone(), settings.timeouts).knowing(settings.secrets.of(url))
}

/// Waits for room in the mailbox: this is what holds a flooding socket back. A connection that is over hears nothing.
async fn tell(to: &Addr<Worker>, told: Told) {
    if to.send(told).await.is_err() {
        debug!("a connection ended before its task");
    }
}

/// Uploads every file; the error says whether the server, or our storage, answered wrongly.
async fn upload_all(
    client: &Client,
    files: &Arc<dyn Files>,
    inputs: &[InputFile],
    limit_bytes: Option<u64>,
) -> Result<(), (String, bool)> {
    for InputFile { name, content } in inputs {
        let OpenFile { size_bytes, pieces } =
            files.open(content).await.map_err(|error| (format!("input {name}: {error}"), true))?;
        if let Some(limit_bytes) = limit_bytes.filter(|limit| size_bytes > *limit) {
            return Err((format!("input {name}: the worker takes no more than {limit_bytes} bytes"), true));
        }
        client
            .upload(name, size_bytes, pieces)
            .await
            .map_err(|failure: Failure| (format!("input {name}: {failure}"), failure.is_answer()))?;
    }
    Ok(())
}

/// The event's name in the log.
fn name(event: &ReportEvent) -> &'static str {
    match event {
        ReportEvent::Accepted => "accepted",
        ReportEvent::Partial { .. } => "partial",
        ReportEvent::Started => "started",
        ReportEvent::Cached { .. } => "cached",
        ReportEvent::Progress(_) => "progress",
        ReportEvent::Preview(_) => "preview",
        ReportEvent::Finished { .. } => "finished",
        ReportEvent::Refused { .. } => "refused",
        ReportEvent::Failed { .. } => "failed",
        ReportEvent::Interrupted { .. } => "interrupted",
        ReportEvent::Unreachable { .. } => "unreachable",
        ReportEvent::Broke { .. } => "broke",
        ReportEvent::Lost { .. } => "lost",
        ReportEvent::Silent { .. } => "silent",
    }
}
