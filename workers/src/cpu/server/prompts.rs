//! Submitting prompts, and their queue and history.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use actix_web::HttpResponse;
use actix_web::body::{BodySize, MessageBody};
use actix_web::http::header::ContentType;
use actix_web::web::{Bytes, Data, Path, Query};
use chrono::Utc;
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use uuid::Uuid;
use verdigraph_core::graph::{ComfyVersion, Refusal, ValidPrompt, convert, python};

use super::queue::{AnswerSignal, QueuedPrompt};
use super::validate::validate;
use super::worker::Worker;
use crate::cpu::budget::json_bytes;

/// Credentials in `extra_data`. A real server shows them in its queue; this one drops them, because no node needs them.
const CREDENTIALS: [&str; 2] = ["auth_token_comfy_org", "api_key_comfy_org"];

pub(super) async fn exec_info(worker: Data<Worker>) -> HttpResponse {
    HttpResponse::Ok().json(worker.exec_info())
}

/// The protocol's answer for a rejected prompt.
fn refused(refusal: &Refusal) -> HttpResponse {
    HttpResponse::BadRequest().json(refusal)
}

/// The answer to a request for which a real server answers 500.
fn malformed(details: &str) -> HttpResponse {
    refused(&Refusal::whole("invalid_request", "The request is malformed", details))
}

/// POST /prompt. The body is parsed as JSON for any content type.
pub(super) async fn submit(worker: Data<Worker>, body: Bytes) -> HttpResponse {
    let body = match serde_json::from_slice::<Json>(&body) {
        Ok(body) => body,
        Err(error) => return malformed(&format!("the body is not JSON: {error}")),
    };
    worker.log("got prompt");
    let no_prompt = || refused(&Refusal::whole("no_prompt", "No prompt provided", "No prompt provided"));
    let mut body = match body {
        Json::Object(body) => body,
        Json::Array(_) => return no_prompt(),
        _ => return malformed("the body is not an object"),
    };
    let number = match number(&worker, &body) {
        Ok(number) => number,
        Err(refusal) => return malformed(&format!("number: {refusal}")),
    };
    let mut prompt = match body.remove("prompt") {
        None => return no_prompt(),
        Some(Json::Object(prompt)) => prompt,
        Some(Json::Array(items)) if items.is_empty() => Map::new(),
        Some(_) => return malformed("prompt is not an object of nodes"),
    };
    let like = worker.options.like;
    let prompt_id = match prompt_id(like, &body) {
        Ok(prompt_id) => prompt_id,
        Err(refusal) => return refused(&refusal),
    };
    let mut extra_data = match extra_data(&mut body) {
        Ok(extra_data) => extra_data,
        Err(refusal) => return malformed(refusal),
    };
    if like >= ComfyVersion::V0_33_0 {
        extra_data.insert("create_time".to_owned(), json!(Utc::now().timestamp_millis()));
    }
    let targets = body.get("partial_execution_targets").and_then(Json::as_array);
    let targets: Option<Vec<String>> = targets.map(|targets| targets.iter().map(python::text).collect());
    let checking = worker.clone();
    // Nodes read files while they check their inputs.
    let checked = actix_web::web::block(move || {
        let checked = validate(like, &checking.catalog, &checking.folders, &mut prompt, targets.as_deref());
        checked.map(|checked| (prompt, checked))
    });
    let (prompt, ValidPrompt { outputs, node_errors, .. }) = match checked.await {
        Ok(Ok(checked)) => checked,
        Ok(Err(refusal)) => {
            worker.log("invalid prompt");
            return refused(&refusal);
        }
        Err(_) => return HttpResponse::InternalServerError().finish(),
    };
    let size = prompt.iter().chain(&extra_data).map(|(key, value)| key.len() + json_bytes(value)).sum();
    let Some(held) = worker.reserve(size) else { return full() };
    let answered = Arc::<AnswerSignal>::default();
    let item = QueuedPrompt {
        answered: Arc::clone(&answered),
        held,
        number: number.clone(),
        prompt_id: prompt_id.clone(),
        prompt: Json::Object(prompt),
        client_id: client_id(&extra_data),
        extra_data: Json::Object(extra_data),
        outputs,
    };
    if worker.queue.push(item, worker.options.queue_limit).is_err() {
        return full();
    }
    let answer = json!({"prompt_id": prompt_id, "number": number, "node_errors": node_errors});
    let answer = Answer { bytes: Some(Bytes::from(answer.to_string())), length: 0, is_flushed: false, answered };
    HttpResponse::Ok().content_type(ContentType::json()).body(answer.measured())
}

