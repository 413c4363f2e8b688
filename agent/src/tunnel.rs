//! The connection to the platform: one WebSocket, with one HTTP/2 connection in it whose streams lead to the ComfyUI
//! server and nowhere else.

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
    BETWEEN_BYTES, FromAgent, FromPlatform, Hello, MAX_FRAME_BYTES, MAX_HEADER_BYTES, MAX_STREAMS, STREAM_WINDOW,
    TOKEN_HEADER, TUNNEL_WINDOW, carry,
};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// The platform answers within this, or the connection is of no use.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often the platform is asked for a sign of life, and how soon it gives one. A node that is gone without a word is
/// missed before what runs here is tried elsewhere.
const PING_EVERY: Duration = Duration::from_secs(3);
const PONG_WITHIN: Duration = Duration::from_secs(6);

/// Why a tunnel is over.
#[derive(Debug, PartialEq, Eq)]
pub enum Over {
    /// It could not be made. The platform may have said why.
    Refused(String),
    /// It stood, and does so no more.
    Cut(String),
    /// The node stops: another one is to be found at once.
    Elsewhere,
}

/// Connects, and carries what the platform asks of the ComfyUI server until the connection is over. `says` is what is
/// told meanwhile; `welcomed` hears when the platform has taken the worker, and for how many seconds it waits for a silent
/// server.
pub async fn run(
    options: &Options,
    hello: Hello,
    says: mpsc::Receiver<FromAgent>,
    welcomed: impl FnOnce(Option<u64>),
) -> Over {
    let greeted = tokio::time::timeout(PATIENCE, greet(options, hello)).await;
    let (socket, silent_seconds) = match greeted {
        Ok(Ok(greeted)) => greeted,
        Ok(Err(reason)) => return Over::Refused(reason),
        Err(_) => return Over::Refused("the platform does not answer".to_owned()),
    };
    welcomed(silent_seconds);
    let (near, far) = tokio::io::duplex(BETWEEN_BYTES);
    // Whichever ends first ends the other, and every connection to the server with it: the server must see the old
    // ones close before new ones open.
    tokio::select! {
        over = pump(socket, near, says) => over,
        reason = serve(far, &options.server) => Over::Cut(reason),
    }
}

/// Opens the WebSocket and says who this is; gives the platform's `silent_seconds` too.
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
                Ok(FromPlatform::Elsewhere) => return Err("the node stops".to_owned()),
                Err(error) => return Err(format!("the platform speaks otherwise: {error}")),
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

/// Carries bytes between the WebSocket and the HTTP/2 connection.
async fn pump(socket: Socket, near: DuplexStream, mut says: mpsc::Receiver<FromAgent>) -> Over {
    let cut = |error: &dyn std::fmt::Display| Over::Cut(error.to_string());
    let (mut sends, mut hears) = socket.split();
    let (mut from_us, mut to_us) = tokio::io::split(near);
    let out = async {
        let mut piece = BytesMut::new();
        loop {
            piece.reserve(64 << 10);
            tokio::select! {
                read = from_us.read_buf(&mut piece) => match read {
                    Ok(0) => return Over::Cut("the tunnel ended".to_owned()),
                    Ok(_) => if let Err(error) = sends.send(Message::Binary(piece.split().freeze())).await {
                        return cut(&error);
                    },
                    Err(error) => return cut(&error),
                },
                said = says.recv() => {
                    // Nobody has anything to say any more: the agent ends.
                    let Some(said) = said else {
                        drop(tokio::time::timeout(Duration::from_secs(2), sends.close()).await);
                        return Over::Cut("the agent ends".to_owned());
                    };
                    let Ok(text) = serde_json::to_string(&said) else { continue };
                    if let Err(error) = sends.send(Message::text(text)).await {
                        return cut(&error);
                    }
                }
            }
        }
    };
    let back = async {
        loop {
            match hears.next().await {
                Some(Ok(Message::Binary(piece))) => {
                    if let Err(error) = to_us.write_all(&piece).await {
                        return cut(&error);
                    }
                }
                Some(Ok(Message::Text(text))) => match serde_json::from_str(text.as_str()) {
                    Ok(FromPlatform::Elsewhere) => return Over::Elsewhere,
                    Ok(FromPlatform::Refused { reason }) => {
                        return Over::Refused(format!("the platform refuses: {reason}"));
                    }
                    // A newer platform may say what this agent does not know yet.
                    Ok(FromPlatform::Welcome { .. }) | Err(_) => {}
                },
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                Some(Ok(Message::Close(_))) | None => {
                    return Over::Cut("the platform closed the connection".to_owned());
                }
                Some(Err(error)) => return cut(&error),
            }
        }
    };
    tokio::select! {
        over = out => over,
        over = back => over,
    }
}

/// Answers the platform's streams. Tells why it ended.
async fn serve(io: DuplexStream, server: &str) -> String {
    let handshake = h2::server::Builder::new()
        .initial_window_size(STREAM_WINDOW)
        .initial_connection_window_size(TUNNEL_WINDOW)
        .max_concurrent_streams(MAX_STREAMS)
        .max_header_list_size(MAX_HEADER_BYTES)
        .handshake::<_, Bytes>(io);
    let mut connection = match tokio::time::timeout(PATIENCE, handshake).await {
        Ok(Ok(connection)) => connection,
        Ok(Err(error)) => return error.to_string(),
        Err(_) => return "the platform opens no tunnel".to_owned(),
    };
    let Some(mut pings) = connection.ping_pong() else { return "no pings can be sent".to_owned() };
    let alive = async {
        loop {
            tokio::time::sleep(PING_EVERY).await;
            match tokio::time::timeout(PONG_WITHIN, pings.ping(Ping::opaque())).await {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => return error.to_string(),
                Err(_) => return "the platform gives no sign of life".to_owned(),
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

/// One connection to the server. What the platform asked for is not looked at: there is one address.
async fn forward(receive: RecvStream, mut answer: SendResponse<Bytes>, server: String) {
    let connected = tokio::time::timeout(PATIENCE, TcpStream::connect(&server)).await;
    let mut response = Response::new(());
    let Ok(Ok(tcp)) = connected else {
        *response.status_mut() = StatusCode::BAD_GATEWAY;
        if answer.send_response(response, true).is_err() {
            answer.send_reset(Reason::CANCEL);
        }
        return;
    };
    // Without it small messages wait for others; the connection works all the same.
    drop(tcp.set_nodelay(true));
    if let Ok(send) = answer.send_response(response, false) {
        carry(tcp, Bytes::new(), send, receive).await;
    }
}
