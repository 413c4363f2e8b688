//! A local receiver of webhooks with scripted answers, which keeps the messages.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

#[derive(Debug, Clone)]
pub(super) struct Message {
    pub headers: HashMap<String, String>,
    pub body: String,
}

impl Message {
    pub fn id(&self) -> &str {
        &self.headers["webhook-id"]
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }
}

/// The answer to the n-th message (from 0): the head after `HTTP/1.1 `; `None` never answers.
type Answers = Arc<dyn Fn(usize, &Message) -> Option<String> + Send + Sync>;

pub(super) struct Receiver {
    pub url: String,
    got: Arc<Mutex<Vec<Message>>>,
}

impl Receiver {
    pub async fn start(answers: impl Fn(usize, &Message) -> Option<String> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://127.0.0.1:{}/hook", listener.local_addr().expect("an address").port());
        let got = Arc::<Mutex<Vec<Message>>>::default();
        let (kept, answers): (_, Answers) = (Arc::clone(&got), Arc::new(answers));
        actix_rt::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                actix_rt::spawn(talk(stream, Arc::clone(&kept), Arc::clone(&answers)));
            }
        });
        Self { url, got }
    }

    pub async fn well() -> Self {
        Self::start(|_, _| Some("204 No Content\r\n".to_owned())).await
    }

    /// Answers the first message with one head, and later ones with another.
    pub async fn first_then(first: &'static str, later: &'static str) -> Self {
        Self::start(move |number, _| Some(if number == 0 { first } else { later }.to_owned())).await
    }

    pub fn got(&self) -> Vec<Message> {
        self.got.lock().expect("the messages").clone()
    }

    /// Waits until this many messages have arrived.
    pub async fn until(&self, count: usize) -> Vec<Message> {
        let wait = async {
            while self.got().len() < count {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(60), wait).await;
        assert!(waited.is_ok(), "only {} of {count} arrived", self.got().len());
        self.got()
    }
}

async fn talk(mut stream: TcpStream, kept: Arc<Mutex<Vec<Message>>>, answers: Answers) {
    let mut read = Vec::new();
    loop {
        let Some(end) = read.windows(4).position(|four| four == b"\r\n\r\n") else {
            if stream.read_buf(&mut read).await.unwrap_or(0) == 0 {
                return;
            }
            continue;
        };
        let head = String::from_utf8_lossy(&read[..end]).into_owned();
        let headers: HashMap<String, String> = head
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        while read.len() < end + 4 + length {
            if stream.read_buf(&mut read).await.unwrap_or(0) == 0 {
                return;
            }
        }
        let body = String::from_utf8(read[end + 4..end + 4 + length].to_vec()).expect("text");
        read.drain(..end + 4 + length);
        let message = Message { headers, body };
        let number = {
            let mut kept = kept.lock().expect("the messages");
            kept.push(message.clone());
            kept.len() - 1
        };
        let Some(head) = answers(number, &message) else { return std::future::pending().await };
        // The next request comes on the same connection.
        let rest = if head.starts_with("204") { "\r\n" } else { "content-length: 2\r\n\r\nok" };
        let answer = format!("HTTP/1.1 {head}{rest}");
        if stream.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
    }
}
