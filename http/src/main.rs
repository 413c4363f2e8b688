//! The `verdigraph` binary.

use std::process::ExitCode;

use clap::Parser as _;
use verdigraph_http::cli::{self, Cli};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    verdigraph_workers::cpu::budget::release_early();
    // TLS clients of PostgreSQL, Redis, S3 and ComfyUI use the installed provider.
    if rustls::crypto::ring::default_provider().install_default().is_err() {
        eprintln!("error: a TLS provider is already installed");
        return ExitCode::FAILURE;
    }
    let cli = Cli::parse();
    actix_rt::System::new().block_on(cli::perform(cli))
}
