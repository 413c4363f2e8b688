//! `verdigraph-load`: load scenarios and crash drills against a platform of their own.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use verdigraph_load::{platform, worker};

#[derive(Debug, Parser)]
#[command(name = "verdigraph-load", about = "Load scenarios and crash drills of Verdigraph")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// A scripted ComfyUI worker; scenarios start these themselves.
    #[command(name = worker::COMMAND, hide = true)]
    Worker(worker::Worker),
    /// Clears up after a run; scenarios start this themselves.
    #[command(name = platform::ATTEND, hide = true)]
    Attend,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Worker(args) => worker::serve(&args),
        Command::Attend => {
            platform::attend(std::io::stdin().lock());
            Ok(())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
