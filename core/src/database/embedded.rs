//! An embedded PostgreSQL for nodes without a configured database: creates, starts, adopts and stops it, and keeps its
//! data.
//!
//! ```text
//! no cluster --initdb--> stopped --spawn--> ready --SIGINT--> stopped
//!                                             ^-- adopted, if the server of an earlier process still runs
//! ready --restart--> ready, on the same port
//! ```
//!
//! The platform uses a role that owns its database and cannot change the server; tests use the superuser.
//!
//! Two lock files coordinate processes: `start.lock` is held while a process starts or stops the server, `use.lock` is
//! shared by its users. The last user stops the server.

mod owner;

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rand::RngExt;
use rustix::process::{Pid, Signal, kill_process};
use secrecy::{ExposeSecret, SecretString};

use super::location::{Location, failed};
use super::pid_file::{LOOK_EVERY, PidFile, READY_WITHIN, is_alive, running};
use super::programs;
use crate::error::{Error, Result};
use crate::settings::{DataDir, Environment};

const STOPPED_WITHIN: Duration = Duration::from_secs(60);
/// A longer log is truncated at the next start.
const LOG_BYTES: u64 = 16 * 1024 * 1024;

/// What a crash of the machine may lose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Nothing that was committed.
    Durable,
    /// Everything. Several times faster, and without password on this machine. For tests.
    Volatile,
}

/// How the server is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shutdown {
    /// Ends sessions and writes everything, as before an upgrade.
    Fast,
    /// Immediately, as in a power cut; the next start recovers from the log.
    Immediate,
}

/// A running embedded server. [`EmbeddedServer::stop`] and `Drop` stop it.
#[derive(Debug)]
pub struct EmbeddedServer {
    location: Location,
    child: Option<Child>,
    /// Set if this process started the server.
    start: Option<Start>,
    pid: Pid,
    port: u16,
    password: SecretString,
    in_use: Option<File>,
}

/// Options of a start.
#[derive(Debug, Clone)]
struct Start {
    bin: PathBuf,
    durability: Durability,
}

impl EmbeddedServer {
    /// Starts the server of a data folder, or adopts a running one, and returns the URL for the platform; with
    /// [`Durability::Volatile`] that is [`EmbeddedServer::superuser`]. `programs` is the folder with `initdb` and
    /// `postgres`; `None` searches for it.
    ///
    /// # Errors
    /// If the programs are missing or do not fit the data's version, or the server does not start; the message says
    /// what to do, or where the log is.
    pub async fn start(
        data: &DataDir,
        programs: Option<&Path>,
        durability: Durability,
    ) -> Result<(Self, SecretString)> {
        let (data, programs) = (data.folder.clone(), programs.map(Path::to_path_buf));
        let embedded =
            blocking(move || start(&data, programs.as_deref(), &Environment::of_process(), durability)).await?;
        make_database(&embedded.address(SUPERUSER, "postgres")).await?;
        if durability == Durability::Volatile {
            let address = embedded.superuser();
            return Ok((embedded, address));
        }
        owner::transfer_ownership(&embedded.superuser(), &embedded.password).await?;
        let address = embedded.address(owner::ROLE, DATABASE);
        Ok((embedded, address))
    }

    /// The superuser's URL, for administration: databases, settings, checkpoints.
    #[must_use]
    pub fn superuser(&self) -> SecretString {
        self.address(SUPERUSER, DATABASE)
    }

    fn address(&self, role: &str, database: &str) -> SecretString {
        let password = self.password.expose_secret();
        SecretString::from(format!("postgres://{role}:{password}@127.0.0.1:{}/{database}", self.port))
    }

