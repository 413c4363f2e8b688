//! Jobs: submit, list, watch and cancel.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use verdigraph_core::ids::JobId;
use verdigraph_core::jobs::{self, JobFilter, JobLabels, JobStatus, PromptSubmit};
use verdigraph_core::{Core, Error, ErrorKind};

use super::errors::{ComfyError, Result};
use super::events;
use super::file_views::{ComfyOutputs, outputs};
use super::references::{self, NamedGraph};
use super::submission::JobRequest;
use super::views::{self, ComfyJob, ComfyJobItem, ComfyJobs, ComfyWorkflow};
use super::waiting;
use crate::addresses::site_address;
use crate::caller::{Caller, auth_watch};
use crate::edge::Edge;
use crate::extract::RawBody;
use crate::query::Query;
use crate::routes::jobs::idempotency_key;
use crate::routes::{CursorQuery, next_cursor};

const MISSING: &str = "job_not_found";

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/jobs").post(submit).get(list))
        .service(web::resource("/jobs/{id}").get(find))
        .service(web::resource("/jobs/{id}/cancel").post(cancel))
        .service(web::resource("/jobs/{id}/events").get(stream))
        .service(web::resource("/jobs/{id}/workflow").get(workflow))
        .service(web::resource("/jobs/{id}/logs").get(logs));
}

/// All outputs must be valid, because the answer has no place for the errors of some.
async fn submit(core: Data<Core>, caller: Caller, request: HttpRequest, body: RawBody) -> Result<HttpResponse> {
    caller.signed_in()?;
    let JobRequest { workflow, labels } = JobRequest::read(&body.0)?;
    let idempotency_key = idempotency_key(&request)?;
    let NamedGraph { prompt, files } = references::resolve(&core, &caller, workflow).await?;
    let submit = PromptSubmit {
        prompt,
        files,
        extra_data: None,
        strict: true,
        terms: jobs::RunTerms::default(),
        idempotency_key,
        batch: None,
        labels,
    };
    let submitted = Box::pin(jobs::submit_prompt(&core, &caller, submit)).await.map_err(of_submit)?;
    let status = jobs::status(&core, &caller, submitted.id).await.map_err(ComfyError::about(MISSING))?;
    let view = views::job(&core, &caller, &site_address(&core, &request), status).await?;
    let mut response = HttpResponse::Created();
    if submitted.replayed {
        response.insert_header(("Idempotent-Replayed", "true"));
    }
    Ok(response.json(view))
}

/// SDKs repeat a submit that is answered with 429, with its key. A full queue and a missing worker are such answers.
fn of_submit(error: Error) -> ComfyError {
    let seconds = error.retry_after_seconds();
    match (error.kind(), seconds) {
        (ErrorKind::TooManyRequests, Some(seconds)) => {
            ComfyError::later("queue_full", "too many of your jobs wait", seconds)
        }
        (ErrorKind::Unavailable, Some(seconds)) => {
            ComfyError::later("deployment_not_ready", error.to_string(), seconds)
        }
        _ => error.into(),
    }
}

/// The job with this id, if it is the caller's own.
async fn own(core: &Core, caller: &Caller, id: &str) -> Result<JobStatus> {
    let user = caller.signed_in()?;
    let missing = || ComfyError::not_found(MISSING, "job not found");
    let id: JobId = id.parse().map_err(|_| missing())?;
    let status = jobs::status(core, caller, id).await.map_err(ComfyError::about(MISSING))?;
    if status.job.user == user { Ok(status) } else { Err(missing()) }
}

/// A client that polls a queued job gets its next answer when there is something new.
async fn find(
    core: Data<Core>,
    edge: Data<Edge>,
    caller: Caller,
    request: HttpRequest,
    id: Path<String>,
) -> Result<Json<ComfyJob>> {
    let found = own(&core, &caller, &id).await?;
    let status = waiting::settled(&core, &edge, &caller, &request, found).await?;
    Ok(Json(views::job(&core, &caller, &site_address(&core, &request), status).await?))
}

type Parameters = Query<Vec<(String, String)>>;

async fn list(core: Data<Core>, caller: Caller, query: Parameters) -> Result<Json<ComfyJobs>> {
    caller.signed_in()?;
    let parameter = |name: &str| query.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
    let limit =
        parameter("limit").map(|text| text.parse::<i64>().map_err(|_| Error::invalid("limit", "must be a number")));
    let place = CursorQuery { cursor: parameter("cursor"), limit: limit.transpose()? };
    let limit = place.limit()?;
    let before = place
        .before::<JobId>()
        .map_err(|error| ComfyError::from(error).coded(StatusCode::BAD_REQUEST, "invalid_cursor"))?;
    let filter = JobFilter { labels: label_filter(&query)?, ..JobFilter::default() };
    let mut found = jobs::list(&core, &caller, &filter, before, limit + 1).await?;
    let next_cursor = next_cursor(&mut found, limit, |job| job.id.0);
    Ok(Json(ComfyJobs { jobs: found.into_iter().map(ComfyJobItem::from).collect(), next_cursor }))
}

