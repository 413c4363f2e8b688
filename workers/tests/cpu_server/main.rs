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
