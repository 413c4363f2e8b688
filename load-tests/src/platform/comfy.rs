//! Scripted ComfyUI workers as child processes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use super::cleanup::CleanupProcess;
use super::process::Process;
use super::server::free_port;
use super::usage::Usage;
use crate::error::{Error, Result};
use crate::worker::{COMMAND, Kind};

const READY_TIMEOUT: Duration = Duration::from_secs(60);
const POLL_EVERY: Duration = Duration::from_millis(5);

/// Options of one worker.
#[derive(Debug, Clone)]
pub struct Plan {
    pub kind: Kind,
    /// Duration of a prompt.
    pub delay: Duration,
    /// A prompt takes `delay` for each of its samplers, and up to so many percent more or less.
    pub noise_percent: Option<u32>,
    /// Delay of each output file.
    pub view_delay: Duration,
    /// Side of its pictures in pixels.
    pub image_side: u32,
    /// Seed of its faults and durations.
    pub seed: u64,
    /// Records when prompts arrived, started and ended.
    pub journal: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            kind: Kind::Good,
            delay: Duration::ZERO,
            noise_percent: None,
            view_delay: Duration::ZERO,
            image_side: 16,
            seed: 0,
            journal: false,
        }
    }
}

/// A worker on a fixed port that survives restarts.
#[derive(Debug)]
pub struct Comfy {
    plan: Plan,
    program: PathBuf,
    folder: PathBuf,
    port: u16,
    /// Counts restarts, so that each process draws other faults.
    lives: u64,
    process: Option<Process>,
    cleanup: Arc<CleanupProcess>,
}

impl Comfy {
    /// Starts a worker and waits until it listens. `program` is this program. The worker stores its files in `folder`.
    pub async fn start(plan: Plan, program: PathBuf, folder: &Path, cleanup: &Arc<CleanupProcess>) -> Result<Self> {
        let (cleanup, port) = (Arc::clone(cleanup), free_port()?);
        let folder = folder.join(format!("worker-{port}"));
        let mut comfy = Self { plan, program, folder, port, lives: 0, process: None, cleanup };
        comfy.revive().await?;
        Ok(comfy)
    }

    /// The base address, for a worker's configuration.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    #[must_use]
    pub fn kind(&self) -> Kind {
        self.plan.kind
    }

    /// `kill -9`: sockets break, connections are refused, its state is lost.
    pub fn kill(&mut self) {
        drop(self.process.take());
    }

    /// Starts a new process on the same port.
    pub async fn revive(&mut self) -> Result<()> {
        self.lives += 1;
        let mut command = Command::new(&self.program);
        command
            .args([COMMAND, "--port", &self.port.to_string(), "--kind", self.plan.kind.name()])
            .args(["--delay-ms", &self.plan.delay.as_millis().to_string()])
            .args(["--view-delay-ms", &self.plan.view_delay.as_millis().to_string()])
            .args(self.plan.noise_percent.map(|percent| format!("--noise-percent={percent}")))
            .args(["--image-side", &self.plan.image_side.to_string()])
            .args(["--seed", &self.plan.seed.wrapping_add(self.lives).to_string()])
            .args(self.plan.journal.then_some("--journal"))
            .arg("--data")
            .arg(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        let mut process = Process::spawn(&mut command, &self.cleanup)?;
        let port = self.port;
        let listens = async {
            while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
                if let Some(status) = process.ended() {
                    return Err(Error::Other(format!("a worker ended with {status}")));
                }
                tokio::time::sleep(POLL_EVERY).await;
            }
            Ok(())
        };
        let waited = tokio::time::timeout(READY_TIMEOUT, listens).await;
        waited.map_err(|_| Error::Other("a worker does not listen in time".to_owned()))??;
        self.process = Some(process);
        Ok(())
    }

    #[must_use]
    pub fn usage(&self) -> Usage {
        self.process.as_ref().map(|process| Usage::of(process.pid())).unwrap_or_default()
    }
}
