//! The guard of the server: asks how it is, and restarts it by what the operator has said.

mod process;
pub mod state;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use tokio::process::Command;
use tokio::sync::watch;

use self::process::Process;
use self::state::{Bounds, Event, Guard, next};
use crate::options::{Options, Restart};
use crate::say;
use crate::server::Server;

/// A restart command may take so long.
const COMMAND_TAKES: Duration = Duration::from_secs(120);
/// How often a server is asked that did not answer the last time: jobs wait for it.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Looks after the server of one agent.
pub struct Keeper {
    server: Server,
    restart: Restart,
    /// How long the server may be silent; the platform can change it.
    hung_after: watch::Receiver<Duration>,
    start_within: Duration,
    look_every: Duration,
    child: Option<Process>,
    /// Where the number of the child is kept.
    file: PathBuf,
    /// What is with the server, for operators.
    notes: watch::Sender<Option<String>>,
}

impl Keeper {
    /// The guard of this agent's server.
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

    /// Starts the server where that is the agent's work, and goes on with one that an earlier agent started.
    pub async fn begin(&mut self) {
        if let Restart::Child(command) = &self.restart {
            self.child = Process::left_behind(&self.file);
            if self.child.is_some() {
                say("the server that an earlier agent started still runs, and is kept");
            } else if self.server.answers().await.is_err() {
                self.child = start(command, &self.file);
            } else {
                say("a server answers already, which was started by somebody else: it is left as it is until it ends");
            }
        }
    }

    /// Whether the agent has started the server.
    pub fn owns(&self) -> bool {
        self.child.is_some()
    }

    /// Looks after the server; never ends. Nothing is lost where it is dropped.
    pub async fn keep(&mut self) {
        let mut guard = Guard::new(Instant::now());
        let mut looks = tokio::time::interval(self.look_every);
        looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            looks.tick().await;
            let event = match self.child.as_mut().and_then(Process::ended) {
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
                self.tell(&outcome.guard.note);
                guard = outcome.guard;
                if outcome.restart
                    && let Err(why) = self.restart().await
                {
                    guard = next(&guard, Event::Ended(why), Instant::now(), bounds).guard;
                    self.tell(&guard.note);
                }
            }
            if guard.note.is_some() {
                looks.reset_after(self.look_every.min(LOOK_AGAIN));
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

    fn tell(&self, note: &Option<String>) {
        let changed = self.notes.send_if_modified(|told| {
            let changed = told != note;
            told.clone_from(note);
            changed
        });
        if changed {
            say(note.as_deref().unwrap_or("the server is well"));
        }
    }

    async fn restart(&mut self) -> Result<(), String> {
        match &self.restart {
            Restart::Never => Ok(()),
            Restart::Child(command) => {
                if let Some(child) = self.child.take() {
                    child.end().await;
                }
                self.child = start(command, &self.file);
                self.child.as_ref().map(|_| ()).ok_or_else(|| "it cannot be started".to_owned())
            }
            Restart::Command(command) => {
                say(&format!("restarting the server: {command}"));
                let mut shell = Command::new("/bin/sh");
                shell.args(["-c", command]).kill_on_drop(true).env_remove("VERDIGRAPH_AGENT_TOKEN");
                match tokio::time::timeout(COMMAND_TAKES, shell.status()).await {
                    Ok(Ok(status)) if status.success() => Ok(()),
                    Ok(Ok(status)) => Err(format!("the restart command: {status}")),
                    Ok(Err(error)) => Err(format!("the restart command: {error}")),
                    Err(_) => Err(format!("the restart command takes longer than {COMMAND_TAKES:?}")),
                }
            }
        }
    }

    /// Ends a server that the agent has started.
    pub async fn end(&mut self) {
        if let Some(child) = self.child.take() {
            child.end().await;
        }
        drop(std::fs::remove_file(&self.file));
    }
}

fn start(command: &[String], file: &std::path::Path) -> Option<Process> {
    match Process::start(command, file) {
        Ok(process) => {
            say("the server was started");
            Some(process)
        }
        Err(error) => {
            say(&format!("the server cannot be started: {error}"));
            None
        }
    }
}
