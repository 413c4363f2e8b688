//! A process that outlives a run and cleans up after it, however the run ended.
//!
//! It reads lines from a pipe that only the run holds open: `kill PID` and `quit PID` register processes to end, `gone
//! PID` unregisters one, `remove PATH` registers a folder. It acts when the pipe closes, even after `kill -9` of the
//! run.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::error::{Error, Result};

/// The command-line name of this process.
pub const COMMAND: &str = "attend";
/// How long to wait for killed processes before their folders are removed.
const GONE_TIMEOUT: Duration = Duration::from_secs(10);
const POLL_EVERY: Duration = Duration::from_millis(20);

/// The run's end of the pipe.
#[derive(Debug)]
pub struct CleanupProcess {
    child: Child,
    pipe: Mutex<Option<ChildStdin>>,
}

/// The signal for a process when the run is over.
#[derive(Debug, Clone, Copy)]
pub enum EndSignal {
    Kill,
    /// `SIGQUIT`, with which PostgreSQL's postmaster ends its children.
    Quit,
}

impl CleanupProcess {
    /// Starts the process from this `program`.
    pub fn start(program: &Path) -> Result<Self> {
        use std::os::unix::process::CommandExt;
        let mut child = Command::new(program)
            .arg(COMMAND)
            // Does not receive Ctrl-C; it ends after the run.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .map_err(Error::doing("cannot start the cleanup process"))?;
        let pipe = Mutex::new(child.stdin.take());
        Ok(Self { child, pipe })
    }

    /// Registers a process to end with the run.
    pub fn watch(&self, pid: u32, ending: EndSignal) {
        let word = match ending {
            EndSignal::Kill => "kill",
            EndSignal::Quit => "quit",
        };
        self.send(&format!("{word} {pid}"));
    }

    /// Unregisters an ended process, whose pid may be reused.
    pub fn forget(&self, pid: u32) {
        self.send(&format!("gone {pid}"));
    }

    /// Registers a folder to remove with the run.
    pub fn remove(&self, folder: &Path) {
        self.send(&format!("remove {}", folder.display()));
    }

    fn send(&self, line: &str) {
        if let Some(pipe) = self.pipe.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            // If the process has died, the run still ends its own children.
            drop(writeln!(pipe, "{line}"));
        }
    }
}

impl Drop for CleanupProcess {
    fn drop(&mut self) {
        drop(self.pipe.lock().unwrap_or_else(PoisonError::into_inner).take());
        drop(self.child.wait());
    }
}

/// A registered task.
#[derive(Debug, Clone, PartialEq, Eq)]
enum CleanupTask {
    End(i32, Signal),
    Remove(PathBuf),
}

/// Runs the process: reads lines until the pipe closes, then ends processes and removes folders.
pub fn attend(lines: impl BufRead) {
    let mut tasks = Vec::new();
    for line in lines.lines().map_while(std::io::Result::ok) {
        note(&mut tasks, &line);
    }
    let pid = |task: &CleanupTask| match task {
        CleanupTask::End(pid, _) => Pid::from_raw(*pid),
        CleanupTask::Remove(_) => None,
    };
    for task in &tasks {
        if let (CleanupTask::End(_, signal), Some(pid)) = (task, pid(task)) {
            let _gone = kill_process(pid, *signal);
        }
    }
    let until = Instant::now() + GONE_TIMEOUT;
    while tasks.iter().filter_map(pid).any(|pid| test_kill_process(pid).is_ok()) && Instant::now() < until {
        std::thread::sleep(POLL_EVERY);
    }
    for task in &tasks {
        if let CleanupTask::Remove(folder) = task {
            drop(std::fs::remove_dir_all(folder));
        }
    }
}

fn note(tasks: &mut Vec<CleanupTask>, line: &str) {
    let Some((word, rest)) = line.split_once(' ') else { return };
    let pid = rest.parse().ok().filter(|pid: &i32| *pid > 1);
    match (word, pid) {
        ("kill", Some(pid)) => tasks.push(CleanupTask::End(pid, Signal::KILL)),
        ("quit", Some(pid)) => tasks.push(CleanupTask::End(pid, Signal::QUIT)),
        ("gone", Some(pid)) => tasks.retain(|task| !matches!(task, CleanupTask::End(known, _) if *known == pid)),
        ("remove", _) => tasks.push(CleanupTask::Remove(PathBuf::from(rest))),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn leftovers_are_killed_and_removed_but_not_ended_processes() {
        let folder = tempfile::tempdir().expect("a folder").keep();
        let sleeper = || Command::new("sleep").arg("60").spawn().expect("a process");
        let (mut left, mut spared) = (sleeper(), sleeper());
        let text = format!(
            "kill {left}\nkill {spared}\ngone {spared}\nremove {folder}\nnonsense\nkill 1\nkill x\n",
            left = left.id(),
            spared = spared.id(),
            folder = folder.display()
        );
        // The killed process stays a zombie until it is waited for.
        let waiting = std::thread::spawn(move || left.wait());
        attend(Cursor::new(text));
        assert!(!waiting.join().expect("no panic").expect("it has ended").success());
        assert!(spared.try_wait().expect("an answer").is_none(), "its number may be another process's by now");
        assert!(!folder.exists());
        spared.kill().expect("a kill");
        spared.wait().expect("its end");
    }
}
