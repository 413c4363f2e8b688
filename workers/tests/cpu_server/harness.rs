//! A worker on a free port in a folder of its own, and clients of it.

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

/// Longest any single thing may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(30);

static TLS: Once = Once::new();

/// A worker over the test nodes and the built-in ones.
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
            // Another test of this process may have been first.
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
        // A connection that has been idle while prompts ran may be closed by the server just as the next request goes out.
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

    /// Submits a prompt and gives its id.
    pub async fn submit(&self, prompt: &Json, client_id: &str) -> String {
        let body = json!({"prompt": prompt, "client_id": client_id});
        let response = self.post("/prompt", body.to_string()).await;
        let status = response.status();
        let answer: Json = response.json().await.unwrap();
        assert_eq!(status, 200, "{answer}");
        answer["prompt_id"].as_str().unwrap().to_owned()
    }

    /// The history of a prompt that has ended.
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

/// What a client was sent.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    Text(Json),
    Binary(Vec<u8>),
    /// The close code, 0 where the other side just ended.
    Closed(u16),
}

/// A client's socket.
pub struct Socket(pub WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    pub async fn open(url: &str) -> Self {
        let (stream, _) = timeout(PATIENCE, tokio_tungstenite::connect_async(url)).await.unwrap().unwrap();
        Self(stream)
    }

    pub async fn say(&mut self, text: &str) {
        self.0.send(Message::text(text)).await.unwrap();
    }

    pub async fn next(&mut self) -> Heard {
        loop {
            let message = timeout(PATIENCE, self.0.next()).await.expect("nothing more is heard");
            return match message {
                Some(Ok(Message::Text(text))) => Heard::Text(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Binary(bytes))) => Heard::Binary(bytes.to_vec()),
                Some(Ok(Message::Close(frame))) => Heard::Closed(frame.map_or(0, |frame| frame.code.into())),
                Some(Ok(_)) => continue,
                Some(Err(_)) | None => Heard::Closed(0),
            };
        }
    }

    /// The next message of a type, and those before it.
    pub async fn until(&mut self, kind: &str) -> (Json, Vec<Heard>) {
        let mut before = Vec::new();
        loop {
            match self.next().await {
                Heard::Text(text) if text["type"] == kind => return (text["data"].clone(), before),
                Heard::Closed(code) => panic!("closed with {code} before {kind}, after {before:?}"),
                heard => before.push(heard),
            }
        }
    }

    /// Everything up to the end of a prompt (`executing` of no node), which is the last.
    pub async fn until_end(&mut self, prompt_id: &str) -> Vec<Heard> {
        let mut heard = Vec::new();
        loop {
            let next = self.next().await;
            if let Heard::Closed(code) = next {
                panic!("closed with {code} before the end, after {heard:?}");
            }
            let is_end = matches!(&next, Heard::Text(text) if text["type"] == "executing"
                && text["data"]["node"].is_null() && text["data"]["prompt_id"] == prompt_id);
            heard.push(next);
            if is_end {
                return heard;
            }
        }
    }
}

/// The types of text messages, in order, without those of a type that comes in any number.
pub fn kinds(heard: &[Heard]) -> Vec<String> {
    let kind = |heard: &Heard| match heard {
        Heard::Text(text) => text["type"].as_str().map(str::to_owned),
        _ => None,
    };
    heard.iter().filter_map(kind).filter(|kind| kind != "progress_state").collect()
}

/// The data of every message of a type.
pub fn data_of(heard: &[Heard], kind: &str) -> Vec<Json> {
    let data = |heard: &Heard| match heard {
        Heard::Text(text) if text["type"] == kind => Some(text["data"].clone()),
        _ => None,
    };
    heard.iter().filter_map(data).collect()
}
