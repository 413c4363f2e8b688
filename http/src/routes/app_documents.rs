//! The OpenAPI documents of single mini apps.

use actix_web::http::StatusCode;
use actix_web::http::header;
use actix_web::web::{self, Data, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use sha2::{Digest as _, Sha256};
use verdigraph_core::ids::{WorkflowApiId, WorkflowApiVersionId};
use verdigraph_core::{Core, mini_apps};

use crate::app_openapi;
use crate::caller::Caller;
use crate::error::Result;
use crate::openapi::{self, OpenApi};
use crate::site;

#[derive(OpenApi)]
#[openapi(paths(openapi, version_openapi, version_openapi_public))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/workflow-api/{id}/openapi").get(openapi))
        .service(web::resource("/general/workflow-api/{id}/version/{version}/openapi").get(version_openapi))
        .service(web::resource("/public/workflow-api/{id}/version/{version}/openapi").get(version_openapi_public));
}

/// The OpenAPI 3.1 document of this mini app: its request body, and the calls that follow a run
///
/// For users who may run it, to generate clients from. It describes the current version, and its run is always one of
/// the current version.
#[openapi::path(get, path = "/api/general/workflow-api/{id}/openapi", tag = "mini apps", params(("id" = Uuid, Path)),
    responses((status = 200, body = Object, description = "An OpenAPI document"), (status = 304)))]
async fn openapi(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    id: Path<WorkflowApiId>,
) -> Result<HttpResponse> {
    answer(&core, &caller, &request, *id, None).await
}

/// The OpenAPI 3.1 document of one version of a mini app
///
/// For users who may run it. Its run is always one of this version, so a client that was generated from it keeps working
/// whatever the author saves later.
#[openapi::path(get, path = "/api/general/workflow-api/{id}/version/{version}/openapi", tag = "mini apps",
    params(("id" = Uuid, Path), ("version" = Uuid, Path)),
    responses((status = 200, body = Object, description = "An OpenAPI document"), (status = 304)))]
async fn version_openapi(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    path: Path<(WorkflowApiId, WorkflowApiVersionId)>,
) -> Result<HttpResponse> {
    let (id, version) = path.into_inner();
    answer(&core, &caller, &request, id, Some(version)).await
}

/// The OpenAPI 3.1 document of one version of a published mini app
#[openapi::path(get, path = "/api/public/workflow-api/{id}/version/{version}/openapi", tag = "mini apps",
    params(("id" = Uuid, Path), ("version" = Uuid, Path)),
    responses((status = 200, body = Object, description = "An OpenAPI document"), (status = 304)))]
async fn version_openapi_public(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    path: Path<(WorkflowApiId, WorkflowApiVersionId)>,
) -> Result<HttpResponse> {
    version_openapi(core, caller, request, path).await
}

/// The document, or 304 for a client that has it. A cache must ask each time: the app may have been hidden, and its
/// name and the descriptions of the calls may have changed.
async fn answer(
    core: &Core,
    caller: &Caller,
    request: &HttpRequest,
    id: WorkflowApiId,
    pinned: Option<WorkflowApiVersionId>,
) -> Result<HttpResponse> {
    let (app, workflow) = mini_apps::documented(core, caller, id, pinned).await?;
    let body = app_openapi::document(&app, &workflow, pinned, &core.settings.public_url()).to_string();
    let digits = site::tag_digits(&Sha256::digest(&body));
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::ETAG, format!("W/\"{digits}\"")))
        .insert_header((header::CACHE_CONTROL, "private, no-cache"));
    if site::matches_tag(request.headers(), &format!("\"{digits}\"")) {
        return Ok(response.status(StatusCode::NOT_MODIFIED).finish());
    }
    Ok(response.content_type("application/json").body(body))
}
