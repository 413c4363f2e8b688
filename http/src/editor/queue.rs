//! The caller's queue and history as ComfyUI's server tells them: `queue`, `history`, `interrupt`, the jobs API of
//! newer front ends, and the calls of Comfy Cloud. Only prompts that were sent through ComfyUI's own calls are listed,
//! and no call names a prompt of another user.

mod cloud;
mod history;
mod jobs_api;
pub mod outputs;
mod rows;
mod state;

pub use state::{exception_type, number, refused_node};

use actix_web::http::StatusCode;
use actix_web::web::{self, Data, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;
use verdigraph_core::jobs::{self, ClientPrompt, ClientPromptFilter, PromptContent, Removal, Status};
use verdigraph_core::{Core, Error};

use super::dialect::Dialect;
use crate::caller::Caller;
use crate::error::{ApiError, Result};
use crate::extract::{self, RawBody};
use crate::query::Query;
use history::{CloudQueueItem, Entries, PromptEntry, QueueItem};

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/queue").get(queue).post(change_queue))
        .service(web::resource("/history").get(list_history).post(change_history))
        .service(web::resource("/history/{id}").get(find_history))
        .service(web::resource("/interrupt").post(interrupt))
        .service(web::resource("/free").post(free))
        .service(web::resource("/jobs").get(jobs_api::list))
        .service(web::resource("/jobs/cancel").post(jobs_api::cancel_many))
        .service(web::resource("/jobs/{id}").get(jobs_api::find))
        .service(web::resource("/jobs/{id}/cancel").post(jobs_api::cancel))
        .service(web::resource("/job/{id}/status").get(cloud::status))
        .service(web::resource("/history_v2").get(cloud::history))
        .service(web::resource("/history_v2/{id}").get(cloud::find_history));
}

/// Prompts of one list.
const MOST: i64 = 1000;
/// History entries without `max_items`: each has its whole graph.
const USUAL_ENTRIES: i64 = 200;

/// A change of the queue or of the history.
#[derive(Debug, Default, Deserialize)]
struct ListChange {
    #[serde(default)]
    clear: bool,
    #[serde(default)]
    delete: Vec<String>,
}

impl ListChange {
    /// Bodies are JSON whatever their type.
    fn read(body: &RawBody) -> std::result::Result<Self, Error> {
        let invalid = |_| Error::invalid("body", "must be {\"clear\": true} or {\"delete\": [prompt_id, …]}");
        // A list is no object: `[true]` must not clear anything.
        extract::parse(&body.0).map_err(invalid)
    }

    fn ids(&self) -> Vec<Uuid> {
        self.delete.iter().filter_map(|id| id.parse().ok()).collect()
    }
}

#[derive(Debug, Serialize)]
struct QueueView<T> {
    queue_running: Vec<T>,
    queue_pending: Vec<T>,
}

async fn queue(core: Data<Core>, caller: Caller, request: HttpRequest) -> Result<HttpResponse> {
    let prompts = active(&core, &caller).await?;
    Ok(match Dialect::of(&request) {
        Dialect::Local => HttpResponse::Ok().json(queue_view(&core, &prompts, QueueItem::new).await?),
        Dialect::Cloud => HttpResponse::Ok().json(queue_view(&core, &prompts, CloudQueueItem::new).await?),
    })
}

async fn queue_view<T>(
    core: &Core,
    prompts: &[ClientPrompt],
    item: impl Fn(&ClientPrompt, Option<PromptContent>) -> T,
) -> Result<QueueView<T>> {
    let mut contents = jobs::prompt_contents(core, prompts).await?;
    let mut view = QueueView { queue_running: Vec::new(), queue_pending: Vec::new() };
    for prompt in prompts.iter().rev() {
        let item = item(prompt, contents.remove(&prompt.job));
        let list = if prompt.status == Status::Pending { &mut view.queue_pending } else { &mut view.queue_running };
        list.push(item);
    }
    Ok(view)
}

/// The caller's waiting and running prompts, the newest first.
async fn active(core: &Core, caller: &Caller) -> Result<Vec<ClientPrompt>> {
    Ok(jobs::active_client_prompts(core, caller, &ClientPromptFilter::default(), MOST).await?)
}

