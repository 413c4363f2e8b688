//! One ComfyUI server: an actor that owns its WebSocket, the prompt that it runs and what it can do.
//!
//! - `ports`: what it needs from the platform, and its limits
//! - `state`: the decisions, pure
//! - `files`: the platform's storage as that
//! - `actor`: the live side
//! - `link`, `socket`, `probe`, `upload`, `locate`, `collect`: the asynchronous parts that the actor starts
//! - `pictures`: what comes over the socket alone
//! - `outage`: how they wait for a storage that is away
//! - `told`: what those tell it

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
#[cfg(test)]
mod tests;
mod told;
mod upload;

pub use actor::{Command, Worker};
pub use ports::{Files, FilesError, Limits, OpenFile, Pace, Ports, Secrets, Settings, StoredFile};
