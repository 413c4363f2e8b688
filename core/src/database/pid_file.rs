//! The status file of a PostgreSQL server.

use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Pid, test_kill_process};

use super::location::failed;
use crate::error::{Error, Result};

/// How long a server may take to start.
pub(super) const READY_WITHIN: Duration = Duration::from_secs(120);
/// How often the status file is read while the server starts or stops.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(10);

/// The server of this cluster, if it runs. The status file of a killed server is removed.
pub(super) fn running(cluster: &Path) -> Result<Option<(Pid, u16)>> {
    let until = Instant::now() + READY_WITHIN;
    while let Some(state) = PidFile::read(cluster) {
        if !is_alive(state.pid) || !is_postgres(state.pid) {
            let file = cluster.join("postmaster.pid");
            return match std::fs::remove_file(&file) {
                Err(error) if error.kind() != ErrorKind::NotFound => Err(failed("remove", &file)(error)),
                _ => Ok(None),
            };
        }
        if state.ready {
            return Ok(Some((state.pid, state.port)));
        }
        if Instant::now() > until {
            return Err(Error::Internal(format!(
                "embedded database: process {} has the cluster {} and does not get ready",
                state.pid.as_raw_nonzero(),
                cluster.display()
            )));
        }
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(None)
}

/// The status file: process id in line 1, port in line 4, status in line 8.
pub(super) struct PidFile {
    pub pid: Pid,
    pub port: u16,
    pub ready: bool,
}

impl PidFile {
    pub fn read(cluster: &Path) -> Option<Self> {
        Self::parse(&std::fs::read_to_string(cluster.join("postmaster.pid")).ok()?)
    }

    pub fn parse(text: &str) -> Option<Self> {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        Some(Self {
            pid: Pid::from_raw(lines.first()?.parse().ok()?)?,
            port: lines.get(3).and_then(|port| port.parse().ok()).unwrap_or(0),
            ready: lines.get(7) == Some(&"ready"),
        })
    }
}

pub(super) fn is_alive(pid: Pid) -> bool {
    test_kill_process(pid) != Err(rustix::io::Errno::SRCH)
}

/// Whether the process is a PostgreSQL server. Only Linux can tell; elsewhere it is assumed.
fn is_postgres(pid: Pid) -> bool {
    match std::fs::read_to_string(format!("/proc/{}/comm", pid.as_raw_nonzero())) {
        Ok(name) => matches!(name.trim(), "postgres" | "postmaster"),
        Err(_) => true,
    }
}
