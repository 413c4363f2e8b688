//! A local receiver of webhooks that accepts everything.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use verdigraph_core::ids::JobId;

pub struct Receiver {
    pub url: String,
    bodies: Arc<Mutex<Vec<Value>>>,
}

impl Receiver {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://127.0.0.1:{}/hook", listener.local_addr().expect("an address").port());
        let bodies = Arc::<Mutex<Vec<Value>>>::default();
        let kept = Arc::clone(&bodies);
        actix::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                actix::spawn(accept(stream, Arc::clone(&kept)));
            }
        });
        Self { url, bodies }
    }

    /// The types of a job's events, in the order in which each arrived first.
    pub fn first_arrivals(&self, job: JobId) -> Vec<String> {
        let job = job.to_string();
        let mut types = Vec::new();
        for body in self.bodies.lock().expect("the bodies").iter().filter(|body| body["data"]["job"] == job.as_str()) {
            let kind = body["type"].as_str().expect("a type").to_owned();
            if !types.contains(&kind) {
                types.push(kind);
            }
        }
        types
    }
}

/// Accepts the message of one connection, which is then closed.
async fn accept(mut stream: TcpStream, bodies: Arc<Mutex<Vec<Value>>>) {
    let mut read = Vec::new();
    loop {
        let start = read.windows(4).position(|four| four == b"\r\n\r\n").map(|end| end + 4);
        // A delivery is one JSON object.
        let body = start.and_then(|start| serde_json::from_slice(read.get(start..)?).ok());
        if let Some(body) = body {
            bodies.lock().expect("the bodies").push(body);
            drop(stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").await);
            return;
        }
        if stream.read_buf(&mut read).await.unwrap_or(0) == 0 {
            return;
        }
    }
}
