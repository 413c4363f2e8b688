//! A plain ComfyUI client: it knows an address and a key, and nothing of this platform.

use std::time::Duration;

use reqwest::multipart::{Form, Part};
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};

use crate::editor_socket::{Frame, Socket};
use crate::site::{Browser, Site, text};

/// The headers that carry a key.
pub const KEY_HEADERS: [&str; 3] = ["x-api-key", "authorization", "api-key"];

const PATIENCE: Duration = Duration::from_secs(60);

pub struct PlainClient<'a> {
    site: &'a Site,
    http: Client,
    /// Below the editor's address: ComfyUI answers with and without `/api`.
    prefix: &'static str,
    credential: (&'static str, String),
    pub id: String,
}

impl<'a> PlainClient<'a> {
    /// A client that sends a new key of this person in one of [`KEY_HEADERS`].
    pub async fn of(site: &'a Site, who: &Browser, header: &'static str, prefix: &'static str) -> Self {
        let made = site.send(who, Method::POST, "/api/general/api-key", &json!({ "name": header })).await;
        let key = text(&made.json().await.expect("JSON"), "key");
        let value = if header == "authorization" { format!("Bearer {key}") } else { key };
        // As a script: it follows redirects. The pool as in `Site`.
        let http = Client::builder().no_proxy().timeout(PATIENCE).pool_idle_timeout(Duration::from_secs(3));
        let http = http.build().expect("a client");
        let id = format!("plain-{header}");
        Self { site, http, prefix, credential: (header, value), id }
    }

    pub fn ask(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}/comfyui-editor{}{path}", self.site.url, self.prefix);
        self.http.request(method, url).header(self.credential.0, &self.credential.1)
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        let answer = self.ask(Method::GET, path).send().await.expect("an answer");
        (answer.status().as_u16(), answer.json().await.unwrap_or_default())
    }

    /// A call with a JSON body, without a content type.
    pub async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let answer = self.ask(Method::POST, path).body(body.to_string()).send().await.expect("an answer");
        (answer.status().as_u16(), answer.json().await.unwrap_or_default())
    }

    /// Uploads a file, and returns the value that a prompt names it by.
    pub async fn upload(&self, name: &str, bytes: Vec<u8>) -> String {
        let form = Form::new().text("overwrite", "true").part("image", Part::bytes(bytes).file_name(name.to_owned()));
        let answer = self.ask(Method::POST, "/upload/image").multipart(form).send().await.expect("an answer");
        assert_eq!(answer.status(), 200, "{name}");
        let stored: Value = answer.json().await.expect("JSON");
        match text(&stored, "subfolder").as_str() {
            "" => text(&stored, "name"),
            folder => format!("{folder}/{}", text(&stored, "name")),
        }
    }

    /// A socket after its greeting.
    pub async fn socket(&self) -> Socket {
        let path = format!("{}/ws?clientId={}", self.prefix, self.id);
        let credential = (self.credential.0, self.credential.1.as_str());
        let mut socket = Socket::with_headers(self.site, &path, &[credential]).await.expect("a socket");
        let greeting = socket.next().await.expect("a greeting");
        assert_eq!((greeting.kind(), &greeting.data()["sid"]), ("status", &json!(self.id)));
        socket
    }

    /// Queues a prompt, and returns its id with the messages until its end.
    pub async fn run(&self, socket: &mut Socket, prompt: &Value) -> (String, Vec<Frame>) {
        let (status, answer) = self.post("/prompt", &json!({ "prompt": prompt, "client_id": self.id })).await;
        assert_eq!((status, &answer["node_errors"]), (200, &json!({})), "{answer}");
        let id = text(&answer, "prompt_id");
        let frames = socket.until("executing", |data| data["node"].is_null() && data["prompt_id"] == id).await;
        (id, frames)
    }

    /// The history entry of an ended prompt.
    pub async fn history(&self, id: &str) -> Value {
        let (status, mut history) = self.get(&format!("/history/{id}")).await;
        assert_eq!(status, 200);
        history[id].take()
    }

    /// The bytes of a file that an output names.
    pub async fn view(&self, file: &Value) -> Option<Vec<u8>> {
        let query = ["filename", "subfolder", "type"].map(|key| (key, text(file, key)));
        let answer = self.ask(Method::GET, "/view").query(&query).send().await.expect("an answer");
        (answer.status() == 200).then_some(answer.bytes().await.ok()?.to_vec())
    }
}
