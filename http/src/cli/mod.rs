//! The command line: one binary, several roles.

mod agents;
mod client;
pub mod demo;
mod failure;
pub mod run;
pub mod serve;
pub mod upkeep;
pub mod worker;

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;
use verdigraph_core::settings::{LogFormat, LogSettings};

use crate::node::NodeError;

/// Verdigraph: runs ComfyUI workflows for people and programs.
#[derive(Debug, Parser)]
#[command(name = "verdigraph", version, propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// Subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve everything on one node: pages, API, queue, and a worker.
    Serve(serve::Serve),
    /// Serve ComfyUI's protocol with the built-in CPU nodes only.
    Worker(worker::Worker),
    /// Connect the ComfyUI server of this machine to an installation, from inside.
    Agent(verdigraph_agent::Agent),
    /// Create and revoke tokens of agents.
    #[command(subcommand)]
    AgentToken(agents::AgentToken),
    /// Submit a workflow or a mini app to a server and save its outputs.
    Run(run::Run),
    /// Fill an empty installation, whose server is running, with demo accounts, mini apps and pictures.
    Demo(demo::Demo),
    /// Migrate the database.
    Migrate(upkeep::Installation),
    /// Recompute balances that changed since the last audit, and print any difference.
    Audit(upkeep::Audit),
    /// Compare stored files with the database.
    #[command(subcommand)]
    Doctor(upkeep::Doctor),
    /// Manage users.
    #[command(subcommand)]
    User(upkeep::User),
    /// Print the OpenAPI document.
    Openapi,
    /// Process one picture for the node that started this process.
    #[command(hide = true)]
    Picture,
}

/// Runs the command.
pub async fn perform(cli: Cli) -> ExitCode {
    match cli.command {
        Command::Serve(args) => serve::run(args).await,
        Command::Worker(args) => worker::run(args).await,
        Command::Agent(args) => verdigraph_agent::run(args).await,
        Command::AgentToken(command) => agents::perform(command).await,
        Command::Run(args) => run::run(args).await,
        Command::Demo(args) => demo::run(args).await,
        Command::Migrate(installation) => upkeep::migrate(installation).await,
        Command::Audit(args) => upkeep::audit(args).await,
        Command::Doctor(command) => upkeep::doctor(command).await,
        Command::User(command) => upkeep::user(command).await,
        Command::Openapi => {
            print!("{}", crate::openapi::json());
            ExitCode::SUCCESS
        }
        Command::Picture => match verdigraph_core::assets::run_sandbox() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        },
    }
}

/// Starts logging to standard error: standard output is for results.
fn log(settings: &LogSettings) -> Result<(), NodeError> {
    let filter = EnvFilter::try_new(filter(&settings.filter))
        .map_err(|error| NodeError::Other(format!("log.filter: {error}")))?;
    let colours = std::io::stderr().is_terminal();
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colours).with_writer(std::io::stderr);
    let begun = match settings.format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    begun.map_err(|error| NodeError::Other(format!("cannot log: {error}")))
}

/// The settings' log filter, without malformed requests. actix logs each of them as an error of ours, although it has
/// answered 400.
fn filter(settings: &str) -> String {
    match settings.contains(MALFORMED) {
        true => settings.to_owned(),
        false => format!("{settings},{MALFORMED}=off"),
    }
}

/// Where actix logs malformed requests.
const MALFORMED: &str = "actix_http::h1::dispatcher";

/// Waits for Ctrl-C or a termination signal.
async fn signaled() {
    let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}
