//! The scenarios. Each starts what it needs, measures, checks and reports.

pub mod app_checks;
pub mod audit;
pub mod batch;
pub mod community;
pub mod crash;
pub mod dispatch;
mod drill;
pub mod end_to_end;
pub mod feed;
pub mod flex;
pub mod floor;
mod follow;
pub mod gaps;
pub mod mixed;
pub mod money;
pub mod nodes;
pub mod quotes;
pub mod sdk;
mod site;
pub mod soak;
pub mod submit;
pub mod webhooks;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use crate::error::{Error, Result};
use crate::platform::{Binary, Shape};
use crate::report::Output;

/// Options of every scenario.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Common {
    /// Load the server at this address (http://127.0.0.1:PORT) instead of a private one; needs --keys
    #[arg(long, value_name = "URL", requires = "keys")]
    pub server: Option<String>,
    /// API keys for --server, one per line, with enough credits for the run
    #[arg(long, value_name = "FILE", requires = "server")]
    pub keys: Option<PathBuf>,
    /// The measured time of each run
    #[arg(long)]
    pub seconds: Option<u64>,
    /// Connections that submit
    #[arg(long)]
    pub connections: Option<usize>,
    /// The seed of random choices; a run prints its own
    #[arg(long)]
    pub seed: Option<u64>,
    /// A short run that checks behavior instead of speed; nothing is stored
    #[arg(long)]
    pub quick: bool,
    /// Use the existing debug build of the server
    #[arg(long, conflicts_with = "binary")]
    pub debug: bool,
    /// Use this build of the server
    #[arg(long, value_name = "FILE")]
    pub binary: Option<PathBuf>,
}

impl Common {
    /// A platform with this many scripted workers, run by the selected build.
    pub fn shape(&self, workers: usize) -> Result<Shape> {
        let binary = match &self.binary {
            Some(file) => Binary::At(file.clone()),
            None if self.debug => Binary::Debug,
            None => Binary::Release,
        };
        Shape::new(binary, workers)
    }

    /// The measured time: `--seconds`, or this default.
    #[must_use]
    pub fn length(&self, seconds: u64) -> Duration {
        Duration::from_secs(self.seconds.unwrap_or(seconds).max(1))
    }

    /// Only complete runs of a release build on a private platform are stored.
    #[must_use]
    pub fn output(&self) -> Output {
        let is_whole = !self.quick && !self.debug && self.binary.is_none() && self.server.is_none();
        if is_whole { Output::Stored } else { Output::PrintedOnly }
    }

    /// Whether speed is judged. Quick runs and debug builds only check behavior.
    #[must_use]
    pub fn measures_speed(&self) -> bool {
        !self.quick && !self.debug
    }

    /// The address of `--server`.
    pub fn address(&self) -> Result<Option<SocketAddr>> {
        self.server.as_deref().map(address).transpose()
    }

    /// Rejects `--server` for a scenario that needs its own workers.
    pub fn must_be_own(&self, why: &str) -> Result<()> {
        match self.server {
            Some(_) => Err(Error::Other(format!("--server cannot be used here: {why}"))),
            None => Ok(()),
        }
    }
}

/// Parses a base URL into a socket address.
pub fn address(url: &str) -> Result<SocketAddr> {
    let wrong = || Error::Other(format!("{url} is not of the form http://127.0.0.1:PORT"));
    let rest = url.strip_prefix("http://").ok_or_else(wrong)?.trim_end_matches('/');
    let rest = rest.strip_prefix("localhost").map_or_else(|| rest.to_owned(), |port| format!("127.0.0.1{port}"));
    let address: SocketAddr = rest.parse().map_err(|_| wrong())?;
    if address.ip().is_loopback() { Ok(address) } else { Err(wrong()) }
}

/// Raises the limit of open files of this process and its children to the maximum.
pub fn allow_files(needed: u64) -> Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    // The result is checked below.
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
    fn load_is_restricted_to_loopback() {
        assert_eq!(address("http://localhost:8080/").expect("an address").to_string(), "127.0.0.1:8080");
        assert_eq!(address("http://[::1]:8080").expect("an address").to_string(), "[::1]:8080");
        for url in ["http://192.0.2.1:80", "https://127.0.0.1:1", "http://example.com:80", "127.0.0.1:80"] {
            assert!(address(url).is_err(), "{url} was taken");
        }
    }
}
