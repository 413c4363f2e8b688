//! The server as a process that this agent or an earlier one started.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, Command};

/// ComfyUI has no graceful shutdown. The time is for processes that it started.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);
const POLL_EVERY: Duration = Duration::from_millis(100);

/// The server's process, the leader of its own process group.
pub struct Process {
    pid: Pid,
    /// Start time from `/proc`, which detects a reused pid.
    start_time: String,
    /// `None` if an earlier agent started it.
    child: Option<Child>,
}

impl Process {
    /// Starts the server and stores its pid, so that the next agent finds it if this one is killed.
    pub fn start(command: &[String], file: &Path) -> std::io::Result<Self> {
        let (program, arguments) = command.split_first().ok_or(ErrorKind::InvalidInput)?;
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            // Custom nodes run in it and must not see the token.
            .env_remove("VERDIGRAPH_AGENT_TOKEN")
            .env_remove("CREDENTIALS_DIRECTORY")
            .process_group(0)
            .spawn()?;
        let pid = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let pid = pid.ok_or(ErrorKind::NotFound)?;
        let start_time = start_time(pid).unwrap_or_default();
        fs::write(file, format!("{} {start_time}", pid.as_raw_nonzero()))?;
        Ok(Self { pid, start_time, child: Some(child) })
    }

    /// The process that an earlier agent started, if it still runs.
    pub fn adopt(file: &Path) -> Option<Self> {
        let text = fs::read_to_string(file).ok()?;
        let (pid, then) = text.trim().split_once(' ')?;
        let pid = Pid::from_raw(pid.parse().ok()?)?;
        (start_time(pid).as_deref() == Some(then)).then(|| Self { pid, start_time: then.to_owned(), child: None })
    }

    /// Its exit status, if it has ended.
    pub fn exit_reason(&mut self) -> Option<String> {
        match &mut self.child {
            Some(child) => match child.try_wait() {
                Ok(None) => None,
                Ok(Some(status)) => Some(status.to_string()),
                Err(error) => Some(error.to_string()),
            },
            None if start_time(self.pid).as_ref() == Some(&self.start_time) => None,
            None => Some("unknown exit status".to_owned()),
        }
    }

    /// Stops the process group: SIGTERM, then SIGKILL.
    pub async fn stop(mut self) {
        for (signal, patience) in [(Signal::TERM, STOP_TIMEOUT), (Signal::KILL, STOP_TIMEOUT)] {
            if self.exit_reason().is_some() {
                break;
            }
            // Fails if the group has ended already.
            let _ = kill_process_group(self.pid, signal);
            let gone = async {
                while self.exit_reason().is_none() {
                    tokio::time::sleep(POLL_EVERY).await;
                }
            };
            drop(tokio::time::timeout(patience, gone).await);
        }
    }
}

/// A process's start time from `/proc`; `None` if it has ended or is a zombie.
fn start_time(pid: Pid) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    // The name in parentheses may contain spaces.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    match fields.first() {
        Some(&"Z" | &"X") | None => None,
        Some(_) => fields.get(19).map(|&field| field.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn server_is_adopted_by_the_next_agent_and_stopped_with_its_children() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("child");
        let command = ["/bin/sh", "-c", "trap '' TERM; sleep 60 & wait"].map(str::to_owned);
        let mut first = Process::start(&command, &file).expect("started");
        assert_eq!(first.exit_reason(), None);
        let mut found = Process::adopt(&file).expect("it still runs");
        assert_eq!(found.exit_reason(), None);
        let (pid, _) = (found.pid, drop(found));
        kill_process_group(pid, Signal::KILL).expect("it runs");
        first.stop().await;
        assert!(Process::adopt(&file).is_none(), "another process of that number is not it");
    }
}
