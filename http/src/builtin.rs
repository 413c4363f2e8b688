//! The built-in worker as a process of its own, started and watched by the node: nothing that a prompt does can end or
//! swell the process that serves the API.
//!
//! The node starts `verdigraph worker --watched`, tells it a secret on its standard input, and reads on its standard
//! output where it listens. The worker answers nobody who does not know the secret. It ends when its standard input
//! does, and so with the node, however that ends. When it ends by itself, or takes more memory than it was given, it is
//! started again, after a pause that doubles each time; its prompts are lost and tried again, as with every worker.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use secrecy::{ExposeSecret, SecretString};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use verdigraph_core::settings::{Log, LogFormat, Settings};
use verdigraph_workers::cpu::Like;

use crate::node::NodeError;

/// How often the built-in worker had to be started again: counted since the start of the process.
pub const RESTARTS: &str = "verdigraph_builtin_worker_restarts_total";
/// How long it may take to say where it listens.
const STARTS_WITHIN: Duration = Duration::from_secs(60);
/// How long it may take to end when it is asked to.
const STOPS_WITHIN: Duration = Duration::from_secs(15);
/// The pause before it is started again, at first and at most.
const PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// One that lived so long did not fail at its start: the pause is the first one again.
const SETTLED: Duration = Duration::from_secs(60);
/// How often its memory is looked at.
const LOOKED_AT_EVERY: Duration = Duration::from_millis(500);

static RESTARTED: AtomicU64 = AtomicU64::new(0);

/// How often the built-in worker of this process had to be started again.
#[must_use]
pub fn restarts() -> u64 {
    RESTARTED.load(Ordering::Relaxed)
}

/// The watched worker.
pub struct Builtin {
    /// Where it is reached; another address after a restart for which the old one was taken.
    pub url: watch::Receiver<String>,
    /// What it must be told with every request.
    pub secret: SecretString,
    stop: oneshot::Sender<()>,
    watching: JoinHandle<()>,
}

impl Builtin {
    /// Starts the worker and waits until it listens.
    ///
    /// # Errors
    /// It does not start.
    pub async fn start(settings: &Settings) -> Result<Self, NodeError> {
        let launch = Launch {
            program: program()?,
            data: settings.data.join("worker"),
            like: like(&settings.worker.like)?,
            threads: settings.worker.threads,
            cache_bytes: settings.worker.cache_bytes,
            memory_bytes: settings.worker.memory_bytes,
            secret: secret(),
            log: settings.log.clone(),
        };
        metrics::counter!(RESTARTS).increment(0);
        let running = launch
            .start(0)
            .await
            .map_err(|reason| NodeError::Other(format!("the built-in worker does not start: {reason}")))?;
        let (says, url) = watch::channel(format!("http://127.0.0.1:{}", running.port));
        let (stop, stopped) = oneshot::channel();
        let secret = launch.secret.clone();
        let watching = tokio::spawn(watch(launch, running, says, stopped));
        Ok(Self { url, secret, stop, watching })
    }

    /// Ends the worker; what it runs is interrupted.
    pub async fn stop(self) {
        // Where nobody listens it has ended.
        self.stop.send(()).ok();
        if let Err(error) = self.watching.await {
            tracing::error!(%error, "the watch over the built-in worker ended badly");
        }
    }
}

/// This program, to be started once more. Its own file may have been replaced since it was started.
///
/// # Errors
/// The system does not tell.
pub fn program() -> Result<PathBuf, NodeError> {
    let own = std::env::current_exe().map_err(|error| NodeError::Other(format!("this program's file: {error}")))?;
    let running = Path::new("/proc/self/exe");
    Ok(if own.exists() || !running.exists() { own } else { running.to_path_buf() })
}

fn like(setting: &str) -> Result<Like, NodeError> {
    setting.parse().map_err(|error| NodeError::Other(format!("worker.like: {error}")))
}

fn secret() -> SecretString {
    let letters = rand::random::<[u8; 32]>().map(|byte| format!("{byte:02x}")).concat();
    SecretString::from(letters)
}

/// How the worker is started.
struct Launch {
    program: PathBuf,
    data: PathBuf,
    like: Like,
    threads: usize,
    cache_bytes: u64,
    memory_bytes: u64,
    secret: SecretString,
    log: Log,
}

/// A worker that listens.
struct Process {
    child: Child,
    /// Open for as long as the worker shall live.
    lifeline: ChildStdin,
    port: u16,
    since: Instant,
}

