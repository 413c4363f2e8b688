//! ComfyUI's protocol from the client's side: HTTP calls, WebSocket messages, history entries and outputs.
//!
//! - `json`: parses the output of Python's encoder (with `NaN` and lone surrogates)
//! - `message`: WebSocket messages
//! - `frame`: writes binary WebSocket messages
//! - `history`: queue and history entries
//! - `output`: files and texts of nodes
//! - `client`: HTTP calls
//! - `transport`, `body`, `failure`: connections, bodies and errors of calls
//!
//! This module keeps no state: decisions are in `connection::state`.

mod body;
pub mod client;
mod failure;
pub mod frame;
pub mod history;
pub mod json;
pub mod message;
pub mod output;
mod transport;

pub use client::{Client, PostAnswer, PromptRequest};
pub use failure::Failure;
pub use history::{HistoryEntry, PromptEnd, QueueView};
pub use message::{Malformed, NodeStep, ServerMessage};
pub use output::FileRef;
pub use transport::{Timeouts, transport};
