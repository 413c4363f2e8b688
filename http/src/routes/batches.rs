//! Batches: many jobs in one upload, followed and canceled together.

use actix_web::http::StatusCode;
use actix_web::web::{self, Data, Json, Path, Payload, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use verdigraph_core::ids::BatchId;
use verdigraph_core::jobs::{self, RunTerms};
use verdigraph_core::{Code, Core};

use super::jobs::idempotency_key;
use super::{CursorQuery, next_cursor};
use crate::batch::{self, ItemBody};
use crate::caller::{Caller, auth_watch};
use crate::edge::Edge;
use crate::error::{ApiError, Result};
use crate::openapi::{self, OpenApi};
use crate::query::Query;
use crate::terms::TermsQuery;
use crate::views::Cursor;
use crate::views::batches::{BatchStatusView, BatchView, ItemView};

#[derive(OpenApi)]
#[openapi(paths(submit_batch, list_batches, batch_status, cancel_batch), components(schemas(ItemBody, ItemView)))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/job/batch").get(list_batches).post(submit_batch))
        .service(web::resource("/general/job/batch/{id}").get(batch_status))
        .service(web::resource("/general/job/batch/{id}/cancel").post(cancel_batch));
}

/// Submits many jobs in one upload
///
/// The body has one item per line (newline-delimited JSON), each an `ItemBody` with its own idempotency key. The
/// response is streamed during the upload: first `{"batch": id}`, then an `ItemView` for each item in the order of the
/// upload, and last `{"batch", "accepted", "refused", "replayed", "complete": true}`. Without that last line the
/// response was interrupted: send the file again, and exactly the missing jobs are created. The `Idempotency-Key` names
/// the batch; the same key continues the same batch. Items refused with RATE_LIMITED or UNAVAILABLE may be sent again
/// later. A line may be as long as any other JSON body. The parameters are the terms of items without their own.
#[openapi::path(post, path = "/api/general/job/batch", tag = "jobs",
    params(TermsQuery, ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, description = "Names the batch; at most 255 characters")),
    request_body(content = String, content_type = "application/x-ndjson", description = "An `ItemBody` a line"),
    responses((status = 200, content_type = "application/x-ndjson", body = String),
    (status = 409, description = "BATCH_CANCELED")))]
async fn submit_batch(
    core: Data<Core>,
    edge: Data<Edge>,
    caller: Caller,
    request: HttpRequest,
    terms: Query<TermsQuery>,
    upload: Payload,
) -> Result<HttpResponse> {
    let terms = terms.read(&RunTerms::default())?;
    let content_type = request.headers().get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if !matches!(essence.as_str(), "application/x-ndjson" | "application/ndjson" | "application/jsonl") {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        return Err(ApiError::new(status, Code::UnsupportedMediaType, "the body must be application/x-ndjson"));
    }
    let stream = edge.streams.open(&*core.shared, caller.signed_in()?).await?;
    let permit = stream.of(auth_watch(&core, &request).await?);
    let batch = jobs::open_batch(&core, &caller, idempotency_key(&request)?).await?;
    let receiving = jobs::receive_batch(&core, &batch).await?;
    Ok(batch::stream(core.get_ref().clone(), caller, (batch, receiving, terms), upload, permit, edge.stopping()))
}

/// The caller's batches, newest first
#[openapi::path(get, path = "/api/general/job/batch", tag = "jobs", params(CursorQuery),
    responses((status = 200, body = Cursor<BatchView>)))]
async fn list_batches(core: Data<Core>, caller: Caller, query: Query<CursorQuery>) -> Result<Json<Cursor<BatchView>>> {
    let limit = query.limit()?;
    let mut found = jobs::batches(&core, &caller, query.before::<BatchId>()?, limit + 1).await?;
    let next_cursor = next_cursor(&mut found, limit, |batch| batch.id.0);
    Ok(Json(Cursor { items: found.into_iter().map(BatchView::from).collect(), next_cursor }))
}

/// Number of a batch's jobs in each status
#[openapi::path(get, path = "/api/general/job/batch/{id}", tag = "jobs", params(("id" = Uuid, Path)),
    responses((status = 200, body = BatchStatusView)))]
async fn batch_status(core: Data<Core>, caller: Caller, id: Path<BatchId>) -> Result<Json<BatchStatusView>> {
    Ok(Json(jobs::batch_status(&core, &caller, *id).await?.into()))
}

/// Cancels all pending and running jobs of a batch; harmless when repeated
///
/// The batch accepts no more items. A large batch is not fully canceled when this answers: `active` counts the
/// remaining jobs, and falls to 0 by itself.
#[openapi::path(post, path = "/api/general/job/batch/{id}/cancel", tag = "jobs", params(("id" = Uuid, Path)),
    responses((status = 200, body = BatchStatusView)))]
async fn cancel_batch(core: Data<Core>, caller: Caller, id: Path<BatchId>) -> Result<Json<BatchStatusView>> {
    Ok(Json(jobs::cancel_batch(&core, &caller, *id).await?.into()))
}