    /// The cluster's folder, if it is outside the data folder; the operator should know.
    #[must_use]
    pub fn moved_to(&self) -> Option<&Path> {
        self.location.moved.then_some(self.location.home.as_path())
    }

    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.location.home.join("log")
    }

    /// Stops the server unless another process uses it. Committed data is kept.
    ///
    /// # Errors
    /// If the server does not stop within a minute.
    pub async fn stop(mut self) -> Result<()> {
        blocking(move || self.leave()).await
    }

    /// Restarts the server on the same port; all clients must reconnect. Committed data is kept.
    ///
    /// # Errors
    /// If another process started the server, or it does not stop within a minute or start again. The server is then
    /// left as it is.
    pub async fn restart(self, shutdown: Shutdown) -> Result<Self> {
        blocking(move || self.again(shutdown)).await
    }

    /// The server's process id; it changes with a restart.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    /// Whether the server was already running.
    #[must_use]
    pub fn is_adopted(&self) -> bool {
        self.child.is_none()
    }

    /// Leaves the server running for the next process, and returns its process id.
    #[must_use]
    pub fn leave_running(mut self) -> u32 {
        self.in_use = None;
        self.pid()
    }

    fn again(mut self, shutdown: Shutdown) -> Result<Self> {
        let Some(Start { bin, durability }) = self.start.clone() else {
            return Err(Error::Internal(
                "embedded database: only the process that started the server can restart it".to_owned(),
            ));
        };
        let _starting = lock(&self.location.home.join("start.lock"))?;
        self.end(match shutdown {
            Shutdown::Fast => Signal::INT,
            Shutdown::Immediate => Signal::QUIT,
        })?;
        let cluster = self.location.home.join("cluster");
        let (child, pid, _) = spawn(&self.location, &bin, &cluster, durability, Some(self.port))?;
        (self.child, self.pid) = (Some(child), pid);
        Ok(self)
    }

    fn leave(&mut self) -> Result<()> {
        let Some(in_use) = self.in_use.take() else { return Ok(()) };
        let _starting = lock(&self.location.home.join("start.lock"))?;
        in_use.unlock().map_err(failed("unlock", &self.location.home))?;
        match in_use.try_lock() {
            Ok(()) => self.end(Signal::INT),
            Err(TryLockError::WouldBlock) => Ok(()),
            Err(TryLockError::Error(error)) => Err(failed("lock", &self.location.home)(error)),
        }
    }

    /// Sends this signal and, after a minute, SIGQUIT, which does not wait for sessions.
    fn end(&mut self, first: Signal) -> Result<()> {
        for signal in [first, Signal::QUIT] {
            // An error means that the process is gone; the loop below detects that.
            let _gone = kill_process(self.pid, signal);
            let until = Instant::now() + STOPPED_WITHIN;
            while Instant::now() < until {
                if self.has_ended() {
                    return Ok(());
                }
                std::thread::sleep(LOOK_EVERY);
            }
        }
        Err(Error::Internal(format!("embedded database: process {} does not stop", self.pid.as_raw_nonzero())))
    }

    fn has_ended(&mut self) -> bool {
        match &mut self.child {
            Some(child) => !matches!(child.try_wait(), Ok(None)),
            // Not our child: it may be a zombie of its parent, so its status file is read.
            None => {
                !is_alive(self.pid)
                    || PidFile::read(&self.location.home.join("cluster")).is_none_or(|file| file.pid != self.pid)
            }
        }
    }
}

impl Drop for EmbeddedServer {
    fn drop(&mut self) {
        if let Err(error) = self.leave() {
            tracing::error!(%error, "cannot stop the embedded database");
        }
    }
}

const DATABASE: &str = "verdigraph";
const SUPERUSER: &str = "verdigraph";

fn start(
    data: &Path,
    named: Option<&Path>,
    environment: &Environment,
    durability: Durability,
) -> Result<EmbeddedServer> {
    std::fs::create_dir_all(data).map_err(failed("make", data))?;
    let data = data.canonicalize().map_err(failed("find", data))?;
    let location = Location::choose(&data)?;
    let _starting = lock(&location.home.join("start.lock"))?;
    let in_use = open(&location.home.join("use.lock"))?;
    in_use.lock_shared().map_err(failed("lock", &location.home))?;
    let cluster = location.home.join("cluster");
    let password = password(&location)?;
    if let Some((pid, port)) = running(&cluster)? {
        return Ok(EmbeddedServer { location, child: None, start: None, pid, port, password, in_use: Some(in_use) });
    }
    let bin = suitable(&location, programs::folders(named, environment, &data), &cluster)?;
    if !cluster.join("PG_VERSION").exists() {
        initialise(&location, &bin, &cluster, durability)?;
    }
    let (child, pid, port) = spawn(&location, &bin, &cluster, durability, None)?;
    let start = Some(Start { bin, durability });
    Ok(EmbeddedServer { location, child: Some(child), start, pid, port, password, in_use: Some(in_use) })
}

