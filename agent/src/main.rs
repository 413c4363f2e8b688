//! The `verdigraph-agent` binary: `verdigraph agent` without the rest.

use std::process::ExitCode;

use clap::Parser as _;
use verdigraph_agent::Agent;

/// Connects the ComfyUI server of this machine to Verdigraph.
#[derive(clap::Parser)]
#[command(name = "verdigraph-agent", version)]
struct Cli {
    #[command(flatten)]
    agent: Agent,
}

fn main() -> ExitCode {
    if rustls::crypto::ring::default_provider().install_default().is_err() {
        eprintln!("error: a TLS provider was installed twice");
        return ExitCode::FAILURE;
    }
    let cli = Cli::parse();
    // The agent only waits for I/O: one thread is enough.
    match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(verdigraph_agent::run(cli.agent)),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
