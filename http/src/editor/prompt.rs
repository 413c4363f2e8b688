//! `POST /prompt`: a prompt of a ComfyUI client becomes a job. Errors have ComfyUI's shape, so that its front end marks
//! the nodes.

mod request;

use std::collections::HashMap;

use actix_web::http::StatusCode;
use actix_web::web::{self, Data, Json, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use serde_json::{Value, json};
use verdigraph_core::ids::AssetId;
use verdigraph_core::jobs::{self, PromptSubmit, RunTerms};
use verdigraph_core::{Core, Error};

use super::dialect::Dialect;
use super::files;
use super::queue::number;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::RawBody;
use request::{PromptFault, SentPrompt};
pub use request::{file_names, is_editor_format, is_valid_id};

pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/prompt").get(remaining).post(submit));
}

/// How many of the caller's prompts wait or run.
async fn remaining(core: Data<Core>, caller: Caller) -> Result<Json<Value>> {
    let count = jobs::count_active_client_prompts(&core, &caller).await?;
    Ok(Json(json!({ "exec_info": { "queue_remaining": count } })))
}

async fn submit(core: Data<Core>, caller: Caller, request: HttpRequest, body: RawBody) -> Result<HttpResponse> {
    caller.signed_in()?;
    let sent = match SentPrompt::read(&body.0, Dialect::of(&request)) {
        Ok(sent) => sent,
        Err(fault) => return Ok(refused(&fault)),
    };
    let files = own_files(&core, &caller, &sent).await?;
    let SentPrompt { prompt, extra_data, call } = sent;
    let submit = PromptSubmit {
        prompt,
        files,
        extra_data: Some(extra_data),
        strict: false,
        terms: RunTerms::default(),
        idempotency_key: None,
        batch: None,
        labels: jobs::JobLabels::default(),
    };
    match Box::pin(jobs::submit_client_prompt(&core, &caller, submit, call)).await {
        Ok((submitted, prompt)) => Ok(HttpResponse::Ok().json(json!({
            "prompt_id": prompt.prompt_id,
            "number": number(prompt.number),
            "node_errors": submitted.node_errors,
        }))),
        Err(Error::InvalidPrompt { validation }) => Ok(HttpResponse::BadRequest().json(validation)),
        Err(Error::Invalid { field, .. }) if field == "prompt_id" => Ok(refused(&PromptFault::PromptIdTaken)),
        Err(Error::IdempotencyMismatch) => Ok(refused(&PromptFault::PromptIdTaken)),
        // Other errors get ComfyUI's fields on their way out.
        Err(error) => Err(error.into()),
    }
}

fn refused(fault: &PromptFault) -> HttpResponse {
    HttpResponse::build(StatusCode::BAD_REQUEST).json(fault.body())
}

/// The caller's files among the texts of a prompt, by the texts.
async fn own_files(core: &Core, caller: &Caller, sent: &SentPrompt) -> Result<HashMap<String, AssetId>> {
    let names = file_names(&sent.prompt);
    Ok(files::prompt_files(core, caller, &names).await?)
}
