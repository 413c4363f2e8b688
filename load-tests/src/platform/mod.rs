//! What every scenario runs on: a private PostgreSQL that keeps what it commits, the real server, and scripted ComfyUI
//! workers, each a process of its own on real sockets, in a folder of their own. All of it ends with the run.

mod attendant;
mod binary;
mod comfy;
mod database;
mod process;
mod server;
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
        let launch = Launch {
            program,
            data: scratch.path().join("data"),
            database: database.platform_url.clone(),
            settings: settings(shape, scratch.path(), &workers)?,
            log: scratch.path().join("server.log"),
        };
        let server = Server::start(launch, &attendant).await?;
        Ok(Self { server, workers, database, scratch, attendant })
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

    /// Runs `verdigraph audit`: whether every balance can be derived again, and what it said.
    ///
    /// # Errors
    /// It cannot be run.
    pub async fn audit(&self) -> Result<(bool, String)> {
        self.server.ask("audit").await
    }

    /// Stops everything in order: the server first, the database last.
    ///
    /// # Errors
    /// A part does not stop; it is ended hard then.
    pub async fn stop(self) -> Result<()> {
        let Self { mut server, workers, database, scratch, attendant } = self;
        let stopped = server.stop().await;
        drop((server, workers));
        let closed = database.stop().await;
        scratch.close()?;
        drop(attendant);
        stopped.and(closed)
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
