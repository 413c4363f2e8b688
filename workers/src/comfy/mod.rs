//! ComfyUI's protocol as its client sees it: HTTP calls, WebSocket messages, history entries and outputs.
//!
//! - `json`: reading what Python's encoder writes (`NaN` and lone surrogates too)
//! - `message`: what arrives on the WebSocket
//! - `history`: where a prompt is (queue) and how it ended (history)
//! - `output`: the files and texts that nodes gave
//! - `client`: the HTTP calls
//! - `transport`, `body`, `failure`: what a call stands on, what it reads, and why it gave nothing
//!
//! Nothing here keeps state: decisions are in `connection::state`.

mod body;
pub mod client;
mod failure;
pub mod history;
pub mod json;
pub mod message;
pub mod output;
mod transport;

pub use client::{Client, PostAnswer, PromptRequest};
pub use failure::Failure;
pub use history::{End, Ended, QueueView};
pub use message::{Malformed, NodeStep, ServerMessage};
pub use output::FileRef;
pub use transport::{Timeouts, transport};
