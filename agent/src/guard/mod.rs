//! Monitors the ComfyUI server and restarts it as the operator configured.

mod process;
pub mod state;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use tokio::process::Command;
use tokio::sync::watch;

use self::process::Process;
use self::state::{Bounds, Event, Guard, next};
use crate::log;
use crate::options::{Options, Restart};
use crate::server::Server;

/// Timeout of the restart command.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(120);
/// Interval between checks while the server does not answer: jobs wait for it.
const RECHECK_EVERY: Duration = Duration::from_secs(1);

/// Monitors the server of one agent.
pub struct ServerMonitor {
    server: Server,
    restart: Restart,
    /// How long the server may be silent. The platform can change it.
    hung_after: watch::Receiver<Duration>,
    start_within: Duration,
    look_every: Duration,
    child: Option<Process>,
    /// The file that stores the child's pid.
    file: PathBuf,
    /// The server's problem, shown to operators.
    notes: watch::Sender<Option<String>>,
}

impl ServerMonitor {
    pub fn new(
        options: &Options,
        server: Server,
        notes: watch::Sender<Option<String>>,
        hung_after: watch::Receiver<Duration>,
    ) -> Self {
        Self {
            server,
            restart: options.restart.clone(),
            hung_after,
            start_within: options.start_within,
            look_every: options.look_every,
            child: None,
            file: crate::identity::file(&options.state, &options.name, "child"),
            notes,
        }
    }

    /// Starts the server if the agent is configured to, or adopts one that an earlier agent started.
    pub async fn start_server(&mut self) {
        if let Restart::Child(command) = &self.restart {
            self.child = Process::adopt(&self.file);
            if self.child.is_some() {
                log("adopted the server that an earlier agent started");
            } else if self.server.answers().await.is_err() {
                self.child = start(command, &self.file);
            } else {
                log("a server that this agent did not start is already running; it is not restarted until it ends");
            }
        }
    }

    /// Whether the server is a child process of this or an earlier agent.
    pub fn owns_server(&self) -> bool {
        self.child.is_some()
    }

    /// Monitors the server forever. Cancel safe.
    pub async fn run(&mut self) {
        let mut guard = Guard::new(Instant::now());
        let mut looks = tokio::time::interval(self.look_every);
        looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            looks.tick().await;
            let event = match self.child.as_mut().and_then(Process::exit_reason) {
                Some(how) => {
                    self.child = None;
                    Event::Ended(how)
                }
                None => match self.server.answers().await {
                    Ok(()) => Event::Answered,
                    Err(why) => Event::Silent(why),
                },
            };
            let bounds = self.bounds();
            for event in [event, Event::Tick] {
                let outcome = next(&guard, event, Instant::now(), bounds);
                self.set_note(&outcome.guard.note);
                guard = outcome.guard;
                if outcome.restart
                    && let Err(why) = self.restart().await
                {
                    guard = next(&guard, Event::Ended(why), Instant::now(), bounds).guard;
                    self.set_note(&guard.note);
                }
            }
            if guard.note.is_some() {
                looks.reset_after(self.look_every.min(RECHECK_EVERY));
            }
        }
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            hung_after: *self.hung_after.borrow(),
            start_within: self.start_within,
            restarts: self.restart != Restart::Never,
        }
    }

    fn set_note(&self, note: &Option<String>) {
        let changed = self.notes.send_if_modified(|told| {
            let changed = told != note;
            told.clone_from(note);
            changed
        });
        if changed {
            log(note.as_deref().unwrap_or("the server is healthy"));
        }
    }

    async fn restart(&mut self) -> Result<(), String> {
        match &self.restart {
            Restart::Never => Ok(()),
            Restart::Child(command) => {
                if let Some(child) = self.child.take() {
                    child.stop().await;
                }
                self.child = start(command, &self.file);
                self.child.as_ref().map(|_| ()).ok_or_else(|| "the server cannot be started".to_owned())
            }
            Restart::Command(command) => {
                log(&format!("restarting the server: {command}"));
                let mut shell = Command::new("/bin/sh");
                shell.args(["-c", command]).kill_on_drop(true).env_remove("VERDIGRAPH_AGENT_TOKEN");
                match tokio::time::timeout(COMMAND_TIMEOUT, shell.status()).await {
                    Ok(Ok(status)) if status.success() => Ok(()),
                    Ok(Ok(status)) => Err(format!("the restart command failed: {status}")),
                    Ok(Err(error)) => Err(format!("cannot run the restart command: {error}")),
                    Err(_) => Err(format!("the restart command takes longer than {COMMAND_TIMEOUT:?}")),
                }
            }
        }
    }

    /// Stops a server that an agent started.
    pub async fn stop_server(&mut self) {
        if let Some(child) = self.child.take() {
            child.stop().await;
        }
        drop(std::fs::remove_file(&self.file));
    }
}

fn start(command: &[String], file: &std::path::Path) -> Option<Process> {
    match Process::start(command, file) {
        Ok(process) => {
            log("the server was started");
            Some(process)
        }
        Err(error) => {
            log(&format!("the server cannot be started: {error}"));
            None
        }
    }
}
