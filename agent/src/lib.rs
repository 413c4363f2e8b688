//! The agent beside a ComfyUI server: connects it to the platform from inside, so that its machine needs no open port,
//! restarts it when it hangs, and cleans its folders.
//!
//! - `protocol`: what agent and platform say to each other, and how bytes of connections travel between them
//! - `options`: the command line
//! - `identity`: who this agent is
//! - `tunnel`: the connection to the platform
//! - `server`: the ComfyUI server, asked
//! - `guard`: when it is restarted, and that
//! - `clean`: its folders
//! - `facts`: what the machine has
//!
//! It keeps nothing but its identity and the number of the process that it started.

mod clean;
mod facts;
mod guard;
mod identity;
mod live;
mod options;
pub mod protocol;
mod server;
mod tunnel;

use std::process::ExitCode;

pub use live::run;
pub use options::Agent;

/// Says something to whoever reads the log. A log that nobody takes any more ends nothing.
fn say(text: &str) {
    use std::io::Write as _;
    drop(writeln!(std::io::stderr(), "{text}"));
}

fn fail(error: &str) -> ExitCode {
    say(&format!("error: {error}"));
    ExitCode::FAILURE
}
