//! `verdigraph serve` as a child process that can be killed and restarted.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};

use super::cleanup::CleanupProcess;
use super::process::Process;
use super::usage::Usage;
use crate::error::{Error, Result};

const READY_TIMEOUT: Duration = Duration::from_secs(180);
const STOP_TIMEOUT: Duration = Duration::from_secs(60);
const POLL_EVERY: Duration = Duration::from_millis(20);

/// LaunchOptions options of a server, reused by restarts.
#[derive(Debug, Clone)]
pub struct LaunchOptions {
    pub program: PathBuf,
    pub data: PathBuf,
    pub database: SecretString,
    /// Keys such as `jobs.lease_seconds` with their values.
    pub settings: Vec<(String, String)>,
    /// The log file for its output.
    pub log: PathBuf,
    /// A faketime library and its offset: `+30s`.
    pub preload: Option<(PathBuf, String)>,
}

/// A server on a fixed port that survives restarts.
#[derive(Debug)]
pub struct Server {
    launch: LaunchOptions,
    port: u16,
    process: Option<Process>,
    cleanup: Arc<CleanupProcess>,
    http: reqwest::Client,
}

impl Server {
    /// Starts a server and waits until it takes jobs.
    pub async fn start(launch: LaunchOptions, cleanup: &Arc<CleanupProcess>) -> Result<Self> {
        let port = free_port()?;
        let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(5)).build()?;
        let mut server = Self { launch, port, process: None, cleanup: Arc::clone(cleanup), http };
        server.launch()?;
        server.ready().await?;
        Ok(server)
    }

    /// The base URL: `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The current process id, if it runs.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.process.as_ref().map(Process::pid)
    }

    /// Whether it ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.process.as_mut().is_some_and(|process| process.ended().is_some())
    }

    pub fn kill(&mut self) {
        drop(self.process.take());
    }

    /// Pauses or continues it.
    pub fn freeze(&self, frozen: bool) {
        if let Some(process) = &self.process {
            process.freeze(frozen);
        }
    }

    /// Starts it after a kill, without waiting until it is ready.
    pub fn launch(&mut self) -> Result<()> {
        if self.process.as_mut().is_some_and(|process| process.ended().is_none()) {
            return Err(Error::Other("the server runs already".to_owned()));
        }
        let log = File::options().create(true).append(true).open(&self.launch.log)?;
        let mut command = self.command("serve");
        command.args(["--host", "127.0.0.1", "--port", &self.port.to_string()]);
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        self.process = Some(Process::spawn(&mut command, &self.cleanup)?);
        Ok(())
    }

    /// Waits until it takes jobs.
    pub async fn ready(&mut self) -> Result<()> {
        let url = format!("{}/api/health", self.url());
        let ready = async {
            loop {
                if let Some(status) = self.process.as_mut().and_then(Process::ended) {
                    return Err(Error::Other(format!("the server ended with {status}: {}", self.last_words())));
                }
                match self.http.get(&url).send().await {
                    Ok(answer) if answer.status().is_success() => return Ok(()),
                    _ => tokio::time::sleep(POLL_EVERY).await,
                }
            }
        };
        let waited = tokio::time::timeout(READY_TIMEOUT, ready).await;
        waited.unwrap_or_else(|_| {
            Err(Error::Other(format!("the server is not ready after {READY_TIMEOUT:?}: {}", self.last_words())))
        })
    }

    /// Its usage; all zero while it is dead.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.pid().map(Usage::of).unwrap_or_default()
    }

    /// Runs another command of the same installation, such as `audit`. Returns whether it succeeded, and its output.
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

    /// Sends SIGTERM without waiting.
    pub fn terminate(&self) {
        if let Some(process) = &self.process {
            process.terminate();
        }
    }

    /// Shuts it down gracefully.
    pub async fn stop(&mut self) -> Result<()> {
        match self.process.take() {
            Some(mut process) => process.stop(STOP_TIMEOUT).await,
            None => Ok(()),
        }
    }

    #[must_use]
    pub fn log(&self) -> &Path {
        &self.launch.log
    }

    fn command(&self, command: &str) -> Command {
        let launch = &self.launch;
        let mut process = Command::new(&launch.program);
        // Settings in this process's environment must not reach the server under test.
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
pub fn free_port() -> Result<u16> {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).map_err(Error::doing("no free port"))?;
    Ok(listener.local_addr()?.port())
}
