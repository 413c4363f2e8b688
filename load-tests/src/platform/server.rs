//! `verdigraph serve` as a child process, which can be killed and started again at any time.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};

use super::attendant::Attendant;
use super::process::Process;
use super::usage::Usage;
use crate::error::{Error, Result};

const READY_WITHIN: Duration = Duration::from_secs(60);
const STOPPED_WITHIN: Duration = Duration::from_secs(60);
const ASK_EVERY: Duration = Duration::from_millis(20);

/// What a server is started with, the first time and again.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Its data folder.
    pub data: PathBuf,
    pub database: SecretString,
    /// Keys such as `jobs.lease_seconds` with their values.
    pub settings: Vec<(String, String)>,
    /// Where its output goes.
    pub log: PathBuf,
    /// A library by which its clock is wrong, and how much: `+30s`.
    pub preload: Option<(PathBuf, String)>,
}

/// A server on a port that it keeps over its lives.
#[derive(Debug)]
pub struct Server {
    launch: Launch,
    port: u16,
    process: Option<Process>,
    attendant: Arc<Attendant>,
    http: reqwest::Client,
}

impl Server {
    /// Starts one and waits until it takes jobs.
    ///
    /// # Errors
    /// It does not start, or is not ready within a minute.
    pub async fn start(launch: Launch, attendant: &Arc<Attendant>) -> Result<Self> {
        let port = free_port()?;
        let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(5)).build()?;
        let mut server = Self { launch, port, process: None, attendant: Arc::clone(attendant), http };
        server.launch()?;
        server.ready().await?;
        Ok(server)
    }

    /// The base address: `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The process id of this life, where it lives.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.process.as_ref().map(Process::pid)
    }

    /// Whether it ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.process.as_mut().is_some_and(|process| process.ended().is_some())
    }

    /// `kill -9`.
    pub fn kill(&mut self) {
        drop(self.process.take());
    }

    /// Keeps it from running, or lets it go on.
    pub fn freeze(&self, frozen: bool) {
        if let Some(process) = &self.process {
            process.freeze(frozen);
        }
    }

    /// Starts it again after a kill, without waiting until it is ready.
    ///
    /// # Errors
    /// It cannot be started, or it still runs.
    pub fn launch(&mut self) -> Result<()> {
        if self.process.as_mut().is_some_and(|process| process.ended().is_none()) {
            return Err(Error::Other("the server runs already".to_owned()));
        }
        let log = File::options().create(true).append(true).open(&self.launch.log)?;
        let mut command = self.command("serve");
        command.args(["--host", "127.0.0.1", "--port", &self.port.to_string()]);
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        self.process = Some(Process::spawn(&mut command, &self.attendant)?);
        Ok(())
    }

    /// Waits until it takes jobs.
    ///
    /// # Errors
    /// It has ended, or a minute has passed.
    pub async fn ready(&mut self) -> Result<()> {
        let url = format!("{}/api/health", self.url());
        let ready = async {
            loop {
                if let Some(status) = self.process.as_mut().and_then(Process::ended) {
                    return Err(Error::Other(format!("the server ended with {status}: {}", self.last_words())));
                }
                match self.http.get(&url).send().await {
                    Ok(answer) if answer.status().is_success() => return Ok(()),
                    _ => tokio::time::sleep(ASK_EVERY).await,
                }
            }
        };
        let waited = tokio::time::timeout(READY_WITHIN, ready).await;
        waited.unwrap_or_else(|_| {
            Err(Error::Other(format!("the server is not ready after {READY_WITHIN:?}: {}", self.last_words())))
        })
    }

    /// What it uses now; all zero while it is dead.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.pid().map(Usage::of).unwrap_or_default()
    }

    /// Another command of the same installation, such as `audit`: whether it succeeded, and what it said.
    ///
    /// # Errors
    /// It cannot be run.
    pub async fn ask(&self, words: &[&str]) -> Result<(bool, String)> {
        let (name, rest) = words.split_first().unwrap_or((&"help", &[]));
        let mut command = self.command(name);
        command.args(rest);
        command.stdin(Stdio::null());
        let output = tokio::task::spawn_blocking(move || command.output())
            .await
            .map_err(|error| Error::Other(error.to_string()))??;
        let said = [output.stdout, output.stderr].concat();
        Ok((output.status.success(), String::from_utf8_lossy(&said).trim().to_owned()))
    }

    /// Asks it to stop, without waiting until it has.
    pub fn terminate(&self) {
        if let Some(process) = &self.process {
            process.terminate();
        }
    }

    /// Stops it as an operator does.
    ///
    /// # Errors
    /// It does not stop in time.
    pub async fn stop(&mut self) -> Result<()> {
        match self.process.take() {
            Some(mut process) => process.stop(STOPPED_WITHIN).await,
            None => Ok(()),
        }
    }

    /// Its log.
    #[must_use]
    pub fn log(&self) -> &Path {
        &self.launch.log
    }

    fn command(&self, command: &str) -> Command {
        let launch = &self.launch;
        let mut process = Command::new(&launch.program);
        // Settings of whoever runs this must not reach the server under test.
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if name.starts_with("VERDIGRAPH_") || ["PORT", "DATA", "DATABASE_URL", "REDIS_URL"].contains(&&*name) {
                process.env_remove(name);
            }
        }
        process.arg(command).arg("--data").arg(&launch.data).env("DATABASE_URL", launch.database.expose_secret());
        if let Some((library, offset)) = &launch.preload {
            process.env("LD_PRELOAD", library).env("FAKETIME", offset).env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        }
        for (key, value) in &launch.settings {
            process.env(format!("VERDIGRAPH_{}", key.replace('.', "_").to_uppercase()), value);
        }
        process
    }

    fn last_words(&self) -> String {
        let log = std::fs::read_to_string(&self.launch.log).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines.get(lines.len().saturating_sub(5)..).unwrap_or_default().join("\n")
    }
}

/// A free port on loopback.
///
/// # Errors
/// There is none.
pub fn free_port() -> Result<u16> {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).map_err(Error::doing("no free port"))?;
    Ok(listener.local_addr()?.port())
}
