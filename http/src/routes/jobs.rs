//! Jobs: submit, follow, cancel, and their outputs.

use std::collections::{BTreeMap, HashMap};

use actix_web::HttpRequest;
use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
#[cfg(feature = "describe")]
use utoipa::openapi::schema::{Object, ObjectBuilder, Schema, Type};
use uuid::Uuid;
use verdigraph_core::ids::{AssetId, BatchId, JobId, WorkflowApiId, WorkflowApiVersionId};
use verdigraph_core::jobs::{self, FormSubmit, JobFilter, JobLabels, PromptSubmit, RunTerms, Status, Submitted};
use verdigraph_core::{Core, Error};

use super::{CursorQuery, next_cursor};
use crate::caller::{Caller, auth_watch};
use crate::edge::Edge;
use crate::error::Result;
use crate::extract::{Body, PromptJson};
use crate::generic::filter::{Ids, Range};
use crate::generic::stats::StatsQuery;
use crate::generic::{self, FilterQuery};
use crate::job_events;
use crate::job_views::{self, JobPopulation};
use crate::openapi::{self, IntoParams, OpenApi, ToSchema};
use crate::query::Query;
use crate::terms::TermsQuery;
use crate::views::Cursor;
use crate::views::jobs::{CanceledView, FileOutputView, JobView, NodeOutputsView, StatusView, SubmittedView, WhyView};
use crate::views::resources::{ResourceCountView, StatsView};

#[derive(OpenApi)]
#[openapi(
    paths(
        submit_form,
        submit_version,
        submit_prompt,
        list,
        count,
        stats,
        find,
        status,
        why,
        outputs,
        again,
        cancel,
        events
    ),
    components(schemas(FileOutputView))
)]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/job/workflow-api/{id}").post(submit_form))
        .service(web::resource("/general/job/workflow-api/{id}/version/{version}").post(submit_version))
        .service(web::resource("/general/job/prompt").post(submit_prompt))
        .service(web::resource("/general/job").get(list))
        .service(web::resource("/general/job/count").get(count))
        .service(web::resource("/general/job/stats").get(stats))
        // Before the ids of jobs, which would match their names.
        .configure(super::batches::configure)
        .configure(super::quotes::configure)
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
/// The body has a value for each API field; a seed of -1 asks for a random one, and the response tells which was drawn.
/// A missing field has its default. `null` is an emptied field: an empty text, or no value where the node works without
/// one; elsewhere it is refused. A whole number may also be sent as a text of its digits. With an `Idempotency-Key` the
/// same request returns the same job.
#[openapi::path(post, path = "/api/general/job/workflow-api/{id}", tag = "jobs",
    params(("id" = Uuid, Path), TermsQuery, ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, description = "At most 255 characters")),
    request_body(content = Object, description = "API field name → value"),
    responses((status = 201, body = SubmittedView), (status = 402, description = "OUT_OF_CREDITS"),
    (status = 409, description = "IDEMPOTENCY_IN_FLIGHT, MODERATION_LOCKED"),
    (status = 422, description = "INVALID_PROMPT, IDEMPOTENCY_MISMATCH, CREDIT_CEILING, DEADLINE_NOT_POSSIBLE")))]
async fn submit_form(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    app: Path<WorkflowApiId>,
    terms: Query<TermsQuery>,
    Body(form): Body<Map<String, Value>>,
) -> Result<HttpResponse> {
    let (terms, idempotency_key) = (terms.read(&RunTerms::default())?, idempotency_key(&request)?);
    let submit = FormSubmit {
        app: *app,
        version: None,
        form,
        terms,
        idempotency_key,
        batch: None,
        labels: JobLabels::default(),
    };
    Ok(accepted(jobs::submit_form(&core, &caller, submit).await?))
}

/// Runs one version of a mini app
///
/// As a run of the app, always with the graph and the form of this version, whatever its author saves later. The app's
/// `version` names the current one.
#[openapi::path(post, path = "/api/general/job/workflow-api/{id}/version/{version}", tag = "jobs",
    params(("id" = Uuid, Path), ("version" = Uuid, Path), TermsQuery, ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, description = "At most 255 characters")),
    request_body(content = Object, description = "API field name → value"),
    responses((status = 201, body = SubmittedView), (status = 402, description = "OUT_OF_CREDITS"),
    (status = 409, description = "IDEMPOTENCY_IN_FLIGHT, MODERATION_LOCKED"),
    (status = 422, description = "INVALID_PROMPT, IDEMPOTENCY_MISMATCH, CREDIT_CEILING, DEADLINE_NOT_POSSIBLE")))]