/// The first folder of programs that can run and fits the data's version.
fn suitable(location: &Location, folders: Vec<PathBuf>, cluster: &Path) -> Result<PathBuf> {
    let data_version = std::fs::read_to_string(cluster.join("PG_VERSION")).ok().map(|text| text.trim().to_owned());
    let mut seen = Vec::new();
    for folder in folders {
        let bin = location.runnable(&folder)?;
        let Ok(output) = location.command(&bin.join("postgres")).arg("--version").output() else { continue };
        let text = String::from_utf8_lossy(&output.stdout);
        let Some(version) = programs::major(&text) else { continue };
        if data_version.as_deref().is_none_or(|needed| needed == version) {
            return Ok(bin);
        }
        seen.push(format!("{version} in {}", bin.display()));
    }
    Err(Error::Internal(match data_version {
        Some(needed) => format!(
            "embedded database: the data in {} needs PostgreSQL {needed}, found: {}",
            cluster.display(),
            if seen.is_empty() { "none".to_owned() } else { seen.join(", ") }
        ),
        None => "no PostgreSQL was found: install it (Debian: apt-get install postgresql; Homebrew: brew install \
                 postgresql@17), or set DATABASE_URL to a server that runs"
            .to_owned(),
    }))
}

/// Creates the cluster under a temporary name, so that an interrupted attempt is not mistaken for a cluster.
fn initialise(location: &Location, bin: &Path, cluster: &Path, durability: Durability) -> Result<()> {
    // `DROP DATABASE` waits for connections that are being authenticated. With passwords, a test that ends would wait a
    // minute for connections of its aborted tasks.
    let auth = match durability {
        Durability::Durable => "--auth=scram-sha-256",
        Durability::Volatile => "--auth=trust",
    };
    let unfinished = location.home.join("cluster.new");
    if unfinished.exists() {
        std::fs::remove_dir_all(&unfinished).map_err(failed("remove", &unfinished))?;
    }
    let mut said = String::new();
    // Not every system has C.UTF-8; C with UTF-8 text exists everywhere.
    for locale in ["C.UTF-8", "C"] {
        let output = location
            .command(&bin.join("initdb"))
            .arg("-D")
            .arg(&unfinished)
            .arg("--pwfile")
            .arg(location.home.join("password"))
            .args(["-U", SUPERUSER, "-E", "UTF8", auth, "--locale", locale])
            .stdin(Stdio::null())
            .output()
            .map_err(failed("run", &bin.join("initdb")))?;
        if output.status.success() {
            return std::fs::rename(&unfinished, cluster).map_err(failed("rename", &unfinished));
        }
        said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    }
    Err(Error::Internal(format!("embedded database: initdb failed: {said}")))
}

