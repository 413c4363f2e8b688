//! One ComfyUI server: an actor that owns its WebSocket, the prompt that it runs and what it can do.
//!
//! - `ports`: what it needs from the platform, and its limits
//! - `state`, `work`: the decisions, pure
//! - `files`: the platform's storage as that
//! - `actor`: the live side
//! - `socket`, `probe`, `locate`, `collect`: the asynchronous parts that the actor starts

pub mod actor;
mod collect;
mod files;
mod locate;
pub mod ports;
mod probe;
mod socket;
pub mod state;
#[cfg(test)]
mod tests;
pub mod work;

pub use actor::{Command, Worker};
pub use ports::{Files, FilesError, Limits, OpenFile, Pace, Ports, Secrets, Settings, StoredFile};