async fn submit_version(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    path: Path<(WorkflowApiId, WorkflowApiVersionId)>,
    terms: Query<TermsQuery>,
    Body(form): Body<Map<String, Value>>,
) -> Result<HttpResponse> {
    let ((app, version), idempotency_key) = (path.into_inner(), idempotency_key(&request)?);
    let version = Some(version);
    let (terms, labels) = (terms.read(&RunTerms::default())?, JobLabels::default());
    let submit = FormSubmit { app, version, form, terms, idempotency_key, batch: None, labels };
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
    /// Refuses the prompt if any of its outputs cannot be made. Otherwise the others are made, as ComfyUI does, and
    /// `nodeErrors` has the errors.
    #[serde(default)]
    strict: bool,
    #[serde(default)]
    #[schema(schema_with = labels)]
    labels: BTreeMap<String, String>,
}

/// Schema of the labels of a submit.
#[cfg(feature = "describe")]
pub fn labels() -> Object {
    let text = || ObjectBuilder::new().schema_type(Type::String);
    let key = text().pattern(Some("^[A-Za-z0-9_.-]{1,40}$"));
    let value = text().max_length(Some(256)).pattern(Some(r"^[^\u0000-\u001f\u007f-\u009f]*$"));
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .description(Some("Labels, by which the job is found again. A value is in one line."))
        .property_names(Some(key))
        .additional_properties(Some(Schema::from(value)))
        .max_properties(Some(16))
        .build()
}

/// Runs a prompt
///
/// A workflow in the editor's format is refused: `details.error.type` is then `workflow_format_ui`. Only the editor can
/// convert it.
#[openapi::path(post, path = "/api/general/job/prompt", tag = "jobs",
    params(TermsQuery, ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, description = "At most 255 characters")),
    request_body = PromptBody, responses((status = 201, body = SubmittedView),
    (status = 402, description = "OUT_OF_CREDITS"),
    (status = 409, description = "IDEMPOTENCY_IN_FLIGHT, MODERATION_LOCKED"),
    (status = 422, description = "INVALID_PROMPT with ComfyUI's error and node_errors, IDEMPOTENCY_MISMATCH, CREDIT_CEILING, DEADLINE_NOT_POSSIBLE")))]
async fn submit_prompt(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    terms: Query<TermsQuery>,
    PromptJson(mut body): PromptJson<PromptBody>,
) -> Result<HttpResponse> {
    let files = std::mem::take(&mut body.files).into_iter().map(|(name, asset)| (name, AssetId(asset))).collect();
    let (terms, idempotency_key) = (terms.read(&RunTerms::default())?, idempotency_key(&request)?);
    let PromptBody { prompt, extra_data, strict, labels, .. } = body;
    let (batch, labels) = (None, JobLabels::new("labels", labels)?);
    let submit = PromptSubmit { prompt, files, extra_data, strict, terms, idempotency_key, batch, labels };
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

/// The request's idempotency key.
pub fn idempotency_key(request: &HttpRequest) -> std::result::Result<Option<String>, Error> {
    let Some(value) = request.headers().get("idempotency-key") else { return Ok(None) };
    let key = value.to_str().map_err(|_| Error::invalid("Idempotency-Key", "must be ASCII"))?;
    Ok(Some(key.to_owned()))
}

/// Filter of a list of jobs.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct JobsQuery {
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
    /// Only jobs in one of these statuses, separated by commas.
    #[param(max_length = 200)]
    status: Option<String>,
    /// Only jobs of this batch.
    #[param(value_type = Option<Uuid>)]
    batch: Option<BatchId>,
    /// Only jobs of this mini app, in any version.
    #[serde(rename = "workflowApi")]
    #[param(value_type = Option<Uuid>)]
    workflow_api: Option<WorkflowApiId>,
    /// Only jobs with this label: `key=value`.
    #[param(max_length = 300, pattern = "^[A-Za-z0-9_.-]{1,40}=[^\\u0000-\\u001f\\u007f-\\u009f]{0,256}$")]
    label: Option<String>,
    /// `{"_id": {"$in": ["…"]}, "createdAt": {"$gte": "…", "$lt": "…"}}`, as a JSON text; also `status`, `batch`,
    /// `workflowApi` and `label`, instead of the parameters of that name.
    #[param(max_length = 20_480)]
    filter: Option<String>,
}

