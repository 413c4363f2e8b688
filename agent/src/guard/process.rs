//! The server as a process that the agent has started, or that an agent before it had.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, Command};

/// ComfyUI has no graceful end; a little time is for what it started itself.
const ENDS_WITHIN: Duration = Duration::from_secs(10);
const LOOKED_AT_EVERY: Duration = Duration::from_millis(100);

/// The server's process, which leads a group of its own.
pub struct Process {
    pid: Pid,
    /// When it was started, by the system's count: another process of this number is another one.
    began: String,
    /// `None` where an earlier agent started it.
    child: Option<Child>,
}

impl Process {
    /// Starts the server. Its number is kept, so that the next agent finds it where this one is killed.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(command: &[String], file: &Path) -> std::io::Result<Self> {
        let (program, arguments) = command.split_first().ok_or(ErrorKind::InvalidInput)?;
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            // It runs whatever its custom nodes do: the token is nothing for it.
            .env_remove("VERDIGRAPH_AGENT_TOKEN")
            .env_remove("CREDENTIALS_DIRECTORY")
            .process_group(0)
            .spawn()?;
        let pid = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let pid = pid.ok_or(ErrorKind::NotFound)?;
        let began = began(pid).unwrap_or_default();
        fs::write(file, format!("{} {began}", pid.as_raw_nonzero()))?;
        Ok(Self { pid, began, child: Some(child) })
    }

    /// The one that an earlier agent started, where it still runs.
    pub fn left_behind(file: &Path) -> Option<Self> {
        let text = fs::read_to_string(file).ok()?;
        let (pid, then) = text.trim().split_once(' ')?;
        let pid = Pid::from_raw(pid.parse().ok()?)?;
        (began(pid).as_deref() == Some(then)).then(|| Self { pid, began: then.to_owned(), child: None })
    }

    /// How it ended, where it has.
    pub fn ended(&mut self) -> Option<String> {
        match &mut self.child {
            Some(child) => match child.try_wait() {
                Ok(None) => None,
                Ok(Some(status)) => Some(status.to_string()),
                Err(error) => Some(error.to_string()),
            },
            None if began(self.pid).as_ref() == Some(&self.began) => None,
            None => Some("nobody knows how".to_owned()),
        }
    }

    /// Ends it, with what it has started.
    pub async fn end(mut self) {
        for (signal, patience) in [(Signal::TERM, ENDS_WITHIN), (Signal::KILL, ENDS_WITHIN)] {
            if self.ended().is_some() {
                break;
            }
            // Where the group is gone meanwhile, there is nothing to end.
            let _ = kill_process_group(self.pid, signal);
            let gone = async {
                while self.ended().is_none() {
                    tokio::time::sleep(LOOKED_AT_EVERY).await;
                }
            };
            drop(tokio::time::timeout(patience, gone).await);
        }
    }
}

/// When a process began, by the system's count; `None` where there is none, or only what is left of one.
fn began(pid: Pid) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    // The name in brackets may have blanks.
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
    async fn a_server_is_found_again_by_the_next_agent_and_ended_with_what_it_started() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("child");
        let command = ["/bin/sh", "-c", "trap '' TERM; sleep 60 & wait"].map(str::to_owned);
        let mut first = Process::start(&command, &file).expect("started");
        assert_eq!(first.ended(), None);
        let mut found = Process::left_behind(&file).expect("it still runs");
        assert_eq!(found.ended(), None);
        let (pid, _) = (found.pid, drop(found));
        kill_process_group(pid, Signal::KILL).expect("it runs");
        first.end().await;
        assert!(Process::left_behind(&file).is_none(), "another process of that number is not it");
    }
}
