//! The agent for a ComfyUI server: connects it to the platform through an outgoing connection, so that its machine
//! needs no open port, restarts it when it hangs, and cleans its folders.
//!
//! - `protocol`: messages between agent and platform, and forwarding of connections
//! - `options`: the command line
//! - `identity`: the agent's identity
//! - `tunnel`: the connection to the platform
//! - `server`: requests to the ComfyUI server
//! - `guard`: monitoring and restarting it
//! - `clean`: deleting old files
//! - `facts`: facts about the machine
//!
//! Its only state is the identity and the pid of the process that it started.

mod clean;
mod facts;
mod guard;
mod identity;
mod options;
pub mod protocol;
mod run;
mod server;
mod tunnel;

use std::process::ExitCode;

pub use options::Agent;
pub use run::run;

/// Writes a log line to stderr. Ignores errors, so that a closed log does not end the agent.
fn log(text: &str) {
    use std::io::Write as _;
    drop(writeln!(std::io::stderr(), "{text}"));
}

fn fail(error: &str) -> ExitCode {
    log(&format!("error: {error}"));
    ExitCode::FAILURE
}