/// Starts the server on this port or on a free one.
fn spawn(
    location: &Location,
    bin: &Path,
    cluster: &Path,
    durability: Durability,
    port: Option<u16>,
) -> Result<(Child, Pid, u16)> {
    let log_path = location.home.join("log");
    let mut ended = String::new();
    // Another process may take the free port before the server starts.
    for _ in 0..3 {
        let long = std::fs::metadata(&log_path).is_ok_and(|facts| facts.len() > LOG_BYTES);
        let log = File::options()
            .create(true)
            .append(!long)
            .write(true)
            .truncate(long)
            .open(&log_path)
            .map_err(failed("open", &log_path))?;
        location.own(&log_path, 0o600)?;
        let port = port.map_or_else(free_port, Ok)?;
        let mut command = location.command(&bin.join("postgres"));
        command.arg("-D").arg(cluster);
        for setting in settings(port, durability) {
            command.arg("-c").arg(setting);
        }
        let errors = log.try_clone().map_err(failed("open", &log_path))?;
        let mut child = command
            .stdin(Stdio::null())
            .stdout(log)
            .stderr(errors)
            .spawn()
            .map_err(failed("run", &bin.join("postgres")))?;
        let until = Instant::now() + READY_WITHIN;
        while Instant::now() < until {
            if let Some(status) = child.try_wait().map_err(failed("wait for", &bin.join("postgres")))? {
                ended = format!("ended with {status}");
                break;
            }
            let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
            if let (Some(pid), Some(state)) = (pid, PidFile::read(cluster))
                && state.pid == pid
                && state.ready
            {
                return Ok((child, pid, port));
            }
            std::thread::sleep(LOOK_EVERY);
        }
        if ended.is_empty() {
            return Err(Error::Internal(format!("embedded database: not ready in time, see {}", log_path.display())));
        }
    }
    Err(Error::Internal(format!("embedded database: the server {ended}, see {}", log_path.display())))
}

fn settings(port: u16, durability: Durability) -> Vec<String> {
    let mut settings = vec![
        "listen_addresses=127.0.0.1".to_owned(),
        format!("port={port}"),
        "unix_socket_directories=".to_owned(),
        "max_connections=200".to_owned(),
        "shared_buffers=256MB".to_owned(),
        "max_wal_size=2GB".to_owned(),
        "jit=off".to_owned(),
        "timezone=UTC".to_owned(),
        "log_timezone=UTC".to_owned(),
        "log_line_prefix=%m [%p] ".to_owned(),
    ];
    if durability == Durability::Volatile {
        settings.extend(["fsync=off", "synchronous_commit=off", "full_page_writes=off"].map(str::to_owned));
    }
    settings
}

fn password(location: &Location) -> Result<SecretString> {
    let file = location.home.join("password");
    match std::fs::read_to_string(&file) {
        Ok(text) if !text.trim().is_empty() => Ok(SecretString::from(text.trim().to_owned())),
        Ok(_) => new_password(location, &file),
        Err(error) if error.kind() == ErrorKind::NotFound => new_password(location, &file),
        Err(error) => Err(failed("read", &file)(error)),
    }
}

fn new_password(location: &Location, file: &Path) -> Result<SecretString> {
    if location.home.join("cluster").exists() {
        return Err(Error::Internal(format!("embedded database: the password file {} is missing", file.display())));
    }
    let bytes: [u8; 24] = rand::rng().random();
    let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let empty = open(file)?;
    location.own(file, 0o600)?;
    drop(empty);
    std::fs::write(file, &text).map_err(failed("write", file))?;
    Ok(SecretString::from(text))
}

fn free_port() -> Result<u16> {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0))
        .and_then(|listener| listener.local_addr())
        .map_err(|error| Error::Internal(format!("embedded database: no free port: {error}")))?;
    Ok(listener.port())
}

fn open(path: &Path) -> Result<File> {
    File::options().create(true).truncate(false).read(true).write(true).open(path).map_err(failed("open", path))
}

fn lock(path: &Path) -> Result<File> {
    let file = open(path)?;
    file.lock().map_err(failed("lock", path))?;
    Ok(file)
}

/// Creates the database if it is missing. With concurrent processes the later one gets `duplicate_database` or, if both
/// checked before either wrote, `unique_violation`.
async fn make_database(url: &SecretString) -> Result<()> {
    use sqlx::Connection;
    const TAKEN: [&str; 2] = ["42P04", "23505"];
    let mut connection = sqlx::PgConnection::connect(url.expose_secret()).await?;
    let made = sqlx::query("CREATE DATABASE verdigraph").execute(&mut connection).await;
    connection.close().await?;
    match made {
        Err(sqlx::Error::Database(error)) if error.code().is_some_and(|code| TAKEN.contains(&&*code)) => Ok(()),
        other => other.map(drop).map_err(Error::from),
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Error::Internal(format!("embedded database: {error}")))?
}

#[cfg(test)]
mod tests;
