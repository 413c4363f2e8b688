//! A small HTTP server whose answers can be lost: one request per connection, as the platform's client sends them.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::error::{Error, Result};

/// A request that was read as a whole.
#[derive(Debug)]
pub(super) struct ProviderRequest {
    pub method: String,
    /// Without its query.
    pub path: String,
    /// By names in lower case.
    headers: HashMap<String, String>,
    pub body: String,
}

impl ProviderRequest {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// The segments of the path.
    pub fn segments(&self) -> Vec<&str> {
        self.path.trim_start_matches('/').split('/').collect()
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }
}

/// A status and a body; `None` breaks the connection.
pub(super) type ProviderAnswer = Option<(u16, Value)>;

/// Starts a server on a free port of loopback, and returns its address. It runs until the runtime ends.
pub(super) async fn serve(
    respond: impl Fn(&ProviderRequest) -> ProviderAnswer + Send + Sync + 'static,
) -> Result<String> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(Error::doing("a stand-in cannot listen"))?;
    let url = format!("http://127.0.0.1:{}", listener.local_addr()?.port());
    let respond = Arc::new(respond);
    drop(tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            drop(tokio::spawn(talk(stream, Arc::clone(&respond))));
        }
    }));
    Ok(url)
}

async fn talk<F>(mut stream: TcpStream, respond: Arc<F>)
where
    F: Fn(&ProviderRequest) -> ProviderAnswer + Send + Sync + 'static,
{
    let Some(request) = read(&mut stream).await else { return };
    let Some((status, body)) = respond(&request) else { return };
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    // The client may have been killed.
    let _gone = stream.write_all(format!("{head}{body}").as_bytes()).await;
}

/// `None` if the client has gone or does not speak HTTP.
async fn read(stream: &mut TcpStream) -> Option<ProviderRequest> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        receive(stream, &mut bytes).await?;
    };
    let head = String::from_utf8_lossy(bytes.get(..end)?).into_owned();
    let mut lines = head.lines();
    let mut first = lines.next()?.split(' ');
    let (method, target) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers: HashMap<String, String> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length: usize = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let begin = end + 4;
    while bytes.len() < begin + length {
        receive(stream, &mut bytes).await?;
    }
    let body = String::from_utf8_lossy(bytes.get(begin..begin + length)?).into_owned();
    let path = target.split_once('?').map_or(target.as_str(), |(path, _)| path).to_owned();
    Some(ProviderRequest { method, path, headers, body })
}

async fn receive(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<()> {
    let mut piece = [0; 4096];
    match stream.read(&mut piece).await {
        Ok(0) | Err(_) => None,
        Ok(read) => {
            bytes.extend_from_slice(piece.get(..read)?);
            Some(())
        }
    }
}
