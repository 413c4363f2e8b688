//! Jobs: submit, follow, cancel, and what they made.

use std::collections::HashMap;

use actix_web::HttpRequest;
use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, Query, ServiceConfig};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use uuid::Uuid;
use verdigraph_core::ids::{AssetId, BatchId, JobId, WorkflowApiId};
use verdigraph_core::jobs::{self, FormSubmit, JobFilter, PromptSubmit, Status, Submitted};
use verdigraph_core::{Core, Error};

use super::{CursorQuery, next_cursor};
use crate::caller::{Caller, presence};
use crate::described::{self, IntoParams, OpenApi, ToSchema};
use crate::edge::Edge;
use crate::error::{ErrorBody, Result};
use crate::extract::{Body, GraphJson};
use crate::generic::filter::{Ids, Range};
use crate::generic::stats::StatsQuery;
use crate::generic::{self, FilterQuery};
use crate::job_events;
use crate::job_views::{self, JobPopulation};
use crate::views::Cursor;
use crate::views::jobs::{CanceledView, FileOutputView, JobView, NodeOutputsView, StatusView, SubmittedView, WhyView};
use crate::views::resources::{ResourceCountView, StatsView};

/// What is documented here.
#[derive(OpenApi)]
#[openapi(
    paths(submit_form, submit_prompt, list, count, stats, find, status, why, outputs, again, cancel, events),
    components(schemas(FileOutputView))
)]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/job/workflow-api/{id}").post(submit_form))
        .service(web::resource("/general/job/prompt").post(submit_prompt))
        .service(web::resource("/general/job").get(list))
        .service(web::resource("/general/job/count").get(count))
        .service(web::resource("/general/job/stats").get(stats))
        // Before the ids of jobs, which would catch its name.
        .configure(super::batches::configure)
        .service(web::resource("/general/job/{id}").get(find))
        .service(web::resource("/general/job/{id}/status").get(status))
        .service(web::resource("/general/job/{id}/why").get(why))
        .service(web::resource("/general/job/{id}/api-outputs").get(outputs))
        .service(web::resource("/general/job/{id}/again").post(again))
        .service(web::resource("/general/job/{id}/cancel").post(cancel))
        .service(web::resource("/general/job/{id}/events").get(events));
}

/// Runs a mini app
///
/// The body has a value for each API field; a seed of -1 asks for a fresh one, and the answer tells which was drawn.
/// A field that is left out has its default. `null` is an emptied field: an empty text, or no value where the node does
/// without one; elsewhere it is refused. A whole number may also be sent as a text of its digits.
/// With an `Idempotency-Key` the same request gives the same job again.
#[described::path(post, path = "/api/general/job/workflow-api/{id}", tag = "jobs",
    params(("id" = Uuid, Path), ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, description = "At most 255 characters")),
    request_body(content = Object, description = "API field name → value"), responses(
    (status = 201, body = SubmittedView), (status = 400, body = ErrorBody, description = "VALIDATION_FAILED"),
    (status = 401, body = ErrorBody), (status = 402, body = ErrorBody, description = "OUT_OF_CREDITS"),
    (status = 404, body = ErrorBody), (status = 409, body = ErrorBody, description = "IDEMPOTENCY_IN_FLIGHT, MODERATION_LOCKED"),
    (status = 422, body = ErrorBody, description = "INVALID_PROMPT, IDEMPOTENCY_MISMATCH"),
    (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)
))]
async fn submit_form(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    app: Path<WorkflowApiId>,
    Body(form): Body<Map<String, Value>>,
) -> Result<HttpResponse> {
    let submit = FormSubmit { app: *app, form, idempotency_key: idempotency_key(&request)?, batch: None };
    Ok(accepted(jobs::submit_form(&core, &caller, submit).await?))
}

/// A prompt in ComfyUI's API format.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PromptBody {
    /// Node id → node.
    #[schema(value_type = Object)]
    prompt: Box<RawValue>,
    /// The uploaded asset for each file name in the prompt.
    #[serde(default)]
    files: HashMap<String, Uuid>,
    /// `extra_pnginfo` and the like, for the worker.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    extra_data: Option<Box<RawValue>>,
    /// Refuses the prompt where any of its outputs cannot be made. Otherwise those that can are made, as ComfyUI does,
    /// and `nodeErrors` tells what is wrong with the others.
    #[serde(default)]
    strict: bool,
}

/// Runs a prompt
#[described::path(post, path = "/api/general/job/prompt", tag = "jobs",
    params(("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, description = "At most 255 characters")),
    request_body = PromptBody, responses(
    (status = 201, body = SubmittedView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 402, body = ErrorBody, description = "OUT_OF_CREDITS"),
    (status = 409, body = ErrorBody, description = "IDEMPOTENCY_IN_FLIGHT, MODERATION_LOCKED"),
    (status = 422, body = ErrorBody, description = "INVALID_PROMPT with ComfyUI's error and node_errors, IDEMPOTENCY_MISMATCH"),
    (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)
))]
async fn submit_prompt(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    GraphJson(mut body): GraphJson<PromptBody>,
) -> Result<HttpResponse> {
    let files = std::mem::take(&mut body.files).into_iter().map(|(name, asset)| (name, AssetId(asset))).collect();
    let idempotency_key = idempotency_key(&request)?;
    let PromptBody { prompt, extra_data, strict, .. } = body;
    let submit = PromptSubmit { prompt, files, extra_data, strict, idempotency_key, batch: None };
    Ok(accepted(jobs::submit_prompt(&core, &caller, submit).await?))
}

