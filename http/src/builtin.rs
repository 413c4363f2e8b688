//! Runs the built-in worker as a child process, so that no prompt can crash the process that serves the API or fill its
//! memory.
//!
//! The node starts `verdigraph worker --watched`, writes a secret to its standard input, and reads the port from its
//! standard output. The worker refuses requests without the secret. It exits when its standard input closes, so it
//! never outlives the node. When it exits by itself, or exceeds its memory limit, the node restarts it after a pause
//! that doubles each time. Its prompts are lost and retried, as with every worker.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use secrecy::{ExposeSecret, SecretString};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use verdigraph_core::settings::{LogFormat, LogSettings, Settings};
use verdigraph_workers::cpu::ComfyVersion;

use crate::node::NodeError;

/// Counts restarts of the built-in worker since the start of this process.
pub const RESTARTS: &str = "verdigraph_builtin_worker_restarts_total";
/// Time until the worker must report its port.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// Time until the worker must exit when asked to.
const STOP_TIMEOUT: Duration = Duration::from_secs(15);
/// Pause before a restart: the first and the longest.
const PAUSE: Duration = Duration::from_millis(200);
const MAX_PAUSE: Duration = Duration::from_secs(30);
/// A worker that lived this long did not fail at its start: the next pause is the first one again.
const STABLE_AFTER: Duration = Duration::from_secs(60);
/// Interval between checks of the worker's memory.
const MEMORY_CHECK_INTERVAL: Duration = Duration::from_millis(500);

static RESTART_COUNT: AtomicU64 = AtomicU64::new(0);

/// Restarts of this process's built-in worker.
#[must_use]
pub fn restarts() -> u64 {
    RESTART_COUNT.load(Ordering::Relaxed)
}

/// The supervised worker process.
pub struct Builtin {
    /// The worker's URL. It changes after a restart when the port was taken.
    pub url: watch::Receiver<String>,
    /// The secret that every request must carry.
    pub secret: SecretString,
    stop: oneshot::Sender<()>,
    watching: JoinHandle<()>,
}

impl Builtin {
    /// Starts the worker and waits until it listens.
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
        let (url_sender, url) = watch::channel(format!("http://127.0.0.1:{}", running.port));
        let (stop, stopped) = oneshot::channel();
        let secret = launch.secret.clone();
        let watching = tokio::spawn(watch(launch, running, url_sender, stopped));
        Ok(Self { url, secret, stop, watching })
    }

    /// Stops the worker; its running prompt is interrupted.
    pub async fn stop(self) {
        // An error means that the watcher has ended already.
        self.stop.send(()).ok();
        if let Err(error) = self.watching.await {
            tracing::error!(%error, "the watcher of the built-in worker failed");
        }
    }
}

/// This program's executable. The file on disk may have been replaced since the start.
pub fn program() -> Result<PathBuf, NodeError> {
    let own = std::env::current_exe().map_err(|error| NodeError::Other(format!("this program's file: {error}")))?;
    let running = Path::new("/proc/self/exe");
    Ok(if own.exists() || !running.exists() { own } else { running.to_path_buf() })
}

fn like(setting: &str) -> Result<ComfyVersion, NodeError> {
    setting.parse().map_err(|error| NodeError::Other(format!("worker.like: {error}")))
}

fn secret() -> SecretString {
    let letters = rand::random::<[u8; 32]>().map(|byte| format!("{byte:02x}")).concat();
    SecretString::from(letters)
}

/// How to start the worker.
struct Launch {
    program: PathBuf,
    data: PathBuf,
    like: ComfyVersion,
    threads: usize,
    cache_bytes: u64,
    memory_bytes: u64,
    secret: SecretString,
    log: LogSettings,
}

/// A worker that has reported its port.
struct Process {
    child: Child,
    /// The worker exits when this closes.
    lifeline: ChildStdin,
    port: u16,
    since: Instant,
}

impl Launch {
    /// Starts a process, on this port if it is free.
    async fn start(&self, port: u16) -> Result<Process, String> {
        let mut command = Command::new(&self.program);
        // The worker must not inherit the node's passwords.
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
            // Otherwise the allocator reserves a gigabyte of address space, which a memory limit would count.
            .env("MIMALLOC_ARENA_EAGER_COMMIT", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Ctrl-C in a terminal must reach only the node, which stops its worker.
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
        let port = match tokio::time::timeout(START_TIMEOUT, starting).await {
            Ok(port) => port?,
            Err(_) => return Err(format!("it is not ready after {} s", START_TIMEOUT.as_secs())),
        };
        // Later output is discarded; a full pipe would block the worker.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(Process { child, lifeline, port, since: Instant::now() })
    }
}

/// Restarts the worker whenever it exits, until it is stopped.
async fn watch(
    launch: Launch,
    mut running: Process,
    url_sender: watch::Sender<String>,
    mut stopped: oneshot::Receiver<()>,
) {
    let mut pause = PAUSE;
    loop {
        let reason = tokio::select! {
            _ = &mut stopped => return end(running).await,
            reason = wait_for_end(&mut running, launch.memory_bytes) => reason,
        };
        if running.since.elapsed() >= STABLE_AFTER {
            pause = PAUSE;
        }
        let port = running.port;
        drop(running);
        running = loop {
            RESTART_COUNT.fetch_add(1, Ordering::Relaxed);
            metrics::counter!(RESTARTS).increment(1);
            tracing::error!(reason, pause_ms = pause.as_millis(), "the built-in worker ended and is started again");
            tokio::select! {
                _ = &mut stopped => return,
                () = tokio::time::sleep(pause) => {}
            }
            pause = (pause * 2).min(MAX_PAUSE);
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
            url_sender.send_replace(format!("http://127.0.0.1:{}", running.port));
        }
    }
}

/// Waits until the worker exits, or kills it when it exceeds its memory limit. Returns the reason.
async fn wait_for_end(running: &mut Process, memory_bytes: u64) -> String {
    let mut checks = tokio::time::interval(MEMORY_CHECK_INTERVAL);
    loop {
        tokio::select! {
            status = running.child.wait() => {
                return status.map_or_else(|error| error.to_string(), |status| status.to_string());
            }
            _ = checks.tick() => {}
        }
        let Some(resident) = running.child.id().and_then(resident_bytes) else { continue };
        // The worker itself refuses prompts that do not fit; beyond its limit something is broken.
        if resident > memory_bytes.saturating_add(memory_bytes / 4) {
            drop(running.child.kill().await);
            return format!("it took {} MiB of the machine's memory", resident >> 20);
        }
    }
}

/// A process's resident memory; `None` where the system does not report it.
fn resident_bytes(process: u32) -> Option<u64> {
    let facts = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let pages: u64 = facts.split(' ').nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// Asks the worker to exit, and kills it after a timeout.
async fn end(Process { mut child, lifeline, .. }: Process) {
    drop(lifeline);
    if tokio::time::timeout(STOP_TIMEOUT, child.wait()).await.is_err() {
        tracing::warn!("the built-in worker did not end in time and was killed");
        drop(child.kill().await);
    }
}
