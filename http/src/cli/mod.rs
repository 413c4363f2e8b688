//! The command line: one binary, several roles.

mod client;
mod failure;
pub mod run;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Verdigraph: runs ComfyUI workflows for people and programs.
#[derive(Debug, Parser)]
#[command(name = "verdigraph", version, propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// What the binary is asked to be.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Submit a workflow or a mini app to a server and save what it makes.
    Run(run::Run),
}

/// Does what the command line says.
pub async fn perform(cli: Cli) -> ExitCode {
    match cli.command {
        Command::Run(args) => run::run(args).await,
    }
}
