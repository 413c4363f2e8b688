//! The connection to the platform: one WebSocket that carries one HTTP/2 connection, whose streams lead to the ComfyUI
//! server only.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::{SinkExt as _, StreamExt as _};
use h2::server::SendResponse;
use h2::{Ping, Reason, RecvStream};
use http::{Response, StatusCode};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use crate::options::Options;
use crate::protocol::{
    FromAgent, FromPlatform, Hello, MAX_FRAME_BYTES, MAX_HEADER_BYTES, MAX_STREAMS, PIPE_BYTES, STREAM_WINDOW,
    TOKEN_HEADER, TUNNEL_WINDOW, relay,
};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Timeout of the handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(20);
/// Ping interval and timeout. A dead node is detected before the platform retries its prompts elsewhere.
const PING_EVERY: Duration = Duration::from_secs(3);
const PONG_TIMEOUT: Duration = Duration::from_secs(6);

/// Why a tunnel ended.
#[derive(Debug, PartialEq, Eq)]
pub enum TunnelEnd {
    /// It was not established. May contain the platform's reason.
    Refused(String),
    /// The connection broke.
    Cut(String),
    /// The node stops: reconnect to another one at once.
    NodeStopping,
}

/// Connects, and forwards streams to the ComfyUI server until the connection ends. `messages` are sent to the platform.
/// `welcomed` is called with the platform's limit for silent servers once the worker is registered.
pub async fn run(
    options: &Options,
    hello: Hello,
    messages: mpsc::Receiver<FromAgent>,
    welcomed: impl FnOnce(Option<u64>),
) -> TunnelEnd {
    let greeted = tokio::time::timeout(HANDSHAKE_TIMEOUT, greet(options, hello)).await;
    let (socket, silent_seconds) = match greeted {
        Ok(Ok(greeted)) => greeted,
        Ok(Err(reason)) => return TunnelEnd::Refused(reason),
        Err(_) => return TunnelEnd::Refused("the platform does not answer".to_owned()),
    };
    welcomed(silent_seconds);
    let (near, far) = tokio::io::duplex(PIPE_BYTES);
    // When one ends, the other one and all its connections to the server are dropped: the server must see the old
    // connections close before new ones open.
    tokio::select! {
        end = pump(socket, near, messages) => end,
        reason = serve(far, &options.server) => TunnelEnd::Cut(reason),
    }
}

/// Opens the WebSocket and sends [`Hello`]. Returns the platform's `silent_seconds` too.
async fn greet(options: &Options, hello: Hello) -> Result<(Socket, Option<u64>), String> {
    let mut request = options.url.as_str().into_client_request().map_err(|error| error.to_string())?;
    let mut token = HeaderValue::from_str(&options.token.0).map_err(|error| error.to_string())?;
    token.set_sensitive(true);
    request.headers_mut().insert(TOKEN_HEADER, token);
    let config =
        WebSocketConfig::default().max_message_size(Some(MAX_FRAME_BYTES)).max_frame_size(Some(MAX_FRAME_BYTES));
    let (mut socket, _) =
        connect_async_with_config(request, Some(config), true).await.map_err(|error| match error {
            Error::Http(response) => {
                let body = response.body().as_deref().unwrap_or_default();
                let said: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
                let message = said.get("message").and_then(|message| message.as_str()).unwrap_or("no reason was given");
                format!("the platform refuses ({}): {message}", response.status())
            }
            error => error.to_string(),
        })?;
    send(&mut socket, &FromAgent::Hello(Box::new(hello))).await.map_err(|error| error.to_string())?;
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => match serde_json::from_str(text.as_str()) {
                Ok(FromPlatform::Welcome { silent_seconds }) => return Ok((socket, silent_seconds)),
                Ok(FromPlatform::Refused { reason }) => return Err(format!("the platform refuses: {reason}")),
                Ok(FromPlatform::Reconnect) => return Err("the node stops".to_owned()),
                Err(error) => return Err(format!("invalid message from the platform: {error}")),
            },
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(_)) | None => return Err("the platform closed the connection".to_owned()),
            Some(Err(error)) => return Err(error.to_string()),
        }
    }
}

async fn send(socket: &mut Socket, message: &FromAgent) -> Result<(), Error> {
    let text = serde_json::to_string(message).map_err(|error| Error::Io(error.into()))?;
    socket.send(Message::text(text)).await
}