fn accepted(job: Submitted) -> HttpResponse {
    let [seeds, node_errors] = [job.seeds, job.node_errors].map(|value| match value {
        Value::Object(map) => map,
        _ => Map::new(),
    });
    let (id, status, workers) = (job.id.0, Status::Pending.name(), job.workers);
    HttpResponse::Created().json(SubmittedView { id, status, seeds, node_errors, workers })
}

/// The key that a request carries, if any.
pub(super) fn idempotency_key(request: &HttpRequest) -> std::result::Result<Option<String>, Error> {
    let Some(value) = request.headers().get("idempotency-key") else { return Ok(None) };
    let key = value.to_str().map_err(|_| Error::invalid("Idempotency-Key", "must be ASCII"))?;
    Ok(Some(key.to_owned()))
}

/// Which jobs are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct JobsQuery {
    /// `nextCursor` of the page before.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// How many items, 1 to 100; 20 when it is left out.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
    /// Only jobs in one of these statuses, with commas between them.
    #[param(max_length = 200)]
    status: Option<String>,
    /// Only jobs of this batch.
    #[param(value_type = Option<Uuid>)]
    batch: Option<BatchId>,
    /// Only jobs that ran this mini app, whichever version of it.
    #[serde(rename = "workflowApi")]
    #[param(value_type = Option<Uuid>)]
    workflow_api: Option<WorkflowApiId>,
    /// `{"_id": {"$in": ["…"]}, "createdAt": {"$gte": "…", "$lt": "…"}}`, as a JSON text; also `status`, `batch` and
    /// `workflowApi`, in the place of the parameters of that name.
    #[param(max_length = 20_480)]
    filter: Option<String>,
}

/// What a filter of jobs may say.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    #[serde(rename = "_id")]
    id: Option<Ids>,
    status: Option<String>,
    batch: Option<BatchId>,
    workflow_api: Option<WorkflowApiId>,
    #[serde(default)]
    created_at: Range,
}

/// A filter, and what stands beside it in the query.
fn filter_of(filter: Option<&str>, beside: Wanted) -> std::result::Result<JobFilter, Error> {
    let said: Wanted = generic::filter(filter)?;
    let names = said.status.or(beside.status);
    let statuses =
        names.as_deref().map_or(Ok(Vec::new()), |names| names.split(',').map(str::parse::<Status>).collect())?;
    let (ids, created) = (said.id.map(Vec::from), said.created_at.into());
    let (batch, app) = (said.batch.or(beside.batch), said.workflow_api.or(beside.workflow_api));
    Ok(JobFilter { statuses, batch, app, ids, created })
}

/// The caller's jobs, newest first
#[described::path(get, path = "/api/general/job", tag = "jobs", params(JobsQuery), responses(
    (status = 200, body = Cursor<JobView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 404, body = ErrorBody, description = "The batch")
))]
async fn list(core: Data<Core>, caller: Caller, query: Query<JobsQuery>) -> Result<Json<Cursor<JobView>>> {
    let JobsQuery { cursor, limit, status, batch, workflow_api, filter } = query.into_inner();
    let place = CursorQuery { cursor, limit };
    let limit = place.limit()?;
    let filter = filter_of(filter.as_deref(), Wanted { status, batch, workflow_api, ..Wanted::default() })?;
    let mut found = jobs::list(&core, &caller, &filter, place.before::<JobId>()?, limit + 1).await?;
    let next_cursor = next_cursor(&mut found, limit, |job| job.id.0);
    let population = JobPopulation::of(&core, &caller, &found).await?;
    Ok(Json(Cursor { items: found.into_iter().map(|job| population.job(job)).collect(), next_cursor }))
}

/// How many of the caller's jobs a filter finds
#[described::path(get, path = "/api/general/job/count", tag = "jobs", params(FilterQuery), responses(
    (status = 200, body = ResourceCountView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 404, body = ErrorBody, description = "The batch")
))]
async fn count(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    let filter = filter_of(query.filter.as_deref(), Wanted::default())?;
    Ok(Json(jobs::count(&core, &caller, &filter).await?.into()))
}

/// How many jobs the caller submitted over time; for admins, everybody
#[described::path(get, path = "/api/general/job/stats", tag = "jobs", params(StatsQuery), responses(
    (status = 200, body = StatsView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn stats(core: Data<Core>, caller: Caller, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(jobs::counts(&core, &caller, &periods).await?.into()))
}

