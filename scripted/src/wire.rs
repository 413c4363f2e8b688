//! A minimal HTTP/1.1 implementation that can break off at any byte.

use std::collections::HashMap;

use bytes::Bytes;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

#[derive(Debug)]
pub(crate) struct Request {
    pub method: String,
    /// Without the query and a leading `/api`.
    pub path: String,
    pub query: HashMap<String, String>,
    /// Lower-case names.
    pub headers: HashMap<String, String>,
    pub body: Bytes,
}

impl Request {
    /// Reads one request; `None` if the peer is gone or sends something else.
    pub async fn read(stream: &mut BufReader<TcpStream>) -> Option<Self> {
        let mut line = String::new();
        stream.read_line(&mut line).await.ok().filter(|read| *read > 0)?;
        let mut words = line.split_whitespace();
        let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
        let mut headers = HashMap::new();
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).await.ok().filter(|read| *read > 0)?;
            match line.trim_end().split_once(':') {
                Some((name, value)) => headers.insert(name.to_lowercase(), value.trim().to_owned()),
                None => break,
            };
        }
        let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.ok()?;
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        let query =
            query.split('&').filter_map(|pair| pair.split_once('=')).map(|(k, v)| (decode(k), decode(v))).collect();
        let path = decode(path.strip_prefix("/api").unwrap_or(path));
        Some(Self { method, path, query, headers, body: body.into() })
    }

    /// The file of a multipart form: name, subfolder and bytes.
    pub fn upload(&self) -> Option<(String, String, Bytes)> {
        let boundary = self.headers.get("content-type")?.split_once("boundary=")?.1.trim_matches('"').to_owned();
        let mut upload = None;
        let mut subfolder = String::new();
        for part in split(&self.body, format!("--{boundary}").as_bytes()) {
            let Some(end) = find(part, b"\r\n\r\n") else { continue };
            let (head, content) = (String::from_utf8_lossy(&part[..end]).into_owned(), &part[end + 4..]);
            let content = content.strip_suffix(b"\r\n").unwrap_or(content);
            if let Some((_, rest)) = head.split_once("filename=\"") {
                let name = rest.split('"').next().unwrap_or_default().to_owned();
                upload = Some((name, Bytes::copy_from_slice(content)));
            } else if head.contains("name=\"subfolder\"") {
                subfolder = String::from_utf8_lossy(content).into_owned();
            }
        }
        upload.map(|(name, bytes)| (name, subfolder, bytes))
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Response {
    pub status: u16,
    pub content_type: &'static str,
    pub body: Bytes,
}

impl Response {
    pub fn json(value: &serde_json::Value) -> Self {
        Self {
            status: 200,
            content_type: "application/json; charset=utf-8",
            body: value.to_string().replace(crate::run::NAN, "NaN").into(),
        }
    }

    pub fn status(status: u16, body: impl Into<Bytes>) -> Self {
        Self { status, content_type: "text/plain; charset=utf-8", body: body.into() }
    }

    /// Writes the head and the first `length` bytes of the body.
    pub async fn write(&self, stream: &mut BufReader<TcpStream>, length: usize) -> std::io::Result<()> {
        let head = format!(
            "HTTP/1.1 {} scripted\r\ncontent-type: {}\r\ncontent-length: {}\r\n\r\n",
            self.status,
            self.content_type,
            self.body.len()
        );
        let mut answer = head.into_bytes();
        answer.extend_from_slice(&self.body[..length.min(self.body.len())]);
        stream.write_all(&answer).await?;
        stream.flush().await
    }
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window == wanted)
}

fn split<'a>(mut text: &'a [u8], separator: &[u8]) -> Vec<&'a [u8]> {
    let mut parts = Vec::new();
    while let Some(at) = find(text, separator) {
        parts.push(&text[..at]);
        text = &text[at + separator.len()..];
    }
    parts.push(text);
    parts
}

fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let hex = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        match (byte, hex.and_then(|hex| u8::from_str_radix(hex, 16).ok())) {
            (b'%', Some(value)) => {
                decoded.push(value);
                at += 3;
                continue;
            }
            (b'+', _) => decoded.push(b' '),
            _ => decoded.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
