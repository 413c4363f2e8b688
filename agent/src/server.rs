//! The ComfyUI server beside the agent, asked for what the agent needs to know.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// The largest answer that is read.
const MAX_BYTES: usize = 64 << 20;

/// The server, as one address.
#[derive(Debug, Clone)]
pub struct Server {
    address: String,
    patience: Duration,
}

impl Server {
    /// A server that is given so long for each answer.
    pub fn new(address: &str, patience: Duration) -> Self {
        Self { address: address.to_owned(), patience }
    }

    /// Whether it answers at all, as itself and with its queue.
    pub async fn answers(&self) -> Result<(), String> {
        self.get("/system_stats").await?;
        self.get("/queue").await.map(drop)
    }

    /// What it says of itself and its devices.
    pub async fn stats(&self) -> Result<Value, String> {
        read("/system_stats", &self.get("/system_stats").await?)
    }

    /// How many prompts run or wait.
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

/// Python writes NaN, which is no JSON: an answer that cannot be read is an answer all the same.
fn read(path: &str, body: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(body).map_err(|error| format!("{path}: {error}"))
}