/// One job
#[described::path(get, path = "/api/general/job/{id}", tag = "jobs", params(("id" = Uuid, Path)), responses(
    (status = 200, body = JobView), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn find(core: Data<Core>, caller: Caller, id: Path<JobId>) -> Result<Json<JobView>> {
    let job = jobs::find(&core, &caller, *id).await?;
    let population = JobPopulation::of(&core, &caller, std::slice::from_ref(&job)).await?;
    let is_over = job.ended_at.is_some();
    let mut view = population.job(job);
    if is_over {
        view.prompt_result = Some(job_views::prompt_result(&job_views::outputs(&core, &caller, *id).await?));
    }
    Ok(Json(view))
}

/// Where a job is: its status, its place in the queue, its progress
#[described::path(get, path = "/api/general/job/{id}/status", tag = "jobs", params(("id" = Uuid, Path)), responses(
    (status = 200, body = StatusView), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn status(core: Data<Core>, caller: Caller, id: Path<JobId>) -> Result<Json<StatusView>> {
    Ok(Json(StatusView::from(jobs::status(&core, &caller, *id).await?)))
}

/// What a job waits for, in one sentence, and what would release it
#[described::path(get, path = "/api/general/job/{id}/why", tag = "jobs", params(("id" = Uuid, Path)), responses(
    (status = 200, body = WhyView), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn why(core: Data<Core>, caller: Caller, id: Path<JobId>) -> Result<Json<WhyView>> {
    Ok(Json(jobs::why(&core, &caller, *id).await?.into()))
}

/// What a job made
///
/// Each item of `images`, `gifs`, `audio` and `files` is a `FileOutputView`; `text` is a list of texts.
#[described::path(get, path = "/api/general/job/{id}/api-outputs", tag = "jobs", params(("id" = Uuid, Path)), responses(
    (status = 200, body = Vec<NodeOutputsView>), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn outputs(core: Data<Core>, caller: Caller, id: Path<JobId>) -> Result<Json<Vec<NodeOutputsView>>> {
    Ok(Json(job_views::outputs(&core, &caller, *id).await?))
}

/// Runs a job of the caller's once more
///
/// The same prompt with the same files, or the same form with the seeds that were drawn; a mini app runs as it is today.
#[described::path(post, path = "/api/general/job/{id}/again", tag = "jobs",
    params(("id" = Uuid, Path), ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, description = "At most 255 characters")),
    responses((status = 201, body = SubmittedView),
    (status = 400, body = ErrorBody, description = "A file of it was deleted, or the form has other fields by now"),
    (status = 401, body = ErrorBody), (status = 402, body = ErrorBody, description = "OUT_OF_CREDITS"),
    (status = 404, body = ErrorBody), (status = 409, body = ErrorBody, description = "IDEMPOTENCY_IN_FLIGHT, MODERATION_LOCKED"),
    (status = 422, body = ErrorBody, description = "INVALID_PROMPT, IDEMPOTENCY_MISMATCH"),
    (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)
))]
async fn again(core: Data<Core>, caller: Caller, request: HttpRequest, id: Path<JobId>) -> Result<HttpResponse> {
    Ok(accepted(jobs::again(&core, &caller, *id, idempotency_key(&request)?).await?))
}

/// Cancels a job; harmless when repeated or too late
#[described::path(post, path = "/api/general/job/{id}/cancel", tag = "jobs", params(("id" = Uuid, Path)), responses(
    (status = 200, body = CanceledView), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn cancel(core: Data<Core>, caller: Caller, id: Path<JobId>) -> Result<Json<CanceledView>> {
    let canceled = jobs::cancel(&core, &caller, *id).await?;
    Ok(Json(CanceledView { id: canceled.id.0, status: canceled.status.name() }))
}

/// Follows a job as server-sent events
///
/// Events: `status` (as the call of that name), `queue`, `progress`, `preview` (`contentType`, `data` in Base64) and
/// `outputs` (as the call `api-outputs`), in the job's order. The stream ends after the last status. Send the id of
/// the last event seen as `Last-Event-ID` to get what was missed.
#[described::path(get, path = "/api/general/job/{id}/events", tag = "jobs",
    params(("id" = Uuid, Path), ("Last-Event-ID" = Option<u64>, Header)), responses(
    (status = 200, content_type = "text/event-stream", body = String), (status = 401, body = ErrorBody),
    (status = 404, body = ErrorBody), (status = 429, body = ErrorBody)
))]
async fn events(
    core: Data<Core>,
    edge: Data<Edge>,
    caller: Caller,
    request: HttpRequest,
    id: Path<JobId>,
) -> Result<HttpResponse> {
    let last = request.headers().get("last-event-id").and_then(|value| value.to_str().ok());
    // An id that is none of ours is as good as no id: the stream begins with the state of things.
    let after = last.and_then(|text| text.trim().parse::<u64>().ok());
    let place = edge.streams.open(&*core.shared, caller.signed_in()?).await?;
    let place = place.of(presence(&core, &request).await?);
    job_events::stream(core.get_ref().clone(), caller, *id, after, place, edge.stopping()).await
}