/// The answer to a submit. The client must have it before its socket gets messages about the prompt. The prompt starts
/// when this body is dropped, which happens after its bytes were written to the connection.
struct Answer {
    bytes: Option<Bytes>,
    length: u64,
    is_flushed: bool,
    answered: Arc<AnswerSignal>,
}

impl Answer {
    fn measured(mut self) -> Self {
        self.length = self.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64);
        self
    }
}

impl MessageBody for Answer {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.length)
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        if let Some(bytes) = self.bytes.take() {
            return Poll::Ready(Some(Ok(bytes)));
        }
        if !self.is_flushed {
            // The connection is flushed while a body is pending.
            self.is_flushed = true;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(None)
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.answered.tell();
    }
}

/// 503: too many prompts wait, or memory is used up.
fn full() -> HttpResponse {
    let full = Refusal::whole("queue_full", "The queue is full", "try again later");
    HttpResponse::ServiceUnavailable().insert_header(("retry-after", "5")).json(full)
}

/// The prompt's number: the client's as a float, otherwise the server's next, negated for `front`. Taken before any
/// other check.
fn number(worker: &Worker, body: &Map<String, Json>) -> Result<Json, String> {
    if let Some(number) = body.get("number") {
        return Ok(Json::Number(convert::float(number)?));
    }
    let number = worker.queue.number();
    let front = body.get("front").is_some_and(convert::boolean);
    Ok(json!(if front { -number } else { number }))
}

/// The prompt's id: the client's, otherwise a new one. Since 0.33.0 the client's must be a UUID.
fn prompt_id(like: ComfyVersion, body: &Map<String, Json>) -> Result<String, Refusal> {
    let Some(given) = body.get("prompt_id") else { return Ok(Uuid::new_v4().to_string()) };
    if like >= ComfyVersion::V0_33_0 && !is_canonical(given) {
        return Err(Refusal::whole(
            "invalid_prompt_id",
            "prompt_id must be a valid UUID",
            "prompt_id must be a UUID string in canonical lowercase hyphenated form; omit it to let the server generate one",
        ));
    }
    Ok(python::text(given))
}

/// Whether a value is a UUID in canonical form.
pub(super) fn is_canonical(id: &Json) -> bool {
    id.as_str().is_some_and(|text| Uuid::parse_str(text).is_ok_and(|id| id.hyphenated().to_string() == text))
}

/// `extra_data` with the body's `client_id`, without credentials.
fn extra_data(body: &mut Map<String, Json>) -> Result<Map<String, Json>, &'static str> {
    let mut extra_data = match body.remove("extra_data") {
        None => Map::new(),
        Some(Json::Object(extra_data)) => extra_data,
        Some(_) => return Err("extra_data is not an object"),
    };
    for name in CREDENTIALS {
        extra_data.shift_remove(name);
    }
    if let Some(client_id) = body.remove("client_id") {
        extra_data.insert("client_id".to_owned(), client_id);
    }
    Ok(extra_data)
}

fn client_id(extra_data: &Map<String, Json>) -> Option<String> {
    extra_data.get("client_id").filter(|id| !id.is_null()).map(python::text)
}

/// GET /queue. Unlike at a real server, waiting prompts are in the order they will run.
pub(super) async fn queue(worker: Data<Worker>) -> HttpResponse {
    let (running, pending) = worker.queue.items();
    let parts = |items: Vec<Arc<QueuedPrompt>>| items.iter().map(|item| item.parts()).collect::<Vec<_>>();
    HttpResponse::Ok().json(json!({"queue_running": parts(running), "queue_pending": parts(pending)}))
}

