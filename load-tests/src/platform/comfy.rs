//! Scripted ComfyUI workers as child processes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use super::attendant::Attendant;
use super::process::Process;
use super::server::free_port;
use super::usage::Usage;
use crate::error::{Error, Result};
use crate::worker::{COMMAND, Kind};

const READY_WITHIN: Duration = Duration::from_secs(10);
const ASK_EVERY: Duration = Duration::from_millis(5);

/// One worker of a run.
#[derive(Debug, Clone)]
pub struct Plan {
    pub kind: Kind,
    /// How long a prompt runs.
    pub delay: Duration,
    /// How long it takes until it gives a file of its outputs.
    pub view_delay: Duration,
    /// Side of the pictures it makes, in pixels.
    pub image_side: u32,
    /// What its misdeeds are drawn with.
    pub seed: u64,
    /// Writes down when prompts came, began and ended.
    pub journal: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            kind: Kind::Good,
            delay: Duration::ZERO,
            view_delay: Duration::ZERO,
            image_side: 16,
            seed: 0,
            journal: false,
        }
    }
}

/// A worker on a port that it keeps over its lives.
#[derive(Debug)]
pub struct Comfy {
    plan: Plan,
    program: PathBuf,
    folder: PathBuf,
    port: u16,
    /// Counts its lives, so that each draws other misdeeds.
    lives: u64,
    process: Option<Process>,
    attendant: Arc<Attendant>,
}

impl Comfy {
    /// Starts one and waits until it listens. `program` is this program; the worker keeps its files in `folder`.
    ///
    /// # Errors
    /// It does not start.
    pub async fn start(plan: Plan, program: PathBuf, folder: &Path, attendant: &Arc<Attendant>) -> Result<Self> {
        let (attendant, port) = (Arc::clone(attendant), free_port()?);
        let folder = folder.join(format!("worker-{port}"));
        let mut comfy = Self { plan, program, folder, port, lives: 0, process: None, attendant };
        comfy.revive().await?;
        Ok(comfy)
    }

    /// The base address, as a worker is configured with it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    #[must_use]
    pub fn kind(&self) -> Kind {
        self.plan.kind
    }

    /// `kill -9`: sockets break, connections are refused, all that it knew is gone.
    pub fn kill(&mut self) {
        drop(self.process.take());
    }

    /// A new process on the same port.
    ///
    /// # Errors
    /// It does not start.
    pub async fn revive(&mut self) -> Result<()> {
        self.lives += 1;
        let mut command = Command::new(&self.program);
        command
            .args([COMMAND, "--port", &self.port.to_string(), "--kind", self.plan.kind.name()])
            .args(["--delay-ms", &self.plan.delay.as_millis().to_string()])
            .args(["--view-delay-ms", &self.plan.view_delay.as_millis().to_string()])
            .args(["--image-side", &self.plan.image_side.to_string()])
            .args(["--seed", &self.plan.seed.wrapping_add(self.lives).to_string()])
            .args(self.plan.journal.then_some("--journal"))
            .arg("--data")
            .arg(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        let mut process = Process::spawn(&mut command, &self.attendant)?;
        let port = self.port;
        let listens = async {
            while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
                if let Some(status) = process.ended() {
                    return Err(Error::Other(format!("a worker ended with {status}")));
                }
                tokio::time::sleep(ASK_EVERY).await;
            }
            Ok(())
        };
        let waited = tokio::time::timeout(READY_WITHIN, listens).await;
        waited.map_err(|_| Error::Other("a worker does not listen in time".to_owned()))??;
        self.process = Some(process);
        Ok(())
    }

    /// What it uses now.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.process.as_ref().map(|process| Usage::of(process.pid())).unwrap_or_default()
    }
}
