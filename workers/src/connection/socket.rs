//! The WebSocket of one connection: announces features, reads messages, detects a dead peer.

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::header::{AUTHORIZATION, HeaderValue};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use crate::comfy::message;
use crate::comfy::{Malformed, ServerMessage};

pub(super) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// The server accepts this announcement only as a client's first message.
const ANNOUNCEMENT: &str = r#"{"type":"feature_flags","data":{"supports_preview_metadata":true}}"#;
/// Pings without any frame in between before the peer counts as dead.
const MISSED_PINGS: u32 = 3;

/// The reason for closing a socket after a message over the size limit.
pub(super) const TOO_LONG: &str = "the worker sent a message that is too long";

/// Opens the socket and announces features.
pub(super) async fn open(
    url: &str,
    authorization: Option<HeaderValue>,
    max_message_bytes: usize,
    patience: Duration,
) -> Result<Socket, String> {
    let config =
        WebSocketConfig::default().max_message_size(Some(max_message_bytes)).max_frame_size(Some(max_message_bytes));
    let opening = async {
        let mut request = url.into_client_request()?;
        request.headers_mut().extend(authorization.map(|value| (AUTHORIZATION, value)));
        let (mut socket, _) = connect_async_with_config(request, Some(config), true).await?;
        socket.send(Message::text(ANNOUNCEMENT)).await?;
        Ok::<_, tungstenite::Error>(socket)
    };
    match tokio::time::timeout(patience, opening).await {
        Ok(Ok(socket)) => Ok(socket),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("the socket did not open in time".into()),
    }
}

/// Reads the next message. Sends pings while it waits.
pub(super) async fn read(
    socket: &mut Socket,
    ping_every: Duration,
) -> Result<Result<ServerMessage, Malformed>, String> {
    let mut heard_at = Instant::now();
    loop {
        let frame = match tokio::time::timeout(ping_every, socket.next()).await {
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(tungstenite::Error::Capacity(_)))) => return Err(TOO_LONG.to_owned()),
            Ok(Some(Err(error))) => return Err(error.to_string()),
            Ok(None) => return Err("the worker closed the socket".into()),
            Err(_) if heard_at.elapsed() >= ping_every * MISSED_PINGS => {
                return Err("the worker did not answer pings".into());
            }
            Err(_) => {
                socket.send(Message::Ping(bytes::Bytes::new())).await.map_err(|error| error.to_string())?;
                continue;
            }
        };
        heard_at = Instant::now();
        match frame {
            Message::Text(text) => return Ok(message::text(text.as_str())),
            Message::Binary(bytes) => return Ok(message::binary(&bytes)),
            Message::Close(_) => return Err("the worker closed the socket".into()),
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
        }
    }
}
