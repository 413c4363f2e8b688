//! Comfy Cloud's own calls about jobs: the status that its clients poll, and its second history.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use verdigraph_core::Core;
use verdigraph_core::jobs::{self, ClientPrompt, PromptContent};

use super::history::{PromptEntry, parts};
use super::state::{cloud_state, execution_error, number};
use super::{HistoryQuery, ended, entries, find, not_found, ran};
use crate::caller::Caller;
use crate::editor::dialect::Dialect;
use crate::error::Result;
use crate::query::Query;

/// The documented loop of Comfy Cloud's clients asks for this until it is final.
pub(super) async fn status(core: Data<Core>, caller: Caller, id: Path<String>) -> Result<HttpResponse> {
    let prompt = find(&core, &caller, &id).await?.ok_or_else(not_found)?;
    let time = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::Millis, true);
    let updated = time(prompt.ended_at.or(prompt.started_at).unwrap_or(prompt.created_at));
    let message = execution_error(&prompt, Dialect::Cloud).map(|error| error["exception_message"].clone());
    Ok(HttpResponse::Ok().json(json!({
        "id": prompt.prompt_id,
        "status": cloud_state(&prompt),
        "created_at": time(prompt.created_at),
        "updated_at": updated,
        "last_state_update": updated,
        "assigned_inference": null,
        "error_message": message,
    })))
}

/// A prompt with names for its parts.
#[derive(Debug, Serialize)]
struct NamedPrompt {
    priority: Value,
    prompt_id: String,
    prompt: Box<RawValue>,
    extra_data: Box<RawValue>,
    outputs_to_execute: Vec<String>,
}

impl NamedPrompt {
    fn new(prompt: &ClientPrompt, content: Option<PromptContent>) -> Self {
        let (graph, extra_data) = parts(prompt, content);
        Self {
            priority: number(prompt.number),
            prompt_id: prompt.prompt_id.to_string(),
            prompt: graph,
            extra_data,
            outputs_to_execute: prompt.outputs.clone(),
        }
    }
}

#[derive(Debug, Serialize)]
struct HistoryItem {
    prompt_id: String,
    create_time: i64,
    workflow_id: Option<String>,
    #[serde(flatten)]
    entry: PromptEntry<NamedPrompt>,
}

#[derive(Debug, Serialize)]
struct HistoryView {
    history: Vec<HistoryItem>,
}

/// The newest first.
pub(super) async fn history(core: Data<Core>, caller: Caller, query: Query<HistoryQuery>) -> Result<HttpResponse> {
    caller.signed_in()?;
    let (most, offset) = query.place()?;
    let place = (offset.unwrap_or(0), most);
    let prompts = jobs::ended_client_prompts(&core, &caller, &ran(), place).await?;
    let entries = entries(&core, &prompts, Dialect::Cloud, NamedPrompt::new).await?;
    let items = prompts.into_iter().zip(entries.0).map(|(prompt, (prompt_id, entry))| HistoryItem {
        prompt_id,
        create_time: prompt.created_at.timestamp_millis(),
        workflow_id: prompt.workflow_id,
        entry,
    });
    Ok(HttpResponse::Ok().json(HistoryView { history: items.collect() }))
}

/// Unlike ComfyUI, which answers an unknown id with an empty object. Clients that wait for an entry get one for a prompt
/// that was canceled before it ran, too.
pub(super) async fn find_history(core: Data<Core>, caller: Caller, id: Path<String>) -> Result<HttpResponse> {
    let prompt = ended(&core, &caller, &id).await?.ok_or_else(not_found)?;
    Ok(HttpResponse::Ok().json(entries(&core, &[prompt], Dialect::Cloud, NamedPrompt::new).await?))
}
