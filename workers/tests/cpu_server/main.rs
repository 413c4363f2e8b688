//! Tests the CPU worker's protocol over real sockets, one file per module of the server.

mod clients;
mod endpoints;
mod files;
mod harness;
mod jobs;
mod memory;
mod nodes;
mod prompts;
mod validation;

/// The program's allocator: another one keeps other memory (`memory`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
