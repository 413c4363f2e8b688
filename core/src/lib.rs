//! Verdigraph's domain: people, credits, files, workflows, mini apps, workers and jobs.
//!
//! One folder per noun ("room"); a room calls only rooms that stand before it in the list of
//! `tests/tidy.rs`, and only through their `mod.rs`. Nothing here knows an HTTP route or a ComfyUI message.

pub mod caller;
pub mod clock;
pub mod database;
pub mod error;
pub mod events;
pub mod ids;
pub mod settings;
#[cfg(feature = "testing")]
pub mod testing;

pub mod graph;

pub mod users;
pub mod ledger;
pub mod assets;
pub mod workflows;
pub mod mini_apps;
pub mod gallery;
pub mod fleet;
pub mod jobs;

pub use caller::Caller;
pub use clock::Clock;
pub use error::{Error, Kind, Result};
