//! A test server for YouTube's oEmbed and previews.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use reqwest::Url;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};

use super::providers::{Request, read};
use crate::settings::Settings;

/// The server. Cheap to clone; it runs until the runtime ends.
#[derive(Clone)]
pub struct TestYouTube {
    pub url: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// Status and body by video.
    videos: HashMap<String, (u16, Value)>,
    picture: Vec<u8>,
    asked: Vec<String>,
}

impl TestYouTube {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://localhost:{}", listener.local_addr().expect("an address").port());
        let youtube = Self { url, state: Arc::default() };
        let server = youtube.clone();
        actix_rt::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                actix_rt::spawn(server.clone().talk(stream));
            }
        });
        youtube
    }

    /// Configures it as YouTube.
    pub fn configure(&self, settings: &mut Settings) {
        settings.videos.base_url.clone_from(&self.url);
        settings.outbound.private_hosts = vec!["localhost".to_owned()];
    }

    /// Adds a video with this id, title, channel and a preview.
    pub fn video(&self, id: &str, title: &str, author: &str) {
        let answer = json!({
            "type": "video", "version": "1.0", "provider_name": "YouTube", "title": title, "author_name": author,
            "author_url": "https://www.youtube.com/@channel", "width": 200, "height": 113,
            "thumbnail_url": format!("{}/vi/{id}/hqdefault.jpg", self.url), "thumbnail_width": 480,
            "html": "<iframe src=\"https://evil.example/\" onload=\"alert(1)\"></iframe>",
        });
        self.answer(id, 200, answer);
    }

    /// Sets the response for a video.
    pub fn answer(&self, id: &str, status: u16, answer: Value) {
        self.state().videos.insert(id.to_owned(), (status, answer));
    }

    /// The bytes of every preview.
    pub fn picture(&self, bytes: Vec<u8>) {
        self.state().picture = bytes;
    }

    /// The requested paths.
    #[must_use]
    pub fn asked(&self) -> Vec<String> {
        self.state().asked.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn talk(self, mut stream: TcpStream) {
        let Some(request) = read(&mut stream).await else { return };
        let (status, kind, body) = self.respond(&request);
        let head = format!(
            "HTTP/1.1 {status} x\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        drop(stream.write_all(head.as_bytes()).await);
        drop(stream.write_all(&body).await);
    }

    fn respond(&self, request: &Request) -> (u16, &'static str, Vec<u8>) {
        let mut state = self.state();
        state.asked.push(request.path.clone());
        if request.path.starts_with("/vi/") {
            return (200, "image/jpeg", state.picture.clone());
        }
        let asked = Url::parse(&format!("http://query/?{}", request.query)).expect("a query");
        let asked: HashMap<String, String> = asked.query_pairs().into_owned().collect();
        let page = asked.get("url").map_or("", String::as_str);
        let known = page.strip_prefix("https://www.youtube.com/watch?v=").and_then(|id| state.videos.get(id));
        let is_json = asked.get("format").is_some_and(|format| format == "json");
        match known.filter(|_| request.path == "/oembed" && is_json) {
            Some((status, answer)) => (*status, "application/json", answer.to_string().into_bytes()),
            None => (404, "text/plain", b"Not Found".to_vec()),
        }
    }
}
