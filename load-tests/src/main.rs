//! `verdigraph-load`: load scenarios and crash drills against a platform of their own.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use verdigraph_load::{Error, Result, platform, scenarios, worker};

#[derive(Debug, Parser)]
#[command(name = "verdigraph-load", about = "Load scenarios and crash drills of Verdigraph")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Kills processes while jobs run, and checks that nothing was lost, doubled or left held.
    Crash(scenarios::crash::Crash),
    /// A scripted ComfyUI worker; scenarios start these themselves.
    #[command(name = worker::COMMAND, hide = true)]
    Worker(worker::Worker),
    /// Clears up after a run; scenarios start this themselves.
    #[command(name = platform::ATTEND, hide = true)]
    Attend,
}

fn main() -> ExitCode {
    perform(Cli::parse().command).unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}

fn perform(command: Command) -> Result<ExitCode> {
    match command {
        Command::Worker(args) => worker::serve(&args).map(|()| ExitCode::SUCCESS),
        Command::Attend => {
            platform::attend(std::io::stdin().lock());
            Ok(ExitCode::SUCCESS)
        }
        Command::Crash(args) => in_runtime(scenarios::crash::run(&args)),
    }
}

/// Runs a scenario until its end or Ctrl-C, which drops it, and with it all that it started.
fn in_runtime(scenario: impl Future<Output = Result<ExitCode>>) -> Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        tokio::select! {
            done = scenario => done,
            _ = platform::interrupted() => Err(Error::Other("interrupted".to_owned())),
        }
    })
}
