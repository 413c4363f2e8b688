//! The command line's REST client.

use std::path::Path;
use std::time::Duration;

use futures_util::StreamExt as _;
use reqwest::multipart::{Form, Part};
use reqwest::{Body, Method, RequestBuilder, Response, StatusCode, Url};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::io::AsyncWriteExt as _;
use tokio_util::io::ReaderStream;
use uuid::Uuid;
use verdigraph_core::assets::AssetKind;

use super::failure::Failure;

/// Attempts of a submit when the server is busy or the connection fails; the idempotency key makes repeating safe.
const SUBMIT_ATTEMPTS: u32 = 6;
/// Longest wait between two attempts, whatever `Retry-After` says.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// An accepted job.
#[derive(Debug, Deserialize)]
pub struct Submitted {
    #[serde(rename = "_id")]
    pub id: String,
    pub status: String,
    /// The seeds that were drawn for fields given as -1.
    #[serde(default)]
    pub seeds: Map<String, Value>,
}

/// A job's status, from `GET …/status` or a `status` event.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JobStatus {
    pub status: String,
    #[serde(default)]
    pub execute_exception: Option<Value>,
    #[serde(default)]
    pub validate_exception: Option<Value>,
    #[serde(default)]
    pub queue: Option<Value>,
    #[serde(default)]
    pub progress: Option<Value>,
}

impl JobStatus {
    /// Whether the job has ended.
    pub fn is_terminal(&self) -> bool {
        !matches!(self.status.as_str(), "Pending" | "Connecting" | "Connected" | "Running")
    }

    /// The reason of a failure: the exception with its node, or the validation errors.
    pub fn reason(&self) -> Option<String> {
        if let Some(exception) = &self.execute_exception {
            let text =
                |key: &str| exception.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
            let message = text("exception_message").or_else(|| text("message")).unwrap_or("no message");
            return Some(match (text("node_id"), text("node_type")) {
                (Some(id), Some(kind)) => format!("{message} (node {id}, {kind})"),
                _ => message.to_owned(),
            });
        }
        self.validate_exception.as_ref().map(validation_text)
    }
}

/// ComfyUI's validation result in a few lines: the error itself, then each node's.
pub fn validation_text(validation: &Value) -> String {
    let error = validation.get("error");
    let message = validation
        .get("message")
        .and_then(Value::as_str)
        .or_else(|| error.and_then(|error| error.get("message")).and_then(Value::as_str))
        .unwrap_or("the prompt is not valid");
    let details =
        error.and_then(|error| error.get("details")).and_then(Value::as_str).filter(|details| !details.is_empty());
    let mut text = details.map_or_else(|| message.to_owned(), |details| format!("{message} ({details})"));
    for (id, node) in validation.get("node_errors").and_then(Value::as_object).into_iter().flatten() {
        for error in node.get("errors").and_then(Value::as_array).into_iter().flatten() {
            let part = |key: &str| error.get(key).and_then(Value::as_str).unwrap_or_default();
            text.push_str(&format!("\n  node {id}: {} {}", part("message"), part("details")));
        }
    }
    text
}

/// One entry of `api-outputs`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeOutputs {
    pub node_id: String,
    /// Output type (`images`, `text`, …) → its items, in order.
    pub outputs: Map<String, Value>,
    /// Outputs of the node that the job could not deliver.
    #[serde(default)]
    pub undelivered: Vec<Undelivered>,
}

/// A file, text or value that a job could not deliver.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Undelivered {
    pub node_id: String,
    /// Empty if it counts several.
    pub name: String,
    pub code: String,
    pub message: String,
    pub count: usize,
}

/// A client of one server.
pub struct Client {
    http: reqwest::Client,
    base: Url,
    key: Option<SecretString>,
}

