//! Assembles a node: database, core, worker connections, and the built-in worker.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use actix::Addr;
use actix_rt::Arbiter;
use secrecy::SecretString;
use verdigraph_core::database::{self, Durability, EmbeddedServer};
use verdigraph_core::fleet::{self, NewWorker};
use verdigraph_core::settings::{Settings, SettingsError};
use verdigraph_core::supervision::Part;
use verdigraph_core::{
    Caller, Clock, Core, Error, Parts, events, gallery, jobs, mail, names, upkeep, webhooks, workflows,
};
use verdigraph_workers::connection::{self, OwnershipCheck, WorkerRoutes};
use verdigraph_workers::fleet::Fleet;
use verdigraph_workers::tunnel::Tunnels;

use crate::builtin::Builtin;

/// The built-in worker's name.
const BUILTIN: &str = "built-in";
/// The built-in worker's pool.
const BUILTIN_POOL: &str = "cpu";
/// Longest name of a node.
const MAX_NAME: usize = 100;
/// File in the data folder that records the node's process, so that its successor knows that it has ended.
const PROCESS_FILE: &str = "verdigraph.node";

/// Why a node or an operator's command failed. The text is for the operator.
#[derive(Debug, thiserror::Error)]
pub enum NodeError {
    #[error("{0}")]
    Settings(#[from] SettingsError),
    #[error("{0}")]
    Core(#[from] Error),
    #[error("{0}")]
    Other(String),
}

/// The node's PostgreSQL: from the settings, or a private server.
pub struct Database {
    pub url: SecretString,
    embedded: Option<EmbeddedServer>,
}

impl Database {
    /// Finds or starts the database and runs its migrations.
    pub async fn open(settings: &Settings) -> Result<Self, NodeError> {
        let (url, embedded) = match &settings.database.url {
            Some(url) => (url.clone(), None),
            None => {
                let programs = settings.database.programs.as_deref();
                let (embedded, url) = EmbeddedServer::start(&settings.data, programs, Durability::Durable).await?;
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

    /// The private server's folder.
    pub fn folder(&self, settings: &Settings) -> Option<PathBuf> {
        let embedded = self.embedded.as_ref()?;
        Some(embedded.moved_to().map_or_else(|| settings.data.join("postgres"), Path::to_path_buf))
    }

    /// Stops the private server, unless another process uses it.
    pub async fn close(self) -> Result<(), NodeError> {
        match self.embedded {
            Some(embedded) => Ok(embedded.stop().await?),
            None => Ok(()),
        }
    }
}

/// A core for commands beside the servers: it runs no jobs and connects no workers.
pub fn quiet_core(settings: &Arc<Settings>, database: &Database) -> Result<Core, NodeError> {
    let pool = database::pool(&database.url, &settings.database)?;
    let parts = Parts::start(Arc::clone(settings), Clock::System, name(settings)?, &pool)?;
    Ok(Core::new(pool.clone(), Arc::new(parts)))
}

/// A node that runs jobs.
pub struct Node {
    pub core: Core,
    pub database: Database,
    /// Tunnels to workers, opened by agents.
    pub tunnels: Tunnels,
    /// Worker connections have their own thread, so that a burst of their messages delays nothing else.
    links: Arbiter,
    fleet: Addr<Fleet>,
    builtin: Option<Builtin>,
}

impl Node {
    /// Starts everything but the HTTP server. The caller holds the lock of the data folder.
    pub async fn start(settings: &Arc<Settings>) -> Result<Self, NodeError> {
        let database = Database::open(settings).await?;
        let core = quiet_core(settings, &database)?;
        let links = Arbiter::new();
        let routes = WorkerRoutes::default();
        let tunnels = Tunnels::new(routes.clone());
        let fleet = {
            let (files, reports) = (Arc::new(core.files.clone()), core.fleet.reports());
            let ownership = OwnershipCheck::new(fleet::ownership_check(&core));
            let settings = connection::Settings { routes: routes.clone(), ownership, ..connection_settings(settings) };
            Fleet::start(&links.handle(), &core.supervisor, files, reports, settings)
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
            routes.set(&url, running.secret.clone());
            workers.push(builtin_worker(&core, url));
        }
        // We hold the lock of this data folder, so its previous node has ended.
        let process = settings.data.join(PROCESS_FILE);
        if let Ok(before) = std::fs::read_to_string(&process).unwrap_or_default().trim().parse() {
            fleet::remove_ended_node(&core, before).await?;
        }
        fleet::start(&core, &workers).await?;
        let failed = |error| NodeError::Other(format!("{}: {error}", process.display()));
        std::fs::write(&process, core.node.to_string()).map_err(failed)?;
        tracing::info!(node.name = core.instance, node.id = %core.node, "joined the cluster");
        if let Some(running) = &builtin {
            follow_builtin(&core, running, routes);
        }
        jobs::start(&core);
        mail::start(&core);
        events::start(&core);
        webhooks::start(&core);
        upkeep::start(&core);
        Ok(Self { core, database, tunnels, links, fleet, builtin })
    }

    /// Stops what [`Node::start`] started, the database last. Running jobs continue on their workers, which other
    /// nodes take over.
    pub async fn stop(self) -> Result<(), NodeError> {
        if let Err(error) = fleet::leave(&self.core).await {
            tracing::warn!(%error, "could not announce the stop; the other nodes will notice the missed heartbeat");
        }
        if let Some(running) = self.builtin {
            running.stop().await;
        }
        if let Err(error) = workflows::settle_visits(&self.core).await {
            tracing::warn!(%error, "the last views and launches were not counted");
        }
        if let Err(error) = gallery::settle_views(&self.core).await {
            tracing::warn!(%error, "the last views of outputs were not counted");
        }
        drop(self.fleet);
        self.links.stop();
        self.core.db.close().await;
        self.database.close().await
    }
}

/// Timeouts and size limits of worker connections.
fn connection_settings(settings: &Settings) -> connection::Settings {
    let seconds = Duration::from_secs;
    connection::Settings {
        pace: connection::Pace {
            gone: seconds(settings.jobs.gone_seconds),
            silence: seconds(settings.jobs.silent_seconds),
            // A socket is dead after three missed pings, well before the running prompt is given up.
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

/// The built-in worker as a fleet worker, reached over ComfyUI's protocol from this machine only.
fn builtin_worker(core: &Core, url: String) -> NewWorker {
    let home = Some(core.instance.clone());
    NewWorker { name: BUILTIN.to_owned(), url, pool: BUILTIN_POOL.to_owned(), home }
}

/// Reconnects to the built-in worker when its address changes.
fn follow_builtin(core: &Core, running: &Builtin, routes: WorkerRoutes) {
    let (core, mut url, secret) = (core.clone(), running.url.clone(), running.secret.clone());
    url.mark_unchanged();
    let supervisor = core.supervisor.clone();
    supervisor.keep(Part::BuiltIn, move |watch| {
        let (core, mut url, secret, routes) = (core.clone(), url.clone(), secret.clone(), routes.clone());
        async move {
            while url.changed().await.is_ok() {
                watch.at("address");
                let url = url.borrow_and_update().clone();
                routes.set(&url, secret.clone());
                if let Err(error) = fleet::add(&core, &Caller::system(), builtin_worker(&core, url)).await {
                    tracing::error!(%error, "could not connect to the built-in worker at its new address");
                }
            }
        }
    });
}

/// The node's name: from the settings, or from its host and data folder, which are unique and survive a restart.
fn name(settings: &Settings) -> Result<String, NodeError> {
    if let Some(name) = &settings.server.node {
        let name = names::trimmed(name, 1..=MAX_NAME).filter(|name| !name.contains(char::is_control));
        let wrong = || NodeError::Other(format!("server.node: must have 1 to {MAX_NAME} characters in one line"));
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
    fn every_timeout_setting_reaches_the_connections() {
        let mut settings = Settings::defaults("unused").expect("built-in settings");
        settings.jobs.gone_seconds = 10;
        settings.jobs.silent_seconds = 11;
        settings.jobs.stuck_seconds = 12;
        settings.jobs.collect_seconds = 13;
        settings.limits.output_file_bytes = 14;
        settings.limits.output_job_bytes = 15;
        let connection::Settings { pace, limits, .. } = connection_settings(&settings);
        let times = [pace.gone, pace.silence, pace.silence_hard, pace.collect];
        assert_eq!(times, [10, 11, 12, 13].map(Duration::from_secs));
        assert_eq!([limits.file_bytes, limits.job_bytes], [14, 15]);
    }
}