/// The body of a command; empty without one.
fn command(body: &[u8]) -> Result<Map<String, Json>, &'static str> {
    match serde_json::from_slice(body) {
        Ok(Json::Object(command)) => Ok(command),
        Ok(_) => Err("the body is not an object"),
        Err(_) => Err("the body is not JSON"),
    }
}

/// The ids of a `delete`. Values that are not texts match nothing.
fn ids(command: &Map<String, Json>) -> Result<Vec<&str>, &'static str> {
    match command.get("delete") {
        None | Some(Json::String(_) | Json::Object(_)) => Ok(Vec::new()),
        Some(Json::Array(ids)) => Ok(ids.iter().filter_map(Json::as_str).collect()),
        Some(_) => Err("delete is not a list"),
    }
}

/// POST /queue: `clear`, `delete`. Neither affects the running prompt.
pub(super) async fn change_queue(worker: Data<Worker>, body: Bytes) -> HttpResponse {
    let command = match command(&body) {
        Ok(command) => command,
        Err(refusal) => return HttpResponse::BadRequest().body(refusal),
    };
    let ids = match ids(&command) {
        Ok(ids) => ids,
        Err(refusal) => return HttpResponse::BadRequest().body(refusal),
    };
    if command.get("clear").is_some_and(convert::boolean) {
        worker.queue.clear();
    }
    for id in ids {
        worker.queue.delete(id);
    }
    HttpResponse::Ok().finish()
}

pub(super) async fn history(worker: Data<Worker>, query: Query<HashMap<String, String>>) -> HttpResponse {
    let number = |name: &str| query.get(name).map(|text| text.trim().parse::<i64>()).transpose();
    match (number("max_items"), number("offset")) {
        (Ok(most), Ok(offset)) => HttpResponse::Ok().json(worker.history.list(most, offset)),
        _ => HttpResponse::BadRequest().body("max_items and offset are whole numbers"),
    }
}

pub(super) async fn history_entry(worker: Data<Worker>, id: Path<String>) -> HttpResponse {
    HttpResponse::Ok().json(worker.history.one(&id))
}

/// POST /history: `clear`, `delete`
pub(super) async fn change_history(worker: Data<Worker>, body: Bytes) -> HttpResponse {
    let command = match command(&body) {
        Ok(command) => command,
        Err(refusal) => return HttpResponse::BadRequest().body(refusal),
    };
    let ids = match ids(&command) {
        Ok(ids) => ids,
        Err(refusal) => return HttpResponse::BadRequest().body(refusal),
    };
    if command.get("clear").is_some_and(convert::boolean) {
        worker.history.clear();
    }
    for id in ids {
        worker.history.delete(id);
    }
    HttpResponse::Ok().finish()
}

/// POST /interrupt. A body that is not JSON means the running prompt.
pub(super) async fn interrupt(worker: Data<Worker>, body: Bytes) -> HttpResponse {
    match serde_json::from_slice::<Json>(&body) {
        Err(_) => {
            worker.queue.interrupt(None);
        }
        Ok(Json::Object(command)) => {
            let id = command.get("prompt_id").filter(|id| convert::boolean(id)).map(python::text);
            worker.queue.interrupt(id.as_deref());
        }
        Ok(_) => return HttpResponse::BadRequest().body("the body is not an object"),
    }
    HttpResponse::Ok().finish()
}

/// POST /free: `free_memory` clears the cache. There are no models to unload.
pub(super) async fn free(worker: Data<Worker>, body: Bytes) -> HttpResponse {
    let command = match command(&body) {
        Ok(command) => command,
        Err(refusal) => return HttpResponse::BadRequest().body(refusal),
    };
    if command.get("free_memory").is_some_and(convert::boolean) {
        worker.cache.clear();
    }
    HttpResponse::Ok().finish()
}
