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
use verdigraph_core::settings::{Log, LogFormat};

use crate::node::NodeError;

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
    /// Serve everything on one node: pages, API, queue, and a worker.
    Serve(serve::Serve),
    /// Serve ComfyUI's protocol over the built-in CPU nodes alone.
    Worker(worker::Worker),
    /// Connect the ComfyUI server of this machine to an installation, from inside.
    Agent(verdigraph_agent::Agent),
    /// Make and revoke the tokens that let agents in.
    #[command(subcommand)]
    AgentToken(agents::AgentToken),
    /// Submit a workflow or a mini app to a server and save what it makes.
    Run(run::Run),
    /// Fill an empty installation, whose server runs, with demo accounts, mini apps and pictures.
    Demo(demo::Demo),
    /// Bring the tables of the database up to date.
    Migrate(upkeep::Installation),
    /// Derive balances again, as far as they have moved since the last audit, and print any difference.
    Audit(upkeep::Audit),
    /// Compare what is kept with what should be.
    #[command(subcommand)]
    Doctor(upkeep::Doctor),
    /// Look after people.
    #[command(subcommand)]
    User(upkeep::User),
    /// Print the API's OpenAPI description.
    Openapi,
    /// Work on one picture for a node, which started this.
    #[command(hide = true)]
    Picture,
}

/// Does what the command line says.
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
        Command::Picture => match verdigraph_core::assets::work() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        },
    }
}

/// Begins to log as the settings say, to standard error: standard output is for results.
fn log(settings: &Log) -> Result<(), NodeError> {
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

/// The log's filter: what the settings say, and nothing of what strangers send that is no HTTP. The server's library logs
/// each such request as an error of ours, and it has been answered with 400 by then.
fn filter(settings: &str) -> String {
    match settings.contains(MALFORMED) {
        true => settings.to_owned(),
        false => format!("{settings},{MALFORMED}=off"),
    }
}

/// Where the server's library logs requests that it cannot read.
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