/// Takes waiting prompts out of the queue. Running and unknown ones stay as they are.
async fn change_queue(core: Data<Core>, caller: Caller, request: HttpRequest, body: RawBody) -> Result<HttpResponse> {
    caller.signed_in()?;
    let change = ListChange::read(&body)?;
    let ids = change.ids();
    let mut canceled = Vec::new();
    for prompt in active(&core, &caller).await? {
        let is_meant = change.clear || ids.contains(&prompt.prompt_id);
        if is_meant && prompt.status == Status::Pending {
            jobs::cancel(&core, &caller, prompt.job).await?;
            canceled.push(prompt.prompt_id);
        }
    }
    Ok(match Dialect::of(&request) {
        Dialect::Local => HttpResponse::Ok().finish(),
        Dialect::Cloud => HttpResponse::Ok().json(json!({ "deleted": canceled, "cleared": change.clear })),
    })
}

#[derive(Debug, Deserialize)]
struct HistoryQuery {
    max_items: Option<String>,
    offset: Option<String>,
}

impl HistoryQuery {
    /// The most entries, and how many of the oldest to skip.
    fn place(&self) -> std::result::Result<(i64, Option<i64>), Error> {
        let number = |name: &'static str, text: Option<&String>| {
            let invalid = |_| Error::invalid(name, "must be a whole number");
            text.map(|text| text.parse::<i64>().map_err(invalid)).transpose()
        };
        let most = number("max_items", self.max_items.as_ref())?.filter(|most| *most >= 0).unwrap_or(USUAL_ENTRIES);
        let offset = number("offset", self.offset.as_ref())?.filter(|offset| *offset >= 0);
        Ok((most.min(MOST), offset))
    }
}

/// What ComfyUI keeps in its history.
fn ran() -> ClientPromptFilter {
    ClientPromptFilter { without_never_ran: true, ..ClientPromptFilter::default() }
}

/// The entries in the order in which they were sent, the oldest first. `max_items` alone gives the newest; with
/// `offset` it counts from the oldest.
async fn list_history(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    query: Query<HistoryQuery>,
) -> Result<HttpResponse> {
    caller.signed_in()?;
    let (most, offset) = query.place()?;
    let filter = ran();
    let (newest, most) = match offset {
        None => (0, most),
        Some(offset) => {
            let left = (jobs::count_ended_client_prompts(&core, &caller, &filter).await? - offset).max(0);
            ((left - most).max(0), most.min(left))
        }
    };
    let mut prompts = jobs::ended_client_prompts(&core, &caller, &filter, (newest, most)).await?;
    prompts.reverse();
    Ok(HttpResponse::Ok().json(entries(&core, &prompts, Dialect::of(&request), QueueItem::new).await?))
}

/// The history entries of prompts, in their order.
async fn entries<T>(
    core: &Core,
    prompts: &[ClientPrompt],
    dialect: Dialect,
    item: impl Fn(&ClientPrompt, Option<PromptContent>) -> T,
) -> Result<Entries<PromptEntry<T>>> {
    let mut contents = jobs::prompt_contents(core, prompts).await?;
    let outputs = jobs::prompt_outputs(core, prompts).await?;
    let entries = prompts.iter().map(|prompt| {
        let item = item(prompt, contents.remove(&prompt.job));
        let outputs = outputs.get(&prompt.job).map(Vec::as_slice).unwrap_or_default();
        (prompt.prompt_id.to_string(), PromptEntry::new(prompt, item, outputs, dialect))
    });
    Ok(Entries(entries.collect()))
}

/// `{}` for a prompt that is unknown, waits or runs.
async fn find_history(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    id: Path<String>,
) -> Result<HttpResponse> {
    let found = ended(&core, &caller, &id).await?.filter(|prompt| !prompt.never_ran());
    Ok(HttpResponse::Ok().json(entries(&core, found.as_slice(), Dialect::of(&request), QueueItem::new).await?))
}

