//! A node put together: database, core, worker connections, and the built-in worker.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use actix::Addr;
use actix_rt::Arbiter;
use secrecy::SecretString;
use verdigraph_core::database::{self, Durability, Embedded};
use verdigraph_core::fleet::{self, NewWorker};
use verdigraph_core::settings::{Settings, SettingsError};
use verdigraph_core::supervision::Part;
use verdigraph_core::{
    Caller, Clock, Core, Error, Parts, events, gallery, jobs, mail, names, upkeep, webhooks, workflows,
};
use verdigraph_workers::connection::{self, Secrets};
use verdigraph_workers::fleet::Fleet;
use verdigraph_workers::tunnel::Tunnels;

use crate::builtin::Builtin;

/// The built-in worker's name among the workers.
const BUILTIN: &str = "built-in";
/// The pool it works in.
const BUILTIN_POOL: &str = "cpu";
/// The longest name of a node.
const LONGEST_NAME: usize = 100;
/// Where a node writes down, in its data folder, which process it is: its successor knows then that this one has ended.
const PROCESS: &str = "verdigraph.node";

/// Why a node, or a command beside it, cannot do its work. The text is for the operator.
#[derive(Debug, thiserror::Error)]
pub enum NodeError {
    #[error("{0}")]
    Settings(#[from] SettingsError),
    #[error("{0}")]
    Core(#[from] Error),
    #[error("{0}")]
    Other(String),
}

/// The node's PostgreSQL: a given one, or its own.
pub struct Database {
    pub url: SecretString,
    embedded: Option<Embedded>,
}

impl Database {
    /// Finds or starts the database and brings its tables up to date.
    ///
    /// # Errors
    /// No PostgreSQL can be found, started or migrated.
    pub async fn open(settings: &Settings) -> Result<Self, NodeError> {
        let (url, embedded) = match &settings.database.url {
            Some(url) => (url.clone(), None),
            None => {
                let programs = settings.database.programs.as_deref();
                let (embedded, url) = Embedded::start(&settings.data, programs, Durability::Kept).await?;
                if let Some(folder) = embedded.moved_to() {
                    let data = settings.data.folder.display();
                    println!("the database's user cannot reach {data}, so the database is in {}", folder.display());
                }
                (url, Some(embedded))
            }
        };
        let pool = database::connect(&url, &settings.database).await?;
        let migrated = database::migrate(&pool).await;
        pool.close().await;
        migrated?;
        Ok(Self { url, embedded })
    }

    /// The folder of the private server, where there is one.
    pub fn folder(&self, settings: &Settings) -> Option<PathBuf> {
        let embedded = self.embedded.as_ref()?;
        Some(embedded.moved_to().map_or_else(|| settings.data.join("postgres"), Path::to_path_buf))
    }

    /// Stops the private server, unless another process uses it too.
    ///
    /// # Errors
    /// It does not stop.
    pub async fn close(self) -> Result<(), NodeError> {
        match self.embedded {
            Some(embedded) => Ok(embedded.stop().await?),
            None => Ok(()),
        }
    }
}

/// A core for a command that runs beside the servers: no queue is worked on, no worker is connected.
///
/// # Errors
/// The storage cannot be opened, or the database's address cannot be read.
pub fn quiet_core(settings: &Arc<Settings>, database: &Database) -> Result<Core, NodeError> {
    let pool = database::pool(&database.url, &settings.database)?;
    let parts = Parts::start(Arc::clone(settings), Clock::System, name(settings)?, &pool)?;
    Ok(Core::new(pool.clone(), Arc::new(parts)))
}

/// A node that takes jobs.
pub struct Node {
    pub core: Core,
    pub database: Database,
    /// The ways to workers that agents connect.
    pub tunnels: Tunnels,
    /// Worker connections live on a thread of their own, so that a burst of their messages delays nobody else.
    links: Arbiter,
    fleet: Addr<Fleet>,
    builtin: Option<Builtin>,
}

impl Node {
    /// Starts everything but the HTTP server, for whoever has taken the data folder.
    ///
    /// # Errors
    /// Any part does not start, or another node lives that is called the same; what had started is stopped.
    pub async fn start(settings: &Arc<Settings>) -> Result<Self, NodeError> {
        let database = Database::open(settings).await?;
        let core = quiet_core(settings, &database)?;
        let links = Arbiter::new();
        let secrets = Secrets::default();
        let tunnels = Tunnels::new(secrets.clone());
        let fleet = {
            let (files, reports) = (Arc::new(core.files.clone()), core.fleet.reports());
            let patience = connection::Settings { secrets: secrets.clone(), ..patience(settings) };
            Fleet::start(&links.handle(), &core.supervisor, files, reports, patience)
        };
        core.fleet.connect(fleet.clone().recipient());
        let builtin = if settings.worker.builtin { Some(Builtin::start(settings).await?) } else { None };
        let mut workers: Vec<NewWorker> = settings
            .workers
            .iter()
            .map(|worker| NewWorker {
                name: worker.name.clone(),
                url: worker.url.clone(),
                pool: worker.pool.clone(),
                home: None,
            })
            .collect();
        if let Some(running) = &builtin {
            let url = running.url.borrow().clone();
            secrets.set(&url, running.secret.clone());
            workers.push(builtin_at(&core, url));
        }
        // Whoever ran on this data folder before has ended: we have its lock.
        let process = settings.data.join(PROCESS);
        if let Ok(before) = std::fs::read_to_string(&process).unwrap_or_default().trim().parse() {
            fleet::note_ended(&core, before).await?;
        }
        fleet::start(&core, &workers).await?;
        let failed = |error| NodeError::Other(format!("{}: {error}", process.display()));
        std::fs::write(&process, core.node.to_string()).map_err(failed)?;
        tracing::info!(node.name = core.instance, node.id = %core.node, "this node has joined the others");
        if let Some(running) = &builtin {
            follow(&core, running, secrets);
        }
        jobs::start(&core);
        mail::start(&core);
        events::start(&core);
        webhooks::start(&core);
        upkeep::start(&core);
        Ok(Self { core, database, tunnels, links, fleet, builtin })
    }

    /// Stops what [`Node::start`] started, last the database. Running jobs go on at their workers, under whichever node
    /// has these next.
    ///
    /// # Errors
    /// The database does not stop.
    pub async fn stop(self) -> Result<(), NodeError> {
        if let Err(error) = fleet::leave(&self.core).await {
            tracing::warn!(%error, "the other nodes will notice by themselves that this one ended");
        }
        if let Some(running) = self.builtin {
            running.stop().await;
        }
        if let Err(error) = workflows::settle_visits(&self.core).await {
            tracing::warn!(%error, "the last views and launches are not counted");
        }
        if let Err(error) = gallery::settle_views(&self.core).await {
            tracing::warn!(%error, "the last views of outputs are not counted");
        }
        drop(self.fleet);
        self.links.stop();
        self.core.db.close().await;
        self.database.close().await
    }
}

/// How patient connections to workers are, and how much they take in.
fn patience(settings: &Settings) -> connection::Settings {
    let seconds = Duration::from_secs;
    connection::Settings {
        pace: connection::Pace {
            gone: seconds(settings.jobs.gone_seconds),
            silence: seconds(settings.jobs.silent_seconds),
            // A socket is dead after three of them: well before the prompt that runs is given up.
            ping_every: seconds(settings.jobs.silent_seconds) / 8,
            silence_hard: seconds(settings.jobs.stuck_seconds),
            collect: seconds(settings.jobs.collect_seconds),
            ..connection::Pace::default()
        },
        limits: connection::Limits {
            file_bytes: settings.limits.output_file_bytes,
            job_bytes: settings.limits.output_job_bytes,
            ..connection::Limits::default()
        },
        ..connection::Settings::default()
    }
}

/// The built-in worker, reached through the protocol like any other, from this machine alone.
fn builtin_at(core: &Core, url: String) -> NewWorker {
    let home = Some(core.instance.clone());
    NewWorker { name: BUILTIN.to_owned(), url, pool: BUILTIN_POOL.to_owned(), home }
}

/// Connects to the built-in worker anew when it came back at another address.
fn follow(core: &Core, running: &Builtin, secrets: Secrets) {
    let (core, mut url, secret) = (core.clone(), running.url.clone(), running.secret.clone());
    url.mark_unchanged();
    let supervisor = core.supervisor.clone();
    supervisor.keep(Part::BuiltIn, move |watch| {
        let (core, mut url, secret, secrets) = (core.clone(), url.clone(), secret.clone(), secrets.clone());
        async move {
            while url.changed().await.is_ok() {
                watch.at("address");
                let url = url.borrow_and_update().clone();
                secrets.set(&url, secret.clone());
                if let Err(error) = fleet::add(&core, &Caller::system(), builtin_at(&core, url)).await {
                    tracing::error!(%error, "the built-in worker cannot be connected to at its new address");
                }
            }
        }
    });
}

/// What the node is called: as it was told, or by its machine and its data folder, which both stay when it is started again
/// and of which no two are the same.
fn name(settings: &Settings) -> Result<String, NodeError> {
    if let Some(name) = &settings.server.node {
        let name = names::trimmed(name, 1..=LONGEST_NAME).filter(|name| !name.contains(char::is_control));
        let wrong = || NodeError::Other(format!("server.node: must have 1 to {LONGEST_NAME} characters in one line"));
        return name.ok_or_else(wrong);
    }
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let folder = settings.data.folder.canonicalize().unwrap_or_else(|_| settings.data.folder.clone());
    Ok(format!("{host}:{}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_of_patience_reaches_the_connections() {
        let mut settings = Settings::defaults("unused").expect("built-in settings");
        settings.jobs.gone_seconds = 10;
        settings.jobs.silent_seconds = 11;
        settings.jobs.stuck_seconds = 12;
        settings.jobs.collect_seconds = 13;
        settings.limits.output_file_bytes = 14;
        settings.limits.output_job_bytes = 15;
        let connection::Settings { pace, limits, .. } = patience(&settings);
        let times = [pace.gone, pace.silence, pace.silence_hard, pace.collect];
        assert_eq!(times, [10, 11, 12, 13].map(Duration::from_secs));
        assert_eq!([limits.file_bytes, limits.job_bytes], [14, 15]);
    }
}
