//! What agent and platform say to each other.
//!
//! The agent opens a WebSocket at [`PATH`] with its token in [`TOKEN_HEADER`]. Texts are messages of this file; the first
//! is [`Hello`], and the platform's answer to it is [`FromPlatform::Welcome`] or [`FromPlatform::Refused`]. Binary frames are the bytes of
//! one HTTP/2 connection, whose client is the platform: each of its streams is one TCP connection to the ComfyUI server
//! beside the agent, and to nothing else. HTTP/2 has what this needs: streams, flow control, pings and bounds.

use std::future::poll_fn;

use bytes::{Bytes, BytesMut};
use h2::{Reason, RecvStream, SendStream};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Where agents connect to, after the platform's address.
pub const PATH: &str = "/api/agent";
/// The header with the agent's token.
pub const TOKEN_HEADER: &str = "agent-token";
/// The version of these messages; a platform that speaks another one says so.
pub const VERSION: u32 = 1;
/// The longest text, and the longest binary frame.
pub const MAX_FRAME_BYTES: usize = 1 << 20;
/// Connections to one ComfyUI server at a time.
pub const MAX_STREAMS: u32 = 64;
/// What may be on its way in one connection, and in all of a tunnel, before the other side has taken it: this is also
/// what one agent can have in the platform's memory.
pub const STREAM_WINDOW: u32 = 1 << 20;
pub const TUNNEL_WINDOW: u32 = 8 << 20;
/// Headers of a stream are few.
pub const MAX_HEADER_BYTES: u32 = 16 << 10;
/// Bytes between a WebSocket and the HTTP/2 connection inside it.
pub const BETWEEN_BYTES: usize = 256 << 10;
/// How many model files are told.
pub const MAX_MODELS: usize = 2000;

/// What an agent says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum FromAgent {
    Hello(Box<Hello>),
    /// The machine has other things than before.
    Facts(Box<Facts>),
    /// What is with the server, for operators; `None` when all is well again.
    Note {
        text: Option<String>,
    },
    /// It is about to end: nothing new, please.
    Leaving,
}

/// Who connects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hello {
    pub protocol: u32,
    /// The worker's name.
    pub name: String,
    /// The pool that it works in; may be left out where the token has one alone.
    pub pool: Option<String>,
    /// A secret of this agent, by which it is known again; nobody else gets its name.
    pub identity: String,
    /// Another one for each process of it.
    pub run: String,
    pub facts: Facts,
}

/// What the machine has, as far as the agent knows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Facts {
    pub agent_version: String,
    pub os: Option<String>,
    pub driver: Option<String>,
    pub comfyui_version: Option<String>,
    pub gpus: Vec<Gpu>,
    pub models: Vec<Model>,
}

/// One device of the ComfyUI server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gpu {
    pub name: String,
    pub vram_bytes: u64,
}

/// One model file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Model {
    /// Its place below the models' folder: `checkpoints/sd.safetensors`.
    pub name: String,
    pub size_bytes: u64,
}

/// What the platform says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum FromPlatform {
    /// The worker is there; HTTP/2 begins.
    #[serde(rename_all = "camelCase")]
    Welcome {
        /// A server that runs a job and answers nothing for so long is given up.
        #[serde(default)]
        silent_seconds: Option<u64>,
    },
    /// Not like this; the reason is for the operator.
    Refused { reason: String },
    /// This node stops: connect again, to another one.
    Elsewhere,
}

/// Carries the bytes of one TCP connection through one stream, both ways, until both have ended or one has failed.
/// `first` was read from the connection before.
pub async fn carry(tcp: TcpStream, first: Bytes, mut send: SendStream<Bytes>, mut receive: RecvStream) {
    let (mut reads, mut writes) = tcp.into_split();
    let out = async {
        let mut piece = BytesMut::from(first.as_ref());
        loop {
            if !piece.is_empty() {
                push(&mut send, piece.split().freeze()).await?;
            }
            piece.reserve(16 << 10);
            if reads.read_buf(&mut piece).await? == 0 {
                return send.send_data(Bytes::new(), true).map_err(std::io::Error::other);
            }
        }
    };
    let back = async {
        while let Some(piece) = receive.data().await {
            let piece = piece.map_err(std::io::Error::other)?;
            writes.write_all(&piece).await?;
            // Only what was taken makes room for more.
            receive.flow_control().release_capacity(piece.len()).map_err(std::io::Error::other)?;
        }
        writes.shutdown().await
    };
    if tokio::try_join!(out, back).is_err() {
        send.send_reset(Reason::CANCEL);
    }
}

/// Sends all of it, as the other side makes room.
async fn push(send: &mut SendStream<Bytes>, mut piece: Bytes) -> std::io::Result<()> {
    while !piece.is_empty() {
        send.reserve_capacity(piece.len());
        let room = poll_fn(|context| send.poll_capacity(context)).await;
        let room = room.ok_or(std::io::ErrorKind::BrokenPipe)?.map_err(std::io::Error::other)?;
        let now = piece.split_to(room.min(piece.len()));
        send.send_data(now, false).map_err(std::io::Error::other)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_welcome_of_either_age_is_understood() {
        let read = |text: &str| serde_json::from_str::<FromPlatform>(text).expect("a message");
        assert_eq!(read(r#"{"type":"welcome"}"#), FromPlatform::Welcome { silent_seconds: None });
        let now = FromPlatform::Welcome { silent_seconds: Some(120) };
        assert_eq!(serde_json::to_value(&now).expect("JSON")["silentSeconds"], 120);

        /// As agents knew it before.
        #[derive(Debug, PartialEq, Deserialize)]
        #[serde(tag = "type", rename_all = "camelCase")]
        enum Before {
            Welcome,
        }
        let text = serde_json::to_string(&now).expect("JSON");
        assert_eq!(serde_json::from_str::<Before>(&text).expect("a message"), Before::Welcome);
    }
}