/// Forwards bytes between the WebSocket and the HTTP/2 connection.
async fn pump(socket: Socket, near: DuplexStream, mut messages: mpsc::Receiver<FromAgent>) -> TunnelEnd {
    let cut = |error: &dyn std::fmt::Display| TunnelEnd::Cut(error.to_string());
    let (mut sink, mut stream) = socket.split();
    let (mut from_us, mut to_us) = tokio::io::split(near);
    let out = async {
        let mut piece = BytesMut::new();
        loop {
            piece.reserve(64 << 10);
            tokio::select! {
                read = from_us.read_buf(&mut piece) => match read {
                    Ok(0) => return TunnelEnd::Cut("the tunnel ended".to_owned()),
                    Ok(_) => if let Err(error) = sink.send(Message::Binary(piece.split().freeze())).await {
                        return cut(&error);
                    },
                    Err(error) => return cut(&error),
                },
                message = messages.recv() => {
                    // All senders are dropped: the agent ends.
                    let Some(message) = message else {
                        drop(tokio::time::timeout(Duration::from_secs(2), sink.close()).await);
                        return TunnelEnd::Cut("the agent ends".to_owned());
                    };
                    let Ok(text) = serde_json::to_string(&message) else { continue };
                    if let Err(error) = sink.send(Message::text(text)).await {
                        return cut(&error);
                    }
                }
            }
        }
    };
    let back = async {
        loop {
            match stream.next().await {
                Some(Ok(Message::Binary(piece))) => {
                    if let Err(error) = to_us.write_all(&piece).await {
                        return cut(&error);
                    }
                }
                Some(Ok(Message::Text(text))) => match serde_json::from_str(text.as_str()) {
                    Ok(FromPlatform::Reconnect) => return TunnelEnd::NodeStopping,
                    Ok(FromPlatform::Refused { reason }) => {
                        return TunnelEnd::Refused(format!("the platform refuses: {reason}"));
                    }
                    // Messages of a newer platform are ignored.
                    Ok(FromPlatform::Welcome { .. }) | Err(_) => {}
                },
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                Some(Ok(Message::Close(_))) | None => {
                    return TunnelEnd::Cut("the platform closed the connection".to_owned());
                }
                Some(Err(error)) => return cut(&error),
            }
        }
    };
    tokio::select! {
        end = out => end,
        end = back => end,
    }
}

/// Serves the platform's streams. Returns why it ended.
async fn serve(io: DuplexStream, server: &str) -> String {
    let handshake = h2::server::Builder::new()
        .initial_window_size(STREAM_WINDOW)
        .initial_connection_window_size(TUNNEL_WINDOW)
        .max_concurrent_streams(MAX_STREAMS)
        .max_header_list_size(MAX_HEADER_BYTES)
        .handshake::<_, Bytes>(io);
    let mut connection = match tokio::time::timeout(HANDSHAKE_TIMEOUT, handshake).await {
        Ok(Ok(connection)) => connection,
        Ok(Err(error)) => return error.to_string(),
        Err(_) => return "the platform did not open the tunnel in time".to_owned(),
    };
    let Some(mut pings) = connection.ping_pong() else { return "pings are not available".to_owned() };
    let alive = async {
        loop {
            tokio::time::sleep(PING_EVERY).await;
            match tokio::time::timeout(PONG_TIMEOUT, pings.ping(Ping::opaque())).await {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => return error.to_string(),
                Err(_) => return "the platform did not answer a ping".to_owned(),
            }
        }
    };
    let streams = async {
        let mut streams = JoinSet::new();
        loop {
            tokio::select! {
                stream = connection.accept() => match stream {
                    Some(Ok((request, answer))) => {
                        streams.spawn(forward(request.into_body(), answer, server.to_owned()));
                    }
                    Some(Err(error)) => return error.to_string(),
                    None => return "the platform closed the tunnel".to_owned(),
                },
                Some(_) = streams.join_next() => {}
            }
        }
    };
    tokio::select! {
        reason = alive => reason,
        reason = streams => reason,
    }
}

/// Forwards one stream to the server. The requested address is ignored.
async fn forward(receive: RecvStream, mut answer: SendResponse<Bytes>, server: String) {
    let connected = tokio::time::timeout(HANDSHAKE_TIMEOUT, TcpStream::connect(&server)).await;
    let mut response = Response::new(());
    let Ok(Ok(tcp)) = connected else {
        *response.status_mut() = StatusCode::BAD_GATEWAY;
        if answer.send_response(response, true).is_err() {
            answer.send_reset(Reason::CANCEL);
        }
        return;
    };
    // Without it small messages are delayed; the connection works anyway.
    drop(tcp.set_nodelay(true));
    if let Ok(send) = answer.send_response(response, false) {
        relay(tcp, Bytes::new(), send, receive).await;
    }
}
