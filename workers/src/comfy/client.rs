//! HTTP calls to one ComfyUI server. Every call is bounded in time and size, follows no redirects and uses no proxy: a
//! worker is one address on a private network, and its answers must not redirect us elsewhere.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use reqwest::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use reqwest::{Body, Method};
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use verdigraph_core::assets::{Spool, SpoolWriter};

use super::body::{guarded, pieces, read, read_shortened};
use super::failure::{Failure, excerpt};
use super::history::{BoundedMap, HistoryEntry, QueueView};
use super::json;
use super::output::{FileRef, UNREAD};
use super::transport::Timeouts;

/// Largest JSON answer in bytes. Bounds the memory that one prompt's output can take.
const MAX_JSON_BYTES: u64 = 32 << 20;
/// Largest history entry of one prompt, before its long texts are cut.
const MAX_HISTORY_BYTES: u64 = 512 << 20;
/// Largest `/object_info`. With many custom nodes it is about 20 MB.
const MAX_INFO_BYTES: u64 = 128 << 20;
/// The body of `POST /prompt`.
#[derive(Debug, Serialize)]
pub struct PromptRequest<'a> {
    pub prompt: &'a RawValue,
    pub client_id: &'a str,
    /// A canonical lower-case hyphenated UUID. Newer servers accept nothing else.
    pub prompt_id: &'a str,
    pub extra_data: &'a RawValue,
}

/// The result of `POST /prompt`.
#[derive(Debug, Clone, PartialEq)]
pub enum PostAnswer {
    /// Queued under this id (old servers choose their own). `node_errors` lists outputs that are left out.
    Queued { prompt_id: String, node_errors: Value },
    /// 400 with ComfyUI's `{error, node_errors}`.
    Refused { validation: Value },
    /// Certainly not taken: no connection was made.
    Unreachable { reason: String },
    /// An answer outside the protocol, or 5xx.
    ProtocolError { reason: String },
    /// Possibly taken: only queue and history can tell.
    Unknown { reason: String },
    /// Certainly not taken: the permission to send it ended before the request was complete.
    Withheld,
}

#[derive(Debug, Clone)]
pub struct Client {
    base: String,
    http: reqwest::Client,
    timeouts: Timeouts,
    /// The bearer token that the server requires, if any.
    secret: Option<SecretString>,
}

impl Client {
    /// `base` is an address such as `http://10.0.0.5:8188`.
    #[must_use]
    pub fn new(base: &str, http: reqwest::Client, timeouts: Timeouts) -> Self {
        Self { base: base.trim_end_matches('/').to_owned(), http, timeouts, secret: None }
    }

    /// Sends this secret with every request.
    #[must_use]
    pub fn knowing(mut self, secret: Option<SecretString>) -> Self {
        self.secret = secret;
        self
    }

