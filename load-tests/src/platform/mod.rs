//! The platform of a scenario: a private PostgreSQL with durable commits, the real server, and scripted ComfyUI
//! workers, each in its own process on real sockets, in a folder of their own. Everything ends with the run.

mod binary;
mod cleanup;
mod comfy;
mod database;
mod process;
mod server;
mod service;
mod usage;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use verdigraph_core::settings::DataDir;

pub use binary::{Binary, build_folder, workspace};
pub use cleanup::{COMMAND as ATTEND, CleanupProcess, attend};
pub use comfy::{Comfy, Plan};
pub use database::{Database, Retention};
pub use process::Process;
pub use server::{LaunchOptions, Server, free_port};
pub use service::Service;
pub use usage::Usage;
pub use verdigraph_core::database::Shutdown;

use crate::error::{Error, Result};

/// The pool of scripted workers.
pub const POOL: &str = "standard";

/// Settings of every run, which a shape can override: no rate limits, nothing built in.
const SETTINGS: [(&str, &str); 9] = [
    ("worker.builtin", "false"),
    ("limits.requests_per_minute_per_key", "1000000000"),
    ("limits.requests_per_minute_per_account", "1000000000"),
    ("limits.requests_per_minute_per_address", "1000000000"),
    ("limits.streams_per_account", "20000"),
    ("limits.streams_per_node", "100000"),
    ("sign_in.free_attempts_per_address", "1000000"),
    ("server.shutdown_seconds", "5"),
    ("log.filter", "warn"),
];

/// A single plan with enough credits and queue places for any run.
const PLANS: &str = r#"
[[plan]]
name = "Free"
monthly_credits = 1000000000000
weight = 1
pools = ["standard"]
max_run_seconds = 600
max_queued_jobs = 10000000
private = true
"#;

/// What a scenario runs on.
#[derive(Debug, Clone)]
pub struct Shape {
    pub binary: Binary,
    /// This program, which also runs workers; [`std::env::current_exe`] except in tests.
    pub program: PathBuf,
    pub workers: Vec<Plan>,
    /// Keys such as `jobs.lease_seconds` with their values.
    pub settings: Vec<(String, String)>,
    /// The number of nodes besides the first one. If there are any, all nodes share a Redis and an S3-compatible store.
    pub other_nodes: usize,
    /// The faketime library and the clock offset of the second node.
    pub skew: Option<(PathBuf, String)>,
    /// A list of plans that replaces the default one.
    pub plans: Option<String>,
    /// A list of pools that replaces the shipped one.
    pub pools: Option<String>,
    /// The parent of the run's folder. Default: the build folder.
    pub scratch: Option<PathBuf>,
    /// The run's folder, if it is kept and reused by the next run.
    pub kept: Option<PathBuf>,
}

impl Shape {
    /// This many scripted workers that answer at once.
    pub fn new(binary: Binary, workers: usize) -> Result<Self> {
        Ok(Self {
            binary,
            program: std::env::current_exe()?,
            workers: vec![Plan::default(); workers],
            settings: Vec::new(),
            other_nodes: 0,
            skew: None,
            plans: None,
            pools: None,
            scratch: None,
            kept: None,
        })
    }

    /// Sets a key.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl ToString) -> Self {
        self.settings.push((key.to_owned(), value.to_string()));
        self
    }
}

/// A running platform. It is killed and its folder removed on drop; [`Platform::stop`] shuts it down gracefully.
#[derive(Debug)]
pub struct Platform {
    // Fields are dropped in this order.
    pub server: Server,
    pub others: Vec<Server>,
    /// Services that several nodes share.
    pub services: Option<Services>,
    pub workers: Vec<Comfy>,
    pub database: Database,
    scratch: RunFolder,
    /// Last: it removes what is left.
    cleanup: Arc<CleanupProcess>,
}

impl Platform {
    /// Starts everything and waits until the server takes jobs.
    pub async fn start(shape: &Shape) -> Result<Self> {
        // Installs a TLS provider for HTTP clients. A second installation fails and is harmless.
        drop(rustls::crypto::ring::default_provider().install_default());
        let program = shape.binary.find()?;
        let scratch = RunFolder::make(shape)?;
        let cleanup = Arc::new(CleanupProcess::start(&shape.program)?);
        if scratch.retention() == Retention::Removed {
            cleanup.remove(scratch.path());
        }
        let database = Database::start(&DataDir::new(scratch.path()), &cleanup, scratch.retention()).await?;
        let mut workers = Vec::with_capacity(shape.workers.len());
        for plan in &shape.workers {
            workers.push(Comfy::start(plan.clone(), shape.program.clone(), scratch.path(), &cleanup).await?);
        }
        let mut settings = settings(shape, scratch.path(), &workers)?;
        let services = if shape.other_nodes > 0 { Some(Services::start(&cleanup).await?) } else { None };
        settings.extend(services.iter().flat_map(Services::settings));
        let folder = scratch.path();
        let launch = |name: &str| LaunchOptions {
            program: program.clone(),
            data: folder.join(format!("data{name}")),
            database: database.platform_url.clone(),
            settings: settings.clone(),
            log: folder.join(format!("server{name}.log")),
            preload: None,
        };
        let server = Server::start(launch(""), &cleanup).await?;
        let mut others = Vec::new();
        for number in 0..shape.other_nodes {
            let mut other = launch(&format!("-{number}"));
            other.preload = shape.skew.clone().filter(|_| number == 0);
            others.push(Server::start(other, &cleanup).await?);
        }
        Ok(Self { server, others, services, workers, database, scratch, cleanup })
    }

