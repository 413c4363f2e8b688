//! A program of somebody else's that nodes use, on a port that it keeps over its lives.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use super::attendant::Attendant;
use super::process::Process;
use super::server::free_port;
use crate::error::{Error, Result};

const LISTENS_WITHIN: Duration = Duration::from_secs(60);
const ASK_EVERY: Duration = Duration::from_millis(20);

/// A program that listens on a port.
#[derive(Debug)]
pub struct Service {
    program: PathBuf,
    arguments: Vec<String>,
    port: u16,
    process: Option<Process>,
    attendant: Arc<Attendant>,
}

impl Service {
    /// Starts it and waits until it listens; its arguments follow from its port.
    ///
    /// # Errors
    /// It does not start, or does not listen within a minute.
    pub async fn start(
        program: PathBuf,
        arguments: impl FnOnce(u16) -> Vec<String>,
        attendant: &Arc<Attendant>,
    ) -> Result<Self> {
        let port = free_port()?;
        let (arguments, attendant) = (arguments(port), Arc::clone(attendant));
        let mut service = Self { program, arguments, port, process: None, attendant };
        service.launch()?;
        let listens = async {
            while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
                tokio::time::sleep(ASK_EVERY).await;
            }
        };
        let late = |_| Error::Other(format!("{} does not listen in time", service.program.display()));
        tokio::time::timeout(LISTENS_WITHIN, listens).await.map_err(late)?;
        Ok(service)
    }

    /// Its address, with this scheme.
    #[must_use]
    pub fn url(&self, scheme: &str) -> String {
        format!("{scheme}://127.0.0.1:{}", self.port)
    }

    /// Starts it again after a kill.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn launch(&mut self) -> Result<()> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.process = Some(Process::spawn(&mut command, &self.attendant)?);
        Ok(())
    }

    /// `kill -9`: what it kept in memory is gone.
    pub fn kill(&mut self) {
        drop(self.process.take());
    }

    /// It takes connections and answers nothing, or goes on where it was.
    pub fn freeze(&self, frozen: bool) {
        if let Some(process) = &self.process {
            process.freeze(frozen);
        }
    }
}
