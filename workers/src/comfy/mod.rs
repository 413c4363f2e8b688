//! ComfyUI's protocol as its client sees it: HTTP calls, WebSocket messages, history entries and outputs.
//!
//! - `json`: reading what Python's encoder writes (`NaN` and lone surrogates too)
//! - `message`: what arrives on the WebSocket
//! - `history`: where a prompt is (queue) and how it ended (history)
//! - `output`: the files and texts that nodes gave
//! - `client`: the HTTP calls
//!
//! Nothing here keeps state: decisions are in `connection::state`.

pub mod client;
pub mod history;
pub mod json;
pub mod message;
pub mod output;

pub use client::{Client, Failure, PostAnswer, PromptRequest, Timeouts};
pub use history::{End, Ended, QueueView};
pub use message::{Malformed, NodeStep, ServerMessage};
pub use output::FileRef;