impl Client {
    /// A client of `server`, with an optional key.
    pub fn new(server: &str, key: Option<SecretString>) -> Result<Self, Failure> {
        let base = Url::parse(server)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| Failure::usage(format!("--server {server}: not an http address")))?;
        let mut http = reqwest::Client::builder()
            .user_agent(concat!("verdigraph/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(Duration::from_secs(10));
        // A proxy from the environment cannot reach loopback addresses of this machine.
        if matches!(base.host_str(), Some("localhost" | "127.0.0.1" | "[::1]")) {
            http = http.no_proxy();
        }
        Ok(Self { http: http.build()?, base, key })
    }

    /// The same client with another key.
    pub fn with_key(&self, key: SecretString) -> Self {
        Self { http: self.http.clone(), base: self.base.clone(), key: Some(key) }
    }

    fn request(&self, method: Method, path: &str) -> Result<RequestBuilder, Failure> {
        let url = self.base.join(path).map_err(|error| Failure::server(format!("{path}: {error}")))?;
        let request = self.http.request(method, url.clone());
        // The key is sent only to this server, wherever an output's address points.
        Ok(match &self.key {
            Some(key) if url.origin() == self.base.origin() => request.header("api-key", key.expose_secret()),
            _ => request,
        })
    }

    /// Gets a JSON response.
    pub async fn get(&self, path: &str) -> Result<Value, Failure> {
        let request = self.request(Method::GET, path)?.timeout(Duration::from_secs(60));
        Ok(accept(request.send().await?).await?.json().await?)
    }

    /// Sends a JSON body; returns the JSON response, or `null` if it is empty.
    pub async fn send(&self, method: Method, path: &str, body: &Value) -> Result<Value, Failure> {
        let request = self.request(method, path)?.timeout(Duration::from_secs(60)).json(body);
        let answer = accept(request.send().await?).await?;
        match answer.status() {
            StatusCode::NO_CONTENT => Ok(Value::Null),
            _ => Ok(answer.json().await?),
        }
    }

    /// Sends a JSON body with extra headers; returns the whole response.
    pub async fn post_with(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Result<Response, Failure> {
        let mut request = self.request(Method::POST, path)?.timeout(Duration::from_secs(60)).json(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        accept(request.send().await?).await
    }

    /// The bytes at `address`.
    pub async fn bytes(&self, address: &str) -> Result<bytes::Bytes, Failure> {
        Ok(accept(self.request(Method::GET, address)?.send().await?).await?.bytes().await?)
    }

    /// Uploads a picture from memory; returns the asset's id.
    pub async fn upload_bytes(&self, name: &str, bytes: bytes::Bytes) -> Result<String, Failure> {
        let length = bytes.len() as u64;
        self.upload_part(name, AssetKind::Image, Part::stream_with_length(Body::from(bytes), length)).await
    }

    /// Uploads a file of this kind from disk, streaming; returns the asset's id.
    pub async fn upload(&self, path: &Path, kind: AssetKind) -> Result<String, Failure> {
        let unreadable = |error: std::io::Error| Failure::usage(format!("{}: {error}", path.display()));
        let file = tokio::fs::File::open(path).await.map_err(unreadable)?;
        let length = file.metadata().await.map_err(unreadable)?.len();
        let name = path.file_name().map_or_else(|| "input".to_owned(), |name| name.to_string_lossy().into_owned());
        let part = Part::stream_with_length(Body::wrap_stream(ReaderStream::new(file)), length);
        self.upload_part(&name, kind, part).await.map_err(|failure| named(failure, path))
    }

    async fn upload_part(&self, name: &str, kind: AssetKind, part: Part) -> Result<String, Failure> {
        let described = serde_json::json!({ "name": name, "kind": kind.as_str() }).to_string();
        let word = kind.as_str().to_ascii_lowercase();
        let form = Form::new().text("json", described).part(word.clone(), part.file_name(name.to_owned()));
        let request = self.request(Method::POST, &format!("/api/general/asset/file/{word}"))?.multipart(form);
        let answer: Value = accept(request.send().await?).await?.json().await?;
        text_at(&answer, "_id").ok_or_else(|| Failure::server("the upload was answered without an id"))
    }

    /// Submits a job; all attempts share an idempotency key, so at most one job is created.
    pub async fn submit(&self, path: &str, body: &(impl Serialize + ?Sized)) -> Result<Submitted, Failure> {
        self.submit_once(path, body, &Uuid::new_v4().to_string()).await
    }

    /// Submits a job under the caller's idempotency key: the same key gives the same job.
    pub async fn submit_once(
        &self,
        path: &str,
        body: &(impl Serialize + ?Sized),
        key: &str,
    ) -> Result<Submitted, Failure> {
        let mut wait = Duration::from_millis(500);
        for attempt in 1.. {
            let request = self.request(Method::POST, path)?.timeout(Duration::from_secs(60));
            let sent = request.header("Idempotency-Key", key).json(body).send().await;
            let last = attempt == SUBMIT_ATTEMPTS;
            match sent {
                Ok(response) if !last && busy(&response) => {
                    wait = retry_after(&response).unwrap_or(wait);
                }
                Ok(response) => return Ok(accept(response).await?.json().await?),
                // A refused connection on the first attempt is final: no server is running.
                Err(error) if last || (attempt == 1 && error.is_connect()) => return Err(error.into()),
                Err(_) => {}
            }
            tokio::time::sleep(wait.min(LONGEST_WAIT)).await;
            wait *= 2;
        }
        Err(Failure::server("the server stayed busy"))
    }

    /// Sends items of a batch under the batch's key. The response is streamed while the body is being sent.
    pub async fn upload_batch(&self, key: &str, body: Body) -> Result<Response, Failure> {
        let request = self.request(Method::POST, "/api/general/job/batch")?.header("Idempotency-Key", key);
        accept(request.header("Content-Type", "application/x-ndjson").body(body).send().await?).await
    }

    /// The job's status.
    pub async fn status(&self, job: &str) -> Result<JobStatus, Failure> {
        let value = self.get(&format!("/api/general/job/{job}/status")).await?;
        serde_json::from_value(value).map_err(|error| Failure::server(format!("a status that cannot be read: {error}")))
    }

    /// The job's outputs.
    pub async fn outputs(&self, job: &str) -> Result<Vec<NodeOutputs>, Failure> {
        let value = self.get(&format!("/api/general/job/{job}/api-outputs")).await?;
        serde_json::from_value(value).map_err(|error| Failure::server(format!("outputs that cannot be read: {error}")))
    }

    /// Cancels the job; harmless if it has ended.
    pub async fn cancel(&self, job: &str) -> Result<(), Failure> {
        let request = self.request(Method::POST, &format!("/api/general/job/{job}/cancel"))?;
        accept(request.timeout(Duration::from_secs(15)).send().await?).await.map(drop)
    }

    /// The stream of the job's events after `last`.
    pub async fn events(&self, job: &str, last: Option<&str>) -> Result<Response, Failure> {
        let mut request = self.request(Method::GET, &format!("/api/general/job/{job}/events"))?;
        request = request.header("Accept", "text/event-stream");
        if let Some(last) = last {
            request = request.header("Last-Event-ID", last);
        }
        accept(request.send().await?).await
    }

    /// Saves the file at `address` (absolute, or of this server) as `path`, completely or not at all.
    pub async fn download(&self, address: &str, path: &Path) -> Result<u64, Failure> {
        let unwritable = |error: std::io::Error| Failure::usage(format!("{}: {error}", path.display()));
        let response = accept(self.request(Method::GET, address)?.send().await?).await?;
        let mut partial = path.as_os_str().to_owned();
        partial.push(".part");
        let partial = std::path::PathBuf::from(partial);
        let mut file = tokio::fs::File::create(&partial).await.map_err(unwritable)?;
        let mut written = 0;
        let mut body = response.bytes_stream();
        while let Some(chunk) = body.next().await {
            let chunk = chunk?;
            file.write_all(&chunk).await.map_err(unwritable)?;
            written += chunk.len() as u64;
        }
        file.flush().await.map_err(unwritable)?;
        tokio::fs::rename(&partial, path).await.map_err(unwritable)?;
        Ok(written)
    }
}

/// A text field of a response.
pub fn text_at(answer: &Value, field: &str) -> Option<String> {
    answer.get(field).and_then(Value::as_str).map(str::to_owned)
}

/// Whether a later attempt may succeed.
fn busy(response: &Response) -> bool {
    let conflict = response.status() == StatusCode::CONFLICT;
    conflict || matches!(response.status(), StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE)
}

fn retry_after(response: &Response) -> Option<Duration> {
    let text = response.headers().get("Retry-After")?.to_str().ok()?;
    text.trim().parse().ok().map(Duration::from_secs)
}

#[derive(Deserialize)]
struct ErrorBody {
    code: String,
    message: String,
    #[serde(default)]
    details: Option<Value>,
    #[serde(default, rename = "requestId")]
    request_id: Option<String>,
}

/// Returns a successful response; turns the API's error into a failure.
async fn accept(response: Response) -> Result<Response, Failure> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let address = response.url().clone();
    let bytes = response.bytes().await.unwrap_or_default();
    let Ok(body) = serde_json::from_slice::<ErrorBody>(&bytes) else {
        return Err(Failure::server(format!("{address} answered {status}")));
    };
    let mut message = match (&body.details, body.code.as_str()) {
        (Some(details), "INVALID_PROMPT") => format!("InvalidPrompt: {}", validation_text(details)),
        (Some(Value::Array(fields)), _) => fields.iter().fold(body.message.clone(), |text, field| {
            let part = |key: &str| field.get(key).and_then(Value::as_str).unwrap_or_default();
            format!("{text}\n  {}: {}", part("field"), part("message"))
        }),
        _ => body.message.clone(),
    };
    if status == StatusCode::UNAUTHORIZED {
        message.push_str(" (give a key with --api-key or VERDIGRAPH_API_KEY)");
    }
    if status.is_server_error()
        && let Some(id) = body.request_id
    {
        message.push_str(&format!(" (request {id})"));
    }
    Err(Failure::refused(&body.code, message))
}

fn named(failure: Failure, path: &Path) -> Failure {
    Failure { message: format!("{}: {}", path.display(), failure.message), ..failure }
}
