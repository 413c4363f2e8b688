//! All connections of this node: starts, stops and reconfigures them as [`FleetCommand`]s say.
//!
//! One instance per node, on an arbiter of its own choice; the connections run on the same arbiter. It ends with the
//! node. A panic of its own loses the command under way at most, which the core repeats ([`FleetCommand::All`]); a
//! connection that panics is started again by the supervisor.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use actix::prelude::*;
use actix_rt::ArbiterHandle;
use tracing::{error, info};
use verdigraph_core::fleet::{FleetCommand, Wanted, WorkerChanged, WorkerConfig};
use verdigraph_core::ids::WorkerId;
use verdigraph_core::supervision::{Part, Supervisor, Watch};

use crate::comfy;
use crate::connection::state::Duty;
use crate::connection::{Command, Files, Ports, Settings, Worker};

const MAILBOX: usize = 1024;

/// The connections of this node.
pub struct Fleet {
    files: Arc<dyn Files>,
    changes: Recipient<WorkerChanged>,
    settings: Arc<Settings>,
    supervisor: Supervisor,
    watch: Watch,
    /// Made on the fleet's own arbiter, because connections belong to the runtime that opened them.
    http: Option<reqwest::Client>,
    workers: HashMap<WorkerId, Member>,
}

struct Member {
    config: WorkerConfig,
    address: Addr<Worker>,
}

impl Fleet {
    /// Starts a fleet without workers on an arbiter; `changes` hears of every change of each.
    pub fn start(
        arbiter: &ArbiterHandle,
        supervisor: &Supervisor,
        files: Arc<dyn Files>,
        changes: Recipient<WorkerChanged>,
        settings: Settings,
    ) -> Addr<Self> {
        let (settings, given) = (Arc::new(settings), supervisor.clone());
        supervisor.start_in(Part::Connections, arbiter, move |watch| Self {
            files,
            changes,
            settings,
            supervisor: given,
            watch,
            http: None,
            workers: HashMap::new(),
        })
    }

    fn add(&mut self, config: WorkerConfig) {
        if let Some(member) = self.workers.get_mut(&config.id)
            && member.address.connected()
        {
            if member.config == config {
                return;
            }
            member.config = config.clone();
            tell(member, Command::Reconfigure(config));
            return;
        }
        let Some(address) = self.connect(config.clone()) else { return };
        info!(worker = %config.id, name = config.name, url = config.url, "worker added");
        self.workers.insert(config.id, Member { config, address });
    }

    fn connect(&self, config: WorkerConfig) -> Option<Addr<Worker>> {
        let ports = Ports {
            files: Arc::clone(&self.files),
            http: self.http.clone()?,
            changes: self.changes.clone(),
            settings: Arc::clone(&self.settings),
        };
        Some(self.supervisor.start(Part::Connection, |watch| Worker::new(config, ports, watch)))
    }

    fn set_duty(&mut self, worker: WorkerId, duty: Duty) {
        if let Some(member) = self.workers.get_mut(&worker) {
            member.config.paused = duty == Duty::Pause;
            tell(member, Command::Duty(duty));
        }
    }

    /// Makes the connections what they should be, and has each tell what it is.
    fn keep(&mut self, wanted: Vec<Wanted>) {
        let ids: HashSet<WorkerId> = wanted.iter().map(|wanted| wanted.config.id).collect();
        let gone: Vec<WorkerId> = self.workers.keys().filter(|id| !ids.contains(id)).copied().collect();
        for worker in gone {
            self.remove(worker);
        }
        for Wanted { config, draining } in wanted {
            let worker = config.id;
            self.add(config);
            if draining {
                self.set_duty(worker, Duty::Drain);
            }
            if let Some(member) = self.workers.get(&worker) {
                tell(member, Command::Announce);
            }
        }
    }

    fn remove(&mut self, worker: WorkerId) {
        self.set_duty(worker, Duty::Gone);
        self.workers.remove(&worker);
    }
}

impl Actor for Fleet {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.set_mailbox_capacity(MAILBOX);
        match comfy::transport(self.settings.timeouts) {
            Ok(http) => self.http = Some(http),
            Err(error) => error!(%error, "no http client can be made, so no worker can be connected"),
        }
    }

    fn stopped(&mut self, _: &mut Self::Context) {
        for (_, member) in self.workers.drain() {
            tell(&member, Command::Duty(Duty::Gone));
        }
    }
}

impl Supervised for Fleet {}

impl Handler<FleetCommand> for Fleet {
    type Result = ();
    fn handle(&mut self, command: FleetCommand, _: &mut Self::Context) {
        self.watch.at(match command {
            FleetCommand::Add(_) => "Add",
            FleetCommand::Drain(_) => "Drain",
            FleetCommand::Pause(_) => "Pause",
            FleetCommand::Resume(_) => "Resume",
            FleetCommand::Remove(_) => "Remove",
            FleetCommand::All(_) => "All",
        });
        match command {
            FleetCommand::Add(config) => self.add(config),
            FleetCommand::Drain(worker) => self.set_duty(worker, Duty::Drain),
            FleetCommand::Pause(worker) => self.set_duty(worker, Duty::Pause),
            FleetCommand::Resume(worker) => self.set_duty(worker, Duty::Work),
            FleetCommand::Remove(worker) => self.remove(worker),
            FleetCommand::All(wanted) => self.keep(wanted),
        }
    }
}

/// Commands are few and a connection never waits inside a handler: a full mailbox means that it hangs.
fn tell(member: &Member, command: Command) {
    if member.address.try_send(command).is_err() {
        error!(worker = %member.config.id, "the connection takes no command");
    }
}
