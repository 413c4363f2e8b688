//! The `verdigraph` binary.

use std::process::ExitCode;

use clap::Parser as _;
use verdigraph_http::cli::{self, Cli};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // Every TLS client of the process (PostgreSQL, Redis, S3, ComfyUI) asks for the installed provider.
    if rustls::crypto::ring::default_provider().install_default().is_err() {
        eprintln!("error: a TLS provider was installed twice");
        return ExitCode::FAILURE;
    }
    let cli = Cli::parse();
    actix_rt::System::new().block_on(cli::perform(cli))
}
