//! Manages all worker connections of this node: starts, stops and reconfigures them as [`FleetCommand`]s say.
//!
//! One instance per node, with its connections on the same arbiter. It ends with the node. A panic loses at most the
//! current command, which core repeats ([`FleetCommand::All`]). The supervisor restarts a connection that panics.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use actix::prelude::*;
use actix_rt::ArbiterHandle;
use tracing::{error, info};
use verdigraph_core::fleet::{FleetCommand, WorkerChanged, WorkerConfig, WorkerSpec};
use verdigraph_core::ids::WorkerId;

use verdigraph_core::outbound;
use verdigraph_core::supervision::{Part, Supervisor, Watch};

use crate::comfy;
use crate::connection::state::DesiredState;
use crate::connection::{Command, Files, Ports, Settings, Worker};

const MAILBOX: usize = 1024;

pub struct Fleet {
    files: Arc<dyn Files>,
    changes: Recipient<WorkerChanged>,
    settings: Arc<Settings>,
    supervisor: Supervisor,
    watch: Watch,
    /// Created on the fleet's arbiter, because connections belong to the runtime that opened them.
    http: Option<reqwest::Client>,
    workers: HashMap<WorkerId, Member>,
}

struct Member {
    wanted: WorkerSpec,
    address: Addr<Worker>,
}

impl Fleet {
    /// Starts a fleet without workers. `changes` receives every change of each worker.
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

    fn add(&mut self, wanted: WorkerSpec) {
        let worker = wanted.config.id;
        match self.workers.get_mut(&worker).filter(|member| member.address.connected()) {
            Some(member) if member.wanted == wanted => return,
            Some(member) => {
                member.wanted = wanted.clone();
                tell(member, Command::Reconfigure(wanted.config));
            }
            None => {
                let Some(address) = self.connect(wanted.config.clone()) else { return };
                let url = outbound::without_credentials(&wanted.config.url);
                info!(%worker, name = wanted.config.name, url, "worker added");
                self.workers.insert(worker, Member { wanted: wanted.clone(), address });
            }
        }
        let Some(member) = self.workers.get(&worker) else { return };
        if wanted.draining {
            tell(member, Command::DesiredState(DesiredState::Drain));
        }
        if wanted.cleared {
            tell(member, Command::Clear { but: wanted.expects.clone() });
        }
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

    /// Adds and removes connections to match the list, and makes each announce its state.
    fn keep(&mut self, wanted: Vec<WorkerSpec>) {
        let ids: HashSet<WorkerId> = wanted.iter().map(|wanted| wanted.config.id).collect();
        let gone: Vec<WorkerId> = self.workers.keys().filter(|id| !ids.contains(id)).copied().collect();
        for worker in gone {
            self.remove(worker);
        }
        for wanted in wanted {
            let worker = wanted.config.id;
            self.add(wanted);
            if let Some(member) = self.workers.get(&worker) {
                tell(member, Command::Announce);
            }
        }
    }

    fn remove(&mut self, worker: WorkerId) {
        if let Some(member) = self.workers.remove(&worker) {
            tell(&member, Command::DesiredState(DesiredState::Gone));
        }
    }
}

impl Actor for Fleet {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.set_mailbox_capacity(MAILBOX);
        match comfy::transport(self.settings.timeouts) {
            Ok(http) => self.http = Some(http),
            Err(error) => error!(%error, "cannot create the http client; workers cannot be connected"),
        }
    }

    fn stopped(&mut self, _: &mut Self::Context) {
        for (_, member) in self.workers.drain() {
            tell(&member, Command::DesiredState(DesiredState::Gone));
        }
    }
}

impl Supervised for Fleet {}

impl Handler<FleetCommand> for Fleet {
    type Result = ();
    fn handle(&mut self, command: FleetCommand, _: &mut Self::Context) {
        self.watch.at(match command {
            FleetCommand::Add(_) => "Add",
            FleetCommand::Remove(_) => "Remove",
            FleetCommand::Release(_) => "Release",
            FleetCommand::All(_) => "All",
        });
        match command {
            FleetCommand::Add(wanted) => self.add(wanted),
            FleetCommand::Remove(worker) => self.remove(worker),
            FleetCommand::Release(worker) => {
                if let Some(member) = self.workers.remove(&worker) {
                    tell(&member, Command::Release);
                }
            }
            FleetCommand::All(wanted) => self.keep(wanted),
        }
    }
}

/// Commands are few and a connection never waits inside a handler: a full mailbox means that it hangs.
fn tell(member: &Member, command: Command) {
    if member.address.try_send(command).is_err() {
        error!(worker = %member.wanted.config.id, "cannot send a command to the worker's connection");
    }
}
