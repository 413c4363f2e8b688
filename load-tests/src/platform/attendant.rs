//! A process that outlives a run by a moment and clears away what the run left behind, however it ended.
//!
//! It reads lines from a pipe whose other end only the run holds: `kill PID` and `quit PID` name processes to end,
//! `gone PID` one that ended, `remove PATH` a folder. The end of the pipe is the end of the run, `kill -9` included.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::error::{Error, Result};

/// The command line's word for this process.
pub const COMMAND: &str = "attend";
/// How long ended processes may take to go before their folders are removed under them.
const GONE_WITHIN: Duration = Duration::from_secs(10);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The run's end of the pipe.
#[derive(Debug)]
pub struct Attendant {
    child: Child,
    pipe: Mutex<Option<ChildStdin>>,
}

/// How a process is ended when the run is over.
#[derive(Debug, Clone, Copy)]
pub enum Ending {
    /// `SIGKILL`.
    Kill,
    /// `SIGQUIT`, which lets PostgreSQL's first process end the others.
    Quit,
}

impl Attendant {
    /// Starts one; `program` is this program.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(program: &Path) -> Result<Self> {
        use std::os::unix::process::CommandExt;
        let mut child = Command::new(program)
            .arg(COMMAND)
            // Ctrl-C is for the run; this one ends when the run has.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .map_err(Error::doing("cannot start the process that clears up"))?;
        let pipe = Mutex::new(child.stdin.take());
        Ok(Self { child, pipe })
    }

    /// A process that must not outlive the run.
    pub fn watch(&self, pid: u32, ending: Ending) {
        let word = match ending {
            Ending::Kill => "kill",
            Ending::Quit => "quit",
        };
        self.say(&format!("{word} {pid}"));
    }

    /// A process that has ended, whose number may soon be another's.
    pub fn forget(&self, pid: u32) {
        self.say(&format!("gone {pid}"));
    }

    /// A folder that must not outlive the run.
    pub fn remove(&self, folder: &Path) {
        self.say(&format!("remove {}", folder.display()));
    }

    fn say(&self, line: &str) {
        if let Some(pipe) = self.pipe.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            // Where it has died, the run still ends what it started itself.
            drop(writeln!(pipe, "{line}"));
        }
    }
}

impl Drop for Attendant {
    fn drop(&mut self) {
        drop(self.pipe.lock().unwrap_or_else(PoisonError::into_inner).take());
        drop(self.child.wait());
    }
}

/// What one line of the pipe asks for at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Duty {
    End(i32, Signal),
    Remove(PathBuf),
}

/// The process itself: listens until the run is over, then ends and removes what it was told of.
pub fn attend(lines: impl BufRead) {
    let mut duties = Vec::new();
    for line in lines.lines().map_while(std::io::Result::ok) {
        note(&mut duties, &line);
    }
    let pid = |duty: &Duty| match duty {
        Duty::End(pid, _) => Pid::from_raw(*pid),
        Duty::Remove(_) => None,
    };
    for duty in &duties {
        if let (Duty::End(_, signal), Some(pid)) = (duty, pid(duty)) {
            let _gone = kill_process(pid, *signal);
        }
    }
    let until = Instant::now() + GONE_WITHIN;
    while duties.iter().filter_map(pid).any(|pid| test_kill_process(pid).is_ok()) && Instant::now() < until {
        std::thread::sleep(LOOK_EVERY);
    }
    for duty in &duties {
        if let Duty::Remove(folder) = duty {
            drop(std::fs::remove_dir_all(folder));
        }
    }
}

fn note(duties: &mut Vec<Duty>, line: &str) {
    let Some((word, rest)) = line.split_once(' ') else { return };
    let pid = rest.parse().ok().filter(|pid: &i32| *pid > 1);
    match (word, pid) {
        ("kill", Some(pid)) => duties.push(Duty::End(pid, Signal::KILL)),
        ("quit", Some(pid)) => duties.push(Duty::End(pid, Signal::QUIT)),
        ("gone", Some(pid)) => duties.retain(|duty| !matches!(duty, Duty::End(known, _) if *known == pid)),
        ("remove", _) => duties.push(Duty::Remove(PathBuf::from(rest))),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn what_is_left_of_a_run_is_ended_and_removed_and_what_had_ended_is_let_be() {
        let folder = tempfile::tempdir().expect("a folder").keep();
        let sleeper = || Command::new("sleep").arg("60").spawn().expect("a process");
        let (mut left, mut spared) = (sleeper(), sleeper());
        let text = format!(
            "kill {left}\nkill {spared}\ngone {spared}\nremove {folder}\nnonsense\nkill 1\nkill x\n",
            left = left.id(),
            spared = spared.id(),
            folder = folder.display()
        );
        // The one that is killed stays a zombie until it is waited for, so somebody has to.
        let waiting = std::thread::spawn(move || left.wait());
        attend(Cursor::new(text));
        assert!(!waiting.join().expect("no panic").expect("it has ended").success());
        assert!(spared.try_wait().expect("an answer").is_none(), "its number may be another process's by now");
        assert!(!folder.exists());
        spared.kill().expect("a kill");
        spared.wait().expect("its end");
    }
}
