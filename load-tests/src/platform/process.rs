//! A process that ends with its run.

use std::process::{Child, ChildStdout, Command, ExitStatus};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::cleanup::{CleanupProcess, EndSignal};
use crate::error::{Error, Result};

const POLL_EVERY: Duration = Duration::from_millis(5);

/// A running child process. Killed on drop.
#[derive(Debug)]
pub struct Process {
    child: Child,
    cleanup: Arc<CleanupProcess>,
    ended: bool,
}

impl Process {
    /// Starts it in its own process group: the run ends its processes itself, in order.
    pub fn spawn(command: &mut Command, cleanup: &Arc<CleanupProcess>) -> Result<Self> {
        use std::os::unix::process::CommandExt;
        let name = command.get_program().display().to_string();
        let child = command.process_group(0).spawn().map_err(Error::doing(&format!("cannot start {name}")))?;
        cleanup.watch(child.id(), EndSignal::Kill);
        Ok(Self { child, cleanup: Arc::clone(cleanup), ended: false })
    }

    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Its piped standard output. Available once.
    pub fn output(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// Its exit status, if it has ended.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        let status = self.child.try_wait().ok().flatten();
        if status.is_some() {
            self.note_end();
        }
        status
    }

    /// `kill -9`. Waits until it is gone.
    pub fn kill(&mut self) {
        // Fails if it has ended already.
        drop(self.child.kill());
        drop(self.child.wait());
        self.note_end();
    }

    /// Pauses or continues it.
    pub fn freeze(&self, frozen: bool) {
        self.send(if frozen { Signal::STOP } else { Signal::CONT });
    }

    /// Sends SIGTERM.
    pub fn terminate(&self) {
        self.send(Signal::TERM);
    }

    fn send(&self, signal: Signal) {
        if let Some(pid) = i32::try_from(self.pid()).ok().and_then(Pid::from_raw).filter(|_| !self.ended) {
            let _gone = kill_process(pid, signal);
        }
    }

    /// Sends SIGTERM. Kills it if it takes longer than `within`.
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
            tokio::time::sleep(POLL_EVERY).await;
        }
    }

    fn note_end(&mut self) {
        if !std::mem::replace(&mut self.ended, true) {
            self.cleanup.forget(self.child.id());
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
