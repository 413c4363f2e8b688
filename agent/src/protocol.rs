//! The protocol between agent and platform.
//!
//! The agent opens a WebSocket at [`PATH`] with its token in [`TOKEN_HEADER`]. Text frames are the messages of this
//! module. The first is [`Hello`], which the platform answers with [`FromPlatform::Welcome`] or
//! [`FromPlatform::Refused`]. Binary frames carry one HTTP/2 connection, with the platform as client: each of its
//! streams is one TCP connection to the agent's ComfyUI server, and to no other address. HTTP/2 provides streams, flow
//! control, pings and limits.

use std::future::poll_fn;

use bytes::{Bytes, BytesMut};
use h2::{Reason, RecvStream, SendStream};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// The agents' endpoint, below the platform's address.
pub const PATH: &str = "/api/agent";
pub const TOKEN_HEADER: &str = "agent-token";
/// The protocol version. The platform rejects other versions.
pub const VERSION: u32 = 1;
/// Maximum size of a text or binary frame.
pub const MAX_FRAME_BYTES: usize = 1 << 20;
/// Concurrent connections to one ComfyUI server.
pub const MAX_STREAMS: u32 = 64;
/// Flow-control windows of one connection and of a whole tunnel. They also bound an agent's share of the platform's
/// memory.
pub const STREAM_WINDOW: u32 = 1 << 20;
pub const TUNNEL_WINDOW: u32 = 8 << 20;
/// Maximum size of a stream's headers.
pub const MAX_HEADER_BYTES: u32 = 16 << 10;
/// Buffer between a WebSocket and its HTTP/2 connection.
pub const PIPE_BYTES: usize = 256 << 10;
/// Maximum number of reported model files.
pub const MAX_MODELS: usize = 2000;

/// A message from an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum FromAgent {
    Hello(Box<Hello>),
    /// The machine's facts changed.
    Facts(Box<Facts>),
    /// The server's problem, for operators; `None` when it is healthy again.
    Note {
        text: Option<String>,
    },
    /// The agent is about to end and takes no new jobs.
    Leaving,
}

/// The first message of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hello {
    pub protocol: u32,
    /// The worker's name.
    pub name: String,
    /// The worker's pool. Optional if the token is for one pool.
    pub pool: Option<String>,
    /// The agent's secret. It reserves the agent's name.
    pub identity: String,
    /// Differs for each process of the agent.
    pub run: String,
    pub facts: Facts,
}

/// Facts about the machine.
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

/// A GPU of the ComfyUI server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gpu {
    pub name: String,
    pub vram_bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Model {
    /// Path below the models' folder: `checkpoints/sd.safetensors`.
    pub name: String,
    pub size_bytes: u64,
}

/// A message from the platform.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum FromPlatform {
    /// The worker is registered; HTTP/2 starts.
    #[serde(rename_all = "camelCase")]
    Welcome {
        /// Seconds after which a silent server with a job is given up.
        #[serde(default)]
        silent_seconds: Option<u64>,
    },
    /// The agent is rejected. The reason is for the operator.
    Refused { reason: String },
    /// This node stops: reconnect to another one.
    #[serde(rename = "elsewhere")]
    Reconnect,
}

/// Forwards one TCP connection through one stream in both directions until both have ended or one has failed. `first`
/// was read from the connection before.
pub async fn relay(tcp: TcpStream, first: Bytes, mut send: SendStream<Bytes>, mut receive: RecvStream) {
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
            // Returns flow-control capacity only for data that was written.
            receive.flow_control().release_capacity(piece.len()).map_err(std::io::Error::other)?;
        }
        writes.shutdown().await
    };
    if tokio::try_join!(out, back).is_err() {
        send.send_reset(Reason::CANCEL);
    }
}

/// Sends all bytes as flow control allows.
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
    fn welcome_is_compatible_with_older_agents() {
        let read = |text: &str| serde_json::from_str::<FromPlatform>(text).expect("a message");
        assert_eq!(read(r#"{"type":"welcome"}"#), FromPlatform::Welcome { silent_seconds: None });
        let now = FromPlatform::Welcome { silent_seconds: Some(120) };
        assert_eq!(serde_json::to_value(&now).expect("JSON")["silentSeconds"], 120);

        /// The message as older agents know it.
        #[derive(Debug, PartialEq, Deserialize)]
        #[serde(tag = "type", rename_all = "camelCase")]
        enum Before {
            Welcome,
        }
        let text = serde_json::to_string(&now).expect("JSON");
        assert_eq!(serde_json::from_str::<Before>(&text).expect("a message"), Before::Welcome);
    }
}