    /// The `Authorization` header of a request.
    #[must_use]
    pub fn authorization(&self) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", self.secret.as_ref()?.expose_secret())).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.http.request(method, self.url(path));
        match self.authorization() {
            Some(value) => request.header(AUTHORIZATION, value),
            None => request,
        }
    }

    #[must_use]
    pub fn socket_url(&self, client_id: &str) -> String {
        let base = match self.base.split_once("://") {
            Some(("https", rest)) => format!("wss://{rest}"),
            Some((_, rest)) => format!("ws://{rest}"),
            None => format!("ws://{}", self.base),
        };
        format!("{base}/ws?clientId={client_id}")
    }

    /// The server's version from `/system_stats`, if it has one.
    pub async fn version(&self) -> Result<Option<String>, Failure> {
        let stats: Value = self.get("/system_stats").await?;
        let system = stats.get("system").ok_or_else(|| Failure::Malformed("system_stats without system".into()))?;
        Ok(system.get("comfyui_version").and_then(Value::as_str).map(str::to_owned))
    }

    /// The largest upload in bytes from `/features`. Old servers do not have that call.
    pub async fn max_upload_bytes(&self) -> Result<Option<u64>, Failure> {
        match self.get::<Value>("/features").await {
            Ok(features) => Ok(features.get("max_upload_size").and_then(Value::as_u64)),
            Err(Failure::Status { status: 404 }) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// The raw `/object_info`. It is large, so the caller parses it outside the event loop.
    pub async fn object_info(&self) -> Result<Bytes, Failure> {
        let request = self.request(Method::GET, "/object_info").timeout(self.timeouts.transfer);
        self.bytes(request, MAX_INFO_BYTES).await
    }

    /// The model folders. Old servers do not have that call.
    pub async fn model_folders(&self) -> Result<Vec<String>, Failure> {
        match self.get("/models").await {
            Err(Failure::Status { status: 404 }) => Ok(Vec::new()),
            answer => answer,
        }
    }

    pub async fn models(&self, folder: &str) -> Result<Vec<String>, Failure> {
        match self.get(&format!("/models/{}", escape(folder))).await {
            Err(Failure::Status { status: 404 }) => Ok(Vec::new()),
            answer => answer,
        }
    }

    /// What the header of a model file says about its architecture: `modelspec.architecture`, or
    /// `ss_base_model_version` of trained files. `None` for a file without them, and for files other than safetensors.
    pub async fn architecture(&self, folder: &str, file: &str) -> Result<Option<String>, Failure> {
        let path = format!("/view_metadata/{}?filename={}", escape(folder), escape(file));
        match self.get::<Value>(&path).await {
            Err(Failure::Status { .. } | Failure::Malformed(_)) => Ok(None),
            Err(failure) => Err(failure),
            Ok(header) => {
                let text = |key: &str| header.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
                Ok(text("modelspec.architecture").or_else(|| text("ss_base_model_version")).map(str::to_owned))
            }
        }
    }

    /// The sizes in bytes of a folder's model files. Empty for servers that do not tell them.
    pub async fn model_sizes(&self, folder: &str) -> Result<HashMap<String, u64>, Failure> {
        match self.get::<Vec<Value>>(&format!("/experiment/models/{}", escape(folder))).await {
            Err(Failure::Status { .. } | Failure::Malformed(_)) => Ok(HashMap::new()),
            Err(failure) => Err(failure),
            Ok(files) => {
                let size = |file: &Value| Some((file.get("name")?.as_str()?.to_owned(), file.get("size")?.as_u64()?));
                Ok(files.iter().filter_map(size).collect())
            }
        }
    }

    /// The number of prompts that wait or run. The cheapest health check.
    pub async fn queue_remaining(&self) -> Result<u64, Failure> {
        let answer: Value = self.get("/prompt").await?;
        let remaining = answer.pointer("/exec_info/queue_remaining").and_then(Value::as_u64);
        remaining.ok_or_else(|| Failure::Malformed("no queue_remaining".into()))
    }

    pub async fn queue(&self) -> Result<QueueView, Failure> {
        let answer: Value = self.get("/queue").await?;
        QueueView::read(&answer).ok_or_else(|| Failure::Malformed("unexpected shape of the queue".into()))
    }

    /// How a prompt ended. `None` while it waits or runs, or if the server does not know it.
    pub async fn history(&self, prompt_id: &str) -> Result<Option<HistoryEntry>, Failure> {
        // The rest of an entry repeats the prompt and is not read.
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Entry {
            outputs: Option<Box<RawValue>>,
            status: Option<Box<RawValue>>,
            meta: Option<Box<RawValue>>,
        }
        let request = self.request(Method::GET, &format!("/history/{}", escape(prompt_id)));
        // A live server starts to answer at once, however long the answer is.
        let answer = self.answered(request.timeout(self.timeouts.transfer));
        let answer = tokio::time::timeout(self.timeouts.answer, answer).await;
        let answer = answer.map_err(|_| Failure::Cut("no answer in time".into()))??;
        let body = read_shortened(answer, (MAX_HISTORY_BYTES, MAX_JSON_BYTES)).await?;
        let mut entries: BoundedMap<Entry> = json::shape(&json::with_exact_numbers(&body))?;
        let Some(entry) = entries.0.remove(prompt_id) else { return Ok(None) };
        let other_shape = || Failure::Malformed("unexpected shape of a history entry".into());
        let outputs = json::members(entry.outputs.as_deref().ok_or_else(other_shape)?)?;
        let outputs = outputs.into_iter().map(|(node, output)| (node, output.unwrap_or(UNREAD))).collect();
        // The end status is short. A longer one is rejected.
        let part = |part: Option<Box<RawValue>>| {
            part.and_then(|part| json::answer::<Value>(part.get().as_bytes()).ok()).unwrap_or_default()
        };
        HistoryEntry::read(Value::Object(outputs), &part(entry.status), &part(entry.meta))
            .map(Some)
            .ok_or_else(other_shape)
    }

    /// Queues a prompt. Infallible: an unknown outcome is [`PostAnswer::Unknown`]. `may_send` is asked last when the
    /// connection writes the body: this process may have been suspended since it began the call.
    pub async fn post_prompt(
        &self,
        prompt: &PromptRequest<'_>,
        may_send: impl Fn() -> bool + Send + 'static,
    ) -> PostAnswer {
        if !may_send() {
            return PostAnswer::Withheld;
        }
        let body = match serde_json::to_vec(prompt) {
            Ok(body) => body,
            Err(error) => return PostAnswer::Unreachable { reason: error.to_string() },
        };
        let request = self
            .request(Method::POST, "/prompt")
            .timeout(self.timeouts.prompt)
            .header(CONTENT_TYPE, "application/json")
            // Without a length the body would be chunked.
            .header(CONTENT_LENGTH, body.len());
        let (body, is_withheld) = guarded(body, may_send);
        let response = match request.body(Body::wrap_stream(body)).send().await {
            Ok(response) => response,
            Err(_) if is_withheld.load(Ordering::Relaxed) => return PostAnswer::Withheld,
            Err(error) => match Failure::of(&error) {
                Failure::Unreachable(reason) | Failure::Refused(reason) => return PostAnswer::Unreachable { reason },
                other => return PostAnswer::Unknown { reason: other.to_string() },
            },
        };
        let status = response.status().as_u16();
        let body = match read(response, MAX_JSON_BYTES).await {
            Ok(body) => body,
            Err(failure) => return PostAnswer::Unknown { reason: failure.to_string() },
        };
        let answer = json::read::<Value>(&body).ok();
        match (status, answer) {
            (200, Some(answer)) => match answer.get("prompt_id").and_then(Value::as_str) {
                Some(prompt_id) => PostAnswer::Queued {
                    prompt_id: prompt_id.to_owned(),
                    node_errors: answer.get("node_errors").cloned().unwrap_or_default(),
                },
                None => PostAnswer::ProtocolError { reason: "the answer to the prompt has no prompt_id".into() },
            },
            (400, Some(validation)) if validation.get("error").is_some() => PostAnswer::Refused { validation },
            _ => PostAnswer::ProtocolError {
                reason: format!("the worker answered the prompt with {status}: {}", excerpt(&body)),
            },
        }
    }

    /// Stores a file in the worker's input folder under exactly this name. A server that chooses another name is an
    /// error.
    pub async fn upload(
        &self,
        name: &str,
        size_bytes: u64,
        pieces: BoxStream<'static, std::io::Result<Bytes>>,
    ) -> Result<(), Failure> {
        let (subfolder, filename) = name.rsplit_once('/').unwrap_or(("", name));
        let body = Body::wrap_stream(pieces);
        let part = reqwest::multipart::Part::stream_with_length(body, size_bytes).file_name(filename.to_owned());
        let form = reqwest::multipart::Form::new()
            .part("image", part)
            .text("type", "input")
            .text("overwrite", "true")
            .text("subfolder", subfolder.to_owned());
        let request = self.request(Method::POST, "/upload/image").timeout(self.timeouts.transfer).multipart(form);
        let stored: Value = self.json(request).await?;
        if stored.get("name").and_then(Value::as_str) == Some(filename) {
            Ok(())
        } else {
            Err(Failure::Malformed(format!("an upload named {filename} was stored as {}", stored["name"])))
        }
    }

    /// Downloads an output file.
    pub async fn view(&self, file: &FileRef, limit_bytes: u64) -> Result<Spool, Failure> {
        let request = self.request(Method::GET, "/view").timeout(self.timeouts.transfer).query(&[
            ("filename", file.filename.as_str()),
            ("subfolder", file.subfolder.as_str()),
            ("type", file.folder.as_str()),
        ]);
        let response = self.answered(request).await?;
        let mut file = SpoolWriter::default();
        pieces(response, limit_bytes, async |piece| {
            file.write(piece).await.map_err(|error| Failure::Cut(error.to_string()))
        })
        .await?;
        file.finish().await.map_err(|error| Failure::Cut(error.to_string()))
    }

    /// Stops the prompt if it runs. Old servers ignore the id and stop the running prompt: call this only after the
    /// queue shows that this prompt runs.
    pub async fn interrupt(&self, prompt_id: &str) -> Result<(), Failure> {
        self.command("/interrupt", &serde_json::json!({ "prompt_id": prompt_id })).await
    }

    /// Removes the prompt from the queue if it waits.
    pub async fn delete(&self, prompt_id: &str) -> Result<(), Failure> {
        self.command("/queue", &serde_json::json!({ "delete": [prompt_id] })).await
    }

    /// Asks the server to drop its cached results. It does so between two prompts.
    pub async fn forget_results(&self) -> Result<(), Failure> {
        self.command("/free", &serde_json::json!({ "free_memory": true })).await
    }

    async fn command(&self, path: &str, body: &Value) -> Result<(), Failure> {
        let request = self.request(Method::POST, path).timeout(self.timeouts.answer).json(body);
        self.bytes(request, MAX_JSON_BYTES).await.map(|_| ())
    }

    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        self.json(self.request(Method::GET, path).timeout(self.timeouts.answer)).await
    }

    async fn json<T: DeserializeOwned>(&self, request: reqwest::RequestBuilder) -> Result<T, Failure> {
        let body = self.bytes(request, MAX_JSON_BYTES).await?;
        json::answer(&body)
    }

    async fn bytes(&self, request: reqwest::RequestBuilder, limit_bytes: u64) -> Result<Bytes, Failure> {
        read(self.answered(request).await?, limit_bytes).await
    }

    /// Sends a request and turns an error status into a [`Failure`].
    async fn answered(&self, request: reqwest::RequestBuilder) -> Result<reqwest::Response, Failure> {
        let response = request.send().await.map_err(|error| Failure::of(&error))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        Err(Failure::Status { status: status.as_u16() })
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }
}

fn escape(segment: &str) -> String {
    let mut escaped = String::with_capacity(segment.len());
    for byte in segment.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => escaped.push(char::from(byte)),
            _ => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::super::transport::transport;
    use super::*;

    #[test]
    fn socket_uses_tls_if_the_server_does() {
        let http = transport(Timeouts::default()).unwrap();
        let url = |base| Client::new(base, http.clone(), Timeouts::default()).socket_url("c");
        assert_eq!(url("http://10.0.0.5:8188/"), "ws://10.0.0.5:8188/ws?clientId=c");
        assert_eq!(url("https://gpu.example/comfy"), "wss://gpu.example/comfy/ws?clientId=c");
    }

    #[test]
    fn folder_name_is_escaped() {
        assert_eq!(escape("../queue?x"), "..%2Fqueue%3Fx");
    }
}
