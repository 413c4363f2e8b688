//! The `verdigraph` binary.

use std::process::ExitCode;

use clap::Parser as _;
use verdigraph_http::cli::{self, Cli};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Which option of the allocator says for how long freed memory is kept for its next use (`mi_option_purge_delay`).
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;
/// In milliseconds; a second is the allocator's own choice. What one large file leaves is gone before the next has come.
const PURGED_AFTER: std::ffi::c_long = 10;

fn main() -> ExitCode {
    // SAFETY: the option is a number of its own, and may be set at any time.
    #[expect(unsafe_code, reason = "the allocator's options have no safe binding")]
    unsafe {
        libmimalloc_sys::mi_option_set(PURGE_DELAY, PURGED_AFTER);
    }
    // Every TLS client of the process (PostgreSQL, Redis, S3, ComfyUI) asks for the installed provider.
    if rustls::crypto::ring::default_provider().install_default().is_err() {
        eprintln!("error: a TLS provider was installed twice");
        return ExitCode::FAILURE;
    }
    let cli = Cli::parse();
    actix_rt::System::new().block_on(cli::perform(cli))
}
