//! Requests to the agent's ComfyUI server.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// Maximum size of an answer.
const MAX_BYTES: usize = 64 << 20;

/// The server's address and client.
#[derive(Debug, Clone)]
pub struct Server {
    address: String,
    patience: Duration,
}

impl Server {
    /// `patience` is the timeout of each request.
    pub fn new(address: &str, patience: Duration) -> Self {
        Self { address: address.to_owned(), patience }
    }

    /// Whether the server answers, including for its queue.
    pub async fn answers(&self) -> Result<(), String> {
        self.get("/system_stats").await?;
        self.get("/queue").await.map(drop)
    }

    /// System information and devices.
    pub async fn stats(&self) -> Result<Value, String> {
        read("/system_stats", &self.get("/system_stats").await?)
    }

    /// The number of running and waiting prompts.
    pub async fn prompts(&self) -> Result<usize, String> {
        let queue = read("/queue", &self.get("/queue").await?)?;
        let count = |name: &str| queue.get(name).and_then(Value::as_array).map(Vec::len);
        match (count("queue_running"), count("queue_pending")) {
            (Some(running), Some(pending)) => Ok(running + pending),
            _ => Err("its queue has another shape".to_owned()),
        }
    }

    async fn get(&self, path: &str) -> Result<Bytes, String> {
        let asked = tokio::time::timeout(self.patience, self.ask(path)).await;
        asked.map_err(|_| format!("no answer to {path} within {:?}", self.patience))?
    }

    async fn ask(&self, path: &str) -> Result<Bytes, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let tcp = TcpStream::connect(&self.address).await.map_err(|error| text(&error))?;
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(tcp)).await.map_err(|error| text(&error))?;
        let request = Request::get(path)
            .header("host", &self.address)
            .header("connection", "close")
            .body(Empty::<Bytes>::new())
            .map_err(|error| text(&error))?;
        let answer = async {
            let response = sender.send_request(request).await.map_err(|error| text(&error))?;
            if response.status() != StatusCode::OK {
                return Err(format!("{path} is answered with {}", response.status()));
            }
            let body = Limited::new(response.into_body(), MAX_BYTES).collect().await.map_err(|error| text(&error))?;
            Ok(body.to_bytes())
        };
        tokio::pin!(connection, answer);
        tokio::select! {
            answer = &mut answer => answer,
            ended = &mut connection => {
                ended.map_err(|error| text(&error))?;
                answer.await
            }
        }
    }
}

/// Parses an answer. Python's NaN is not valid JSON; such an answer is returned as null.
fn read(path: &str, body: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(body).map_err(|error| format!("{path}: {error}"))
}
