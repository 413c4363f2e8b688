//! Messages of workers for the clients that submitted the prompts.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

/// A message of a worker about a running prompt, for the client that submitted it. The core passes it on unread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientMessage {
    /// The type in the worker's protocol: `executed`.
    pub kind: String,
    pub retention: Retention,
    /// The JSON of its data, or the bytes of a binary message.
    pub body: Bytes,
}

/// How long a message is of use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Retention {
    /// Until the prompt ends: clients that reconnect get it again.
    Kept,
    /// Until the next message of its type.
    Latest,
    /// Only for connected clients. The first to be dropped under load.
    Passing,
}