impl Launch {
    /// Starts a process, on this port where it is free.
    async fn start(&self, port: u16) -> Result<Process, String> {
        let mut command = Command::new(&self.program);
        // It needs none of the node's passwords, so it gets none.
        let kept = ["PATH", "HOME", "TMPDIR", "TZ", "LANG", "RUST_BACKTRACE"];
        let kept = kept.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
        let format = if self.log.format == LogFormat::Json { "json" } else { "text" };
        command
            .env_clear()
            .envs(kept)
            .env("VERDIGRAPH_LOG_FILTER", &self.log.filter)
            .env("VERDIGRAPH_LOG_FORMAT", format)
            .args(["worker", "--watched", "--port", &port.to_string(), "--data"])
            .arg(&self.data)
            .args(["--like", self.like.version()])
            .args(["--threads", &self.threads.to_string()])
            .args(["--cache-bytes", &self.cache_bytes.to_string()])
            .args(["--memory-bytes", &self.memory_bytes.to_string()])
            // The allocator else takes a gigabyte of address space for good, which a limit of memory would count.
            .env("MIMALLOC_ARENA_EAGER_COMMIT", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Ctrl-C in a terminal must reach the node alone, which ends its worker in its turn.
            .process_group(0)
            .kill_on_drop(true);
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let mut lifeline = child.stdin.take().ok_or("it has no standard input")?;
        let output = child.stdout.take().ok_or("it has no standard output")?;
        let line = format!("{}\n", self.secret.expose_secret());
        let mut lines = BufReader::new(output).lines();
        let starting = async {
            lifeline.write_all(line.as_bytes()).await.map_err(|error| error.to_string())?;
            lifeline.flush().await.map_err(|error| error.to_string())?;
            while let Some(line) = lines.next_line().await.map_err(|error| error.to_string())? {
                let port =
                    line.strip_prefix("ready http://").and_then(|address| address.rsplit(':').next()?.parse().ok());
                if let Some(port) = port {
                    return Ok(port);
                }
            }
            Err("it ended before it was ready".to_owned())
        };
        let port = match tokio::time::timeout(STARTS_WITHIN, starting).await {
            Ok(port) => port?,
            Err(_) => return Err(format!("it is not ready after {} s", STARTS_WITHIN.as_secs())),
        };
        // It says nothing more of use; a full pipe would stop it.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(Process { child, lifeline, port, since: Instant::now() })
    }
}

/// Starts the worker again whenever it ends, until it shall stop.
async fn watch(launch: Launch, mut running: Process, says: watch::Sender<String>, mut stopped: oneshot::Receiver<()>) {
    let mut pause = PAUSE;
    loop {
        let reason = tokio::select! {
            _ = &mut stopped => return end(running).await,
            reason = over(&mut running, launch.memory_bytes) => reason,
        };
        if running.since.elapsed() >= SETTLED {
            pause = PAUSE;
        }
        let port = running.port;
        drop(running);
        running = loop {
            RESTARTED.fetch_add(1, Ordering::Relaxed);
            metrics::counter!(RESTARTS).increment(1);
            tracing::error!(reason, pause_ms = pause.as_millis(), "the built-in worker ended and is started again");
            tokio::select! {
                _ = &mut stopped => return,
                () = tokio::time::sleep(pause) => {}
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
            let started = tokio::select! {
                _ = &mut stopped => return,
                started = launch.start(port) => started,
            };
            match started {
                Ok(started) => break started,
                Err(reason) => tracing::error!(reason, "the built-in worker does not start"),
            }
        };
        if running.port != port {
            says.send_replace(format!("http://127.0.0.1:{}", running.port));
        }
    }
}

/// Waits until the worker has ended, or ends it where it takes too much memory. Tells why.
async fn over(running: &mut Process, memory_bytes: u64) -> String {
    let mut looks = tokio::time::interval(LOOKED_AT_EVERY);
    loop {
        tokio::select! {
            status = running.child.wait() => {
                return status.map_or_else(|error| error.to_string(), |status| status.to_string());
            }
            _ = looks.tick() => {}
        }
        let Some(resident) = running.child.id().and_then(resident_bytes) else { continue };
        // The worker itself refuses what does not fit; beyond that something is broken.
        if resident > memory_bytes.saturating_add(memory_bytes / 4) {
            drop(running.child.kill().await);
            return format!("it took {} MiB of the machine's memory", resident >> 20);
        }
    }
}

/// What a process takes of the machine's memory; `None` where the system does not tell.
fn resident_bytes(process: u32) -> Option<u64> {
    let facts = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let pages: u64 = facts.split(' ').nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// Asks the worker to end, and makes it.
async fn end(Process { mut child, lifeline, .. }: Process) {
    drop(lifeline);
    if tokio::time::timeout(STOPS_WITHIN, child.wait()).await.is_err() {
        tracing::warn!("the built-in worker did not end in time and was killed");
        drop(child.kill().await);
    }
}