    #[must_use]
    pub fn folder(&self) -> &Path {
        self.scratch.path()
    }

    /// Starts another process that ends with the run.
    pub fn spawn(&self, command: &mut std::process::Command) -> Result<Process> {
        Process::spawn(command, &self.cleanup)
    }

    /// Runs `verdigraph audit --from-the-beginning`. Returns whether all balances match, and its output.
    pub async fn audit(&self) -> Result<(bool, String)> {
        self.server.ask(&["audit", "--from-the-beginning"]).await
    }

    /// Stops everything in order: the server first, the database last.
    pub async fn stop(self) -> Result<()> {
        let Self { mut server, others, services, workers, database, scratch, cleanup } = self;
        let mut stopped = server.stop().await;
        for mut other in others {
            stopped = stopped.and(other.stop().await);
        }
        drop((server, workers, services));
        let closed = database.stop().await;
        scratch.close()?;
        drop(cleanup);
        stopped.and(closed)
    }
}

/// Services that several nodes share besides the database.
#[derive(Debug)]
pub struct Services {
    pub redis: Service,
    pub store: Service,
}

/// The bucket of a run's store.
const BUCKET: &str = "verdigraph";

impl Services {
    async fn start(cleanup: &Arc<CleanupProcess>) -> Result<Self> {
        let redis = |port: u16| {
            let port = port.to_string();
            let line = ["--port", &port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
            line.into_iter().map(str::to_owned).collect()
        };
        let redis = Service::start("redis-server".into(), redis, cleanup).await?;
        let program = workspace().join(".tools/s3/bin/moto_server");
        if !program.is_file() {
            return Err(Error::Other("the S3 server is missing: make test installs it".to_owned()));
        }
        let store = |port: u16| ["-H", "127.0.0.1", "-p", &port.to_string()].map(str::to_owned).to_vec();
        let store = Service::start(program, store, cleanup).await?;
        let bucket = format!("{}/{BUCKET}", store.url("http"));
        reqwest::Client::builder().no_proxy().build()?.put(bucket).send().await?.error_for_status()?;
        Ok(Self { redis, store })
    }

    fn settings(&self) -> Vec<(String, String)> {
        let settings = [
            ("redis.url", self.redis.url("redis")),
            ("storage.kind", "s3".to_owned()),
            ("storage.bucket", BUCKET.to_owned()),
            ("storage.region", "us-east-1".to_owned()),
            ("storage.endpoint", self.store.url("http")),
            ("storage.access_key_id", "drill".to_owned()),
            ("storage.secret_access_key", "drill".to_owned()),
        ];
        settings.map(|(key, value)| (key.to_owned(), value)).to_vec()
    }
}

/// The run's folder.
#[derive(Debug)]
enum RunFolder {
    Own(tempfile::TempDir),
    Kept(PathBuf),
}

impl RunFolder {
    fn make(shape: &Shape) -> Result<Self> {
        let make = |folder: &Path| {
            std::fs::create_dir_all(folder).map_err(Error::doing(&format!("cannot make {}", folder.display())))
        };
        if let Some(folder) = &shape.kept {
            make(folder)?;
            return Ok(Self::Kept(folder.canonicalize()?));
        }
        let parent = shape.scratch.clone().unwrap_or_else(|| build_folder().join("load"));
        make(&parent)?;
        Ok(Self::Own(tempfile::Builder::new().prefix("run-").tempdir_in(parent)?))
    }

    fn retention(&self) -> Retention {
        match self {
            Self::Own(_) => Retention::Removed,
            Self::Kept(_) => Retention::Kept,
        }
    }

    fn path(&self) -> &Path {
        match self {
            Self::Own(folder) => folder.path(),
            Self::Kept(folder) => folder,
        }
    }

    fn close(self) -> std::io::Result<()> {
        match self {
            Self::Own(folder) => folder.close(),
            Self::Kept(_) => Ok(()),
        }
    }
}

/// The server's settings, with lists in their own files.
fn settings(shape: &Shape, folder: &Path, workers: &[Comfy]) -> Result<Vec<(String, String)>> {
    let file = |name: &str, text: &str| -> Result<String> {
        let path = folder.join(name);
        std::fs::write(&path, text)?;
        Ok(path.display().to_string())
    };
    let list: String = workers
        .iter()
        .enumerate()
        .map(|(number, worker)| {
            format!("[[worker]]\nname = \"worker-{number}\"\nurl = \"{}\"\npool = \"{POOL}\"\n\n", worker.url())
        })
        .collect();
    let own = [
        ("files.workers", file("workers.toml", &list)?),
        ("files.plans", file("plans.toml", shape.plans.as_deref().unwrap_or(PLANS))?),
    ];
    let fixed = SETTINGS.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned()));
    let pools = shape.pools.as_deref().map(|pools| file("pools.toml", pools)).transpose()?;
    let own = own.into_iter().chain(pools.map(|pools| ("files.pools", pools)));
    let own = own.map(|(key, value)| (key.to_owned(), value));
    Ok(fixed.chain(own).chain(shape.settings.iter().cloned()).collect())
}
