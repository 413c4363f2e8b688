//! All connections of this node: starts, stops and reconfigures them as [`FleetCommand`]s say.
//!
//! One instance per node, on an arbiter of its own choice; the connections run on the same arbiter. It ends with the
//! node. A connection that panics is noticed within [`SWEEP_EVERY`] and started anew from its configuration.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use actix::prelude::*;
use tracing::{error, info};
use verdigraph_core::fleet::{FleetCommand, WorkerChanged, WorkerConfig};
use verdigraph_core::ids::WorkerId;

use crate::comfy::client;
use crate::connection::state::Duty;
use crate::connection::{Command, Files, Ports, Settings, Worker};

/// How often connections are looked after.
const SWEEP_EVERY: Duration = Duration::from_secs(1);
const MAILBOX: usize = 1024;

/// The connections of this node.
pub struct Fleet {
    files: Arc<dyn Files>,
    changes: Recipient<WorkerChanged>,
    settings: Arc<Settings>,
    /// Made on the fleet's own arbiter, because connections belong to the runtime that opened them.
    http: Option<reqwest::Client>,
    workers: HashMap<WorkerId, Member>,
}

struct Member {
    config: WorkerConfig,
    duty: Duty,
    address: Addr<Worker>,
}

impl Fleet {
    /// A fleet without workers; `changes` hears of every change of each.
    #[must_use]
    pub fn new(files: Arc<dyn Files>, changes: Recipient<WorkerChanged>, settings: Settings) -> Self {
        Self { files, changes, settings: Arc::new(settings), http: None, workers: HashMap::new() }
    }

    fn add(&mut self, config: WorkerConfig) {
        let duty = if config.paused { Duty::Pause } else { Duty::Work };
        if let Some(member) = self.workers.get_mut(&config.id)
            && member.address.connected()
        {
            member.config = config.clone();
            member.duty = duty;
            tell(member, Command::Reconfigure(config));
            return;
        }
        let Some(address) = self.connect(&config, duty) else { return };
        info!(worker = %config.id, name = config.name, url = config.url, "worker added");
        self.workers.insert(config.id, Member { config, duty, address });
    }

    fn connect(&self, config: &WorkerConfig, duty: Duty) -> Option<Addr<Worker>> {
        let ports = Ports {
            files: Arc::clone(&self.files),
            http: self.http.clone()?,
            changes: self.changes.clone(),
            settings: Arc::clone(&self.settings),
        };
        let address = Worker::new(config.clone(), ports).start();
        if duty == Duty::Drain {
            tell(&Member { config: config.clone(), duty, address: address.clone() }, Command::Duty(duty));
        }
        Some(address)
    }

    fn set_duty(&mut self, worker: WorkerId, duty: Duty) {
        if let Some(member) = self.workers.get_mut(&worker) {
            member.duty = duty;
            member.config.paused = duty == Duty::Pause;
            tell(member, Command::Duty(duty));
        }
    }

    fn sweep(&mut self) {
        let dead: Vec<WorkerId> =
            self.workers.iter().filter(|(_, member)| !member.address.connected()).map(|(id, _)| *id).collect();
        for id in dead {
            let Some(Member { config, duty, .. }) = self.workers.remove(&id) else { continue };
            error!(worker = %id, "the connection ended unasked and is started again");
            if let Some(address) = self.connect(&config, duty) {
                self.workers.insert(id, Member { config, duty, address });
            }
        }
    }
}

impl Actor for Fleet {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.set_mailbox_capacity(MAILBOX);
        match client::transport(self.settings.timeouts) {
            Ok(http) => self.http = Some(http),
            Err(error) => error!(%error, "no http client can be made, so no worker can be connected"),
        }
        ctx.run_interval(SWEEP_EVERY, |fleet, _| fleet.sweep());
    }

    fn stopped(&mut self, _: &mut Self::Context) {
        for (_, member) in self.workers.drain() {
            tell(&member, Command::Duty(Duty::Gone));
        }
    }
}

impl Handler<FleetCommand> for Fleet {
    type Result = ();
    fn handle(&mut self, command: FleetCommand, _: &mut Self::Context) {
        match command {
            FleetCommand::Add(config) => self.add(config),
            FleetCommand::Drain(worker) => self.set_duty(worker, Duty::Drain),
            FleetCommand::Pause(worker) => self.set_duty(worker, Duty::Pause),
            FleetCommand::Resume(worker) => self.set_duty(worker, Duty::Work),
            FleetCommand::Remove(worker) => {
                self.set_duty(worker, Duty::Gone);
                self.workers.remove(&worker);
            }
        }
    }
}

/// Commands are few and a connection never waits inside a handler: a full mailbox means that it hangs.
fn tell(member: &Member, command: Command) {
    if member.address.try_send(command).is_err() {
        error!(worker = %member.config.id, "the connection takes no command");
    }
}
