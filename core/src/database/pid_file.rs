//! The status file of a PostgreSQL server.

use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::{Pid, test_kill_process};

use super::location::failed;
use crate::error::{Error, Result};

/// How long a server may take to start.
pub(super) const READY_WITHIN: Duration = Duration::from_secs(120);
/// How often the status file is read while the server starts or stops.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(10);

/// The server of this cluster, if it runs. The status file of a killed server is removed.
///
/// # Errors
/// If the cluster was copied while its server ran, because the copy's status file names the server of the original; if
/// the server does not get ready.
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
        if !serves(&state, cluster) {
            return Err(Error::Internal(format!(
                "embedded database: {} was copied while process {} served {}; stop that installation, and copy its \
                 folder again",
                cluster.display(),
                state.pid.as_raw_nonzero(),
                state.folder.display()
            )));
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

/// The status file: process id in line 1, the cluster's folder in line 2, port in line 4, status in line 8.
pub(super) struct PidFile {
    pub pid: Pid,
    pub folder: PathBuf,
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
            folder: lines.get(1).copied().unwrap_or_default().into(),
            port: lines.get(3).and_then(|port| port.parse().ok()).unwrap_or(0),
            ready: lines.get(7) == Some(&"ready"),
        })
    }
}

pub(super) fn is_alive(pid: Pid) -> bool {
    test_kill_process(pid) != Err(rustix::io::Errno::SRCH)
}

/// Whether the process is a PostgreSQL server that has not ended. Only Linux can tell; elsewhere it is assumed.
fn is_postgres(pid: Pid) -> bool {
    match std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())) {
        // `4711 (postgres) S …`; Z is the state of one whose parent has not waited for it.
        Ok(stat) => {
            let name = stat.split_once('(').and_then(|(_, rest)| rest.rsplit_once(") "));
            name.is_some_and(|(name, state)| matches!(name, "postgres" | "postmaster") && !state.starts_with('Z'))
        }
        Err(_) => true,
    }
}

/// Whether the server's working directory is this cluster. Where that cannot be read, the status file names the folder; a
/// folder that is gone was renamed to the cluster.
fn serves(state: &PidFile, cluster: &Path) -> bool {
    let folder = std::fs::metadata(format!("/proc/{}/cwd", state.pid.as_raw_nonzero()))
        .or_else(|_| std::fs::metadata(&state.folder));
    match (folder, std::fs::metadata(cluster)) {
        (Ok(folder), Ok(cluster)) => (folder.dev(), folder.ino()) == (cluster.dev(), cluster.ino()),
        (Err(error), _) => error.kind() == ErrorKind::NotFound,
        (Ok(_), Err(_)) => false,
    }
}
