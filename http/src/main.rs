//! The `verdigraph` binary.

use std::process::ExitCode;

use clap::Parser as _;
use verdigraph_http::cli::{self, Cli};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// mimalloc's option `mi_option_purge_delay`: how long freed memory is kept for reuse.
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;
/// In milliseconds instead of mimalloc's second, so that a large file's memory is released before the next one.
const PURGE_DELAY_MS: std::ffi::c_long = 10;

fn main() -> ExitCode {
    // SAFETY: options are independent numbers that may be set at any time.
    #[expect(unsafe_code, reason = "the allocator's options have no safe binding")]
    unsafe {
        libmimalloc_sys::mi_option_set(PURGE_DELAY, PURGE_DELAY_MS);
    }
    // TLS clients of PostgreSQL, Redis, S3 and ComfyUI use the installed provider.
    if rustls::crypto::ring::default_provider().install_default().is_err() {
        eprintln!("error: a TLS provider is already installed");
        return ExitCode::FAILURE;
    }
    let cli = Cli::parse();
    actix_rt::System::new().block_on(cli::perform(cli))
}