/// Filter of jobs.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct JobListFilter {
    #[serde(rename = "_id")]
    id: Option<Ids>,
    status: Option<String>,
    batch: Option<BatchId>,
    workflow_api: Option<WorkflowApiId>,
    label: Option<String>,
    #[serde(default)]
    created_at: Range,
}

/// Combines a filter with the query's other parameters.
fn filter_of(filter: Option<&str>, parameters: JobListFilter) -> std::result::Result<JobFilter, Error> {
    let filter: JobListFilter = generic::filter(filter)?;
    let names = filter.status.or(parameters.status);
    let statuses =
        names.as_deref().map_or(Ok(Vec::new()), |names| names.split(',').map(str::parse::<Status>).collect())?;
    let (ids, created) = (filter.id.map(Vec::from), filter.created_at.into());
    let (batch, app) = (filter.batch.or(parameters.batch), filter.workflow_api.or(parameters.workflow_api));
    let label = filter.label.or(parameters.label);
    let labels = label.as_deref().map(|label| JobLabels::parse_filter("label", label)).transpose()?;
    Ok(JobFilter { statuses, batch, app, labels, ids, created })
}

/// The caller's jobs, newest first
#[openapi::path(get, path = "/api/general/job", tag = "jobs", params(JobsQuery),
    responses((status = 200, body = Cursor<JobView>), (status = 404)))]
async fn list(core: Data<Core>, caller: Caller, query: Query<JobsQuery>) -> Result<Json<Cursor<JobView>>> {
    let JobsQuery { cursor, limit, status, batch, workflow_api, label, filter } = query.into_inner();
    let place = CursorQuery { cursor, limit };
    let limit = place.limit()?;
    let parameters = JobListFilter { status, batch, workflow_api, label, ..JobListFilter::default() };
    let filter = filter_of(filter.as_deref(), parameters)?;
    let mut found = jobs::list(&core, &caller, &filter, place.before::<JobId>()?, limit + 1).await?;
    let next_cursor = next_cursor(&mut found, limit, |job| job.id.0);
    let population = JobPopulation::of(&core, &caller, &found).await?;
    Ok(Json(Cursor { items: found.into_iter().map(|job| population.job(job)).collect(), next_cursor }))
}

/// Number of the caller's jobs that match a filter
#[openapi::path(get, path = "/api/general/job/count", tag = "jobs", params(FilterQuery),
    responses((status = 200, body = ResourceCountView), (status = 404)))]
async fn count(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    let filter = filter_of(query.filter.as_deref(), JobListFilter::default())?;
    Ok(Json(jobs::count(&core, &caller, &filter).await?.into()))
}

/// Number of jobs that the caller submitted over time; for admins, of all users
#[openapi::path(get, path = "/api/general/job/stats", tag = "jobs", params(StatsQuery),
    responses((status = 200, body = StatsView)))]
async fn stats(core: Data<Core>, caller: Caller, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(jobs::counts(&core, &caller, &periods).await?.into()))
}

/// One job
#[openapi::path(get, path = "/api/general/job/{id}", tag = "jobs", params(("id" = Uuid, Path)),
    responses((status = 200, body = JobView)))]
async fn find(core: Data<Core>, caller: Caller, id: Path<JobId>) -> Result<Json<JobView>> {
    let job = jobs::find(&core, &caller, *id).await?;
    let population = JobPopulation::of(&core, &caller, std::slice::from_ref(&job)).await?;
    let prompt_result = match job.ended_at {
        Some(_) => Some(job_views::prompt_result(&job_views::outputs_of(&core, &caller, &job).await?)),
        None => None,
    };
    Ok(Json(JobView { prompt_result, ..population.job(job) }))
}

/// A job's status, queue position and progress
#[openapi::path(get, path = "/api/general/job/{id}/status", tag = "jobs", params(("id" = Uuid, Path)),
    responses((status = 200, body = StatusView)))]
