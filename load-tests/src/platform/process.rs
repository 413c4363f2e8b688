//! A process that a run starts, and that ends with it.

use std::process::{Child, ChildStdout, Command, ExitStatus};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::attendant::{Attendant, Ending};
use crate::error::{Error, Result};

const LOOK_EVERY: Duration = Duration::from_millis(5);

/// A running child. Dropped, it is killed.
#[derive(Debug)]
pub struct Process {
    child: Child,
    attendant: Arc<Attendant>,
    ended: bool,
}

impl Process {
    /// Starts it, away from the terminal's signals: the run ends its processes itself, in the right order.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn spawn(command: &mut Command, attendant: &Arc<Attendant>) -> Result<Self> {
        use std::os::unix::process::CommandExt;
        let name = command.get_program().display().to_string();
        let child = command.process_group(0).spawn().map_err(Error::doing(&format!("cannot start {name}")))?;
        attendant.watch(child.id(), Ending::Kill);
        Ok(Self { child, attendant: Arc::clone(attendant), ended: false })
    }

    /// Its process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it prints, once, where its output was piped.
    pub fn output(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// How it ended, where it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        let status = self.child.try_wait().ok().flatten();
        if status.is_some() {
            self.note_end();
        }
        status
    }

    /// `kill -9`, and waits until it is gone.
    pub fn kill(&mut self) {
        // An error means that it has ended already.
        drop(self.child.kill());
        drop(self.child.wait());
        self.note_end();
    }

    /// Keeps it from running, or lets it go on.
    pub fn freeze(&self, frozen: bool) {
        self.send(if frozen { Signal::STOP } else { Signal::CONT });
    }

    /// Asks it to stop, as an operator does.
    pub fn terminate(&self) {
        self.send(Signal::TERM);
    }

    fn send(&self, signal: Signal) {
        if let Some(pid) = i32::try_from(self.pid()).ok().and_then(Pid::from_raw).filter(|_| !self.ended) {
            let _gone = kill_process(pid, signal);
        }
    }

    /// Asks it to stop, as an operator does; it is killed where it takes longer than `within`.
    ///
    /// # Errors
    /// It had to be killed, or ended badly.
    pub async fn stop(&mut self, within: Duration) -> Result<()> {
        self.terminate();
        let stopped = tokio::time::timeout(within, self.end()).await;
        match stopped {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(Error::Other(format!("process {} stopped with {status}", self.pid()))),
            Err(_) => {
                self.kill();
                Err(Error::Other(format!("process {} did not stop within {within:?}", self.pid())))
            }
        }
    }

    /// Waits for its end.
    pub async fn end(&mut self) -> ExitStatus {
        loop {
            if let Some(status) = self.ended() {
                return status;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    fn note_end(&mut self) {
        if !std::mem::replace(&mut self.ended, true) {
            self.attendant.forget(self.child.id());
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
