//! A worker on a free port in its own folder, and its clients.

use std::sync::Once;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use reqwest::{Client, Response};
use serde_json::{Value as Json, json};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use verdigraph_workers::cpu::server::{Options, Running, serve_nodes};

use crate::nodes::{Gate, all};

/// Timeout of any single step of a test.
const PATIENCE: Duration = Duration::from_secs(30);

static TLS: Once = Once::new();

/// A worker with the test nodes and the built-in ones.
pub struct Harness {
    running: Running,
    pub client: Client,
    pub gate: Gate,
    pub folder: TempDir,
}

impl Harness {
    pub async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    pub async fn start_with(change: impl FnOnce(&mut Options)) -> Self {
        TLS.call_once(|| {
            // Another test of this process may have installed it.
            drop(rustls::crypto::ring::default_provider().install_default());
        });
        let folder = TempDir::new().unwrap();
        let gate = Gate::default();
        let mut options = Options::new("127.0.0.1:0".parse().unwrap(), folder.path());
        options.threads = 2;
        change(&mut options);
        let mut nodes = all(&gate);
        nodes.extend(verdigraph_workers::cpu::nodes(options.like));
        let running = serve_nodes(options, nodes).await.unwrap();
        // A connection that was idle while prompts ran may be closed by the server just as the next request is sent.
        let client = Client::builder().timeout(PATIENCE).pool_max_idle_per_host(0).build().unwrap();
        Self { running, client, gate, folder }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.running.address())
    }

    pub async fn get(&self, path: &str) -> Response {
        self.client.get(self.url(path)).send().await.unwrap()
    }

    pub async fn json(&self, path: &str) -> Json {
        let response = self.get(path).await;
        assert_eq!(response.status(), 200, "{path}");
        response.json().await.unwrap()
    }

    pub async fn post(&self, path: &str, body: impl Into<reqwest::Body>) -> Response {
        self.client.post(self.url(path)).body(body).send().await.unwrap()
    }

    /// Submits a prompt and returns its id.
    pub async fn submit(&self, prompt: &Json, client_id: &str) -> String {
        let body = json!({"prompt": prompt, "client_id": client_id});
        let response = self.post("/prompt", body.to_string()).await;
        let status = response.status();
        let answer: Json = response.json().await.unwrap();
        assert_eq!(status, 200, "{answer}");
        answer["prompt_id"].as_str().unwrap().to_owned()
    }

    /// The history of an ended prompt.
    pub async fn history(&self, prompt_id: &str) -> Json {
        self.json(&format!("/history/{prompt_id}")).await[prompt_id].clone()
    }

    pub async fn socket(&self, client_id: &str) -> Socket {
        Socket::open(&format!("ws://{}/ws?clientId={client_id}", self.running.address())).await
    }

    pub async fn stop(self) {
        self.gate.open();
        timeout(PATIENCE, self.running.stop()).await.expect("the worker does not stop").unwrap();
    }
}

/// A message that a client received.
#[derive(Debug, Clone, PartialEq)]
pub enum Received {
    Text(Json),
    Binary(Vec<u8>),
    /// The close code; 0 if the connection just ended.
    Closed(u16),
}

pub struct Socket(pub WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    pub async fn open(url: &str) -> Self {
        let (stream, _) = timeout(PATIENCE, tokio_tungstenite::connect_async(url)).await.unwrap().unwrap();
        Self(stream)
    }

    pub async fn send_text(&mut self, text: &str) {
        self.0.send(Message::text(text)).await.unwrap();
    }

    pub async fn next(&mut self) -> Received {
        loop {
            let message = timeout(PATIENCE, self.0.next()).await.expect("nothing more is received");
            return match message {
                Some(Ok(Message::Text(text))) => Received::Text(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Binary(bytes))) => Received::Binary(bytes.to_vec()),
                Some(Ok(Message::Close(frame))) => Received::Closed(frame.map_or(0, |frame| frame.code.into())),
                Some(Ok(_)) => continue,
                Some(Err(_)) | None => Received::Closed(0),
            };
        }
    }

    /// Reads up to the next message of a type. Returns it and the messages before it.
    pub async fn until(&mut self, kind: &str) -> (Json, Vec<Received>) {
        let mut before = Vec::new();
        loop {
            match self.next().await {
                Received::Text(text) if text["type"] == kind => return (text["data"].clone(), before),
                Received::Closed(code) => panic!("closed with {code} before {kind}, after {before:?}"),
                received => before.push(received),
            }
        }
    }

    /// Reads up to the end of a prompt (`executing` without a node), inclusive.
    pub async fn until_end(&mut self, prompt_id: &str) -> Vec<Received> {
        let mut received = Vec::new();
        loop {
            let next = self.next().await;
            if let Received::Closed(code) = next {
                panic!("closed with {code} before the end, after {received:?}");
            }
            let is_end = matches!(&next, Received::Text(text) if text["type"] == "executing"
                && text["data"]["node"].is_null() && text["data"]["prompt_id"] == prompt_id);
            received.push(next);
            if is_end {
                return received;
            }
        }
    }
}

/// The types of text messages in order, without repeatable ones.
pub fn kinds(received: &[Received]) -> Vec<String> {
    let kind = |received: &Received| match received {
        Received::Text(text) => text["type"].as_str().map(str::to_owned),
        _ => None,
    };
    received.iter().filter_map(kind).filter(|kind| kind != "progress_state").collect()
}

/// The data of all messages of a type.
pub fn data_of(received: &[Received], kind: &str) -> Vec<Json> {
    let data = |received: &Received| match received {
        Received::Text(text) if text["type"] == kind => Some(text["data"].clone()),
        _ => None,
    };
    received.iter().filter_map(data).collect()
}
