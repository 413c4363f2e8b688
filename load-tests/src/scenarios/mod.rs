//! The scenarios: each starts what it needs, measures, checks, and reports.

pub mod audit;
pub mod batch;
pub mod community;
pub mod crash;
pub mod dispatch;
mod drill;
pub mod end_to_end;
pub mod floor;
mod follow;
pub mod gaps;
pub mod mixed;
pub mod nodes;
mod site;
pub mod soak;
pub mod submit;
pub mod webhooks;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use crate::error::{Error, Result};
use crate::platform::{Binary, Shape};
use crate::report::Keep;

/// What every scenario is told.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Common {
    /// Loads the server at this address (http://127.0.0.1:PORT) instead of one of its own; needs --keys
    #[arg(long, value_name = "URL", requires = "keys")]
    pub server: Option<String>,
    /// API keys for --server, one a line, with credits enough for the run
    #[arg(long, value_name = "FILE", requires = "server")]
    pub keys: Option<PathBuf>,
    /// The measured time of each run
    #[arg(long)]
    pub seconds: Option<u64>,
    /// Connections that submit
    #[arg(long)]
    pub connections: Option<usize>,
    /// What random choices are drawn with; a run prints its own
    #[arg(long)]
    pub seed: Option<u64>,
    /// A short form that checks behaviour and not speed; nothing is kept
    #[arg(long)]
    pub quick: bool,
    /// Takes the debug build of the server that is there
    #[arg(long, conflicts_with = "binary")]
    pub debug: bool,
    /// Takes this build of the server
    #[arg(long, value_name = "FILE")]
    pub binary: Option<PathBuf>,
}

impl Common {
    /// A platform's shape with so many good workers, run by the build that was asked for.
    ///
    /// # Errors
    /// This program's file cannot be found.
    pub fn shape(&self, workers: usize) -> Result<Shape> {
        let binary = match &self.binary {
            Some(file) => Binary::At(file.clone()),
            None if self.debug => Binary::Debug,
            None => Binary::Release,
        };
        Shape::new(binary, workers)
    }

    /// The measured time, where it was asked for, or else this.
    #[must_use]
    pub fn length(&self, seconds: u64) -> Duration {
        Duration::from_secs(self.seconds.unwrap_or(seconds).max(1))
    }

    /// Only whole runs of a release build on a platform of their own are kept.
    #[must_use]
    pub fn keep(&self) -> Keep {
        let is_whole = !self.quick && !self.debug && self.binary.is_none() && self.server.is_none();
        if is_whole { Keep::Kept } else { Keep::PrintedOnly }
    }

    /// Whether speed is judged: the short form and debug builds show behaviour alone.
    #[must_use]
    pub fn measures_speed(&self) -> bool {
        !self.quick && !self.debug
    }

    /// The address of `--server`.
    ///
    /// # Errors
    /// It is no address of this machine: load is for loopback only.
    pub fn address(&self) -> Result<Option<SocketAddr>> {
        self.server.as_deref().map(address).transpose()
    }

    /// Refuses `--server` for a scenario that watches its own workers.
    ///
    /// # Errors
    /// It was given.
    pub fn must_be_own(&self, why: &str) -> Result<()> {
        match self.server {
            Some(_) => Err(Error::Other(format!("--server cannot be used here: {why}"))),
            None => Ok(()),
        }
    }
}

/// The socket's address of a base URL.
///
/// # Errors
/// It is not `http://ADDRESS:PORT`, or not on loopback.
pub fn address(url: &str) -> Result<SocketAddr> {
    let wrong = || Error::Other(format!("{url} is not of the form http://127.0.0.1:PORT"));
    let rest = url.strip_prefix("http://").ok_or_else(wrong)?.trim_end_matches('/');
    let rest = rest.strip_prefix("localhost").map_or_else(|| rest.to_owned(), |port| format!("127.0.0.1{port}"));
    let address: SocketAddr = rest.parse().map_err(|_| wrong())?;
    if address.ip().is_loopback() { Ok(address) } else { Err(wrong()) }
}

/// Allows this process and its children as many open files as the system lets them have.
///
/// # Errors
/// Fewer than `needed` are allowed.
pub fn allow_files(needed: u64) -> Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    // What is refused shows below.
    let _refused = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    match getrlimit(Resource::Nofile).current {
        Some(allowed) if allowed < needed => {
            Err(Error::Other(format!("this needs {needed} open files and {allowed} are allowed: raise ulimit -n")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn load_stays_on_this_machine() {
        assert_eq!(address("http://localhost:8080/").expect("an address").to_string(), "127.0.0.1:8080");
        assert_eq!(address("http://[::1]:8080").expect("an address").to_string(), "[::1]:8080");
        for url in ["http://192.0.2.1:80", "https://127.0.0.1:1", "http://example.com:80", "127.0.0.1:80"] {
            assert!(address(url).is_err(), "{url} was taken");
        }
    }
}
