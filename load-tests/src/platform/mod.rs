//! What every scenario runs on: a private PostgreSQL that keeps what it commits, the real server, and scripted ComfyUI
//! workers, each a process of its own on real sockets, in a folder of their own. All of it ends with the run.

mod attendant;
mod binary;
mod comfy;
mod database;
mod process;
mod server;
mod service;
mod usage;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use verdigraph_core::settings::DataDir;

pub use attendant::{Attendant, COMMAND as ATTEND, attend};
pub use binary::{Binary, build_folder, workspace};
pub use comfy::{Comfy, Plan};
pub use database::{Database, Stay};
pub use process::Process;
pub use server::{Launch, Server, free_port};
pub use service::Service;
pub use usage::Usage;
pub use verdigraph_core::database::Shutdown;

use crate::error::{Error, Result};

/// The pool that scripted workers are in.
pub const POOL: &str = "standard";

/// Settings of every run, which a shape may override: limits on requests out of the way, nothing built in.
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

/// One plan for everybody, with credits and places in the queue for any run.
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

/// What a scenario wants to run on.
#[derive(Debug, Clone)]
pub struct Shape {
    pub binary: Binary,
    /// This program, which workers are started from; [`std::env::current_exe`] but for tests.
    pub program: PathBuf,
    pub workers: Vec<Plan>,
    /// Keys such as `jobs.lease_seconds` with their values.
    pub settings: Vec<(String, String)>,
    /// Nodes beside the first one, on the same database; with any, all share a Redis and an S3-compatible store.
    pub other_nodes: usize,
    /// The library and the offset by which the second node's clock is wrong.
    pub skew: Option<(PathBuf, String)>,
    /// The list of plans in place of the one that allows everything.
    pub plans: Option<String>,
    /// Where the run's folder is made; the build folder, where it is left out.
    pub scratch: Option<PathBuf>,
    /// The run's folder itself, where it shall stay and be used again by the next run.
    pub kept: Option<PathBuf>,
}

impl Shape {
    /// So many good workers that answer at once.
    ///
    /// # Errors
    /// This program's file cannot be found.
    pub fn new(binary: Binary, workers: usize) -> Result<Self> {
        Ok(Self {
            binary,
            program: std::env::current_exe()?,
            workers: vec![Plan::default(); workers],
            settings: Vec::new(),
            other_nodes: 0,
            skew: None,
            plans: None,
            scratch: None,
            kept: None,
        })
    }

    /// The shape with another value for a key.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl ToString) -> Self {
        self.settings.push((key.to_owned(), value.to_string()));
        self
    }
}

/// A platform that runs. Dropped, it is ended hard and its folder removed; [`Platform::stop`] is the gentle way.
#[derive(Debug)]
pub struct Platform {
    // In the order in which they end.
    pub server: Server,
    /// The other nodes.
    pub others: Vec<Server>,
    /// What nodes share beside the database, where there are several.
    pub services: Option<Services>,
    pub workers: Vec<Comfy>,
    pub database: Database,
    scratch: Scratch,
    /// Last: it removes what is left.
    attendant: Arc<Attendant>,
}

impl Platform {
    /// Starts everything and waits until the server takes jobs.
    ///
    /// # Errors
    /// A part does not start; what had started is ended.
    pub async fn start(shape: &Shape) -> Result<Self> {
        // Whoever builds an HTTP client after this finds a TLS provider; a second installation is refused, and harmless.
        drop(rustls::crypto::ring::default_provider().install_default());
        let program = shape.binary.find()?;
        let scratch = Scratch::make(shape)?;
        let attendant = Arc::new(Attendant::start(&shape.program)?);
        if scratch.stay() == Stay::Removed {
            attendant.remove(scratch.path());
        }
        let database = Database::start(&DataDir::new(scratch.path()), &attendant, scratch.stay()).await?;
        let mut workers = Vec::with_capacity(shape.workers.len());
        for plan in &shape.workers {
            workers.push(Comfy::start(plan.clone(), shape.program.clone(), scratch.path(), &attendant).await?);
        }
        let mut settings = settings(shape, scratch.path(), &workers)?;
        let services = if shape.other_nodes > 0 { Some(Services::start(&attendant).await?) } else { None };
        settings.extend(services.iter().flat_map(Services::settings));
        let folder = scratch.path();
        let launch = |name: &str| Launch {
            program: program.clone(),
            data: folder.join(format!("data{name}")),
            database: database.platform_url.clone(),
            settings: settings.clone(),
            log: folder.join(format!("server{name}.log")),
            preload: None,
        };
        let server = Server::start(launch(""), &attendant).await?;
        let mut others = Vec::new();
        for number in 0..shape.other_nodes {
            let mut other = launch(&format!("-{number}"));
            other.preload = shape.skew.clone().filter(|_| number == 0);
            others.push(Server::start(other, &attendant).await?);
        }
        Ok(Self { server, others, services, workers, database, scratch, attendant })
    }

    /// The run's folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.scratch.path()
    }

    /// Starts another process that ends with the run.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn spawn(&self, command: &mut std::process::Command) -> Result<Process> {
        Process::spawn(command, &self.attendant)
    }

    /// Runs `verdigraph audit --from-the-beginning`: whether every balance can be derived again, and what it said.
    ///
    /// # Errors
    /// It cannot be run.
    pub async fn audit(&self) -> Result<(bool, String)> {
        self.server.ask(&["audit", "--from-the-beginning"]).await
    }

    /// Stops everything in order: the server first, the database last.
    ///
    /// # Errors
    /// A part does not stop; it is ended hard then.
    pub async fn stop(self) -> Result<()> {
        let Self { mut server, others, services, workers, database, scratch, attendant } = self;
        let mut stopped = server.stop().await;
        for mut other in others {
            stopped = stopped.and(other.stop().await);
        }
        drop((server, workers, services));
        let closed = database.stop().await;
        scratch.close()?;
        drop(attendant);
        stopped.and(closed)
    }
}

/// What several nodes share beside the database.
#[derive(Debug)]
pub struct Services {
    pub redis: Service,
    pub store: Service,
}

/// The bucket of a run's store.
const BUCKET: &str = "verdigraph";

impl Services {
    async fn start(attendant: &Arc<Attendant>) -> Result<Self> {
        let redis = |port: u16| {
            let port = port.to_string();
            let line = ["--port", &port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
            line.into_iter().map(str::to_owned).collect()
        };
        let redis = Service::start("redis-server".into(), redis, attendant).await?;
        let program = workspace().join(".tools/s3/bin/moto_server");
        if !program.is_file() {
            return Err(Error::Other("the S3 server is missing: make test installs it".to_owned()));
        }
        let store = |port: u16| ["-H", "127.0.0.1", "-p", &port.to_string()].map(str::to_owned).to_vec();
        let store = Service::start(program, store, attendant).await?;
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
enum Scratch {
    Own(tempfile::TempDir),
    Kept(PathBuf),
}

impl Scratch {
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

    fn stay(&self) -> Stay {
        match self {
            Self::Own(_) => Stay::Removed,
            Self::Kept(_) => Stay::Kept,
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

/// The server's settings, with the lists that stand in files of their own.
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
    let own = own.into_iter().map(|(key, value)| (key.to_owned(), value));
    Ok(fixed.chain(own).chain(shape.settings.iter().cloned()).collect())
}
