//! The connection to one ComfyUI server: an actor that owns its WebSocket, its prompts and its capabilities.
//!
//! - `ports`: what it needs from the platform, and its limits
//! - `state`: the pure decisions
//! - `files`: implements the port for files
//! - `actor`: the live side
//! - `link`, `socket`, `probe`, `upload`, `locate`, `collect`: the asynchronous parts that the actor starts
//! - `pictures`: pictures that arrive over the socket only
//! - `outage`: waiting for an unavailable storage
//! - `task_message`: messages from those tasks to the actor

pub mod actor;
mod collect;
mod files;
mod link;
mod locate;
mod outage;
mod pictures;
pub mod ports;
mod probe;
mod socket;
pub mod state;
mod task_message;
#[cfg(test)]
mod tests;
mod upload;

pub use actor::{Command, Worker};
pub use ports::{Files, FilesError, Limits, OpenFile, OwnershipCheck, Pace, Ports, Settings, StoredFile, WorkerRoutes};
