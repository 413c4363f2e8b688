//! A third-party service of nodes, on a fixed port that survives restarts.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use super::cleanup::CleanupProcess;
use super::process::Process;
use super::server::free_port;
use crate::error::{Error, Result};

const LISTEN_TIMEOUT: Duration = Duration::from_secs(60);
const POLL_EVERY: Duration = Duration::from_millis(20);

/// A program that listens on a port.
#[derive(Debug)]
pub struct Service {
    program: PathBuf,
    arguments: Vec<String>,
    port: u16,
    process: Option<Process>,
    cleanup: Arc<CleanupProcess>,
}

impl Service {
    /// Starts it and waits until it listens. The arguments are made from its port.
    pub async fn start(
        program: PathBuf,
        arguments: impl FnOnce(u16) -> Vec<String>,
        cleanup: &Arc<CleanupProcess>,
    ) -> Result<Self> {
        let port = free_port()?;
        let (arguments, cleanup) = (arguments(port), Arc::clone(cleanup));
        let mut service = Self { program, arguments, port, process: None, cleanup };
        service.launch()?;
        let listens = async {
            while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
                tokio::time::sleep(POLL_EVERY).await;
            }
        };
        let late = |_| Error::Other(format!("{} does not listen in time", service.program.display()));
        tokio::time::timeout(LISTEN_TIMEOUT, listens).await.map_err(late)?;
        Ok(service)
    }

    /// Its URL with this scheme.
    #[must_use]
    pub fn url(&self, scheme: &str) -> String {
        format!("{scheme}://127.0.0.1:{}", self.port)
    }

    /// Starts it after a kill.
    pub fn launch(&mut self) -> Result<()> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.process = Some(Process::spawn(&mut command, &self.cleanup)?);
        Ok(())
    }

    /// `kill -9`: its memory is lost.
    pub fn kill(&mut self) {
        drop(self.process.take());
    }

    /// Pauses it (connections are accepted, but not answered) or continues it.
    pub fn freeze(&self, frozen: bool) {
        if let Some(process) = &self.process {
            process.freeze(frozen);
        }
    }
}