async fn status(core: Data<Core>, caller: Caller, id: Path<JobId>) -> Result<Json<StatusView>> {
    Ok(Json(StatusView::from(jobs::status(&core, &caller, *id).await?)))
}

/// What a job waits for, in one sentence, and what would resolve it
#[openapi::path(get, path = "/api/general/job/{id}/why", tag = "jobs", params(("id" = Uuid, Path)),
    responses((status = 200, body = WhyView)))]
async fn why(core: Data<Core>, caller: Caller, id: Path<JobId>) -> Result<Json<WhyView>> {
    Ok(Json(jobs::why(&core, &caller, *id).await?.into()))
}

/// A job's outputs
///
/// Each item of `images`, `gifs`, `audio` and `files` is a `FileOutputView`; `text` is a list of texts.
#[openapi::path(get, path = "/api/general/job/{id}/api-outputs", tag = "jobs", params(("id" = Uuid, Path)),
    responses((status = 200, body = Vec<NodeOutputsView>)))]
async fn outputs(core: Data<Core>, caller: Caller, id: Path<JobId>) -> Result<Json<Vec<NodeOutputsView>>> {
    Ok(Json(job_views::outputs(&core, &caller, *id).await?))
}

/// Runs one of the caller's jobs again
///
/// The same prompt with the same files, or the same form with the drawn seeds; a mini app runs in the version of the job.
#[openapi::path(post, path = "/api/general/job/{id}/again", tag = "jobs",
    params(("id" = Uuid, Path), TermsQuery, ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, description = "At most 255 characters")),
    responses((status = 201, body = SubmittedView),
    (status = 400, description = "A file of the job was deleted"),
    (status = 404, description = "NOT_FOUND: also where its mini app, or the version that it ran, is gone or hidden"),
    (status = 402, description = "OUT_OF_CREDITS"),
    (status = 409, description = "IDEMPOTENCY_IN_FLIGHT, MODERATION_LOCKED"),
    (status = 422, description = "INVALID_PROMPT, IDEMPOTENCY_MISMATCH, CREDIT_CEILING, DEADLINE_NOT_POSSIBLE")))]
async fn again(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    id: Path<JobId>,
    terms: Query<TermsQuery>,
) -> Result<HttpResponse> {
    let (terms, key) = (terms.read(&RunTerms::default())?, idempotency_key(&request)?);
    Ok(accepted(jobs::rerun(&core, &caller, *id, terms, key).await?))
}

/// Cancels a job; harmless when repeated or too late
#[openapi::path(post, path = "/api/general/job/{id}/cancel", tag = "jobs", params(("id" = Uuid, Path)),
    responses((status = 200, body = CanceledView)))]
async fn cancel(core: Data<Core>, caller: Caller, id: Path<JobId>) -> Result<Json<CanceledView>> {
    let canceled = jobs::cancel(&core, &caller, *id).await?;
    Ok(Json(CanceledView { id: canceled.id.0, status: canceled.status.name() }))
}

/// Follows a job as server-sent events
///
/// Events: `status` (as the call of that name), `queue`, `progress`, `preview` (`contentType`, `data` in Base64) and
/// `outputs` (as the call `api-outputs`), in the job's order. The stream ends after the final status. Send the last
/// event's id as `Last-Event-ID` to resume.
#[openapi::path(get, path = "/api/general/job/{id}/events", tag = "jobs",
    params(("id" = Uuid, Path), ("Last-Event-ID" = Option<u64>, Header)),
    responses((status = 200, content_type = "text/event-stream", body = String)))]
async fn events(
    core: Data<Core>,
    edge: Data<Edge>,
    caller: Caller,
    request: HttpRequest,
    id: Path<JobId>,
) -> Result<HttpResponse> {
    let last = request.headers().get("last-event-id").and_then(|value| value.to_str().ok());
    // An invalid id is ignored: the stream starts with the current status.
    let after = last.and_then(|text| text.trim().parse::<u64>().ok());
    let stream = edge.streams.open(&*core.shared, caller.signed_in()?).await?;
    let permit = stream.of(auth_watch(&core, &request).await?);
    job_events::stream(core.get_ref().clone(), caller, *id, after, permit, edge.stopping()).await
}