/// An ended prompt that the caller has not removed from the history.
async fn ended(core: &Core, caller: &Caller, id: &str) -> Result<Option<ClientPrompt>> {
    let found = find(core, caller, id).await?;
    Ok(found.filter(|prompt| prompt.status.is_terminal() && !prompt.is_removed))
}

/// A job of the caller by a client's id for it, or its own.
async fn find(core: &Core, caller: &Caller, id: &str) -> Result<Option<ClientPrompt>> {
    caller.signed_in()?;
    let Ok(id) = id.parse::<Uuid>() else { return Ok(None) };
    match jobs::find_client_prompt(core, caller, id).await {
        Ok(prompt) => Ok(Some(prompt)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Removes entries. Jobs and outputs stay; pages show and delete them.
async fn change_history(core: Data<Core>, caller: Caller, body: RawBody) -> Result<HttpResponse> {
    caller.signed_in()?;
    let change = ListChange::read(&body)?;
    let removal = if change.clear { Removal::All } else { Removal::Some(change.ids()) };
    jobs::remove_client_prompts(&core, &caller, &removal).await?;
    Ok(HttpResponse::Ok().finish())
}

/// The running prompts that a call to `interrupt` is for.
#[derive(Debug, PartialEq, Eq)]
enum InterruptTarget {
    /// The call names none.
    Any,
    Prompt(Uuid),
    /// The call names one by what is no id: it must not stop others instead.
    Unknown,
}

impl InterruptTarget {
    fn read(body: &[u8]) -> Self {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        match body.get("prompt_id") {
            None | Some(Value::Null) => Self::Any,
            Some(Value::String(id)) if id.is_empty() => Self::Any,
            Some(id) => id.as_str().and_then(|id| id.parse().ok()).map_or(Self::Unknown, Self::Prompt),
        }
    }
}

/// Stops one running prompt of the caller: the named one, else the one that began first, as a server with one worker
/// would. Comfy Cloud stops all. Waiting prompts stay. Any body is accepted.
async fn interrupt(core: Data<Core>, caller: Caller, request: HttpRequest, body: RawBody) -> Result<HttpResponse> {
    caller.signed_in()?;
    let mut running = active(&core, &caller).await?;
    running.retain(|prompt| prompt.status != Status::Pending);
    match (InterruptTarget::read(&body.0), Dialect::of(&request)) {
        (InterruptTarget::Unknown, _) => running.clear(),
        (InterruptTarget::Prompt(id), _) => running.retain(|prompt| prompt.prompt_id == id),
        (InterruptTarget::Any, Dialect::Cloud) => {}
        (InterruptTarget::Any, Dialect::Local) => {
            running.sort_by_key(|prompt| (prompt.started_at.is_none(), prompt.started_at, prompt.job));
            running.truncate(1);
        }
    }
    for prompt in running {
        jobs::cancel(&core, &caller, prompt.job).await?;
    }
    Ok(HttpResponse::Ok().finish())
}

/// Workers are shared: their memory is not one user's to free.
async fn free(caller: Caller) -> Result<HttpResponse> {
    caller.signed_in()?;
    Ok(HttpResponse::Ok().finish())
}

/// ComfyUI's error of the jobs API: a text alone.
fn plain_error(status: StatusCode, text: &str) -> HttpResponse {
    HttpResponse::build(status).json(json!({ "error": text }))
}

fn not_found() -> ApiError {
    ApiError::from(Error::NotFound { what: "job" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interrupt_by_a_wrong_id_stops_no_other_prompt() {
        let read = |body: &str| InterruptTarget::read(body.as_bytes());
        for body in ["", "nonsense", "[]", "5", "{}", r#"{"prompt_id": null}"#, r#"{"prompt_id": ""}"#] {
            assert_eq!(read(body), InterruptTarget::Any, "{body}");
        }
        for body in [r#"{"prompt_id": 5}"#, r#"{"prompt_id": "x"}"#, r#"{"prompt_id": ["x"]}"#] {
            assert_eq!(read(body), InterruptTarget::Unknown, "{body}");
        }
        let id = Uuid::from_u128(7);
        assert_eq!(read(&format!(r#"{{"prompt_id": "{id}"}}"#)), InterruptTarget::Prompt(id));
    }
}