/// `metadata[key]=value`: a job has all of these labels.
fn label_filter(query: &[(String, String)]) -> Result<Option<JobLabels>> {
    let refused = |error: Error| ComfyError::from(error).coded(StatusCode::BAD_REQUEST, "invalid_metadata_filter");
    let mut labels = BTreeMap::new();
    for (name, value) in query.iter().filter(|(name, _)| name.starts_with("metadata")) {
        let key = name.strip_prefix("metadata[").and_then(|rest| rest.strip_suffix(']'));
        let key = key.ok_or_else(|| refused(Error::invalid("metadata", "must be metadata[key]=value")))?;
        if labels.insert(key.to_owned(), value.clone()).is_some() {
            return Err(refused(Error::invalid("metadata", format!("names {key} twice"))));
        }
    }
    if labels.is_empty() { Ok(None) } else { JobLabels::filter("metadata", labels).map(Some).map_err(refused) }
}

async fn cancel(core: Data<Core>, caller: Caller, request: HttpRequest, id: Path<String>) -> Result<Json<ComfyJob>> {
    let JobStatus { job, .. } = own(&core, &caller, &id).await?;
    jobs::cancel(&core, &caller, job.id).await.map_err(ComfyError::about(MISSING))?;
    let status = own(&core, &caller, &id).await?;
    Ok(Json(views::job(&core, &caller, &site_address(&core, &request), status).await?))
}

async fn stream(
    core: Data<Core>,
    edge: Data<Edge>,
    caller: Caller,
    request: HttpRequest,
    id: Path<String>,
) -> Result<HttpResponse> {
    let JobStatus { job, .. } = own(&core, &caller, &id).await?;
    let opened = edge.streams.open(&*core.shared, job.user).await.map_err(|error| match error {
        Error::RateLimited { retry_after_seconds } => {
            ComfyError::later("too_many_streams", "too many streams of your account are open", retry_after_seconds)
        }
        other => other.into(),
    })?;
    let permit = opened.of(auth_watch(&core, &request).await?);
    let place = (job.id, site_address(&core, &request));
    events::stream(core.get_ref().clone(), caller, place, permit, edge.stopping()).await
}

/// The graph that was submitted. That of a mini app may be another account's secret.
async fn workflow(core: Data<Core>, caller: Caller, id: Path<String>) -> Result<Json<ComfyWorkflow>> {
    let JobStatus { job, .. } = own(&core, &caller, &id).await?;
    let prompt = jobs::find_client_prompt(&core, &caller, job.id.0).await.map_err(ComfyError::about(MISSING))?;
    let content = jobs::prompt_contents(&core, &[prompt]).await?.remove(&job.id);
    let content = content.ok_or_else(|| ComfyError::not_found("not_found", "the graph of this job is not shown"))?;
    Ok(Json(ComfyWorkflow { workflow: content.prompt, format: "api" }))
}

async fn logs(core: Data<Core>, caller: Caller, request: HttpRequest, id: Path<String>) -> Result<HttpResponse> {
    let JobStatus { job, .. } = own(&core, &caller, &id).await?;
    let ComfyOutputs { undelivered, .. } = outputs(&core, &caller, &site_address(&core, &request), &job).await?;
    Ok(match views::log(&job, &undelivered) {
        Some(log) => HttpResponse::Ok().json(log),
        None => HttpResponse::NoContent().finish(),
    })
}

#[cfg(test)]
mod tests {
    use actix_web::ResponseError as _;
    use serde_json::json;
    use verdigraph_core::jobs::MAX_FILTERED_LABELS;

    use super::*;

    fn filter(pairs: &[(&str, &str)]) -> Result<Option<JobLabels>> {
        let pairs: Vec<(String, String)> =
            pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        label_filter(&pairs)
    }

    #[test]
    fn label_filter_is_read_from_brackets() {
        assert_eq!(filter(&[("limit", "5")]).expect("no filter"), None);
        let read = filter(&[("metadata[client]", "acme"), ("metadata[run]", "")]).expect("a filter").expect("labels");
        assert_eq!(json!(read), json!({ "client": "acme", "run": "" }));
        for pairs in [
            vec![("metadata", "x")],
            vec![("metadata[a", "x")],
            vec![("metadata[]", "x")],
            vec![("metadata[a b]", "x")],
            vec![("metadata[a]", "x"), ("metadata[a]", "y")],
            (0..=MAX_FILTERED_LABELS)
                .map(|n| (["metadata[a]", "metadata[b]", "metadata[c]", "metadata[d]"][n], ""))
                .collect(),
        ] {
            let refused = filter(&pairs).expect_err("no filter");
            assert_eq!(refused.status_code(), 400, "{pairs:?}");
            assert!(refused.to_string().starts_with("invalid_metadata_filter: "), "{refused}");
        }
    }

    #[test]
    fn full_queue_and_missing_workers_are_to_be_asked_again() {
        let unavailable = Error::Unavailable { message: "none".to_owned(), retry_after_seconds: 5 };
        for (error, code) in
            [(Error::RateLimited { retry_after_seconds: 2 }, "queue_full"), (unavailable, "deployment_not_ready")]
        {
            let refused = of_submit(error);
            assert_eq!(refused.status_code(), 429);
            assert!(refused.error_response().headers().contains_key("retry-after"));
            assert!(refused.to_string().starts_with(&format!("{code}: ")), "{refused}");
        }
        let unpaid = of_submit(Error::OutOfCredits { needed: 2, available: 1 });
        assert_eq!(unpaid.status_code(), 402, "SDKs must not repeat it");
    }
}
